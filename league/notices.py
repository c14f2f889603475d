"""Letters to players about where they sit, when a round is published and when that changes.

`PairingLetter` is the outbox. A follower writes what each player is to be told about a round,
together with its other rows; a worker sends what was not sent yet. If a round is undone and
published again, only players whose table or opponents changed get another letter. `league.post`
ensures that a letter is sent once and not lost.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.module_loading import import_string
from django.utils.translation import gettext

from league import clocks, desks, post
from league.models import PairingLetter, Telling, Tournament
from matches import jobs
from matches import log as logs
from matches.errors import NotFound
from matches.models import Log, Player
from rules import texts
from rules.desk.state import Desk, Round, open_round, round_at

FRESH = timedelta(days=2)  # an older pairing is no longer worth a letter
LETTER = "league/letters/pairing.txt"
_SALT = "league.letters"


# -- what is to be told -------------------------------------------------------------------


class Letters(desks.DeskFollower):
    """Keeps what every player is to be told about the open round; rows of earlier rounds stay."""

    def project(self, log: Log) -> None:
        tournament = Tournament.objects.select_related("log").filter(pk=log.pk).first()
        if tournament is None:
            return
        tournament.log = log
        desk: Desk = logs.load(log).at(log.head_version).state.desk
        published = [number for number, each in enumerate(desk.rounds, 1) if each.published]
        undone = tournament.letters.exclude(round__in=published)
        undone.exclude(wanted="").update(wanted="")
        number = open_round(desk)
        if number in published and _write(tournament, number, round_at(desk, number), desk):
            transaction.on_commit(partial(wake, log.pk))


def _write(tournament: Tournament, number: int, each: Round, desk: Desk) -> bool:
    """Update the rows of a round to what is wanted now; return whether anything is new."""
    sitting = _sitting(tournament, each, desk)
    wanted = {player: _digest(sits, desk) for player, sits in sitting.items()}
    known = {row.player_id: row for row in tournament.letters.filter(round=number)}
    changed = [row for pk, row in known.items() if row.wanted != wanted.get(pk, "")]
    now = timezone.now()
    for row in changed:
        row.wanted, row.attempts, row.error = wanted.get(row.player_id, ""), 0, ""
        row.due_at = now
    PairingLetter.objects.bulk_update(changed, ["wanted", "attempts", "error", "due_at"], 200)
    fresh = sorted(wanted.keys() - known.keys())
    if fresh:
        published_at = desks.published_at(tournament, tournament.log.head_version)[number]
        about = {"tournament": tournament, "round": number, "published_at": published_at}
        PairingLetter.objects.bulk_create(
            (PairingLetter(player_id=pk, wanted=wanted[pk], due_at=now, **about) for pk in fresh),
            500,
        )
    return bool(changed or fresh)


@dataclass(frozen=True)
class Sits:
    """Where an entrant sits in a round: the table and its other players; table 0 is a bye."""

    table: int
    foes: tuple[int, ...] = ()


def _sitting(tournament: Tournament, each: Round, desk: Desk) -> dict[UUID, Sits]:
    """Return where every player with an account sits in a round."""
    people = people_of(tournament)
    return {
        player: sits
        for number, sits in _sits(each)
        for player in people[desks.entry_id(tournament, desk.people[number - 1].ref, number)]
    }


def _sits(each: Round) -> Iterator[tuple[int, Sits]]:
    for table in each.tables:
        for number in table.players:
            yield number, Sits(table.number, tuple(n for n in table.players if n != number))
    for number in each.byes:
        yield number, Sits(0)


def _digest(sits: Sits, desk: Desk) -> str:
    """Return a digest of what a player is told; if it changes, another letter is due."""
    key = [sits.table, sorted(desk.people[number - 1].ref for number in sits.foes)]
    return hashlib.sha256(msgspec.json.encode(key)).hexdigest()


def people_of(tournament: Tournament) -> Mapping[UUID, Collection[UUID]]:
    """Return the players with an account of every entry: its player, or those of its krewe."""
    found: dict[UUID, set[UUID]] = defaultdict(set)
    for path in ("player", "krewe__captain", "krewe__players"):
        rows = tournament.entries.filter(**{f"{path}__user__isnull": False})
        for entry, player in rows.values_list("pk", path):
            found[entry].add(player)
    return found


# -- sending ------------------------------------------------------------------------------


def wake(tournament: UUID) -> None:
    """Wake a worker for a tournament's letters; if the broker is down, the sweep does it later."""
    from league.tasks import send_letters

    jobs.send(send_letters, str(tournament))


def news() -> QuerySet[PairingLetter]:
    """Return the letters about pairings that are still recent, sent or not."""
    return PairingLetter.objects.filter(published_at__gt=timezone.now() - FRESH)


def due() -> QuerySet[PairingLetter]:
    """Return the recent letters that were not sent and that no worker is sending."""
    return post.due(news())


def send_due(tournament: UUID | None = None) -> int:
    """Send the due letters of one tournament or of all; return how many were sent."""
    found = due().order_by("tournament", "round", "pk")
    if tournament is not None:
        found = found.filter(tournament=tournament)
    letters = list(found.select_related("player__user")[: post.AT_ONCE])
    scene = post.once_each(_Scene)
    return post.send(letters, due(), lambda letter: scene(letter.tournament_id).message(letter))


class _Scene:
    """A tournament as its letters need it, folded once for all of them."""

    def __init__(self, pk: UUID) -> None:
        tournament = Tournament.objects.select_related("log", "venue").get(pk=pk)
        self.tournament = tournament
        self.desk = desks.desk_of(tournament)
        self.names = desks.names_of(tournament, self.desk)
        self.number = open_round(self.desk)
        self.sits: dict[UUID, Sits] = {}
        if self.number and round_at(self.desk, self.number).published:
            self.sits = _sitting(tournament, round_at(self.desk, self.number), self.desk)
        self.addresses = addresses(self.sits)

    def message(self, letter: PairingLetter) -> EmailMessage | None:
        """Return a letter's message; None if it is outdated or the player gets no letters."""
        sits = self.sits.get(letter.player_id)
        address = self.addresses.get(letter.player_id)
        if sits is None or address is None or letter.round != self.number:
            return None
        if _digest(sits, self.desk) != letter.wanted or self.is_withdrawn:
            return None
        with translation.override(letter.player.language or settings.LANGUAGE_CODE):
            return self._written(letter, sits, address)

    def _written(self, letter: PairingLetter, sits: Sits, address: str) -> EmailMessage:
        """Return a letter's message in the active language."""
        foes = texts.listed([self.names[number] for number in sits.foes])
        where = gettext("table {table} with {foes}") if sits.table else gettext("no match")
        subject = gettext("{tournament}: round {round}, {where}").format(
            tournament=self.tournament,
            round=letter.round,
            where=where.format(table=sits.table, foes=foes),
        )
        name = f"{letter.pk}.{letter.sent + 1}"
        context = self._context(letter, sits, foes)
        return message_to(letter.player, address, name, subject, LETTER, context)

    @property
    def is_withdrawn(self) -> bool:
        return self.tournament.log.is_withdrawn

    def _context(self, letter: PairingLetter, sits: Sits, foes: str) -> dict[str, Any]:
        code, number = self.tournament.code, letter.round
        link = (
            address_of("league:table-detail", code, number, sits.table)
            if sits.table
            else address_of("league:tournament-detail", code)
        )
        return {
            "tournament": self.tournament,
            "round": number,
            "table": sits.table,
            "foes": foes,
            "changed": letter.sent > 0,
            "when": _when(self.tournament, letter.published_at),
            "link": link,
        }


def _when(tournament: Tournament, published_at: datetime) -> str:
    """Return when a round begins, in local time and in UTC."""
    begins = begins_at(tournament, published_at)
    times = [clocks.format_time(begins, tournament.timezone)]
    if begins.astimezone(ZoneInfo(tournament.timezone)).utcoffset():
        times.append(clocks.format_time(begins, "UTC", clocks.CLOCK))
    if minutes := tournament.round_minutes:
        times.append(gettext("{minutes} minutes").format(minutes=minutes))
    return ", ".join(times)


def begins_at(tournament: Tournament, published_at: datetime) -> datetime:
    """Return when a round begins: when it is published, but not before its tournament begins."""
    starts = tournament.starts_at
    return max(published_at, starts) if starts else published_at


def message_to(
    player: Player,
    address: str,
    name: str,
    subject: str,
    template: str,
    context: Mapping[str, Any],
) -> EmailMessage:
    """Return a message to a player in the active language; `name` makes its Message-ID unique."""
    off = address_of("league:letters-off", off_token(player))
    ways = {"player": player, "settings": address_of("league:telling-edit"), "off": off}
    return EmailMessage(
        subject=" ".join(subject.split())[:200],
        body=render_to_string(template, {**context, **ways}),
        to=[address],
        headers={
            "Message-ID": f"<{name}@{_host()}>",
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def addresses(players: Collection[UUID]) -> dict[UUID, str]:
    """Return the addresses for letters to players: confirmed ones of those who want letters."""
    off = Telling.objects.filter(player__in=players, letters=False).values("player")
    users = dict(
        Player.objects.filter(pk__in=players, user__isnull=False)
        .exclude(pk__in=off)
        .values_list("user", "pk")
    )
    known = confirmed(list(users))
    return {users[user]: address for user, address in known.items()}


def confirmed(users: Collection[int]) -> dict[int, str]:
    """Return the confirmed addresses of accounts, by the site's `ADDRESS_BOOK`."""
    found: dict[int, str] = import_string(settings.ADDRESS_BOOK)(users)
    return found


def address_of(name: str, *parts: Any) -> str:
    """Return the absolute URL of a page, for use outside the site."""
    return f"{settings.SITE_URL}{reverse(name, args=parts)}"


def _host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


# -- how one is told ----------------------------------------------------------------------


def telling_of(player: Player) -> Telling:
    """Return how a player is notified; the default if they never changed it."""
    return Telling.objects.filter(player=player).first() or Telling(player=player)


def set_letters(player: Player, *, letters: bool) -> None:
    """Switch a player's letters on or off."""
    Telling.objects.update_or_create(player=player, defaults={"letters": letters})


def off_token(player: Player) -> str:
    """Return the signed token that switches a player's letters off, and does nothing else."""
    return signing.Signer(salt=_SALT, sep="~").sign(player.pk.hex)


def player_of(token: str) -> Player:
    """Return the player of a token. Raises: NotFound for a forged one."""
    try:
        pk = UUID(signing.Signer(salt=_SALT, sep="~").unsign(token))
        return Player.objects.get(pk=pk)
    except (signing.BadSignature, ValueError, Player.DoesNotExist):
        raise NotFound(gettext("This link is not valid."), "bad-link") from None
