"""Ladder: the winner of a challenge takes the place above; there are no rounds."""

from collections.abc import Sequence


def after(order: Sequence[int], winner: int, loser: int) -> tuple[int, ...]:
    """Return the ladder after a match: a winner from below is put in the loser's place.

    Raises: ValueError for a player who is not on the ladder.
    """
    low, high = order.index(winner), order.index(loser)
    changed = list(order)
    if low > high:
        changed.insert(high, changed.pop(low))
    return tuple(changed)


def neighbours(
    order: Sequence[int], number: int
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Return the pairs of a ladder's round, challenger first, and who rests.

    Odd rounds pair the second with the first, the fourth with the third …; even rounds leave out
    the first, so that over two rounds everybody may climb and may be challenged. Two alone always
    meet.
    """
    start = (number + 1) % 2 if len(order) > 2 else 0
    pairs = [(order[i + 1], order[i]) for i in range(start, len(order) - 1, 2)]
    playing = {each for pair in pairs for each in pair}
    return tuple(pairs), tuple(each for each in order if each not in playing)
