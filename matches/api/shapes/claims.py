"""Claims of guests by accounts, and by other guests."""

from uuid import UUID

from msgspec import Struct

from matches.api.shapes.base import Moment, Request
from matches.api.shapes.people import PlayerResponse


class ClaimLink(Struct):
    """A link by which an account takes over a guest, once and until it expires.

    `token`: the last part of `claims/{token}/`. `url`: the page of the link.
    """

    token: str
    url: str
    expires_at: Moment


class ClaimPart(Struct):
    """How many of one kind, and the names of the first few.

    `what`: the kind, such as matches. `count`: how many. `names`: of the first few.
    """

    what: str
    count: int
    names: list[str]


class ClaimOffer(Struct):
    """What an account would take over.

    `guest`: who would be taken over. `parts`: what comes along.
    """

    guest: PlayerResponse
    expires_at: Moment
    parts: list[ClaimPart]


class MergeRequest(Request):
    """Into which other guest a guest is merged.

    `into`: the id of that guest.
    """

    into: UUID


class ClaimResponse(Struct):
    """Which player took over which guest, and whether that was undone.

    `guest`: the id of who was taken over. `player`: the id of who took over, null until
    somebody has. `taken_at`: when. `undo_until`: how long it can be undone. `undone_at`: when
    it was undone.
    """

    guest: UUID
    player: UUID | None
    taken_at: Moment | None
    undo_until: Moment
    undone_at: Moment | None
