"""Correcting an act of a log: its rebase, previewed, and recorded whole or not at all."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from uuid import UUID

import msgspec
from django.utils import timezone
from django.utils.translation import gettext

from matches import once
from matches.drafting import (
    After,
    Drafted,
    Request,
    note_of,
    refusal_of,
    require_seat,
    seal,
    with_draws,
    with_seed,
)
from matches.errors import Conflict, Impossible
from matches.log import Receipt, require_after, require_open, require_room, write
from matches.memory import LoadedLog, Sealed, loaded
from matches.models import Log
from rules import encoding, rebase, replay
from rules.rebase import Plan
from rules.replay import Timeline
from rules.ruleset import Act, Opened, SeedRevealed, TakenBack

PermitAt = Callable[[Timeline, int], bool]
"""Tells whether correcting this entry on top of this head needs a reason; raises Refused."""


@dataclass(frozen=True)
class Correction:
    """A request to correct an act of a log.

    `target`: the id of the act as it was recorded; `act`: what happened instead, None to strike it
    out; `irregular`: it stood, though against the rules; `note`: the reason. `after` as in a
    `Request`.
    """

    act_id: UUID
    target: UUID
    act: Act | None
    by: UUID | None = None
    after: After = None
    irregular: bool = False
    note: str = ""

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the target, the new act and `irregular`, as the digest of a request."""
        body = encoding.body(self.act) if self.act else None
        data = ["correct", str(self.target), body, self.irregular]
        return hashlib.sha256(msgspec.json.encode(data)).hexdigest()

    def id_of(self, offset: int) -> UUID:
        """Return the act id of one of its entries."""
        return once.nth_id(self.act_id, offset)


def corrected_at(log: Log) -> frozenset[int]:
    """Return the takings back in a log that began a correction with a new act, by version."""
    known = loaded(log)
    marks, entries = known.marks, known.timeline.entries
    return frozenset(
        back.version
        for back, after in pairwise(entries)
        if isinstance(back.act, TakenBack)
        and after.repeats is None
        and marks[after.version - 1].act_id == once.nth_id(marks[back.version - 1].act_id, 1)
    )


def correct(log: Log, correction: Correction, permit: PermitAt) -> list[Receipt]:
    """Record a correction: all its entries at once, or none. Return a receipt for each.

    Raises: as `append`.
    """

    def draft(known: LoadedLog) -> Drafted:
        version = _counting(known, correction.target)
        if permit(known.timeline, version) and not correction.note:
            detail = gettext("Say why: the reason stays in the log.")
            raise Impossible("missing-reason", detail, where="$.reason")
        digest, note = note_of(log, correction.note, correction.by)
        plan = _plan(log, known, correction, version, digest)
        return _seal_plan(log, known, correction, plan), [note] if note else []

    return write(log, correction, draft)


def plan(log: Log, correction: Correction, permit: PermitAt) -> tuple[Timeline, Plan, bool]:
    """Return a copy of a log, the plan of a correction on top of it, and whether it needs a reason.

    Raises: as `append`.
    """
    known = loaded(log)
    with known.lock:
        require_open(log, known)
        require_after(known, correction.after)
        version = _counting(known, correction.target)
        needs_reason = permit(known.timeline, version)
        return known.timeline.copy(), _plan(log, known, correction, version), needs_reason


def _plan(log: Log, known: LoadedLog, correction: Correction, version: int, note: str = "") -> Plan:
    timeline, act = known.timeline, correction.act
    if act is not None:
        require_seat(timeline, getattr(act, "seat", None))
        act = _with_its_note(act, timeline.entries[version - 1].act)
    try:
        plan = rebase.rebase(
            timeline,
            version,
            act,
            note=note,
            irregular=correction.irregular,
            draw=partial(with_draws, log, timeline, again=True),  # a preview tells no draw to come
        )
    except replay.ActRefusedError as refused:
        raise refusal_of(log, timeline, refused.verdict) from None
    if act is not None and plan.entries[1].act == timeline.entries[version - 1].act:
        raise Impossible(
            "nothing-changes", gettext("Entry {version} says that already.").format(version=version)
        )
    require_room(len(plan.timeline))
    return plan


def _with_its_note(act: Act, was: Act) -> Act:
    """Return the new act with the note of the one it replaces, when it is of the same type."""
    note = getattr(was, "note", "")
    return msgspec.structs.replace(act, note=note) if note and type(act) is type(was) else act


def _counting(known: LoadedLog, target: UUID) -> int:
    """Return the entry to correct: where the act was recorded, or last repeated."""
    timeline, recorded = known.timeline, known.version_of(target)
    if recorded is None:
        detail = gettext("There is no act {target} in this log to correct.").format(target=target)
        raise Impossible("act-unknown", detail, where="$.act_id")
    entry = timeline.entries[recorded - 1]
    if isinstance(entry.act, Opened | TakenBack | SeedRevealed):
        raise Impossible(
            "not-correctable",
            gettext("Entry {recorded} is no act of the table: it cannot be corrected.").format(
                recorded=recorded
            ),
        )
    version = rebase.successors(timeline, known.version, ()).get(recorded)
    if version is None:
        raise Conflict(
            "counts-no-more",
            gettext("Entry {recorded} was taken back and no longer counts.").format(
                recorded=recorded
            ),
        )
    return version


def _seal_plan(log: Log, known: LoadedLog, correction: Correction, plan: Plan) -> list[Sealed]:
    sealed: list[Sealed] = []
    tip, at = known.tip, timezone.now()  # one time, so that a delay shows all of it at once
    for offset, entry in enumerate(plan.entries):
        digest = "" if offset else correction.digest
        request = Request(correction.id_of(offset), entry.act, correction.by, sent_as=digest)
        sealed.append(seal(log, tip, entry, plan.timeline.at(entry.version), request, at))
        tip = entry.version, sealed[-1].record.hash
    return with_seed(log, known.timeline, sealed)
