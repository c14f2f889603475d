"""Small helpers of the pages of desks."""

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def called(number: int, names: Mapping[int, str]) -> str:
    """Return what an entrant is called."""
    return names.get(number, f"Entrant {number}")
