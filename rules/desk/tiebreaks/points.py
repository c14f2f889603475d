"""Points for places at one table."""

from collections.abc import Sequence
from fractions import Fraction


def placement_points(table: Sequence[int], places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the points for places at one table; ties share the sum of the tied places.

    `table` holds the points of the first place, the second …; beyond it there are none.
    """
    found = []
    for place in places:
        tied = places.count(place)
        covered = table[place - 1 : place - 1 + tied]
        found.append(Fraction(sum(covered), tied))
    return tuple(found)
