"""Zerpang!'s tools for the API: its boards and decks as they are played."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.ruleset import Misused
from rules.zerpang import cards, maps


def board(name: str = maps.USUAL) -> dict[str, Any]:
    """Return a board: the spaces, where they are drawn, what they touch, and their kinds."""
    try:
        found = maps.board(name)
    except KeyError:
        raise Misused("name", f"there is no board {name}") from None
    plain: dict[str, Any] = msgspec.to_builtins(found)
    return plain


def deck(name: str = cards.USUAL) -> dict[str, Any]:
    """Return a deck: its cards with both sides, as far as they are known."""
    try:
        found = cards.deck(name)
    except KeyError:
        raise Misused("name", f"there is no deck {name}") from None
    plain: dict[str, Any] = msgspec.to_builtins(found)
    return plain


TOOLS: Mapping[str, Any] = {"board": board, "deck": deck}
