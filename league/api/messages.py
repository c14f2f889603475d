"""The shapes of what webhooks are sent, as `league.happenings` and `league.delivering` make it."""

from collections.abc import Mapping
from typing import Generic, Literal, TypeVar
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from league import happenings
from league.delivering import TEST
from matches.api.shapes import Moment
from rules.ruleset import Outcome

Fact = TypeVar("Fact")


class Message(Struct, Generic[Fact]):
    """One message, signed as Standard Webhooks says. Answer any 2xx within five seconds.

    `timestamp`: when the last entry it knows of was recorded, the same in every attempt. The time
    of an attempt is in the header `webhook-timestamp`.
    """

    type: str
    timestamp: Moment
    data: Fact


class Told(Struct, omit_defaults=True, kw_only=True):
    """What a message is about. Unless it `stands`, the rest is left out.

    `names`: those of the entries in it, by id. `url`: the full data.
    """

    tournament: str
    stands: bool
    url: str | UnsetType = UNSET
    names: dict[str, str] | UnsetType = UNSET


class TableSeated(Struct):
    """A table of a round.

    `entries`: the ids of those who sit there, in seat order.
    """

    table: int
    entries: list[UUID]


class PairingsTold(Told):
    """The pairings of a round.

    `byes`: the ids of the entries that have a bye. `tables`: those of the round, with who sits
    there.
    """

    round: int
    stage: int | UnsetType = UNSET
    tables: list[TableSeated] | UnsetType = UNSET
    byes: list[UUID] | UnsetType = UNSET


class SeatTold(Struct):
    """A seat in a result; without a score if none was counted.

    `score`: null if none was counted. `absent`: they did not come. `place`: theirs at the table,
    from 1.
    """

    entry: UUID
    score: int | None
    place: int
    absent: bool


class ResultTold(Told):
    """A table's result; `corrected`: how many times.

    `status`: of the table.
    """

    round: int
    table: int
    stage: int | UnsetType = UNSET
    status: str | UnsetType = UNSET
    seats: list[SeatTold] | UnsetType = UNSET
    corrected: int | UnsetType = UNSET


class StandingTold(Struct):
    """A row of the standings; without points in a bracket."""

    place: int
    entry: UUID
    points: str | None


class StandingsTold(Told):
    """The standings after a round.

    `rows`: best first.
    """

    round: int
    stage: int | UnsetType = UNSET
    rows: list[StandingTold] | UnsetType = UNSET


class PlaceTold(Struct):
    """A place at the end."""

    place: int
    entry: UUID


class FinishTold(Told):
    """The end of a tournament.

    `places`: of all entries, best first.
    """

    places: list[PlaceTold] | UnsetType = UNSET


class EndTold(Told):
    """The end of a match at a table.

    `game`: which game of the table it was.
    """

    match: str
    round: int
    table: int
    game: int | UnsetType = UNSET
    outcome: Outcome | UnsetType = UNSET


class TestTold(Struct):
    """What a test says."""

    league: str


class PairingsMessage(Message[PairingsTold]):
    """The pairings of a round are published."""

    type: Literal["pairings.published"]


class ResultMessage(Message[ResultTold]):
    """A result counts, or was corrected."""

    type: Literal["result.recorded"]


class StandingsMessage(Message[StandingsTold]):
    """A round is finished, with the standings after it."""

    type: Literal["standings.written"]


class FinishMessage(Message[FinishTold]):
    """A tournament is finished, with the final places."""

    type: Literal["tournament.finished"]


class EndMessage(Message[EndTold]):
    """A match at a table is finished."""

    type: Literal["match.finished"]


class TestMessage(Message[TestTold]):
    """A test that somebody asked for."""

    type: Literal["webhook.test"]


MESSAGES: Mapping[str, type[Struct]] = {
    happenings.PAIRINGS: PairingsMessage,
    happenings.RESULT: ResultMessage,
    happenings.STANDINGS: StandingsMessage,
    happenings.FINISHED: FinishMessage,
    happenings.MATCH: EndMessage,
    TEST: TestMessage,
}
