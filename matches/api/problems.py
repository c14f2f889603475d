"""The one shape of errors (RFC 9457), for responses and for the parts of one."""

from http import HTTPStatus
from typing import Any

import msgspec

from matches.errors import Refused


class Fault(msgspec.Struct):
    """One fault of a request or a file, and where it is: `$.act.seat`, `row 3, column won`."""

    where: str
    code: str
    detail: str


class Problem(msgspec.Struct, kw_only=True):
    """Every answer of 400 and above. `code` is permanent, `detail` is for people.

    `clause` names the rule it rests on; `errors` each fault that was found. A refusal may tell
    more: `head`, `missed` and `more` of a log that has moved on, `verdict` and `params` of an act.
    """

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    clause: str = ""
    errors: list[Fault] = []


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    """Return a problem as plain data; `more` holds `clause`, `errors` and further fields."""
    fields = Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, code=code)
    return {**msgspec.structs.asdict(fields), **more}


def problem_of(refused: Refused) -> dict[str, Any]:
    return problem(
        refused.status,
        refused.code,
        str(refused),
        clause=refused.clause,
        errors=refused.errors,
        **refused.extra,
    )
