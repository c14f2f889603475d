"""What rulesets made of chapters share; what few of them do stands here as not done."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from rules import notation
from rules.ruleset import Act, Consequence, Draw, Page

ROOM = 1536  # bytes, as many as most states take

_ENCODE_INTO = msgspec.json.Encoder().encode_into


def packed(value: Any) -> bytes:
    """Return canonical JSON of a state. Room made beforehand spares growing byte by byte."""
    room = bytearray(ROOM)
    _ENCODE_INTO(value, room)
    return bytes(room)


class Chaptered:
    """A ruleset that plays an act whole (`play`); pages, draws and forecasts are its own to add."""

    version = 1
    acts: tuple[type[Act], ...]
    pages: Mapping[str, Page] = {}
    secretive = True
    play: Callable[[Any, Act], tuple[tuple[Consequence, ...], Any]]

    def decide(self, state: Any, act: Act) -> tuple[Consequence, ...]:
        return self.play(state, act)[0]

    def draws(self, state: Any, act: Act) -> tuple[Draw, ...]:
        """Leave it to the table to shuffle, draw and spin."""
        return ()

    def foretell(self, state: Any) -> dict[str, Any]:
        return {}

    def write(self, act: Act) -> str:
        return notation.write(act)

    def read(self, line: str) -> Act:
        return notation.read(self.acts, line)
