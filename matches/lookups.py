"""Searches compose the text they look for, as `canonical` composes the texts that are stored.

Without that, a pasted "Zoë" of four characters would not find one of three.
"""

from typing import Any

from django.db.models import CharField, TextField, lookups

from rules.cells import composed


class _Composing:
    """A lookup that composes the text a field is compared with."""

    def get_prep_lookup(self) -> Any:
        sought = super().get_prep_lookup()  # type: ignore[misc]
        return composed(sought) if isinstance(sought, str) else sought


class Contains(_Composing, lookups.IContains):
    """Case-insensitive containment."""


class Begins(_Composing, lookups.IStartsWith):
    """Case-insensitive start."""


class Same(_Composing, lookups.IExact):
    """Case-insensitive equality."""


def register() -> None:
    """Use these for `icontains`, `istartswith` and `iexact` of all texts."""
    for field in (CharField, TextField):
        for lookup in (Contains, Begins, Same):
            field.register_lookup(lookup)
