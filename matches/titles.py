"""Titles and places of matches as they are shown: `MATCH_TITLES` names functions that word them.

A title or place is stored as one line. A higher floor that writes them names a function there,
which returns such a line in the active language, or None if it is not the floor's.
"""

from collections.abc import Callable

from matches.configured import functions

Wording = Callable[[str], str | None]


def worded(kept: str) -> str:
    """Return a title or place in the active language; what a person typed as it is."""
    wordings: list[Wording] = functions("MATCH_TITLES")
    for word in wordings:
        text = word(kept)
        if text is not None:
            return text
    return kept
