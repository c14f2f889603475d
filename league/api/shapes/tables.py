"""The tables of a round, and the matches opened at them."""

from msgspec import Struct

from matches.api.shapes import MatchAnswer, Request


class TableAnswer(Struct):
    """A table. `names` in the order of the seats; `result` as told; `matches` opened at it."""

    round: int
    table: int
    slot: str
    players: list[int]
    names: list[str]
    status: str
    scores: list[int]
    drawn: int
    absent: list[int]
    lost: bool
    by: int
    changed: bool
    corrected: int
    matches: list[str]


class Pairings(Struct):
    version: int
    results: list[TableAnswer]


class OpenTableRequest(Request):
    """Nothing more to say."""


class TableMatchAnswer(MatchAnswer):
    """The match of a table, as every match is told; `match` is its `code` once more."""

    match: str
