"""Loadouts, and fielding them."""

from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct, field

from characters.api.shapes.base import Serials
from characters.loadouts import LoadoutFlaw
from matches.api.shapes import Making, MatchRequest, Request, SeatRequest

LoadoutName = Annotated[str, Meta(min_length=1, max_length=80)]


class LoadoutRequest(Making):
    """Gear picked for a deck, by serial. `shared`: others who see the gear may field it."""

    character: UUID
    name: LoadoutName
    items: Serials = []
    game: Annotated[str, Meta(max_length=40)] = "zg"
    game_class: Annotated[str, Meta(max_length=20)] = field(default="standard", name="class")
    with_modes: bool = True
    shared: bool = False


class LoadoutChange(Request):
    """Fields left out stay unchanged."""

    name: LoadoutName | None = None
    items: Serials | None = None
    game_class: Annotated[str, Meta(max_length=20)] | None = field(default=None, name="class")
    with_modes: bool | None = None
    shared: bool | None = None
    removed: bool = False


class LoadoutResponse(Struct):
    """A loadout: its deck in the format of a match, its cost, and all its problems.

    `cost_unknown` is the number of cards without a known cost; `most` is the class's limit, if any.
    """

    id: UUID
    character: UUID
    name: str
    game: str
    game_class: str = field(name="class")
    with_modes: bool
    shared: bool
    items: list[str]
    cost: int
    cost_unknown: int
    most: int | None
    problems: list[LoadoutFlaw]
    deck: dict[str, Any]
    url: str


class Loadouts(Struct):
    results: list[LoadoutResponse]


class GearChange(Request):
    """Which card of the catalogue a piece is; null makes it a blank again.

    `card`: the id of the card; null makes it a blank again.
    """

    card: UUID | None


class FieldedSeat(SeatRequest):
    """A seat with a deck, or with a `loadout`, whose character's player sits there by default.

    `name`: a guest's name; empty for nobody yet. `player`: the id of who sits there; null for a
    guest or nobody.
    """

    loadout: UUID | None = None


class FieldedMatchRequest(MatchRequest):
    """A match to open. `id` makes it safe to send again."""

    seats: Annotated[list[FieldedSeat], Meta(min_length=1, max_length=8)]  # type: ignore[assignment]
