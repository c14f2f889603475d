"""User agents in plain words."""

import re

from django.utils.translation import gettext as _

# The first match wins: most user agents also name the browsers they derive from.
BROWSERS = {
    "Edge": ("Edg/", "EdgA/", "EdgiOS/"),
    "Opera": ("OPR/", "Opera"),
    "Samsung Internet": ("SamsungBrowser/",),
    "Firefox": ("Firefox/", "FxiOS/"),
    "Chrome": ("Chrome/", "CriOS/", "Chromium/"),
    "Safari": ("Safari/",),
}
SYSTEMS = {
    "iPhone": ("iPhone",),
    "iPad": ("iPad",),
    "Android": ("Android",),
    "ChromeOS": ("CrOS",),
    "Windows": ("Windows",),
    "macOS": ("Macintosh", "Mac OS X"),
    "Linux": ("Linux", "X11"),
}
_PROGRAM = re.compile(r"[A-Za-z][A-Za-z0-9 _.-]{1,30}(?=/)")


def plain(agent: str) -> str:
    """Return a user agent in words, as `Firefox on Android`; only its name if it is no browser."""
    browser, system = _first(BROWSERS, agent), _first(SYSTEMS, agent)
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    if browser or system:
        return browser or system
    program = _PROGRAM.match(agent)
    return program[0] if program else _("An unknown browser")


def _first(names: dict[str, tuple[str, ...]], agent: str) -> str:
    return next((name for name, marks in names.items() if any(m in agent for m in marks)), "")
