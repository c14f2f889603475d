"""Titles and places of matches at tables of tournaments, and the status of a table.

A title is stored as an English line and shown in the reader's language, old ones included.
"""

import re
from typing import Any

from django.utils.translation import gettext, gettext_lazy, gettext_noop

STATUS: dict[str, Any] = {
    "open": gettext_lazy("to be played"),
    "reported": gettext_lazy("reported, not confirmed"),
    "disputed": gettext_lazy("in dispute"),
    "settled": gettext_lazy("settled"),
}
TITLE = gettext_noop("{tournament}: round {round}, table {table}")
PLACE = gettext_noop("{venue}, table {table}")
_FORMS = {
    TITLE: re.compile(r"(?P<tournament>.+): round (?P<round>\d+), table (?P<table>\d+)"),
    PLACE: re.compile(r"(?P<venue>.+), table (?P<table>\d+)"),
}


def worded(kept: str) -> str | None:
    """Return a title or place in the active language; None if it is not one of a table."""
    for form, pattern in _FORMS.items():
        if found := pattern.fullmatch(kept):
            return gettext(form).format(**found.groupdict())
    return None
