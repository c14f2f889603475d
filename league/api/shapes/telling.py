"""How one is told of one's pairings."""

from msgspec import Struct

from matches.api.shapes import Request


class TellingChange(Request):
    """Whether one gets letters."""

    letters: bool


class TellingAnswer(Struct):
    """Whether one gets letters, and the address of one's calendar, empty for none."""

    letters: bool
    calendar: str
