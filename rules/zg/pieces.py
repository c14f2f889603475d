"""Gear as cards: the blank card for a piece of zGear, the Mode card for a line of a sheet.

ZG CRE-7  Gear is quality, colour and type.
ZG CAR-1  Slots, from the names that are known.
ZG MOD-7  Names of Mode cards that are known.
ZG MOD-8  A sheet's three design cards are its Mode cards to begin with.

Free words of a sheet never get into a deck, since a log keeps it for ever. A piece is called by its
slot, and by quality and colour if they are known ones.
"""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from rules.zg.cards import SLOTS, Card, Deck, ModeCard, gear_of

QUALITIES = ("Basic", "Superior", "State of the Art")
COLOURS = ("Red", "Green", "Blue")
SLOT_WORDS = {
    **{slot.casefold(): slot for slot in SLOTS},
    **{slot.casefold().removesuffix("gear"): slot for slot in SLOTS},
    "feet": "Footgear",
    "boots": "Footgear",
}
"""Words for a slot, in lower case: `Feet` and `Foot` are Footgear."""

MODES = (
    *("Ambition", "Heart", "Wits", "Force", "Expert Leader", "Expert Fighter"),
    *("Solon", "Omniclone", "Mummer", "Monzon Ezut", "Virago", "Null Foundation"),
    *("Consortium", "Trancer", "Armada", "Vanguard", "Cestus"),
    *("Deadshot!!", "Cosmic Trance", "Lucy", "Seren", "Jett", "Zak-9"),
)
_MODES = {name.casefold(): name for name in MODES}
_PRICE = re.compile(r"\s*\(?\s*[c¢]\s?(?P<cost>[0-9]{1,4})\s*\)?$", re.IGNORECASE)


def slot_of(kind: str) -> str:
    """Return the slot for a type of gear: `Loader Claw` goes into Claw; "" if unknown."""
    words = re.findall(r"[a-z]+", kind.casefold())
    return next((SLOT_WORDS[word] for word in reversed(words) if word in SLOT_WORDS), "")


def blank_piece(kind: str, quality: str = "", colour: str = "") -> dict[str, Any]:
    """Return a blank card for a piece that nobody has entered, named with known words only."""
    slot = slot_of(kind)
    traits = [_known(quality, QUALITIES), _known(colour, COLOURS)]
    name = " ".join(word for word in (*traits, slot or "Gear") if word)
    plain: dict[str, Any] = msgspec.to_builtins(
        Card(name=name, slot=slot, quality=traits[0], colour=traits[1])
    )
    return plain


def mode_card(line: str, place: str) -> dict[str, Any]:
    """Return the Mode card that a line of a sheet names: `Ambition (c40)` costs 40.

    An unknown one is called by its `place` on the sheet: `Primary design`.
    """
    price = _PRICE.search(line)
    name = _MODES.get(_PRICE.sub("", line).strip().casefold(), place)
    cost = int(price["cost"]) if price else None
    plain: dict[str, Any] = msgspec.to_builtins(ModeCard(name=name, cost=cost))
    return plain


def _known(word: str, words: Sequence[str]) -> str:
    return next((each for each in words if each.casefold() == word.strip().casefold()), "")


def names_in(deck: Deck) -> tuple[str, ...]:
    """Return what each card of a deck is called in a match, in the deck's order."""
    return tuple(gear_of(deck))
