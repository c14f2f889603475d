"""Single elimination: out after one loss. n - 1 matches, and one more for third place."""

from rules.desk.formats.bracket import Bracket, Layout, first_round


def lay_out(count: int, *, third_place: bool = False) -> Bracket:
    """Return the bracket for a field of `count`; the best seeds have the byes.

    Losers of one round share a place: 3 for both losing semi-finalists, 5 for four of eight.
    """
    layout = Layout()
    line = first_round(count)
    number = 0
    while len(line) > 1:
        number += 1
        matches = len(line) // 2
        decides_third = third_place and matches == 2 and count > 3
        place = 0 if decides_third else matches + 1
        line, losers = layout.round(
            f"W{number}", line, (1 if matches == 1 else 0, place), wave=number
        )
        if decides_third:
            semifinals = losers
    if third_place and count > 3:
        layout.match("P1.1", semifinals[0], semifinals[1], (3, 4))
    return Bracket(count, tuple(layout.slots))
