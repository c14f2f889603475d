"""Entries of a tournament, and their decks."""

from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct

from league.api.shapes.base import Code, EntrantName, Short
from matches.api.shapes import DeckResponse, Request, RequestId


class EntryRequest(Request):
    """Enters a tournament: oneself, or (as an organiser) a `player` or a guest by `name`.

    If it is full, joins the waiting list. `id` makes the request idempotent.

    `name`: a guest's name; empty for a `player`. `text`: the deck as a list; null for none.
    """

    tournament: Code
    id: RequestId
    player: UUID | None = None
    name: Short = ""
    character: UUID | None = None
    krewe: UUID | None = None
    rating: Annotated[int, Meta(ge=0, le=4000)] = 0
    deck: Any = None
    text: str | None = None


class DeckFlaw(Struct):
    """What was wrong with a deck when it was last checked; `line` as of a `DeckProblem`.

    `code`: a permanent code of the problem.
    """

    code: str
    clause: str
    line: int
    detail: str


class EntrantResponse(Struct):
    """An entry. `deck`: whether one is registered; `deck_problems`: what is wrong with it.

    `status` is empty for an entry that was taken back.

    `checked_in`: they said that they are here. `place`: at the end, null before. `entrant` is 0
    before there is a number. `status`: empty for an entry that was taken back.
    """

    id: UUID
    tournament: str
    entrant: int
    name: EntrantName
    player: UUID | None
    character: UUID | None
    krewe: UUID | None
    status: Literal["", "in", "waiting", "dropped", "disqualified"]
    checked_in: bool
    rating: int
    place: int | None
    deck: bool
    deck_problems: list[DeckFlaw]


class Entrants(Struct):
    version: int
    results: list[EntrantResponse]


class DeckRegistration(Request):
    """The deck of an entry, in its game's format, or as `text`; null withdraws it.

    Or the `loadout` of its character whose gear is the deck, as it is now.

    `text`: the deck as a list; null for none.
    """

    deck: Any = None
    text: str | None = None
    loadout: UUID | None = None


class EntrysDeck(Struct):
    """The deck of an entry, null if it has none, and the list it was read from.

    `is_gear`: it was made of gear that the entry's character fields at its tables. `text`: the
    list; empty for none.
    """

    deck: Any
    text: str
    problems: list[DeckFlaw]
    is_gear: bool


class DeckRegistered(DeckResponse):
    """All problems of a deck at once; empty if it is legal.

    `deck`: as it was read. `lines`: of a list, as they were read.
    """
