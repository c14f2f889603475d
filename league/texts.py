"""Validation of texts that people type."""

from matches import canonical

LIMIT = 4000
LONG = {"about", "lore", "house_rules", "reason", "text"}
"""Multi-line texts; all others are a single line."""


def text(value: str, where: str, most: int = LIMIT, least: int = 0) -> str:
    """Return a text without surrounding space. Raises: BadInput."""
    return canonical.text_from(value, f"$.{where}", most, least, lines=where in LONG)


def name(value: str) -> str:
    """Return a name, validated. Raises: BadInput."""
    return text(value, "name", 80, 1)
