"""Cards and decks as a setup holds them.

ZX-C1   Name, type, cost, colour, text, icon, tribe, power.
ZX-C8   Keywords; a range of two and more stands among them.
ZX-D1   A deck is 50 cards; the player card is not among them.
ZX-D5   Nor is an extra deck.

What is left out is unknown, and unknown is never against the rules.
"""

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Text = Annotated[str, msgspec.Meta(max_length=80)]
Colour = Literal["red", "blue", "white", "black", "green", "none"]
COLOURLESS = "none"
MAX_CARDS = 99
DECK_SIZE = 50

LIFE_RECOVERY: Literal["life-recovery"] = "life-recovery"
VOID_BRINGER: Literal["void-bringer"] = "void-bringer"
KEYWORDS = (LIFE_RECOVERY, VOID_BRINGER)
"""The keywords of cards played from life."""
START_CARD = "start-card"
SPELLINGS = {"life-recover": LIFE_RECOVERY}
"""Keywords with more than one spelling (AM21)."""
ACROSS = 4
"""The distance between opposite corners of the field."""
RANGES = {f"range-{n}": n for n in range(2, ACROSS + 1)}


def plain(keyword: str) -> str:
    """Return a keyword's normal form: `Life_Recovery` and `life recover` are the same."""
    word = keyword.strip().casefold().replace("_", "-").replace(" ", "-")
    return SPELLINGS.get(word, word)


class Card(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One card, and how many copies of it a deck holds; None if not counted.

    `no` is the printed number. `icon` is "none" for a card without one, "" if unknown. `limit`: how
    many copies a deck may hold, if the card itself says so.
    """

    name: Name
    no: Text = ""
    type: Literal["zx", "event"] = "zx"
    colours: Annotated[tuple[Colour, ...], msgspec.Meta(max_length=5)] = ()
    cost: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    power: Annotated[int, msgspec.Meta(ge=0, le=99_999)] | None = None
    tribes: Annotated[tuple[Text, ...], msgspec.Meta(max_length=9)] = ()
    icon: Literal["", "none", "ignition", "evol-seed"] = ""
    keywords: Annotated[tuple[Text, ...], msgspec.Meta(max_length=9)] = ()
    text: Annotated[str, msgspec.Meta(max_length=400)] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=50)] | None = None
    copies: Annotated[int, msgspec.Meta(ge=1, le=50)] | None = 1

    @property
    def entered(self) -> bool:
        """Whether somebody entered the card's data; if not, little more than its name is known."""
        return self.cost is not None

    def has(self, keyword: str) -> bool | None:
        """Tell whether the card has a keyword; None if unknown.

        Only Z/X have keywords, and only those with an icon have the keywords of life.
        """
        if keyword in map(plain, self.keywords):
            return True
        able = self.type == "zx" and (keyword == START_CARD or self.ignites is not False)
        return None if able and not self.entered else False

    @property
    def ignites(self) -> bool | None:
        """Whether it has the ignition icon; None if unknown."""
        return self.icon == "ignition" if self.icon else None

    @property
    def reach(self) -> int:
        """How many squares away it attacks, as far as known. Rule: ZX-B3."""
        return max((RANGES.get(plain(each), 1) for each in self.keywords), default=1)

    @property
    def may_reach(self) -> int:
        """How many squares away it may attack: the whole field if that is unknown."""
        reach = self.reach
        return reach if reach > 1 or self.entered else ACROSS


class Deck(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A seat's cards, and the names of its player card (not one of them) and start card (one).

    `extra`: its extra deck, a pile beside the 50 that is kept open here; a card in it that was not
    counted counts as one.
    """

    cards: Annotated[tuple[Card, ...], msgspec.Meta(max_length=MAX_CARDS)]
    player: Text = ""
    start: Text = ""
    extra: Annotated[tuple[Card, ...], msgspec.Meta(max_length=MAX_CARDS)] = ()


BLANK_DECK = Deck(
    cards=(
        Card(name="Z/X", icon="none", copies=None),
        Card(name="Icon Z/X", icon="ignition", copies=None),
        Card(name="Event", type="event", icon="none", copies=None),
    )
)
"""Cards nobody has entered: their cost and power are known only at the table."""

Library = dict[str, Card]
"""A seat's cards by name; copies of reprints are counted together."""


def library_of(cards: Iterable[Card]) -> Library:
    found: Library = {}
    for card in cards:
        before = found.get(card.name)
        if before is None:
            found[card.name] = card
        else:
            counted = before.copies is not None and card.copies is not None
            copies = (before.copies or 0) + (card.copies or 0) if counted else None
            found[card.name] = msgspec.structs.replace(before, copies=copies)
    return found


def extra_of(deck: Deck) -> tuple[Card, ...]:
    """Return the extra deck of a seat, its cards counted."""
    replace = msgspec.structs.replace
    return tuple(replace(card, copies=card.copies or 1) for card in deck.extra)


def size_of(deck: Deck, prescribed: int = DECK_SIZE) -> int:
    """Return how many cards a deck holds; the prescribed number if they were not counted."""
    copies = [card.copies for card in deck.cards]
    return sum(n for n in copies if n) if None not in copies else prescribed
