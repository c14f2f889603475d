"""Gear as cards: what a piece of zGear without a card is in a deck, and what a deck costs.

ZG CRE-2  Each card has a cost in credits.
ZG CRE-3  Classes: the starter figure's 300 credits; 600 with a Mode deck and no character card.
ZG CRE-7  Gear is quality, colour and type.
ZG CAR-1  Slots, from the names that are known.
ZG MOD-7  Names of Mode cards that are known.
ZG MOD-8  A sheet's three design cards are its Mode cards to begin with.

What a sheet says in words of its own never gets into a deck: a log keeps it for ever. A piece
is called by its slot, and by quality and colour where they are known ones.
"""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from rules.zg.acts import Options
from rules.zg.cards import SLOTS, Card, Deck, ModeCard, gear_of
from rules.zg.setup import CREDITS

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
    """Return the slot a type of gear goes into: `Loader Claw` into Claw; "" when unknown."""
    words = re.findall(r"[a-z]+", kind.casefold())
    return next((SLOT_WORDS[word] for word in reversed(words) if word in SLOT_WORDS), "")


def blank_piece(kind: str, quality: str = "", colour: str = "") -> dict[str, Any]:
    """Return a piece that nobody has entered as a card: a blank, called by known words alone."""
    slot = slot_of(kind)
    said = [_known(quality, QUALITIES), _known(colour, COLOURS)]
    name = " ".join(word for word in (*said, slot or "Gear") if word)
    plain: dict[str, Any] = msgspec.to_builtins(
        Card(name=name, slot=slot, quality=said[0], colour=said[1])
    )
    return plain


def mode_card(line: str, place: str) -> dict[str, Any]:
    """Return the Mode card that a line of a sheet names: `Ambition (c40)` costs 40.

    One that is not known is called by its `place` on the sheet: `Primary design`.
    """
    price = _PRICE.search(line)
    name = _MODES.get(_PRICE.sub("", line).strip().casefold(), place)
    cost = int(price["cost"]) if price else None
    plain: dict[str, Any] = msgspec.to_builtins(ModeCard(name=name, cost=cost))
    return plain


def _known(word: str, words: Sequence[str]) -> str:
    return next((each for each in words if each.casefold() == word.strip().casefold()), "")


class Cost(msgspec.Struct, frozen=True):
    """What a deck costs as far as it is known, of how many cards it is not, and the most."""

    known: int
    unknown: int
    most: int | None


def cost_of(deck: Deck, options: Options) -> Cost:
    """Return a deck's cost against its class. Rule: ZG CRE-3."""
    bought = (*deck.cards, *deck.modes)
    costs = [None if isinstance(each, str) else each.cost for each in bought]
    known = sum(cost for cost in costs if cost is not None)
    return Cost(known, costs.count(None), CREDITS.get(options.deck_class))


def names_in(deck: Deck) -> tuple[str, ...]:
    """Return what each card of a deck is called in a match, in the deck's order."""
    return tuple(gear_of(deck))
