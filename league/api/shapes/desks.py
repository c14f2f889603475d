"""The log of a desk: its states and entries, and the effects of a change to it."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from matches.api.shapes import (
    After,
    At,
    FollowerChange,
    Limit,
    Plain,
    Reason,
    Request,
    RequestId,
    Told,
    Version,
)


class DeskStateQuery(Request):
    at: At = None
    as_: Annotated[Literal["", "officials", "public"], Meta(description="whose view")] = field(
        default="", name="as"
    )


class DeskEventsQuery(Request):
    after: After = 0
    told: Told = False
    limit: Limit = 100


class ResultRequest(Request):
    """Replaces the result recorded as `act_id`; `act` holds the new fields.

    `preview`: only return what it would change. `reason`: free text, kept outside the log.
    """

    id: RequestId
    act_id: UUID
    act: Plain
    reason: Reason = ""
    preview: bool = False
    after: Version | UUID | None = None


class UndoRequestAtDesk(Request):
    """Makes the state as of version `to` current again. `preview`: only return what that undoes."""

    id: RequestId
    to: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    after: Version | UUID | None = None
    reason: Reason = ""
    preview: bool = False


class MovedResponse(Struct):
    """A row of a stage's standings moved by a change; places before and after.

    `before` and `after`: the place, from 1.
    """

    stage: int
    entrant: int
    before: int
    after: int


class BlastResponse(Struct):
    """The effects of a change. `undone`: entries that would no longer count.

    `stale`: tables (round, table) that would no longer fit their bracket. `into`, `out_of`: who
    would enter or leave a cut (stage, entrant). `redrawn`: rounds that would be paired differently
    now, and how many of their tables; they stay until somebody changes them.

    `act`: the new one; null where something is taken back. `moved`: rows of the standings that
    would move.
    """

    act: Plain | None
    undone: list[int]
    moved: list[MovedResponse]
    stale: list[list[int]]
    into: list[list[int]]
    out_of: list[list[int]]
    redrawn: list[list[int]]
    followers: list[FollowerChange]
