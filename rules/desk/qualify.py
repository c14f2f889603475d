"""Qualification from a circuit: the best and the worst place one can still have in its ranking.

A total is the sum of somebody's best `counted` results. Of events to come only the points are
known that their places may give: anybody may take part, newcomers too, and places may be shared,
whose points are shared then. So others come level with all the points that are left at most.
Who is level in points may stand on either side. As in `clinch`, a bound is never an estimate.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from rules.desk.clinch import Reach

Event = Sequence[Sequence[int]]
"""An event to come: the points by place it may turn out to give, by how many play."""
UNBOUNDED = 2**31 - 1
"""The worst place of one without points: any number of newcomers may be level."""


def total(results: Iterable[int], counted: int) -> int:
    """Return the sum of the best results, of all of them when `counted` is 0."""
    best = sorted(results, reverse=True)
    return sum(best[:counted] if counted else best)


class Season:
    """Results so far and the events to come; `counted` of anybody's results count, 0 for all."""

    def __init__(
        self, results: Mapping[int, Sequence[int]], to_come: Sequence[Event], counted: int = 0
    ) -> None:
        most = [max(chain(*event), default=0) for event in to_come]
        self.results, self.counted = results, counted
        self.has = {who: total(had, counted) for who, had in results.items()}
        self.can = {who: total([*had, *most], counted) for who, had in results.items()}
        self.newcomer = total(most, counted)
        self.left = sum(max(map(sum, event), default=0) for event in to_come)
        self.given = sorted({each for event in to_come for each in chain(*event) if each > 0})
        self.order = sorted(results, key=lambda who: (-self.has[who], who))
        self.totals = sorted(self.has.values())

    def reach(self) -> tuple[Reach, ...]:
        """Return the best and the worst place everybody can have, best first as they stand."""
        return tuple(
            Reach(who, self._best(who), self._worst(who, self.has[who], self.left))
            for who in self.order
        )

    def needed(self, who: int, size: int) -> int | None:
        """Return the fewest points at one event to come that put one among the first `size`.

        Whatever others do; None where no result at one event is enough for that.
        """

        def is_enough(points: int) -> bool:
            line = total([*self.results[who], points], self.counted)
            return self._worst(who, line, self.left - points) <= size

        place = bisect_left(self.given, True, key=is_enough)
        return self.given[place] if place < len(self.given) else None

    def _best(self, who: int) -> int:
        return 1 + len(self.totals) - bisect_right(self.totals, self.can[who])

    def _worst(self, who: int, line: int, left: int) -> int:
        """Return the worst place at a total, `left` points being for others.

        Those come level first who need the fewest.
        """
        if line <= 0:
            return UNBOUNDED
        place = 1
        for one in self.order:
            short = line - self.has[one]
            if one == who or (short > 0 and self.can[one] < line):
                continue
            left -= max(short, 0)
            if left < 0:
                return place
            place += 1
        return place + (left // line if self.newcomer >= line else 0)
