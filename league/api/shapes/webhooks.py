"""Webhooks and their deliveries."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from league.api.shapes.base import Slug
from league.happenings import EVENTS
from league.models import Delivery
from matches.api.shapes import Making, Moment, Page, Plain, Request, among

Address = Annotated[str, Meta(min_length=1, max_length=400)]
Event = Annotated[str, Meta(max_length=40), among(EVENTS)]
Events = Annotated[list[Event], Meta(min_length=1, max_length=20)]


class WebhooksQuery(Request):
    league: Slug = ""


class WebhookRequest(Making):
    """Registers an address for a league's events; `events` are the kinds to send.

    `url`: the address that messages go to.
    """

    league: Slug
    url: Address
    events: Events


class WebhookChange(Request):
    """Fields left out stay as they are.

    `url`: the address that messages go to.
    """

    url: Address | None = None
    events: Events | None = None
    is_on: bool | None = None


class WebhookResponse(Struct):
    """Counts deliveries that are `waiting` or were given up (`dead`).

    `off_why` says why the webhook was switched off.

    `url`: the address that messages go to.
    """

    id: UUID
    league: str
    url: str
    events: list[Event]
    is_on: bool
    off_why: str
    created_at: Moment
    waiting: int
    dead: int
    links: dict[str, str]


class WebhookMade(WebhookResponse):
    """A webhook with its `secret`, which is returned only this once."""

    secret: str


class Webhooks(Page[WebhookResponse]):
    """One page: follow `next` until it is null."""


class DeliveriesQuery(Request):
    status: Annotated[
        Literal["", "waiting", "delivered", "held", "replaced", "dead"],
        Meta(description="only those in this state"),
    ] = ""


class AttemptResponse(Struct):
    """One attempt: the HTTP status of the answer, or why there was none.

    `began_at`: when it was made. `milliseconds`: how long the answer took, null if there was
    none. `status`: the HTTP status of the answer, null if there was none. `error`: why there
    was none, else empty.
    """

    began_at: Moment
    milliseconds: int | None
    status: int | None
    error: str


class DeliveryResponse(Struct):
    """A message.

    `webhook_id` is the id in its header; `due_at` the time of the next attempt, while it waits.

    `attempts`: how many were made. `tries`: the attempts, each with its answer. `status`: held
    is what may not be told yet, replaced what a newer message made void. `ended_at`: when it
    was delivered or given up. `data`: the message's own.
    """

    id: UUID
    webhook_id: str
    type: str
    status: Annotated[str, among(Delivery.Status.values)]
    at: Moment
    attempts: int
    due_at: Moment | None
    ended_at: Moment | None
    data: Plain
    tries: list[AttemptResponse]
    url: str


class Deliveries(Page[DeliveryResponse]):
    """One page: follow `next` until it is null."""
