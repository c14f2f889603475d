"""How even draws look: of 100 fair runs of the same length, how many are at least as uneven."""

from collections.abc import Sequence
from math import comb, erfc, exp, gamma, sqrt

LEAST = 5  # least expected count of each result for chi-square


def as_uneven(counts: Sequence[int]) -> int | None:
    """Return how many of 100 fair runs are at least as uneven, 100 for a perfectly even one.

    Exact for two possible results, by chi-square for more; None if there are too few draws.
    """
    total = sum(counts)
    if len(counts) < 2 or not total:
        return None
    if len(counts) == 2:
        most = max(counts)
        ways = sum(comb(total, heads) for heads in range(most, total + 1))
        return min(100, (200 * ways) >> total)
    expected = total / len(counts)
    if expected < LEAST:
        return None
    off = sum((count - expected) ** 2 for count in counts) / expected
    return int(100 * beyond(off, len(counts) - 1))


def beyond(off: float, freedom: int) -> float:
    """Return the probability that chi-square with `freedom` degrees of freedom is `off` or more."""
    half, at = off / 2, 1 - freedom % 2 / 2
    chance = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    while at < freedom / 2:
        chance += half**at * exp(-half) / gamma(at + 1)
        at += 1
    return chance
