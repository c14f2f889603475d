"""What shapes of several subjects are made of."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta

from matches.api.shapes import Request

Name = Annotated[str, Meta(max_length=200)]
Money = Annotated[int, Meta(ge=0, le=9_999_999)]
Serial = Annotated[str, Meta(max_length=10)]
Serials = Annotated[list[Serial], Meta(max_length=50)]


class OfCharacterQuery(Request):
    character: UUID
