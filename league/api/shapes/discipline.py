"""The disciplinary record."""

from datetime import date
from typing import Annotated, Literal, get_args
from uuid import UUID

from msgspec import Meta, Struct

from league.models import Sanction
from matches.api.shapes import (
    Head,
    Making,
    Moment,
    Plain,
    PlayerName,
    Reason,
    Request,
    RequestId,
    among,
)
from rules.desk.acts import Infraction, PenaltyKind
from rules.desk.limits import MAX_POINTS


class SanctionRequest(Making):
    """A ban until `ends_on`, or an exile, which has no end.

    `ends_on`: its last day. `reason`: in words, for organisers and judges.
    """

    player: UUID
    reason: Annotated[str, Meta(min_length=1, max_length=2000)]
    kind: Literal["ban", "exile"] = "ban"
    ends_on: date | None = None


class LiftRequest(Request):
    """An empty request body."""


class HintResponse(Struct):
    """A fact of a tournament's log and the entries it is based on, without any reasons.

    `rounds`: the numbers of the rounds it is about. `entries`: the versions of the entries.
    `code`: a permanent code.
    """

    code: str
    text: str
    entrants: list[int]
    rounds: list[int]
    entries: list[int]


class Hints(Struct):
    results: list[HintResponse]


class SanctionResponse(Struct):
    """A ban or an exile.

    `lifted_on`: the day it was lifted. `ends_on`: its last day; null for an exile.
    """

    id: int
    player: UUID
    name: PlayerName
    kind: Annotated[str, among(Sanction.Kind.values)]
    starts_on: date
    ends_on: date | None
    lifted_on: date | None
    reason: str


class PenaltyRequest(Request):
    """A penalty for an `entrant`. `id` makes the request idempotent; `note` is for officials."""

    id: RequestId
    entrant: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    infraction: Infraction
    penalty: PenaltyKind
    demerits: Annotated[int, Meta(ge=0, le=MAX_POINTS)] = 0
    note: Reason = ""


class PenaltyReceipt(Struct):
    """The entry of a penalty; `beside` lists the acts recorded with it, such as a ruling.

    `version`: that of the entry.
    """

    version: int
    beside: list[Plain]
    head: Head


class PenaltyResponse(Struct):
    """A penalty given at a tournament.

    `player`: null for an entrant without one.
    """

    tournament: str
    player: UUID | None
    name: PlayerName
    infraction: Annotated[str, among(get_args(Infraction))]
    penalty: Annotated[str, among(get_args(PenaltyKind))]
    demerits: int
    given_at: Moment


class DisciplineRecord(Struct):
    """Bans and exiles of a league, and the penalties of its tournaments, newest first.

    `sanctions`: bans and exiles. `penalties`: those of its tournaments.
    """

    sanctions: list[SanctionResponse]
    penalties: list[PenaltyResponse]
