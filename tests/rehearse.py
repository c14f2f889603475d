"""Rehearse the whole server on one machine: start it, use it, break parts under load, stop it.

PostgreSQL with two roles, Valkey, nginx with the site's own file, two web processes, a stream
process, two workers and beat, each a real process. Bots record at many tables through nginx while
readers follow; meanwhile a worker, a web process and the stream process are killed (SIGKILL) and
started again, as systemd would, and Valkey hangs (SIGSTOP), is killed and comes back empty.
Then check: every acknowledged act was recorded exactly once, no reader missed an entry or got one
twice, no job waits for a worker, all logs verify, no process or file is left.
"""

import argparse
import contextlib
import http.client
import json
import random
import signal
import statistics
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests import services
from tests.machine import (
    READY_WITHIN,
    TOKEN,
    Failed,
    Server,
    Unit,
    inside,
    require,
    say,
    server,
    wait_until,
)

PASSWORD = "for-a-minute-only"
DRAINED_WITHIN = 120  # seconds
PATIENCE = 60  # seconds within which a bot's act has to be acknowledged
AGAIN = 0.2  # seconds until a bot retries


# -- the journey ----------------------------------------------------------------------------


def journey(site: Server) -> str:
    """Use everything once, as users would; return the API key of the bots' account."""
    for name in ("web-1", "web-2", "streams"):
        wait_until(
            lambda name=name: inside(site.home / f"{name}.sock", "/readyz")[0] == 200,
            READY_WITHIN,
            f"{name} is not ready:\n{(site.home / f'{name}.log').read_text()[-2000:]}",
        )
    status, _, body = inside(site.home / "web-1.sock", "/readyz")
    require(set(json.loads(body)["parts"].values()) == {"ok"}, f"not ready: {body!r}")
    for path, wanted in {"/healthz": 200, "/readyz": 404, "/metrics": 404, "/": 200}.items():
        status, told, body = site.get(path)
        require(status == wanted, f"{path} answers {status} through {site.through}")
    require("x-request-id" in told, "an answer has no id")
    sheet = body.decode().partition('rel="stylesheet" href="')[2].partition('"')[0]
    packed = {"Accept-Encoding": "gzip"}
    status, told, _ = site.get(sheet, **packed)
    require(status == 200 and "immutable" in told["cache-control"], f"{sheet}: {status} {told}")
    for path in (sheet, "/", "/api/v1/games/zg/"):
        status, told, _ = site.get(path, **packed)
        require(told.get("content-encoding") == "gzip", f"{path} is not sent compressed: {told}")
    status, told, _ = site.get(path, **packed, **{"If-None-Match": told["etag"]})
    require(status == 304, f"{path} unchanged answers {status} to the tag of what was compressed")
    request = told["x-request-id"]
    wait_until(
        lambda: {"request": request, "status": 304}.items() <= _told_of(site, request).items(),
        20.0,
        f"nginx asked for all of {path} to say that it is unchanged: {_told_of(site, request)}",
    )
    site.manage(
        *("createsuperuser", "--no-input", "--username", "bots", "--email", ""),
        DJANGO_SUPERUSER_PASSWORD=PASSWORD,
    )
    given = {"username": "bots", "password": PASSWORD}
    with contextlib.closing(site.connect()) as line:
        status, answer = post(line, "/api/v1/token/", given)
    require(status in (200, 201), f"no key: {status} {answer}")
    return str(answer["token"])


def _told_of(site: Server, request: str) -> dict[str, Any]:
    """Return what a web process logged about a request."""
    logs = [(site.home / f"web-{number}.log").read_text() for number in (1, 2)]
    found = (line for log in logs for line in log.splitlines() if f'"request": "{request}"' in line)
    return dict(json.loads(next(found, "{}")))


def post(
    line: http.client.HTTPConnection, path: str, body: Any, key: str = ""
) -> tuple[int, dict[str, Any]]:
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Token {key}"
    line.request("POST", path, json.dumps(body), headers)
    with line.getresponse() as answer:
        read = answer.read()
    is_json = "json" in answer.getheader("Content-Type", "")
    return answer.status, json.loads(read) if is_json else {"body": read[:200]}


# -- bots and readers -----------------------------------------------------------------------


@dataclass
class Table:
    """A bot's table: the acts acknowledged as recorded, and statistics of the play."""

    code: str
    acknowledged: list[str] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    tries: int = 0
    again: int = 0  # acts that had been recorded already when they were sent
    refused: list[str] = field(default_factory=list)


def play(site: Server, key: str, table: Table, every: float, over: threading.Event) -> None:
    """Record acts one after another until `over`; each is retried under its id until accepted."""
    next_at = time.monotonic() + random.uniform(0, every)
    with contextlib.closing(site.connect()) as line:
        while not over.is_set():
            time.sleep(max(0.0, next_at - time.monotonic()))
            next_at += every
            _record(line, key, table)


def _record(line: http.client.HTTPConnection, key: str, table: Table) -> None:
    act_id, began = str(uuid4()), time.monotonic()
    act = {"type": "points-scored", "seat": 1, "points": 1}
    body = {"id": act_id, "act": act}
    while time.monotonic() < began + PATIENCE:
        table.tries += 1
        try:
            status, answer = post(line, f"/api/v1/matches/{table.code}/acts/", body, key)
        except (OSError, http.client.HTTPException, ValueError):
            status, answer = 0, {}
            line.close()
        if status in (200, 201):
            table.took.append(time.monotonic() - began)
            table.acknowledged.append(act_id)
            table.again += status == 200
            return
        if 400 <= status < 500 and status != 429:
            table.refused.append(f"{status} {answer}")
            return
        time.sleep(AGAIN)
    table.refused.append("was never acknowledged")


@dataclass
class Reader:
    """A follower of a table's stream, and what it received."""

    table: Table
    versions: list[int] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    connections: int = 0


def follow(site: Server, reader: Reader, done: threading.Event) -> None:
    """Read a table's stream, resuming it at every cut, until `done` is set and nothing arrives."""
    while not done.is_set():
        with contextlib.closing(site.connect(timeout=3)) as line:
            last = str(reader.versions[-1]) if reader.versions else "0"
            with contextlib.suppress(OSError, http.client.HTTPException):
                path = f"/api/v1/matches/{reader.table.code}/stream/"
                line.request("GET", path, headers={"Last-Event-ID": last})
                with line.getresponse() as answer:
                    if answer.status == 200:
                        reader.connections += 1
                        _hear(answer, reader, done)
        time.sleep(AGAIN)


def _hear(answer: http.client.HTTPResponse, reader: Reader, done: threading.Event) -> None:
    while not done.is_set():
        text = answer.readline().decode()
        if not text:
            return
        if text.startswith("data: "):
            entry = json.loads(text[6:])
            reader.versions.append(entry["version"])
            reader.ids.append(entry["act_id"])


def hurt(
    site: Server, key: str, seconds: float, played: list[Table], reading: list[Reader]
) -> list[str]:
    """Break one part of each kind, one after another, under load."""
    wait_until(lambda: all(r.connections for r in reading), READY_WITHIN, "a reader heard nothing")
    hurts = {
        "worker-1": lambda: _kill(site.units["worker-1"]),
        "web-1": lambda: _kill(site.units["web-1"]),
        "streams": lambda: _cut_off(site.units["streams"], reading),
        "broker": lambda: _take_away(site, key, played),
    }
    for name, hurt_it in hurts.items():
        time.sleep(seconds / (len(hurts) + 1))
        say(f"killing {name}")
        hurt_it()
    time.sleep(seconds / (len(hurts) + 1))
    return list(hurts)


def _kill(unit: Unit) -> None:
    """Kill a unit, and restart it a second later."""
    unit.kill()
    time.sleep(1)
    unit.start()


def _cut_off(streams: Unit, reading: list[Reader]) -> None:
    """Kill the stream process, and wait until every reader has reconnected."""
    streams.kill()
    were = [reader.connections for reader in reading]  # no reader can be connected now
    time.sleep(1)
    streams.start()
    wait_until(
        lambda: all(r.connections > n for r, n in zip(reading, were, strict=True)),
        READY_WITHIN,
        "a reader did not come back",
    )


def _take_away(site: Server, key: str, played: list[Table]) -> None:
    """Let the broker hang, then kill it, and start it again empty.

    All tables go on meanwhile and others are opened, because the first entry of a log always
    wakes a worker.
    """
    lost, opened = _lost(played), list[Table]()
    for stage, take in {"hangs": site.broker.hang, "is gone": site.broker.kill}.items():
        take()
        opened.append(Table(_open(site, key)))
        were = [len(table.acknowledged) for table in played]
        wait_until(
            # The first act may have been sent before.
            lambda were=were: all(
                len(table.acknowledged) > n + 1 for table, n in zip(played, were, strict=True)
            ),
            PATIENCE,
            f"a table stands still while the broker {stage}",
        )
        wait_until(
            lambda: _readiness(site) == (200, {"broker", "cache"}),
            PATIENCE,
            f"/readyz says something else while the broker {stage}",
        )
    site.broker.start()
    played += opened
    require(_lost(played) == lost, "answers were not waited for while the broker was away")


def _lost(played: list[Table]) -> int:
    """Return how many acts lost their answer: they had been recorded when they were resent."""
    return sum(table.again for table in played)


def _readiness(site: Server) -> tuple[int, set[str]]:
    """Return the readiness of a web process: its status code, and the failing checks."""
    status, _, body = inside(site.home / "web-2.sock", "/readyz")
    parts = json.loads(body)["parts"].items()
    return status, {name for name, told in parts if told != "ok"}


# -- all of it ------------------------------------------------------------------------------


@dataclass
class Found:
    """The results of a rehearsal, for its report."""

    tables: int
    readers: int
    seconds: float
    acts: int
    tries: int
    heard: int
    connections: int
    took: list[float]
    killed: list[str]

    def lines(self) -> list[str]:
        cuts = statistics.quantiles(self.took, n=100) if len(self.took) > 1 else [0.0] * 99
        ms = {p: f"{cuts[p - 1] * 1000:.0f} ms" for p in (50, 95, 99)}
        return [
            f"{self.tables} tables, {self.readers} readers, {self.seconds:.0f} s through nginx; "
            f"killed (SIGKILL) meanwhile: {', '.join(self.killed) or 'nothing'}",
            f"{self.acts} acts acknowledged in {self.tries} tries: "
            f"p50 {ms[50]}, p95 {ms[95]}, p99 {ms[99]}; 0 lost, 0 doubled",
            f"{self.heard} entries heard over {self.connections} connections: 0 gaps, 0 doubles",
        ]


def rehearse(
    *, tables: int, readers: int, seconds: float, every: float, kills: bool = True
) -> Found:
    """Run the whole rehearsal. Raises: Failed at the first check that fails."""
    say("starting PostgreSQL and Valkey")
    with server() as site:
        say(f"waiting for {len(site.units)} units behind {site.through}")
        key = journey(site)
        say(f"playing at {tables} tables")
        played = [Table(_open(site, key)) for _ in range(tables)]
        reading = [Reader(played[n % tables]) for n in range(readers)]
        logs, killed = _played(site, key, played, reading, seconds, every, kills=kills)
        _compare(logs, played, reading)
        _drained(site)
        site.manage("verify")
        entries = sum(len(log) for log in logs.values())
        _counted(site, entries, _lost(played))
        pids = [unit.process.pid for unit in site.units.values() if unit.process]
    left = [pid for pid in pids if _runs(pid)]
    require(not left, f"left running: {left}")
    return Found(
        tables,
        readers,
        seconds,
        sum(len(table.acknowledged) for table in played),
        sum(table.tries for table in played),
        sum(len(reader.ids) for reader in reading),
        sum(reader.connections for reader in reading),
        [took for table in played for took in table.took],
        killed,
    )


def _played(
    site: Server,
    key: str,
    played: list[Table],
    reading: list[Reader],
    seconds: float,
    every: float,
    *,
    kills: bool,
) -> tuple[dict[str, list[str]], list[str]]:
    """Play while parts are broken; return each table's entries, and what was broken."""
    over, done, killed = threading.Event(), threading.Event(), list[str]()
    with ThreadPoolExecutor(len(played) + len(reading)) as pool:
        following = [pool.submit(follow, site, reader, done) for reader in reading]
        playing = [pool.submit(play, site, key, table, every, over) for table in played]
        try:
            if kills:
                killed = hurt(site, key, seconds, played, reading)
            else:
                time.sleep(seconds)
            over.set()
            for bot in playing:
                bot.result()
            say("comparing")
            logs = {table.code: _entries(site, key, table) for table in played}
            wait_until(
                lambda: all(len(r.ids) >= len(logs[r.table.code]) for r in reading),
                DRAINED_WITHIN,
                "readers did not hear everything",
            )
        finally:
            over.set()
            done.set()
        for reader in following:
            reader.result()
    return logs, killed


def _compare(logs: dict[str, list[str]], played: list[Table], reading: list[Reader]) -> None:
    """Compare the acknowledged acts and the streamed entries with the logs."""
    for table in played:
        require(not table.refused, f"an act was refused: {table.refused[:3]}")
        require(
            logs[table.code][1:] == table.acknowledged,
            f"{table.code}: {len(table.acknowledged)} acknowledged, "
            f"{len(logs[table.code]) - 1} there",
        )
    for reader in reading:
        require(reader.ids == logs[reader.table.code], "a reader's entries are not the log's")


def _open(site: Server, key: str) -> str:
    asked = {"ruleset": "score", "seats": [{"name": "Left"}, {"name": "Right"}]}
    with contextlib.closing(site.connect()) as line:
        status, answer = post(line, "/api/v1/matches/", asked, key)
    require(status == 201, f"no match: {status} {answer}")
    return str(answer["code"])


def _entries(site: Server, key: str, table: Table) -> list[str]:
    """Return the ids of a table's entries from the API."""
    found: list[str] = []
    while True:
        path = f"/api/v1/matches/{table.code}/events/?after={len(found)}&limit=100"
        status, _, body = site.get(path, Authorization=f"Token {key}")
        require(status == 200, f"{path}: {status}")
        answer = json.loads(body)
        found += [entry["act_id"] for entry in answer["entries"]]
        if not answer["more"]:
            return found


def _drained(site: Server) -> None:
    """Wait until no work is left for the workers, whatever was killed."""
    wait_until(
        lambda: _metric(site, 'zgxl_outbox_depth{outbox="followers"}') == 0,
        DRAINED_WITHIN,
        "followers are still due",
    )
    require(_metric(site, "zgxl_followers_parked") == 0, "a log is parked")


def _counted(site: Server, entries: int, lost: int) -> None:
    """Compare the processes' metrics, summed, with the entries recorded.

    A process killed between its commit and its count has sent no answer either: the bot resent that
    act, and was told that it had been recorded already.
    """
    counted = _metric(site, 'zgxl_entries_appended_total{ruleset="score@1"}')
    require(
        entries - lost <= counted <= entries,
        f"{counted} counted of {entries}, of which {lost} lost their answers",
    )


def _metric(site: Server, name: str) -> float | None:
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    status, _, body = inside(site.home / "web-2.sock", "/metrics", **bearer)
    require(status == 200, f"/metrics answers {status}")
    for line in body.decode().splitlines():
        if line.startswith(f"{name} "):
            return float(line.rpartition(" ")[2])
    return None


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="deploy/rehearse", description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="tables that record")
    parser.add_argument("--readers", type=int, default=100, help="readers of their streams")
    parser.add_argument("--seconds", type=float, default=30, help="of load")
    parser.add_argument("--every", type=float, default=1, help="seconds between a table's acts")
    parser.add_argument("--unhurt", action="store_true", help="kill nothing: for figures")
    given = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        found = rehearse(
            tables=given.tables,
            readers=given.readers,
            seconds=given.seconds,
            every=given.every,
            kills=not given.unhurt,
        )
    except services.Missing as missing:
        print(f"The rehearsal lacks something; type:\n  {missing}")
        return 1
    except Failed as failed:
        print(f"FAILED: {failed}")
        return 1
    print("\n".join(found.lines()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
