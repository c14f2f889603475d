"""Writers that delay their commit or rollback, and readers that resume the feed from positions."""

import gc
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event as Flag
from unittest.mock import patch

import psycopg
from django.db import OperationalError, connection, transaction
from django.db.models import Max

from matches import feed, rows, services
from matches.actors import NOBODY
from matches.models import Event, FeedHead, Match
from tests import factories, site
from tests.prove.experiment import Broken, Found, experiment, must_break, require

WRITERS, READERS = 8, 4
PAUSE = 0.6  # maximum seconds between two reads of a reader
REST = 0.3  # maximum seconds between two appends on SQLite
PAGE = 50
TRIES = 200
SEQUENCE = "prove_positions"


class Undone(Exception):
    """Raised to roll an append back."""


@experiment(
    section="The feed",
    promise="A reader who resumes from a position gets every entry once, in order, and none late.",
    full={"appends": 2000, "longest": 50},
    short={"appends": 200, "longest": 5},
)
def feed_order(*, appends: int, longest: int) -> Found:
    """Check the order of the feed; `longest`: maximum milliseconds before an append commits."""
    told, undone = run(appends, longest)
    held, bite = "with a pause after each", ""
    if connection.vendor == "postgresql":
        held = f"delayed by up to {longest} ms before the commit"
        with sequence():
            missed = must_break(lambda: run(min(appends, 50), 50))
        bite = f"With a bare sequence for positions: {missed}."
    return Found(
        asked=f"{WRITERS} writers, {appends:,} appends each, {held}, some held back from the "
        f"public and released, {READERS} readers from random positions",
        found=f"{told:,} entries in order, none missed, none twice; {undone:,} rolled back",
        counts={"entries": told, "rolled back": undone},
        bite=bite,
    )


def run(appends: int, longest: int) -> tuple[int, int]:
    """Write and read concurrently; return how many entries were committed and rolled back."""
    start = Event.objects.aggregate(last=Max("position"))["last"] or 0
    matches = [factories.match() for _ in range(WRITERS)]
    done = Flag()
    with ThreadPoolExecutor(WRITERS + READERS) as pool:
        readers = [pool.submit(read, start, seed, done) for seed in range(READERS)]
        writers = [pool.submit(write, match, appends, longest) for match in matches]
        with collected_here():
            while wait(writers, timeout=1).not_done:
                gc.collect()
        done.set()
        undone = sum(writer.result() for writer in writers)
        heard = [reader.result() for reader in readers]
    there = {
        (code, version): position
        for code, version, position in Event.objects.filter(
            ordinal=0, log__match__in=matches
        ).values_list("log__match__code", "version", "position")
    }
    for told in heard:
        check(told, there)
    return len(there), undone


@contextmanager
def collected_here() -> Iterator[None]:
    """Collect garbage in this thread only, to avoid a deadlock.

    A thread that collects a cursor of another thread waits for that thread's connection. If it
    holds SQLite's write lock, and the other thread is waiting for that lock, both are stuck until
    the other's timeout. Objects that exist already are frozen.
    """
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.enable()


@dataclass
class Told:
    """What a reader received: the entries, and at which positions."""

    after: int
    entries: list[tuple[str, int]] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)


def check(told: Told, there: dict[tuple[str, int], int]) -> None:
    """Compare what a reader received with the logs."""
    since = {entry for entry, position in there.items() if position > told.after}
    missed = len(since - set(told.entries))
    require(not missed, f"a reader missed {missed} of {len(since)} entries")
    twice = len(told.entries) - len(set(told.entries))
    require(not twice, f"a reader was told {twice} entries twice")
    require(set(told.entries) <= there.keys(), "a reader was told what is not there")
    require(told.positions == sorted(told.positions), "a reader was told out of order")
    by_log: dict[str, int] = {}
    for code, version in told.entries:
        require(by_log.get(code, 0) < version, "a log was told out of order")
        by_log[code] = version


def read(start: int, seed: int, done: Flag) -> Told:
    """Read from a random position after `start`, with seed 0 from `start`, until all is written."""
    pick = random.Random(seed)
    told = Told(start + pick.randint(0, 10 * seed))
    at = told.after
    try:
        while True:
            over = done.is_set()
            stretch = feed.feed(NOBODY, at, PAGE)
            told.entries += [(each.code, each.entry.version) for each in stretch.entries]
            told.positions += [each.entry.position for each in stretch.entries]
            at = stretch.last
            if over and not stretch.more:
                return told
            time.sleep(pick.random() * PAUSE)
    finally:
        connection.close()


def write(match: Match, appends: int, longest: int) -> int:
    """Record `appends` acts, some with a delayed commit; return how many were rolled back.

    SQLite has a single writer and no fair queue: there no commit is delayed, and each writer
    pauses after it so that others get their turn. A writer that still times out retries, as a
    client does that gets `busy`; it succeeds at the latest once the others are done.
    """
    pick = random.Random(match.code)
    opener = factories.opener_of(match)
    undone = 0
    held, rest = (longest / 1000, 0.0) if connection.vendor == "postgresql" else (0.0, REST)
    try:
        for _ in range(appends):
            if pick.random() < 0.1:
                patiently(
                    lambda: services.change_cut(by=opener, match=match, held=not match.log.held)
                )
            try:
                patiently(lambda: append(match, held * pick.random(), undo=pick.random() < 0.1))
            except Undone:
                undone += 1
                match.log.refresh_from_db()
            time.sleep(rest * pick.random())
        patiently(lambda: services.change_cut(by=opener, match=match, held=False))
    finally:
        connection.close()
    return undone


def append(match: Match, held: float, *, undo: bool) -> None:
    """Record an act, wait `held` seconds, and commit, or roll back if `undo`."""
    with transaction.atomic():
        factories.record(match)
        time.sleep(held)
        if undo:
            raise Undone


def patiently(write: Callable[[], object]) -> None:
    """Write; on SQLite retry after a lock timeout, which leaves nothing written."""
    busy = (OperationalError,) if connection.vendor == "sqlite" else ()
    for _ in range(TRIES):
        with suppress(*busy):
            write()
            return
    raise Broken(f"the database was busy {TRIES} times on end")


# -- broken on purpose ------------------------------------------------------------------------


@contextmanager
def sequence() -> Iterator[None]:
    """Assign positions as a sequence does: immediately, regardless of the order of commits."""
    head = max(FeedHead.objects.get().position, 1)
    with psycopg.connect(site.owner_url(), autocommit=True) as owner:
        owner.execute(f"CREATE SEQUENCE IF NOT EXISTS {SEQUENCE}")
        owner.execute(f"SELECT setval('{SEQUENCE}', %s)", [head])
        owner.execute(f"GRANT USAGE ON SEQUENCE {SEQUENCE} TO PUBLIC")
    FeedHead.objects.update(position=2**40)  # the upper bound for readers
    try:
        with patch.object(rows, "next_positions", _next):
            yield
    finally:
        last = Event.objects.aggregate(last=Max("position"))["last"]
        FeedHead.objects.update(position=last)
        with psycopg.connect(site.owner_url(), autocommit=True) as owner:
            owner.execute(f"DROP SEQUENCE {SEQUENCE}")


def _next(count: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT nextval('{SEQUENCE}') FROM generate_series(1, %s)", [count])
        first: int = cursor.fetchone()[0]
    return first
