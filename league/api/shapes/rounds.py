"""Rounds: their dates, their pairings, and the reasons for these."""

from typing import Annotated

from msgspec import Meta, Struct

from league.api.shapes.base import TournamentQuery
from league.reasons import CostPart
from matches.api.shapes import Moment, Request, RequestId

Seed = Annotated[int, Meta(ge=0, le=2**31 - 1)]


class RoundDateRequest(Request):
    """The dates of the next round, or the deadline of the open one; null for none.

    At `pairs_at` the round is paired and published in the caller's name; with `weekly` the rounds
    after it follow a week apart. It is to be played by its `deadline`.
    """

    round: Annotated[int, Meta(ge=1, le=4096)]
    pairs_at: Moment | None = None
    weekly: bool = False
    deadline: Moment | None = None


class RoundDateResponse(Struct):
    """The dates of a round.

    `obstacle`, for officials: why a round that is due could not be paired.
    """

    round: int
    pairs_at: Moment | None
    weekly: bool
    deadline: Moment | None
    obstacle: str


class RoundDates(Struct):
    """The dates of the open round and of the next, if they have any."""

    results: list[RoundDateResponse]


class SeedQuery(Request):
    seed: Annotated[Seed | None, Meta(description="draws other pairings among equals")] = None
    shadows: Annotated[bool, Meta(description="with what pairing greedily would have done")] = False


class ProposeRequest(Request):
    """Proposes the next round. `seed` breaks ties between equal costs; if left out, we draw it.

    `shadows`: also return how other methods would pair a Swiss round, and at what cost.
    """

    seed: Seed | None = None
    shadows: bool = False


class PairAgainRequest(Request):
    """Pairs the unpublished round again. `id` makes the request idempotent."""

    id: RequestId


class TableReason(Struct):
    """Why a table is paired as it is.

    `players`: the numbers of the entrants. `why`: the reasons, in words.
    """

    table: int
    players: list[int]
    why: list[str]


class ByeReason(Struct):
    """Why somebody has the bye."""

    entrant: int
    why: str


class ForcedResponse(Struct):
    """Why `pairs` pairs had to meet.

    No two `groups` can be paired with each other, so each needs one of the `few`. 0 is the bye.
    """

    few: list[int]
    groups: list[list[int]]
    pairs: int


class ShadowResponse(Struct):
    """The round by another method. `floats` counts the pairs of unequal score.

    `way`: which method.
    """

    way: str
    pairings: list[list[int]]
    byes: list[int]
    cost: list[CostPart]
    floats: int


class RoundProposal(Struct):
    """A proposed round. To record it, send `round-paired` with this `seed`.

    `shadows`, if requested: the same Swiss round by other methods.

    `method`: the format that it is paired by. `slots`: the matches of a bracket, one for each
    table; else empty. `breaches`: pairs that were not to meet, but had to. `tables`: each with the
    reasons for it.
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
    forced: ForcedResponse | None
    shadows: list[ShadowResponse] = []


class RoundQuery(TournamentQuery):
    round: Annotated[
        Annotated[int, Meta(ge=1, le=4096)] | None, Meta(description="only this round")
    ] = None


class ClockResponse(Struct):
    """When the time of a round is up; null while it is paused, with `left` seconds remaining.

    `extra` minutes were given to all tables, further ones to single `tables`.

    `ends_at`: when the time is up. `paused`: the clock stands still. `tables`: the further
    minutes, by the number of the table.
    """

    ends_at: Moment | None
    paused: bool
    left: int
    extra: int
    tables: dict[str, int]


class RoundResponse(Struct):
    """A round and the reasons for its pairings. `by_hand`: it was made or changed by hand.

    `clock` is set for the open round, if it has a time limit.

    `published`: everybody may see it. `timed`: time was called in it. `proposed` and
    `proposed_byes`: as the machine paired it, where that was changed by hand. `tables`: each with
    the reasons for it.
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
    forced: ForcedResponse | None
    clock: ClockResponse | None


class Rounds(Struct):
    version: int
    results: list[RoundResponse]
