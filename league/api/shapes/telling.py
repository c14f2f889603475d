"""How a player is notified of their pairings."""

from msgspec import Struct

from matches.api.shapes import Request


class TellingChange(Request):
    """Whether the player gets letters."""

    letters: bool


class TellingResponse(Struct):
    """Whether the player gets letters, and the address of their calendar, empty for none.

    `calendar`: its address, empty for none.
    """

    letters: bool
    calendar: str
