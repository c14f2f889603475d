"""The shapes of requests and answers about characters."""

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from characters.aftermath import Prompt
from characters.career import Outing, Record
from characters.loadouts import Flaw
from characters.sheet.shapes import Currency, Gear, Goal, Line, Lode, ModeDeck, Question, Section
from characters.shown import GoalTold, ItemTold
from characters.telling import EntryTold
from matches.api.shapes import MatchRequest, Request, SeatRequest

Name = Annotated[str, Meta(max_length=200)]
Money = Annotated[int, Meta(ge=0, le=9_999_999)]


class AnswersRequest(Request):
    """Answers to the questions of a preview: the goal's number from 1, the opening in credits."""

    name: Name = ""
    current_goal: Annotated[int, Meta(ge=1, le=1000)] | None = None
    opening: Money | None = None


class PasteRequest(Request):
    """A sheet as text. With `preview` nothing is kept."""

    text: Annotated[str, Meta(min_length=1)]
    preview: bool = False
    answers: AnswersRequest = field(default_factory=AnswersRequest)


class PasteAnswer(Struct):
    """What a text was read as. Every line that is not blank stands once in `lines`."""

    name: str
    tagline: str
    sections: list[Section]
    mode_deck: ModeDeck
    maneuvers: list[str]
    goals: list[Goal]
    gear: list[Gear]
    currency: Currency
    possessions: list[str]
    lode: Lode | None
    unparsed: list[str]
    questions: list[Question]
    lines: list[Line]


class CharactersQuery(Request):
    """`name` is a part of it; `owner` a player."""

    name: Annotated[str, Meta(max_length=80, pattern=r"^[^\x00]*$")] = ""
    owner: UUID | None = None
    campaign: UUID | None = None


class CharacterLine(Struct):
    """A character as lists show it."""

    id: UUID
    name: str
    tagline: str
    owner: UUID
    campaign: UUID | None
    created_at: datetime
    url: str


class Characters(Struct):
    """One page: follow `next` until it is null."""

    results: list[CharacterLine]
    next: str | None
    previous: str | None


class CharacterPart(Struct, omit_defaults=True):
    """A section one may know. Its audience is told to the owner alone."""

    key: str
    title: str
    text: str
    audience: str = ""
    named: list[str] = []


class CharacterLode(Struct):
    name: str
    serial: str
    artifex: list[str]


class CharacterRights(Struct):
    """What the asker may do here."""

    edit: bool
    record: bool


class CharacterQuery(Request):
    as_: Annotated[str, Meta(pattern=r"^(public|players|officials|owner)?$")] = field(
        default="", name="as"
    )


class CharacterAnswer(Struct, omit_defaults=True, kw_only=True):
    """A sheet, as far as the asker may know it: what is hidden is not there."""

    id: UUID
    name: str
    tagline: str = ""
    owner: UUID
    campaign: UUID | None = None
    created_at: datetime
    url: str
    sections: list[CharacterPart]
    mode_deck: ModeDeck | None = None
    maneuvers: list[str] | None = None
    goals: list[GoalTold] | None = None
    gear: list[ItemTold] | None = None
    possessions: list[ItemTold] | None = None
    lodes: list[CharacterLode] | None = None
    currency: int | None = None
    may: CharacterRights
    links: dict[str, str]


class PortraitRequest(Request):
    """A picture as base64: JPEG, PNG, WebP or GIF. What is left out stays as it is."""

    image: bytes | None = None
    audience: Literal["", "public", "players", "officials", "owner"] = ""
    removed: bool = False


class PortraitAnswer(Struct):
    """Where a portrait is, and how large, in dots."""

    url: str
    width: int
    height: int


# -- the books --------------------------------------------------------------------------------

Serial = Annotated[str, Meta(max_length=10)]
Serials = Annotated[list[Serial], Meta(max_length=50)]
Way = Annotated[str, Meta(max_length=12, pattern=r"^[a-z]*$")]


class OfCharacterQuery(Request):
    character: UUID


class LedgerQuery(Request):
    character: UUID
    method: Way = ""
    limit: Annotated[int, Meta(ge=1, le=1000)] = 200


class GearAnswer(Struct):
    """All that a character holds: zGear, possessions, lodes and artifex."""

    results: list[ItemTold]


class LifeAnswer(Struct):
    """An item, and its life as far as the asker may know it."""

    serial: str
    name: str
    kind: str
    card: UUID | None
    holder: UUID | None
    life: list[EntryTold]


class LedgerAnswer(Struct):
    """Lines of the books, and the balance now where the asker may know it."""

    results: list[EntryTold]
    balance: int | None


class LedgerRequest(Request):
    """An act of the books. `line` is gear by the grammar of a sheet, with how it came.

    Of another `kind` it is a lode with its artifex, `Ego Lode - one artifex + another`, or what a
    possession or an artifex is called. `amount` is what was paid for something new that was
    bought, else money that came or went.

    `items` are serials; `out`: it goes instead of coming. `price` is what a repair costs or a
    sale brings. `id` makes it safe to send again.
    """

    id: UUID
    character: UUID
    method: Way = ""
    line: Name = ""
    items: Serials = []
    amount: Money | None = None
    out: bool = False
    price: Money | None = None
    kind: Literal["piece", "possession", "lode", "artifex"] = "piece"
    party: Name = ""
    place: Name = ""
    context: Name = ""
    certainty: Literal["certain", "probable", "claimed", "disputed"] = "certain"
    audience: Literal["", "public", "players", "officials", "owner"] = ""
    happened_on: date | None = None


class CoverRequest(Request):
    """How something came, as those are told who do not know: `audience` is whom it is told."""

    id: UUID
    character: UUID
    method: Way
    audience: Literal["public", "players", "officials"] = "public"
    party: Name = ""
    place: Name = ""
    context: Name = ""
    certainty: Literal["certain", "probable", "claimed", "disputed"] = "certain"


class CoverAnswer(Struct):
    """A story, and the entry it covers."""

    id: int
    covers: int
    method: str
    audience: str


class UndoRequest(Request):
    id: UUID
    character: UUID
    reason: Name = ""


class TradeRequest(Request):
    """What `character` gives and pays, and what it wants and asks for it."""

    character: UUID
    to: UUID
    gives: Serials = []
    wants: Serials = []
    pays: Money = 0
    asks: Money = 0
    method: Literal["traded", "gift", "lent", "returned", "won"] = "traded"


class TradeDecision(Request):
    decision: Literal["accept", "decline"]


class TradeAnswer(Struct):
    id: UUID
    character: UUID
    to: UUID
    gives: list[str]
    wants: list[str]
    pays: int
    asks: int
    method: str
    status: str


class Trades(Struct):
    results: list[TradeAnswer]


class GoalRequest(Request):
    character: UUID
    text: Annotated[str, Meta(min_length=1, max_length=200)]


class GoalChange(Request):
    """What is left out stays as it is."""

    text: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    current: bool | None = None
    reached: bool | None = None
    reached_on: date | None = None
    removed: bool = False


class Goals(Struct):
    results: list[GoalTold]


DiaryAudience = Literal["public", "players", "officials", "owner", "named"]
"""Whom an entry of a diary is for; `named` is whoever may read the diary."""


class FavourRequest(Request):
    """`about` is a character, `who` somebody without a sheet; `told`: the other side may know."""

    character: UUID
    kind: Literal["favour", "grudge"]
    text: Annotated[str, Meta(min_length=1, max_length=500)]
    about: UUID | None = None
    who: Name = ""
    told: bool = False
    match: Annotated[str, Meta(max_length=8)] = ""
    audience: DiaryAudience = "named"


class FavourChange(Request):
    """What is left out stays as it is."""

    text: Annotated[str, Meta(min_length=1, max_length=500)] | None = None
    told: bool | None = None
    settled: bool | None = None
    audience: DiaryAudience | None = None


class FavourAnswer(Struct):
    id: UUID
    kind: str
    character: UUID
    about: UUID | None
    who: str
    text: str
    told: bool
    match: str
    since: datetime
    settled_at: datetime | None


class Favours(Struct):
    results: list[FavourAnswer]


# -- moves and campaigns ------------------------------------------------------------------------


class MoveRequest(Request):
    """A character is offered `to` a player, or asks to join a `campaign`: one of both."""

    character: UUID
    to: UUID | None = None
    campaign: UUID | None = None


class MoveAnswer(Struct):
    id: UUID
    character: UUID
    name: str
    by: UUID
    to: UUID | None
    campaign: UUID | None
    status: str


class Moves(Struct):
    results: list[MoveAnswer]


class MovesQuery(Request):
    """Of a `character` of one's own, or of a `campaign` one runs; else what waits for oneself."""

    character: UUID | None = None
    campaign: UUID | None = None


class LeaveRequest(Request):
    character: UUID


class CampaignRequest(Request):
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    game: Annotated[str, Meta(max_length=40)] = "zg"


class CampaignChange(Request):
    """What is left out stays as it is. `officials` are players with an account."""

    name: Annotated[str, Meta(min_length=1, max_length=80)] | None = None
    after_slag: Literal["whole", "repair", "roll", "lost"] | None = None
    repair_price: Annotated[int, Meta(ge=0, le=9999)] | None = None
    officials: Annotated[list[UUID], Meta(max_length=50)] | None = None


class CampaignAnswer(Struct):
    """A campaign. `after_slag`: what was slagged in a match is afterwards."""

    id: UUID
    name: str
    game: str
    owner: UUID
    officials: list[UUID]
    after_slag: str
    repair_price: int
    url: str


class Campaigns(Struct):
    """One page: follow `next` until it is null."""

    results: list[CampaignAnswer]
    next: str | None
    previous: str | None


class ChangeTold(Struct):
    """A change of a sheet: what stood there, and what stands there now."""

    what: str
    before: str
    after: str
    changed_at: datetime
    changed_by: str


class Changes(Struct):
    """One page: follow `next` until it is null."""

    results: list[ChangeTold]
    next: str | None
    previous: str | None


# -- the catalogue ----------------------------------------------------------------------------

Word = Annotated[str, Meta(max_length=80, pattern=r"^[^\x00]*$")]


class CardsQuery(Request):
    """`q` is an operator string: words of a name, `type:gear colour=red dots>=5 owner:me`."""

    q: Annotated[str, Meta(max_length=200, pattern=r"^[^\x00]*$")] = ""
    game: Word = ""
    slot: Word = ""
    colour: Word = ""
    quality: Word = ""


class CardRequest(Request):
    """A card as its game takes it; it goes into a set of one's own."""

    game: Annotated[str, Meta(max_length=40)]
    card: dict[str, Any]
    set: Annotated[str, Meta(max_length=80)] = ""
    shared: bool = False


class CardChange(Request):
    """What is left out stays as it is."""

    card: dict[str, Any] | None = None
    shared: bool | None = None


class CardsImport(Request):
    """Cards as JSON or as a table whose first line names the columns."""

    game: Annotated[str, Meta(max_length=40)]
    text: str
    set: Annotated[str, Meta(max_length=80)] = ""
    shared: bool = False
    dry_run: bool = True


class CardsFile(Struct):
    """Cards as they are taken in."""

    cards: list[dict[str, Any]]


class CardFlaw(Struct):
    """What is wrong with a card of a file: its number from 1; 0 is the file itself."""

    card: int
    where: str
    code: str
    detail: str


class CardsImported(Struct):
    cards: int
    kept: bool
    problems: list[CardFlaw]


class CardAnswer(Struct):
    """A card of the catalogue; one without an owner is the site's."""

    id: UUID
    game: str
    set: str
    owner: UUID | None
    shared: bool
    revision: int
    invented: bool
    card: dict[str, Any]
    url: str


class Cards(Struct):
    """One page: follow `next` until it is null."""

    results: list[CardAnswer]
    next: str | None
    previous: str | None


# -- loadouts, and fielding them --------------------------------------------------------------

LoadoutName = Annotated[str, Meta(min_length=1, max_length=80)]


class LoadoutRequest(Request):
    """Gear picked for a deck, by serial. `shared`: others who see the gear may field it."""

    character: UUID
    name: LoadoutName
    items: Serials = []
    game: Annotated[str, Meta(max_length=40)] = "zg"
    class_: Annotated[str, Meta(max_length=20)] = field(default="standard", name="class")
    with_modes: bool = True
    shared: bool = False


class LoadoutChange(Request):
    """What is left out stays as it is."""

    name: LoadoutName | None = None
    items: Serials | None = None
    class_: Annotated[str, Meta(max_length=20)] | None = field(default=None, name="class")
    with_modes: bool | None = None
    shared: bool | None = None
    removed: bool = False


class LoadoutAnswer(Struct):
    """A loadout: its deck as a match takes it, its cost, and all that is wrong with it.

    `cost_unknown` cards have no known cost; `most` is what the class allows, if it sets a limit.
    """

    id: UUID
    character: UUID
    name: str
    game: str
    class_: str = field(name="class")
    with_modes: bool
    shared: bool
    items: list[str]
    cost: int
    cost_unknown: int
    most: int | None
    problems: list[Flaw]
    deck: dict[str, Any]
    url: str


class Loadouts(Struct):
    results: list[LoadoutAnswer]


class GearChange(Request):
    """Which card of the catalogue a piece is; null makes it a blank again."""

    card: UUID | None


class FieldedSeat(SeatRequest):
    """A seat, with a deck or with a `loadout` of a character, whose player sits there unless
    another is named."""

    loadout: UUID | None = None


class FieldedMatchRequest(MatchRequest):
    """A match to be opened. `id` makes it safe to send again."""

    seats: Annotated[list[FieldedSeat], Meta(min_length=1, max_length=8)]  # type: ignore[assignment]


# -- careers, and what is asked after a match -------------------------------------------------


class AppearancesQuery(Request):
    """Of a character, an item by its serial, or a match by its code; one of them at least."""

    character: UUID | None = None
    item: Serial = ""
    match: Annotated[str, Meta(max_length=8)] = ""


class Appearances(Struct):
    """One page: follow `next` until it is null. `record` sums up a character or an item."""

    results: list[Outing]
    next: str | None
    previous: str | None
    record: Record | None


class Prompts(Struct):
    """What is asked after matches; a correction of a match changes it."""

    results: list[Prompt]


class PromptRequest(Request):
    """An answer: taken, or put aside (`take` false). `roll` is what a die shows."""

    character: UUID
    appearance: UUID
    kind: Literal["grudge", "settle", "repair", "return", "goal"]
    item: Serial = ""
    take: bool = True
    roll: Annotated[int, Meta(ge=1, le=6)] | None = None
