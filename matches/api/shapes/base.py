"""Shapes that several subjects share."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar
from uuid import UUID

from msgspec import Meta, Struct

from matches import canonical
from matches.models import Log


def among(values: Iterable[str]) -> Meta:
    """Return what the schema says of a text in an answer that is always one of these."""
    return Meta(extra_json_schema={"enum": sorted(values)})


Name = Annotated[str, Meta(min_length=1, max_length=80)]
PlayerName = Annotated[str, Meta(description="the name of the player")]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
After = Annotated[Version, Meta(description="the version of the last entry you have")]
At = Annotated[Version | None, Meta(description="a version of the log: as it was then")]
Word = Annotated[
    str,
    Meta(
        max_length=40,
        pattern=r"^[a-z0-9@-]*$",
        description="the key of a game, with its version if you like: zg, score@1",
    ),
]
Reason = Annotated[str, Meta(max_length=canonical.MAX_NOTE)]
Limit = Annotated[int, Meta(ge=1, le=500, description="the most rows of one answer")]
Status = Annotated[Literal["", "open", "ended"], Meta(description="whether they are over")]
Pinned = Annotated[str, Meta(description="the key of its game, with its version: zg@1")]
Headline = Annotated[str, Meta(description="how it stands, in words")]
Shown = Annotated[int, Meta(description="the last entry of its log that you see")]
ShownHash = Annotated[str, Meta(description="the hash of the last entry that you see")]
LogStatus = Annotated[
    str,
    among(Log.Status.values),
    Meta(description="whether it goes on, is over, or was withdrawn from view"),
]
RequestId = Annotated[
    UUID, Meta(description="a UUID of your own: sent again under it, the request is done once")
]
Moment = Annotated[datetime, Meta(extra_json_schema={"format": "date-time"})]
Plain = dict[str, Any]
Row = TypeVar("Row")


class Request(Struct, kw_only=True, forbid_unknown_fields=True):
    """A request body; an unknown field is an error."""


class Making(Request, kw_only=True):
    """A request to create something.

    `id` makes it idempotent: a UUID of your own, under which nothing is made twice.
    """

    id: RequestId | None = None


class EmptyRequest(Request):
    """An empty body."""


class Page(Struct, Generic[Row]):
    """One page of a list, as `Endpoint.page` returns it.

    `next` and `previous`: the addresses of these pages, null where there is none.
    """

    results: list[Row]
    next: str | None
    previous: str | None
