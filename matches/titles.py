"""Titles and places of matches as they are shown: `MATCH_TITLES` names who words them.

A title or a place is kept as one line. A floor above that writes them names a function there, which
returns such a line in the language of who looks, or None for one that is not the floor's.
"""

from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string

Wording = Callable[[str], str | None]


def worded(kept: str) -> str:
    """Return a title or a place in the language that is on; what a person typed as it is."""
    for word in _wordings(tuple(settings.MATCH_TITLES)):
        said = word(kept)
        if said is not None:
            return said
    return kept


@cache
def _wordings(paths: tuple[str, ...]) -> tuple[Wording, ...]:
    return tuple(import_string(path) for path in paths)
