"""Webhooks, and what became of their messages."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from league.api.shapes.base import Slug
from matches.api.shapes import Making, Plain, Request

Address = Annotated[str, Meta(min_length=1, max_length=400)]
Events = Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=20)]


class WebhooksQuery(Request):
    league: Slug = ""


class WebhookRequest(Making):
    """Have an address told what happens in a league; `events` are the kinds it wants."""

    league: Slug
    url: Address
    events: Events


class WebhookChange(Request):
    """What is not named stays as it is."""

    url: Address | None = None
    events: Events | None = None
    is_on: bool | None = None


class WebhookAnswer(Struct):
    """`waiting` to be delivered, `dead` were given up. `off_why` when it was switched off."""

    id: UUID
    league: str
    url: str
    events: list[str]
    is_on: bool
    off_why: str
    created_at: datetime
    waiting: int
    dead: int
    links: dict[str, str]


class WebhookMade(WebhookAnswer):
    """`secret` is told this once."""

    secret: str


class Webhooks(Struct):
    """One page: follow `next` until it is null."""

    results: list[WebhookAnswer]
    next: str | None
    previous: str | None


class DeliveriesQuery(Request):
    status: Literal["", "waiting", "delivered", "held", "replaced", "dead"] = ""


class AttemptAnswer(Struct):
    """One try: the status it was answered, or why there was no answer."""

    began_at: datetime
    milliseconds: int | None
    status: int | None
    error: str


class DeliveryAnswer(Struct):
    """A message: `webhook_id` is what its header says; `due_at` while it waits:
    when it is tried next, at the earliest."""

    id: UUID
    webhook_id: str
    type: str
    status: str
    at: datetime
    attempts: int
    due_at: datetime | None
    ended_at: datetime | None
    data: Plain
    tries: list[AttemptAnswer]
    url: str


class Deliveries(Struct):
    """One page: follow `next` until it is null."""

    results: list[DeliveryAnswer]
    next: str | None
    previous: str | None
