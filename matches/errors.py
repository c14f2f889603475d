"""The errors of services. Each has a status, a permanent code and a sentence.

Pages turn a `Refused` into an error of their form, the API into problem+json.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.utils.translation import gettext

from rules.ruleset import Act, Verdict

T = TypeVar("T")


class Refused(Exception):
    """A request that cannot be carried out.

    `status`: the HTTP status; `code`: kebab-case and permanent; `detail`: a sentence the player can
    act on; `clause`: the rule it rests on; `where`: the path to the part at fault, or `errors`:
    `{"where", "code", "detail"}` for each of several; `extra`: more plain data for the answer.
    """

    status = 400

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        clause: str = "",
        where: str = "",
        errors: Sequence[dict[str, Any]] = (),
        **extra: Any,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.clause = clause
        self.errors = list(errors)
        if where:
            self.errors.append({"where": where, "code": code, "detail": detail})
        self.extra = extra


class BadInput(Refused):
    """The request itself is malformed; `where` is the path to the part, such as `$.act.seat`.

    `str()` includes the path; `detail` does not, as pages show it at the field.
    """

    def __init__(self, code: str, detail: str, where: str = "$") -> None:
        super().__init__(code, detail, where=where)
        self.args = (f"{detail} (at {where})" if where != "$" else detail,)
        self.where = where


class TooLarge(BadInput):
    """The request is larger than the site accepts."""

    status = 413


class LengthRequired(BadInput):
    """A body without a stated length; nothing of it is read."""

    status = 411

    def __init__(self) -> None:
        super().__init__(
            "length-required", gettext("Send the body with `Content-Length`, not in chunks.")
        )


class NotAllowed(Refused):
    """The actor may see it, but not do this."""

    status = 403


class NotSignedIn(NotAllowed):
    """This takes an account; a seat link does not suffice."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("not-allowed", detail or gettext("Sign in first."))


class ResultsOff(NotAllowed):
    """The reader has results off, and this shows results."""

    def __init__(self) -> None:
        super().__init__("results-off", gettext("Results are off for you."))


class NotFound(Refused):
    """It does not exist, or the actor may not see it: the answer is the same."""

    status = 404

    def __init__(self, detail: str = "", code: str = "not-found") -> None:
        super().__init__(code, detail or gettext("There is nothing here."))


class Conflict(Refused):
    """The request conflicts with the current state."""

    status = 409


class Outdated(Refused):
    """The resource is not, or no longer, the version that `If-Match` names."""

    status = 412

    def __init__(self, *, can_be_read: bool = True) -> None:
        detail = gettext("What is here now is not what `If-Match` names: read it again.")
        if not can_be_read:
            detail = gettext("Nothing can be read at this address: send no `If-Match`.")
        super().__init__("precondition-failed", detail)


class Gone(Refused):
    """It existed, and has expired."""

    status = 410


class MovedOn(Conflict):
    """The log has gone on since `after`.

    `head` is its version now, `missed` the entries after the one named (`rules.replay.Entry`).
    """

    def __init__(self, after: int, head: int, missed: Sequence[Any]) -> None:
        super().__init__(
            "moved-on",
            gettext("The log has moved on: you named version {after}, it is at {head}.").format(
                after=after, head=head
            ),
            head=head,
        )
        self.head = head
        self.missed = list(missed)


class NotTheScribe(Conflict):
    """Somebody else is the scribe, or just became it: nothing was recorded.

    `scribe`: the current scribe as plain data, None for nobody; `proposal`: the id of the act, if
    it was kept as a proposal.
    """

    def __init__(
        self, detail: str, scribe: dict[str, Any] | None, proposal: str | None = None
    ) -> None:
        super().__init__("not-the-scribe", detail, scribe=scribe, proposal=proposal)


class AnotherRecorder(Conflict):
    """It was written under another account, or at another's seat, than it is sent from."""

    def __init__(self) -> None:
        super().__init__(
            "another-recorder",
            gettext(
                "Someone else is signed in here by now. What you wrote is not recorded in their "
                "name."
            ),
        )


class IdReused(Conflict):
    """The id was already used for something else.

    `made`: the last part of the address of what was created under it, if it differs from the
    request or was changed since.
    """

    def __init__(self, act_id: object, **made: Any) -> None:
        super().__init__(
            "id-reused",
            gettext(
                "The id {act_id} already names something else. Take another one, or load the "
                "form anew."
            ).format(act_id=act_id),
            **made,
        )


class Irregular(Conflict):
    """The act is against the rules; it can be recorded all the same, marked as irregular.

    `judged`: the state it was judged in, and the act as it was.
    """

    def __init__(self, verdict: Verdict, text: str, judged: tuple[Any, Act] | None = None) -> None:
        super().__init__(
            "irregular",
            gettext("{text} Say that it stood to record it anyway.").format(text=text),
            clause=verdict.clause,
            verdict=verdict.code,
            params=verdict.params,
        )
        self.verdict, self.judged = verdict, judged


class Impossible(Refused):
    """The act can be given no meaning."""

    status = 422

    @classmethod
    def of(cls, verdict: Verdict, text: str, where: str = "") -> "Impossible":
        return cls(verdict.code, text, clause=verdict.clause, where=where, params=verdict.params)


class WrongSeat(Refused):
    """There is no such seat at the table; `where` is the path to it."""

    status = 422

    def __init__(self, seat: int, seats: int, where: str) -> None:
        detail = gettext("There is no seat {seat}: the table has 1 to {seats}.").format(
            seat=seat, seats=seats
        )
        super().__init__("wrong-seat", detail, where=where)


class Busy(Refused):
    """Temporarily not possible; try again."""

    status = 503


class NoRoom(Refused):
    """The disk is full; retrying does not help until the operator makes room."""

    status = 507

    def __init__(self, detail: str) -> None:
        super().__init__("no-room", detail)


def named(where: str, find: Callable[..., T], *of: Any) -> T:
    """Return the object that part `where` of a body names; if there is none, the body is at fault.

    Raises: BadInput in place of NotFound, and whatever else `find` raises.
    """
    try:
        return find(*of)
    except NotFound as missing:
        raise BadInput(missing.code, missing.detail, where) from None


@contextmanager
def within(where: str) -> Iterator[None]:
    """Prefix the paths of a refusal with the part of the whole that is being read.

    Raises: Refused.
    """
    try:
        yield
    except BadInput as wrong:
        raise type(wrong)(wrong.code, wrong.detail, wrong.where.replace("$", where, 1)) from None
    except Refused as refused:
        for each in refused.errors:
            each["where"] = each["where"].replace("$", where, 1)
        raise


def answered(do: Callable[[], T]) -> T | Refused:
    """Return what `do` returns, or the Refused it raises, so that one of several stops no other."""
    try:
        return do()
    except Refused as refused:
        return refused
