"""Z/X's tools for the API and the command line: pure functions that return plain data."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from rules.zx import samples, setup
from rules.zx.cards import BLANK_DECK

Day = Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")]


def sample_decks() -> dict[str, Any]:
    """Return the demo decks by name; every card in them is invented."""
    return {name: msgspec.to_builtins(deck) for name, deck in samples.decks().items()}


def blank_deck() -> dict[str, Any]:
    """Return cards that nobody has entered: Z/X with and without icon, and events."""
    plain: dict[str, Any] = msgspec.to_builtins(BLANK_DECK)
    return plain


def restrictions(day: Day) -> dict[str, Any]:
    """Return the list of restricted cards that applies on a day, such as 2026-01-31."""
    plain: dict[str, Any] = msgspec.to_builtins(setup.restricted_on(day))
    return plain


TOOLS: Mapping[str, Any] = {
    "sample-decks": sample_decks,
    "blank-deck": blank_deck,
    "restrictions": restrictions,
}
