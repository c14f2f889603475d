"""Matches played at the tables of tournaments."""

from typing import Annotated

from msgspec import Meta, Struct

from league.api.shapes.base import Code, Slug
from matches.api.shapes import MatchesQuery, MatchResponse


class PlayedMatchesQuery(MatchesQuery):
    tournament: Annotated[
        Code, Meta(description="the tournament at whose tables it was opened, by its code")
    ] = ""
    place: Annotated[
        Slug, Meta(description="the place of the games' stories it was played at, by its slug")
    ] = ""


class TableOfMatch(Struct):
    """The table of a tournament's round that a match was opened at, as its game `game`.

    `game`: which game of the table it is, from 1.
    """

    tournament: str
    round: int
    table: int
    game: int


class PlayedMatchResponse(MatchResponse):
    """A match, and the `table` it is played at; null without a tournament that you may see.

    `table`: at which it is played; null without a tournament that you may see.
    """

    table: TableOfMatch | None
