"""The main deck, read from a data file: for each card, what its sides are worth and do.

ZP-A1  Point cards are worth 1 or 2. A specialty card can always be spent for its printed value.
ZP-A2  Ninjas count the Ninjutsu value, Pirates the Pillage value, all others choose.
ZP-G1  Sets of the Gunslinger: two of a kind; three of a kind or 1-2-3 or 2-3-4, doubled.

Unknown properties of a real deck stay open: a card may have only one side, and no number of copies.
"""

from functools import cache, lru_cache
from typing import Any, Literal

import msgspec

from rules.zerpang import files

USUAL = "booklet"
"""The default deck."""

Which = Literal["", "N", "P"]
"""A side of a card: Ninjutsu, Pillage, or "" for a point card, which has none."""

Key = Literal[
    "defeat_to_gate",
    "licence",
    "redraw_two",
    "free_entrance",
    "extra_steps",
    "rating",
    "step_out",
    "step_out_end",
    "second_step",
    "second_adjacent",
    "intercept_draw",
    "skip_turn",
    "double_zone_draw",
    "connect_any",
    "negate",
    "mutual_defeat",
    "double_values",
    "duel_only",
]
Timing = Literal[
    "any",
    "entrance",
    "movement",
    "combat",
    "resolution",
    "draw",
    "target_draw",
    "after_draw",
    "reaction",
]


class Face(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One side of a specialty: its value, and its effect by its key.

    `n`: the size of the effect; `more`: its size for one extra point.
    """

    title: str
    value: int
    key: Key
    timing: Timing
    n: int = 0
    more: int = 0


class Card(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A card of the deck, with all its copies. A point card has a `value` and no sides.

    `copies`: 0 if the number is unknown.
    """

    id: str
    copies: int = 0
    value: int = 0
    P: Face | None = None
    N: Face | None = None

    def face(self, side: str) -> Face | None:
        return self.P if side == "P" else self.N if side == "N" else None

    def counts(self, side: str) -> bool:
        """Tell whether it has this side, or a value if no side is named."""
        return self.face(side) is not None if side else self.value > 0

    @property
    def title(self) -> str:
        """The titles of its sides, "" for a point card."""
        return " / ".join(each.title for each in (self.P, self.N) if each)

    def worth(self, side: str) -> int:
        """Return what a side is worth, 0 if the card has no such side."""
        if not side:
            return self.value
        face = self.face(side)
        return face.value if face else 0


class Deck(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The main deck by card; `place` is a card's position in the file. Compared by identity."""

    id: str
    size: int
    cards: dict[str, Card]
    place: dict[str, int]


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["zerpang-deck/1"]
    id: str
    size: int
    cards: tuple[Card, ...]
    note: str = ""


@cache
def deck(name: str) -> Deck:
    """Return a deck by its name. Raises: KeyError for an unknown one."""
    return load(files.data("decks", name))


def titles() -> dict[str, str]:
    """Return the title of every specialty of all decks, by its card."""
    found = (card for name in files.names("decks") for card in deck(name).cards.values())
    return {card.id: card.title for card in found if card.title}


def load(data: Any) -> Deck:
    """Return the deck described by a file's data. Raises: msgspec.ValidationError, ValueError."""
    file = msgspec.convert(data, File)
    cards = {card.id: card for card in file.cards}
    if len(cards) != len(file.cards):
        raise ValueError("a card stands twice in the deck")
    copies = [card.copies for card in file.cards]
    if all(copies) and sum(copies) != file.size:
        raise ValueError(f"{sum(copies)} cards where the deck says {file.size}")
    return Deck(file.id, file.size, cards, {card: n for n, card in enumerate(cards)})


# -- the Gunslinger's sets ------------------------------------------------------------

STRAIGHTS = ((1, 2, 3), (2, 3, 4))


@lru_cache(maxsize=4096)
def worth_of_sets(values: tuple[int, ...], fours: bool = False) -> int:
    """Return the most that cards are worth if every one is part of a set, 0 if that is impossible.

    `values` from low to high; `fours` allows four of a kind as a set. Rule: ZP-G1.
    """
    if not values:
        return 0
    best = 0
    for taken, worth in _sets_of(values, fours):
        left = list(values)
        for value in taken:
            left.remove(value)
        rest = worth_of_sets(tuple(left), fours)
        if rest or not left:
            best = max(best, worth + rest)
    return best


def _sets_of(values: tuple[int, ...], fours: bool) -> list[tuple[tuple[int, ...], int]]:
    """Return the sets that contain the lowest value, each with its worth."""
    low = values[0]
    found: list[tuple[tuple[int, ...], int]] = []
    for size, factor in ((2, 1), (3, 2), (4, 2)):
        if values.count(low) >= size and (size < 4 or fours):
            found.append(((low,) * size, factor * size * low))
    found += [
        (straight, 2 * sum(straight))
        for straight in STRAIGHTS
        if low in straight and all(values.count(value) for value in straight)
    ]
    return found
