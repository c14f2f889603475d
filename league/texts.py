"""Validation of texts that people type, and of unique names."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from matches import canonical
from matches.errors import Conflict

LIMIT = 4000
LONG = {"about", "lore", "house_rules", "reason", "text"}
"""Multi-line texts; all others are a single line."""


def text(value: str, where: str, most: int = LIMIT, least: int = 0) -> str:
    """Return a text without surrounding space. Raises: BadInput."""
    return canonical.text_from(value, f"$.{where}", most, least, lines=where in LONG)


def name(value: str) -> str:
    """Return a name, validated. Raises: BadInput."""
    return text(value, "name", 80, 1)


@contextmanager
def only_one(code: str, text: str) -> Iterator[None]:
    """Turn a violated unique constraint in the block into an error. Raises: Conflict."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise Conflict(code, text) from None
