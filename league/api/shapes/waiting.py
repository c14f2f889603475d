"""What waits for the caller."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

from characters.api.shapes import MoveResponse, TradeResponse
from league.api.shapes.tables import TableResponse
from matches.api.shapes import MatchLine, Moment


class MatchToLog(Struct):
    """An open match at which you sit; `proposals`: how many acts wait there to be accepted.

    `match`: which it is.
    """

    match: MatchLine
    proposals: int


class AnnouncementResponse(Struct):
    """What was announced at a tournament."""

    text: str
    at: Moment


class PlayingResponse(Struct):
    """A tournament under way in which you play, as number `entrant` (0 before you have one).

    `table`: yours in the open round, with the codes of its matches; null without one, and `bye`
    says whether you have a bye or rest. `deadline`: by when your table is to be played. `check_in`:
    you are asked to say that you are here, by the act `checked-in`.

    `headline`: how the tournament stands, in words.
    """

    tournament: str
    title: str
    headline: str
    entrant: int
    table: TableResponse | None
    bye: Literal["", "bye", "rest"]
    deadline: Moment | None
    announced: list[AnnouncementResponse]
    url: str
    check_in: bool


class RunningResponse(Struct):
    """A tournament that you organise; `due`: the next step there, or what everybody waits for."""

    tournament: str
    title: str
    due: str
    url: str


class InvitationToAnswer(Struct):
    """A place of yours in a circuit's final, and why; you have not said whether you come.

    `final`: its code, empty for none yet. `why`: how it was earned.
    """

    circuit: UUID
    name: str
    final: str
    why: str
    url: str


class NextResponse(Struct):
    """What waits for you, at most thirty of each kind.

    `trades` are offers to characters of yours, `moves` characters offered to you or to a campaign
    that you run.

    `matches`: those to log. `playing`: tournaments in which you play. `running`: tournaments
    that you organise. `invitations`: places in finals that you have not answered.
    """

    matches: list[MatchToLog]
    playing: list[PlayingResponse]
    running: list[RunningResponse]
    trades: list[TradeResponse]
    moves: list[MoveResponse]
    invitations: list[InvitationToAnswer]
