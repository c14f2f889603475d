"""What this floor needs from a game to field its characters: one explicit table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_lazy

import rules
from matches.errors import BadInput
from rules.replay import Timeline
from rules.ruleset import Ruleset
from rules.zg import pieces, setup, stories


class Fielding(NamedTuple):
    """How a game makes cards from gear.

    `blank_piece(type, quality, colour)` and `mode_card(line, place)` return plain cards that
    contain only the game's own words; `cost_of(deck, options)` and `names_in(deck)` read a deck.
    `options(class)` are options as plain data, `classes` their names. `stories(timeline, version)`
    returns the stories of single cards effective at a version of a log.
    """

    blank_piece: Callable[[str, str, str], dict[str, Any]]
    mode_card: Callable[[str, str], dict[str, Any]]
    cost_of: Callable[[Any, Any], setup.Cost]
    names_in: Callable[[Any], Sequence[str]]
    options: Callable[[str], dict[str, Any]]
    classes: Mapping[str, Any]
    stories: Callable[[Timeline, int], Sequence[stories.Story]]


GAMES: Mapping[str, Fielding] = {
    "zg": Fielding(
        blank_piece=pieces.blank_piece,
        mode_card=pieces.mode_card,
        cost_of=setup.cost_of,
        names_in=pieces.names_in,
        options=lambda deck_class: {"deck_class": deck_class},
        classes={
            "open": gettext_lazy("Open play"),
            "starter": gettext_lazy("Starter, 300 credits"),
            "standard": gettext_lazy("Standard ZGXL, 600 credits"),
        },
        stories=stories.stories,
    ),
}


def fielding_of(key: str) -> tuple[Ruleset, Fielding]:
    """Return a game in which characters can be fielded. Raises: BadInput."""
    if key not in GAMES:
        raise BadInput(
            "no-fielding",
            gettext("Characters cannot be fielded in {key}.").format(key=key[:20]),
            "$.game",
        )
    return rules.get(key), GAMES[key]
