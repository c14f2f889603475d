"""Tournaments: their settings, and what the caller may do."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from league.api.shapes.base import Code, Slug, Small, Text, Title
from league.models import MAX_HOURS, Tournament
from matches.api.shapes import LogStatus, Moment, Page, Plain, Request, Status, Word, among
from rules.desk.limits import MAX_APPEAL

Hours = Annotated[int, Meta(ge=0, le=MAX_HOURS)]
CostClass = Annotated[str, Meta(max_length=40)]
Timezone = Annotated[str, Meta(max_length=40)]
Visibility = Literal["public", "entrants"]
Decks = Literal["none", "optional", "required"]
SharedPrizes = Literal["split", "order"]
RoundMinutes = Annotated[int, Meta(ge=0, le=1440)]
Circuits = Annotated[
    list[UUID],
    Meta(max_length=12, description="the ids of circuits of its `season` for which it counts"),
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
    `stage-started` acts, with `name` and `cut`. `league` and `venue` are slugs. `like`: the code of
    a tournament that you organise, from which everything not sent is copied.
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
    enters: Literal["player", "character", "krewe"] = "player"
    decks: Decks = "optional"
    sign_up: bool = True
    self_report: bool = True
    shared_prizes: SharedPrizes = "split"
    remind_hours: Hours = 24
    round_minutes: RoundMinutes | None = None
    circuits: Circuits = []
    like: Code = ""
    id: UUID | None = None


class TournamentChange(Request):
    """The settings around a desk; fields left out stay as they are.

    `starts_at`: null for none. `division`: 0 for none.
    """

    title: Title | None = None
    about: Text | None = None
    cost_class: CostClass | None = None
    timezone: Timezone | None = None
    starts_at: Moment | UnsetType | None = UNSET
    visibility: Visibility | None = None
    decks: Decks | None = None
    decks_shown: bool | None = None
    sign_up: bool | None = None
    self_report: bool | None = None
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
    """A tournament as in lists, as far as the caller may know."""

    code: str
    title: str
    ruleset: str
    league: str
    venue: str
    starts_at: Moment | None
    status: LogStatus
    headline: str
    version: int
    url: str


class DeskRights(Struct):
    """What the caller may do here. `entrant`: their entrant number, 0 for none."""

    record: bool
    rule: bool
    organise: bool
    entrant: int


class TournamentResponse(TournamentLine):
    """A tournament: its head, its settings, and links."""

    log: UUID
    hash: str
    about: str
    options: Plain
    desk: Plain
    stages: list[Plain]
    cost_class: str
    timezone: str
    visibility: Annotated[str, among(Tournament.Visibility.values)]
    enters: Annotated[str, among(Tournament.Enters.values)]
    decks: Annotated[str, among(Tournament.Decks.values)]
    decks_shown: bool
    sign_up: bool
    self_report: bool
    shared_prizes: Annotated[str, among(Tournament.SharedPrizes.values)]
    remind_hours: int
    round_minutes: int
    season: UUID | None
    division: int | None
    circuits: list[UUID]
    closed_at: Moment | None
    may: DeskRights
    links: dict[str, str]


class ListedTournament(TournamentLine):
    """A tournament in a list.

    `place`: where the player or the character asked for came in at the end, else null.
    """

    place: int | None


class Tournaments(Page[ListedTournament]):
    """One page: follow `next` until it is null."""
