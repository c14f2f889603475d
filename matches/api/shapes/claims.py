"""Accounts that take over guests."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from matches.api.shapes.people import PlayerAnswer


class ClaimLink(Struct):
    """A link by which an account takes over a guest, once and until then."""

    token: str
    url: str
    expires_at: datetime


class ClaimPart(Struct):
    """So many of one kind, and what the first of them are called."""

    what: str
    count: int
    names: list[str]


class ClaimOffer(Struct):
    """What an account would take over."""

    guest: PlayerAnswer
    expires_at: datetime
    parts: list[ClaimPart]


class ClaimAnswer(Struct):
    """Which guest was taken over by which player, and whether that was undone."""

    guest: UUID
    player: UUID | None
    taken_at: datetime | None
    undo_until: datetime
    undone_at: datetime | None
