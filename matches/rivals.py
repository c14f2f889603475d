"""How a player did lately and against whom: from the results of seats, as far as one may know."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from matches.models import Match, Player, Seat
from matches.records import Known, Result
from matches.selectors import with_table

LAST = 10
MOST = 500
"""Matches that are looked at for rivals, the newest."""


class Outing(NamedTuple):
    """A match of a player's that has ended, and how it came out for them."""

    match: Match
    result: str
    names: str

    @property
    def letter(self) -> str:
        return self.result[:1].upper()


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


def form_of(known: Sequence[Known], near: Iterable[Match] = ()) -> list[Outing]:
    """Return how a player's last matches came out, oldest first.

    `known`: their results, newest first; `near`: matches at hand, that need not be fetched.
    """
    last = [*{each.match: each for each in known[: 2 * LAST]}.values()][:LAST]
    found = {match.pk: match for match in near}
    missing = [each.match for each in last if each.match not in found]
    if missing:
        matches = Match.objects.filter(pk__in=missing).select_related("log", "opener")
        found |= {match.pk: match for match in with_table(matches)}
    return [
        Outing(found[each.match], each.result, " v ".join(_sides(found[each.match])))
        for each in reversed(last)
    ]


def rivals_of(player: Player, known: Sequence[Known], count: int = 12) -> list[Rival]:
    """Return whom a player met most in matches with results, most often first."""
    results = {each.match: each.result for each in known[:MOST]}
    seats = Seat.objects.filter(match__in=results, player__isnull=False).exclude(player=player)
    found: dict[Any, Rival] = {}
    for seat in seats.select_related("player") if results else ():
        rival = found.setdefault(seat.player_id, Rival(seat.player, Counter()))  # type: ignore[arg-type]  # not None
        rival.counts[results[seat.match_id]] += 1
    return sorted(found.values(), key=lambda each: (-each.played, each.player.name))[:count]


def _sides(match: Match) -> list[str]:
    return [seat.player.name if seat.player else seat.label for seat in match.seats.all()]
