"""Template context that every page needs."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from matches.actors import has_results_off

THEMES = ("auto", "light", "dark")
TEXT_COOKIE = "text"
TEXTS = ("larger", "largest")


def shell(request: HttpRequest) -> dict[str, Any]:
    """Return how a reader sees the site; kept in cookies, so that no page flashes."""
    return {**look(request), "results_off": has_results_off(request)}


def look(request: HttpRequest) -> dict[str, Any]:
    """Return the reader's choices of appearance, from cookies alone."""
    theme = request.COOKIES.get("theme", "auto")
    text = request.COOKIES.get(TEXT_COOKIE, "")
    return {
        "theme": theme if theme in THEMES else "auto",
        "text_size": text if text in TEXTS else "",
        "LANGUAGE_CODE": get_language(),
    }
