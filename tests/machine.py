"""The whole server on one machine: real processes, started by the commands of its units."""

import contextlib
import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy import processes
from tests import services

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "counts"
READY_WITHIN = 120  # seconds


class Failed(Exception):
    """A check of the rehearsal failed."""


def require(holds: object, wrong: str) -> None:
    if not holds:
        raise Failed(wrong)


@dataclass
class Unit:
    """A program that can be killed and started again, as a systemd unit."""

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
        """Kill (SIGKILL) the program and all its children."""
        assert self.process is not None
        processes.kill_session(self.process)


@dataclass
class Server:
    """The running server: its address, and its units by name."""

    home: Path
    host: str
    port: int
    environment: dict[str, str]
    units: dict[str, Unit]
    broker: services.Valkey
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
    """Start everything, and stop it afterwards. `durable`: commits wait for the disk."""
    with (
        services.directory() as home,
        services.cluster(durable=durable) as base,
        services.broker() as broker,
    ):
        (home / "data").mkdir(mode=0o755)  # the web server reads static files from it
        web_url = f"postgres://{services.WEB_ROLE}:{services.WEB_ROLE}@/zgxl?host={base.home}"
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "DATA": str(home / "data"),
            "DATABASE_URL": web_url,
            "BROKER_URL": broker.url,
            "CACHE_URL": broker.cache_url,
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
            yield Server(home, "127.0.0.1", port, environment, units, broker, through)


def _stop(unit: Unit) -> None:
    if unit.process is not None:
        processes.stop(unit.process)


def _units(home: Path, environment: dict[str, str]) -> dict[str, Unit]:
    """Return the units, with the exact commands of `deploy/systemd/`."""
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
    """Start nginx with the site's own configuration, except for its paths and port."""
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


def inside(path: Path, asked: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Send a request to a process at its own socket, bypassing nginx."""
    line = http.client.HTTPConnection("127.0.0.1", timeout=20)
    line.sock = socket.socket(socket.AF_UNIX)
    line.sock.settimeout(20)
    with contextlib.closing(line):
        line.sock.connect(str(path))
        line.request("GET", asked, headers=headers)
        with line.getresponse() as answer:
            return answer.status, dict(answer.getheaders()), answer.read()


def say(text: str) -> None:
    print(f"  {text}", flush=True)
