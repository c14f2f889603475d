"""What a goal asks for, as far as its words say it (ZG CRE-8)."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from characters.sheet.grammar import COLOURS, QUALITY

_GAIN = r"(?:gain |own |get )?(?:an? |the )?"
_KIND = rf"(?P<quality>{QUALITY})\s+(?P<colour>{'|'.join(COLOURS)})\s+"
_SET = re.compile(rf"{_KIND}(?:gear|set)\s*\((?P<pieces>[^()]+)\)", re.IGNORECASE)
_PIECE = re.compile(rf"{_GAIN}{_KIND}(?P<piece>[^()]+)", re.IGNORECASE)
_LODE = re.compile(rf"{_GAIN}(?P<name>\S.*\blode)\.?", re.IGNORECASE)
_MATCHES = re.compile(
    r"(?P<what>win|play)\s+(?P<count>a|one|\d{1,3})\s+(?:match(?:es)?|duels?)\.?", re.IGNORECASE
)


class WantedThing(NamedTuple):
    """A thing that a goal asks for, in lower case: a `piece` of gear, or a `lode`."""

    quality: str
    colour: str
    piece: str
    kind: str = "piece"


def pieces_wanted(text: str) -> list[WantedThing]:
    """Return the pieces of a set: `State of the Art Blue Gear (Feet, Front, Shield)`."""
    match = _SET.fullmatch(text.strip())
    if match is None:
        return []
    return [_piece(match, name.strip()) for name in match["pieces"].split(",") if name.strip()]


def _piece(match: re.Match[str], name: str) -> WantedThing:
    quality = match["quality"].replace("-", " ")
    return WantedThing(quality.casefold(), match["colour"].casefold(), name.casefold())


def wanted_by(text: str) -> list[WantedThing]:
    """Return the things a goal asks for: a set, one piece, or a lode; none for a free goal."""
    if pieces := pieces_wanted(text):
        return pieces
    plain = " ".join(text.split())
    if match := _PIECE.fullmatch(plain):
        return [_piece(match, match["piece"])]
    if match := _LODE.fullmatch(plain):
        return [WantedThing("", "", match["name"].casefold(), "lode")]
    return []


Thing = tuple[str, str, str, str]
"""A thing that is held: kind, quality, colour, name."""


def matches_wanted(text: str) -> tuple[bool, int] | None:
    """Return whether matches are to be won, and how many: `Win 3 matches`, `Play a duel`."""
    match = _MATCHES.fullmatch(" ".join(text.split()))
    if match is None:
        return None
    count = match["count"].casefold()
    return match["what"].casefold() == "win", 1 if count in ("a", "one") else int(count)


def held_of(wanted: Iterable[WantedThing], things: Sequence[Thing]) -> list[int]:
    """Return the indexes of the wanted things; each thing counts once."""
    found: list[int] = []
    for one in wanted:
        for place, (kind, *rest) in enumerate(things):
            if place not in found and kind == one.kind and fits(one, *rest):
                found.append(place)
                break
    return found


def fits(wanted: WantedThing, quality: str, colour: str, piece: str) -> bool:
    """Tell whether a piece is the wanted one: `Front` is another name for `Frontgear`."""
    name = piece.casefold()
    same = name == wanted.piece or name == f"{wanted.piece}gear"
    return same and quality.casefold() == wanted.quality and colour.casefold() == wanted.colour
