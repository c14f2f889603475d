"""The form of a page that a game adds: a question of its ruleset, filled in by the query."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from rules.ruleset import Misused, Question


def answered(kind: type[Question], query: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the form's values, its choices, and the answer to it or the `errors` by field."""
    question = kind(**_given(kind, query))
    form = {"asked": question.completed(), **kind.choices()}
    try:
        return form | question.answer()
    except Misused as wrong:
        return form | {"errors": {wrong.field: {"text": str(wrong), "column": wrong.column}}}


def _given(kind: type[Question], query: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the filled fields of a form; the last value of those that take one."""
    given = {}
    for field in msgspec.structs.fields(kind):
        if values := tuple(value for value in query.get(field.name, ()) if value):
            given[field.name] = values if field.default == () else values[-1]
    return given
