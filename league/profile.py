"""What a player's page says of their ratings: a number for each pool, and the way there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from league import policy
from league.models import Rating, RatingStep, Tournament
from league.ratings import PROVISIONAL
from matches.models import Player
from matches.policy import Actor

WIDE, HIGH, EDGE = 320, 140, 12
"""The chart, in its own units."""
MOST = 200
"""Steps that are drawn, the newest."""


class Step(NamedTuple):
    """A rating after a table: `moved` since the one before, where and when it was played."""

    shown: float
    moved: float
    sigma: float
    place: int
    at: datetime
    where: str
    tournament: Tournament | None


@dataclass(frozen=True)
class Rated:
    """A rating of a player's with its steps, oldest first, and how to draw them.

    `path` and `band` are points of the chart: the rating, and three sigma around its middle.
    """

    rating: Rating
    name: str
    steps: Sequence[Step]
    path: str
    band: str
    most: float
    least: float

    @property
    def best(self) -> float:
        return max(step.shown for step in self.steps)

    @property
    def sentence(self) -> str:
        """The chart in words."""
        first, last = self.steps[0].shown, self.steps[-1].shown
        way = "rose" if last > first else "fell" if last < first else "stayed"
        tables = f"{len(self.steps)} table{'' if len(self.steps) == 1 else 's'}"
        moved = f"it {way} from {first:.1f} to {last:.1f}"
        return f"Over {tables} {moved}; the best was {self.best:.1f}."

    @property
    def left(self) -> int:
        """How many tables are missing until it is no longer provisional."""
        return max(0, PROVISIONAL - self.rating.played)


def ratings_of(actor: Actor, player: Player) -> list[Rated]:
    """Return a player's ratings, that of most tables first.

    Where it was played is named to those who may see that tournament.
    """
    held = Rating.objects.filter(player=player).select_related("pool__league")
    rows = RatingStep.objects.filter(player=player).select_related("table__tournament")
    by_pool: dict[int, list[RatingStep]] = {}
    for row in rows.order_by("table__played_at", "table__tournament", "table__round"):
        by_pool.setdefault(row.pool_id, []).append(row)
    seen = set(
        policy.visible_tournaments(actor)
        .filter(pk__in={row.table.tournament_id for steps in by_pool.values() for row in steps})
        .values_list("pk", flat=True)
    )
    return [
        _rated(rating, by_pool[rating.pool_id][-MOST:], seen)
        for rating in held.order_by("-played", "pk")
        if by_pool.get(rating.pool_id)
    ]


def _rated(rating: Rating, rows: Sequence[RatingStep], seen: set[UUID]) -> Rated:
    steps: list[Step] = []
    for row in rows:
        shown = row.mu - 3 * row.sigma
        open_ = row.table.tournament_id in seen
        steps.append(
            Step(
                shown,
                shown - steps[-1].shown if steps else 0.0,
                row.sigma,
                row.place,
                row.table.played_at,
                f"Round {row.table.round}, table {row.table.table}",
                row.table.tournament if open_ else None,
            )
        )
    upper = [row.mu + 3 * row.sigma for row in rows]
    lower = [step.shown for step in steps]
    most, least = max(upper), min(lower)
    span = (most - least) or 1.0

    def point(n: int, value: float) -> str:
        x = EDGE + (WIDE - 2 * EDGE) * n / max(len(rows) - 1, 1)
        y = HIGH - EDGE - (HIGH - 2 * EDGE) * (value - least) / span
        return f"{x:.1f},{y:.1f}"

    path = [point(n, value) for n, value in enumerate(lower)]
    roof = [point(n, value) for n, value in enumerate(upper)]
    name = rating.pool.league.name if rating.pool.league else "Without a league"
    return Rated(rating, name, steps, " ".join(path), " ".join([*path, *roof[::-1]]), most, least)
