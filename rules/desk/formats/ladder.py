"""Ladder: the winner of a challenge takes the place above; there are no rounds."""

from collections.abc import Sequence
from typing import Literal

Climb = Literal["insert", "swap"]
"""How a winner climbs: `insert` moves everybody in between one down, `swap` swaps the two."""


def after(
    order: Sequence[int], challenger: int, defender: int, *, won: bool, climb: Climb = "insert"
) -> tuple[int, ...]:
    """Return the ladder after a challenge. A draw or a loss changes nothing.

    Raises: ValueError for a player who is not on the ladder.
    """
    low, high = order.index(challenger), order.index(defender)
    if not won or low < high:
        return tuple(order)
    changed = list(order)
    if climb == "swap":
        changed[low], changed[high] = defender, challenger
    else:
        changed.insert(high, changed.pop(low))
    return tuple(changed)


def neighbours(
    order: Sequence[int], number: int
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return the pairs of a ladder's round, challenger first, and who rests.

    Odd rounds pair the second with the first, the fourth with the third …; even rounds leave out
    the first, so that over two rounds everybody may climb and may be challenged.
    """
    start = (number + 1) % 2
    pairs = [(order[i + 1], order[i]) for i in range(start, len(order) - 1, 2)]
    playing = {each for pair in pairs for each in pair}
    return tuple(pairs), tuple(each for each in order if each not in playing)
