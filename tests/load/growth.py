"""How cost grows: with matches, events per match, spectators and players.

Requests are sent one at a time, so the cost of an answer is measured and not that of a queue: the
median of several answers, through nginx, in ms.
"""

import asyncio
import json
import os
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.load.client import Line, Place, Stream, address_of
from tests.load.figures import percentile
from tests.load.parts import AT_ONCE, Report, opened
from tests.load.people import Load, Table
from tests.load.plots import plot
from tests.machine import Server, require, say

ASKED = 20  # requests of each kind at each size
MATCHES = (0, 500, 1000, 2000)
EVENTS = (50, 300, 600, 1200, 2400)
SPECTATORS = (0, 250, 500, 1000)
PLAYERS = (16, 64, 128, 256)
BATCH = 100

Found = dict[str, list[tuple[float, float]]]


@dataclass(frozen=True)
class Growth:
    """One dimension in which a site grows: what is counted, and its plot."""

    name: str
    across: str
    title: str
    measured: Callable[[Load, Server], AsyncIterator[tuple[str, float, float]]]


async def growth(site: Server, key: str, folder: Path | None) -> Report:
    """Measure every dimension, plot it into a folder, and report the ends of each line."""
    lines = ["| grows with | what | smallest | largest |", "|---|---|--:|--:|"]
    shown = []
    for way in WAYS:
        load, found = Load(Place(site.port), key), defaultdict[str, list[tuple[float, float]]](list)
        say(f"growing: {way.across}")
        async for name, x, y in way.measured(load, site):
            found[name].append((x, y))
        if folder:
            folder.mkdir(exist_ok=True)
            drawn = plot(found, across=way.across, up="ms, median", title=way.title)
            (folder / f"{way.name}.svg").write_text(drawn)
            shown.append(f"![{way.title}](load/{way.name}.svg)")
        for name, points in found.items():
            lines.append(f"| {way.across} | {name} | {_told(points[0])} | {_told(points[-1])} |")
    return Report([*lines, "", *shown])


def _told(point: tuple[float, float]) -> str:
    return f"{point[1]:,.1f} ms at {point[0]:,.0f}"


async def _median(ask: Callable[[], Any]) -> float:
    """Return the median time of ASKED answers, in ms."""
    took = []
    for _ in range(ASKED):
        answer = await ask()
        require(answer.status in (200, 201, 304), f"{answer.status} {answer.body[:200]!r}")
        took.append(answer.took * 1000)
    return percentile(took, 50)


def _points() -> dict[str, Any]:
    return {"id": str(uuid4()), "act": {"type": "points-scored", "seat": 1, "points": 1}}


async def _record(line: Line, code: str, count: int = 1) -> Any:
    """Record points, as one act or as a list of acts."""
    body = [_points() for _ in range(count)] if count > 1 else _points()
    return await line.ask(f"/api/v1/matches/{code}/acts/", json.dumps(body).encode())


async def _score(load: Load) -> Table:
    """Open a match of the game `score`."""
    (found,) = await opened(load, 1, ["score"])
    return found


# -- the four dimensions -------------------------------------------------------------------------


async def with_matches(load: Load, site: Server) -> AsyncIterator[tuple[str, float, float]]:
    line, there = Line(load.place, headers=load.signed), 0
    for count in MATCHES:
        await opened(load, count - there)
        there = count
        code = (await _score(load)).code
        yield "act recorded", count, await _median(partial(_record, line, code))
        for name, path in {
            "match page": f"/matches/{code}/",
            "list of matches": "/matches/",
            "list by API": "/api/v1/matches/",
        }.items():
            yield name, count, await _median(partial(line.ask, path))


async def with_events(load: Load, site: Server) -> AsyncIterator[tuple[str, float, float]]:
    line, stranger, there = Line(load.place, headers=load.signed), Line(load.place), 1
    code = (await _score(load)).code
    for count in EVENTS:
        while there < count:
            answer = await _record(line, code, min(BATCH, count - there))
            require(answer.status in (200, 201), f"{answer.status} {answer.body[:200]!r}")
            there += min(BATCH, count - there)
        last = there - 1
        for name, path in {
            "match page": f"/matches/{code}/",
            "poll of the page, one act new": f"/matches/{code}/?after={last}",
            "poll by cursor, one act new": f"/api/v1/matches/{code}/events/?after={last}",
            "state by API": f"/api/v1/matches/{code}/state/",
        }.items():
            yield name, count, await _median(partial(stranger.ask, path))
        yield "act recorded", count, await _median(lambda: _record(line, code))
        there += ASKED


async def with_spectators(load: Load, site: Server) -> AsyncIterator[tuple[str, float, float]]:
    line, code = Line(load.place, headers=load.signed), (await _score(load)).code
    came: dict[int, list[float]] = defaultdict(list)
    streams: list[Stream] = []
    gate = asyncio.Semaphore(AT_ONCE)

    def heard(at: int, now: float) -> None:
        came[at].append(now)

    async def join(number: int) -> None:
        path = f"{'/api/v1' if number % 4 == 3 else ''}/matches/{code}/stream/"
        known = {"Last-Event-ID": str(version)}
        async with gate:
            streams.append(await Stream.open(load.place, path, heard, address_of(number), known))

    version = 1
    for count in SPECTATORS:
        await asyncio.gather(*map(join, range(len(streams), count)))
        recorded, delivered = list[float](), list[float]()
        for _ in range(ASKED):
            began = time.perf_counter()
            answer = await _record(line, code)
            recorded.append(answer.took * 1000)
            version = json.loads(answer.body)["version"]
            async with asyncio.timeout(30):
                while len(came[version]) < count:
                    await asyncio.sleep(0.01)
            delivered += [(max(came[version]) - began) * 1000] if count else []
            await asyncio.sleep(0.1)
        yield "act recorded", count, percentile(recorded, 50)
        if delivered:
            yield "until the last stream has it", count, percentile(delivered, 50)
    for stream in streams:
        stream.close()


async def with_players(load: Load, site: Server) -> AsyncIterator[tuple[str, float, float]]:
    """Set up tournaments through the services, and measure requests through nginx."""
    for count in PLAYERS:
        async for name, took in _at_desk(load, *await asyncio.to_thread(_tournament, count)):
            yield name, count, took


async def _at_desk(load: Load, code: str, tables: list[int]) -> AsyncIterator[tuple[str, float]]:
    """Report results of the second round, then pair the third and request its pages."""
    line, api = Line(load.place, headers=load.signed), f"/api/v1/tournaments/{code}"
    took = []
    for table in tables[:ASKED]:
        act = {"type": "result-reported", "round": 2, "table": table, "scores": [2, 0]}
        body = json.dumps({"id": str(uuid4()), "act": act}).encode()
        answer = await line.ask(f"{api}/acts/", body)
        require(answer.status == 201, f"{answer.status} {answer.body[:200]!r}")
        took.append(answer.took * 1000)
    yield "result recorded", percentile(took, 50)
    await asyncio.to_thread(_close_round, code)
    yield "round paired", await _median(lambda: line.ask(f"{api}/propose/", b'{"seed": 7}'))
    for name, page in {"standings page": "standings/", "tournament page": ""}.items():
        path = f"/tournaments/{code}/{page}"
        yield name, await _median(partial(line.ask, path))


WAYS = (
    Growth("matches", "matches on the site", "What an answer costs as matches come", with_matches),
    Growth("events", "events of a match", "What an answer costs as a match grows", with_events),
    Growth("spectators", "streams of one match", "An act and its way to all", with_spectators),
    Growth("players", "players of a tournament", "What a desk costs as it grows", with_players),
)


def setup(site: Server) -> None:
    """Set up Django in this process on the site's database."""
    import django

    os.environ |= site.environment
    django.setup()


def _tournament(count: int) -> tuple[str, list[int]]:
    """Return the code of a tournament and the tables of its second round, already paired."""
    from django.contrib.auth.models import User

    from matches import actors
    from tests.league import desks

    by = actors.actor_for(User.objects.get(username="bots"))
    tournament = desks.tournament(by, title=f"{count} players")
    desks.entered(tournament, count)
    desks.start(tournament, rounds=4)
    desks.paired(tournament)
    desks.play(tournament)
    desks.paired(tournament)
    return tournament.code, [table.number for table in desks.desk(tournament).rounds[-1].tables]


def _close_round(code: str) -> None:
    """Report the remaining tables of a round, and close it."""
    from league.models import Tournament
    from tests.league import desks

    desks.play(Tournament.objects.get(code=code))
