"""Tokens and players."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from matches.api.shapes.base import Making, Name, Page, PlayerName, Request, among
from matches.models import SeatResult


class Credentials(Request):
    """Who signs in.

    `username`: the name of the account. `password`: its password. `code`: of the second factor,
    if one is set up.
    """

    username: Annotated[str, Meta(max_length=150)]
    password: Annotated[str, Meta(max_length=500)]
    code: Annotated[str, Meta(max_length=40)] = ""  # of the second factor, if set up


class Token(Struct):
    """Send it as `Authorization: Token …`; it is valid for thirty days."""

    token: str


class GuestRequest(Making):
    """A guest player, without an account. `id` makes it idempotent."""

    name: Name


class PlayerRequest(Request):
    """A player's new name."""

    name: Name


class PlayerResponse(Struct):
    """A person at a table; a guest has no account. `claimed_by`: the player who claimed a guest.

    `name`: theirs.
    """

    id: UUID
    name: str
    guest: bool
    url: str
    claimed_by: UUID | None


class RecordResponse(Struct):
    """A player's results in one ruleset, as far as you may know."""

    ruleset: str
    game: str
    played: int
    won: int
    drawn: int
    lost: int


class PlayedResponse(Struct):
    """A game, and how many of its matches a player sat at that you may see, over or not.

    `name`: of the game.
    """

    game: str
    name: str
    matches: int


class SpinsResponse(Struct):
    """How spins for one purpose fell. `source`: the `site` spun, or the `table`.

    `as_uneven`: how many of 100 runs of as many fair spins are at least as uneven; null if there
    are too few spins to say.

    `purpose`: what they decided. `counts`: how many fell on each end.
    """

    purpose: str
    source: str
    counts: dict[str, int]
    as_uneven: int | None


class OutingResponse(Struct):
    """A match that ended, by its code, and its result for the player."""

    match: str
    result: Annotated[str, among(SeatResult.Result.values)]


class RivalResponse(Struct):
    """A player met at a table, and the results of the one who is asked about."""

    player: UUID
    name: PlayerName
    played: int
    won: int
    drawn: int
    lost: int


class PlayerDetail(PlayerResponse):
    """A player, with their results as far as you may know.

    `form`: those of their last ten matches, oldest first. `rivals`: the twelve players they met
    most often.

    `games`: those they played. `spins`: how theirs fell.
    """

    records: list[RecordResponse]
    games: list[PlayedResponse]
    spins: list[SpinsResponse]
    form: list[OutingResponse]
    rivals: list[RivalResponse]


class Players(Page[PlayerResponse]):
    """One page: follow `next` until it is null."""


class PlayersQuery(Request):
    name: Annotated[
        str, Meta(max_length=80, pattern=r"^[^\x00]*$", description="a part of the name")
    ] = ""
