"""Validation of texts that people type, and names that are told apart."""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Any

from django.db.models import Model
from django.utils import translation
from django.utils.translation import gettext

from matches import canonical
from rules.texts import ENGLISH

LONG = {"about", "lore", "house_rules", "reason", "text"}
"""Multi-line texts; all others are a single line."""


def text(value: str, where: str, most: int, least: int = 0) -> str:
    """Return a text without surrounding space. Raises: BadInput."""
    return canonical.text_from(value, f"$.{where}", most, least, lines=where in LONG)


def of_field(model: type[Model], name: str, value: str) -> str:
    """Return a text as a field of a model takes it: as long as that may be. Raises: BadInput."""
    field: Any = model._meta.get_field(name)
    return text(value, name, field.max_length, 0 if field.blank else 1)


def name(value: str) -> str:
    """Return a name, validated. Raises: BadInput."""
    return text(value, "name", 80, 1)


def alphabetical(called: str) -> str:
    """Return what a name is sorted by in a list to look it up in: Ömer stands before Zoë."""
    letters = unicodedata.normalize("NFKD", called.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def distinct(people: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Append the number to names that several people share, so that all can be told apart."""
    known = list(people)
    having = Counter(called.casefold() for _, called in known)
    label = gettext("{name} (no. {number})")
    return [
        (number, label.format(name=called, number=number))
        if having[called.casefold()] > 1
        else (number, called)
        for number, called in known
    ]


def distinct_in_lists(people: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """As `distinct`, for a list that others read in: in English, whoever writes it."""
    with translation.override(ENGLISH):
        return distinct(people)
