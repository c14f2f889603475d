"""Cells of tables that go out as files, and come in again."""

FORMULAS = ("=", "+", "-", "@")
"""How a cell begins that a table program takes for a formula."""


def safe(cell: str | int) -> str | int:
    """Return a cell that no table program takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


def plain(cell: str) -> str:
    """Return a cell as it was before it was made safe."""
    text = cell.strip()
    return text[1:] if text.startswith(tuple(f"'{each}" for each in FORMULAS)) else text
