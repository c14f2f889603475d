"""Verify a log: form, chain, decisions, digests, draws, notes and head, from the bytes up.

Everything is computed again and compared with what is stored; the first entry that does not hold is
named. A tail cut off together with its head, or a log chained anew, shows only against the signed
heads kept outside (`matches.heads`).
"""

import logging
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import msgspec
from django.urls import reverse
from django.utils.translation import gettext

import rules
from matches import heads, jobs, policy, rows, selectors, verifications
from matches.actors import Actor
from matches.errors import NotFound
from matches.jobkinds import JobKind, Progress
from matches.models import Job, Log, Match, Note
from rules import chain
from rules.chain import Record
from rules.proof import Flaw, first, prove
from rules.replay import Timeline

logger = logging.getLogger(__name__)


class Report(msgspec.Struct, frozen=True):
    """The result of verifying a log.

    `problem` is a permanent code: `gap form body hash seed note head outside`, or what a replay
    found: `version on repeats verdict consequences digest draw`. `draws` counts the server's draws,
    `draws_checked` those compared with the seed (none while that is secret and not here).
    `unverified`: the chain holds, but the rules are a draft, have changed since they opened the log
    or last proved it, and decide an entry otherwise.

    `ok`: all of it holds. `entries`: how many there are. `events`: how many acts and
    consequences. `head_hash`: the hash of the last entry. `first_bad`: the first entry that
    does not hold; null if all do. `heads`: how many heads kept outside the database it was
    compared with. `detail`: what is wrong, in words.
    """

    ok: bool
    log: str
    entries: int
    events: int
    head_hash: str
    draws: int = 0
    draws_checked: int = 0
    first_bad: int | None = None
    problem: str = ""
    detail: str = ""
    heads: int = 0  # number of outside heads compared
    unverified: bool = False


def verify(
    log: Log, upto: int | None = None, seen: Callable[[int], object] | None = None
) -> Report:
    """Verify a log as stored in the database, up to a version or whole.

    `seen` is called with the version of each entry that holds.
    """
    log.refresh_from_db()
    at, hashed = log.head_version, log.head_hash
    stored = rows.rows_of(log, upto=upto)
    log.refresh_from_db()  # entries recorded meanwhile are no flaw
    records, flaw = _read(stored)
    ruleset = rules.get(log.ruleset)
    proof = prove(ruleset, str(log.pk), records, log.seed, seen)
    published = heads.of(log.pk)
    may_have_changed = rules.is_draft(ruleset) and log.rules_digest != rules.fingerprint()
    of_rules = proof.flaw if proof.of_rules and may_have_changed else None
    flaw = first(
        (None if of_rules else proof.flaw)
        or flaw
        or _check_notes(log, records)
        or (_check_head(records, at, hashed, log.head_version) if upto is None else None),
        _check_outside(published, records, upto),
    )
    unverified, flaw = flaw is None and of_rules is not None, flaw or of_rules
    draws = _count_draws(proof.timeline)
    return Report(
        ok=flaw is None,
        log=str(log.pk),
        entries=len(records),
        events=len(stored),
        head_hash=records[-1].hash if records else "",
        draws=draws,
        draws_checked=draws if proof.seed else 0,
        first_bad=flaw.version if flaw else None,
        problem=flaw.problem if flaw else "",
        detail=flaw.detail if flaw else "",
        heads=sum(upto is None or head.version <= upto for head in published),
        unverified=unverified,
    )


def remember_rules(log: Log) -> None:
    """Note that today's rules have proved a log: from now on they explain no flaw of it."""
    Log.objects.filter(pk=log.pk).exclude(rules_digest=rules.fingerprint()).update(
        rules_digest=rules.fingerprint()
    )


def _read(stored: Sequence[tuple[Any, ...]]) -> tuple[list[Record], Flaw | None]:
    """Return the entries up to the first malformed one, and that one as a flaw."""
    records: list[Record] = []
    last = 0
    for version, group in groupby(stored, key=lambda row: row[0]):
        events = [dict(zip(rows.COLUMNS, row, strict=True)) for row in group]
        wrong = _malformed(events, last)
        if wrong:
            return records, Flaw(version, *wrong)
        last = events[0]["position"]
        records.append(rows.record_of(events))
    return records, None


def _malformed(events: Sequence[dict[str, Any]], last: int) -> tuple[str, str] | None:
    """Return what is wrong with the rows of one entry, None if nothing is."""
    act, *consequences = events
    if [event["ordinal"] for event in events] != list(range(len(events))):
        return "gap", "a row is missing"
    if any(event["position"] != act["position"] for event in consequences):
        return "form", "its rows have several places in the feed"
    if act["position"] <= last:
        return "form", f"its place in the feed, {act['position']}, is not after {last}"
    if act["act_id"] is None or act["recorded_at"] is None:
        return "form", "its act has no id or no time"
    if any(event[name] for event in consequences for name in rows.OF_ACTS):
        return "form", "a consequence holds what only an act has"
    return None


def _check_notes(log: Log, records: Sequence[Record]) -> Flaw | None:
    """Compare the notes with all entries, also those that changed rules cannot read any more."""
    notes = {note.digest: note for note in Note.objects.filter(log=log)}
    for record in records:
        digest = _note_of(record)
        if digest and not _note_holds(notes.get(digest)):
            return Flaw(record.version, "note", "its note is gone, or has another text")
    return None


class _Noted(msgspec.Struct):
    """What is read of any act: the digest of its note."""

    note: str = ""


_noted = msgspec.json.Decoder(_Noted)


def _note_of(record: Record) -> str:
    try:
        return _noted.decode(record.rows[0].body).note
    except (msgspec.MsgspecError, UnicodeError):
        return ""


def _note_holds(note: Note | None) -> bool:
    if note is None:
        return False
    if note.erased_at is not None:
        return True
    return chain.note_digest(bytes.fromhex(note.salt), note.text) == note.digest


def _check_head(records: Sequence[Record], at: int, hashed: str, latest: int) -> Flaw | None:
    """Compare the heads before and after the rows were read with the entries."""
    if len(records) < at:
        return Flaw(len(records) + 1, "gap", f"entries are missing: the head is {at}")
    if len(records) > latest:
        return Flaw(latest + 1, "head", f"there are entries after the head, {latest}")
    if (records[at - 1].hash if at else "") != hashed:
        return Flaw(at, "head", "the head has another hash than its entry")
    return None


def _check_outside(
    published: Sequence[heads.Head], records: Sequence[Record], upto: int | None
) -> Flaw | None:
    version = heads.first_bad(published, [record.hash for record in records], upto)
    if version is None:
        return None
    return Flaw(version, "outside", f"entry {version} is not the one that the signed heads know")


def _count_draws(timeline: Timeline) -> int:
    """Count all server draws, including those taken back; a repeated act makes none."""
    total = 0
    for entry, moment in zip(timeline.entries, timeline.moments, strict=True):
        if entry.repeats is not None:
            continue
        total += moment.draws - (timeline.at(entry.base).draws if entry.base else 0)
    return total


class Verification(JobKind):
    """The verification of one log by a worker, in one slice, as a task may take minutes for it."""

    name = verifications.VERIFY
    parts = 100  # percent: the number of entries may be secret

    def title(self, job: Job) -> str:
        return gettext("Check of match {code}").format(code=_match_of(job).code)

    def page(self, job: Job) -> str:
        return reverse("matches:match-verify", args=[_match_of(job).code])

    def require(self, by: Actor, job: Job) -> None:
        policy.require_verify(by, _match_of(job))

    def work(self, by: Actor, job: Job, progress: Progress) -> Any:
        """Verify a log, replacing the results of earlier nights. Raises: JobFailed."""
        assert job.log is not None  # this kind always has a log
        entries = max(job.log.head_version, 1)

        def seen(version: int) -> None:
            progress(min(version * self.parts // entries, self.parts), self.parts)

        report = verify(job.log, seen=seen)
        verifications.forget(job.log)
        if report.ok:
            remember_rules(job.log)
        result = msgspec.to_builtins(report)
        if not report.ok:
            detail = f"entry {report.first_bad}, {report.problem}: {report.detail}"
            if not report.unverified:
                logger.error("log %s does not hold: %s", job.log_id, detail)
                raise jobs.JobFailed(detail, result)
            logger.warning("log %s is not verified, as a draft changed: %s", job.log_id, detail)
        return result

    def result_for(self, by: Actor, job: Job) -> Any:
        """Return the result; if part of the log is held back from the actor, whether it holds."""
        if job.result and selectors.held_back(by, _match_of(job)):
            return verifications.in_short(job.result)
        return job.result


def _match_of(job: Job) -> Match:
    match: Match | None = getattr(job.log, "match", None)
    if match is None:
        raise NotFound()
    return match
