"""The catalogue of cards."""

from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct

from matches.api.shapes import Making, Page, Request

Word = Annotated[str, Meta(max_length=80, pattern=r"^[^\x00]*$")]


class CardsQuery(Request):
    q: Annotated[
        str,
        Meta(
            max_length=200,
            pattern=r"^[^\x00]*$",
            description="words of a name and filters: `type:gear colour=red dots>=5 owner:me`",
        ),
    ] = ""
    game: Annotated[Word, Meta(description="the key of a game")] = ""
    slot: Annotated[Word, Meta(description="a slot that the card can take")] = ""
    colour: Annotated[Word, Meta(description="a colour of the card")] = ""
    quality: Annotated[Word, Meta(description="the quality of the card")] = ""
    sort: Annotated[
        Literal["name", "slot", "colour", "quality", "cost", "-cost", "-move", "-range", "-dots"],
        Meta(description="a column, descending with a minus in front; unknown values come last"),
    ] = "name"


class CardRequest(Making):
    """A card in its game's format; it goes into a set of one's own."""

    game: Annotated[str, Meta(max_length=40)]
    card: dict[str, Any]
    set: Annotated[str, Meta(max_length=80)] = ""
    shared: bool = False


class CardChange(Request):
    """Fields left out stay unchanged; `removed` takes it out of the catalogue.

    `set`: the name of another set of its owner, which is made if need be.
    """

    card: dict[str, Any] | None = None
    shared: bool | None = None
    set: Annotated[str, Meta(max_length=80)] | None = None
    removed: bool = False


class CardsImport(Request):
    """Cards as JSON, or as a table whose first line names the columns.

    `set` and `shared` are for the cards that do not say themselves; `shared` for new ones only.
    `update` changes cards that are there already. With `tried`, from the answer to a dry run, the
    import does what that answer says, or nothing. `text`: the file.
    """

    game: Annotated[str, Meta(max_length=40)]
    text: str
    set: Annotated[str, Meta(max_length=80)] = ""
    shared: bool = False
    update: bool = False
    tried: Annotated[str, Meta(max_length=80)] = ""
    dry_run: bool = True


class CardsFile(Struct):
    """Cards in the format of an import: each with its `set`, `id` and whether it is `shared`."""

    cards: list[dict[str, Any]]


class CardResponse(Struct):
    """A card of the catalogue; one without an owner is the site's.

    `revision`: of its face, from 1; a changed face is a new one. `invented`: no source attests it.
    """

    id: UUID
    game: str
    set: str
    owner: UUID | None
    shared: bool
    revision: int
    invented: bool
    card: dict[str, Any]
    url: str


class Cards(Page[CardResponse]):
    """One page: follow `next` until it is null."""


class SetChange(Request):
    """Fields left out stay unchanged; `shared` and `removed` are for all its cards too."""

    name: Annotated[str, Meta(max_length=80)] | None = None
    about: Annotated[str, Meta(max_length=2000)] | None = None
    shared: bool | None = None
    removed: bool = False


class SetResponse(Struct):
    """A set of cards; one without an owner is the site's. `cards`: how many of them you see."""

    id: UUID
    game: str
    name: str
    about: str
    owner: UUID | None
    cards: int
    url: str


class Sets(Page[SetResponse]):
    """One page: follow `next` until it is null."""
