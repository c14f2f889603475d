"""What the shell of every page knows."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import get_language

from matches.policy import has_results_off

THEMES = ("auto", "light", "dark")


def shell(request: HttpRequest) -> dict[str, Any]:
    """Return language, theme and whether results are off; cookies hold them, so no page flashes."""
    theme = request.COOKIES.get("theme", "auto")
    return {
        "theme": theme if theme in THEMES else "auto",
        "LANGUAGE_CODE": get_language(),
        "results_off": has_results_off(request),
    }
