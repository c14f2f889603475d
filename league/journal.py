"""The entries of a desk's log as lines: when, by whom, what and why; and its announcements."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext

from league import clocks, decided, desks
from league.discipline import on_record_at
from league.displays import TableDisplay
from league.scene import Scene
from matches.models import Event, Note
from matches.people import known_as
from rules.desk.acts import (
    Announced,
    PairingChanged,
    PenaltyGiven,
    RoundClosed,
    RoundPaired,
    RoundPublished,
    TimeProposed,
)
from rules.ruleset import Act, TakenBack

PER_PAGE = 20
"""Entries of the log per page."""
ANNOUNCED = 3
"""Announcements shown on a tournament's page."""

Notes = Mapping[tuple[UUID, str], str]
"""The texts of notes by log and digest."""


# -- lines of the log ---------------------------------------------------------------------


@dataclass(frozen=True)
class LogLine:
    """An entry of a desk's log as a reader is shown it: when, by whom, what and why.

    `note`: the reason given, "" for none; `irregular`: the code of its verdict if it is against the
    rules, else ""; `by`: who recorded it, "" if an opening names nobody; `undone`: it no longer
    counts.
    """

    version: int
    text: str
    note: str
    irregular: str
    at: datetime | None
    by: str
    undone: bool


def log_lines(scene: Scene, before: int | None) -> Iterator[LogLine]:
    """Yield the lines of the newest log entries, newest first.

    With `before`, those before that entry.
    """
    newest = page_start(scene, before)
    return _lines(scene, range(newest, max(newest - PER_PAGE, 0), -1))


def page_start(scene: Scene, before: int | None) -> int:
    """Return the version at which a page of log lines begins: before an entry, or at the head."""
    return scene.at if before is None else max(min(before - 1, scene.at), 0)


def table_lines(scene: Scene, seen: TableDisplay) -> Iterator[LogLine]:
    """Yield the log lines about a table, newest first."""
    acts = enumerate((entry.act for entry in desks.timeline(scene.tournament).entries), 1)
    place = (seen.round, seen.table.number)
    found = [n for n, act in acts if place == (getattr(act, "round", 0), getattr(act, "table", 0))]
    return _lines(scene, [version for version in reversed(found) if version <= scene.at])


def by_hand_lines(scene: Scene, number: int) -> Iterator[LogLine]:
    """Yield the log lines of changes by hand to a round's pairings, newest first."""
    found, current = list[int](), 0
    for entry in desks.timeline(scene.tournament).history(scene.at):
        act = entry.act
        current += isinstance(act, RoundPaired)
        by_hand = isinstance(act, PairingChanged) or (
            isinstance(act, RoundPaired) and bool(act.pairings or act.byes)
        )
        if by_hand and current == number:
            found.append(entry.version)
    return _lines(scene, found[::-1])


def penalty_lines(scene: Scene) -> Iterator[tuple[int, LogLine]]:
    """Yield each penalty on record, newest first: its number at the desk, and its log line."""
    history = desks.timeline(scene.tournament).history(scene.at)
    given = [entry.version for entry in history if isinstance(entry.act, PenaltyGiven)]
    number_of = {given[number - 1]: number for number, _ in on_record_at(scene.desk)}
    for line in _lines(scene, sorted(number_of, reverse=True)):
        yield number_of[line.version], line


def _lines(scene: Scene, versions: Sequence[int]) -> Iterator[LogLine]:
    """Yield the lines of entries in the given order, without hidden ones."""
    log, entries = scene.tournament.pk, desks.timeline(scene.tournament).entries
    shown = [version for version in versions if _is_shown(scene, version)]
    rows = {row.version: row for row in Event.objects.filter(log=log, ordinal=0, version__in=shown)}
    people = known_as({row.recorded_by for row in rows.values() if row.recorded_by})
    digests = [_note_of(entries[version - 1].act) for version in shown]
    notes = _texts([(scene, [digest for digest in digests if digest])])
    for version in shown:
        if version in rows:
            row = rows[version]
            yield _line(scene, row, people.get(row.recorded_by, ""), notes)


def _is_shown(scene: Scene, version: int) -> bool:
    """Return whether a reader is shown an entry: some are hidden, penalties for good."""
    folded = desks.timeline(scene.tournament)
    act, audience = folded.entries[version - 1].act, scene.cut.audience
    return version not in scene.cut.hidden and folded.ruleset.hide(act, audience) is not None


def _line(scene: Scene, row: Event, name: str, notes: Notes) -> LogLine:
    """Return the line of an entry; `name` is that of who recorded it."""
    folded, version = desks.timeline(scene.tournament), row.version
    entry = folded.entries[version - 1]
    if name:
        name = decided.recorder_name(scene, entry.act, row.recorded_by, name)
    elif version > 1:
        name = gettext("a match at its table")
    told = notes.get((scene.tournament.pk, _note_of(entry.act)), "")
    return LogLine(
        version=version,
        text=sentence(scene, version, told),
        note="" if isinstance(entry.act, Announced) else told,
        irregular=entry.irregular,
        at=row.recorded_at,
        by=name,
        undone=version not in scene.counted and row.type != "taken-back",
    )


def _note_of(act: Act) -> str:
    """Return the digest of an act's note, "" without one."""
    return getattr(act, "note", "")


def sentence(scene: Scene, version: int, note: str) -> str:
    """Return an entry's act in words; `note` is the text of its note, which is what it announces.

    What is hidden from the reader is not told here: ask only for what they are shown.
    """
    folded = desks.timeline(scene.tournament)
    act = folded.entries[version - 1].act
    if version == 1:
        return gettext("The tournament was opened.")
    if isinstance(act, Announced) and note:
        return gettext("Announced: “{text}”").format(text=note)
    if isinstance(act, TakenBack):
        return gettext("Taken back to entry {to}.").format(to=act.to)
    told = desks.describe_entry(folded, version, scene.names_at(version))
    if isinstance(act, TimeProposed):
        when = clocks.format_time(clocks.moment(act.at), scene.tournament.timezone)
        return f"{told.removesuffix('.')}: {when}."
    return told


# -- announcements ------------------------------------------------------------------------


@dataclass(frozen=True)
class Announcement:
    """An announcement, with its time and its number at the desk."""

    text: str
    at: datetime
    number: int


def announced(scene: Scene) -> list[Announcement]:
    """Return the announcements in the open round, else the last, newest first.

    None for a closed tournament.
    """
    return announced_in([scene])[0]


def announced_in(scenes: Sequence[Scene]) -> list[list[Announcement]]:
    """Return what `announced` does for several tournaments, in two queries for all."""
    found = [_announcements(scene) for scene in scenes]
    wanted = [(scene, each) for scene, each in zip(scenes, found, strict=True) if each]
    notes = _texts([(scene, [digest for _, digest in each.values()]) for scene, each in wanted])
    times = _times([(scene, list(each)) for scene, each in wanted]) if notes else {}
    return [
        _announcement_list(scene, each, notes, times)
        for scene, each in zip(scenes, found, strict=True)
    ]


def _announcement_list(
    scene: Scene,
    found: Mapping[int, tuple[int, str]],
    notes: Notes,
    times: Mapping[tuple[UUID, int], datetime],
) -> list[Announcement]:
    log = scene.tournament.pk
    return [
        Announcement(text, times[log, version], number)
        for version, (number, digest) in found.items()
        if (text := notes.get((log, digest))) and (log, version) in times
    ]


def _announcements(scene: Scene) -> dict[int, tuple[int, str]]:
    """Return the announcements in force, newest first: version to number and digest."""
    if scene.desk.closed:
        return {}
    number = scene.desk.announced + 1
    found: dict[int, tuple[int, str]] = {}
    for entry in desks.timeline(scene.tournament).backwards(scene.at):
        act = entry.act
        met = number <= scene.desk.announced  # taking one down does not bring an older one back
        if len(found) == ANNOUNCED or (met and isinstance(act, RoundPublished | RoundClosed)):
            break
        if isinstance(act, Announced):
            number -= 1
            if entry.version not in scene.cut.hidden and number not in scene.desk.unannounced:
                found[entry.version] = number, act.note
    return found


def _times(wanted: Sequence[tuple[Scene, Sequence[int]]]) -> dict[tuple[UUID, int], datetime]:
    """Return when entries were recorded, by log and version."""
    logs = [scene.tournament.pk for scene, _ in wanted]
    versions = {version for _, each in wanted for version in each}
    rows = Event.objects.filter(log__in=logs, version__in=versions, ordinal=0)
    found = rows.values_list("log", "version", "recorded_at")
    return {(log, version): at for log, version, at in found if at}


def _texts(wanted: Sequence[tuple[Scene, Sequence[str]]]) -> Notes:
    """Return the texts of notes by log and digest, without erased ones."""
    logs = [scene.tournament.pk for scene, _ in wanted]
    digests = {digest for _, each in wanted for digest in each}
    notes = Note.objects.filter(log__in=logs, digest__in=digests)
    return {(log, digest): text for log, digest, text in notes.values_list("log", "digest", "text")}
