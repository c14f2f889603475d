"""Matches: their seats, states, options and luck, and what is held back of them."""

from typing import Annotated, Any, Literal, get_args
from uuid import UUID

from msgspec import Meta, Struct, field

from matches import cuts
from matches.api.shapes.base import (
    At,
    Headline,
    LogStatus,
    Moment,
    Page,
    Pinned,
    Plain,
    Request,
    RequestId,
    Shown,
    ShownHash,
    Status,
    Version,
    Word,
    among,
)
from matches.api.shapes.corrections import EndingResponse
from matches.models import Match
from rules.fields import Field
from rules.ruleset import Audience, Call, Outcome

Line = Annotated[str, Meta(max_length=120)]
Where = Annotated[Line, Meta(description="where it is played, in words")]
Delay = Annotated[
    int,
    Meta(ge=0, le=cuts.MAX_DELAY, description="how many seconds later the public sees it"),
]
Physical = Annotated[
    bool, Meta(description="played on a table; otherwise on screens, where the site draws")
]
Sanctioned = Annotated[bool, Meta(description="only a named official rules, not whoever opened it")]
Held = Annotated[bool, Meta(description="results are off for the public until released")]
OF_VISIBILITY = Meta(description="who may watch: everybody, or the table and its officials")


class SeatRequest(Request):
    """A seat: a player by id, or a guest by name; and the deck as the ruleset takes it.

    `name`: a guest's name; empty for nobody yet. `player`: the id of who sits there; null for a
    guest or nobody.
    """

    player: UUID | None = None
    name: Annotated[str, Meta(max_length=80)] = ""
    label: Annotated[str, Meta(max_length=80)] = ""
    deck: Any = None


Visibility = Annotated[Literal["public", "table"], OF_VISIBILITY]


class MatchRequest(Request):
    """A match to open. `id` makes it idempotent.

    `options` are the game's, by default all as usual.
    """

    ruleset: Word
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=8)]
    options: Plain = {}
    id: RequestId | None = None
    title: Line = ""
    place: Where = ""
    physical: Physical = True
    sanctioned: Sanctioned = False
    visibility: Visibility = "public"
    held: Held = False
    delay: Delay = 0


class ImportQuery(Request):
    id: Annotated[UUID | None, Meta(description="makes the import of notation idempotent")] = None


class MatchesQuery(Request):
    ruleset: Word = ""
    status: Status = ""
    player: Annotated[UUID | None, Meta(description="somebody who sat in the match")] = None


class SeatResponse(Struct):
    """A seat of a match.

    `name`: the name of who sits there, empty while nobody does. `player`: the id of who sits
    there, null while nobody does.
    """

    seat: int
    label: str
    name: str
    player: UUID | None


class MatchLine(Struct):
    """A match as lists show it.

    All of it as far as you may know: `held` says that results are off for the public, `delay` how
    many seconds late the public sees it.
    """

    code: str
    title: str
    place: Where
    ruleset: Pinned
    status: LogStatus
    headline: Headline
    version: Shown
    physical: Physical
    sanctioned: Sanctioned
    visibility: Annotated[str, among(Match.Visibility.values), OF_VISIBILITY]
    started_at: Moment
    ended_at: Moment | None
    held: Held
    delay: Delay
    seats: list[SeatResponse]
    url: str


class Matches(Page[MatchLine]):
    """One page: follow `next` until it is null."""


class Rights(Struct):
    """What you may do here."""

    record: bool
    rule: bool
    manage: bool


class MatchResponse(MatchLine):
    """A match: its head, its table, and links to all below it.

    `log`: the id of its log. `options`: all that it is played under. `imported`: how many of its
    first entries came in a file, which the opener sent. `officials`: the ids of players. `seats` in
    their order.

    `may`: what you may do here.
    """

    log: UUID
    hash: ShownHash
    options: Plain
    opener: UUID | None
    imported: int
    officials: list[UUID]
    may: Rights
    links: dict[str, str]


class StateQuery(Request):
    at: At = None
    happened: Annotated[
        bool, Meta(description="with `at`: as it happened, not as it was believed then")
    ] = False
    as_: Annotated[
        str,
        Meta(
            pattern=r"^([0-9]{1,9}|officials|public)?$",
            description="whose view: the number of a seat, `officials` or `public`",
        ),
    ] = field(default="", name="as")

    @property
    def audience(self) -> Audience | None:
        match self.as_:
            case "officials" | "public" as group:
                return group
            case seat:
                return int(seat) if seat else None


class StateResponse(Struct):
    """The state at a version, as one audience may know it. `digest` is that of the entry.

    As it happened, `version` is the entry that counts in place of the one asked for.

    `audience`: whose view it is: the number of a seat, `officials` or `public`. `state`: as the
    game has it.
    """

    version: int
    audience: int | str
    digest: str
    headline: str
    outcome: Outcome | None
    state: Plain


class OptionsQuery(Request):
    seat: Annotated[int | None, Meta(description="the choices of this seat alone")] = None


class OfferResponse(Struct):
    """One kind of act that is legal now: each field with the values it may have.

    Fields are independent of one another. A field that is not named is not sent.

    `seat`: whose it is; null for an act of nobody's, which is sent without one. `fields`: what
    each may hold, by name.
    """

    type: str
    seat: int | None
    fields: dict[str, Field]


class StepResponse(Struct):
    """A step along the log: the version `to` send to `take-back/`, and the act it is about."""

    to: int
    version: int
    act: Plain


class OptionsResponse(Struct):
    """What is legal now, and where undo and redo would lead.

    `offers`: the acts that are legal. `undo` and `redo`: where these lead; null where there is
    nothing you may take back.
    """

    version: int
    offers: list[OfferResponse]
    undo: StepResponse | None
    redo: StepResponse | None


class CutRequest(Request):
    """What is held back from the public; fields not sent stay as they are.

    `held`: results are off until released; sent for a match that its tournament holds, that does
    not release it any more. `delay`: seconds. `upto`: show the public this much of a
    match that stays held; what was public once stays public.
    """

    held: bool | None = None
    delay: Delay | None = None
    visibility: Visibility | None = None
    upto: Version | None = None


class CutResponse(Struct):
    """What is held back from the public: it is shown up to `version` of `head`.

    `head`: the last version of the log. `held`: results are off for the public until released.
    `delay`: how many seconds later the public sees it. `visibility`: who may watch.
    """

    held: bool
    delay: int
    visibility: Annotated[str, among(Match.Visibility.values)]
    version: int
    head: int


class SideLuck(Struct):
    """One side's luck: how many draws were reckoned, and the strikes that came of them.

    `expected`: those to expect, a fraction in text.

    `draws`: how many. `came`: the strikes.
    """

    seat: int
    draws: int
    expected: str
    came: int


class LuckResponse(Struct):
    """The luck of a match that is over, by side."""

    seats: list[SideLuck]


class SideWent(Struct):
    """What a side has `now` of what it counts, such as its gear, and the most it ever had.

    `now`: what it has left. `most`: the most it ever had.
    """

    seat: int
    most: int
    now: int


class TurningResponse(Struct):
    """An entry after which a side had another number `left` than before; in the order of seats.

    `version`: that of the entry.
    """

    version: int
    left: list[int]


class WentResponse(Struct):
    """How a match went; `leads`: how often another side came to have the most.

    `turnings`: the entries after which something changed.
    """

    seats: list[SideWent]
    leads: int
    turnings: list[TurningResponse]


class WhatIfRequest(Request):
    """Options to judge the match under; those left out keep their values."""

    options: Plain


class JudgedResponse(Struct):
    """How an act is judged and what follows from it.

    `code`, `clause` and `why`, a sentence, are empty for a legal act. `told_consequences` has a
    sentence for each of the `consequences`.

    `call`: what the rules say of it: irregular is against them but may stand, impossible can
    mean nothing.
    """

    call: Annotated[str, among(get_args(Call))]
    code: str
    clause: str
    why: str
    consequences: list[Plain]
    told_consequences: list[str]


class WhatIfChange(Struct):
    """An act that would have gone otherwise; `told` is its sentence.

    `before`: how it was judged. `after`: how it would have been.
    """

    version: int
    act: Plain
    told: str
    before: JudgedResponse
    after: JudgedResponse


class WhatIfResponse(Struct):
    """What other options would have changed, of `asked` acts, and how the match would stand.

    `before`: how it stands. `after`: how it would have stood.
    """

    asked: int
    changes: list[WhatIfChange]
    before: EndingResponse
    after: EndingResponse
