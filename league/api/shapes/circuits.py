"""Circuits, their qualifiers, and the places in their finals."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from league.api.shapes.base import Code, Small
from league.api.shapes.seasons import AdjustmentResponse
from league.circuits import BREAKS
from league.models import Circuit
from league.seasons import MAX_SIZES
from matches.api.shapes import Making, Moment, Name, Page, PlayerName, Request, among

ByPlace = Annotated[list[Small], Meta(min_length=1, max_length=128)]
Players = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,3}$", description="a number of players")]
BySize = Annotated[dict[Players, ByPlace], Meta(min_length=1, max_length=MAX_SIZES)]


OF_BEST = "how many results of each player count, the best ones; 0: all"
Best = Annotated[int, Meta(ge=0, le=100, description=OF_BEST)]
OF_DIRECT = "places in the final from each tournament"
Direct = Annotated[int, Meta(ge=0, le=64, description=OF_DIRECT)]
OF_BY_RANKING = "further places in the final, by points"
ByRanking = Annotated[int, Meta(ge=0, le=64, description=OF_BY_RANKING)]
OF_PASS_DOWN = Meta(
    description="where the place of a player who is in already goes: to the next of that "
    "tournament, or by points"
)
PassDown = Annotated[Literal["tournament", "ranking"], OF_PASS_DOWN]


class CircuitRequest(Making):
    """A circuit: tournaments of a season whose points add up.

    `points` are for the first, second … place, or one such list per minimum number of players:
    `{"8": [5, 3], "16": [9, 6, 3]}`. `season` is its id.
    """

    season: UUID
    name: Name
    points: ByPlace | BySize
    best: Best = 0
    direct: Direct = 0
    by_ranking: ByRanking = 0
    pass_down: PassDown = "tournament"
    about: Annotated[str, Meta(max_length=2000)] = ""


class CircuitChange(Request):
    """Fields left out stay as they are. `final` is a tournament's code, empty for none yet.

    `points` as in a `CircuitRequest`. `removed` deletes a circuit that nothing belongs to.
    """

    name: Name | None = None
    points: ByPlace | BySize | None = None
    best: Best | None = None
    direct: Direct | None = None
    by_ranking: ByRanking | None = None
    pass_down: PassDown | None = None
    about: Annotated[str, Meta(max_length=2000)] | None = None
    final: Code | None = None
    removed: bool | None = None


class QualifierEnd(Request):
    """A tournament that is to stop counting for a circuit."""

    tournament: Code


class QualifierRequest(Request):
    """A tournament that counts for a circuit, or is its `final`. `tier` multiplies its points.

    `direct`: places in the final that it gives, null for as many as the circuit says. `final`: it
    is the final; else it counts.
    """

    tournament: Code
    final: bool = False
    tier: Annotated[int, Meta(ge=1, le=10)] = 1
    direct: Annotated[int, Meta(ge=0, le=64)] | None = None


class InvitationRequest(Request):
    """Whether `player` comes to the final; an organiser may name a `replacement`.

    `comes`: true if so.
    """

    player: UUID
    comes: bool
    replacement: UUID | None = None


class GotResponse(Struct):
    """A result in one tournament with `field` players, `sharing` of whom share the place.

    `counted`: it is among those that count for the total.
    """

    tournament: str
    place: int
    points: int
    counted: bool
    field: int
    sharing: int


class OutlookResponse(Struct):
    """A player's chance of a place in the final: `in`, `waiting` or `declined`, and why.

    `call` is `safe` or `out` if that holds whatever happens in the remaining tournaments; `needs`
    are the fewest points at one of them that guarantee a place, null if unknown.

    `status`: whether they have a place as things stand. `why`: in words. `call`: `safe` or `out` if
    that holds whatever happens in the remaining tournaments.
    """

    status: Literal["in", "waiting", "declined"]
    why: str
    call: Literal["safe", "live", "out"]
    needs: int | None


class CircuitRow(Struct):
    """A row of the table. `outlook` is null as of an earlier tournament, and without a final.

    `points` are those of the results that count with the `adjustments`. `ahead_by`: the tie-break
    that puts it ahead of the next row with the same points, else empty. `moved`: places up since
    the tournament before, down if below 0.

    `got`: the result in each tournament.
    """

    place: int
    player: UUID
    name: PlayerName
    points: int
    got: list[GotResponse]
    outlook: OutlookResponse | None
    ahead_by: Annotated[str, among(("", *BREAKS))]
    adjustments: list[AdjustmentResponse]
    moved: int


class QualifiedResponse(Struct):
    """A place in the final, and how it was earned. `passed`: over whom it was passed down.

    `answer`: `accepted`, `declined`, or empty while they have not said whether they come.
    """

    player: UUID
    name: PlayerName
    why: str
    passed: list[str]
    answer: str


class QualifierResponse(Struct):
    """A tournament that counts for a circuit, by its code. `tier` multiplies its points.

    `direct`: places in the final that it gives.
    """

    tournament: str
    title: str
    tier: int
    closed: bool
    starts_at: Moment | None


class CircuitLine(Struct):
    id: UUID
    season: UUID
    name: str
    url: str


class CircuitResponse(CircuitLine):
    """A circuit as computed from its closed tournaments. `after` of them are counted.

    `rule` says in a sentence how it counts. `points` as in a `CircuitRequest`. `qualifiers` are its
    tournaments, `final` is the code of its final, empty for none yet. `qualified` are the places in
    the final as things stand. `table`: the rows, best first. `after`: how many are counted.
    `so_far` is the code of the tournament that is counted as it stands, empty for none.
    """

    rule: str
    about: str
    points: list[int] | dict[str, list[int]]
    best: Best
    direct: Direct
    by_ranking: ByRanking
    pass_down: Annotated[str, among(Circuit.PassDown.values), OF_PASS_DOWN]
    after: int
    qualifiers: list[QualifierResponse]
    final: str
    table: list[CircuitRow]
    qualified: list[QualifiedResponse]
    so_far: str


class Circuits(Page[CircuitLine]):
    """One page: follow `next` until it is null."""


class CircuitQuery(Request):
    after: Annotated[
        Annotated[int, Meta(ge=0, le=100)] | None,
        Meta(description="as it stood after this many tournaments"),
    ] = None
    so_far: Annotated[
        bool, Meta(description="as if the tournament under way ended now; without `after`")
    ] = False


class CircuitsQuery(Request):
    season: Annotated[UUID | None, Meta(description="only those of this season")] = None
