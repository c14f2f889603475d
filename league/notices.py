"""Letters to players about where they sit, when a round is published and when that changes.

`PairingLetter` is the outbox. A follower writes what each player is to be told about a round,
together with its other rows; a worker sends what was not sent yet. If a round is undone and
published again, only players whose table or opponents changed get another letter. `league.post`
ensures that a letter is sent once and not lost.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext

from league import clocks, dates, desks, post, telling
from league.models import PairingLetter, Tournament
from matches import jobs
from rules import texts
from rules.desk.state import Desk, Round, round_at, round_under_way

LETTER = "league/letters/pairing.txt"


# -- what is to be told -------------------------------------------------------------------


class Letters(desks.DeskFollower):
    """Keeps what every player is to be told about the open round; rows of earlier rounds stay."""

    def project_desk(self, tournament: Tournament) -> None:
        desk = desks.desk_of(tournament)
        published = [number for number, each in enumerate(desk.rounds, 1) if each.published]
        undone = tournament.letters.exclude(round__in=published)
        undone.exclude(wanted="").update(wanted="")
        number = round_under_way(desk)
        if number and _write(tournament, number, round_at(desk, number), desk):
            transaction.on_commit(partial(wake, tournament.pk))


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
    people = telling.people_of(tournament)
    return {
        player: sits
        for number, sits in _sits(each)
        for player in people[desks.entry_id(tournament.pk, desk, number)]
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


# -- sending ------------------------------------------------------------------------------


def wake(tournament: UUID) -> None:
    """Wake a worker for a tournament's letters; if the broker is down, the sweep does it later."""
    from league.tasks import send_letters

    jobs.send(send_letters, str(tournament))


def news() -> QuerySet[PairingLetter]:
    """Return the letters about pairings that are still recent, sent or not."""
    return PairingLetter.objects.filter(published_at__gt=timezone.now() - post.FRESH)


def due() -> QuerySet[PairingLetter]:
    """Return the recent letters that were not sent and that no worker is sending."""
    return post.due(news())


def send_due(tournament: UUID | None = None) -> int:
    """Send the due letters of one tournament or of all; return how many were sent."""
    found = due().order_by("tournament", "round", "pk")
    if tournament is not None:
        found = found.filter(tournament=tournament)
    letters = list(found.select_related("player__user")[: post.AT_ONCE])
    writer = post.once_each(_Writer)
    return post.send(letters, due(), lambda letter: writer(letter.tournament_id).message(letter))


class _Writer:
    """A tournament as its letters need it, folded once for all of them."""

    def __init__(self, pk: UUID) -> None:
        tournament = Tournament.objects.select_related("log", "venue").get(pk=pk)
        self.tournament = tournament
        self.desk = desks.desk_of(tournament)
        self.names = desks.names_of(tournament, self.desk)
        self.number = round_under_way(self.desk)
        self.sits: dict[UUID, Sits] = {}
        if self.number:
            self.sits = _sitting(tournament, round_at(self.desk, self.number), self.desk)
        self.addresses = telling.addresses(self.sits)
        at = dates.deadline_of(tournament, self.number)
        self.deadline = clocks.format_time(at, tournament.timezone) if at else ""

    def message(self, letter: PairingLetter) -> EmailMessage | None:
        """Return a letter's message; None if it is outdated or the player gets no letters."""
        sits = self.sits.get(letter.player_id)
        address = self.addresses.get(letter.player_id)
        if sits is None or address is None or letter.round != self.number:
            return None
        if _digest(sits, self.desk) != letter.wanted or self.tournament.log.is_withdrawn:
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
        return telling.message_to(letter.player, address, name, subject, LETTER, context)

    def _context(self, letter: PairingLetter, sits: Sits, foes: str) -> dict[str, Any]:
        code, number = self.tournament.code, letter.round
        link = (
            telling.address_of("league:table-detail", code, number, sits.table)
            if sits.table
            else telling.address_of("league:tournament-detail", code)
        )
        return {
            "tournament": self.tournament,
            "round": number,
            "table": sits.table,
            "foes": foes,
            "changed": letter.sent > 0,
            "when": _when(self.tournament, letter.published_at),
            "deadline": self.deadline,
            "link": link,
        }


def _when(tournament: Tournament, published_at: datetime) -> str:
    """Return when a round begins, in local time and in UTC."""
    begins = dates.begins_at(tournament, published_at)
    times = [clocks.format_time(begins, tournament.timezone)]
    if begins.astimezone(ZoneInfo(tournament.timezone)).utcoffset():
        times.append(clocks.format_time(begins, "UTC", clocks.CLOCK))
    if minutes := tournament.round_minutes:
        times.append(gettext("{minutes} minutes").format(minutes=minutes))
    return ", ".join(times)
