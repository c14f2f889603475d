"""The parts of a load: tables with spectators, one page, many readers of one process."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.load.client import Line, Place, Stream, address_of
from tests.load.figures import Compared, compare, memory, percentile, tree_seconds, used
from tests.load.people import (
    GAMES,
    POLL_EVERY,
    Load,
    Spectator,
    Table,
    open_table,
    play,
    play_one,
    read_log,
    spectators,
)
from tests.machine import Server, inside, say, wait_until

AT_ONCE = 16  # concurrent requests while a load is prepared
VISIT_EVERY = 100.0  # seconds until a spectator reloads a page
VISITORS = 8
LONG = 300  # events of the match whose page is requested
PAGES_A_SECOND = 5.0
READER_ACTS = 10
HEADER = (
    "| what | requested/s | reached/s | p50 ms | p95 | p99 |",
    "|---|--:|--:|--:|--:|--:|",
)
WARM = 20  # readers before memory is first measured
QUIET = 3.0  # seconds until newly opened readers are idle


@dataclass
class Report:
    """A part's report: its lines in Markdown, and what went wrong."""

    lines: list[str]
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Size:
    tables: int
    spectators: int
    seconds: float
    every: float = 1.0


# -- tables and spectators ----------------------------------------------------------------------


async def tables(site: Server, key: str, size: Size) -> Report:
    """Let bots record at tables while spectators follow, and then compare with the logs."""
    load = Load(Place(site.port), key)
    say(f"opening {size.tables} tables")
    played = await opened(load, size.tables)
    say(f"{size.spectators} spectators arrive")
    here = spectators(load, played, size.spectators)
    following = await _arrived(here)
    say(f"playing for {size.seconds:.0f} s")
    seconds, shares = await _played(load, played, size)
    for each in following:
        each.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    say("comparing what was acknowledged with what is there")
    found = await _compared(load, played)
    verified, *_ = (await asyncio.to_thread(site.manage, "verify")).splitlines()
    return Report(
        [
            *_asked(load, size, here, seconds),
            "",
            f"{sum(len(table.acknowledged) for table in played):,} acts acknowledged in "
            f"{seconds:.0f} s: {found.lost} lost, {found.doubled} duplicated. "
            f"`manage.py verify`: {verified}. Errors: {_errors(load)}; resent: "
            f"{sum(table.sent_again for table in played)}; matches that ended early: "
            f"{sum(table.over for table in played)}.",
            "",
            f"Processor time: {_shares(shares)}.",
        ],
        [*_wrong(load), *([f"{found}"] if found.lost or found.doubled else [])],
    )


async def opened(load: Load, count: int, games: Sequence[str] = GAMES) -> list[Table]:
    """Open `count` tables, cycling through the games, a few at a time."""
    numbers = iter(range(count))
    found: list[Table] = []

    async def some() -> None:
        line = Line(load.place)
        for number in numbers:
            table = await open_table(load, line, number, games[number % len(games)])
            found.append(table)
        line.close()

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))
    return found


async def _arrived(here: Sequence[Spectator]) -> list[asyncio.Task[Any]]:
    """Let spectators open their pages, then follow; return the tasks that go on."""
    gate = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(each.arrive(gate) for each in here))
    following = [asyncio.create_task(each.follow(gate)) for each in here]
    following += [asyncio.create_task(visits(here, len(here) / VISIT_EVERY))] if here else []
    await asyncio.gather(*(each.follows.wait() for each in here))
    return following


async def visits(here: Sequence[Spectator], rate: float) -> None:
    """Reload spectators' pages, up to `rate` per second, until cancelled."""

    async def visitor(number: int) -> None:
        line = Line(here[0].load.place)
        due = time.perf_counter() + number / rate
        while True:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due = max(due, time.perf_counter() - VISITORS / rate) + VISITORS / rate
            await here[number % len(here)].look(line)
            number += VISITORS

    await asyncio.gather(*map(visitor, range(VISITORS)))


async def _played(
    load: Load, played: Sequence[Table], size: Size
) -> tuple[float, dict[str, float]]:
    """Play at all tables; return the seconds it took, and the share of CPU time by part."""
    load.measuring, before, began = True, used(), time.perf_counter()
    await asyncio.gather(*(play(load, table, size.every, began + size.seconds) for table in played))
    load.measuring = False
    return time.perf_counter() - began, used().since(before)


async def _compared(load: Load, played: Sequence[Table]) -> Compared:
    found: Counter[str] = Counter()
    for table in played:
        one = compare(table.acknowledged, await read_log(load, table.code))
        found.update(vars(one))
    return Compared(**{name: found[name] for name in vars(Compared(0, 0, 0))})


def _asked(load: Load, size: Size, here: Sequence[Spectator], seconds: float) -> list[str]:
    """Return the table of requests: the rate wanted, the rate reached, and the times."""
    kinds = Counter(each.kind for each in here)
    polls = {kind: kinds[kind] / POLL_EVERY for kind in ("page poll", "cursor poll")}
    reached = {kind: asked.took for kind, asked in load.kinds.items()}
    for kind, took in load.delivered():
        reached.setdefault(kind, []).append(took)
    page_polls = reached.get("page poll, changed", []) + reached.get("page poll, unchanged", [])
    rows = [
        ("acts recorded", size.tables / size.every, reached.get("append", [])),
        ("pages", len(here) / VISIT_EVERY, reached.get("page", [])),
        ("polls of pages, by ETag", polls["page poll"], page_polls),
        ("of them unchanged (304)", 0, reached.get("page poll, unchanged", [])),
        ("polls of programs, by cursor", polls["cursor poll"], reached.get("cursor poll", [])),
        ("to a page's stream, since sending", 0, reached.get("page stream", [])),
        ("to a program's stream, since sending", 0, reached.get("entry stream", [])),
    ]
    told = [
        "| what | requested/s | reached/s | p50 ms | p95 | p99 |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, wanted, took in rows:
        if took or wanted:
            cells = [name, f"{wanted:,.0f}" if wanted else "", f"{len(took) / seconds:,.0f}"]
            told.append(f"| {' | '.join([*cells, *ms(took)])} |")
    return told


def ms(took: Sequence[float]) -> list[str]:
    """Return p50, p95 and p99 in ms as cells of a table."""
    return [f"{percentile(took, share) * 1000:,.0f}" if took else "–" for share in (50, 95, 99)]


def _shares(shares: dict[str, float]) -> str:
    told = sorted(shares.items(), key=lambda each: -each[1])
    return ", ".join(f"{name} {share:.0%}" for name, share in told if share >= 0.005)


def _errors(load: Load) -> str:
    return str(sum(asked.wrong.total() for asked in load.kinds.values()))


def _wrong(load: Load) -> list[str]:
    return [
        f"{kind}: {count} × {what}"
        for kind, asked in load.kinds.items()
        for what, count in asked.wrong.most_common(3)
    ]


# -- one page ------------------------------------------------------------------------------------


async def page(site: Server, key: str, size: Size) -> Report:
    """Request the page of a long match while bots record at tables."""
    load = Load(Place(site.port), key)
    line = Line(load.place, headers=load.signed)
    say(f"playing a match of {LONG} events")
    (long,) = await opened(load, 1)
    while sum(len(entry.events) for entry in long.timeline.entries) < LONG:
        if long.over:  # it ended too early: open another
            (long,) = await opened(load, 1)
        await play_one(load, line, long)
    line.close()
    played = await opened(load, size.tables)
    say(f"playing at {size.tables} tables for {size.seconds:.0f} s")
    visiting = asyncio.create_task(visits([Spectator(load, 0, long.code, "page")], PAGES_A_SECOND))
    seconds, shares = await _played(load, played, size)
    visiting.cancel()
    await asyncio.gather(visiting, return_exceptions=True)
    found = await _compared(load, [long, *played])
    inside = server_times(site.home, set(load.pages))
    acts = load.kinds["append"].took
    return Report(
        [
            *HEADER,
            f"| the page of a match of {LONG} events, server time | {PAGES_A_SECOND:.0f} | "
            f"{len(inside) / seconds:.1f} | {' | '.join(ms(inside))} |",
            f"| the same, until fully received | | | {' | '.join(ms(load.kinds['page'].took))} |",
            f"| acts recorded meanwhile | {size.tables / size.every:.0f} | "
            f"{len(acts) / seconds:.0f} | {' | '.join(ms(acts))} |",
            "",
            f"Errors: {_errors(load)}; {found.lost} acts lost, {found.doubled} duplicated. "
            f"Processor time: {_shares(shares)}.",
        ],
        [*_wrong(load), *([f"{found}"] if found.lost or found.doubled else [])],
    )


def server_times(home: Path, requests: set[str]) -> list[float]:
    """Return the seconds that web processes spent on these requests, from their own logs."""
    found = []
    for path in home.glob("web-*.log"):
        for line in path.read_text().splitlines():
            told = json.loads(line) if line.startswith("{") else {}
            if told.get("request") in requests:
                found.append(told["ms"] / 1000)
    return found


# -- many readers of one process -----------------------------------------------------------------


async def readers(site: Server, key: str, count: int) -> Report:
    """Open `count` streams of one match directly at the stream process, then record acts."""
    load = Load(Place(site.port), key)
    lines = [
        "| streams | readers | KiB each | opened in | an act to the first, ms | to all | slowest "
        "| its processor time |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, above in (("of programs", "/api/v1"), ("of the page", "")):
        (table,) = await opened(load, 1)
        path = f"{above}/matches/{table.code}/stream/"
        where = Place(path=site.home / "streams.sock")
        crowd = _Crowd()
        process = await asyncio.to_thread(_fresh_streams, site)
        warm = await crowd.join(where, path, range(WARM))
        before, began = memory(process), time.perf_counter()
        say(f"{count} readers of a stream {name}")
        joined = await crowd.join(where, path, range(WARM, count))
        took = time.perf_counter() - began
        await asyncio.sleep(QUIET)
        each = (memory(process) - before) / len(joined)
        spent = tree_seconds(process)
        first, last = await _told_all(load, table, crowd)
        spent = (tree_seconds(process) - spent) / READER_ACTS
        for stream in (*warm, *joined):
            stream.close()
        lines.append(
            f"| {name} | {count:,} | {each:.0f} | {took:.0f} s | "
            f"{percentile(first, 50) * 1000:,.0f} | {percentile(last, 50) * 1000:,.0f} | "
            f"{max(last) * 1000:,.0f} | {spent * 1000:,.0f} |"
        )
    return Report(lines, _wrong(load))


def _fresh_streams(site: Server) -> int:
    """Restart the stream process, because freed memory would hide what readers take."""
    unit = site.units["streams"]
    unit.kill()
    unit.start()
    ready = "the stream process did not come back"
    wait_until(lambda: inside(site.home / "streams.sock", "/readyz")[0] == 200, 60, ready)
    assert unit.process is not None
    return unit.process.pid


class _Crowd:
    """Readers of one match, and when each received which version."""

    def __init__(self) -> None:
        self.count = 0
        self.came: dict[int, list[float]] = {}

    def heard(self, version: int, now: float) -> None:
        self.came.setdefault(version, []).append(now)

    async def join(self, where: Place, path: str, numbers: range) -> list[Stream]:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(number: int) -> Stream:
            headers = {"X-Forwarded-For": address_of(number), "Last-Event-ID": "1"}
            async with gate:
                return await Stream.open(where, path, self.heard, headers=headers)

        found = await asyncio.gather(*map(one, numbers))
        self.count += len(found)
        return list(found)

    async def all_have(self, version: int, within: float = 30.0) -> None:
        async with asyncio.timeout(within):
            while len(self.came.get(version, ())) < self.count:
                await asyncio.sleep(0.02)


async def _told_all(load: Load, table: Table, crowd: _Crowd) -> tuple[list[float], list[float]]:
    """Record acts one after another; return the times until the first and the last reader has each.

    An act is sent once all readers have the one before. Times count from the sending of the act,
    so they include its recording.
    """
    line = Line(load.place, headers=load.signed)
    first, last = [], []
    for _ in range(READER_ACTS):
        await play_one(load, line, table)
        version = len(table.timeline)
        await crowd.all_have(version)
        sent, came = load.sent[table.code, version], crowd.came[version]
        first.append(min(came) - sent)
        last.append(max(came) - sent)
        await asyncio.sleep(0.2)
    line.close()
    return first, last
