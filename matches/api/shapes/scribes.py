"""The scribe of a match, and proposals."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from matches.api.shapes.base import Moment, Plain, Request, Version, among
from matches.models import Proposal


class ScribeResponse(Struct):
    """The scribe of a match, and since when. `you`: on this device, or for the same player."""

    id: UUID
    name: str
    seat: int | None
    since: Moment
    you: bool


class StandingResponse(Struct, omit_defaults=True):
    """The scribe of a match; null if there is none, or it was idle for `idle_after` seconds.

    `proposals`: how many are open. `device` is the signed id of yours: send it as `X-Device`.

    `scribe`: who it is.
    """

    scribe: ScribeResponse | None
    proposals: int
    idle_after: int
    device: str = ""


class TakeRequest(Request):
    """Take over from the scribe you saw; null if there was none.

    `over`: the id of that scribe, null if there was none.
    """

    over: UUID | None


class LeaseRequest(Request):
    """`id`: the scribe's, as answered."""

    id: UUID


class ProposalResponse(Struct, kw_only=True, omit_defaults=True):
    """An act kept as a proposal. `same_as`: the version of an entry that says the same.

    `kept_at`: when it was kept. `decided_at`: when it was decided; null while it is open.
    `decided_by`: the name of who decided, else empty. `by`: the name of who sent it. `after`: what
    the request named. `version`: that of the entry it became. `irregular`: the act stood against
    the rules. `state`: what became of it. `text`: the act in words.
    """

    id: UUID
    act: Plain
    text: str
    kept_at: Moment
    state: Annotated[str, among(Proposal.State.values)]
    by: str = ""
    after: str = ""
    irregular: bool = False
    note: str = ""
    said_at: Moment | None = None
    version: int | None = None
    same_as: int | None = None
    decided_at: Moment | None = None
    decided_by: str = ""


class ProposalsQuery(Request):
    state: Annotated[
        Literal["open", "accepted", "merged", "dismissed"],
        Meta(description="what became of the proposal"),
    ] = "open"


class Proposals(Struct):
    """In the order they were kept."""

    results: list[ProposalResponse]


class DecisionRequest(Request):
    """The decision on a proposal. `irregular`: it stood, to accept; `version`: to merge with.

    `decision`: to record it as it is, to say that it was logged already, or to put it aside.
    """

    decision: Literal["accept", "merge", "dismiss"]
    irregular: bool = False
    version: Version | None = None
