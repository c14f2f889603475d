"""Citations of clauses as links to their text. Names no game."""

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

import rules
from rules import clauses

register = template.Library()


@register.filter
def cited(text: str) -> SafeString:
    """Return a text with each clause that it cites as a link."""
    pieces = clauses.pieces(conditional_escape(text))
    return SafeString("".join(_linked(*piece) for piece in pieces))


@register.simple_tag
def rulebook_url(ruleset: str) -> str:
    """Return the address of the rules of a log's game, "" if they are not here."""
    key = ruleset.partition("@")[0]
    return reverse("matches:rulebook", args=[key]) if key in clauses.GAMES else ""


@register.filter
def game(ruleset: str) -> str:
    """Return the name of a log's game, "" where it has none: any game may be played by results."""
    key = ruleset.partition("@")[0]
    return rules.get(key).name if key in clauses.GAMES else ""


def _linked(words: str, key: str, anchor: str) -> str:
    if not key:
        return words
    url = f"{rulebook_url(key)}#{anchor}"
    return format_html('<a class="clause" href="{}">{}</a>', url, words)
