"""A player's recent form and most frequent opponents, from results as far as an actor may know."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext

from matches.models import Match, Player
from matches.records import Known, Result, once_each
from rules.texts import isolated

LAST = 10
LIMIT = 500
"""How many of the newest matches are searched for rivals."""
MOST = 12
"""How many rivals are shown."""


class Outing(NamedTuple):
    """A finished match of a player's, and its result for them."""

    match: Match
    result: str
    names: str

    @property
    def label(self) -> str:
        """The result in a word."""
        return str(Result(self.result).label)


@dataclass
class Rival:
    """A player met at a table: how often, and with what results."""

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
    """Return the newest of a player's results, newest first, one for each match."""
    return once_each(known[: 2 * LAST])[:LAST]


def form_of(known: Sequence[Known], matches: Mapping[UUID, Match]) -> list[Outing]:
    """Return the results of a player's last matches, oldest first.

    `known`: their results, newest first; `matches`: by id, at least those of the last ones.
    """
    return [
        Outing(matches[each.match], each.result, _sides(matches[each.match]))
        for each in reversed(last_of(known))
    ]


def rivals_of(known: Sequence[Known]) -> list[Rival]:
    """Return the players met most often in matches with results, most often first."""
    found: dict[UUID, Rival] = {}
    for each in once_each(known[:LIMIT]):
        for pk, name in each.others:
            rival = found.setdefault(pk, Rival(Player(pk=pk, name=name), Counter()))
            rival.counts[each.result] += 1
    return sorted(found.values(), key=lambda each: (-each.played, each.player.name))[:MOST]


def _sides(match: Match) -> str:
    return (" " + gettext("v") + " ").join(isolated(seat.who) for seat in match.seats.all())
