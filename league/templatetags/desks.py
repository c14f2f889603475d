"""Small helpers of the pages of desks."""

from collections.abc import Mapping

from django import template

import rules

register = template.Library()


@register.filter
def called(number: int, names: Mapping[int, str]) -> str:
    """Return what an entrant is called."""
    return names.get(number, f"Entrant {number}")


@register.filter
def game_name(ruleset: str) -> str:
    """Return what the game of a ruleset is called; the ruleset itself where there is none."""
    try:
        return rules.get(ruleset).name
    except KeyError:
        return ruleset
