"""Sheets: pasting them, their audiences, and portraits."""

from datetime import date
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct, field

from characters.api.shapes.base import Money, Name
from characters.models import Audience
from characters.sheet.shapes import (
    Currency,
    Gear,
    Goal,
    Lode,
    ModeDeck,
    Question,
    Section,
    SheetLine,
)
from characters.shown import VisibleGoal, VisibleItem
from matches.api.shapes import Making, Moment, Page, Request, among


class GearOriginRequest(Request):
    """Details of a numbered line of gear: whose name is in it, audience, code of a match.

    `from`: whom the words of a theft refer to: who lost it, who made it, or whose issue it is;
    empty for as it is read. `audience`: who may know; empty for its owner.
    """

    number: Annotated[int, Meta(ge=1, le=500)]
    from_: Literal["", "victim", "maker", "issue"] = field(default="", name="from")
    audience: Literal["", "public", "players", "officials", "owner"] = ""
    match: Annotated[str, Meta(max_length=8)] = ""


class AnswersRequest(Request):
    """Answers to the questions of a preview: the goal's number from 1, the opening in credits.

    `current_goal`: the number of the goal that is pursued now. `opening`: the money before the
    first purchase. `gear`: details of lines of gear. `name`: the name, if the sheet has none.
    """

    name: Name = ""
    current_goal: Annotated[int, Meta(ge=1, le=1000)] | None = None
    opening: Money | None = None
    gear: Annotated[list[GearOriginRequest], Meta(max_length=500)] = []


class PasteRequest(Making):
    """A sheet as text. With `preview` nothing is stored.

    `answers`: answers to the questions that a preview asked. `text`: the sheet.
    """

    text: Annotated[str, Meta(min_length=1)]
    preview: bool = False
    answers: AnswersRequest = field(default_factory=AnswersRequest)


class PasteResponse(Struct):
    """How a text was read. Every non-blank line is in `lines` once.

    `lode`: null if it has none. `unparsed`: lines that were not understood. `questions`: what
    is still to be answered.
    """

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
    lines: list[SheetLine]


class CharactersQuery(Request):
    name: Annotated[
        str,
        Meta(
            max_length=80,
            pattern=r"^[^\x00]*$",
            description="a part of the name, or of its player's",
        ),
    ] = ""
    owner: Annotated[UUID | None, Meta(description="the player who owns the character")] = None
    campaign: Annotated[UUID | None, Meta(description="the campaign it is in")] = None


class CharacterLine(Struct):
    """A character in a list."""

    id: UUID
    name: str
    tagline: str
    owner: UUID
    campaign: UUID | None
    created_at: Moment
    url: str


class Characters(Page[CharacterLine]):
    """One page: follow `next` until it is null."""


SectionAudience = Literal["public", "players", "officials", "owner", "named"]
SheetAudience = Literal["public", "players", "officials", "owner"]


class SectionChange(Request):
    """A part of a sheet by its `key`; fields left out stay unchanged.

    `named`: who may read it if `audience` is `named`.

    `text`: its new words. `key`: which section, as the sheet names it.
    """

    key: Annotated[str, Meta(max_length=20)]
    text: str | None = None
    audience: SectionAudience | None = None
    named: Annotated[list[UUID], Meta(max_length=50)] | None = None


class CharacterChange(Request):
    """Fields left out stay unchanged. `audience`: who may see the character at all."""

    name: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
    tagline: Annotated[str, Meta(max_length=200)] | None = None
    audience: SheetAudience | None = None
    sections: Annotated[list[SectionChange], Meta(max_length=20)] = []


class CharacterPart(Struct, omit_defaults=True):
    """A visible section. Its audience is shown to the owner only.

    `key`: which section, such as diary.
    """

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
    """What the caller may do here.

    `record`: you may enter acts in its books.
    """

    edit: bool
    record: bool


class CharacterQuery(Request):
    as_: Annotated[
        str,
        Meta(
            pattern=r"^(public|players|officials|owner)?$",
            description="whose view: `public`, `players`, `officials` or `owner`",
        ),
    ] = field(default="", name="as")
    on: Annotated[date | None, Meta(description="a past day: the sheet as it was then")] = None


class CharacterResponse(Struct, omit_defaults=True, kw_only=True):
    """A sheet as far as the caller may see it: hidden parts are absent.

    `audience` is shown to its owner only.
    """

    id: UUID
    name: str
    tagline: str = ""
    owner: UUID
    campaign: UUID | None = None
    created_at: Moment
    url: str
    audience: str = ""
    sections: list[CharacterPart]
    mode_deck: ModeDeck | None = None
    maneuvers: list[str] | None = None
    goals: list[VisibleGoal] | None = None
    gear: list[VisibleItem] | None = None
    possessions: list[VisibleItem] | None = None
    lodes: list[CharacterLode] | None = None
    currency: int | None = None
    may: CharacterRights
    links: dict[str, str]


class PortraitRequest(Request):
    """A picture as base64: JPEG, PNG, WebP or GIF. Fields left out stay unchanged.

    `image`: the picture. `audience`: who may see it; empty for who may so far.
    """

    image: bytes | None = None
    audience: Literal["", "public", "players", "officials", "owner"] = ""
    removed: bool = False


class PortraitResponse(Struct):
    """The URL of a portrait, and its size in pixels. `audience` is shown to its owner only.

    `width` and `height`: in pixels. `url`: of the picture.
    """

    url: str
    width: int
    height: int
    audience: Annotated[str, among(("", *Audience.values))]
