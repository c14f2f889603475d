"""Two players side by side: what both took part in, and their ratings, as far as one may know."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, F, Q
from django.utils.translation import gettext

from league import policy, profile, ratings, selectors
from league.models import RatingPool, RatingStep
from league.profile import Frame, Rated
from matches.actors import Actor
from matches.errors import NotFound
from matches.models import Player

SHARED = 30
"""How many tournaments of both are listed, the newest ones."""


def pair_for(actor: Actor, one: UUID, other: UUID) -> tuple[Player, Player]:
    """Return two players; for a claimed guest, the player who claimed it.

    Raises: NotFound for those whom an actor may not know, and if both are one.
    """
    found = Player.objects.select_related("claimed_by").in_bulk([one, other])
    for pk in (one, other):
        if pk not in found:
            raise NotFound(gettext("There is no such player."), "no-such-player")
        policy.require_met(actor, found[pk])
    first, second = (found[pk].claimed_by or found[pk] for pk in (one, other))
    if first == second:
        raise NotFound(gettext("A player is compared with another."), "one-player")
    return first, second


def tournaments_of(actor: Actor, one: Player, other: Player) -> list[Any]:
    """Return the newest tournaments both took part in, with the final `place` and `other_place`.

    Neither is known to an actor with results off.
    """
    found = selectors.tournaments_for(actor)
    for player, name in ((one, "place"), (other, "other_place")):
        found = selectors.entered_for(found, player)
        found = selectors.with_places(actor, found, policy.takes_part(player), name)
    return list(found[:SHARED])


class Placed(NamedTuple):
    """How many tables of a pool had two players: with the first `ahead`, `level` or `behind`."""

    ahead: int = 0
    level: int = 0
    behind: int = 0


@dataclass(frozen=True)
class RatedBoth:
    """The ratings of two players in one pool, and how they were placed at its tables."""

    one: Rated
    other: Rated
    placed: Placed

    @property
    def pool(self) -> RatingPool:
        return self.one.pool

    @property
    def met(self) -> int:
        return sum(self.placed)

    @property
    def expected(self) -> float:
        """Return the chance that the first does better, by these ratings alone."""
        return ratings.expected(self.one.strength, self.other.strength)

    @property
    def percent(self) -> int:
        return round(100 * self.expected)

    @property
    def rest(self) -> int:
        return 100 - self.percent

    @property
    def is_drawn(self) -> bool:
        """Tell whether there is a chart: a line of few tables tells no more than its sentence."""
        return not (self.one.left or self.other.left)

    @property
    def frame(self) -> Frame:
        """Return what a chart of both ratings spans: time, and what was shown of them."""
        steps = [*self.one.steps, *self.other.steps]
        times, shown = [step.at.timestamp() for step in steps], [step.shown for step in steps]
        return Frame(min(times), max(times), min(shown), max(shown))

    @property
    def paths(self) -> list[str]:
        """Return both ratings over time, as points of the chart."""
        return [
            self.frame.points((step.at.timestamp(), step.shown) for step in rated.steps)
            for rated in (self.one, self.other)
        ]


def ratings_of(actor: Actor, one: Player, other: Player) -> list[RatedBoth]:
    """Return the ratings of two players in each pool where both are rated, as on their pages."""
    mine, theirs = (_by_pool(profile.ratings_of(actor, each)) for each in (one, other))
    both = [pool for pool in mine if pool in theirs]
    placed = _placed(actor, one, other) if both else {}
    return [RatedBoth(mine[pool], theirs[pool], placed.get(pool.pk, Placed())) for pool in both]


def _by_pool(rated: Iterable[Rated]) -> dict[RatingPool, Rated]:
    return {each.pool: each for each in rated}


def _placed(actor: Actor, one: Player, other: Player) -> dict[int, Placed]:
    """Return, by pool, how two players were placed at the tables that an actor may see."""
    seen = policy.visible_tournaments(actor).order_by().values("pk")
    met = RatingStep.objects.order_by().filter(player=one, table__tournament__in=seen)
    met = met.filter(table__steps__player=other).annotate(theirs=F("table__steps__place"))
    rows = met.values_list("pool").annotate(
        ahead=Count("pk", filter=Q(place__lt=F("theirs"))),
        level=Count("pk", filter=Q(place=F("theirs"))),
        behind=Count("pk", filter=Q(place__gt=F("theirs"))),
    )
    return {pool: Placed(*counts) for pool, *counts in rows}
