"""What a goal asks for, where its words say it (ZG CRE-8)."""

import re
from typing import NamedTuple

from characters.sheet.grammar import COLOURS

_SET = re.compile(
    r"(?P<quality>basic|superior|state[ -]of[ -]the[ -]art)\s+"
    rf"(?P<colour>{'|'.join(COLOURS)})\s+(?:gear|set)\s*\((?P<pieces>[^()]+)\)",
    re.IGNORECASE,
)


class Wanted(NamedTuple):
    """A piece that a set asks for, in plain lower case."""

    quality: str
    colour: str
    piece: str


def pieces_wanted(text: str) -> list[Wanted]:
    """Return the pieces of a set: `State of the Art Blue Gear (Feet, Front, Shield)`."""
    match = _SET.fullmatch(text.strip())
    if match is None:
        return []
    quality = match["quality"].replace("-", " ").casefold()
    names = [name.strip().casefold() for name in match["pieces"].split(",") if name.strip()]
    return [Wanted(quality, match["colour"].casefold(), name) for name in names]


def fits(wanted: Wanted, quality: str, colour: str, piece: str) -> bool:
    """Tell whether a piece is the one wanted: `Front` is `Frontgear` by another name."""
    name = piece.casefold()
    same = name == wanted.piece or name == f"{wanted.piece}gear"
    return same and quality.casefold() == wanted.quality and colour.casefold() == wanted.colour
