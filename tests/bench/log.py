"""The log: recording and reading matches, compared with the library `eventsourcing`.

Both have the same durability: SQLite waits for its disk (`synchronous=FULL`), PostgreSQL commits
synchronously. The baseline for one row is a bare insert without Django, with the columns, unique
keys and durability of the event table.
"""

import uuid
from collections.abc import Iterator
from typing import Any

from django.db import connection

from matches import log, memory
from matches.models import Event, Log
from tests.bench.eventsourced import Peer
from tests.bench.figure import REPEATS, Figure, Work, median_rates
from tests.bench.ground import (
    engine,
    match_by_points,
    played_by_bots,
    points,
    record,
    record_all,
    scribe,
)

ACTS = 300
READS = 20  # per run; to read a whole log takes a millisecond or two


def figures() -> Iterator[Figure]:
    by, peer = scribe(), Peer()
    played = played_by_bots()
    events = sum(len(entry.events) for entry in played.entries[1:]) / (len(played.entries) - 1)
    theirs, bare, scored, acts = median_rates(
        peer.appends(ACTS), _bare_inserts(by), _scored(by), record_all(by, played, opened=REPEATS)
    )
    on, library = engine(), "`eventsourcing`"
    yield Figure(f"{on}: bare insert of an act's row, one commit each", bare, "rows/s")
    yield Figure(f"{on}: {library}, an event appended, one commit each", theirs, "events/s")
    name = f"{on}: a match by points through the service"
    told = f"{scored / bare:.2f} × bare insert"
    yield Figure(name, scored, "acts/s", theirs, library, least=0.7, told=told)
    name = f"{on}: a match of cards through the service"
    yield Figure(name, acts, "acts/s", theirs, library, least=0.7)
    told = f"{events:.1f} events an act"
    yield Figure(f"{name}, its events", acts * events, "events/s", theirs, library, 2, told=told)
    for game, kind in (("score", "by points"), ("zg", "of cards")):
        count, read = _read(game)
        ours, theirs = median_rates(read, peer.rebuilds(count, READS))
        name = f"{on}: a match {kind}, {count} events, stored rows to state"
        yield Figure(name, ours, "events/s", theirs, f"a rebuild by {library}", least=3)


def _scored(by: Any) -> Work:
    ready = [match_by_points(by) for _ in range(REPEATS)]

    def play() -> int:
        match = ready.pop()
        for number in range(ACTS):
            record(match, by, points(number))
        return ACTS

    return play


def _read(game: str) -> tuple[int, Work]:
    """Return the event count of a game's newest match, and work that loads it uncached."""
    row = Log.objects.filter(ruleset__startswith=f"{game}@").latest("pk")
    events = Event.objects.filter(log=row).count()

    def read() -> int:
        for _ in range(READS):
            memory.forget(row)
            log.load(row)
        return READS * events

    return events, read


def _bare_inserts(by: Any) -> Work:
    """Insert rows like those of an act, with one commit per row."""
    record(match_by_points(by), by, points(1))  # one row to copy from
    source = Event._meta.db_table
    columns = [field.column for field in Event._meta.concrete_fields if not field.primary_key]
    names = ", ".join(f'"{name}"' for name in columns)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE bench_event AS SELECT {names} FROM {source} WHERE 1 = 0")
        for number, key in enumerate(
            (("log_id", "version", "ordinal"), ("log_id", "act_id"), ("position", "ordinal"))
        ):
            quoted = ", ".join(f'"{column}"' for column in key)
            cursor.execute(f"CREATE UNIQUE INDEX bench_event_{number} ON bench_event ({quoted})")
        cursor.execute(f"SELECT {names} FROM {source} WHERE act_id IS NOT NULL LIMIT 1")
        row = list(cursor.fetchone())
    places = ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO bench_event ({names}) VALUES ({places})"
    version, position, act = (columns.index(c) for c in ("version", "position", "act_id"))
    counter = iter(range(1, 10**9))

    def insert() -> int:
        for _ in range(ACTS):
            number = next(counter)
            row[version] = row[position] = number
            row[act] = uuid.uuid4().hex if connection.vendor == "sqlite" else uuid.uuid4()
            with connection.cursor() as cursor:
                cursor.execute(statement, row)
        return ACTS

    return insert
