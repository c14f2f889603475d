"""Import and export of log files: ndjson with everything, or notation.

An ndjson file is the log itself: a head line, then a line per entry. It is imported with its id,
rows and hashes; the ids of who recorded it name nobody here. Notation is the match as text:
imported, it makes a new log that goes through the same states. Either is imported whole or not at
all.
"""

from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any
from uuid import UUID, uuid5

import msgspec
from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Meta

import rules
from matches import actors, canonical, drafting, headlines, labels, once, policy, rows
from matches import log as logs
from matches.actors import Actor
from matches.errors import BadInput, Conflict, IdReused, Refused, TooLarge
from matches.memory import Sealed
from matches.models import Log, Match, Note, Seat, uuid7
from matches.opening import new_code
from rules import chain, encoding, notation
from rules.chain import Record
from rules.notation import NotationError
from rules.proof import prove
from rules.replay import Timeline
from rules.ruleset import Ruleset, SeedRevealed

MAX_BYTES = 4 * 1024 * 1024
FORM = "zgxl-log-1"
AHEAD = timedelta(minutes=5)  # tolerated clock difference to another site

Hex32 = Annotated[str, Meta(pattern="^[0-9a-f]{32}\\Z")]
Hex64 = Annotated[str, Meta(pattern="^[0-9a-f]{64}\\Z")]
Version = Annotated[int, Meta(ge=1, le=logs.MAX_ENTRIES)]
Time = Annotated[datetime, Meta(tz=True)]


class Shape(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A line of a file; unknown fields are refused."""


class NoteLine(Shape, frozen=True):
    salt: Hex32
    text: str


class HeadLine(Shape, frozen=True):
    """The first line: the log's id, and its head."""

    form: str
    log: UUID
    ruleset: str
    entries: Version
    head_hash: Hex64
    title: str = ""
    place: str = ""
    physical: bool = True


class EntryLine(Shape, frozen=True, kw_only=True):
    """An entry: all that its hash covers, its hash, and its note if there is one."""

    version: Version
    act_id: UUID
    request_digest: Hex64
    verdict: Annotated[str, Meta(max_length=80)] = "legal"
    on: Version | None = None
    repeats: Version | None = None
    state_digest: Hex64
    recorded_at: Time
    recorded_by: UUID | None = None
    said_at: Time | None = None
    salt: Hex32
    hash: Hex64
    events: tuple[Any, ...]
    note: NoteLine | None = None


# -- out ------------------------------------------------------------------------------------


def export_ndjson(match: Match, upto: int | None = None) -> bytes:
    """Return a match's log as a file, up to a version or whole."""
    beside = {"title": match.title, "place": match.place, "physical": match.physical}
    return export_log(match.log, upto, **beside)


def export_log(of: Log, upto: int | None = None, **beside: Any) -> bytes:
    """Return any log as a file, up to a version or whole; `beside` adds fields of `HeadLine`."""
    records = [record for record, _ in rows.records_of(of, upto=upto)]
    notes = {note.digest: note for note in Note.objects.filter(log=of, erased_at=None)}
    head = HeadLine(
        form=FORM,
        log=of.pk,
        ruleset=of.ruleset,
        entries=len(records),
        head_hash=records[-1].hash,
        **beside,
    )
    lines = [head, *(_entry_line(record, notes) for record in records)]
    return msgspec.json.Encoder().encode_lines(lines)


def _entry_line(record: Record, notes: dict[str, Note]) -> dict[str, Any]:
    line: dict[str, Any] = msgspec.to_builtins(record)
    del line["rows"]
    line["events"] = [msgspec.Raw(row.body.encode()) for row in record.rows]
    digest = msgspec.json.decode(record.rows[0].body).get("note")
    if note := notes.get(digest):
        line["note"] = {"salt": note.salt, "text": note.text}
    return line


def export_notation(match: Match, upto: int | None = None) -> str:
    """Return a match as notation, with the digest of every entry."""
    return export_text(match.log, upto)


def export_text(of: Log, upto: int | None) -> str:
    """Return any log as notation, with the digest of every entry."""
    timeline = logs.load(of)
    entries = timeline.entries[: upto or of.head_version]
    return notation.write_match(timeline.ruleset, entries, digests=True, comments=True)


# -- in -------------------------------------------------------------------------------------


def import_log(
    *, by: Actor, data: bytes, content_type: str = "", act_id: UUID | None = None
) -> Match:
    """Import a log file, whole or not at all. Notation is imported once per `act_id`.

    Raises: NotAllowed, TooLarge, BadInput, IdReused for other notation, Conflict `log-exists`,
    BrokenLog.
    """
    policy.require_open(by)
    if len(data) > MAX_BYTES:
        raise TooLarge("too-large", f"A log file has at most {MAX_BYTES} bytes.")
    data = data.removeprefix(BOM_UTF8)
    if not data.strip():
        raise BadInput("no-file", gettext("Send the file itself: there is nothing in this one."))
    is_ndjson = "json" in content_type or data.lstrip().startswith(b"{")
    opener = actors.player_of(by)
    pk = once.id_of(Match, opener.pk, act_id) if act_id else uuid7()
    match, sealed, notes = _read_ndjson(data) if is_ndjson else _read_notation(data, pk)
    match.opener = opener
    before = partial(_taken_before, pk, sealed, act_id)
    if found := before():
        return found
    write = partial(_create, match, sealed, notes)
    try:
        return once.write_down(match, write, before)
    except IntegrityError:
        raise _exists(match.log) from None


def _taken_before(pk: UUID, sealed: Sequence[Sealed], act_id: UUID | None) -> Match | None:
    """Return the match made of the same notation before. Raises: IdReused for another one."""
    found = Match.objects.select_related("log", "opener").filter(pk=pk).first()
    if found is not None:
        kept = logs.load(found.log).entries[: found.log.imported_version]
        if [entry.act for entry in kept] != [each.entry.act for each in sealed]:
            raise IdReused(act_id, made=once.address_of(found))
    return found


Coming = tuple[Match, Sequence[Sealed], Sequence[Note]]


def _read_ndjson(data: bytes) -> Coming:
    (number, first), *rest = [
        (number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()
    ]
    where = f"line {number}: $"
    head: HeadLine = canonical.convert(canonical.parse(first, where=where), HeadLine, where)
    if head.form != FORM:
        raise BadInput("unknown-form", f"The first line should say the form {FORM}.")
    coming = Log(pk=head.log, ruleset=head.ruleset)
    if Log.objects.filter(pk=head.log).exists():
        raise _exists(coming)
    ruleset = _ruleset(head.ruleset)
    lines = [_entry_of_line(ruleset, line, f"line {number}: $") for number, line in rest]
    proof = prove(ruleset, str(head.log), [record for record, _ in lines])
    if flaw := proof.flaw:
        raise _broken(flaw.version, flaw.problem, flaw.detail)
    if len(lines) != head.entries or lines[-1][0].hash != head.head_hash:
        raise _broken(len(lines), "head", "the file does not end where its first line says")
    if len({record.act_id for record, _ in lines}) < len(lines):
        raise _broken(len(lines), "id", "an act's id is there twice")
    timeline = proof.timeline
    sealed = list(map(Sealed, timeline.entries, timeline.moments, (r for r, _ in lines)))
    match = _match(coming, timeline, head.title, head.place, head.physical)
    texts = {number: line for number, (_, line) in enumerate(lines) if line}
    notes = [
        _note(coming, each.entry.act, texts.get(number), each.entry.version)
        for number, each in enumerate(sealed)
        if getattr(each.entry.act, "note", "")
    ]
    return match, sealed, _once(notes)


def _entry_of_line(ruleset: Ruleset, raw: bytes, where: str) -> tuple[Record, NoteLine | None]:
    line: EntryLine = canonical.convert(canonical.parse(raw, where=where), EntryLine, where)
    if not line.events:
        raise BadInput("missing-field", "An entry has at least its act.", f"{where}.events")
    act, *consequences = line.events
    events = [canonical.act_from(ruleset, act, f"{where}.events[0]")]
    shape = encoding.union(tuple(ruleset.consequences))
    events += [
        canonical.convert(consequence, shape, f"{where}.events[{n}]")
        for n, consequence in enumerate(consequences, 1)
    ]
    record = Record(
        version=line.version,
        act_id=str(line.act_id),
        request_digest=line.request_digest,
        verdict=line.verdict,
        on=line.on,
        repeats=line.repeats,
        state_digest=line.state_digest,
        recorded_at=_past(line.recorded_at, f"{where}.recorded_at"),
        recorded_by=str(line.recorded_by) if line.recorded_by else None,
        said_at=_time(line.said_at, f"{where}.said_at") if line.said_at else None,
        salt=line.salt,
        hash=line.hash,
        rows=tuple(map(encoding.row_of, events)),
    )
    return record, line.note


def _time(moment: datetime, where: str) -> str:
    return rows.time_text(canonical.time_from(moment, where))


def _past(moment: datetime, where: str) -> str:
    time = _time(moment, where)
    if moment > timezone.now() + AHEAD:
        raise BadInput("bad-time", "This time is still to come: nothing was recorded then.", where)
    return time


def _read_notation(data: bytes, pk: UUID) -> Coming:
    try:
        text = data.decode("utf-8")
        script = notation.read_match(text, rules.game)
        if len(script.lines) > logs.MAX_ENTRIES:
            raise TooLarge("too-large", f"A log holds at most {logs.MAX_ENTRIES} entries.")
        for line in script.lines:
            canonical.require_plain(msgspec.to_builtins(line.act), f"line {line.at}: $")
        timeline = notation.play(script)
    except UnicodeDecodeError as error:
        raise BadInput("not-utf8", f"Byte {error.start} is not UTF-8.") from None
    except NotationError as error:
        where = f"line {error.line}, column {error.column}"
        raise BadInput("notation", error.message, where) from None
    coming = Log(pk=pk, ruleset=timeline.setup.ruleset)
    sealed = list(_seal_all(coming, timeline))
    notes = [
        _note(coming, entry.act, None, entry.version)
        for entry in timeline.entries
        if getattr(entry.act, "note", "")
    ]
    return _match(coming, timeline), sealed, _once(notes)


def _seal_all(coming: Log, timeline: Timeline) -> Iterator[Sealed]:
    tip = (0, "")
    for entry, moment in zip(timeline.entries, timeline.moments, strict=True):
        act_id = uuid5(coming.pk, str(entry.version))
        sealed = drafting.seal(coming, tip, entry, moment, drafting.Request(act_id, entry.act))
        tip = entry.version, sealed.record.hash
        yield sealed


def _match(
    coming: Log, timeline: Timeline, title: str = "", place: str = "", physical: bool = True
) -> Match:
    for seat in timeline.setup.seats:
        labels.require_neutral(seat.label, timeline.ruleset)
    coming.options = msgspec.json.encode(timeline.setup.options).decode()
    revealed = [e.act.seed for e in timeline.entries if isinstance(e.act, SeedRevealed)]
    coming.seed = revealed[0] if revealed else ""
    title = canonical.text_from(title, "$.title", 120)
    place = canonical.text_from(place, "$.place", 120)
    return Match(log=coming, title=title, place=place, physical=physical)


def _note(coming: Log, act: Any, line: NoteLine | None, version: int) -> Note:
    """Return the note of an act; one whose text did not come along is stored as erased."""
    if line is None:
        return Note(log_id=coming.pk, digest=act.note, erased_at=timezone.now())
    text = canonical.kept_text_from(line.text, "$.note.text", 10_000)
    if chain.note_digest(bytes.fromhex(line.salt), text) != act.note:
        raise _broken(version, "note", "its note has another text than was hashed")
    return Note(log_id=coming.pk, digest=act.note, salt=line.salt, text=text)


def _once(notes: Sequence[Note]) -> list[Note]:
    """Return each note once: a repeated act keeps its note."""
    return list({note.digest: note for note in notes}.values())


def _create(match: Match, sealed: Sequence[Sealed], notes: Sequence[Note]) -> None:
    match.log.imported_version = len(sealed)
    match.log.save(force_insert=True)
    match.code = new_code()
    match.save(force_insert=True)
    match.started_at = datetime.fromisoformat(sealed[0].record.recorded_at)
    match.save(update_fields=["started_at"])
    setup: Any = sealed[0].entry.act
    Seat.objects.bulk_create(
        Seat(match=match, number=number, label=seat.label)
        for number, seat in enumerate(setup.seats, 1)
    )
    logs.insert_entries(match.log, (0, ""), sealed, notes)
    if match.log.status == Log.Status.ENDED:  # not when it was corrected last
        match.ended_at = headlines.ended_at(match.log, len(sealed))
        match.save(update_fields=["ended_at"])


def _ruleset(name: str) -> Ruleset:
    """Return the game that a file names, with its version. Raises: BadInput."""
    if "@" in name:
        with suppress(KeyError):
            return rules.game(name)
    raise BadInput("unknown-ruleset", f"There is no ruleset {name!a} here.")


def _exists(coming: Log) -> Conflict:
    return Conflict("log-exists", f"The log {coming.pk} is here already.")


def _broken(version: int, problem: str, detail: str) -> Refused:
    return BrokenLog(
        "broken-log", f"Entry {version} does not hold: {detail}.", entry=version, problem=problem
    )


class BrokenLog(Refused):
    """A log file that does not verify."""

    status = 422
