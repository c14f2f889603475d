"""Texts that people type around a desk, and names of which there is one."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from matches import canonical
from matches.errors import Conflict

MOST = 4000
LONG = {"about", "lore", "house_rules", "reason", "text"}
"""Texts of several lines; every other is one."""


def text(value: str, where: str, most: int = MOST, least: int = 0) -> str:
    """Return a text without the space around it. Raises: BadInput."""
    return canonical.text_from(value, f"$.{where}", most, least, lines=where in LONG)


def name(value: str) -> str:
    """Return what something is called. Raises: BadInput."""
    return text(value, "name", 80, 1)


@contextmanager
def only_one(code: str, what: str) -> Iterator[None]:
    """Write in a transaction what may be there once. Raises: Conflict when it is there already."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        raise Conflict(code, gettext("There is {what} already.").format(what=what)) from None
