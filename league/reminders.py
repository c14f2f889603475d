"""Letters that remind players, once each, of something near.

Players are reminded when a tournament begins, of a match not reported before the deadline of its
round, and (whoever set its date) of a round that could not be paired. Nothing is written ahead.
Once a moment is near, `Reminder` has a row for everybody concerned, which contains that moment:
moving it invalidates what was not sent, and the reminder is sent again when the new moment is near.
"""

import logging
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q, QuerySet
from django.utils import timezone, translation
from django.utils.functional import cached_property
from django.utils.translation import gettext

from league import clocks, desks, post, scheduling, telling
from league.models import MAX_HOURS, Entry, Reminder, RoundDate, Tournament
from matches.models import Log
from rules import texts
from rules.desk.state import Desk, Table, is_in, open_round, round_at, round_under_way

Kind = Reminder.Kind
FARTHEST = timedelta(hours=MAX_HOURS)
TEMPLATES = {kind: f"league/letters/{kind.value.replace('-', '_')}.txt" for kind in Kind}

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
    found = Tournament.objects.filter(begins | ends | refused, log__status=Log.Status.OPEN)
    pks = list(found.order_by().values_list("pk", flat=True).distinct())
    return list(Tournament.objects.filter(pk__in=pks).select_related("log"))


def _write(tournament: Tournament) -> None:
    seen = _Seen(tournament)
    for kind, number, at in seen.moments():
        players = seen.concerned(kind)
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

    def moments(self) -> Iterator[tuple[Kind, int, datetime]]:
        """Yield what is near now: its kind, round and moment."""
        now, tournament = timezone.now(), self.tournament
        near = now + timedelta(hours=tournament.remind_hours)
        if tournament.log.status != Log.Status.OPEN or self.desk.closed:
            return
        starts = tournament.starts_at
        if starts and now < starts <= near and not self.desk.stages:
            yield Kind.BEGINS, 0, starts
        number = open_round(self.desk)
        date = self.dates.get(number)
        if date and date.deadline and now < date.deadline <= near:
            yield Kind.UNPLAYED, number, date.deadline
        for date in self.dates.values():
            if date.pairs_at and date.pairs_at <= now and date.refused_at:
                yield Kind.NOT_PAIRED, date.round, date.pairs_at

    def concerned(self, kind: Kind) -> Collection[UUID]:
        """Return the players to remind of something of a kind."""
        match kind:
            case Kind.BEGINS:
                return self.entries.keys()
            case Kind.UNPLAYED:
                return [player for player in self.entries if self.unplayed(player)]
            case Kind.NOT_PAIRED:
                late = (each for each in self.dates.values() if each.pairs_at and each.refused_at)
                return {d.set_by_id for d in late if d.set_by_id and scheduling.obstacle(d)}

    def unplayed(self, player: UUID) -> Table | None:
        """Return a player's table in the open round while its result is not reported."""
        number = round_under_way(self.desk)
        if not number or player not in self.entries:
            return None
        mine = self.entries[player][0]
        tables = (t for t in round_at(self.desk, number).tables if mine in t.players)
        return next((table for table in tables if table.status == "open"), None)


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
        self.now = {(kind, number): _named(at) for kind, number, at in self.seen.moments()}
        self.concerned = {kind: self.seen.concerned(kind) for kind, _ in self.now}
        self.addresses = telling.addresses({pk for who in self.concerned.values() for pk in who})
        self.names = desks.names_of(self.tournament, self.seen.desk)

    def message(self, letter: Reminder) -> EmailMessage | None:
        """Return a letter's message; None if it is outdated or the player gets no letters."""
        kind = Kind(letter.kind)
        if self.now.get((kind, letter.round)) != letter.wanted:
            return None
        address = self.addresses.get(letter.player_id)
        if address is None or letter.player_id not in self.concerned[kind]:
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
        table = self.seen.unplayed(letter.player_id)
        assert table is not None  # everybody concerned has one
        mine, _ = self.seen.entries[letter.player_id]
        subject = gettext("{tournament}: your match of round {round} is not reported")
        where = (self.tournament.code, letter.round, table.number)
        return subject.format(tournament=self.tournament, round=letter.round), {
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
