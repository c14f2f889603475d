"""Building blocks shared by the shapes of several subjects."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from characters.books import MAX_ITEMS
from characters.ledger import MAX_MONEY
from matches.api.shapes import Request

Name = Annotated[str, Meta(max_length=200)]
Money = Annotated[int, Meta(ge=0, le=MAX_MONEY)]
Serial = Annotated[str, Meta(max_length=10)]
Serials = Annotated[list[Serial], Meta(max_length=MAX_ITEMS)]


class ByCharacterQuery(Request):
    character: Annotated[UUID, Meta(description="whose")]
