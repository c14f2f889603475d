"""How a player did lately and against whom: from the results of seats, as far as one may know."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import F, QuerySet

from matches.models import Match, Player, Seat
from matches.policy import Actor
from matches.records import Result, results_for

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


def form_of(actor: Actor, player: Player) -> list[Outing]:
    """Return how a player's last matches came out, oldest first, that an actor may know."""
    newest = _newest(actor, player)[:LAST]
    known = {row["match"]: row["known"] for row in newest}
    matches = Match.objects.filter(pk__in=known).select_related("log", "opener")
    matches = matches.prefetch_related("seats__player", "officials")
    found = {match.pk: match for match in matches}
    return [
        Outing(found[pk], result, " v ".join(_sides(found[pk])))
        for pk, result in reversed(known.items())
    ]


def rivals_of(actor: Actor, player: Player, count: int = 12) -> list[Rival]:
    """Return whom a player met most in the matches an actor may know of, most often first."""
    known = {row["match"]: row["known"] for row in _newest(actor, player)[:MOST]}
    seats = Seat.objects.filter(match__in=known, player__isnull=False).exclude(player=player)
    found: dict[Any, Rival] = {}
    for seat in seats.select_related("player"):
        rival = found.setdefault(seat.player_id, Rival(seat.player, Counter()))  # type: ignore[arg-type]  # not None
        rival.counts[known[seat.match_id]] += 1
    return sorted(found.values(), key=lambda each: (-each.played, each.player.name))[:count]


def _newest(actor: Actor, player: Player) -> QuerySet[Any, dict[str, Any]]:
    rows = results_for(actor, player).annotate(match=F("seat__match"))
    newest = rows.order_by("-seat__match__started_at", "-seat__match")
    found: QuerySet[Any, dict[str, Any]] = newest.values("match", "known")
    return found


def _sides(match: Match) -> list[str]:
    return [seat.player.name if seat.player else seat.label for seat in match.seats.all()]
