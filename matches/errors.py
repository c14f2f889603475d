"""Why the log says no. Every refusal has a status, a permanent code and a sentence.

Pages turn a `Refused` into an error of their form, the API into problem+json.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.utils.translation import gettext

from rules.ruleset import Verdict

T = TypeVar("T")


class Refused(Exception):
    """What was asked can not be done.

    `status`: the HTTP status; `code`: kebab-case and permanent; `detail`: a sentence the
    player can act on; `clause`: the rule it rests on; `errors`: `{"where", "code",
    "detail"}` of each fault that was found; `extra`: more plain data for the answer.
    """

    status = 400

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        clause: str = "",
        errors: Sequence[dict[str, Any]] = (),
        **extra: Any,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.clause = clause
        self.errors = list(errors)
        self.extra = extra


class BadInput(Refused):
    """The request itself is malformed; `where` is the path to the part, such as `$.act.seat`.

    As a text it says where; `detail` does not, for people see the field it stands at.
    """

    def __init__(self, code: str, detail: str, where: str = "$") -> None:
        errors = [{"where": where, "code": code, "detail": detail}]
        super().__init__(code, detail, errors=errors)
        self.args = (f"{detail} (at {where})" if where != "$" else detail,)
        self.where = where


class TooLarge(BadInput):
    """More than the site takes in one request."""

    status = 413


class LengthRequired(BadInput):
    """A body that does not say how long it is, of which nothing is read."""

    status = 411

    def __init__(self) -> None:
        super().__init__(
            "length-required", gettext("Say how long it is, in `Content-Length`: send no chunks.")
        )


class NotAllowed(Refused):
    """One may see it, but not do it."""

    status = 403


class NotSignedIn(NotAllowed):
    """It takes an account, and a seat's link is none."""

    def __init__(self, detail: str = "") -> None:
        super().__init__("not-allowed", detail or gettext("Sign in first."))


class ResultsOff(NotAllowed):
    """The reader wants to know no results, whoever they are."""

    def __init__(self) -> None:
        super().__init__("results-off", gettext("Results are off for you."))


class NotFound(Refused):
    """It is not there, or not for this eye: the answer is the same."""

    status = 404

    def __init__(self, detail: str = "", code: str = "not-found") -> None:
        super().__init__(code, detail or gettext("There is nothing here."))


class Conflict(Refused):
    """It does not fit what is already there."""

    status = 409


class Outdated(Refused):
    """It is not, or no longer, what `If-Match` names."""

    status = 412

    def __init__(self) -> None:
        super().__init__(
            "precondition-failed", gettext("What is here now is not what `If-Match` names.")
        )


class Gone(Refused):
    """It was there, and its time is over."""

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
    """Somebody else is the scribe, or was made it: nothing was recorded.

    `scribe`: who is, as plain data, None when nobody; `proposal`: the id of the act where it
    was kept as a proposal.
    """

    def __init__(
        self, detail: str, scribe: dict[str, Any] | None, proposal: str | None = None
    ) -> None:
        super().__init__("not-the-scribe", detail, scribe=scribe, proposal=proposal)


class IdReused(Conflict):
    """The id was already used for something else.

    `made`: of what was made under it, and says something else or does by now, what its address
    ends in.
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
    """Against the rules; it may be recorded all the same by saying so."""

    def __init__(self, verdict: Verdict, text: str) -> None:
        super().__init__(
            "irregular",
            gettext("{text} Say that it stood to record it anyway.").format(text=text),
            clause=verdict.clause,
            verdict=verdict.code,
            params=verdict.params,
        )
        self.verdict = verdict


class Impossible(Refused):
    """It can be given no meaning."""

    status = 422

    @classmethod
    def of(cls, verdict: Verdict, text: str) -> "Impossible":
        return cls(verdict.code, text, clause=verdict.clause, params=verdict.params)


class WrongSeat(Refused):
    """There is no such seat at the table."""

    status = 422

    def __init__(self, seat: int, seats: int) -> None:
        super().__init__(
            "wrong-seat",
            gettext("There is no seat {seat}: the table has 1 to {seats}.").format(
                seat=seat, seats=seats
            ),
        )


class Busy(Refused):
    """Not now."""

    status = 503


class NoRoom(Refused):
    """Not before whoever runs the site has made room."""

    status = 507

    def __init__(self, detail: str) -> None:
        super().__init__("no-room", detail)


def named(where: str, find: Callable[..., T], *of: Any) -> T:
    """Return what a body names there. What is not found is a fault of that part, not of the path.

    Raises: BadInput, what finding raises.
    """
    try:
        return find(*of)
    except NotFound as missing:
        raise BadInput(missing.code, missing.detail, where) from None


@contextmanager
def within(where: str) -> Iterator[None]:
    """Say of what is malformed that it stands in a part of the whole. Raises: BadInput."""
    try:
        yield
    except BadInput as wrong:
        raise type(wrong)(wrong.code, wrong.detail, wrong.where.replace("$", where, 1)) from None


def answered(do: Callable[[], T]) -> T | Refused:
    """Return what is done, or the refusal: of several, one that is refused stops no other."""
    try:
        return do()
    except Refused as refused:
        return refused
