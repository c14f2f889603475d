"""The seats of a match with their links, and its officials."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from matches.api.shapes.base import PlayerName, Request
from matches.api.shapes.matches import SeatResponse


class SeatLink(SeatResponse):
    """A seat with its link: `token` is what `X-Seat` takes, `link` the page to sit down.

    `name`: the name of who sits there, empty while nobody does.
    """

    token: str
    link: str


class SeatLinks(Struct):
    results: list[SeatLink]


class SeatOffer(SeatResponse):
    """The seat that a link is for, and the code of its match.

    `match`: the code of its match.
    """

    match: str
    url: str


class SitRequest(Request):
    """Sit down; without an account one may give a `name` if nobody sits there.

    `name`: your name.
    """

    name: Annotated[str, Meta(max_length=80)] = ""


class OfficialRequest(Request):
    player: UUID


class OfficialResponse(Struct):
    player: UUID
    name: PlayerName


class Officials(Struct):
    results: list[OfficialResponse]
