"""Cells of tables that are exported to and imported from files."""

import csv
import unicodedata
from collections.abc import Iterable
from typing import Any

FORMULAS = ("=", "+", "-", "@")
"""First characters that make a spreadsheet program treat a cell as a formula."""

MARK = "\ufeff"
"""The byte order mark that some programs put at the start of a text file."""

EDGE = "".join(filter(str.isspace, map(chr, range(0x3001)))) + (
    "\u00ad\u180e\u200b\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Characters stripped from both ends of a text: white space and zero-width characters.

Among them are those of writing direction, in which copied names are often wrapped."""

JOINERS = "\u200c\u200d"
"""Joiners shape the letter before them, so they are only stripped from the start of a text."""


class TableError(ValueError):
    """A table that cannot be parsed: `row` is the first bad one, counted from 1."""

    def __init__(self, row: int) -> None:
        super().__init__(f"row {row} is none")
        self.row = row


def rows_of(lines: Iterable[str], delimiter: str) -> list[list[str]]:
    """Parse a table into rows of cells.

    Raises: TableError, for example where a quote is never closed.
    """
    found: list[list[str]] = []
    try:
        found.extend(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error:
        raise TableError(len(found) + 1) from None
    return found


def composed(text: str) -> str:
    """Spell letters with accents in one way, as some programs write them as two characters."""
    return unicodedata.normalize("NFC", text)


def bare(text: str) -> str:
    """Return a composed text without white space and invisible characters at both ends."""
    return composed(text).lstrip(EDGE + JOINERS).rstrip(EDGE)


def bared(data: Any) -> Any:
    """Apply `bare` to every text in plain data, as is done for cells of tables."""
    match data:
        case dict():
            return {name: bared(value) for name, value in data.items()}
        case list():
            return [bared(value) for value in data]
        case str():
            return bare(data)
    return data


def safe(cell: str | int) -> str | int:
    """Escape a cell that a spreadsheet program would treat as a formula."""
    return f"'{cell}" if isinstance(cell, str) and _is_formula(cell) else cell


def plain(cell: str) -> str:
    """Return a cell as it was before `safe` escaped it."""
    text = bare(cell)
    return text[1:] if text.startswith("'") and _is_formula(text) else text


def _is_formula(cell: str) -> bool:
    """Tell whether a cell is a formula, or one already escaped, which is then escaped once more."""
    return cell.lstrip("'").startswith(FORMULAS)
