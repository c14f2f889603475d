"""Who records a match, and acts that wait to be decided."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from matches.api.shapes.base import Plain, Request, Version


class ScribeAnswer(Struct):
    """Who records a match, and since when. `you`: on this device, or for the same player."""

    id: UUID
    name: str
    seat: int | None
    since: datetime
    you: bool


class StandingAnswer(Struct, omit_defaults=True):
    """The scribe of a match; null when there is none, or it was idle for `idle_after` seconds.

    `proposals` wait to be decided. `device` is the signed name of yours: send it as `X-Device`.
    """

    scribe: ScribeAnswer | None
    proposals: int
    idle_after: int
    device: str = ""


class TakeRequest(Request):
    """Take over from the scribe you saw; null where there was none."""

    over: UUID | None


class LeaseRequest(Request):
    """`id`: the scribe's, as answered."""

    id: UUID


class ProposalAnswer(Struct, kw_only=True, omit_defaults=True):
    """An act that was kept. `same_as`: the version of an entry that says the same."""

    id: UUID
    act: Plain
    text: str
    kept_at: datetime
    state: str
    by: str = ""
    after: str = ""
    irregular: bool = False
    note: str = ""
    said_at: datetime | None = None
    version: int | None = None
    same_as: int | None = None
    decided_at: datetime | None = None
    decided_by: str = ""


class ProposalsQuery(Request):
    state: Literal["open", "accepted", "merged", "dismissed"] = "open"


class Proposals(Struct):
    """In the order they were kept."""

    results: list[ProposalAnswer]


class DecisionRequest(Request):
    """What becomes of a proposal. `irregular`: it stood, to accept; `version`: to merge with."""

    decision: Literal["accept", "merge", "dismiss"]
    irregular: bool = False
    version: Version | None = None
