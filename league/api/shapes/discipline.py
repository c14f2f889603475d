"""The disciplinary record."""

from datetime import date
from typing import Annotated, Literal, get_args
from uuid import UUID

from msgspec import Meta, Struct

from league.models import Sanction
from matches.api.shapes import Head, Making, Moment, Plain, Reason, Request, among
from rules.desk.acts import Infraction, PenaltyKind
from rules.desk.limits import MAX_POINTS


class SanctionRequest(Making):
    """A ban until `ends_on`, or an exile, which has no end."""

    player: UUID
    reason: Annotated[str, Meta(min_length=1, max_length=2000)]
    kind: Literal["ban", "exile"] = "ban"
    ends_on: date | None = None


class LiftRequest(Request):
    """An empty request body."""


class HintResponse(Struct):
    """A fact of a tournament's log and the entries it is based on, without any reasons."""

    code: str
    text: str
    entrants: list[int]
    rounds: list[int]
    entries: list[int]


class Hints(Struct):
    results: list[HintResponse]


class SanctionResponse(Struct):
    id: int
    player: UUID
    name: str
    kind: Annotated[str, among(Sanction.Kind.values)]
    starts_on: date
    ends_on: date | None
    lifted_on: date | None
    reason: str


class PenaltyRequest(Request):
    """A penalty for an `entrant`. `id` makes the request idempotent; `note` is for officials."""

    id: UUID
    entrant: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    infraction: Infraction
    penalty: PenaltyKind
    demerits: Annotated[int, Meta(ge=0, le=MAX_POINTS)] = 0
    note: Reason = ""


class PenaltyReceipt(Struct):
    """The entry of a penalty; `beside` lists the acts recorded with it, such as a ruling."""

    version: int
    beside: list[Plain]
    head: Head


class PenaltyResponse(Struct):
    tournament: str
    player: UUID | None
    name: str
    infraction: Annotated[str, among(get_args(Infraction))]
    penalty: Annotated[str, among(get_args(PenaltyKind))]
    demerits: int
    given_at: Moment


class DisciplineRecord(Struct):
    """Bans and exiles of a league, and the penalties of its tournaments, newest first."""

    sanctions: list[SanctionResponse]
    penalties: list[PenaltyResponse]
