"""A character sheet laid out for one printed page, in the largest type that fits."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext

from characters.shown import VisibleItem, VisibleSection, VisibleSheet
from matches.errors import BadInput

Card = TypeVar("Card")

PAPERS = {"a4": "A4", "letter": "Letter"}
A_PAGE = 9  # pocket cards: three by three

A_LINE = 70  # the characters that one line of a list counts as
SIZES = (("", 4000), ("smaller", 5800), ("smallest", 9000))
"""Sizes of type, and how many characters a page holds in each."""

TEXTS = ("public", "private", "diary", "notes")
MAX_GEAR = 40
LEAST_TEXT = 200


class Print(NamedTuple):
    """A sheet cut to one page: texts by kind, gear, and how much of it is left out."""

    size: str
    texts: Sequence[VisibleSection]
    gear: Sequence[VisibleItem]
    more_gear: int
    cut: bool


def page_of(sheet: VisibleSheet) -> Print:
    """Return what of a sheet fits on one page; if necessary, texts are cut at their ends."""
    gear, more = sheet.gear[:MAX_GEAR], max(0, len(sheet.gear) - MAX_GEAR)
    texts = [sheet.parts[kind] for kind in TEXTS if sheet.text(kind)]
    lines = len(gear) + len(sheet.goals) + len(sheet.maneuvers) + len(sheet.possessions)
    listed = (lines + len(sheet.favours) + 2 * len(sheet.lodes) + 6) * A_LINE
    written = sum(_length(part.text) for part in texts)
    for size, holds in SIZES:
        if listed + written <= holds:
            return Print(size, texts, gear, more, cut=False)
    size, holds = SIZES[-1]
    room = max(holds - listed, LEAST_TEXT * len(texts))
    return Print(size, [_cut(part, room, written) for part in texts], gear, more, cut=True)


def _length(text: str) -> int:
    """Return how many characters a text counts as: a short line counts as a full one."""
    return sum(max(A_LINE, len(line)) for line in text.splitlines())


def _cut(part: VisibleSection, room: int, written: int) -> VisibleSection:
    """Return a part cut to its share of the room."""
    most, lines, used = room * _length(part.text) // written, [], 0
    for line in part.text.splitlines():
        if used + max(A_LINE, len(line)) > most:
            lines.append(line[: max(0, most - used)].rstrip() + " …")
            break
        used += max(A_LINE, len(line))
        lines.append(line)
    return VisibleSection(part.kind, part.title, "\n".join(lines))


def pocket_pages(sheet: VisibleSheet) -> list[Sequence[VisibleItem | None]]:
    """Return pages of nine cards: the character itself (None) first, then each of its items."""
    return pages_of([None, *sheet.items])


def pages_of(cards: Sequence[Card]) -> list[Sequence[Card]]:
    """Return pages of nine pocket cards each."""
    return [cards[at : at + A_PAGE] for at in range(0, len(cards), A_PAGE)]


def paper_of(name: str) -> str:
    """Return the key of the paper that a query names. Raises: BadInput."""
    if name not in PAPERS:
        raise BadInput("unknown-paper", gettext("The paper is A4 or Letter."), "paper")
    return name
