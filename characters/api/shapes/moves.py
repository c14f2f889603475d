"""Moves, campaigns, and changes of a sheet."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from characters.campaigns import MAX_OFFICIALS, MAX_PRICE
from characters.fallen import Fallen
from characters.market import Sale
from characters.models import Campaign, Trade
from matches.api.shapes import Making, Moment, Page, Request, among

OfferStatus = Annotated[str, among(Trade.Status.values)]


class MoveRequest(Request):
    """A character is offered `to` a player, or asks to join a `campaign`; exactly one of both.

    `to`: the id of the player it is offered to.
    """

    character: UUID
    to: UUID | None = None
    campaign: UUID | None = None


class MoveResponse(Struct):
    """A character that is offered, or asks to join.

    `name`: of the character. `by`: the id of the player who asked. `to`: the id of the player it is
    offered to. `campaign`: the id of the campaign it would join. `status`: whether it still waits,
    or how it was answered.
    """

    id: UUID
    character: UUID
    name: str
    by: UUID
    to: UUID | None
    campaign: UUID | None
    status: OfferStatus


class Moves(Page[MoveResponse]):
    """One page: follow `next` until it is null."""


class MovesQuery(Request):
    """Moves of one's own `character`, or into a `campaign` one runs; else those to answer."""

    character: Annotated[UUID | None, Meta(description="a character of your own: its moves")] = None
    campaign: Annotated[UUID | None, Meta(description="a campaign you run: the moves into it")] = (
        None
    )


class LeaveRequest(Request):
    character: UUID


class CampaignRequest(Making):
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    game: Annotated[str, Meta(max_length=40)] = "zg"


class CampaignChange(Request):
    """Fields left out stay unchanged. `officials` are players with an account.

    `owner`: the id of the official to hand it to.
    """

    name: Annotated[str, Meta(min_length=1, max_length=80)] | None = None
    after_slag: Literal["whole", "repair", "roll", "lost"] | None = None
    repair_price: Annotated[int, Meta(ge=0, le=MAX_PRICE)] | None = None
    officials: Annotated[list[UUID], Meta(max_length=MAX_OFFICIALS)] | None = None
    owner: UUID | None = None


class CampaignResponse(Struct):
    """A campaign. `after_slag`: what happens to slagged gear after a match."""

    id: UUID
    name: str
    game: str
    owner: UUID
    officials: list[UUID]
    after_slag: Annotated[str, among(Campaign.AfterSlag.values)]
    repair_price: int
    url: str


class Campaigns(Page[CampaignResponse]):
    """One page: follow `next` until it is null."""


class FallenPieces(Page[Fallen]):
    """One page: follow `next` until it is null."""


class Sales(Page[Sale]):
    """One page: follow `next` until it is null."""


class SheetChange(Struct):
    """A change of a sheet: the old and the new text.

    `what`: which part of it. `changed_at`: when. `changed_by`: the name of who did it. `before`:
    the old text. `after`: the new text.
    """

    what: str
    before: str
    after: str
    changed_at: Moment
    changed_by: str


class Changes(Page[SheetChange]):
    """One page: follow `next` until it is null."""
