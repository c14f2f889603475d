"""The shapes of requests and answers: exact types, which also write the OpenAPI schema."""

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from league.models import MOST_HOURS
from matches.api.shapes import (
    DeckAnswer,
    FollowerChange,
    Plain,
    Request,
    SpinsAnswer,
    Version,
    Word,
)

Title = Annotated[str, Meta(min_length=1, max_length=120)]
Short = Annotated[str, Meta(max_length=80)]
LeagueName = Annotated[str, Meta(min_length=1, max_length=80)]
Text = Annotated[str, Meta(max_length=4000)]
Small = Annotated[int, Meta(ge=0, le=4096)]
Code = Annotated[str, Meta(max_length=20, pattern=r"^[A-Za-z0-9]*$")]
Slug = Annotated[str, Meta(max_length=60, pattern=r"^[a-z0-9-]*$")]
Seed = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Hours = Annotated[int, Meta(ge=0, le=MOST_HOURS)]


# -- venues and leagues ---------------------------------------------------------------------


class VenueRequest(Request):
    """A place where tournaments are played."""

    name: LeagueName
    region: Short = ""
    about: Text = ""
    lore: Text = ""


class VenueChange(Request):
    """What is not named stays as it is."""

    name: LeagueName | None = None
    region: Short | None = None
    about: Text | None = None
    lore: Text | None = None


class VenueAnswer(Struct):
    """A venue; `place` is the address of the place of the stories it is at, empty for none."""

    slug: str
    name: str
    region: str
    about: str
    lore: str
    url: str
    place: str = ""


class PlaceLine(Struct):
    """A place that the games' stories tell of."""

    slug: str
    name: str
    game: str
    where: str
    line: str
    url: str


class FactOfPlace(Struct):
    what: str
    which: str


class SectionOfPlace(Struct):
    title: str
    text: str


class DatedEvent(Struct):
    year: str
    text: str


AudienceOfPlace = Literal["public", "players", "organisers"]
CalendarOfPlace = Literal["story", "real"]
Day = Annotated[str, Meta(max_length=10, pattern=r"^(\d{4}(-\d\d(-\d\d)?)?)?$")]
TextOfPlace = Annotated[str, Meta(min_length=1, max_length=4000)]


class PlaceTextRequest(Request):
    """A text about a place, in the name of `league`; empty is the site, for its superusers.

    One that says `when` (`2110-05-31`, `2110-05`, `2110`) tells of an event, by the story's
    calendar or by ours.
    """

    title: Title
    text: TextOfPlace
    league: Slug = ""
    audience: AudienceOfPlace = "public"
    when: Day = ""
    calendar: CalendarOfPlace = "story"


class PlaceTextChange(Request):
    """What is not named stays as it is; `version` is the one that was read."""

    version: Version
    title: Title | None = None
    text: TextOfPlace | None = None
    audience: AudienceOfPlace | None = None
    when: Day | None = None
    calendar: CalendarOfPlace | None = None
    is_removed: bool | None = None


class PlaceTextAnswer(Struct):
    """A text that a league's organisers added to a place, as far as one may know of it."""

    id: UUID
    place: str
    league: str
    title: str
    text: str
    audience: str
    when: str
    calendar: str
    version: int
    is_removed: bool
    url: str


class PlaceTexts(Struct):
    """One page: follow `next` until it is null."""

    results: list[PlaceTextAnswer]
    next: str | None
    previous: str | None


class PlaceAnswer(PlaceLine):
    """What is told of it; `venues` that are there, and the newest `tournaments` played there.

    `facts`, `sections` and `dated` ship with the site; `texts` were added by organisers.
    """

    facts: list[FactOfPlace]
    dated: list[DatedEvent]
    sections: list[SectionOfPlace]
    venues: list[str]
    tournaments: list[str]
    texts: list[PlaceTextAnswer]


class Places(Struct):
    """All there are, and the `words` that are used of them."""

    results: list[PlaceLine]
    words: dict[str, str]


class Venues(Struct):
    """One page: follow `next` until it is null."""

    results: list[VenueAnswer]
    next: str | None
    previous: str | None


class LeagueRequest(Request):
    """A league. `venue` is the slug of the one it is at home at."""

    name: LeagueName
    game: Word = "zg"
    about: Text = ""
    house_rules: Text = ""
    venue: Slug = ""
    is_open: bool = True


class LeagueChange(Request):
    """What is not named stays as it is."""

    name: LeagueName | None = None
    about: Text | None = None
    house_rules: Text | None = None
    is_open: bool | None = None


class MemberAnswer(Struct):
    player: UUID
    name: str
    role: str


class LeagueLine(Struct):
    slug: str
    name: str
    game: str
    venue: str
    is_open: bool
    url: str


class LeagueAnswer(LeagueLine):
    """A league, with who runs it. `players` counts who joined."""

    about: str
    house_rules: str
    officials: list[MemberAnswer]
    players: int


class Leagues(Struct):
    """One page: follow `next` until it is null."""

    results: list[LeagueLine]
    next: str | None
    previous: str | None


class MemberRequest(Request):
    """Join as a player, or (as an organiser) give `player` a role."""

    player: UUID | None = None
    role: Literal["organiser", "judge", "scorekeeper", "player"] = "player"


class RoleRequest(Request):
    """Whose role, and which."""

    player: UUID
    role: Literal["organiser", "judge", "scorekeeper", "player"]


class RoleChangeAnswer(Struct):
    """A role that was `given`, or else taken; `by` whom and when."""

    player: UUID
    name: str
    role: str
    given: bool
    by: UUID | None
    at: datetime


class RolesAnswer(Struct):
    """Who is what, and what was given and taken so far, newest first."""

    members: list[MemberAnswer]
    changes: list[RoleChangeAnswer]


class KreweRequest(Request):
    """A krewe of which who asks is captain; `players` are of the league."""

    name: LeagueName
    players: Annotated[list[UUID], Meta(max_length=40)] = []


class KreweChange(Request):
    """Who comes in, leads, or leaves: the captain's to say and organisers', and of oneself.

    `removed` takes away a krewe that never entered a tournament.
    """

    add: UUID | None = None
    captain: UUID | None = None
    remove: UUID | None = None
    removed: bool | None = None


class KreweAnswer(Struct):
    id: UUID
    league: str
    name: str
    captain: UUID
    players: list[UUID]


class Krewes(Struct):
    """One page: follow `next` until it is null."""

    results: list[KreweAnswer]
    next: str | None
    previous: str | None


class SanctionRequest(Request):
    """A ban until `ends_on`, or an exile, which has no end."""

    player: UUID
    reason: Annotated[str, Meta(min_length=1, max_length=2000)]
    kind: Literal["ban", "exile"] = "ban"
    ends_on: date | None = None


class LiftRequest(Request):
    """Nothing more to say."""


class SanctionAnswer(Struct):
    id: int
    player: UUID
    name: str
    kind: str
    starts_on: date
    ends_on: date | None
    lifted_on: date | None
    reason: str


class PenaltyAnswer(Struct):
    tournament: str
    player: UUID | None
    name: str
    infraction: str
    penalty: str
    demerits: int
    given_at: datetime


class RecordOfDiscipline(Struct):
    """Bans and exiles of a league, and the penalties of its tournaments, newest first."""

    sanctions: list[SanctionAnswer]
    penalties: list[PenaltyAnswer]


# -- webhooks -------------------------------------------------------------------------------

Address = Annotated[str, Meta(min_length=1, max_length=400)]
Events = Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=20)]


class WebhooksQuery(Request):
    league: Slug = ""


class WebhookRequest(Request):
    """Have an address told what happens in a league; `events` are the kinds it wants."""

    league: Slug
    url: Address
    events: Events


class WebhookChange(Request):
    """What is not named stays as it is."""

    url: Address | None = None
    events: Events | None = None
    is_on: bool | None = None


class NothingMore(Request):
    """Nothing more to say."""


class WebhookAnswer(Struct):
    """`waiting` to be delivered, `dead` were given up. `off_why` when it was switched off."""

    id: UUID
    league: str
    url: str
    events: list[str]
    is_on: bool
    off_why: str
    created_at: datetime
    waiting: int
    dead: int
    links: dict[str, str]


class WebhookMade(WebhookAnswer):
    """`secret` is told this once."""

    secret: str


class Webhooks(Struct):
    """One page: follow `next` until it is null."""

    results: list[WebhookAnswer]
    next: str | None
    previous: str | None


class DeliveriesQuery(Request):
    status: Literal["", "waiting", "delivered", "held", "replaced", "dead"] = ""


class AttemptAnswer(Struct):
    """One try: the status it was answered, or why there was no answer."""

    began_at: datetime
    milliseconds: int | None
    status: int | None
    error: str


class DeliveryAnswer(Struct):
    """A message: `webhook_id` is what its header says; `due_at` while it waits:
    when it is tried next, at the earliest."""

    id: UUID
    webhook_id: str
    type: str
    status: str
    at: datetime
    attempts: int
    due_at: datetime | None
    ended_at: datetime | None
    data: Plain
    tries: list[AttemptAnswer]
    url: str


class Deliveries(Struct):
    """One page: follow `next` until it is null."""

    results: list[DeliveryAnswer]
    next: str | None
    previous: str | None


# -- seasons and circuits -------------------------------------------------------------------


class SeasonRequest(Request):
    """A dated run of a league, named by its slug."""

    league: Slug
    name: LeagueName
    starts_on: date
    ends_on: date
    about: Text = ""
    divisions: Annotated[list[str], Meta(max_length=20)] = []


class RolloverRequest(Request):
    """The next season, with the divisions of this one moved up and down. `preview`: only tell."""

    name: LeagueName
    starts_on: date
    ends_on: date
    preview: bool = False


class DivisionRow(Struct):
    place: int
    player: UUID
    name: str
    points: str
    active: bool
    moves: str


class DivisionAnswer(Struct):
    level: int
    name: str
    up: int
    down: int
    table: list[DivisionRow]


class SeasonLine(Struct):
    id: UUID
    league: str
    name: str
    starts_on: date
    ends_on: date
    url: str


class SeasonAnswer(SeasonLine):
    about: str
    divisions: list[DivisionAnswer]
    circuits: list[UUID]
    tournaments: list[str]
    spins: list[SpinsAnswer]


class Seasons(Struct):
    """One page: follow `next` until it is null."""

    results: list[SeasonLine]
    next: str | None
    previous: str | None


class MoveOfPlayer(Struct):
    player: UUID
    name: str
    level: int
    was: int
    seed: int


class RolloverAnswer(Struct):
    """Where everybody plays next; `season` is null in a preview."""

    moves: list[MoveOfPlayer]
    season: UUID | None


class SeasonsQuery(Request):
    league: Slug = ""


class CircuitRequest(Request):
    """Tournaments of a season whose points add up. `points` of the first, second … place."""

    season: UUID
    name: LeagueName
    points: Annotated[list[Small], Meta(min_length=1, max_length=128)]
    best: Annotated[int, Meta(ge=0, le=100)] = 0
    direct: Annotated[int, Meta(ge=0, le=64)] = 0
    by_ranking: Annotated[int, Meta(ge=0, le=64)] = 0
    pass_down: Literal["tournament", "ranking"] = "tournament"
    about: Annotated[str, Meta(max_length=2000)] = ""


class QualifierRequest(Request):
    """A tournament that counts for a circuit, or is its `final`. `tier` multiplies points."""

    tournament: Code
    final: bool = False
    tier: Annotated[int, Meta(ge=1, le=10)] = 1
    direct: Annotated[int, Meta(ge=0, le=64)] | None = None


class InvitationRequest(Request):
    """Whether `player` comes to the final; an organiser may name a `replacement`."""

    player: UUID
    comes: bool
    replacement: UUID | None = None


class GotAnswer(Struct):
    tournament: str
    place: int
    points: int
    counted: bool


class CircuitRow(Struct):
    place: int
    player: UUID
    name: str
    points: int
    got: list[GotAnswer]


class QualifiedAnswer(Struct):
    """A place in the final, and why it is theirs. `passed`: over whom it was passed down."""

    player: UUID
    name: str
    why: str
    passed: list[str]
    answer: str


class QualifierAnswer(Struct):
    tournament: str
    title: str
    tier: int
    closed: bool


class CircuitLine(Struct):
    id: UUID
    season: UUID
    name: str
    url: str


class CircuitAnswer(CircuitLine):
    """A circuit as its closed tournaments have it. `after` of them are counted."""

    rule: str
    about: str
    after: int
    qualifiers: list[QualifierAnswer]
    final: str
    table: list[CircuitRow]
    qualified: list[QualifiedAnswer]


class Circuits(Struct):
    """One page: follow `next` until it is null."""

    results: list[CircuitLine]
    next: str | None
    previous: str | None


class CircuitQuery(Request):
    after: Annotated[int, Meta(ge=0, le=100)] | None = None


class CircuitsQuery(Request):
    season: UUID | None = None


# -- tournaments ----------------------------------------------------------------------------


class DeskOptions(Request):
    """`cap`: so many may enter, 0 for any number. `check_in`: only who checked in is paired.

    `confirmed_only`: a result that a player reported counts once it is confirmed.
    """

    cap: Small = 0
    check_in: bool = False
    confirmed_only: bool = False


class TournamentRequest(Request):
    """A tournament of a game. `id` makes it safe to send again.

    `ruleset` and `options` are the game's, `desk` those of the tournament itself. `stages`: what
    each `stage-started` will say, and its `name` and `cut`. `league`, `venue` are slugs.
    """

    title: Title
    ruleset: Word = "zg"
    options: Plain = {}
    desk: DeskOptions = field(default_factory=DeskOptions)
    stages: Annotated[list[Plain], Meta(max_length=12)] = []
    league: Slug = ""
    season: UUID | None = None
    venue: Slug = ""
    about: Text = ""
    cost_class: Annotated[str, Meta(max_length=40)] = ""
    timezone: Annotated[str, Meta(max_length=40)] = "UTC"
    starts_at: datetime | None = None
    visibility: Literal["public", "entrants"] = "public"
    enters: Literal["player", "character", "krewe"] = "player"
    decks: Literal["none", "optional", "required"] = "optional"
    sign_up: bool = True
    self_report: bool = True
    shared_prizes: Literal["split", "order"] = "split"
    remind_hours: Hours = 24
    round_minutes: Annotated[int, Meta(ge=0, le=1440)] | None = None
    id: UUID | None = None


class TournamentChange(Request):
    """What stands around a desk; what is not named stays as it is."""

    title: Title | None = None
    about: Text | None = None
    cost_class: Annotated[str, Meta(max_length=40)] | None = None
    timezone: Annotated[str, Meta(max_length=40)] | None = None
    starts_at: datetime | None = None
    visibility: Literal["public", "entrants"] | None = None
    decks: Literal["none", "optional", "required"] | None = None
    decks_shown: bool | None = None
    sign_up: bool | None = None
    self_report: bool | None = None
    shared_prizes: Literal["split", "order"] | None = None
    remind_hours: Hours | None = None
    round_minutes: Annotated[int, Meta(ge=0, le=1440)] | None = None
    stages: Annotated[list[Plain], Meta(max_length=12)] | None = None


class TournamentsQuery(Request):
    league: Slug = ""
    season: UUID | None = None
    ruleset: Word = ""


class TournamentLine(Struct):
    """A tournament as lists show it, as far as the asker may know."""

    code: str
    title: str
    ruleset: str
    league: str
    venue: str
    starts_at: datetime | None
    status: str
    headline: str
    version: int
    url: str


class DeskRights(Struct):
    """What the asker may do here. `entrant`: who they are in it, 0 for nobody."""

    record: bool
    rule: bool
    organise: bool
    entrant: int


class TournamentAnswer(TournamentLine):
    """A tournament: its head, how it is run, and what hangs under it."""

    log: UUID
    hash: str
    about: str
    options: Plain
    desk: Plain
    stages: list[Plain]
    cost_class: str
    timezone: str
    visibility: str
    enters: str
    decks: str
    decks_shown: bool
    sign_up: bool
    self_report: bool
    shared_prizes: str
    remind_hours: int
    round_minutes: int
    season: UUID | None
    closed_at: datetime | None
    may: DeskRights
    links: dict[str, str]


class RoundDateRequest(Request):
    """The dates of the round to come, or the deadline of the one under way; null is none.

    At `pairs_at` it is paired and published in your name; `weekly`: those after it a week later
    each. By its `deadline` it is to be played.
    """

    round: Annotated[int, Meta(ge=1, le=4096)]
    pairs_at: datetime | None = None
    weekly: bool = False
    deadline: datetime | None = None


class RoundDateAnswer(Struct):
    """`obstacle`: for officials, what keeps a round from being paired whose time has come."""

    round: int
    pairs_at: datetime | None
    weekly: bool
    deadline: datetime | None
    obstacle: str


class RoundDates(Struct):
    """The dates of the round under way, and of the one to come, where they have any."""

    results: list[RoundDateAnswer]


class Tournaments(Struct):
    """One page: follow `next` until it is null."""

    results: list[TournamentLine]
    next: str | None
    previous: str | None


class DeskStateQuery(Request):
    at: Version | None = None
    as_: Literal["", "officials", "public"] = field(default="", name="as")


class DeskEventsQuery(Request):
    after: Version = 0
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class OpenTableRequest(Request):
    """Nothing more to say."""


class SeedQuery(Request):
    seed: Seed | None = None
    shadows: bool = False


class ProposeRequest(Request):
    """`seed` decides between pairings of the same cost; drawn by us when it is not named.

    `shadows`: tell beside it how other ways would pair a Swiss round, and what that would cost.
    """

    seed: Seed | None = None
    shadows: bool = False


class CostPart(Struct):
    """A part of what a round costs and the least possible of it; the first weighs most."""

    name: str
    cost: int
    least: int


class TableReason(Struct):
    table: int
    players: list[int]
    why: list[str]


class ByeReason(Struct):
    entrant: int
    why: str


class ForcedAnswer(Struct):
    """Why so many pairs had to meet: between two `groups` nothing is allowed, each needs one of
    the `few`. 0 is the bye."""

    few: list[int]
    groups: list[list[int]]
    pairs: int


class ShadowAnswer(Struct):
    """The round as another way would have it. `floats` is how many pairs are not of one score."""

    way: str
    pairings: list[list[int]]
    byes: list[int]
    cost: list[CostPart]
    floats: int


class ProposalOfRound(Struct):
    """A round as the machine would have it. To record it: `round-paired` with this `seed`.

    `shadows`, where they were asked for: the same round of a Swiss by other ways.
    """

    method: str
    seed: int
    pairings: list[list[int]]
    byes: list[int]
    slots: list[str]
    cost: list[CostPart]
    breaches: list[list[int]]
    tables: list[TableReason]
    bye_reasons: list[ByeReason]
    forced: ForcedAnswer | None
    shadows: list[ShadowAnswer] = []


class ResultRequest(Request):
    """Another result in the place of the one recorded as `act_id`: its fields in `act`.

    `preview`: only tell what it would change. `reason`: in words, kept out of the log.
    """

    id: UUID
    act_id: UUID
    act: Plain
    reason: Annotated[str, Meta(max_length=2000)] = ""
    preview: bool = False
    after: Version | UUID | None = None


class UndoRequestAtDesk(Request):
    """Make the state as at version `to` current again. `preview`: only tell what that undoes."""

    id: UUID
    to: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    after: Version | UUID | None = None
    reason: Annotated[str, Meta(max_length=2000)] = ""
    preview: bool = False


class MovedAnswer(Struct):
    """A row of a stage's standings that a change moves; places before and after."""

    stage: int
    entrant: int
    before: int
    after: int


class BlastAnswer(Struct):
    """What a change moves. `undone`: entries that would count no more.

    `stale`: tables (round, table) that no longer fit their bracket. `into`, `out_of`: who would
    be in and out of a cut (stage, entrant). `redrawn`: rounds the machine would pair otherwise
    now, with how many of their tables; they stay until somebody changes them.
    """

    act: Plain | None
    undone: list[int]
    moved: list[MovedAnswer]
    stale: list[list[int]]
    into: list[list[int]]
    out_of: list[list[int]]
    redrawn: list[list[int]]
    followers: list[FollowerChange]


# -- what is computed -----------------------------------------------------------------------


class OfTournament(Request):
    tournament: Code
    at: Version | None = None


class OfRound(OfTournament):
    round: Annotated[int, Meta(ge=1, le=4096)] | None = None


class StandingsQuery(OfTournament):
    """`stage` from 1, the last when not named; `after` a round; `terms` opens every number."""

    stage: Annotated[int, Meta(ge=1, le=64)] | None = None
    after: Annotated[int, Meta(ge=0, le=4096)] | None = None
    terms: bool = False


class EntryRequest(Request):
    """Somebody enters a tournament: oneself, or (by an organiser) a `player` or a guest's `name`.

    Where it is full, the waiting list. `id` makes it safe to send again.
    """

    tournament: Code
    id: UUID
    player: UUID | None = None
    name: Short = ""
    character: UUID | None = None
    krewe: UUID | None = None
    rating: Annotated[int, Meta(ge=0, le=4000)] = 0
    deck: Any = None
    text: str | None = None


class EntrantAnswer(Struct):
    """Who takes part. `deck`: whether one is registered, and what is wrong with it."""

    id: UUID
    tournament: str
    entrant: int
    name: str
    player: UUID | None
    character: UUID | None
    krewe: UUID | None
    status: str
    checked_in: bool
    rating: int
    place: int | None
    deck: bool
    deck_problems: list[Plain]


class Entrants(Struct):
    version: int
    results: list[EntrantAnswer]


class DeckRegistration(Request):
    """The deck an entry brings, as its game takes it, or as `text`; null takes it back."""

    deck: Any = None
    text: str | None = None


class DeckRegistered(DeckAnswer):
    """All that is wrong with the deck at once; nothing when it is legal."""


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


class RoundAnswer(Struct):
    """A round and why it is paired so. `by_hand`: a hand made it or changed it."""

    round: int
    stage: int
    seed: int
    by_hand: bool
    published: bool
    timed: bool
    closed: bool
    byes: list[int]
    cost: list[CostPart]
    tables: list[TableReason]
    bye_reasons: list[ByeReason]
    proposed: list[list[int]]
    proposed_byes: list[int]
    forced: ForcedAnswer | None


class Rounds(Struct):
    version: int
    results: list[RoundAnswer]


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
    place: int
    entrant: int
    name: str
    points: str
    won: int
    drawn: int
    lost: int
    moved: int
    provisional: bool
    tiebreaks: list[TiebreakAnswer]


class Standings(Struct):
    """A stage's table at a version, best first. `provisional`: a result is not settled yet."""

    version: int
    stage: int
    results: list[StandingRow]


class TableMatchAnswer(Struct):
    """The match of a table: its short code."""

    match: str
    url: str


class PrizeRequest(Request):
    """What a place wins: money, a piece of gear as one line, or both."""

    place: Annotated[int, Meta(ge=1, le=4096)]
    amount: Annotated[int, Meta(ge=0, le=10**9)] = 0
    line: Annotated[str, Meta(max_length=200)] = ""


class ShareAnswer(Struct):
    """What an entry has of a prize."""

    entry: UUID
    name: str
    place: int
    amount: int
    line: str


class PrizeAnswer(Struct):
    """A prize. `shares`: who has what of it, by the final order; what they will have until then.

    `entry` is who was given all of it.
    """

    place: int
    amount: int
    line: str
    entry: UUID | None
    given_at: datetime | None
    shares: list[ShareAnswer]


class Prizes(Struct):
    """The prizes; `shared`: whether those of shared places are `split`, or go by `order`."""

    results: list[PrizeAnswer]
    shared: str


class AwardRequest(Request):
    """Give every prize that was not given yet."""
