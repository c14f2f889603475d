"""Readers that follow a live match by polling, over connections that are cut repeatedly."""

import http.client
import json
import random
import socket
import struct
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from typing import Any
from urllib.parse import urlsplit

from django.db import connection

from matches.models import Event, Match
from tests import factories, site
from tests.prove.experiment import Found, experiment, must_break, require

CUT_AFTER = (1.0, 5.0)  # seconds between two cuts of a reader's connection
PAGE = 20
PATIENCE = 120  # seconds for one answer of a busy server
HASTE = 0.2  # seconds between two acts
ABORT = struct.pack("ii", 1, 0)  # close at once, with a reset


@experiment(
    section="Watching",
    promise="A reader of a match gets everything that was recorded, however often it is cut off.",
    full={"readers": 500, "seconds": 60},
    short={"readers": 50, "seconds": 5},
)
def live_readers(*, readers: int, seconds: int) -> Found:
    match = factories.match()
    with server() as url:
        heard = follow(url, match, readers, seconds)
        told = [list(entry) for entry in entries_of(match)]
        for reader in heard:
            check(reader, told)
        bite = must_break(lambda: [check(forgetful(reader), told) for reader in heard])
    cuts = sum(reader.cuts for reader in heard)
    unchanged = sum(reader.unchanged for reader in heard)
    return Found(
        asked=f"{readers} readers polling for {seconds} s, disconnected every 1 to 5 s, "
        "in the middle of a response or before it",
        found=f"{len(told)} entries each, 0 gaps, 0 duplicates; {cuts:,} disconnects",
        counts={"entries": len(told), "cuts": cuts, "unchanged": unchanged},
        bite=f"With a reader that resumes behind a response it got only in part: {bite}.",
    )


@dataclass
class Reader:
    """What one reader has received: entries as version and hash, in order of arrival."""

    entries: list[list[Any]] = field(default_factory=list)
    cuts: int = 0
    unchanged: int = 0
    lost: list[int] = field(default_factory=list)

    @property
    def at(self) -> int:
        return self.entries[-1][0] if self.entries else 0


def check(reader: Reader, told: list[list[Any]]) -> None:
    """Compare what a reader received with the log."""
    heard = [version for version, _ in reader.entries]
    require(len(heard) == len(set(heard)), "an entry was heard twice")
    require(reader.entries == told, f"{len(told) - len(reader.entries)} entries are missing")


def forgetful(reader: Reader) -> Reader:
    """Return a reader that counts a truncated answer as received: the broken variant."""
    return Reader([entry for entry in reader.entries if entry[0] not in reader.lost])


# -- the server and the match -----------------------------------------------------------------


@contextmanager
def server() -> Any:
    """Run the site on this experiment's database; yield its URL."""
    with tempfile.TemporaryDirectory() as home:
        rates = dict.fromkeys(("API_RATE_ANON", "API_RATE_USER"), "1000000/min")
        running, url = site.web(Path(home) / "web.log", **rates)
        try:
            yield url
        finally:
            running.stop()


def follow(url: str, match: Match, readers: int, seconds: int) -> list[Reader]:
    """Play a match while readers follow it; return what they received once it has stopped."""
    done = Flag()
    with ThreadPoolExecutor(readers + 1) as pool:
        following = [pool.submit(read, url, match.code, seed, done) for seed in range(readers)]
        try:
            pool.submit(play, match, seconds).result()
        finally:
            done.set()
        return [each.result() for each in following]


def play(match: Match, seconds: int) -> None:
    """Record points for `seconds`."""
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            factories.record(match)
            time.sleep(HASTE)
    finally:
        connection.close()


def entries_of(match: Match) -> list[tuple[int, str]]:
    acts = Event.objects.filter(log=match.log, ordinal=0).order_by("version")
    return list(acts.values_list("version", "hash"))


# -- one reader -------------------------------------------------------------------------------


def read(url: str, code: str, seed: int, done: Flag) -> Reader:
    """Poll from the last entry received until the match has stopped and nothing more follows."""
    pick, reader = random.Random(seed), Reader()
    place = urlsplit(url)
    tag, line, cut_at = "", connect(place.netloc), time.monotonic() + pick.uniform(*CUT_AFTER)
    while True:
        over = done.is_set()
        cut = time.monotonic() > cut_at and not over
        path = f"/api/v1/matches/{code}/events/?after={reader.at}&limit={PAGE}"
        try:
            answer = ask(line, path, tag, cut=cut)
        except (OSError, http.client.HTTPException):
            answer = None
        if answer is None:
            reader.cuts += cut
            reader.lost.append(reader.at + 1)
            line.close()
            line, tag = connect(place.netloc), ""
            cut_at = time.monotonic() + pick.uniform(*CUT_AFTER)
            continue
        status, tag, body = answer
        if status == 304:
            reader.unchanged += 1
        else:
            reader.entries += [[entry["version"], entry["hash"]] for entry in body["entries"]]
        if over and (status == 304 or not body["more"]):
            line.close()
            return reader
        time.sleep(pick.uniform(0.2, 1.0))


def connect(place: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(place, timeout=PATIENCE)


def ask(
    line: http.client.HTTPConnection, path: str, tag: str, *, cut: bool
) -> tuple[int, str, Any] | None:
    """Return status, ETag and data of an answer, or None if it was cut off before its end."""
    line.request("GET", path, headers={"If-None-Match": tag} if tag else {})
    if cut:
        line.sock.recv(20)
        line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, ABORT)
        return None
    answer = line.getresponse()
    data = answer.read()
    require(answer.status in (200, 304), f"a reader was answered {answer.status}")
    return answer.status, answer.headers.get("ETag", ""), json.loads(data) if data else {}
