"""The one shape of errors (RFC 9457)."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from matches.api.shapes.entries import EntryResponse
from matches.api.shapes.scribes import ScribeResponse


class Fault(Struct):
    """One fault of a request or a file, and where it is: `$.act.seat`, `row 3, column won`."""

    where: str
    code: str
    detail: str


class Problem(Struct, kw_only=True):
    """Every answer of 400 and above. `code` is permanent, `detail` is for people.

    `clause` names the rule it rests on; `errors` each fault that was found. The other fields belong
    to single codes and are absent elsewhere.

    `moved-on`: the `head` of the log now, the entries `missed` since `after`, oldest first, and
    whether there are `more`. What a ruleset refuses: the values in its text as `params`, and of an
    act that is `irregular` the code of what speaks against it as `verdict`. `not-the-scribe`: who
    the `scribe` is, null for nobody, and the id of the `proposal` as which the act was kept.
    `id-reused`: `made` is the last part of the address of what has the id. `recorded` and
    `proposal-merged`: the `version` of its entry. `overspent` in a ledger: what the `balance` would
    be. `edit-clash`: the `current` text. `broken-log`: the first `entry` of a file that does not
    hold, and its `problem`, as in a `Report`.
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
