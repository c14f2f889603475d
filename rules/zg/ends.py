"""Ends of cards: three dots, each a colour and its blazes.

ZG ATK-5   An end has three dots; facing dots of one colour are a match.
ZG ATK-13  Which dot faces which: see `Options.mirror_alignment`.
ZG ATK-14  The palette is data.
ZG 6.2     Blazes: `+` `++` armour-piercing and `*` explosive attack, `#` `##` armour defends,
           `o` is a weak point. One dot may hold armour and a weak point.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NoReturn

import msgspec

PALETTE = {"R": "red", "G": "green", "B": "blue"}
LIMIT = {"+": 2, "*": 1, "#": 2, "o": 1}
"""How many of each blaze a printed dot may have."""

DOT_PATTERN = r"[RGB](?!\S*(?:\+\S*\+\S*\+|\*\S*\*|#\S*#\S*#|o\S*o))[+*#o]*"
END_PATTERN = rf"^{DOT_PATTERN} +{DOT_PATTERN} +{DOT_PATTERN}\Z"
"""The pattern of what `End.parse` reads, for the schema of an act."""


class EndError(ValueError):
    """Dots that cannot be read: what was expected, and at which column, counted from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"column {column}: {message}")
        self.column = column


class Dot(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """One dot. `ap` and `armour` count blazes; augments or bolsters may raise them above two."""

    colour: str
    ap: int = 0
    explosive: bool = False
    armour: int = 0
    weak: bool = False

    def __str__(self) -> str:
        blazes = "+" * self.ap + "*" * self.explosive + "#" * self.armour + "o" * self.weak
        return self.colour + blazes


class End(msgspec.Struct, frozen=True, gc=False):
    """Either short side of a card."""

    dots: tuple[Dot, Dot, Dot]

    @classmethod
    def parse(cls, text: str) -> "End":
        """Read `R+ G* B##o`: three dots, blazes in any order. Raises: EndError."""
        return _parse(text)

    def __str__(self) -> str:
        return " ".join(map(str, self.dots))

    def mirrored(self) -> "End":
        """Return the end read from its other side."""
        one, two, three = self.dots
        return End((three, two, one))


def across(places: Sequence[int]) -> tuple[int, ...]:
    """Return dot numbers as counted from an end's other side, in ascending order."""
    return tuple(sorted(4 - place for place in places))


@lru_cache(maxsize=8192)
def _parse(text: str) -> End:
    words = list(re.finditer(r"\S+", text))
    dots = [_dot(word[0], word.start() + 1) for word in words]
    if len(dots) != 3:
        column = words[3].start() + 1 if len(dots) > 3 else len(text) + 1
        _fail(f"an end has 3 dots, this has {len(dots)}", column)
    return End((dots[0], dots[1], dots[2]))


def _dot(word: str, column: int) -> Dot:
    colour, blazes = word[0], word[1:]
    if colour not in PALETTE:
        _fail(f"{colour!r} is no colour; expected {_one_of(PALETTE)}", column)
    for place, blaze in enumerate(blazes, 1):
        if blaze not in LIMIT:
            _fail(f"{blaze!r} is no blaze; expected {_one_of(LIMIT)}", column + place)
        if blazes[:place].count(blaze) > LIMIT[blaze]:
            _fail(f"{blaze!r} is there more than {LIMIT[blaze]} times", column + place)
    count = blazes.count
    return Dot(colour, count("+"), "*" in blazes, count("#"), "o" in blazes)


def _one_of(letters: dict[str, str] | dict[str, int]) -> str:
    *rest, last = letters
    return f"{', '.join(rest)} or {last}"


def _fail(message: str, column: int) -> NoReturn:
    raise EndError(message, column)
