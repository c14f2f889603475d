"""The log of a desk: its states and entries, and what a change to it moves."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from matches.api.shapes import FollowerChange, Limit, Plain, Reason, Request, Version


class DeskStateQuery(Request):
    at: Version | None = None
    as_: Literal["", "officials", "public"] = field(default="", name="as")


class DeskEventsQuery(Request):
    after: Version = 0
    limit: Limit = 100


class ResultRequest(Request):
    """Another result in the place of the one recorded as `act_id`: its fields in `act`.

    `preview`: only tell what it would change. `reason`: in words, kept out of the log.
    """

    id: UUID
    act_id: UUID
    act: Plain
    reason: Reason = ""
    preview: bool = False
    after: Version | UUID | None = None


class UndoRequestAtDesk(Request):
    """Make the state as at version `to` current again. `preview`: only tell what that undoes."""

    id: UUID
    to: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    after: Version | UUID | None = None
    reason: Reason = ""
    preview: bool = False


class MovedAnswer(Struct):
    """A row of a stage's standings that a change moves; places before and after."""

    stage: int
    entrant: int
    before: int
    after: int


class BlastAnswer(Struct):
    """What a change moves. `undone`: entries that would count no more.

    `stale`: tables (round, table) that no longer fit their bracket. `into`, `out_of`: who would
    be in and out of a cut (stage, entrant). `redrawn`: rounds the machine would pair otherwise
    now, with how many of their tables; they stay until somebody changes them.
    """

    act: Plain | None
    undone: list[int]
    moved: list[MovedAnswer]
    stale: list[list[int]]
    into: list[list[int]]
    out_of: list[list[int]]
    redrawn: list[list[int]]
    followers: list[FollowerChange]
