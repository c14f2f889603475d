"""Panels that higher floors add to pages here: settings name functions.

Those of `MATCH_PANELS`, `MATCH_HEADS` and `LOGGER_PANELS` take the request and the match, those of
`GAME_PANELS` the request, the game and what its page shows, those of `HOME_OWN_PANELS` and
`HOME_PANELS` the request. Each returns what it has to show, or nothing.
"""

from typing import Any

from django.utils.safestring import SafeString

from matches.configured import functions


def panels(setting: str, *about: Any) -> list[SafeString]:
    """Return what the functions in a setting show of something, in order, without empty ones."""
    return [panel for make in functions(setting) if (panel := make(*about))]
