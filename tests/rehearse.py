"""The whole server on one plain machine: brought up, used, hurt under load, taken down.

PostgreSQL with two roles, Valkey, nginx with the site's own file, two web processes, a stream
process, two workers and beat, each a real process. Bots record at many tables through nginx while
readers follow; meanwhile a worker, a web process and the stream process are killed (SIGKILL) and
started again, as systemd would. Then: every act that was acknowledged is there once, no reader
missed an entry or heard one twice, nothing waits for a worker, all logs verify, nothing is left.
"""

import argparse
import contextlib
import http.client
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from deploy import processes
from tests import services

ROOT = Path(__file__).resolve().parent.parent
PASSWORD = "for-a-minute-only"
TOKEN = "counts"
READY_WITHIN = 120  # seconds
DRAINED_WITHIN = 60
PATIENCE = 60  # seconds in which a bot's act has to be acknowledged
AGAIN = 0.2  # seconds until a bot tries again


class Failed(Exception):
    """The rehearsal found something that is not as it has to be."""


def require(holds: object, wrong: str) -> None:
    if not holds:
        raise Failed(wrong)


# -- the machine ----------------------------------------------------------------------------


@dataclass
class Unit:
    """A program that is started again when it ends, as systemd does it."""

    name: str
    command: list[str]
    log: Path
    environment: dict[str, str]
    process: "subprocess.Popen[Any] | None" = None
    starts: int = 0

    def start(self) -> None:
        self.starts += 1
        with self.log.open("ab") as output:
            self.process = processes.start(
                self.command, cwd=ROOT, env=self.environment, stdout=output, stderr=output
            )

    def kill(self) -> None:
        """Kill it and all it started, without a word, and start it again a second later."""
        assert self.process is not None
        processes.kill_session(self.process)
        time.sleep(1)
        self.start()


@dataclass
class Server:
    """What is up: where it answers, and its units by name."""

    home: Path
    host: str
    port: int
    environment: dict[str, str]
    units: dict[str, Unit]
    through: str

    def connect(self, timeout: float = 30) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        with contextlib.closing(self.connect()) as line:
            line.request("GET", path, headers=headers)
            with line.getresponse() as answer:
                told = {name.lower(): value for name, value in answer.getheaders()}
                return answer.status, told, answer.read()

    def manage(self, *arguments: str, **more: str) -> str:
        return _manage({**self.environment, **more}, *arguments)


def _manage(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=READY_WITHIN,
    )
    require(done.returncode == 0, f"manage.py {arguments[0]}: {done.stderr or done.stdout}")
    return done.stdout


@contextlib.contextmanager
def server(*, durable: bool = False) -> Iterator[Server]:
    """Bring everything up; take it all down again. `durable`: commits wait for the disk."""
    with (
        services.directory() as home,
        services.cluster(durable=durable) as base,
        services.valkey() as broker,
    ):
        web_url = f"postgres://{services.WEB_ROLE}:{services.WEB_ROLE}@/zgxl?host={base.home}"
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "DATA": str(home / "data"),
            "DATABASE_URL": web_url,
            "BROKER_URL": broker,
            "CACHE_URL": f"rediscache://{broker.partition('://')[2]}",
            "ALLOWED_HOSTS": "127.0.0.1",
            "PROXIES": "1",
            "STREAMS": "1",
            "METRICS_TOKEN": TOKEN,
            "PROMETHEUS_MULTIPROC_DIR": str(home / "metrics"),
            "LOG_FORMAT": "json",
            "API_RATE_USER": "1000000/min",
            "API_RATE_ANON": "1000000/min",
        }
        environment.pop("OWNER_DATABASE_URL", None)
        say("migrating as the owner, and collecting static files")
        with ThreadPoolExecutor() as pool:
            tasks = [
                pool.submit(
                    _manage,
                    {**environment, "OWNER_DATABASE_URL": base.url},
                    "migrate",
                    "--no-input",
                ),
                pool.submit(
                    _manage,
                    environment,
                    *("collectstatic", "--no-input", "--verbosity", "0", "--ignore", "redoc"),
                ),
            ]
            for task in tasks:
                task.result()
        units = _units(home, environment)
        with contextlib.ExitStack() as stack:
            for unit in units.values():
                unit.start()
                stack.callback(_stop, unit)
            through, port = _front(home, stack)
            yield Server(home, "127.0.0.1", port, environment, units, through)


def _stop(unit: Unit) -> None:
    if unit.process is not None:
        processes.stop(unit.process)


def _units(home: Path, environment: dict[str, str]) -> dict[str, Unit]:
    """Return the units, by the very commands of `deploy/systemd/`."""
    found = {}
    for name, instance in [
        *(("zgxl-web@", "1"), ("zgxl-web@", "2"), ("zgxl-streams", "")),
        *(("zgxl-worker@", "1"), ("zgxl-worker@", "2"), ("zgxl-beat", "")),
    ]:
        text = (ROOT / f"deploy/systemd/{name}.service").read_text()
        (line,) = [line for line in text.splitlines() if line.startswith("ExecStart=")]
        line = line.removeprefix("ExecStart=").replace("%i", instance).replace("%H", "rehearsal")
        line = line.replace("/run/zgxl/", f"{home}/").replace("/var/lib/zgxl/", f"{home}/")
        command = [sys.executable, *line.split()[1:]]
        unit = name.removeprefix("zgxl-").replace("@", f"-{instance}")
        found[unit] = Unit(unit, command, home / f"{unit}.log", environment)
    return found


def _front(home: Path, stack: contextlib.ExitStack) -> tuple[str, int]:
    """Start nginx with the file a server gets, but for its paths and its port."""
    port = _free_port()
    site = (ROOT / "deploy/nginx/zgxl.conf").read_text()
    for there, here in {
        "/run/zgxl/": f"{home}/",
        "/var/lib/zgxl/static/": f"{home}/data/static/",
        "/var/cache/nginx/zgxl": f"{home}/cache",
        "listen 80;": f"listen 127.0.0.1:{port};",
        "rate=200r/s": "rate=10000r/s",
    }.items():
        require(there in site, f"deploy/nginx/zgxl.conf says no more {there!r}")
        site = site.replace(there, here)
    stack.enter_context(services.nginx(home, site))
    return "nginx", port


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def wait_until(holds: Any, seconds: float, wrong: str) -> Any:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if found := holds():
                return found
        require(time.monotonic() < deadline, wrong)
        time.sleep(0.1)


# -- the journey ----------------------------------------------------------------------------


def journey(site: Server) -> str:
    """Look at everything once, as its users would; return the key of the bots' account."""
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
    """Return what a web process logged of a request."""
    logs = [(site.home / f"web-{number}.log").read_text() for number in (1, 2)]
    found = (line for log in logs for line in log.splitlines() if f'"request": "{request}"' in line)
    return dict(json.loads(next(found, "{}")))


def inside(path: Path, asked: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Ask a process at its own socket, past nginx."""
    import socket

    line = http.client.HTTPConnection("127.0.0.1", timeout=20)
    line.sock = socket.socket(socket.AF_UNIX)
    line.sock.settimeout(20)
    with contextlib.closing(line):
        line.sock.connect(str(path))
        line.request("GET", asked, headers=headers)
        with line.getresponse() as answer:
            return answer.status, dict(answer.getheaders()), answer.read()


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
    """A bot's table: the acts it was told are recorded, and what went on meanwhile."""

    code: str
    acknowledged: list[str] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    tries: int = 0
    refused: list[str] = field(default_factory=list)


def play(site: Server, key: str, table: Table, every: float, end: float) -> None:
    """Record one act after the other until the time is over; each under one id till it is taken."""
    next_at = time.monotonic() + random.uniform(0, every)
    with contextlib.closing(site.connect()) as line:
        while time.monotonic() < end:
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
            return
        if 400 <= status < 500 and status != 429:
            table.refused.append(f"{status} {answer}")
            return
        time.sleep(AGAIN)
    table.refused.append("was never acknowledged")


@dataclass
class Reader:
    """What one follower of a table heard."""

    table: Table
    versions: list[int] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    connections: int = 0


def follow(site: Server, reader: Reader, done: threading.Event) -> None:
    """Read a table's stream, resumed at every cut, until `done` and nothing more comes."""
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


def hurt(site: Server, seconds: float) -> list[str]:
    """Kill one unit of each kind, one after the other, while the load goes on."""
    killed = ["worker-1", "web-1", "streams"]
    for name in killed:
        time.sleep(seconds / (len(killed) + 1))
        say(f"killing {name}")
        site.units[name].kill()
    return killed


# -- all of it ------------------------------------------------------------------------------


@dataclass
class Found:
    """What a rehearsal found, for its report."""

    tables: int
    readers: int
    seconds: float
    acts: int
    tries: int
    heard: int
    reconnects: int
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
            f"{self.heard} entries heard over {self.reconnects} connections: 0 gaps, 0 doubles",
        ]


def rehearse(
    *, tables: int, readers: int, seconds: float, every: float, kills: bool = True
) -> Found:
    """Do it all. Raises: Failed at the first thing that is not as it has to be."""
    say("starting PostgreSQL and Valkey")
    with server() as site:
        say(f"waiting for {len(site.units)} units behind {site.through}")
        key = journey(site)
        say(f"playing at {tables} tables")
        played = [Table(_open(site, key)) for _ in range(tables)]
        reading = [Reader(played[n % tables]) for n in range(readers)]
        done, end = threading.Event(), time.monotonic() + seconds
        with ThreadPoolExecutor(tables + readers) as pool:
            following = [pool.submit(follow, site, reader, done) for reader in reading]
            playing = [pool.submit(play, site, key, table, every, end) for table in played]
            try:
                killed = hurt(site, seconds) if kills else []
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
                done.set()
            for reader_done in following:
                reader_done.result()
        for table in played:
            require(not table.refused, f"an act was refused: {table.refused[:3]}")
            require(
                logs[table.code][1:] == table.acknowledged,
                f"{table.code}: {len(table.acknowledged)} acknowledged, "
                f"{len(logs[table.code]) - 1} there",
            )
        for reader in reading:
            require(reader.ids == logs[reader.table.code], "a reader's entries are not the log's")
        _drained(site)
        site.manage("verify")
        _counted(site, sum(len(log) for log in logs.values()), killed)
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


def _open(site: Server, key: str) -> str:
    asked = {"ruleset": "score", "seats": [{"name": "Left"}, {"name": "Right"}]}
    with contextlib.closing(site.connect()) as line:
        status, answer = post(line, "/api/v1/matches/", asked, key)
    require(status == 201, f"no match: {status} {answer}")
    return str(answer["code"])


def _entries(site: Server, key: str, table: Table) -> list[str]:
    """Return the ids of a table's entries as the API tells them."""
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
    """Wait until nothing is left for a worker to do, whatever was killed."""
    wait_until(
        lambda: _metric(site, 'zgxl_outbox_depth{outbox="followers"}') == 0,
        DRAINED_WITHIN,
        "followers are still due",
    )
    require(_metric(site, "zgxl_followers_parked") == 0, "a log is parked")


def _counted(site: Server, entries: int, killed: list[str]) -> None:
    """Compare what the processes counted, all of them together, with what is there."""
    counted = _metric(site, 'zgxl_entries_appended_total{ruleset="score@1"}')
    lost = 2 if any(name.startswith("web") for name in killed) else 0
    # One killed between its commit and its count has counted one too few for each of its threads.
    require(entries - 8 * lost <= counted <= entries, f"{counted} counted of {entries}")


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


def say(text: str) -> None:
    print(f"  {text}", flush=True)


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
