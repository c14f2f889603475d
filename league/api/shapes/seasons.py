"""Seasons with their divisions."""

from datetime import date
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from league.api.shapes.base import Slug, Text
from matches.api.shapes import Name, Request, SpinsAnswer


class SeasonRequest(Request):
    """A dated run of a league, named by its slug."""

    league: Slug
    name: Name
    starts_on: date
    ends_on: date
    about: Text = ""
    divisions: Annotated[list[str], Meta(max_length=20)] = []


class RolloverRequest(Request):
    """The next season, with the divisions of this one moved up and down. `preview`: only tell."""

    name: Name
    starts_on: date
    ends_on: date
    preview: bool = False


class DivisionRow(Struct):
    place: int
    player: UUID
    name: str
    points: str
    active: bool
    moves: str


class DivisionAnswer(Struct):
    level: int
    name: str
    up: int
    down: int
    table: list[DivisionRow]


class SeasonLine(Struct):
    id: UUID
    league: str
    name: str
    starts_on: date
    ends_on: date
    url: str


class SeasonAnswer(SeasonLine):
    about: str
    divisions: list[DivisionAnswer]
    circuits: list[UUID]
    tournaments: list[str]
    spins: list[SpinsAnswer]


class Seasons(Struct):
    """One page: follow `next` until it is null."""

    results: list[SeasonLine]
    next: str | None
    previous: str | None


class MoveOfPlayer(Struct):
    player: UUID
    name: str
    level: int
    was: int
    seed: int


class RolloverAnswer(Struct):
    """Where everybody plays next; `season` is null in a preview."""

    moves: list[MoveOfPlayer]
    season: UUID | None


class SeasonsQuery(Request):
    league: Slug = ""
