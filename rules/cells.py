"""Cells of tables that go out as files, and come in again."""

import csv
from collections.abc import Iterable

FORMULAS = ("=", "+", "-", "@")
"""How a cell begins that a table program takes for a formula."""


MARK = "\ufeff"
"""What some programs begin a file of text with; it is no part of the text."""


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


def safe(cell: str | int) -> str | int:
    """Return a cell that no table program takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


def plain(cell: str) -> str:
    """Return a cell as it was before it was made safe."""
    text = cell.strip()
    return text[1:] if text.startswith(tuple(f"'{each}" for each in FORMULAS)) else text
