"""Matches by the full rulebook for tests: numbered cards named after what they can do."""

from typing import Any

import msgspec

from rules.replay import Timeline
from rules.zg.acts import ZgOpened
from rules.zg.cards import Card, Deck
from tests.rules.zg.table import CARDS, opened, played

IMPULSES = (9, 7, 4, 3, 6, 5, 5, 9, 0)
NUMBERED = Deck(
    cards=tuple(
        msgspec.structs.replace(card, impulse=impulse)
        for card, impulse in zip(CARDS, IMPULSES, strict=True)
    )
)
"""Miss 9, One 7, Two 4, Three 3, Four 6, Shield 5, Frail 5, Boots 9, Ulster 0."""

MOVERS = Deck(
    cards=(
        Card(name="Wings", slot="Backgear", move=3, range=0, powerups=("Z-G",), a="R G B"),
        Card(name="Split", slot="Helmet", move=5, range=2, powerups=("z-g2",), a="R G B"),
        Card(name="Left", slot="Footgear", colour="blue", move=4, range=0, a="R G B"),
        Card(name="Right", slot="Footgear", colour="blue", move=2, range=0, a="R G B"),
        Card(name="Odd", slot="Footgear", colour="red", move=2, range=0, a="R G B"),
        Card(name="Ram", slot="Frontgear", move=2, range=1, powerups=("Knockback",), a="R G R"),
        Card(name="Scope", slot="Claw", move=6, powerups=("Scan", "Zone"), a="B R G"),
        Card(name="Fog", slot="Generator"),
        Card(name="Suit", slot="Ulster", move=3, range=0, a="R G B", b="B R G"),
    )
)
"""End a of most hits three dots of `R G B`, Ram's two, Scope's none."""

UNBOUND = msgspec.structs.replace(
    MOVERS.cards[2],
    name="Unbound",
    exceptions=("too-far", "stance-limits", "no-zg", "out-of-range", "sneak-card-used"),
)
"""A card whose text overrides all that a card's text can."""


def full(*decks: Deck | None, krewes: tuple[str, ...] = (), **options: Any) -> ZgOpened:
    """Return a setup at depth `full`, by default with two decks of movers."""
    setup = opened(*(decks or (MOVERS, MOVERS)), options={"depth": "full", **options})
    seats = tuple(
        msgspec.structs.replace(seat, krewe=krewe)
        for seat, krewe in zip(setup.seats, krewes or ("",) * len(setup.seats), strict=True)
    )
    return msgspec.structs.replace(setup, seats=seats)


def at(*lines: str, setup: ZgOpened | None = None) -> Timeline:
    """Record lines at depth `full`."""
    return played(*lines, setup=setup or full())
