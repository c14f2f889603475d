"""The one shape of errors (RFC 9457)."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from matches.api.shapes.entries import EntryResponse
from matches.api.shapes.scribes import ScribeResponse


class Fault(Struct):
    """One fault of a request or a file, and where it is: `$.act.seat`, `row 3, column won`.

    `code`: a permanent code of the fault.
    """

    where: str
    code: str
    detail: str


class Problem(Struct, kw_only=True):
    """Every answer of 400 and above. The fields after `errors` belong to single codes, else absent.

    `type`: always `about:blank`. `title`: the status in words. `status`: that of the answer.
    `code`: permanent, and meant for programs. `detail`: what is wrong, for people. `clause`: the
    rule of the game that it rests on, empty for none. `errors`: where the faults are; empty if it
    is not a field's.

    `head`: with `moved-on`, the version that the log has now. `missed`: with `moved-on`, the
    entries since `after`, oldest first. `more`: with `moved-on`, there are further ones than those.
    `params`: the values in the text of what a ruleset refuses. `verdict`: with `irregular`, the
    code of what speaks against the act. `scribe`: with `not-the-scribe`, who it is, null for
    nobody. `proposal`: with `not-the-scribe`, the id under which the act was kept, null if it was
    not. `made`: with `id-reused`, the last part of the address of what has the id. `version`: with
    `recorded` and `proposal-merged`, that of its entry. `balance`: with `overspent`, what the money
    in a ledger would be. `current`: with `edit-clash`, the text as it is now. `entry`: with
    `broken-log`, the first entry of a file that does not hold. `problem`: with `broken-log`, why,
    as in a `Report`.
    """

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    clause: str = ""
    errors: list[Fault] = []
    head: int | UnsetType = UNSET
    missed: list[EntryResponse] | UnsetType = UNSET
    more: bool | UnsetType = UNSET
    params: dict[str, Any] | UnsetType = UNSET
    verdict: str | UnsetType = UNSET
    scribe: ScribeResponse | UnsetType | None = UNSET
    proposal: str | UnsetType | None = UNSET
    made: str | UnsetType = UNSET
    version: int | UnsetType | None = UNSET
    balance: int | UnsetType = UNSET
    current: dict[str, Any] | UnsetType = UNSET
    entry: int | UnsetType = UNSET
    problem: str | UnsetType = UNSET
