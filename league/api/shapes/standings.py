"""Standings, the numbers that break ties, and what is sure of a cut."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from league.api.shapes.base import StageOrLast, TournamentQuery


class StandingsQuery(TournamentQuery):
    stage: StageOrLast = None
    after: Annotated[
        Annotated[int, Meta(ge=0, le=4096)] | None,
        Meta(description="as they were after this round"),
    ] = None
    tiebreaks: Annotated[
        str,
        Meta(
            max_length=120,
            pattern=r"^[a-z0-9@,-]*$",
            description="codes with commas: what the standings would be if these broke ties",
        ),
    ] = ""
    terms: Annotated[bool, Meta(description="with the parts every number is made of")] = False


class TermResponse(Struct, omit_defaults=True):
    """One term of a number: the opponent or round it comes from, and whether it counts."""

    value: str
    who: int = 0
    round: int = 0
    of: str = ""
    counted: bool = True
    why: str = ""


class TiebreakResponse(Struct, omit_defaults=True):
    """A tie-break's value: exact, and to six decimals; `how` it is made up of its `terms`."""

    code: str
    name: str
    value: str | None
    decimal: str
    how: str = ""
    floor: str = ""
    cap: str = ""
    terms: list[TermResponse] = []


class StandingRow(Struct):
    """`place` counts among all entrants. `group` counts from 1, or is 0 in a stage without groups.

    The tie-breaks are those of the group's own table. `annulled`: what they played in the stage
    counts for nobody.
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
    annulled: bool
    tiebreaks: list[TiebreakResponse]


class ContestedPlace(Struct):
    """A place if the first report of a disputed table stands, and if the other does."""

    entrant: int
    name: str
    if_reported: int
    if_claimed: int


class Contested(Struct):
    """A disputed table, what two there reported, and the places that depend on it."""

    round: int
    table: int
    reported: list[int]
    claimed: list[int]
    places: list[ContestedPlace]


class Standings(Struct):
    """A stage's standings at a version, best first. `provisional`: a result is not settled yet.

    `below` lists entrants who missed the cut into the stage; their places follow those of the
    stage.
    """

    version: int
    stage: int
    results: list[StandingRow]
    below: list[StandingRow]
    contested: list[Contested]


class ClinchQuery(Struct):
    size: Annotated[int, Meta(ge=1, le=4096, description="how many go through")]
    stage: StageOrLast = None


class ReachResponse(Struct):
    """The best and worst place an entrant can still reach. `exact`: both can really occur."""

    entrant: int
    name: str
    call: Literal["safe", "live", "out"]
    best: int
    worst: int
    exact: bool


class Clinched(Struct):
    stage: int
    size: int
    results: list[ReachResponse]
