"""Decks as people bring them: a sample, JSON, or a table or list as text.

A game that has cards says so by its `deck_type`, a struct with `cards`. A table's first line names
columns, which are fields of one card: `name | slot | colour | a | b`; where people type, the game's
usual columns need not be named. A game that reads lists takes a card a line: `4 Card Name`. A
catalogue's file also says of each card its `set`, whether it is `shared` and its `id`, which a deck
ignores.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext, ngettext

from matches import canonical
from matches.actors import Actor
from matches.configured import functions
from matches.errors import BadInput
from rules import texts
from rules.capabilities import Listed, SupportsDeckLists
from rules.cells import MARK, TableError, bared, plain, rows_of
from rules.ruleset import Problem, Ruleset

Library = Callable[[Actor, str, Sequence[str]], Mapping[str, Any]]
"""A higher floor's catalogue: given an actor, a game and names, returns cards as plain data;
named in `settings.CARD_LIBRARIES`."""

LIMIT = 60_000  # characters, so that a request of JSON holds them
DELIMITERS = "|\t;,"
DIGITS = 10
SET = "set"
SHARED = "shared"
ID = "id"
BESIDE = (SET, SHARED, ID)
"""What a catalogue's file says of a card beside what stands on it."""


def samples(ruleset: Ruleset) -> Mapping[str, Any]:
    """Return a game's sample decks by name, as plain data; none for a game without cards."""
    tool = ruleset.tools.get("sample-decks")
    return tool() if tool else {}


def blank(ruleset: Ruleset) -> Any:
    """Return a deck of blank cards, with slots and names and no faces yet."""
    return ruleset.tools["blank-deck"]()


def takes_cards(ruleset: Ruleset) -> bool:
    return ruleset.deck_type is not None


def card_fields(ruleset: Ruleset) -> dict[str, msgspec.inspect.Field]:
    """Return the fields of one card, by name."""
    deck = msgspec.inspect.type_info(ruleset.deck_type)
    assert isinstance(deck, msgspec.inspect.StructType)
    cards = next(field.type for field in deck.fields if field.name == "cards")
    card = getattr(cards, "item_type", None)
    assert isinstance(card, msgspec.inspect.StructType)
    return {field.encode_name: field for field in card.fields}


def usual_columns(ruleset: Ruleset) -> Sequence[str]:
    """Return the columns of a table typed without naming them; none if the game has no such."""
    tool = ruleset.tools.get("typed-columns")
    return tool() if tool else ()


def read(ruleset: Ruleset, text: str, most: int = LIMIT, *, columns: Sequence[str] = ()) -> Any:
    """Return the deck in a text of at most `most` characters, as plain data.

    `columns` are those of a table whose first line names none. Raises: BadInput, with the line.
    """
    text = _within(text, most)
    deck: Any
    if _is_json(text):
        deck = _from_json(text)
    elif is_list(ruleset, text):
        deck = _from_list(ruleset, text)
    else:
        deck = {"cards": [row.required() for row in _table(_columns(ruleset), text, columns)]}
    for card in listed_in(deck):
        if isinstance(card, dict):
            for name in BESIDE:
                card.pop(name, None)
    return deck


class FileRow(NamedTuple):
    """A card of a file, whatever it is, with the line it stands on; 0 where there are no lines.

    `columns` are all that it could say; None if it says what there is to say.
    """

    card: Any
    line: int = 0
    columns: Collection[str] | None = None
    flaws: Sequence[BadInput] = ()

    def required(self) -> Any:
        """Return the card. Raises: BadInput for the first of its flaws."""
        for flaw in self.flaws:
            raise BadInput(flaw.code, flaw.detail, f"line {self.line}")
        return self.card


def rows_in(ruleset: Ruleset, text: str, most: int) -> list[FileRow]:
    """Return the cards of a catalogue's file of at most `most` characters, with all that is wrong.

    It is JSON or a table; a list only counts cards. Raises: BadInput, with the line, for a text
    that cannot be read as a whole.
    """
    text = _within(text, most)
    if _is_json(text):
        return [FileRow(card) for card in listed_in(_from_json(text))]
    return list(_table(_columns(ruleset), text, ()))


def listed_in(deck: Any) -> list[Any]:
    """Return the cards of a deck given as plain data, whatever they are; none if it has no list."""
    cards = deck.get("cards") if isinstance(deck, dict) else None
    return cards if isinstance(cards, list) else []


def _within(text: str, most: int, where: str = "deck") -> str:
    """Return a text of bounded length, its line breaks newlines, without its byte order mark.

    Raises: BadInput.
    """
    text = canonical.newlines(text)
    if len(text) > most:
        raise BadInput("too-long", gettext("At most {most} characters.").format(most=most), where)
    return text.removeprefix(MARK)


def _is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "["))


def _from_json(text: str) -> Any:
    raw = text.encode()
    data = canonical.parse(raw, len(raw))  # its characters were counted
    return bared({"cards": data} if isinstance(data, list) else data)


def _from_list(ruleset: Ruleset, text: str) -> Any:
    assert isinstance(ruleset, SupportsDeckLists)  # as `is_list` told
    found = ruleset.read_list(text, {})
    for line, problem in found.problems:
        detail = texts.of_finding(ruleset.texts, problem, {})
        raise BadInput(problem.code, detail, f"line {line}")
    return found.deck


def _columns(ruleset: Ruleset) -> dict[str, msgspec.inspect.Field]:
    """Return the columns of a table by name: the fields of a card, and texts beside it."""
    fields = card_fields(ruleset)
    return {**fields, **dict.fromkeys(BESIDE, fields["name"])}


def is_list(ruleset: Ruleset, text: str) -> bool:
    """Tell whether a text is a deck list, not JSON or a table, and the game reads such lists."""
    return reads_lists(ruleset) and not _is_json(text) and not _is_table(ruleset, text)


def _is_table(ruleset: Ruleset, text: str) -> bool:
    """Tell whether the first line of a text names columns."""
    try:
        ((_, heads),) = _rows(_first_line(text))
    except (BadInput, ValueError):
        return False
    columns = set(_names(heads))
    return "name" in columns and columns <= _columns(ruleset).keys()


# -- lists ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """A problem of a deck, with the line of the list it is about; 0 for the whole."""

    line: int
    code: str
    clause: str
    detail: str
    params: Mapping[str, Any]


@dataclass(frozen=True)
class DeckRow:
    """A line of a deck list with what is known of its card, and its problems."""

    listed: Listed
    card: Mapping[str, Any]
    findings: Sequence[Finding]


@dataclass(frozen=True)
class Checked:
    """A deck list that was read and checked; `deck` is plain data."""

    deck: Any
    lines: Sequence[Listed]
    findings: Sequence[Finding]

    @property
    def rows(self) -> list[DeckRow]:
        cards = {card["name"]: card for card in self.deck["cards"]}
        return [
            DeckRow(
                listed,
                cards.get(listed.card, {}),
                [each for each in self.findings if each.line == listed.line],
            )
            for listed in self.lines
        ]

    @property
    def elsewhere(self) -> list[Finding]:
        """Return the problems of the whole, or of lines that name no card."""
        lines = {line.line for line in self.lines}
        return [each for each in self.findings if each.line not in lines]

    @property
    def size(self) -> int:
        return sum(card.get("copies", 1) for card in self.deck["cards"])

    @property
    def unknown(self) -> int:
        """Return how many of its cards nobody has entered."""
        new = {row.listed.card for row in self.rows if not row.listed.known}
        return sum(card.get("copies", 1) for card in self.deck["cards"] if card["name"] in new)


def reads_lists(ruleset: Ruleset) -> bool:
    return isinstance(ruleset, SupportsDeckLists)


def check_list(ruleset: Ruleset, text: str, options: Any, by: Actor) -> Checked:
    """Read a deck list with the cards an actor may know of, and check it under options.

    Raises: BadInput for a text that cannot be one, or a game that reads none.
    """
    if not isinstance(ruleset, SupportsDeckLists):
        raise BadInput(
            "no-lists",
            gettext("{name} reads no lists; send a deck.").format(name=ruleset.name),
            "$.text",
        )
    canonical.require_plain(text, "$.text")
    text = _within(text, LIMIT, "$.text")
    if not text.strip():
        raise BadInput("no-cards", gettext("There is no card in this text."), "$.text")
    names = [listed.card for listed in ruleset.read_list(text, {}).lines if not listed.known]
    found = ruleset.read_list(text, _known(by, ruleset.key, names))
    deck = canonical.convert(found.deck, ruleset.deck_type, "$.text")
    problems = [
        *found.problems,
        *((found.line_of(each), each) for each in ruleset.check_deck(deck, options)),
    ]
    findings = [finding_of(ruleset, problem, line) for line, problem in problems]
    return Checked(found.deck, found.lines, sorted(findings, key=lambda each: each.line))


def _known(by: Actor, game: str, names: Sequence[str]) -> dict[str, Any]:
    libraries: list[Library] = functions("CARD_LIBRARIES")
    return {
        name: card
        for library in libraries
        if names
        for name, card in library(by, game, names).items()
    }


def finding_of(ruleset: Ruleset, problem: Problem, line: int = 0) -> Finding:
    detail = texts.of_finding(ruleset.texts, problem, {})
    return Finding(line, problem.code, problem.clause, detail, problem.params)


def written(ruleset: Ruleset, deck: Any) -> str:
    """Return a deck as a list to edit, "" if the game has no lists."""
    if not isinstance(ruleset, SupportsDeckLists) or not deck:
        return ""
    return ruleset.write_list(canonical.convert(deck, ruleset.deck_type, "$.deck"))


# -- tables -------------------------------------------------------------------------------------


def _table(
    fields: Mapping[str, msgspec.inspect.Field], text: str, usual: Sequence[str]
) -> Iterator[FileRow]:
    rows = _rows(text)
    if not rows:
        raise BadInput("no-cards", gettext("There is no card in this text."), "line 1")
    (first, heads), *rest = rows
    columns = _names(heads)
    if usual and not set(columns) & set(fields):
        columns, rest = list(usual), rows
    for column in columns:
        if column not in fields:
            detail = gettext("“{column}” is no column; there are: {known}.").format(
                column=column[:40], known=", ".join(fields)
            )
            raise BadInput("unknown-column", detail, f"line {first}")
        if columns.count(column) > 1:
            detail = gettext("“{column}” stands twice in the first line.").format(column=column)
            raise BadInput("twice", detail, f"line {first}")
    for line, row in rest:
        yield _row(fields, columns, _filled(map(plain, row)), line)


def _names(heads: list[str]) -> list[str]:
    return [head.lower() for head in _filled(map(str.strip, heads))]


def _filled(cells: Iterable[str]) -> list[str]:
    """Return cells without the empty ones at the end, which spreadsheet programs like to add."""
    found = list(cells)
    while found and not found[-1]:
        found.pop()
    return found


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the non-empty rows of a table, each with its line number. Raises: BadInput."""
    try:
        rows = rows_of(StringIO(text, newline=None), _delimiter(text))
    except TableError as error:
        detail = gettext(
            "This line is no row of a table: a cell is far too long, or a quote does not end."
        )
        raise BadInput("bad-row", detail, f"line {error.row}") from None
    return [(line, row) for line, row in enumerate(rows, 1) if any(map(str.strip, row))]


def _delimiter(text: str) -> str:
    """Return the cell delimiter of a table, from its first line."""
    first = _first_line(text)
    return next((sign for sign in DELIMITERS if sign in first), "|")


def _first_line(text: str) -> str:
    return next(filter(str.strip, StringIO(text, newline=None)), "")


def _row(
    fields: Mapping[str, msgspec.inspect.Field], columns: list[str], cells: list[str], line: int
) -> FileRow:
    card: dict[str, Any] = {}
    flaws: list[BadInput] = []
    if len(cells) > len(columns):
        text = ngettext(
            "{cells} cells for {columns} column.",
            "{cells} cells for {columns} columns.",
            len(columns),
        )
        detail = text.format(cells=len(cells), columns=len(columns))
        flaws.append(BadInput("too-many-cells", detail, "$"))
    for column, cell in zip(columns, cells, strict=False):
        try:
            if cell:
                card[column] = _value(fields[column].type, column, cell)
        except BadInput as bad:
            flaws.append(bad)
    return FileRow(card, line, columns, flaws)


def _value(kind: msgspec.inspect.Type, column: str, cell: str) -> Any:
    """Return a cell in the type of its column: a number, several words, or text."""
    if isinstance(kind, msgspec.inspect.UnionType):
        kind = next(t for t in kind.types if not isinstance(t, msgspec.inspect.NoneType))
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return [word.strip() for word in cell.split(",") if word.strip()]
    if not isinstance(kind, msgspec.inspect.IntType):
        return cell
    if not (cell.isascii() and cell.isdigit() and len(cell) < DIGITS):
        raise BadInput(
            "not-a-number",
            gettext("“{cell}” is no number for {column}.").format(cell=cell[:40], column=column),
            f"$.{column}",
        )
    return int(cell)
