"""Seasons with their divisions."""

from datetime import date
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from league.adjusting import MAX_ADJUSTMENT
from league.api.shapes.base import Code, Slug, Text
from league.divisions import DOWN, PLAYS_ON, PLAYS_UP, UP
from league.seasons import MAX_SMALL
from matches.api.shapes import Making, Moment, Name, Page, PlayerName, Request, SpinsResponse, among

Count = Annotated[int, Meta(ge=0, le=MAX_SMALL)]
Level = Annotated[Count, Meta(description="1 is the highest")]
Up = Annotated[Count, Meta(description="how many move up at the end of the season")]
Down = Annotated[Count, Meta(description="how many move down at the end of the season")]
PlayOff = Annotated[
    Count,
    Meta(description="how many above those who move down play for their places"),
]


class SeasonRequest(Making):
    """A dated run of a league; `league` is its slug."""

    league: Slug
    name: Name
    starts_on: date
    ends_on: date
    about: Text = ""
    divisions: Annotated[list[str], Meta(max_length=20)] = []


class SeasonChange(Request):
    """Fields left out stay as they are; `removed` deletes a season that nothing belongs to."""

    name: Name | None = None
    starts_on: date | None = None
    ends_on: date | None = None
    about: Text | None = None
    removed: bool | None = None


class DivisionRequest(Request):
    """A level of a season.

    Those in its `play_off` meet as many below those who move up from the next level.
    """

    name: Name
    level: Level
    up: Up = 0
    down: Down = 0
    play_off: PlayOff = 0


class DivisionChange(Request):
    """Fields left out stay as they are; `removed` deletes a division that nothing belongs to.

    `play_off_in` is the code of the tournament that decides its play-off, empty for none yet.
    """

    name: Name | None = None
    level: Level | None = None
    up: Up | None = None
    down: Down | None = None
    play_off: PlayOff | None = None
    play_off_in: Code | None = None
    removed: bool | None = None


class DivisionPlayerRequest(Request):
    """Who plays in a division, and in no other of its season; not `active` once they have left."""

    player: UUID
    active: bool = True


class AdjustmentRequest(Making):
    """Points for a player of a division or a circuit, below 0 to take some.

    Everyone may read the `reason`.
    """

    player: UUID
    points: Annotated[int, Meta(ge=-MAX_ADJUSTMENT, le=MAX_ADJUSTMENT)]
    reason: Annotated[str, Meta(min_length=1, max_length=200)]


class RolloverRequest(Request):
    """The next season, with the players of this one moved up and down.

    `preview`: record nothing.
    """

    name: Name
    starts_on: date
    ends_on: date
    preview: bool = False


class AdjustmentResponse(Struct):
    """Points that organisers gave, or took if below 0, and when."""

    id: int
    player: UUID
    name: PlayerName
    points: int
    reason: str
    at: Moment


class DivisionRow(Struct):
    """`moves`: `up`, `down`, in an undecided play-off `plays-up` or `plays-on`, or empty.

    `points` are those of the tournaments with the `adjustments`.
    """

    place: int
    player: UUID
    name: PlayerName
    points: str
    active: bool
    moves: Annotated[str, among(("", UP, DOWN, PLAYS_UP, PLAYS_ON))]
    adjustments: list[AdjustmentResponse]


class DivisionResponse(Struct):
    """A level of a season, with its `table`.

    `play_off_in` is the code of the tournament that decides its play-off, empty for none yet.
    `table`: the rows, best first.
    """

    id: int
    level: Level
    name: str
    up: Up
    down: Down
    play_off: PlayOff
    play_off_in: str
    table: list[DivisionRow]


class SeasonLine(Struct):
    id: UUID
    league: str
    name: str
    starts_on: date
    ends_on: date
    url: str


class SeasonResponse(SeasonLine):
    """A season with its divisions.

    `spins`: how those of its matches fell. `circuits`: the ids of its circuits. `tournaments`:
    the codes of its tournaments.
    """

    about: str
    divisions: list[DivisionResponse]
    circuits: list[UUID]
    tournaments: list[str]
    spins: list[SpinsResponse]


class Seasons(Page[SeasonLine]):
    """One page: follow `next` until it is null."""


class PlayerMove(Struct):
    """Where a player moves; not `decided` while their play-off is undecided.

    `was`: the level before. `seed`: the seed in the new division, from 1. `level`: the new one,
    1 is the highest.
    """

    player: UUID
    name: PlayerName
    level: int
    was: int
    seed: int
    decided: bool


class RolloverResponse(Struct):
    """Where everybody plays next; `season` is null in a preview.

    `moves`: one for each player.
    """

    moves: list[PlayerMove]
    season: UUID | None


class SeasonsQuery(Request):
    league: Slug = ""
