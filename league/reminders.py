"""Letters that remind players, once each, of something near.

Players are reminded when a tournament begins, of a match not reported before the deadline of its
round, of the time at which they agreed to play, and (whoever set its date) of a round that could
not be paired. At once they are told what others at their table propose, and what is agreed.
Nothing is written ahead. Once a moment is near, `Reminder` has a row for everybody concerned, which
contains that moment: moving it invalidates what was not sent, and the reminder is sent again when
the new moment is near.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.functional import cached_property
from django.utils.translation import gettext

from league import clocks, desks, post, scheduling, telling
from league.models import MAX_HOURS, Entry, Pairing, Reminder, RoundDate, Tournament
from matches.models import Log
from rules import texts
from rules.desk.state import Desk, Table, is_in, open_round, round_at, round_under_way

Kind = Reminder.Kind
FARTHEST = timedelta(hours=MAX_HOURS)
TEMPLATES = {kind: f"league/letters/{kind.value.replace('-', '_')}.txt" for kind in Kind}
TEMPLATES[Kind.PLAYS] = TEMPLATES[Kind.AGREED]

logger = logging.getLogger(__name__)


# -- who is to be reminded ----------------------------------------------------------------


def write_all() -> None:
    """Write the reminders of what is near now. A tournament that fails does not stop the others."""
    for tournament in _near():
        try:
            _write(tournament)
        except Exception:
            logger.exception("nobody is reminded of tournament %s", tournament.pk)


def _near() -> list[Tournament]:
    """Return the tournaments that may need reminders now."""
    now = timezone.now()
    soon = {"gt": now, "lte": now + FARTHEST}
    begins = Q(**{f"starts_at__{name}": at for name, at in soon.items()}, rounds=None)
    ends = Q(**{f"dates__deadline__{name}": at for name, at in soon.items()})
    refused = Q(dates__pairs_at__lte=now, dates__refused_at__gt=0)
    plays = Q(pk__in=_with_times(now))
    found = Tournament.objects.filter(begins | ends | refused | plays, log__status=Log.Status.OPEN)
    pks = list(found.order_by().values_list("pk", flat=True).distinct())
    return list(Tournament.objects.filter(pk__in=pks).select_related("log"))


def _with_times(now: datetime) -> QuerySet[Any]:
    """Return the tournaments with tables whose time is still to come, agreed or proposed."""
    tables = Pairing.objects.filter(Q(plays_at__gt=now) | Q(asked_at__gt=now))
    return tables.values("round__tournament")


class Moment(NamedTuple):
    """What is near: its kind, round and time, and the players to remind of it."""

    kind: Kind
    round: int
    at: datetime
    players: Collection[UUID]


def _write(tournament: Tournament) -> None:
    for kind, number, at, players in _Seen(tournament).moments():
        wanted = _named(at)
        rows = tournament.reminders.filter(kind=kind, round=number)
        now = timezone.now()
        rows.filter(player__in=players).exclude(wanted=wanted).update(
            wanted=wanted, at=at, attempts=0, error="", due_at=now
        )
        about = {"kind": kind, "round": number, "wanted": wanted, "at": at, "due_at": now}
        known = set(rows.values_list("player", flat=True))
        fresh = sorted(set(players) - known)
        Reminder.objects.bulk_create(
            (Reminder(tournament=tournament, player_id=pk, **about) for pk in fresh),
            ignore_conflicts=True,  # another worker was faster
        )


def _named(at: datetime) -> str:
    """Return the representation of a moment in a row."""
    return at.astimezone(UTC).isoformat()


class _Seen:
    """A tournament as its reminders need it, read once for all of them."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.desk: Desk = desks.desk_of(tournament)

    @cached_property
    def dates(self) -> dict[int, RoundDate]:
        rows = self.tournament.dates.select_related("set_by__user")
        for each in (found := list(rows)):
            each.tournament = self.tournament
        return {each.round: each for each in found}

    @cached_property
    def entries(self) -> dict[UUID, tuple[int, Entry]]:
        """Return the active entries by player, for players with an account, alone or in a krewe."""
        people = telling.people_of(self.tournament)
        found = desks.entries_by_number(self.tournament, self.desk)
        return {
            player: (number, entry)
            for number, entry in found.items()
            if is_in(self.desk, number)
            for player in people.get(entry.pk, ())
        }

    def moments(self) -> Iterator[Moment]:
        """Yield what is near now."""
        now, tournament = timezone.now(), self.tournament
        near = now + timedelta(hours=tournament.remind_hours)
        if tournament.log.status != Log.Status.OPEN or self.desk.closed:
            return
        starts = tournament.starts_at
        if starts and now < starts <= near and not self.desk.stages:
            yield Moment(Kind.BEGINS, 0, starts, self.entries.keys())
        number = open_round(self.desk)
        date = self.dates.get(number)
        if date and date.deadline and now < date.deadline <= near:
            late = [player for player in self.entries if self.unplayed(player)]
            yield Moment(Kind.UNPLAYED, number, date.deadline, late)
        for date in self.dates.values():
            if date.pairs_at and date.pairs_at <= now and date.refused_at:
                setter = date.set_by_id if scheduling.obstacle(date) else None
                yield Moment(Kind.NOT_PAIRED, date.round, date.pairs_at, [setter] if setter else [])
        yield from self._table_times(now, near)

    def _table_times(self, now: datetime, near: datetime) -> Iterator[Moment]:
        """Yield the times of tables to be played: what was agreed, and the newest proposal."""
        number = round_under_way(self.desk)
        for table in round_at(self.desk, number).tables if number else ():
            if table.status != "open" or not (table.plays_at or table.proposed):
                continue
            here = {pk: n for pk, (n, _) in self.entries.items() if n in table.players}
            agreed, (newest, by) = clocks.moment(table.plays_at), newest_proposal(table)
            if agreed > now:
                yield Moment(Kind.PLAYS if agreed <= near else Kind.AGREED, number, agreed, here)
            if newest > now:
                asked = [pk for pk, n in here.items() if n not in by]
                yield Moment(Kind.PROPOSED, number, newest, asked)

    def unplayed(self, player: UUID) -> Table | None:
        """Return a player's table in the open round while its result is not reported."""
        number = round_under_way(self.desk)
        if not number or player not in self.entries:
            return None
        mine = self.entries[player][0]
        tables = (t for t in round_at(self.desk, number).tables if mine in t.players)
        return next((table for table in tables if table.status == "open"), None)


def newest_proposal(table: Table) -> tuple[datetime, tuple[int, ...]]:
    """Return the time last proposed at a table and who proposed it; long past if there is none."""
    newest = table.proposed[-1][1] if table.proposed else 0
    return clocks.moment(newest), tuple(who for who, at in table.proposed if at == newest)


# -- sending ------------------------------------------------------------------------------


def news() -> QuerySet[Reminder]:
    """Return the reminders of what is still near or just happened, sent or not."""
    now = timezone.now()
    late = Q(kind=Kind.NOT_PAIRED, at__gt=now - post.FRESH)
    return Reminder.objects.filter(Q(at__gt=now) | late)


def due() -> QuerySet[Reminder]:
    """Return the reminders to send that no worker is sending."""
    return post.due(news())


def send_due() -> int:
    """Send the due reminders; return how many were sent."""
    found = due().order_by("tournament", "pk").select_related("player__user")
    writer = post.once_each(_Writer)
    return post.send(
        list(found[: post.AT_ONCE]), due(), lambda each: writer(each.tournament_id).message(each)
    )


class _Writer:
    """A tournament to remind players of, folded once for all letters."""

    def __init__(self, pk: UUID) -> None:
        self.tournament = Tournament.objects.select_related("log", "venue").get(pk=pk)
        self.seen = _Seen(self.tournament)
        self.now: dict[tuple[str, int, str], set[UUID]] = defaultdict(set)
        for kind, number, at, players in self.seen.moments():
            self.now[kind, number, _named(at)].update(players)
        self.addresses = telling.addresses({pk for who in self.now.values() for pk in who})
        self.names = desks.names_of(self.tournament, self.seen.desk)

    def message(self, letter: Reminder) -> EmailMessage | None:
        """Return a letter's message; None if it is outdated or the player gets no letters."""
        kind = Kind(letter.kind)
        concerned = self.now.get((kind, letter.round, letter.wanted), ())
        address = self.addresses.get(letter.player_id)
        if address is None or letter.player_id not in concerned:
            return None
        with translation.override(letter.player.language or settings.LANGUAGE_CODE):
            subject, context = self._content(letter, kind)
            name = f"reminder-{letter.pk}.{letter.sent + 1}"
            context |= {"tournament": self.tournament, "round": letter.round}
            context["when"] = clocks.format_time(letter.at, self.tournament.timezone)
            return telling.message_to(
                letter.player, address, name, subject, TEMPLATES[kind], context
            )

    def _content(self, letter: Reminder, kind: Kind) -> tuple[str, dict[str, Any]]:
        """Return the subject of a letter, and its context apart from the time."""
        match kind:
            case Kind.BEGINS:
                return self._begins(letter)
            case Kind.UNPLAYED:
                return self._unplayed(letter)
            case Kind.NOT_PAIRED:
                return self._not_paired(letter)
            case Kind.PROPOSED:
                return self._proposed(letter)
            case Kind.AGREED | Kind.PLAYS:
                return self._agreed(letter)

    def _begins(self, letter: Reminder) -> tuple[str, dict[str, Any]]:
        tournament = self.tournament
        _, entry = self.seen.entries[letter.player_id]
        needs = tournament.needs_decks
        subject = gettext("{tournament} begins {when}").format(
            tournament=tournament, when=clocks.format_time(letter.at, tournament.timezone)
        )
        return subject, {
            "link": telling.address_of("league:tournament-detail", tournament.code),
            "check_in": desks.setup_of(tournament).options.check_in
            and telling.address_of("league:entry-list", tournament.code),
            "deck_missing": needs and not entry.deck,
            "deck_wrong": needs and bool(entry.deck and entry.deck_problems),
            "deck": telling.address_of("league:deck-register", tournament.code),
        }

    def _unplayed(self, letter: Reminder) -> tuple[str, dict[str, Any]]:
        subject = gettext("{tournament}: your match of round {round} is not reported")
        return self._at_table(letter, subject)

    def _proposed(self, letter: Reminder) -> tuple[str, dict[str, Any]]:
        table = self.seen.unplayed(letter.player_id)
        assert table is not None
        subject, context = self._at_table(
            letter, gettext("{tournament}: when to play your match of round {round}")
        )
        by = [self.names[number] for number in newest_proposal(table)[1]]
        return subject, context | {"by": texts.listed(by), "count": len(by)}

    def _agreed(self, letter: Reminder) -> tuple[str, dict[str, Any]]:
        return self._at_table(letter, gettext("{tournament}: you play round {round} on {when}"))

    def _at_table(self, letter: Reminder, subject: str) -> tuple[str, dict[str, Any]]:
        """Return a letter about the open table of a player."""
        table = self.seen.unplayed(letter.player_id)
        assert table is not None  # everybody concerned has one
        mine, _ = self.seen.entries[letter.player_id]
        where = (self.tournament.code, letter.round, table.number)
        when = clocks.format_time(letter.at, self.tournament.timezone)
        return subject.format(tournament=self.tournament, round=letter.round, when=when), {
            "table": table.number,
            "foes": texts.listed([self.names[n] for n in table.players if n != mine]),
            "link": telling.address_of("league:table-detail", *where),
        }

    def _not_paired(self, letter: Reminder) -> tuple[str, dict[str, Any]]:
        subject = gettext("{tournament}: round {round} is not paired")
        return subject.format(tournament=self.tournament, round=letter.round), {
            "why": scheduling.obstacle(self.seen.dates[letter.round]),
            "link": telling.address_of("league:console", self.tournament.code),
        }
