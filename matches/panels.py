"""Panels that higher floors add to pages here: settings name functions.

Those of `MATCH_PANELS`, `MATCH_HEADS` and `LOGGER_PANELS` take the request and the match, those of
`GAME_PANELS` the request, the game and what its page shows, those of `HOME_OWN_PANELS` and
`HOME_PANELS` the request. Each returns what it has to show, or nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString

from matches.models import Match
from rules.ruleset import Ruleset


def panels(request: HttpRequest, match: Match) -> list[SafeString]:
    """Return the panels of a match's page that show something, in the order of the setting."""
    return made(settings.MATCH_PANELS, request, match)


def head_lines(request: HttpRequest, match: Match) -> list[SafeString]:
    """Return the lines that higher floors add to the head of a match's page."""
    return made(settings.MATCH_HEADS, request, match)


def logger_panels(request: HttpRequest, match: Match) -> list[SafeString]:
    """Return the panels in the head of a match's logger."""
    return made(settings.LOGGER_PANELS, request, match)


def game_panels(request: HttpRequest, game: Ruleset, shown: Mapping[str, Any]) -> list[SafeString]:
    """Return the panels of a page that a game adds."""
    return made(settings.GAME_PANELS, request, game, shown)


def own_panels(request: HttpRequest) -> list[SafeString]:
    """Return the panels of home about the reader's own things, which come first."""
    return made(settings.HOME_OWN_PANELS, request)


def home_panels(request: HttpRequest) -> list[SafeString]:
    """Return the panels of home about what is on, in the order of the setting."""
    return made(settings.HOME_PANELS, request)


def made(paths: Sequence[str], *about: Any) -> list[SafeString]:
    """Return what the functions at some paths show of something, without those that do not."""
    panels = [import_string(path)(*about) for path in paths]
    return [panel for panel in panels if panel]
