"""Standings, and the numbers that break ties."""

from typing import Annotated

from msgspec import Meta, Struct

from league.api.shapes.base import OfTournament


class StandingsQuery(OfTournament):
    """`stage` from 1, the last when not named; `after` a round; `terms` opens every number."""

    stage: Annotated[int, Meta(ge=1, le=64)] | None = None
    after: Annotated[int, Meta(ge=0, le=4096)] | None = None
    terms: bool = False


class TermAnswer(Struct, omit_defaults=True):
    """One part of a number: whom or which round it comes from, and whether it counts."""

    value: str
    who: int = 0
    round: int = 0
    of: str = ""
    counted: bool = True
    why: str = ""


class TiebreakAnswer(Struct, omit_defaults=True):
    """A number that broke a tie: exact, and to six decimals. `how` its terms make it."""

    code: str
    name: str
    value: str | None
    decimal: str
    how: str = ""
    floor: str = ""
    terms: list[TermAnswer] = []


class StandingRow(Struct):
    """`place` is one among all; `group` counts from 1, 0 in a stage without, and its tie-breaks
    are those of its own table.
    """

    place: int
    entrant: int
    name: str
    points: str
    won: int
    drawn: int
    lost: int
    moved: int
    provisional: bool
    group: int
    tiebreaks: list[TiebreakAnswer]


class Standings(Struct):
    """A stage's table at a version, best first. `provisional`: a result is not settled yet.

    `below` are who missed the cut to it: their places go on after those of the stage.
    """

    version: int
    stage: int
    results: list[StandingRow]
    below: list[StandingRow]
