"""Cards and decks as a setup holds them, and what names they go by.

ZG SET-3  A basic set: 8 parts, 1 Ulster, 1 character card (CON-12).
ZG SET-4  The character card is not zGear and not in the deck.
ZG CAR-1  Slots, from the names that are known.
ZG MOV-8  Which footgear has Z-G stands on the card.
ZG GEN-3  Rule of Null: a rule holds until a card's text overrides it.
ZG MOD-2  A Mode deck and a character card exclude each other.
ZG 16 Card  What stands on a card.
"""

from collections.abc import Container
from functools import cached_property
from typing import Annotated, Literal

import msgspec

Which = Literal["a", "b"]
"""One of a card's two ends."""

Text = Annotated[str, msgspec.Meta(max_length=80)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Figure = Annotated[int, msgspec.Meta(ge=0, le=9999)]
MAX_IMPULSE = 99
Impulse = Annotated[int, msgspec.Meta(ge=0, le=MAX_IMPULSE)]
"""At most two digits, as they are called. Rule: ZG IMP-5."""

Dots = Annotated[str, msgspec.Meta(max_length=80)]

ULSTER = "Ulster"
SLOTS = ("Helmet", "Frontgear", "Backgear", "Footgear", "Shield", "Claw", "Generator", ULSTER)


def name_of(powerup: str) -> str:
    """Return the name of a printed powerup: "scan" of "Scan (Extra)"."""
    return powerup.partition(" (")[0].casefold()


class Card(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    dict=True,
):
    """One card. Fields left out are unknown; `range` 0 is hand-to-hand.

    `a` and `b` are its ends as dots: `R+ G B##o`. A card without them is a blank. `exceptions` are
    the rules its text overrides, by the codes of `EXCEPTIONS` (GEN-3).
    """

    name: Name
    slot: Text = ""
    colour: Text = ""
    quality: Text = ""
    cost: Figure | None = None
    impulse: Impulse | None = None
    move: Figure | None = None
    range: Figure | None = None
    powerups: Annotated[tuple[Text, ...], msgspec.Meta(max_length=20)] = ()
    exceptions: Annotated[tuple[Text, ...], msgspec.Meta(max_length=20)] = ()
    a: Dots = ""
    b: Dots = ""

    def has(self, *powerups: str) -> bool:
        """Tell whether the card has one of these powerups, however it is written."""
        return not self.powerup_names.isdisjoint(powerups)

    @cached_property
    def powerup_names(self) -> frozenset[str]:
        return frozenset(map(name_of, self.powerups))

    @cached_property
    def flies(self) -> bool | None:
        """Whether it has Z-G; None for a card nobody has read. Rule: ZG 11 Z-G."""
        if self.has("z-g", "z-g2"):
            return True
        return None if self.is_unread or "no-zg" in self.exceptions else False

    @property
    def is_unread(self) -> bool:
        """Whether nobody has entered more of it than its ends."""
        return self.move is None and not self.powerups

    @property
    def is_ulster(self) -> bool:
        return self.slot.casefold() == ULSTER.casefold()


class CharacterCard(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    name: Name
    powerup: Text = ""
    cost: Figure | None = None


class ModeCard(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A Mode card. `time` is the step of the turn it belongs to, 1 to 10 (GEN-7)."""

    name: Name
    kind: Text = ""
    time: Figure | None = None
    cost: Figure | None = None


class Deck(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A seat's zGear cards, and its character card or its Mode cards; a name alone is enough."""

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=99)]
    character: CharacterCard | Name | None = None
    modes: Annotated[tuple[ModeCard | Name, ...], msgspec.Meta(max_length=99)] = ()


EXCEPTIONS = ("too-far", "stance-limits", "no-zg", "out-of-range", "sneak-card-used")
"""Verdicts that the text of a card may override. Rule: ZG GEN-3."""

MODE_TIMES = {"deadshot!!": 6}
"""The steps of Mode cards that are named without one. Rule: ZG GEN-7, MOD-7."""


def mode_times(deck: Deck) -> dict[str, int | None]:
    """Return the Mode cards of a deck by name, each with its step if known."""
    times: dict[str, int | None] = {}
    for card in mode_cards(deck):
        known = MODE_TIMES.get(card.name.casefold()) if card.time is None else card.time
        times[_numbered(card.name, times)] = known
    return times


def mode_cards(deck: Deck) -> list[ModeCard]:
    """Return the Mode cards of a deck, including those given by name only."""
    return [ModeCard(name=each) if isinstance(each, str) else each for each in deck.modes]


def _numbered(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: the second "Wits" becomes "Wits 2"."""
    names = (name, *(f"{name} {number}" for number in range(2, 101)))
    return next(each for each in names if each not in taken)


BLANK_DECK = Deck(
    cards=tuple(
        Card(name=name, slot=slot)
        for name, slot in (
            *((slot, slot) for slot in SLOTS[:4]),
            ("Footgear 2", "Footgear"),
            *((slot, slot) for slot in SLOTS[4:]),
        )
    )
)
"""The nine zGear cards of a basic set, with nothing entered yet."""

Gear = dict[str, Card]
"""A seat's zGear by its name in this match."""


def gear_of(deck: Deck) -> Gear:
    """Return the cards of a deck by name: the second "Blue Feet" becomes "Blue Feet 2"."""
    taken = {card.name for card in deck.cards}
    gear: Gear = {}
    for card in deck.cards:
        name, number = card.name, 2
        if name in gear:
            while f"{name} {number}" in taken:
                number += 1
            name = f"{name} {number}"
            taken.add(name)
            card = msgspec.structs.replace(card, name=name)
        gear[name] = card
    return gear
