"""Qualification from a circuit: the best and the worst place one can still have in its ranking.

A total is the sum of the best `counted` results and of what was `given` beside them, or taken if
below 0. A player is ranked once they have a result. Of future events, only the points for each
place are known: anybody may take part, including newcomers, and places may be shared, as are their
points then. So all that limits how many others can draw level is the number of points left. Players
with equal points may be ranked either way. As in `clinch`, a bound is never an estimate.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice

from rules.desk.clinch import Reach

Event = Sequence[Sequence[int]]
"""A future event: the points by place that it may award, for each possible number of players."""
UNBOUNDED = 2**31 - 1
"""The worst place of somebody without points: any number of newcomers may have as many."""


def total(results: Iterable[int], counted: int) -> int:
    """Return the sum of the best results, or of all of them if `counted` is 0."""
    best = sorted(results, reverse=True)
    return sum(best[:counted] if counted else best)


class Season:
    """The results so far and the future events; the best `counted` results count, all if 0.

    `given` are the points that players have beside their results. Who has some but no result joins
    the ranking with the first.
    """

    def __init__(
        self,
        results: Mapping[int, Sequence[int]],
        to_come: Sequence[Event],
        counted: int = 0,
        given: Mapping[int, int] | None = None,
    ) -> None:
        most = [max(chain(*event), default=0) for event in to_come]
        self.results, self.counted, self.given = results, counted, given or {}
        everybody = results.keys() | self.given.keys()
        self.has = {who: self._total(who) for who in everybody}
        self.can = {who: self._total(who, *most) for who in everybody}
        self.newcomer = total(most, counted)
        self.left = sum(max(map(sum, event), default=0) for event in to_come)
        self.awards = sorted({each for event in to_come for each in chain(*event) if each > 0})
        self.order = sorted(everybody, key=lambda who: (-self.has[who], who))
        self.ranked = sorted(self.has[who] for who in results)
        self.totals = sorted(self.has.values())

    def reach(self) -> tuple[Reach, ...]:
        """Return the best and the worst place each player can still have, as ranked now."""
        return tuple(
            Reach(who, self._best(who), self._worst(who, self.has[who], self.left))
            for who in self.order
            if who in self.results
        )

    def needed(self, who: int, size: int) -> int | None:
        """Return the fewest points at one future event that secure a place among the first `size`.

        That is, whatever others do. None if no result at one event is enough.
        """

        def is_enough(points: int) -> bool:
            return self._worst(who, self._total(who, points), self.left - points) <= size

        place = bisect_left(self.awards, True, key=is_enough)
        return self.awards[place] if place < len(self.awards) else None

    def _total(self, who: int, *more: int) -> int:
        """Return what somebody has, with further results."""
        return total([*self.results.get(who, ()), *more], self.counted) + self.given.get(who, 0)

    def _best(self, who: int) -> int:
        return 1 + len(self.ranked) - bisect_right(self.ranked, self.can[who])

    def _worst(self, who: int, line: int, left: int) -> int:
        """Return the worst place with a total of `line`, if others can share `left` points.

        Who is level already needs none; of the others, those who need the fewest draw level first.
        Any number of newcomers need fewer than somebody below 0.
        """
        if line <= 0:
            return UNBOUNDED
        level = len(self.totals) - bisect_left(self.totals, line)
        place = 1 + level - (self.has[who] >= line)
        for one in islice(self.order, level, None):
            if self.has[one] < 0:
                break
            if one == who or self.can[one] < line:
                continue
            left -= line - self.has[one]
            if left < 0:
                return place
            place += 1
        return place + (left // line if self.newcomer >= line else 0)
