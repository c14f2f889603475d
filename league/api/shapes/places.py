"""Venues, places in the games' stories, and organisers' texts about them."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from league.api.shapes.base import Short, Slug, Text, Title
from league.founding import MAX_TABLES
from league.models import PlaceText
from matches.api.shapes import Making, Name, Page, Request, Version, among

Tables = Annotated[int, Meta(ge=1, le=MAX_TABLES)]


class VenueRequest(Making):
    """A venue, where tournaments are played. `tables`: how many it has, null if it is not told.

    `house_rules` are the venue's, of its terrain too.
    """

    name: Name
    region: Short = ""
    timezone: Annotated[str, Meta(max_length=40)] = ""
    tables: Tables | None = None
    about: Text = ""
    house_rules: Text = ""
    lore: Text = ""


class VenueChange(Request):
    """Fields left out stay as they are; null as `tables` removes their number.

    `removed` deletes a venue that nothing belongs to.
    """

    name: Name | None = None
    region: Short | None = None
    timezone: Annotated[str, Meta(max_length=40)] | None = None
    tables: Tables | UnsetType | None = UNSET
    about: Text | None = None
    house_rules: Text | None = None
    lore: Text | None = None
    removed: bool | None = None


class VenueResponse(Struct):
    """A venue; `place` is the slug of the place in the stories where it lies, empty for none.

    `timezone` is empty if the venue has none set. `tables`: how many it has, null if that is not
    told.
    """

    slug: str
    name: str
    region: str
    about: str
    lore: str
    url: str
    place: str = ""
    timezone: str = ""
    tables: int | None = None
    house_rules: str = ""


class Venues(Page[VenueResponse]):
    """One page: follow `next` until it is null."""


class PlaceLine(Struct):
    """A place in the games' stories.

    `line`: what it is, in a line. `where`: where it lies, in words.
    """

    slug: str
    name: str
    game: str
    where: str
    line: str
    url: str


class PlaceFact(Struct):
    """A fact about a place.

    `what`: of which kind. `which`: what it is.
    """

    what: str
    which: str


class PlaceSection(Struct):
    title: str
    text: str


class DatedEvent(Struct):
    """An event in the stories.

    `year`: when, as the stories count.
    """

    year: str
    text: str


AudienceOfPlace = Literal["public", "players", "organisers"]
CalendarOfPlace = Literal["story", "real"]
Day = Annotated[
    str,
    Meta(
        max_length=10,
        pattern=r"^(\d{4}(-\d\d(-\d\d)?)?)?$",
        description="a day, a month or a year, as 2110-05-31, 2110-05 or 2110",
    ),
]
TextOfPlace = Annotated[str, Meta(min_length=1, max_length=4000)]


class PlaceTextRequest(Making):
    """A text about a place, in the name of `league`; if empty, of the site (superusers only).

    A text with `when` (`2110-05-31`, `2110-05`, `2110`) describes an event, dated by the story's
    calendar or by ours.

    `calendar`: whose its day is of: the story's, or ours.
    """

    title: Title
    text: TextOfPlace
    league: Slug = ""
    audience: AudienceOfPlace = "public"
    when: Day = ""
    calendar: CalendarOfPlace = "story"


class PlaceTextChange(Request):
    """Fields left out stay as they are; `version` is the one that was read.

    `when`: the day, month or year of an event. `text`: its new words.
    """

    version: Version
    title: Title | None = None
    text: TextOfPlace | None = None
    audience: AudienceOfPlace | None = None
    when: Day | None = None
    calendar: CalendarOfPlace | None = None
    is_removed: bool | None = None


class PlaceTextResponse(Struct):
    """A text that a league's organisers added to a place.

    `when`: the day, month or year of an event; empty if it is none. `place`: its slug. `version`:
    how often it was changed; a change names it.
    """

    id: UUID
    place: str
    league: str
    title: str
    text: str
    audience: Annotated[str, among(PlaceText.Audience.values)]
    when: str
    calendar: Annotated[str, among(PlaceText.Calendar.values)]
    version: int
    is_removed: bool
    url: str


class PlaceTexts(Page[PlaceTextResponse]):
    """One page: follow `next` until it is null."""


class PlaceResponse(PlaceLine):
    """A place, with the `venues` located there and the newest `tournaments` played there.

    `facts`, `sections` and `dated` ship with the site; `texts` were added by organisers.

    `venues`: slugs. `tournaments`: codes. `sections`: its story.
    """

    facts: list[PlaceFact]
    dated: list[DatedEvent]
    sections: list[PlaceSection]
    venues: list[str]
    tournaments: list[str]
    texts: list[PlaceTextResponse]


class Places(Struct):
    """All places, and the `words` used for them."""

    results: list[PlaceLine]
    words: dict[str, str]
