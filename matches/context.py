"""What the shell of every page knows."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from matches.actors import has_results_off

THEMES = ("auto", "light", "dark")
TEXT_COOKIE = "text"
TEXTS = ("larger", "largest")


def shell(request: HttpRequest) -> dict[str, Any]:
    """Return how a reader sees the site; cookies hold it, so no page flashes."""
    return {**look(request), "results_off": has_results_off(request)}


def look(request: HttpRequest) -> dict[str, Any]:
    """Return what its reader chose of the look of a page, from cookies alone."""
    theme = request.COOKIES.get("theme", "auto")
    text = request.COOKIES.get(TEXT_COOKIE, "")
    return {
        "theme": theme if theme in THEMES else "auto",
        "text_size": text if text in TEXTS else "",
        "LANGUAGE_CODE": get_language(),
    }
