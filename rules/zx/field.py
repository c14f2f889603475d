"""The field: three rows of three squares, two of them the players' own.

ZX-Z1   Two player squares and seven normal ones.
ZX-Z2   The player squares are directly above and below the middle.
ZX-Z3   Squares touch along an edge; distance is the least number of such steps.
ZX-Z4   A seat's own army area is the row of its player square.
"""

from functools import cache
from typing import Literal, get_args

from rules.ruleset import Seat

Square = Literal["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
SQUARES: tuple[Square, ...] = get_args(Square)
INDEX: dict[str, int] = {square: n for n, square in enumerate(SQUARES)}
HOMES: dict[Seat, Square] = {1: "b1", 2: "b3"}
NORMAL: tuple[Square, ...] = tuple(each for each in SQUARES if each not in HOMES.values())


@cache
def distance(one: str, two: str) -> int:
    across, up = ord(one[0]) - ord(two[0]), ord(one[1]) - ord(two[1])
    return abs(across) + abs(up)


@cache
def near(square: str, reach: int = 1) -> tuple[Square, ...]:
    """Return the squares within reach of a square, excluding itself."""
    return tuple(each for each in SQUARES if 0 < distance(square, each) <= reach)


def other(seat: Seat) -> Seat:
    return 3 - seat
