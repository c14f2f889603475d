"""Decks as people bring them: a sample, JSON, or a table typed or pasted as text.

A game that has cards says so by its `deck_type`, a struct with `cards`; a table's first line
names columns, which are fields of one card: `name | slot | colour | a | b`.
"""

import csv
from collections.abc import Mapping
from typing import Any

import msgspec

from matches import canonical
from matches.errors import BadInput
from rules.ruleset import Ruleset

MOST = 100_000  # characters
DELIMITERS = "|\t;,"
DIGITS = 10


def samples(ruleset: Ruleset) -> Mapping[str, Any]:
    """Return a game's sample decks by name, as plain data; none for a game without cards."""
    tool = ruleset.tools.get("sample-decks")
    return tool() if tool else {}


def blank(ruleset: Ruleset) -> Any:
    """Return a deck of cards nobody entered before: slots and names, no faces yet."""
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


def read(ruleset: Ruleset, text: str, most: int = MOST) -> Any:
    """Return the deck a text of `most` characters holds, as plain data.

    Raises: BadInput, with the line.
    """
    if len(text) > most:
        raise BadInput("too-long", f"At most {most} characters.", "deck")
    if text.lstrip().startswith(("{", "[")):
        data = canonical.parse(text.encode(), most)
        return {"cards": data} if isinstance(data, list) else data
    return {"cards": _table(card_fields(ruleset), text)}


def _table(fields: Mapping[str, msgspec.inspect.Field], text: str) -> list[dict[str, Any]]:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise BadInput("no-cards", "There is no card in this text.", "line 1")
    delimiter = next((sign for sign in DELIMITERS if sign in lines[0]), "|")
    columns = [column.strip().lower() for column in lines[0].split(delimiter)]
    for column in columns:
        if column not in fields:
            known = ", ".join(fields)
            said = f"“{column[:40]}” is no column; there are: {known}."
            raise BadInput("unknown-column", said, "line 1")
        if columns.count(column) > 1:
            raise BadInput("twice", f"“{column}” stands twice in the first line.", "line 1")
    rows = csv.reader(lines[1:], delimiter=delimiter)
    try:
        return [
            _card(fields, columns, [cell.strip() for cell in row], f"line {number}")
            for number, row in enumerate(rows, 2)
        ]
    except csv.Error:
        said = "This line is no row of a table: a cell is far too long, or a quote does not end."
        raise BadInput("bad-row", said, f"line {rows.line_num + 1}") from None


def _card(
    fields: Mapping[str, msgspec.inspect.Field], columns: list[str], cells: list[str], where: str
) -> dict[str, Any]:
    if len(cells) > len(columns):
        said = f"{len(cells)} cells where the first line names {len(columns)} columns."
        raise BadInput("too-many-cells", said, where)
    return {
        column: _value(fields[column].type, column, cell, where)
        for column, cell in zip(columns, cells, strict=False)
        if cell
    }


def _value(kind: msgspec.inspect.Type, column: str, cell: str, where: str) -> Any:
    """Return a cell as its column wants it: a number, several words, or text."""
    if isinstance(kind, msgspec.inspect.UnionType):
        kind = next(t for t in kind.types if not isinstance(t, msgspec.inspect.NoneType))
    if isinstance(kind, msgspec.inspect.VarTupleType):
        return [word.strip() for word in cell.split(",") if word.strip()]
    if not isinstance(kind, msgspec.inspect.IntType):
        return cell
    if not (cell.isascii() and cell.isdigit() and len(cell) < DIGITS):
        raise BadInput("not-a-number", f"“{cell[:40]}” is no number for {column}.", where)
    return int(cell)
