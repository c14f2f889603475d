"""Games, and decks checked by their rules."""

from typing import Any

from msgspec import Struct

from matches.api.shapes.base import Plain, Request


class GameLine(Struct):
    """A game in its newest version; while it is a `draft`, what it does may still change.

    `tools`: the last parts of the addresses of its tools. `seats`: the numbers of seats that it
    may have.
    """

    key: str
    name: str
    ruleset: str
    draft: bool
    seats: list[int]
    tools: list[str]
    url: str


class Games(Struct):
    results: list[GameLine]


class GameResponse(Struct):
    """One ruleset: JSON schemas of what it takes and draws, and its texts by code.

    `decks` are sample decks by name, `tools` schemas of what each tool takes.

    `acts`: of each type of act. `consequences`: of each type of consequence. `texts`: words by
    code. `deck`: of one side's deck. `options`: of the options. `draft`: what it does may still
    change. `seats`: the numbers of seats that it may have.
    """

    key: str
    name: str
    ruleset: str
    draft: bool
    seats: list[int]
    options: Plain
    deck: Plain
    acts: dict[str, Plain]
    consequences: dict[str, Plain]
    texts: dict[str, str]
    decks: dict[str, Plain]
    tools: dict[str, Plain]


class ClauseLine(Struct):
    """A clause as verdicts cite it, in short, and how it is kept.

    `how`: `enforced`, `declared` by the table, only `recorded`, or `told`: it has no effect at a
    table. `why`: in short, why it is no more than that.

    `says`: what it says, in short. `url`: the page of the rules that has it.
    """

    clause: str
    says: str
    how: str
    why: str
    url: str


class ChapterLine(Struct):
    """A chapter of the rules.

    `clauses` are those in it, in order.
    """

    title: str
    clauses: list[ClauseLine]


class Rulebook(Struct):
    """The clauses of a game by chapter; empty for a game without a rulebook.

    `chapters`: in order.
    """

    chapters: list[ChapterLine]


class DeckRequest(Request):
    """A deck to check under options, or a list as players write one, as `text`.

    `text`: the deck as a list; null for none.
    """

    deck: Any = None
    text: str | None = None
    options: Plain = {}


class DeckProblem(Struct):
    """A problem of a deck, with the line of its list it is about, 0 for the whole.

    `code`: a permanent code of the problem. `line`: the number of the line, from 1; 0 for the
    whole.
    """

    code: str
    clause: str
    detail: str
    params: Plain
    line: int = 0


class DeckLine(Struct):
    """A line of a list; `known`: whether anybody has entered that card.

    `line`: its number in the list. `copies`: how many of the card. `card`: the name as written.
    `heading`: the heading above it, empty for none.
    """

    line: int
    copies: int
    card: str
    heading: str
    known: bool


class DeckResponse(Struct):
    """All problems of a deck at once; none if it is legal.

    For a list also the deck it was read as, and its lines.

    `lines`: of a list, as they were read.
    """

    problems: list[DeckProblem]
    deck: Any = None
    lines: list[DeckLine] = []
