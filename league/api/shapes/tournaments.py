"""Tournaments: their settings, and what the caller may do."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from league.api.shapes.base import Code, Slug, Small, Text, Title
from league.models import MAX_HOURS, Tournament
from matches.api.shapes import (
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
    Word,
    among,
)
from rules.desk.limits import MAX_APPEAL

CostClass = Annotated[
    str, Meta(max_length=40, description="the class of character or deck, in words")
]
Timezone = Annotated[
    str,
    Meta(
        max_length=40,
        description="where it is played, as Europe/Berlin; empty: that of the venue, else UTC",
    ),
]
OF_VISIBILITY = Meta(description="who sees it: everybody, or who takes part and its officials")
Visibility = Annotated[Literal["public", "entrants"], OF_VISIBILITY]
OF_ENTERS = Meta(description="who enters: players, their characters, or krewes by their captains")
Enters = Annotated[Literal["player", "character", "krewe"], OF_ENTERS]
OF_DECKS = Meta(
    description="whether decks are registered: none, by who likes, or a legal one to check in"
)
Decks = Annotated[Literal["none", "optional", "required"], OF_DECKS]
DecksShown = Annotated[bool, Meta(description="everybody may read the registered decks")]
SignUp = Annotated[
    bool, Meta(description="players enter themselves; otherwise organisers enter everybody")
]
SelfReport = Annotated[
    bool, Meta(description="players report their own results; otherwise only officials do")
]
OF_SHARED_PRIZES = Meta(
    description="what those who share a place win: their money together, divided, or each the "
    "prize of the place they have in the final order"
)
SharedPrizes = Annotated[Literal["split", "order"], OF_SHARED_PRIZES]
Hours = Annotated[
    int,
    Meta(
        ge=0,
        le=MAX_HOURS,
        description="how many hours before it begins and before deadlines players get a letter; "
        "0: never",
    ),
]
RoundMinutes = Annotated[
    int, Meta(ge=0, le=1440, description="how many minutes a round lasts; 0: no clock")
]
Circuits = Annotated[
    list[UUID],
    Meta(
        max_length=12,
        description="the ids of circuits for which it counts; without a `season` it is of theirs",
    ),
]
Stages = Annotated[list[Plain], Meta(max_length=12)]


class DeskOptions(Request):
    """`cap`: how many may enter, 0 for any number. `check_in`: pair only those checked in.

    `confirmed_only`: a player's report counts once it is confirmed. `appeal_minutes`: how long
    after it was recorded a ruling may be appealed, 0 for never.
    """

    cap: Small = 0
    check_in: bool = False
    confirmed_only: bool = False
    appeal_minutes: Annotated[int, Meta(ge=0, le=MAX_APPEAL)] = 0


class TournamentRequest(Request):
    """A tournament of a game. `id` makes the request idempotent.

    `ruleset` and `options` are the game's, `desk` the tournament's own. `stages` are the planned
    `stage-started` acts, with `name` and `cut`. `league` and `venue` are slugs, `season` is the id
    of one of that league. `round_minutes` is by default as in the floor rules of the game. `like`:
    the code of a tournament that you organise, from which everything not sent is copied.
    """

    title: Title
    ruleset: Word = "zg"
    options: Plain = {}
    desk: DeskOptions = field(default_factory=DeskOptions)
    stages: Stages = []
    league: Slug = ""
    season: UUID | None = None
    venue: Slug = ""
    about: Text = ""
    cost_class: CostClass = ""
    timezone: Timezone = ""
    starts_at: Moment | None = None
    visibility: Visibility = "public"
    enters: Enters = "player"
    decks: Decks = "optional"
    sign_up: SignUp = True
    self_report: SelfReport = True
    shared_prizes: SharedPrizes = "split"
    remind_hours: Hours = 24
    round_minutes: RoundMinutes | None = None
    circuits: Circuits = []
    like: Code = ""
    id: RequestId | None = None


class TournamentChange(Request):
    """The settings around a desk; fields left out stay as they are.

    `starts_at`: null for none. `division`: the id of one of its season, 0 for none. `stages` are
    planned anew, all of them.
    """

    title: Title | None = None
    about: Text | None = None
    cost_class: CostClass | None = None
    timezone: Timezone | None = None
    starts_at: Moment | UnsetType | None = UNSET
    visibility: Visibility | None = None
    decks: Decks | None = None
    decks_shown: DecksShown | None = None
    sign_up: SignUp | None = None
    self_report: SelfReport | None = None
    shared_prizes: SharedPrizes | None = None
    remind_hours: Hours | None = None
    round_minutes: RoundMinutes | None = None
    division: Annotated[int, Meta(ge=0)] | None = None
    stages: Stages | None = None


class TournamentsQuery(Request):
    league: Slug = ""
    season: Annotated[UUID | None, Meta(description="only those of this season")] = None
    ruleset: Word = ""
    status: Status = ""
    player: Annotated[UUID | None, Meta(description="somebody who was entered")] = None
    character: Annotated[UUID | None, Meta(description="a character that was entered")] = None


class TournamentLine(Struct):
    """A tournament as in lists, as far as the caller may know.

    `league` and `venue` are slugs, empty for none.
    """

    code: str
    title: str
    ruleset: Pinned
    league: str
    venue: str
    starts_at: Moment | None
    status: LogStatus
    headline: Headline
    version: Shown
    url: str


class DeskRights(Struct):
    """What the caller may do here. `entrant`: their entrant number, 0 for none.

    `record`: you may record acts at the desk. `rule`: you may rule and correct.
    """

    record: bool
    rule: bool
    organise: bool
    entrant: int


class TournamentResponse(TournamentLine):
    """A tournament: its head, its settings, and links.

    `league` and `venue` are slugs, empty for none. `log`: the id of its log. `options` are the
    game's, `desk` the tournament's own. `stages` are the planned ones: to start the next, record
    `cut-made` with its `cut` as `size`, if that is not 0, then `stage-started` with its other
    fields without the `name`. `season`, `division` and `circuits` are the ids of what it counts in.
    """

    log: UUID
    hash: ShownHash
    about: str
    options: Plain
    desk: Plain
    stages: list[Plain]
    cost_class: CostClass
    timezone: Timezone
    visibility: Annotated[str, among(Tournament.Visibility.values), OF_VISIBILITY]
    enters: Annotated[str, among(Tournament.Enters.values), OF_ENTERS]
    decks: Annotated[str, among(Tournament.Decks.values), OF_DECKS]
    decks_shown: DecksShown
    sign_up: SignUp
    self_report: SelfReport
    shared_prizes: Annotated[str, among(Tournament.SharedPrizes.values), OF_SHARED_PRIZES]
    remind_hours: Hours
    round_minutes: RoundMinutes
    season: UUID | None
    division: int | None
    circuits: list[UUID]
    closed_at: Moment | None
    may: DeskRights
    links: dict[str, str]


class ListedTournament(TournamentLine):
    """A tournament in a list, with the fields of `TournamentLine`.

    `place`: where the player or the character asked for came in at the end, else null.
    """

    place: int | None


class Tournaments(Page[ListedTournament]):
    """One page: follow `next` until it is null."""
