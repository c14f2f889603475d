"""Deck lists as players write them: a card a line, under headings or not.

ZX-S3  The start card comes out of the 50.
ZX-D5  The player card is outside the 50, and so is an extra deck.
ZX-C3  A printed number is letters, two digits, a hyphen, and two or three digits.

    Player: Ioan, Harbour Reeve
    Start: Lantern Skipper
    4 Pier Sentry
    4x D01-010 Tide Mender
    Undertow x4
    # Life Recovery
    4 Some card nobody has entered

What is known of a card comes from the library; of another, from its heading alone.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from rules.capabilities import DeckList, Listed
from rules.cells import bare
from rules.ruleset import Problem
from rules.zx.cards import LIFE_RECOVERY, MAX_CARDS, VOID_BRINGER, Card, Deck
from rules.zx.samples import decks, loose

MAX_COPIES = 50
MAX_NAME = 80
NUMBER = re.compile(r"[(\[]?\b([A-Z]{1,2}[0-9]{2}-[A-Z]?[0-9]{2,3})\b[)\]]?:?", re.IGNORECASE)
BEFORE = re.compile(r"^(?:(\d{1,9})\s*[x×枚]?|[x×]\s*(\d{1,9}))\s+(?=\S)", re.IGNORECASE)
AFTER = re.compile(r"\s+(?:[x×]\s*(\d{1,9})|\((\d{1,9})\)|(\d{1,9})枚)$", re.IGNORECASE)
TALLY = re.compile(r"\s*[-–:]?\s*[(\[]?\d{0,3}[)\]]?:?$")

HEADINGS: Mapping[str, str] = {
    "player": "player",
    "player card": "player",
    "start": "start",
    "start card": "start",
    "deck": "deck",
    "main": "deck",
    "main deck": "deck",
    "card": "deck",
    "z/x": "zx",
    "zx": "zx",
    "z/x card": "zx",
    "no icon": "plain",
    "without icon": "plain",
    "icon": "icon",
    "ig": "icon",
    "ignition": "icon",
    "ignition icon": "icon",
    "life recovery": "life-recovery",
    "life recoveries": "life-recovery",
    "life recover": "life-recovery",
    "lr": "life-recovery",
    "void bringer": "void-bringer",
    "vb": "void-bringer",
    "event": "event",
    "event card": "event",
    "extra": "extra",
    "extra deck": "extra",
    "dynamis": "extra",
}
"""Headings of a list, in lower case, and what they say about the lines below.

A plural s is allowed: `# Void Bringers`. A `#` with any other words stands for the deck.
"""

TOLD: Mapping[str, dict[str, Any]] = {
    "plain": {"icon": "none"},
    "icon": {"icon": "ignition"},
    "life-recovery": {"icon": "ignition", "keywords": (LIFE_RECOVERY,)},
    "void-bringer": {"icon": "ignition", "keywords": (VOID_BRINGER,)},
    "event": {"type": "event"},
}
"""What a heading says about a card that nobody has entered."""

FACES = ("player", "start")
"""Headings of a single card."""

OUTSIDE = (*FACES, "extra")


class Line(NamedTuple):
    """A line that names a card: copies, number, name and heading."""

    at: int
    copies: int | None
    no: str
    name: str
    heading: str


class Known(NamedTuple):
    """The cards somebody has entered, by the normal form of their name and by their number."""

    named: Mapping[str, Card]
    numbered: Mapping[str, Card]

    def get(self, name: str) -> Card | None:
        return self.named.get(_key(name))


def read_list(text: str, known: Mapping[str, Any]) -> DeckList:
    """Read a list with the known cards, by name; the demo cards are always known."""
    library = _library(known)
    lines = list(_lines(text, library))
    problems = [(line.at, problem) for line in lines if (problem := _problem(line, library))]
    unread = {at for at, problem in problems if problem.code in UNREADABLE}
    read = [(line, _card(line, library)) for line in lines if line.at not in unread]
    problems = sorted([*problems, *_second_faces(read)], key=itemgetter(0))
    elsewhere = {_key(line.name) for line in lines if line.heading not in OUTSIDE}
    cards = [(line.at, card) for line, card in read if _is_inside(line, card, elsewhere)]
    if len(cards) > MAX_CARDS:
        problems.append((cards[MAX_CARDS][0], Problem("list-too-long", "", {"most": MAX_CARDS})))
    deck = Deck(
        cards=tuple(card for _, card in cards[:MAX_CARDS]),
        extra=tuple(card for line, card in read if line.heading == "extra")[:MAX_CARDS],
        **{line.heading: card.name for line, card in reversed(read) if line.heading in FACES},
    )
    listed = tuple(
        Listed(
            line.at, line.copies or 1, card.name, line.heading, library.get(card.name) is not None
        )
        for line, card in read
    )
    return DeckList(msgspec.to_builtins(deck), listed, tuple(problems))


def _second_faces(read: Iterable[tuple[Line, Card]]) -> Iterator[tuple[int, Problem]]:
    """Yield what is wrong with each player or start card after the first, which is the deck's."""
    seen: set[str] = set()
    for line, _ in read:
        if line.heading in seen:
            yield line.at, Problem(f"list-two-{line.heading}s", "ZX-S1")
        if line.heading in FACES:
            seen.add(line.heading)


def _is_inside(line: Line, card: Card, elsewhere: Container[str]) -> bool:
    """Tell whether a line is of the deck: a start card is if no other line names it."""
    alone = line.heading == "start" and _key(card.name) not in elsewhere
    return alone or line.heading not in OUTSIDE


def write_list(deck: Deck) -> str:
    """Return a deck as a list that reads back to it, as far as its cards are known."""
    text = [f"Player: {deck.player}"] if deck.player else []
    text += [f"Start: {deck.start}"] if deck.start else []
    for heading, cards in groupby(deck.cards, key=_heading_of):
        text += ["", f"# {heading}", *map(_written, cards)]
    if deck.extra:
        text += ["", "# Extra", *map(_written, deck.extra)]
    return "\n".join(text).strip() + "\n"


def _written(card: Card) -> str:
    return " ".join(filter(None, (str(card.copies or 1), card.no, card.name)))


def _heading_of(card: Card) -> str:
    if card.type == "event":
        return "Events"
    if card.has(LIFE_RECOVERY):
        return "Life Recovery"
    if card.has(VOID_BRINGER):
        return "Void Bringer"
    return {"ignition": "Icon", "none": "No icon"}.get(card.icon, "Z/X")


def _library(known: Mapping[str, Any]) -> Known:
    """Return the demo cards and these, given by name as plain data."""
    demo = [*(card for deck in decks().values() for card in deck.cards), *loose()]
    named = {_key(card.name): card for card in demo}
    named |= {_key(name): msgspec.convert(card, Card) for name, card in known.items()}
    return Known(named, {card.no: card for card in named.values() if card.no})


def _key(name: str) -> str:
    """Return the normal form of a name: no capitals, plain apostrophes, single spaces."""
    return " ".join(name.casefold().replace("’", "'").split())


# -- lines ----------------------------------------------------------------------------


def _lines(text: str, library: Known) -> Iterator[Line]:
    heading = "deck"
    for at, raw in enumerate(text.splitlines(), 1):
        line = bare(raw)
        if not line or line.startswith("//"):
            continue
        if found := _heading(line):
            heading = found
        elif line.startswith("#"):
            heading = "deck"
        else:
            before, colon, rest = line.partition(":")
            over = _heading(before) if colon and rest.strip() else None
            yield _line(at, rest.strip() if over else line, over or heading, library)


def _heading(line: str) -> str | None:
    plain = line.strip("#=*-–[]【】 \t").casefold()
    words = plain, TALLY.sub("", plain)
    headings = (HEADINGS.get(each) or HEADINGS.get(each.removesuffix("s")) for each in words)
    return next(filter(None, headings), None)


def _line(at: int, line: str, heading: str, library: Known) -> Line:
    """Read one line; `copies` is None if they are not given for an unknown card."""
    line = line.lstrip("*•- \t")
    copies: int | None = None
    if found := BEFORE.search(line) or AFTER.search(line):
        copies = int(next(filter(None, found.groups())))
        line = (line[: found.start()] + line[found.end() :]).strip()
    no = ""
    if found := NUMBER.search(line):
        no = found[1].upper()
        line = (line[: found.start()] + line[found.end() :]).strip(" \t-–")
    name = " ".join(line.split())
    if copies is None and (heading in FACES or no or library.get(name)):
        copies = 1
    if not name and no in library.numbered:
        name = library.numbered[no].name
    return Line(at, copies, no, name or no, heading)


UNREADABLE = ("list-line", "list-copies", "list-name")
"""Problems that keep a line out of the deck."""


def _problem(line: Line, library: Known) -> Problem | None:
    params: dict[str, int | str] = {"card": line.name[:MAX_NAME]}
    if line.copies is None:
        return Problem("list-line", "", params)
    if not 1 <= line.copies <= MAX_COPIES:
        return Problem("list-copies", "ZX-D1", params | {"copies": line.copies})
    if not 1 <= len(line.name) <= MAX_NAME or not line.name.isprintable():
        return Problem("list-name", "ZX-C1", params | {"most": MAX_NAME})
    there = library.numbered.get(line.no)
    if there is not None and _key(there.name) != _key(line.name):
        return Problem("list-other-card", "ZX-C3", params | {"no": line.no, "other": there.name})
    card = library.get(line.name)
    if card is not None and not _fits(card, line.heading):
        return Problem("list-heading", "ZX-C1", params | {"heading": line.heading})
    return None


def _fits(card: Card, heading: str) -> bool:
    """Tell whether what is known of a card agrees with the heading above it."""
    traits = TOLD.get(heading, {"type": "zx"} if heading == "zx" else {})
    return (
        traits.get("type", card.type) == card.type
        and (not card.icon or traits.get("icon", card.icon) == card.icon)
        and all(card.has(keyword) is not False for keyword in traits.get("keywords", ()))
    )


def _card(line: Line, library: Known) -> Card:
    known = library.get(line.name) or library.numbered.get(line.no)
    if known is not None:
        return msgspec.structs.replace(known, copies=line.copies)
    return Card(name=line.name, no=line.no, copies=line.copies, **TOLD.get(line.heading, {}))
