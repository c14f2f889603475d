"""The tables of a round, and the matches opened at them."""

from typing import Literal

from msgspec import Struct

from matches.api.shapes import MatchResponse, Moment, Request

TableStatus = Literal["open", "reported", "disputed", "settled"]


class ProposedTime(Struct):
    """A time that an entrant at a table proposed to play.

    `by`: the number of that entrant.
    """

    by: int
    at: Moment


class TableResponse(Struct):
    """A table. `names` in seat order; `scores` as reported; `matches` opened at it.

    `appeal` against an official's ruling: `may` be made, is `open`, `rejected` or `granted`.
    `called` is who asks for an official, 0 for nobody. `plays_at` is the time agreed; `proposed`
    since are others, the newest last.

    `slot`: the match of a bracket, empty elsewhere. `absent`: the numbers of those who did not
    come. `changed`: it was made by hand. `drawn`: how many games were drawn. `lost`: everybody at
    it lost. `by`: the number of who reported, 0 for an official or nobody. `players`: their
    numbers, in seat order. `status`: open until a result is reported; disputed while two reports
    differ; settled once it counts.
    """

    round: int
    table: int
    slot: str
    players: list[int]
    names: list[str]
    status: TableStatus
    scores: list[int]
    drawn: int
    absent: list[int]
    lost: bool
    by: int
    changed: bool
    corrected: int
    appeal: Literal["", "may", "open", "rejected", "granted"]
    called: int
    plays_at: Moment | None
    proposed: list[ProposedTime]
    matches: list[str]


class Pairings(Struct):
    version: int
    results: list[TableResponse]


class OpenTableRequest(Request):
    """An empty request body."""


class TableMatchResponse(MatchResponse):
    """The match of a table, with the fields of any match; `match` repeats its `code`."""

    match: str
