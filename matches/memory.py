"""Logs cached in memory: each folded once, then caught up by reading newer rows.

The database is the truth. A cached log is used only if its hash agrees with the log's row, and
nothing read inside a transaction that may still be rolled back is cached.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from threading import Lock, RLock
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection
from django.utils.translation import gettext

import rules
from matches import rows
from matches.errors import Conflict
from matches.models import Log
from rules import encoding
from rules.chain import Record
from rules.replay import Entry, Moment, Timeline

MAX_LOGS = 256

Tip = tuple[int, str]
"""The version and hash of the entry that new ones follow; (0, "") before the first."""


class Mark(NamedTuple):
    """What is cached of an entry's row beyond what the ruleset needs.

    `act_key`: the act's id as the database driver returns it; converted only when asked for.
    """

    act_key: Any
    request_digest: str
    hash: str
    position: int

    @property
    def act_id(self) -> UUID:
        return rows.uuid(self.act_key)


class Sealed(NamedTuple):
    """An entry ready to be stored: as the ruleset sees it, and as the chain does."""

    entry: Entry
    moment: Moment
    record: Record


class LoadedLog:
    """One cached log: its timeline, and the marks of its entries. Use under its `lock`."""

    def __init__(self, log: Log) -> None:
        self.pk = log.pk
        self.ruleset = rules.get(log.ruleset)
        self.timeline = Timeline(self.ruleset)
        self.marks: list[Mark] = []
        self._by_act: dict[Any, int] = {}
        self._recorded: list[rows.Recorded] = []
        self.lock = RLock()

    @property
    def version(self) -> int:
        return len(self.marks)

    @property
    def tip(self) -> Tip:
        """The head: its version and hash."""
        return self.version, self.marks[-1].hash if self.marks else ""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended at the head."""
        moments = self.timeline.moments
        return bool(moments) and self.ruleset.outcome(moments[-1].state) is not None

    def version_of(self, act_id: UUID) -> int | None:
        """Return the version of the entry an act was recorded as, None if it is not in the log."""
        for version in range(len(self._by_act) + 1, self.version + 1):  # not looked up yet
            self._by_act[self.marks[version - 1].act_key] = version
        return self._by_act.get(rows.adapted(act_id))

    def agrees(self, log: Log) -> bool:
        """Tell whether the cached log leads to the head that the log's row names, or past it."""
        at = log.head_version
        if at > self.version:
            return False
        return (self.marks[at - 1].hash if at else "") == log.head_hash

    def continues(self, other: "LoadedLog") -> bool:
        """Tell whether another cached copy of the log is a prefix of this one."""
        at = other.version
        return at <= self.version and (not at or self.marks[at - 1].hash == other.tip[1])

    def adopt(self, sealed: Sequence[Sealed], position: int) -> None:
        """Add entries just stored on top of this log, unless they were read meanwhile.

        They are not folded again, but taken with the moments they were stored with.
        """
        with self.lock:
            for offset, (entry, moment, record) in enumerate(sealed):
                if entry.version == self.version + 1:
                    act, digest = rows.adapted(UUID(record.act_id)), record.request_digest
                    self.timeline.add(entry, moment)
                    self.marks.append(Mark(act, digest, record.hash, position + offset))

    def catch_up(self) -> None:
        """Read the entries that are newer."""
        self.take(rows.rows_to_fold(self.pk, self.version))

    def take(self, found: list[tuple[Any, ...]]) -> None:
        """Add the next entries, from their rows."""
        for version, events in groupby(found, itemgetter(0)):
            self._read(version, list(events))

    def recorded(self) -> list[rows.Recorded]:
        """Return who recorded the entries and when; reads only those not read before."""
        with self.lock:
            if len(self._recorded) < self.version:
                self._recorded += rows.recorded(self.pk, len(self._recorded), self.version)
            return self._recorded

    def _read(self, version: int, events: list[tuple[Any, ...]]) -> None:
        _, body, on, repeats, digest, verdict, *mark = events[0]
        try:
            act = encoding.stored_act(self.ruleset, body)
            stored = [row[1] for row in events[1:]]
            consequences = encoding.stored_consequences(self.ruleset, stored)
        except msgspec.MsgspecError as error:
            raise Conflict(
                "unreadable", gettext("Entry {version} cannot be read.").format(version=version)
            ) from error
        irregular = encoding.irregular_of(verdict)
        entry = Entry(version, act, consequences, on, digest, irregular, repeats)
        self.timeline.append(entry)
        self.marks.append(Mark._make(mark))


_logs: OrderedDict[UUID, LoadedLog] = OrderedDict()
_lock = Lock()


def loaded(log: Log) -> LoadedLog:
    """Return a log from the cache, at the head its row names or later.

    Raises: Conflict if the rows cannot be read or do not lead to that head.
    """
    with _lock:
        found = _logs.get(log.pk)
        if found is not None:
            _logs.move_to_end(log.pk)
    if found is not None and _leads(found, log):
        return found
    fresh = LoadedLog(log)
    fresh.catch_up()
    if not fresh.agrees(log):
        raise Conflict(
            "broken",
            gettext("The rows of this log do not lead to its head {version}.").format(
                version=log.head_version
            ),
        )
    return fresh if connection.in_atomic_block else keep(fresh)


def load_all(logs: Iterable[Log]) -> None:
    """Read those of several logs that are not cached, in one query: for lists.

    A log that cannot be read is skipped; reading it alone raises the error.
    """
    missing = {log.pk: log for log in logs if log.pk not in _logs}
    if len(missing) < 2 or connection.in_atomic_block:
        return
    for pk, found in rows.rows_to_fold_each(list(missing)[:MAX_LOGS]):
        fresh = LoadedLog(missing[pk])
        with suppress(Conflict):
            fresh.take(found)
            if fresh.agrees(missing[pk]):
                keep(fresh)


def _leads(found: LoadedLog, log: Log) -> bool:
    if not found.agrees(log) and found.version < log.head_version:
        if connection.in_atomic_block:
            return False
        with found.lock:
            found.catch_up()
    return found.agrees(log)


def forget(log: Log) -> None:
    """Drop a log from the cache; for tests, so that it is read again."""
    with _lock:
        _logs.pop(log.pk, None)


def keep(fresh: LoadedLog) -> LoadedLog:
    """Cache a log just read; return the one that is cached.

    Keep the cached log if it is newer: of two concurrent readers the slower may hold older rows,
    and an entry once shown must not disappear.
    """
    with _lock:
        known = _logs.get(fresh.pk)
        if known is not None and known.continues(fresh):
            return known
        _logs[fresh.pk] = fresh
        _logs.move_to_end(fresh.pk)
        while len(_logs) > MAX_LOGS:
            _logs.popitem(last=False)
    return fresh
