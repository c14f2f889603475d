"""The books: the ledger, trades, goals and favours."""

from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from characters.api.shapes.base import Money, Name, Serials
from characters.shown import GoalTold, ItemTold
from characters.telling import EntryTold, Wanted
from matches.api.shapes import Making, Request

Way = Annotated[str, Meta(max_length=12, pattern=r"^[a-z]*$")]
Part = Annotated[str, Meta(max_length=80)]


class LedgerQuery(Request):
    """Which lines, how many a page has at most, and from where on, as `next` says it.

    `q` is a part of what a line says, `item` of a serial or a name; `person` and `place` of those
    that a line names; `since` and `until` are days.
    """

    character: UUID
    method: Way = ""
    q: Part = ""
    item: Part = ""
    person: Part = ""
    place: Part = ""
    since: date | None = None
    until: date | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 200
    cursor: Annotated[int, Meta(ge=1)] | None = None

    @property
    def wanted(self) -> Wanted:
        days = self.since, self.until
        return Wanted(self.method, self.q, self.item, self.person, self.place, *days)


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


class LedgerPage(LedgerAnswer):
    """One page of the books: follow `next` until it is null."""

    next: str | None


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


class TradeRequest(Making):
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
    """One page: follow `next` until it is null."""

    results: list[TradeAnswer]
    next: str | None
    previous: str | None


class GoalRequest(Making):
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


class FavourRequest(Making):
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
