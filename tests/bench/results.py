"""A running tournament: the time a real server takes to answer a reported result."""

import http.client
import json
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from deploy import supervisor
from matches import followers
from tests import factories, site
from tests.bench.figure import Figure
from tests.league import desks

PLAYERS, LAST = 500, 12


def figures() -> Iterator[Figure]:
    tournament = _under_way()
    followers.work(tournament.pk)  # no backlog when the round begins
    half = PLAYERS // 4
    tables = [table.number for table in desks.desk(tournament).rounds[-1].tables]
    with tempfile.TemporaryDirectory() as folder:
        server, url = site.web(Path(folder) / "web.log")
        running = [server]
        try:
            alone = _reported(url, tournament, tables[:half])
            running.append(_follower(Path(folder)))
            beside = _reported(url, tournament, tables[half:])
        finally:
            for each in running:
                each.stop()
    for how, times in (("", alone), (", a worker following each", beside)):
        times.sort()
        for share in (50, 95, 100):
            at = max(share * len(times) // 100 - 1, 0)
            name = f"SQLite: a result through HTTP, {PLAYERS} players, round {LAST}{how}, p{share}"
            yield Figure(name, times[at] * 1000, f"ms ({len(times)} results)", most=300)


def _follower(folder: Path) -> Any:
    """Start a worker that runs the followers."""
    program = supervisor.worker(folder / "schedule")
    program.command += ["--loglevel", "INFO"]  # logs when it is ready
    worker = site.Running(program, folder / "worker.log")
    worker.wait_for("ready.")
    return worker


def _under_way() -> Any:
    """Return a tournament in its last round, created through the services."""
    tournament = desks.tournament()
    desks.entered(tournament, PLAYERS)
    desks.start(tournament, rounds=LAST)
    for _ in range(LAST - 1):
        desks.paired(tournament)
        desks.play(tournament)
    desks.paired(tournament)
    return tournament


def _reported(url: str, tournament: Any, tables: list[int]) -> list[float]:
    """Report tables of the current round; return how long each took, in seconds."""
    by = desks.organiser(tournament)
    headers = {
        "Authorization": f"Token {factories.key(by.user)}",
        "Content-Type": "application/json",
    }
    client = http.client.HTTPConnection(urlsplit(url).netloc)
    path = f"/api/v1/tournaments/{tournament.code}/"
    client.request("GET", path, headers=headers)  # warms the cache of the log, as the console does
    client.getresponse().read()
    times = []
    for table in tables:
        act = {"type": "result-reported", "round": LAST, "table": table, "scores": [2, 1]}
        body = json.dumps({"id": str(uuid.uuid4()), "act": act})
        began = time.perf_counter()
        client.request("POST", f"{path}acts/", body, headers)
        answer = client.getresponse()
        answer.read()
        times.append(time.perf_counter() - began)
        if answer.status != 201:
            raise AssertionError(f"table {table} was answered with {answer.status}")
    client.close()
    return times
