"""How even draws look: of 100 fair runs of as many, how many look at least as uneven."""

from collections.abc import Sequence
from math import comb, erfc, exp, gamma, sqrt

LEAST = 5  # draws to expect of each result before many results are compared


def as_uneven(counts: Sequence[int]) -> int | None:
    """Return how many of 100 fair runs fall at least as unevenly, 100 for the most even fall.

    Exact for two possible results, by chi-square for more; None where too little fell to say.
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
    """Return the chance that chi-square with so many degrees of freedom is at least `off`."""
    half, at = off / 2, 1 - freedom % 2 / 2
    chance = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    while at < freedom / 2:
        chance += half**at * exp(-half) / gamma(at + 1)
        at += 1
    return chance
