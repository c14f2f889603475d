"""Writers that hold before they commit or roll back, and readers that go on from positions."""

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
PAUSE = 0.6  # seconds at most between two questions of a reader
REST = 0.3  # seconds at most between two appends on SQLite
PAGE = 50
TRIES = 200
SEQUENCE = "prove_positions"


class Undone(Exception):
    """What rolls an append back."""


@experiment(
    section="The feed",
    promise="A reader who resumes from a position gets every entry once, in order, and none late.",
    full={"appends": 2000, "longest": 50},
    short={"appends": 40, "longest": 5},
)
def feed_order(*, appends: int, longest: int) -> Found:
    """`longest`: milliseconds an append is held at most before it commits."""
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
    """Write and read at once; return how many entries came in, and how many were rolled back."""
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
    """Leave the collecting of garbage to this thread.

    A thread that comes upon a cursor another has left waits for that one's connection. If it
    holds SQLite's write lock itself, and the other waits for just that, both stand still until
    the other gives up. What is there before is not looked at again.
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
    """What a reader was told: the entries, and where."""

    after: int
    entries: list[tuple[str, int]] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)


def check(told: Told, there: dict[tuple[str, int], int]) -> None:
    """Compare what a reader was told with what is in the logs."""
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
    """Read on until nothing comes after the last writer has ended; the first from the start."""
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
    """Record so many acts, now and then held back; return how many were rolled back.

    SQLite has one writer at a time and lets the quickest go first: there nothing is held before
    it commits, and each rests after it, for another to get its turn. Whoever waited in vain all
    the same tries again, as one does who is told `busy`: at the latest when the others are done.
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
    """Record an act, hold it for so many seconds, and commit it unless it is to be undone."""
    with transaction.atomic():
        factories.record(match)
        time.sleep(held)
        if undo:
            raise Undone


def patiently(write: Callable[[], object]) -> None:
    """Write; on SQLite, after having waited in vain, again: nothing of it is there then."""
    busy = (OperationalError,) if connection.vendor == "sqlite" else ()
    for _ in range(TRIES):
        with suppress(*busy):
            write()
            return
    raise Broken(f"the database was busy {TRIES} times on end")


# -- broken on purpose ------------------------------------------------------------------------


@contextmanager
def sequence() -> Iterator[None]:
    """Give out positions as a sequence does: at once, whoever commits first."""
    head = max(FeedHead.objects.get().position, 1)
    with psycopg.connect(site.owner_url(), autocommit=True) as owner:
        owner.execute(f"CREATE SEQUENCE IF NOT EXISTS {SEQUENCE}")
        owner.execute(f"SELECT setval('{SEQUENCE}', %s)", [head])
        owner.execute(f"GRANT USAGE ON SEQUENCE {SEQUENCE} TO PUBLIC")
    FeedHead.objects.update(position=2**40)  # what bounds a reader otherwise
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
