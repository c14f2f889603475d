"""Panels that higher floors add to pages here: settings name functions.

Those of `MATCH_PANELS`, `MATCH_HEADS` and `LOGGER_PANELS` take the request and the match, those of
`GAME_PANELS` the request, the game and what its page shows, those of `HOME_OWN_PANELS` and
`HOME_PANELS` the request. Each returns what it has to show, or nothing.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.safestring import SafeString

from matches.configured import functions
from matches.errors import Refused


def panels(setting: str, *about: Any) -> list[SafeString]:
    """Return what the functions in a setting show of something, in order, without empty ones.

    One that needs a log that cannot be read is left out: the page goes on without it.
    """
    return [*_shown(setting, *about)]


def _shown(setting: str, *about: Any) -> Iterator[SafeString]:
    for make in functions(setting):
        try:
            panel = make(*about)
        except Refused:  # the log's own page says why
            continue
        if panel:
            yield panel
