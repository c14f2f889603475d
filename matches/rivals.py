"""How a player did lately and against whom: from the results of seats, as far as one may know."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext

from matches.models import Match, Player
from matches.records import Known, Result

LAST = 10
MOST = 500
"""Matches that are looked at for rivals, the newest."""


class Outing(NamedTuple):
    """A match of a player's that has ended, and how it came out for them."""

    match: Match
    result: str
    names: str

    @property
    def told(self) -> str:
        """How it came out, in a word."""
        return str(Result(self.result).label)


@dataclass
class Rival:
    """Somebody met at a table: how often, and how it came out for the player."""

    player: Player
    counts: Counter[str]

    @property
    def played(self) -> int:
        return sum(self.counts.values())

    @property
    def won(self) -> int:
        return self.counts[Result.WON]

    @property
    def drawn(self) -> int:
        return self.counts[Result.DRAWN]

    @property
    def lost(self) -> int:
        return self.counts[Result.LOST]


def last_of(known: Sequence[Known]) -> list[Known]:
    """Return the last of a player's results, newest first, one for each match."""
    return [*{each.match: each for each in known[: 2 * LAST]}.values()][:LAST]


def form_of(known: Sequence[Known], matches: Mapping[UUID, Match]) -> list[Outing]:
    """Return how a player's last matches came out, oldest first.

    `known`: their results, newest first; `matches` by id: those of the last, at least.
    """
    return [
        Outing(matches[each.match], each.result, _sides(matches[each.match]))
        for each in reversed(last_of(known))
    ]


def rivals_of(known: Sequence[Known], count: int = 12) -> list[Rival]:
    """Return whom a player met most in matches with results, most often first."""
    found: dict[UUID, Rival] = {}
    for each in {each.match: each for each in known[:MOST]}.values():
        for pk, name in each.others:
            rival = found.setdefault(pk, Rival(Player(pk=pk, name=name), Counter()))
            rival.counts[each.result] += 1
    return sorted(found.values(), key=lambda each: (-each.played, each.player.name))[:count]


def _sides(match: Match) -> str:
    seats = match.seats.all()
    names = [seat.player.name if seat.player else seat.label for seat in seats]
    return (" " + gettext("v") + " ").join(names)
