"""Careers, and questions after a match."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from characters.aftermath import Prompt
from characters.api.shapes.base import Serial
from characters.career import CareerRecord, Outing
from matches.api.shapes import Page, Request


class AppearancesQuery(Request):
    """Filter by a character, an item's serial or a match's code; at least one is required."""

    character: Annotated[UUID | None, Meta(description="a character that was fielded")] = None
    item: Annotated[Serial, Meta(description="the serial of an item that was fielded")] = ""
    match: Annotated[str, Meta(max_length=8, description="the code of a match")] = ""


class Appearances(Page[Outing]):
    """One page: follow `next` until it is null. `record` sums up a character or an item."""

    record: CareerRecord | None


class Prompts(Struct):
    """Questions after matches; a correction of a match may change them."""

    results: list[Prompt]


class PromptRequest(Request):
    """An answer: taken, or put aside (`take` false). `roll` is the result of a die.

    `take`: true to do what it asks. `item`: the serial of the piece, empty for none.
    """

    character: UUID
    appearance: UUID
    kind: Literal["grudge", "settle", "repair", "return", "goal"]
    item: Serial = ""
    take: bool = True
    roll: Annotated[int, Meta(ge=1, le=6)] | None = None
