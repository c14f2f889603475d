"""Acts to record and take back, and their receipts."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from matches.api.shapes.base import Moment, Plain, Reason, Request, RequestId, Version
from matches.api.shapes.entries import Head
from matches.api.shapes.problems import Problem


class ActRequest(Request):
    """One act. `id` makes it idempotent; `after` is a version or the id of the act before.

    `irregular`: it stood against the rules. `note`: a reason in words, kept out of the log.
    `said_at`: the time of your clock; dropped if it is off by years.
    """

    id: RequestId
    act: Plain
    after: Version | UUID | None = None
    irregular: bool = False
    note: Reason = ""
    said_at: Moment | None = None


class BotRequest(Request):
    """Let a bot play a seat that nobody holds; `after` is a version or the id of the act before."""

    id: RequestId
    seat: Annotated[int, Meta(ge=1, le=8)]
    after: Version | UUID | None = None


class TakeBackRequest(Request):
    """Make the state as at version `to` current again. `reason`: in words, kept out of the log."""

    id: RequestId
    to: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    after: Version | UUID | None = None
    reason: Reason = ""


class EntryReceipt(Struct):
    """What was recorded, at which version and position, and its consequences."""

    version: int
    position: int
    hash: str
    act: Plain
    consequences: list[Plain]


class ReceiptResponse(EntryReceipt):
    """What was recorded, at which version and position, its consequences, and the log's head."""

    head: Head


class ActResponse(Struct, omit_defaults=True):
    """One act of several: as if it had been sent alone, with a `receipt` or a `Problem`.

    `status`: what it would have had as the status of an answer of its own.
    """

    status: int
    receipt: ReceiptResponse | None = None
    problem: Problem | None = None


class ActResponses(Struct):
    results: list[ActResponse]
