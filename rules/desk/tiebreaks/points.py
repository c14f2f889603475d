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


def wager(
    points: Sequence[int], winner: int | None, share: Fraction = Fraction(7, 100)
) -> tuple[int, ...]:
    """Return points after a table at which everybody stakes a share of theirs, rounded down.

    `winner` is an index and takes all stakes; without one everybody takes back their own.
    """
    put = [(share * each).__floor__() for each in points]
    if winner is None:
        return tuple(points)
    left = [each - staked for each, staked in zip(points, put, strict=True)]
    left[winner] += sum(put)
    return tuple(left)
