"""The books: the ledger, trades, goals and favours."""

from datetime import date
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from characters.api.shapes.base import Money, Name, Serials
from characters.api.shapes.moves import OfferStatus
from characters.models import Audience, Favour
from characters.shown import VisibleGoal, VisibleItem
from characters.telling import LedgerFilter, VisibleEntry
from matches.api.shapes import Making, Moment, Page, Request, RequestId, among

Method = Literal[
    "", "issued", "bought", "found", "stolen", "won", "gift", "traded", "lent", "returned",
    "repaired", "salvaged", "confiscated", "destroyed", "corrected",
]  # fmt: skip
Way = Annotated[str, Meta(max_length=12, pattern=r"^[a-z]*$")]
Part = Annotated[str, Meta(max_length=80)]


class LedgerQuery(Request):
    character: Annotated[UUID, Meta(description="whose ledger")]
    method: Annotated[Method, Meta(description="how an item or money changed hands")] = ""
    q: Annotated[Part, Meta(description="a part of a line's text")] = ""
    item: Annotated[Part, Meta(description="a part of an item's serial or name")] = ""
    person: Annotated[Part, Meta(description="a part of the name of somebody named in a line")] = ""
    place: Annotated[Part, Meta(description="a part of the name of a place named in a line")] = ""
    since: Annotated[date | None, Meta(description="the first day")] = None
    until: Annotated[date | None, Meta(description="the last day")] = None
    limit: Annotated[int, Meta(ge=1, le=1000, description="the most lines of one answer")] = 200
    cursor: Annotated[
        Annotated[int, Meta(ge=1, le=2**63 - 1)] | None,
        Meta(description="where to go on, as `next` gives it"),
    ] = None

    @property
    def wanted(self) -> LedgerFilter:
        days = self.since, self.until
        return LedgerFilter(self.method, self.q, self.item, self.person, self.place, *days)


class GearResponse(Struct):
    """Everything a character holds: zGear, possessions, lodes and artifex."""

    results: list[VisibleItem]


class LifeResponse(Struct):
    """An item, and its life as far as the caller may know it.

    `holder`: the id of the character who has it now; null if nobody has, or hidden. `life`: the
    lines of the books about it, in order. `card`: the id of the card it is; null for a blank.
    """

    serial: str
    name: str
    kind: str
    card: UUID | None
    holder: UUID | None
    life: list[VisibleEntry]


class LedgerResponse(Struct):
    """Lines of the books, and the current balance if the caller may know it."""

    results: list[VisibleEntry]
    balance: int | None


class LedgerPage(LedgerResponse):
    """One page of the books: follow `next` until it is null."""

    next: str | None


class LedgerRequest(Request):
    """An act of the books. `line` is gear by the grammar of a sheet, with how it came.

    For another `kind` it is a lode with its artifex, `Ego Lode - one artifex + another`, or the
    name of a possession or an artifex. `amount` is the price of something new that was bought,
    otherwise money that came or went.

    `items` are serials; `out`: it goes instead of coming. `price` is the cost of a repair or the
    proceeds of a sale. `id` makes it safe to send again.
    """

    id: RequestId
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
    """A cover story of how something came, for those who do not know; `audience` reads it."""

    id: RequestId
    character: UUID
    method: Way
    audience: Literal["public", "players", "officials"] = "public"
    party: Name = ""
    place: Name = ""
    context: Name = ""
    certainty: Literal["certain", "probable", "claimed", "disputed"] = "certain"


class CoverResponse(Struct):
    """A cover story, and the entry it covers.

    `covers`: the id of the line that it covers.
    """

    id: int
    covers: int
    method: str
    audience: str


class UndoRequest(Request):
    id: RequestId
    character: UUID
    reason: Name = ""


class TradeRequest(Making):
    """What `character` gives and pays, and what it wants and asks for in return.

    `method`: how things change hands.
    """

    character: UUID
    to: UUID
    gives: Serials = []
    wants: Serials = []
    pays: Money = 0
    asks: Money = 0
    method: Literal["traded", "gift", "lent", "returned", "won"] = "traded"


class TradeDecision(Request):
    decision: Literal["accept", "decline"]


class TradeResponse(Struct):
    """An offer of a trade.

    `method`: how things would change hands. `pays` and `asks` are in credits. `status`: whether it
    still waits, or how it was answered.
    """

    id: UUID
    character: UUID
    to: UUID
    gives: list[str]
    wants: list[str]
    pays: int
    asks: int
    method: str
    status: OfferStatus


class Trades(Page[TradeResponse]):
    """One page: follow `next` until it is null."""


class GoalRequest(Making):
    character: UUID
    text: Annotated[str, Meta(min_length=1, max_length=200)]


class GoalChange(Request):
    """Fields left out stay unchanged.

    `reached_on`: the day it was reached; null for today.
    """

    text: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    current: bool | None = None
    reached: bool | None = None
    reached_on: date | None = None
    removed: bool = False


class Goals(Struct):
    results: list[VisibleGoal]


class GoalsAfter(Struct):
    """All goals after a change; `id` is the goal added, changed or removed."""

    id: UUID
    results: list[VisibleGoal]


DiaryAudience = Literal["public", "players", "officials", "owner", "named"]
"""Who may read an entry of a diary; `named` is everyone who may read the diary."""


class FavourRequest(Making):
    """`about` is a character, `who` somebody without a sheet; `told`: the other side may know.

    `about`: the id of the character it is about.
    """

    character: UUID
    kind: Literal["favour", "grudge"]
    text: Annotated[str, Meta(min_length=1, max_length=500)]
    about: UUID | None = None
    who: Name = ""
    told: bool = False
    match: Annotated[str, Meta(max_length=8)] = ""
    audience: DiaryAudience = "named"


class FavourChange(Request):
    """Fields left out stay unchanged.

    `settled`: it is done with.
    """

    text: Annotated[str, Meta(min_length=1, max_length=500)] | None = None
    told: bool | None = None
    settled: bool | None = None
    audience: DiaryAudience | None = None


class FavourResponse(Struct):
    """A favour owed or a grudge borne. `audience` is shown to the owner of the diary only.

    `settled_at`: when it was done with; null while it is open. `about`: the id of the character
    it is about.
    """

    id: UUID
    kind: Annotated[str, among(Favour.Kind.values)]
    character: UUID
    about: UUID | None
    who: str
    text: str
    told: bool
    match: str
    since: Moment
    settled_at: Moment | None
    audience: Annotated[str, among(("", *Audience.values))]


class Favours(Struct):
    results: list[FavourResponse]
