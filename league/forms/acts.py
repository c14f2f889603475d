"""Acts of a desk, read from plain forms."""

import re
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext

from matches.errors import BadInput
from rules.desk import limits
from rules.desk.acts import ACTS
from rules.ruleset import event_type

NUMBERS = (
    *("entrant", "round", "table", "seat_number", "size", "drawn", "by", "demerits"),
    *("rating", "seed", "minutes", "announcement", "at"),
)
LISTS = ("scores", "absent", "entrants", "left")
WORDS = ("infraction", "penalty", "worth", "method", "label")
BETWEEN = re.compile(r"(?<=[0-9])\s*[-–]\s*|\s+")
"""The separator of numbers in a list; a dash before the first is a minus sign."""
LIMIT = {
    "scores": limits.MAX_SCORE,
    "left": limits.MAX_LEFT,
    "drawn": limits.MAX_DRAWN,
    "rating": limits.MAX_RATING,
    "demerits": limits.MAX_POINTS,
    "at": limits.MAX_TIME,
}
"""The maximum of fields that take less than any form does."""
MAX_NUMBER = 10**9 - 1
KINDS = {event_type(kind): kind for kind in ACTS}


def act_of(form: QueryDict) -> dict[str, Any]:
    """Return the act that a form describes, as plain data. Raises: BadInput.

    Numbers of a list are separated by dashes, or in several fields of the same name.
    """
    kind = form.get("type", "")
    if kind not in KINDS:
        raise BadInput(
            "unknown-value", gettext("There is no act {kind!a}.").format(kind=kind[:40]), "type"
        )
    known = set(KINDS[kind].__struct_fields__)
    act: dict[str, Any] = {"type": kind}
    for name in known & {*NUMBERS, *WORDS} & form.keys():
        text = form.get(name, "").strip()
        if name in WORDS:
            act[name] = text
        elif text:
            act[name] = number(text, name)
    for name in known & {*LISTS} & form.keys():
        act[name] = [
            number(part, name)
            for text in form.getlist(name)
            for part in BETWEEN.split(text.strip())
            if part
        ]
        if name == "entrants":
            act[name].sort()
    if "lost" in known and "lost" in form:
        act["lost"] = True
    if not act.get("absent", True):
        del act["absent"]
    return act


def number(text: str, name: str) -> int:
    """Return a typed number. Raises: BadInput, naming the maximum."""
    most = LIMIT.get(name, MAX_NUMBER)
    if not text.isascii() or not text.isdigit() or len(text) > len(str(most)) or int(text) > most:
        detail = gettext("“{text}” is not a whole number from 0 to {most}.")
        raise BadInput("wrong-type", detail.format(text=text[:20], most=most), name)
    return int(text)
