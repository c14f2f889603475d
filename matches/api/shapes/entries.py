"""The entries of a log, and its head."""

from typing import Annotated

from msgspec import Meta, Struct

from matches.api.shapes.base import After, Limit, LogStatus, Plain, Request
from rules.ruleset import Outcome


class Head(Struct):
    """The head of a log now.

    `version`: that of its last entry.
    """

    version: int
    hash: str
    headline: str
    status: LogStatus
    outcome: Outcome | None


Told = Annotated[bool, Meta(description="with each act in words, as the pages tell it")]


class EventsQuery(Request):
    after: After = 0
    told: Told = False
    happened: Annotated[bool, Meta(description="only the entries that still count")] = False
    limit: Limit = 100


class FeedQuery(Request):
    after: Annotated[
        int, Meta(ge=0, le=2**63 - 1, description="the position of the last entry you have")
    ] = 0
    limit: Limit = 100


class EntryResponse(Struct, kw_only=True, omit_defaults=True):
    """An act with all its consequences, and all that its hash covers.

    An entry that you may not see has only `version`, `position`, `hash` and `leaf`. For one that is
    `imported`, the file says who recorded it: that id names nobody here. In the feed, `match` or
    `tournament` is the code. `told` is the act as a sentence, `told_consequences` has one for each
    of the consequences; both only if asked for. Empty fields are left out.
    """

    version: int
    position: int
    hash: str
    match: str = ""
    tournament: str = ""
    leaf: str = ""
    act_id: str = ""
    act: Plain | None = None
    consequences: list[Plain] = []
    irregular: str = ""
    on: int | None = None
    repeats: int | None = None
    state_digest: str = ""
    request_digest: str = ""
    salt: str = ""
    recorded_at: str = ""
    recorded_by: str | None = None
    imported: bool = False
    said_at: str | None = None
    note: str = ""
    told: str = ""
    told_consequences: list[str] = []


class Entries(Struct):
    """Entries in order. Ask again with `after` = `last` for the next ones.

    `last` is less than the `after` that was sent if there are fewer entries than that.
    """

    entries: list[EntryResponse]
    last: int
    more: bool
