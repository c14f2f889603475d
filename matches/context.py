"""What the shell of every page knows."""

from typing import Any

from django.http import HttpRequest

THEMES = ("auto", "light", "dark")


def shell(request: HttpRequest) -> dict[str, Any]:
    """Return the theme the reader chose, read from a cookie so that no page flashes."""
    theme = request.COOKIES.get("theme", "auto")
    return {"theme": theme if theme in THEMES else "auto"}
