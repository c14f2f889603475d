"""A player's ratings for their page, the value in each pool and its history, and their trophies."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext, ngettext

from league import policy, ratings, selectors
from league.models import Circuit, RatingPool, RatingStep, Standing, Tournament
from league.ratings import DIGITS, PROVISIONAL
from matches.actors import Actor
from matches.models import Player
from matches.templatetags.look import minus

WIDE, HIGH, EDGE = 320, 140, 12
"""The chart's size and margin, in its own units."""
LIMIT = 200
"""The number of newest steps drawn."""
PODIUM = 3
"""The last place that counts as a trophy."""
MAX_TROPHIES = 60
NEW = 0.0
"""The displayed rating before the first table: mu - 3 sigma of a new player."""


class Frame(NamedTuple):
    """What a chart spans: from left to right, and from its least value to its most."""

    left: float
    right: float
    least: float
    most: float

    def points(self, line: Iterable[tuple[float, float]]) -> str:
        """Return a line as points of the chart."""
        across, up = (self.right - self.left) or 1.0, (self.most - self.least) or 1.0
        places = (
            (
                EDGE + (WIDE - 2 * EDGE) * (x - self.left) / across,
                HIGH - EDGE - (HIGH - 2 * EDGE) * (y - self.least) / up,
            )
            for x, y in line
        )
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


class Step(NamedTuple):
    """A rating after a table: the change it `moved` by, and where and when it was played."""

    shown: float
    moved: float
    sigma: float
    place: int
    at: datetime
    where: str
    tournament: Tournament | None


@dataclass(frozen=True)
class Rated:
    """A player's rating in a pool: tables played, newest steps in order, and the chart.

    `path` and `band` are points of the chart: the shown rating, and three sigma either side of mu.
    """

    pool: RatingPool
    played: int
    steps: Sequence[Step]
    path: str
    band: str
    most: float
    least: float

    @property
    def name(self) -> str:
        return self.pool.league.name if self.pool.league else gettext("Without a league")

    @property
    def now(self) -> Step:
        return self.steps[-1]

    @property
    def strength(self) -> ratings.Strength:
        return self.now.shown + 3 * self.now.sigma, self.now.sigma

    @property
    def best(self) -> float:
        return max(step.shown for step in self.steps)

    @property
    def sentence(self) -> str:
        """Return the chart in words."""
        first, last = (round(step.shown, 1) for step in (self.steps[0], self.steps[-1]))
        count = len(self.steps)
        if count == 1:
            text = gettext("After one table it is {last}.")
        elif last > first:
            text = ngettext(
                "Over {tables} table it rose from {first} to {last}; the best was {best}.",
                "Over {tables} tables it rose from {first} to {last}; the best was {best}.",
                count,
            )
        elif last < first:
            text = ngettext(
                "Over {tables} table it fell from {first} to {last}; the best was {best}.",
                "Over {tables} tables it fell from {first} to {last}; the best was {best}.",
                count,
            )
        else:
            text = ngettext(
                "Over {tables} table it stayed at {last}; the best was {best}.",
                "Over {tables} tables it stayed at {last}; the best was {best}.",
                count,
            )
        values = {"first": first, "last": last, "best": self.best}
        return text.format(
            tables=count, **{name: minus(floatformat(shown, 1)) for name, shown in values.items()}
        )

    @property
    def left(self) -> int:
        """Return how many more tables it takes until the rating is no longer provisional."""
        return max(0, PROVISIONAL - self.played)


def ratings_of(actor: Actor, player: Player) -> list[Rated]:
    """Return a player's ratings, the one of most tables first; none for an actor with results off.

    Steps name the tournament only to actors who may see it.
    """
    if actor.results_off:
        return []
    seen = policy.visible_tournaments(actor).filter(pk=OuterRef("table__tournament"))
    rows = RatingStep.objects.filter(player=player).annotate(seen=Exists(seen))
    rows = rows.select_related("table__tournament", "pool__league")
    by_pool: dict[RatingPool, list[Any]] = {}
    for row in rows.order_by("table__played_at", "table__tournament", "table__round"):
        by_pool.setdefault(row.pool, []).append(row)
    ranked = sorted(by_pool, key=lambda pool: (-len(by_pool[pool]), pool.pk))
    return [_rated(pool, by_pool[pool]) for pool in ranked]


def entered_by(actor: Actor, player: Player) -> QuerySet[Tournament]:
    """Return the tournaments a player takes part in that the actor may see, newest first.

    Annotated are the player's final `place`, None before it is known, how many are `sharing` it,
    and the size of the `field`; the circuit whose final it is comes along.
    """
    found = selectors.entered_for(selectors.tournaments_for(actor), player)
    found = found.select_related("final_of")
    final = Standing.objects.filter(tournament=OuterRef("pk"), round=0).order_by()
    found = found.annotate(field=_count(final))
    found = selectors.with_places(actor, found, policy.takes_part(player))
    return found.annotate(sharing=_count(final.filter(place=OuterRef("place"))))


def _count(standings: QuerySet[Standing]) -> Subquery:
    """Return how many standings of a tournament there are, as a subquery; None for none."""
    return Subquery(standings.values("tournament").annotate(many=Count("pk")).values("many"))


def trophies_among(entered: Iterable[Any]) -> list[Any]:
    """Return those of `entered_by` that count as a trophy, best first, finals before others.

    These are first to third places in the upper half of the field, at the end: of three players
    only the first has one.
    """
    won = (each for each in entered if each.closed_at and each.place and _is_high(each))
    return sorted(won, key=lambda each: (each.place, final_of(each) is None))[:MAX_TROPHIES]


def final_of(tournament: Tournament) -> Circuit | None:
    """Return the circuit whose final a tournament is, if any."""
    return getattr(tournament, "final_of", None)


def _is_high(entered: Any) -> bool:
    return bool(entered.place <= PODIUM and 2 * entered.place <= entered.field)


def _rated(pool: RatingPool, all_rows: Sequence[Any]) -> Rated:
    all_steps: list[Step] = []
    was = NEW
    for row in all_rows:
        shown = round(row.mu - 3 * row.sigma, DIGITS)
        all_steps.append(
            Step(
                shown,
                round(shown - was, DIGITS),
                row.sigma,
                row.place,
                row.table.played_at,
                gettext("Round {round}, table {table}").format(
                    round=row.table.round, table=row.table.table
                ),
                row.table.tournament if row.seen else None,
            )
        )
        was = shown
    rows, steps = all_rows[-LIMIT:], all_steps[-LIMIT:]
    upper = [row.mu + 3 * row.sigma for row in rows]
    lower = [step.shown for step in steps]
    frame = Frame(0, len(rows) - 1, min(lower), max(upper))
    path = frame.points(enumerate(lower))
    band = f"{path} {frame.points(reversed([*enumerate(upper)]))}"
    return Rated(pool, len(all_rows), steps, path, band, frame.most, frame.least)
