"""Who takes part in a tournament, and with which deck."""

from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

from league.api.shapes.base import Code, Short
from matches.api.shapes import DeckAnswer, Plain, Request


class EntryRequest(Request):
    """Somebody enters a tournament: oneself, or (by an organiser) a `player` or a guest's `name`.

    Where it is full, the waiting list. `id` makes it safe to send again.
    """

    tournament: Code
    id: UUID
    player: UUID | None = None
    name: Short = ""
    character: UUID | None = None
    krewe: UUID | None = None
    rating: Annotated[int, Meta(ge=0, le=4000)] = 0
    deck: Any = None
    text: str | None = None


class EntrantAnswer(Struct):
    """Who takes part. `deck`: whether one is registered, and what is wrong with it."""

    id: UUID
    tournament: str
    entrant: int
    name: str
    player: UUID | None
    character: UUID | None
    krewe: UUID | None
    status: str
    checked_in: bool
    rating: int
    place: int | None
    deck: bool
    deck_problems: list[Plain]


class Entrants(Struct):
    version: int
    results: list[EntrantAnswer]


class DeckRegistration(Request):
    """The deck an entry brings, as its game takes it, or as `text`; null takes it back."""

    deck: Any = None
    text: str | None = None


class DeckRegistered(DeckAnswer):
    """All that is wrong with the deck at once; nothing when it is legal."""
