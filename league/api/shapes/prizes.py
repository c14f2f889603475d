"""Prizes and their shares."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from characters.ledger import MAX_MONEY
from league.api.shapes.base import EntrantName
from matches.api.shapes import Making, Moment, Request


class PrizeRequest(Making):
    """What a place wins: money, a piece of gear as one line, or both.

    `amount`: money, in credits.
    """

    place: Annotated[int, Meta(ge=1, le=4096)]
    amount: Annotated[int, Meta(ge=0, le=MAX_MONEY)] = 0
    line: Annotated[str, Meta(max_length=200)] = ""


class ShareResponse(Struct):
    """An entry's share of a prize."""

    entry: UUID
    name: EntrantName
    place: int
    amount: int
    line: str


class PrizeResponse(Struct):
    """A prize. `shares` follow the final order, or the current one until then.

    `entry` is the one that was given all of it.

    `given_at`: when it was given. `amount`: money, in credits.
    """

    id: int
    place: int
    amount: int
    line: str
    entry: UUID | None
    given_at: Moment | None
    shares: list[ShareResponse]


class Prizes(Struct):
    """The prizes; `shared`: whether prizes of shared places are `split`, or go by `order`.

    `shared`: whether those of shared places are `split`, or go by `order`.
    """

    results: list[PrizeResponse]
    shared: str


class AwardRequest(Request):
    """Gives every prize that has not been given yet."""
