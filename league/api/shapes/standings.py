"""Standings, the numbers that break ties, and what is sure of a cut."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from league.api.shapes.base import EntrantName, StageOrLast, TournamentQuery


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
    """One term of a number: the opponent or round it comes from, and whether it counts.

    `value`: what it adds. `who`: the number of the opponent, 0 for none. `of`: the most it
    could have been, where the number is a share. `why`: how it was changed, as a code. `round`
    is 0 for none. `counted`: it is part of the number.
    """

    value: str
    who: int = 0
    round: int = 0
    of: str = ""
    counted: bool = True
    why: str = ""


class TiebreakResponse(Struct, omit_defaults=True):
    """A tie-break's value: exact, and to six decimals; `how` it is made up of its `terms`.

    `value`: exact, a fraction as a text; null if it has none. `decimal`: to six decimals.
    `floor`: what a smaller one was raised to, empty for none. `cap`: what a larger one was
    lowered to, empty for none.
    """

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

    `tiebreaks`: the numbers that break ties, in order. `moved`: places up since the round before,
    down if below 0. `points`: as a text, as it may be a fraction; empty in a bracket.
    `provisional`: a result is not settled yet.
    """

    place: int
    entrant: int
    name: EntrantName
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
    """A place if the first report of a disputed table stands, and if the other does.

    `if_reported`: the place if the first report stands. `if_claimed`: the place if the other
    does.
    """

    entrant: int
    name: EntrantName
    if_reported: int
    if_claimed: int


class Contested(Struct):
    """A disputed table, what two there reported, and the places that depend on it.

    `reported`: the scores as reported first. `claimed`: the scores as reported by another.
    `places`: those that depend on which holds. `round` and `table`: which it is.
    """

    round: int
    table: int
    reported: list[int]
    claimed: list[int]
    places: list[ContestedPlace]


class Standings(Struct):
    """A stage's standings at a version, best first. `provisional`: a result is not settled yet.

    `below` lists entrants who missed the cut into the stage; their places follow those of the
    stage.

    `contested`: disputed tables that decide places.
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
    """The best and worst place an entrant can still reach. `exact`: both can really occur.

    `best` and `worst`: these places, counted among those who have not left. `call`: safe is in the
    cut whatever happens, out never.
    """

    entrant: int
    name: EntrantName
    call: Literal["safe", "live", "out"]
    best: int
    worst: int
    exact: bool


class Clinched(Struct):
    """What is sure of the cut of a stage.

    `size`: how many go through.
    """

    stage: int
    size: int
    results: list[ReachResponse]
