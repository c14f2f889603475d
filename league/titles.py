"""What a match at a table of a tournament is called, where it stands, and how its table does.

A title is kept as one English line, which is worded in the language of who looks: old ones too.
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
    """Return a title or a place in the language that is on; None for what is no table's."""
    for form, pattern in _FORMS.items():
        if found := pattern.fullmatch(kept):
            return gettext(form).format(**found.groupdict())
    return None
