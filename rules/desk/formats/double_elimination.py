"""Double elimination: out after two losses. 2n - 2 matches, and one more for a reset."""

from collections.abc import Callable

from rules.desk.formats.bracket import Bracket, Layout, Line, first_round


def lay_out(count: int, *, reset: bool = True) -> Bracket:
    """Return the bracket for a field of `count`; the best seeds have the byes.

    Losers from the winners' side cross over as they drop into the losers' side, so that rematches
    happen as late as possible. With `reset` the final is played again if the undefeated player
    loses it.
    """
    layout = Layout()
    if count < 2:
        return Bracket(count, ())
    winners, losers = layout.round("W1", first_round(count))
    number, side, left = 1, 0, count
    crossings = iter(CROSSINGS)
    while len(winners) > 1:
        number += 1
        side += 1
        left -= _matches(losers)
        losers, _ = layout.round(f"L{side}", losers, (0, left + 1))
        winners, dropped = layout.round(f"W{number}", winners, wave=number)
        side += 1
        crossed = next(crossings, list)(dropped)
        meeting = [each for pair in zip(crossed, losers, strict=True) for each in pair]
        left -= _matches(meeting)
        losers, _ = layout.round(f"L{side}", meeting, (0, left + 1))
    layout.match("F1.1", winners[0], losers[0], (0, 0) if reset else (1, 2))
    if reset:
        layout.match("F2.1", winners[0], losers[0], (1, 2), reset=True)
    return Bracket(count, tuple(layout.slots))


def _matches(line: Line) -> int:
    """Return how many matches a line makes, leaving out those with an empty side."""
    return sum(None not in line[i : i + 2] for i in range(0, len(line), 2))


def _turned(line: Line) -> Line:
    return line[::-1]


def _halves_turned(line: Line) -> Line:
    half = len(line) // 2
    return line[:half][::-1] + line[half:][::-1]


def _halves_swapped(line: Line) -> Line:
    half = len(line) // 2
    return line[half:] + line[:half]


CROSSINGS: tuple[Callable[[Line], Line], ...] = (_turned, _halves_turned, _halves_swapped)
"""How losers cross over, one drop after the other; from then on straight.

Found by trying every combination: no other order of these delays rematches longer, for 8 to 256
players.
"""
