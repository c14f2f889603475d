"""Claims of guests by accounts, and by other guests."""

from uuid import UUID

from msgspec import Struct

from matches.api.shapes.base import Moment, Request
from matches.api.shapes.people import PlayerResponse


class ClaimLink(Struct):
    """A link by which an account takes over a guest, once and until it expires."""

    token: str
    url: str
    expires_at: Moment


class ClaimPart(Struct):
    """How many of one kind, and the names of the first few."""

    what: str
    count: int
    names: list[str]


class ClaimOffer(Struct):
    """What an account would take over."""

    guest: PlayerResponse
    expires_at: Moment
    parts: list[ClaimPart]


class MergeRequest(Request):
    """Into which other guest a guest is merged."""

    into: UUID


class ClaimResponse(Struct):
    """Which player took over which guest, and whether that was undone."""

    guest: UUID
    player: UUID | None
    taken_at: Moment | None
    undo_until: Moment
    undone_at: Moment | None
