"""`python -m tests.fill --events N`: time queries over N events, unpartitioned and partitioned.

Fills a durable PostgreSQL with play-outs of Z-G by bots, copied into new logs with valid hash
chains: fifty tables at a time, so that their rows are interleaved. Prints how long the usual
queries take before and after `manage.py partition --parts 16`, and deletes everything.
`TMPDIR` sets the location; 20 million events need 40 GB there temporarily. Ctrl-C during the fill
stops it and goes on to the queries with the events written so far.
"""

import argparse
import hashlib
import itertools
import os
import random
import secrets
import signal
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

OPTIONS = ("shared_buffers=1GB", "maintenance_work_mem=512MB", "max_wal_size=8GB")
PLAYOUTS, TABLES = 200, 50
AT_ONCE = 20_000  # lines of a COPY
TIMES = 200  # runs of each query
ACTS = 300
NULL = r"\N"
NOT_OF_ACTS = "\t".join((NULL, "", "", NULL, NULL, "", "", "", NULL, NULL, NULL))


# -- play-outs, rehashed ----------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """An entry of a play-out, ready to be hashed into any log and written as lines of a COPY."""

    fields: bytes
    """What its leaf is made of after salt and log."""
    act: str
    of_act: str
    consequences: tuple[str, ...]
    headline: str


@dataclass(frozen=True)
class Playout:
    lines: tuple[Line, ...]
    seats: tuple[str, ...]
    seed: str
    ended: bool


def playouts(count: int) -> list[Playout]:
    import rules
    from rules import bots

    ruleset = rules.get("zg")
    setups = (bots.sample_setup(ruleset, seed, seats=2) for seed in range(count))
    return [_playout(bots.playout(ruleset, setup, n)) for n, setup in enumerate(setups)]


def _playout(timeline: Any) -> Playout:
    from rules.ruleset import SeedRevealed

    last = timeline.entries[-1].act
    moments = zip(timeline.entries, timeline.moments, strict=True)
    return Playout(
        tuple(_line(timeline, entry, moment.state) for entry, moment in moments),
        tuple(seat.label for seat in timeline.setup.seats),
        last.seed if isinstance(last, SeedRevealed) else "",
        ended=timeline.ruleset.outcome(timeline.head.state) is not None,
    )


def _line(timeline: Any, entry: Any, state: Any) -> Line:
    from rules import chain, encoding

    record = chain.Record(
        version=entry.version,
        act_id=str(uuid4()),
        request_digest=secrets.token_hex(32),
        verdict=encoding.verdict_text(entry.irregular),
        on=entry.on,
        repeats=entry.repeats,
        state_digest=entry.digest,
        recorded_at="2026-01-01T12:00:00.000000Z",
        recorded_by=str(uuid4()),
        salt="",
        rows=tuple(map(encoding.row_of, (entry.act, *entry.consequences))),
    )
    _, *fields = chain._fields("", record)
    act, *consequences = [
        f"{row.type}\t{_null(row.seat)}\t{_escaped(row.body)}" for row in record.rows
    ]
    of_act = (record.act_id, record.request_digest, record.verdict, _null(record.on))
    return Line(
        chain._prefixed(fields),
        "\t".join((act, *of_act, _null(record.repeats), record.state_digest)),
        f"{record.recorded_at}\t{record.recorded_by}\t{NULL}\n",
        tuple(f"{each}\t{NOT_OF_ACTS}\n" for each in consequences),
        timeline.ruleset.headline(state)[:200],
    )


def _null(value: Any) -> str:
    return NULL if value is None else str(value)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


class Table:
    """A match that is being recorded."""

    def __init__(self, playout: Playout) -> None:
        from matches.models import uuid7
        from rules import chain

        self.playout, self.log, self.version, self.hash = playout, str(uuid7()), 0, chain.GENESIS
        self.prefix = len(self.log).to_bytes(4, "big") + self.log.encode()

    def record(self, position: int) -> Iterator[str]:
        """Yield the lines of the next entry."""
        from rules import chain

        line = self.playout.lines[self.version]
        self.version += 1
        salt = secrets.token_bytes(chain.SALT_BYTES)
        leaf = hashlib.sha256(chain.LEAF_TAG + salt + self.prefix + line.fields).digest()
        self.hash = chain.link(self.hash, self.version, leaf)
        yield (
            f"{self.log}\t{self.version}\t0\t{position}\t{line.act}\t{salt.hex()}\t{self.hash}\t"
            f"{line.of_act}"
        )
        for ordinal, rest in enumerate(line.consequences, 1):
            yield f"{self.log}\t{self.version}\t{ordinal}\t{position}\t{rest}"

    @property
    def over(self) -> bool:
        return self.version == len(self.playout.lines)


# -- filling ----------------------------------------------------------------------------------


class Filling:
    """Writes events up to the wanted number, then the rows of other tables that belong to them."""

    def __init__(self, events: int, at: Any) -> None:
        self.wanted, self.at = events, at
        self.played = playouts(PLAYOUTS)
        self.tables: list[Table] = []
        self.events = self.position = 0

    def fill(self) -> None:
        self.at.execute("SET session_replication_role = replica")  # no foreign key checks
        self.at.execute("SET synchronous_commit = off")
        lines = self._lines()
        while some := list(itertools.islice(lines, AT_ONCE)):
            self._copy("matches_event", ("log_id", *_columns()), some)
        self.at.execute("RESET session_replication_role")
        self.at.execute("RESET synchronous_commit")
        self.tables = [table for table in self.tables if table.version]
        for first in range(0, len(self.tables), 1000):
            self._around(first, self.tables[first : first + 1000])
        self.at.execute("UPDATE matches_feedhead SET position = %s", [self.position])

    def _around(self, first: int, tables: Sequence[Table]) -> None:
        """Write the players, logs, matches and seats for the events of some tables."""
        from django.utils import timezone

        from matches.models import Log, Match, Player, Seat

        players = Player.objects.bulk_create(Player(name=f"Player {n}") for n in range(40))
        logs = Log.objects.bulk_create(map(_log, tables))
        Match.objects.bulk_create(
            Match(log=log, code=_code(n), ended_at=timezone.now() if each.over else None)
            for n, (each, log) in enumerate(zip(tables, logs, strict=True), first)
        )
        Seat.objects.bulk_create(
            Seat(match_id=log.pk, number=number, label=label, player=random.choice(players))
            for each, log in zip(tables, logs, strict=True)
            for number, label in enumerate(each.playout.seats, 1)
        )

    def stop(self) -> None:
        """Stop after the current entry."""
        self.wanted = 0

    def _lines(self) -> Iterator[str]:
        """Yield the rows of entries, round-robin over the tables in progress."""
        playing: deque[Table] = deque()
        pick = random.Random(1)
        while self.events < self.wanted:
            if len(playing) < TABLES:
                playing.append(Table(pick.choice(self.played)))
                self.tables.append(playing[-1])
            table = playing.popleft()
            self.position += 1
            for line in table.record(self.position):
                self.events += 1
                yield line
            if not table.over:
                playing.append(table)

    def _copy(self, table: str, columns: Sequence[str], lines: Any) -> None:
        names = ", ".join(f'"{name}"' for name in columns)
        with self.at.cursor() as cursor, cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
            for line in lines:
                copy.write(line)


def _columns() -> tuple[str, ...]:
    from matches import rows

    return rows.COLUMNS


def _code(number: int) -> str:
    from matches.opening import LETTERS

    letters = [LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(6)]
    return "".join(letters)


def _log(table: Table) -> Any:
    from matches.models import Log

    return Log(
        id=table.log,
        ruleset="zg@1",
        status=Log.Status.ENDED if table.over and table.playout.ended else Log.Status.OPEN,
        head_version=table.version,
        head_hash=table.hash,
        headline=table.playout.lines[table.version - 1].headline,
        seed=table.playout.seed if table.over else "",
    )


# -- queries ----------------------------------------------------------------------------------


def timed(work: Callable[[], Any], times: int = TIMES) -> str:
    """Return the median and the 95th percentile of `times` runs, in ms."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        took.append(1000 * (time.perf_counter() - began))
    cuts = statistics.quantiles(took, n=20)
    return f"p50 {cuts[9]:.2f} ms, p95 {cuts[18]:.2f} ms"


def figures() -> Iterator[tuple[str, str]]:
    """Yield each query and its timings on a database of this size."""
    from django.db import connection
    from django.test import Client

    from matches import feed, rows, selectors
    from matches.actors import NOBODY
    from matches.models import FeedHead, Log

    with connection.cursor() as cursor:
        began = time.perf_counter()
        cursor.execute("VACUUM (ANALYZE) matches_event")
        yield "vacuum and analyze", f"{time.perf_counter() - began:.0f} s"
        cursor.execute("ANALYZE")
        cursor.execute(
            "SELECT sum(pg_table_size(c.oid)), sum(pg_indexes_size(c.oid)) FROM pg_class c "
            "WHERE relkind = 'r' AND relname ~ '^matches_event(_[0-9]+|place)?$'"
        )
        rows_size, index_size = map(float, cursor.fetchone())
        cursor.execute("SELECT sum(head_version) FROM matches_log")
        yield "rows; keys and indexes", f"{rows_size / 1e9:.2f} GB; {index_size / 1e9:.2f} GB"
    logs = list(Log.objects.order_by("?")[:TIMES])
    some = itertools.cycle(logs)
    yield "rows of one match", timed(lambda: rows.rows_of(next(some)))
    head = FeedHead.objects.get().position
    yield (
        "feed: 100 entries from anywhere",
        timed(lambda: feed.feed(NOBODY, random.randrange(head - 200), 100), 50),
    )
    yield "feed: the last 100 entries", timed(lambda: feed.feed(NOBODY, head - 100, 100), 50)
    yield "match list: 50 matches", timed(lambda: list(selectors.matches_for(NOBODY)[:50]), 50)
    visitor = Client(headers={"host": "localhost"})
    yield "home, as a page", timed(lambda: visitor.get("/"), 50)
    yield "verify", _verified(logs)
    yield f"append, {ACTS} acts at {TABLES} tables in turn", _appended()


def _verified(logs: Sequence[Any]) -> str:
    from matches.verify import verify

    began = time.process_time()
    reports = [verify(log) for log in logs]
    took = time.process_time() - began
    if not all(report.ok for report in reports):
        raise SystemExit(f"a log does not hold: {next(each for each in reports if not each.ok)}")
    return f"{sum(report.events for report in reports) / took:,.0f} events a second of processor"


def _appended() -> str:
    from matches import services
    from tests.bench import ground

    by = ground.scribe()
    tables = [ground.match_by_points(by) for _ in range(TABLES)]
    number = itertools.count()

    def record() -> None:
        at = next(number)
        services.record(
            match=tables[at % TABLES], by=by, act_id=uuid4(), act=ground.points(at), irregular=True
        )

    return timed(record, ACTS)


# -- running it -------------------------------------------------------------------------------


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--events", type=int, default=20_000_000)
    given.add_argument("--parts", type=int, default=16)
    asked = given.parse_args()
    from tests import services

    with services.cluster(durable=True, options=OPTIONS) as server:
        os.environ |= {"DATABASE_URL": server.url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
        _run(server.url, asked.events, asked.parts)


def _run(url: str, events: int, parts: int) -> None:
    import django
    import psycopg
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    began = time.perf_counter()
    with psycopg.connect(url, autocommit=True) as at:
        filling = Filling(events, at)
        signal.signal(signal.SIGINT, lambda *_: filling.stop())
        filling.fill()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        at.execute("CHECKPOINT")
    took = time.perf_counter() - began
    say(f"{filling.events:,} events of {len(filling.tables):,} matches in {took:.0f} s")
    for name, value in figures():
        say(f"one table | {name} | {value}")
    began = time.perf_counter()
    call_command("partition", parts=parts)
    say(f"partition | {time.perf_counter() - began:.0f} s")
    for name, value in figures():
        say(f"{parts} parts | {name} | {value}")


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
