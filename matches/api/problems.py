"""The one shape of errors (RFC 9457), for responses and for the parts of one."""

from http import HTTPStatus
from typing import Any

import msgspec

from matches.api.shapes import Problem
from matches.errors import Refused


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """Return a problem as plain data; `more` holds `clause`, `errors` and further fields."""
    fields = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, code=code)
    return {**msgspec.to_builtins(fields), **more}


def problem_of(refused: Refused) -> dict[str, Any]:
    return problem(
        refused.status,
        refused.code,
        str(refused),
        clause=refused.clause,
        errors=refused.errors,
        **refused.extra,
    )
