"""Rounds: when they are, how they are paired, and why so."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from league.api.shapes.base import OfTournament
from matches.api.shapes import Request

Seed = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class RoundDateRequest(Request):
    """The dates of the round to come, or the deadline of the one under way; null is none.

    At `pairs_at` it is paired and published in your name; `weekly`: those after it a week later
    each. By its `deadline` it is to be played.
    """

    round: Annotated[int, Meta(ge=1, le=4096)]
    pairs_at: datetime | None = None
    weekly: bool = False
    deadline: datetime | None = None


class RoundDateAnswer(Struct):
    """`obstacle`: for officials, what keeps a round from being paired whose time has come."""

    round: int
    pairs_at: datetime | None
    weekly: bool
    deadline: datetime | None
    obstacle: str


class RoundDates(Struct):
    """The dates of the round under way, and of the one to come, where they have any."""

    results: list[RoundDateAnswer]


class SeedQuery(Request):
    seed: Seed | None = None
    shadows: bool = False


class ProposeRequest(Request):
    """`seed` decides between pairings of the same cost; drawn by us when it is not named.

    `shadows`: tell beside it how other ways would pair a Swiss round, and what that would cost.
    """

    seed: Seed | None = None
    shadows: bool = False


class PairAgainRequest(Request):
    """`id` makes it safe to send again."""

    id: UUID


class CostPart(Struct):
    """A part of what a round costs and the least possible of it; the first weighs most."""

    name: str
    cost: int
    least: int


class TableReason(Struct):
    table: int
    players: list[int]
    why: list[str]


class ByeReason(Struct):
    entrant: int
    why: str


class ForcedAnswer(Struct):
    """Why so many pairs had to meet: between two `groups` nothing is allowed, each needs one of
    the `few`. 0 is the bye."""

    few: list[int]
    groups: list[list[int]]
    pairs: int


class ShadowAnswer(Struct):
    """The round as another way would have it. `floats` is how many pairs are not of one score."""

    way: str
    pairings: list[list[int]]
    byes: list[int]
    cost: list[CostPart]
    floats: int


class ProposalOfRound(Struct):
    """A round as the machine would have it. To record it: `round-paired` with this `seed`.

    `shadows`, where they were asked for: the same round of a Swiss by other ways.
    """

    method: str
    seed: int
    pairings: list[list[int]]
    byes: list[int]
    slots: list[str]
    cost: list[CostPart]
    breaches: list[list[int]]
    tables: list[TableReason]
    bye_reasons: list[ByeReason]
    forced: ForcedAnswer | None
    shadows: list[ShadowAnswer] = []


class OfRound(OfTournament):
    round: Annotated[int, Meta(ge=1, le=4096)] | None = None


class ClockAnswer(Struct):
    """When the time of a round is up; while it is paused none, but so many seconds are left.

    `extra` minutes were given to all, `tables` had as many more to themselves.
    """

    ends_at: datetime | None
    paused: bool
    left: int
    extra: int
    tables: dict[str, int]


class RoundAnswer(Struct):
    """A round and why it is paired so. `by_hand`: a hand made it or changed it.

    `clock` is that of the round under way, where it has one.
    """

    round: int
    stage: int
    seed: int
    by_hand: bool
    published: bool
    timed: bool
    closed: bool
    byes: list[int]
    cost: list[CostPart]
    tables: list[TableReason]
    bye_reasons: list[ByeReason]
    proposed: list[list[int]]
    proposed_byes: list[int]
    forced: ForcedAnswer | None
    clock: ClockAnswer | None


class Rounds(Struct):
    version: int
    results: list[RoundAnswer]
