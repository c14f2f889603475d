"""Corrections, and what they would change."""

from uuid import UUID

from msgspec import Struct

from matches.api.shapes.acts import EntryReceipt
from matches.api.shapes.base import Plain, Reason, Request, RequestId, Version
from matches.api.shapes.entries import Head
from rules.ruleset import Outcome


class CorrectRequest(Request):
    """Replace the act with the id `act_id` by another; null strikes it out.

    `preview`: only return what it would change. `after`: the version the preview was made of.
    `irregular`: the new act stood against the rules. `reason`: in words, kept out of the log.

    `act`: what happened instead; null strikes the old one out.
    """

    id: RequestId
    act_id: UUID
    act: Plain | None
    reason: Reason = ""
    preview: bool = False
    after: Version | UUID | None = None
    irregular: bool = False


class ChangeResponse(Struct):
    """An entry that counted, and what it would be.

    `act` and the fields after it are null or empty if it would no longer count. `told` and
    `consequences` are sentences; `irregular` is the code of the rule broken. `left_out` is the code
    of why a later act is left out, `why` its sentence.

    `act_before`, `told_before`, `irregular_before` and `consequences_before` are the same of
    the entry as it is now.
    """

    version: int
    act_before: Plain
    told_before: str
    irregular_before: str
    consequences_before: list[str]
    act: Plain | None
    told: str
    irregular: str
    consequences: list[str]
    left_out: str = ""
    why: str = ""


class EndingResponse(Struct):
    """How the match stands: its headline, and its outcome if it is over."""

    headline: str
    outcome: Outcome | None


class FollowerChange(Struct):
    """What a correction would change elsewhere: the follower, and a sentence.

    `follower`: what follows the log, as a dotted name.
    """

    follower: str
    text: str


class PreviewResponse(Struct):
    """What a correction would do to a log whose head is `head`; recording it gives the same.

    `corrected` is the act itself, `changes` the later ones that turn out differently or are left
    out, `same` how many stay as they are, `hidden` how many you may not see.

    `needs_reason`: it must be sent with a `reason`. `head`: its version, to be sent as `after`.
    `before`: how the match stands. `after`: how it would stand. `version`: that of the act.
    """

    head: int
    version: int
    needs_reason: bool
    corrected: ChangeResponse
    changes: list[ChangeResponse]
    same: int
    hidden: int
    before: EndingResponse
    after: EndingResponse
    followers: list[FollowerChange]


class Receipts(Struct):
    """What one request recorded: a correction and the acts it repeats, or the acts of a bot."""

    version: int
    receipts: list[EntryReceipt]
    head: Head
