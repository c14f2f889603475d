"""The log: compute first, lock last. `append` records an act, `write` any drafted entries.

Nothing is locked while an act is judged and its consequences are drawn (`matches.drafting`). All
entries of all logs then go through `insert_entries`: `matches.storing` moves the log's head if it
is still the expected one, takes the next position of the feed and inserts the rows, in one
statement or in one short transaction. The loser of a race computes again, or gets the entries it
missed if its request named the entry it follows.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any, Protocol
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.translation import gettext

import rules
from matches import metrics, storing
from matches.drafting import After, Drafted, Request, compute
from matches.errors import Busy, Conflict, IdReused, MovedOn, Refused
from matches.memory import LoadedLog, Sealed, Tip, loaded
from matches.models import Log, Note, uuid7
from rules import texts
from rules.replay import Entry, Timeline
from rules.ruleset import Act, Consequence, Ruleset, SeedRevealed

MAX_ENTRIES = 20_000
MAX_TRIES = 100
MAX_MISSED = 100
LONGEST = 200  # characters of a headline


class RecordRequest(Protocol):
    """A request to record one entry or several, under one id."""

    @property
    def act_id(self) -> UUID: ...

    @property
    def after(self) -> After: ...

    @property
    def note(self) -> str: ...

    @property
    def digest(self) -> str: ...

    def id_of(self, offset: int) -> UUID | None:
        """Return the id of one of its acts, counted from 0; None past the last."""


@dataclass(frozen=True)
class Receipt:
    """Proof that an act is in the log; equal for the same act however often it is sent."""

    version: int
    position: int
    hash: str
    act: Act
    consequences: tuple[Consequence, ...]
    recorded: bool = field(default=True, compare=False)  # False: it was already there


Permit = Callable[[Timeline], None]
"""Raises Refused for an act that may not follow this head, `AlreadyRecorded` if it is there."""


class AlreadyRecorded(Exception):
    """Raised for an act that the log has already, as an entry under another id."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


def load(log: Log) -> Timeline:
    """Return a log's timeline, at the head its row names or later.

    It is shared between threads and may grow while it is read, so bound what is read by
    `log.head_version` or by one `len()`. Entries and moments already there never change. To read
    several things of the newest head together, hold the lock of `memory.loaded(log)`.
    """
    return loaded(log).timeline


def version_of(log: Log, act_id: UUID) -> int | None:
    """Return the version of the entry an act was recorded as, None if it is not in the log."""
    return loaded(log).version_of(act_id)


def hash_at(log: Log, version: int) -> str:
    """Return the hash of the entry at a version."""
    return loaded(log).marks[version - 1].hash


def append(log: Log, request: Request, permit: Permit | None = None) -> Receipt:
    """Record an act and its consequences as the next entry of a log.

    Idempotent by the request's id: an act recorded already is answered with its first receipt, and
    so is one for which `permit` raises `AlreadyRecorded`.

    Raises: IdReused, MovedOn, Conflict, Irregular, Impossible, WrongSeat, what `permit` raises.
    """

    def draft(known: LoadedLog) -> Drafted:
        if permit:
            permit(known.timeline)
        return compute(log, known.timeline, known.tip, request)

    try:
        return write(log, request, draft)[0]
    except AlreadyRecorded as recorded:
        return receipts_again(log, [recorded.version])[0]


def write(log: Log, request: RecordRequest, draft: Callable[[LoadedLog], Drafted]) -> list[Receipt]:
    """Store what `draft` makes of the head, retrying while others move the head."""
    try:
        return _try_until_stored(log, request, draft)
    except Refused as refused:
        metrics.REFUSED.labels(refused.code).inc()
        raise


def _try_until_stored(
    log: Log, request: RecordRequest, draft: Callable[[LoadedLog], Drafted]
) -> list[Receipt]:
    for _ in range(MAX_TRIES):
        known = loaded(log)
        with known.lock:
            if known.version_of(request.act_id) is not None:
                return _first_receipts(log, known, request)
            require_open(log, known)
            require_after(known, request.after)
            tip, was_over = known.tip, known.is_over
            sealed, notes = draft(known)
        try:
            position = insert_entries(log, tip, sealed, notes, was_over=was_over)
        except IntegrityError:
            if not _came_meanwhile(log, request, sealed):
                raise
            continue
        if position is not None:
            transaction.on_commit(partial(known.adopt, sealed, position))
            return _receipts(sealed, position)
        log.refresh_from_db()
    raise Busy("busy", gettext("Too many are recording in this log at once; try again."))


def _came_meanwhile(log: Log, request: RecordRequest, sealed: Sequence[Sealed]) -> bool:
    """Tell whether the request was recorded meanwhile, after a unique key was violated.

    Raises: IdReused if another act has one of the ids derived from it.
    """
    log.refresh_from_db()
    known = loaded(log)
    if known.version_of(request.act_id) is not None:
        return True
    if any(known.version_of(UUID(each.record.act_id)) for each in sealed):
        raise IdReused(request.act_id) from None
    return False


def _receipts(sealed: Sequence[Sealed], position: int) -> list[Receipt]:
    """Return a receipt for each entry, except the site's own that reveals the seed."""
    asked_for = [each for each in sealed if not isinstance(each.entry.act, SeedRevealed)]
    return [_receipt(each, position + n) for n, each in enumerate(asked_for)]


def _receipt(sealed: Sealed, position: int) -> Receipt:
    entry = sealed.entry
    return Receipt(entry.version, position, sealed.record.hash, entry.act, entry.consequences)


def insert_entries(
    log: Log,
    tip: Tip,
    sealed: Sequence[Sealed],
    notes: Sequence[Note] = (),
    *,
    was_over: bool = False,
) -> int | None:
    """Store entries on top of `tip` and return the position of the first.

    None if the head has moved on; then nothing is stored. `was_over`: the match had ended at `tip`.
    """
    last = sealed[-1]
    ruleset = rules.get(log.ruleset)
    is_over = ruleset.outcome(last.moment.state) is not None
    head = {
        "head_version": last.record.version,
        "head_hash": last.record.hash,
        "status": Log.Status.ENDED if is_over else Log.Status.OPEN,
        **headlines(ruleset, last.moment.state),
    }
    records = [each.record for each in sealed]
    if not notes and is_over == was_over and storing.has_one_statement():
        first = storing.in_one_statement(log, tip, head, records)
    else:
        at = datetime.fromisoformat(last.record.recorded_at) if is_over else None
        ended = {"ended_at": at} if is_over != was_over else {}
        first = storing.in_a_transaction(log, tip, head, records, notes, ended)
    if first is None:
        return None
    count = metrics.APPENDED.labels(log.ruleset)
    transaction.on_commit(partial(count.inc, len(sealed)))
    for name, value in head.items():
        setattr(log, name, value)
    return first


def headlines(ruleset: Ruleset, state: Any) -> dict[str, str]:
    """Return the headline in every language, as columns of a row; a long one ends in `…`."""
    by_language = {}
    with translation.override(None):
        for language, _ in settings.LANGUAGES:
            translation.activate(language)
            line = ruleset.headline(state)
            by_language[language] = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    english = by_language.pop(texts.ENGLISH)
    others = {language: line for language, line in by_language.items() if line != english}
    return {"headline": english, "headlines": json.dumps(others, ensure_ascii=False)}


def append_by_itself(log: Log, request: Request, permit: Permit | None = None) -> Receipt:
    """Record an act of the site itself, under an id that anybody can derive.

    If somebody used that id for an act of their own, another id is taken. Raises: as `append`.
    """
    known = loaded(log)
    version = known.version_of(request.act_id)
    if version is not None and known.recorded()[version - 1][0] is not None:
        request = replace(request, act_id=uuid7())
    return append(log, request, permit)


class Drafting:
    """Entries drafted one upon the other, first upon the head of a `known` log; none is stored yet.

    A request of many acts is judged whole before anything is stored, and stored at once.
    """

    def __init__(self, log: Log, known: LoadedLog | None = None) -> None:
        self.log = log
        self.timeline = known.timeline.copy() if known else Timeline(rules.get(log.ruleset))
        self.start = self.tip = known.tip if known else (0, "")
        self.sealed: list[Sealed] = []
        self.notes: list[Note] = []

    def add(self, request: Request) -> None:
        """Draft an act. Raises: Irregular, Impossible, Conflict; then it is left out."""
        sealed, notes = compute(self.log, self.timeline, self.tip, request)
        for each in sealed:
            self.timeline.add(each.entry, each.moment)
            self.tip = each.entry.version, each.record.hash
        self.sealed += sealed
        self.notes += notes

    def store(self) -> bool:
        """Store the draft; return False, with nothing stored, if the head has moved since."""
        return insert_entries(self.log, self.start, self.sealed, self.notes) is not None


def write_all(log: Log, request: RecordRequest, add: Callable[[Drafting], object]) -> list[Receipt]:
    """Store the entries that `add` drafts on top of the head, all or none, as `write` does."""

    def draft(known: LoadedLog) -> Drafted:
        drafting = Drafting(log, known)
        add(drafting)
        return drafting.sealed, drafting.notes

    return write(log, request, draft)


def drafting(log: Log) -> Drafting:
    """Return an empty draft on top of a log's head. Raises: Conflict if the log takes no more."""
    known = loaded(log)
    with known.lock:
        require_open(log, known)
        return Drafting(log, known)


# -- before storing -----------------------------------------------------------------------


def _first_receipts(log: Log, known: LoadedLog, request: RecordRequest) -> list[Receipt]:
    version = known.version_of(request.act_id)
    assert version is not None  # the caller found it
    mark, entry = known.marks[version - 1], known.timeline.entries[version - 1]
    if mark.request_digest != request.digest or not _same_note(log, entry, request.note):
        raise IdReused(request.act_id)
    last = version + 1
    while (again := request.id_of(last - version)) and known.version_of(again) == last:
        last += 1
    return receipts_again(log, range(version, last))


def receipts_again(log: Log, versions: Sequence[int]) -> list[Receipt]:
    """Return the receipts of acts recorded before, given their versions in ascending order."""
    if log.head_version < versions[-1]:  # recorded after this row was read
        log.refresh_from_db()
    known = loaded(log)
    return [_receipt_again(known, version) for version in versions]


def _receipt_again(known: LoadedLog, version: int) -> Receipt:
    mark, entry = known.marks[version - 1], known.timeline.entries[version - 1]
    act, consequences = entry.act, entry.consequences
    return Receipt(version, mark.position, mark.hash, act, consequences, recorded=False)


def _same_note(log: Log, entry: Entry, text: str) -> bool:
    """Tell whether the stored note is the one sent again; an erased one counts as the same."""
    digest = getattr(entry.act, "note", "")
    if not digest or not text:
        return not digest and not text
    note = Note.objects.filter(log_id=log.pk, digest=digest).first()
    return note is None or note.erased_at is not None or note.text == text


def require_open(log: Log, known: LoadedLog) -> None:
    """Require a log that takes more entries. Raises: Conflict `withdrawn` or `log-full`."""
    if log.is_withdrawn:
        raise Conflict("withdrawn", gettext("This was withdrawn; nothing more is recorded in it."))
    require_room(known.version + 1)


def require_room(entries: int) -> None:
    """Require that a log may hold this many entries. Raises: Conflict `log-full`."""
    if entries > MAX_ENTRIES:
        raise Conflict(
            "log-full",
            gettext("A log holds at most {MAX_ENTRIES} entries.").format(MAX_ENTRIES=MAX_ENTRIES),
        )


def require_after(known: LoadedLog, after: After) -> None:
    """Require the head to be the entry that a request says it follows.

    Raises: Conflict `after-unknown` for no entry of this log; MovedOn, with the entries missed.
    """
    if isinstance(after, UUID):
        version = known.version_of(after)
        if version is None:
            raise Conflict(
                "after-unknown",
                gettext("There is no act {after} in this log to follow.").format(after=after),
            )
        after = version
    if after is None or after == known.version:
        return
    if not 0 <= after < known.version:
        raise Conflict(
            "after-unknown",
            gettext("There is no entry {after}: the log is at {version}.").format(
                after=after, version=known.version
            ),
        )
    raise MovedOn(after, known.version, known.timeline.entries[after : after + MAX_MISSED])
