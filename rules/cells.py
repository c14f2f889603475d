"""Cells of tables that go out as files, and come in again."""

import csv
from collections.abc import Iterable
from typing import Any

FORMULAS = ("=", "+", "-", "@")
"""How a cell begins that a table program takes for a formula."""


MARK = "\ufeff"
"""What some programs begin a file of text with; it is no part of the text."""


EDGE = "".join(filter(str.isspace, map(chr, range(0x3001)))) + (
    "\u00ad\u180e\u200b\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
)
"""What says nothing at the head or the end of a text: white space, and what has no width."""

JOINERS = "\u200c\u200d"
"""They shape the letter before them: at an end they may be meant, at a head they join nothing."""


class TableError(ValueError):
    """A table that can not be read: `row` is the first that is none, counted from 1."""

    def __init__(self, row: int) -> None:
        super().__init__(f"row {row} is none")
        self.row = row


def rows_of(lines: Iterable[str], delimiter: str) -> list[list[str]]:
    """Return the cells of a table, row by row. Raises: TableError, as where a quote never ends."""
    found: list[list[str]] = []
    try:
        found.extend(csv.reader(lines, delimiter=delimiter, strict=True))
    except csv.Error:
        raise TableError(len(found) + 1) from None
    return found


def bare(text: str) -> str:
    """Return a text without what says nothing at its head and end."""
    return text.lstrip(EDGE + JOINERS).rstrip(EDGE)


def bared(data: Any) -> Any:
    """Return plain data with all its texts bare, as cells of a table are read."""
    match data:
        case dict():
            return {name: bared(value) for name, value in data.items()}
        case list():
            return [bared(value) for value in data]
        case str():
            return bare(data)
    return data


def safe(cell: str | int) -> str | int:
    """Return a cell that no table program takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and _is_formula(cell) else cell


def plain(cell: str) -> str:
    """Return a cell as it was before it was made safe."""
    text = bare(cell)
    return text[1:] if text.startswith("'") and _is_formula(text) else text


def _is_formula(cell: str) -> bool:
    """Tell whether a cell is a formula, or one that was made safe already: it is once more."""
    return cell.lstrip("'").startswith(FORMULAS)
