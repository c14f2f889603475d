"""Run the site's own programs in tests as an operator would."""

import contextlib
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import environ
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.utils import load_backend

from deploy import processes, supervisor
from tests.database import WEB_ROLE

STREAM_LIMIT = 45  # connections that the tests' stream process accepts
READY_WITHIN = 120  # seconds
ASYNC_UNSAFE = "DJANGO_ALLOW_ASYNC_UNSAFE"  # only for the process that drives a browser


def database_url() -> str:
    """Return the URL of the current test database, on PostgreSQL as the web role."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    user = f"{WEB_ROLE}:{WEB_ROLE}"
    place = database["HOST"] + (f":{database['PORT']}" if database["PORT"] else "")
    host = database["OPTIONS"].get("host")
    return f"postgres://{user}@{place}/{database['NAME']}" + (f"?host={host}" if host else "")


def owner_url() -> str:
    """Return the URL of the same database as the owner of its tables; on SQLite the same URL."""
    login = f"{WEB_ROLE}:{WEB_ROLE}@"
    return database_url().replace(login, f"{connection.settings_dict['USER']}@")


@contextlib.contextmanager
def on_database(url: str) -> Iterator[None]:
    """Use another database in this thread during the block."""
    ours = connections[DEFAULT_DB_ALIAS]
    given = environ.Env.db_url_config(url)
    theirs = load_backend(given["ENGINE"]).DatabaseWrapper({**ours.settings_dict, **given})
    connections[DEFAULT_DB_ALIAS] = theirs
    try:
        yield
    finally:
        theirs.close()
        connections[DEFAULT_DB_ALIAS] = ours


def environment(**changes: str) -> dict[str, str]:
    """Return the environment for the site's programs: the test database and data directory."""
    ours = {name: value for name, value in os.environ.items() if name != ASYNC_UNSAFE}
    return {
        **ours,
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
        "DATABASE_URL": database_url(),
        "DATA": str(settings.DATA),
        **changes,
    }


SERVERS = {
    "wsgi": ("gunicorn", "-c", "deploy/gunicorn.py", "--bind", "127.0.0.1:0"),
    "asgi": ("-c", "import deploy.asgi"),
    "worker": ("celery", "--quiet", "-A", "deploy", "worker", "--pool", "solo"),
}


def started(*command: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end: a module, or with `-c` a line of Python."""
    module = [] if command[0] in ("-c", "manage.py") else ["-m"]
    return subprocess.run(
        [sys.executable, *module, *command],
        env=environment(**environ),
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=READY_WITHIN,
        check=False,
    )


class Running:
    """A running program of the site, with its output in a file."""

    def __init__(self, program: supervisor.Program, log: Path, **environ: str) -> None:
        self.log = log
        with log.open("wb") as output:
            self.process: subprocess.Popen[Any] = processes.start(
                program.command,
                env=environment(**environ),
                pass_fds=program.pass_fds,
                stdout=output,
                stderr=output,
            )

    def wait_for(self, text: str) -> None:
        """Wait until the program's output contains `text`."""
        deadline = time.monotonic() + READY_WITHIN
        while text not in self.log.read_text():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"no {text!r} in:\n{self.log.read_text()}")
            time.sleep(0.05)

    def stop(self) -> None:
        processes.stop(self.process)


def web(log: Path, **environ: str) -> tuple[Running, str]:
    """Start the web server on a free port; return it and its URL (without a trailing slash)."""
    with supervisor.bind("127.0.0.1", 0) as listener:
        running = Running(supervisor.web(listener), log, **environ)
        url = supervisor.url_of(listener).rstrip("/")
    wait_until_answered(url, running)
    return running, url


def streams(log: Path) -> tuple[Running, str]:
    """Start a stream process on a free port; return it and its URL."""
    with supervisor.bind("127.0.0.1", 0) as listener:
        limits = {"STREAMS": "1", "STREAM_LIMIT": str(STREAM_LIMIT)}
        running = Running(supervisor.streams(listener), log, **limits)
        url = supervisor.url_of(listener).rstrip("/")
    wait_until_answered(f"{url}/healthz", running)
    return running, url


def wait_until_answered(url: str, running: Running) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except urllib.error.HTTPError as error:
            error.close()
            return
        except OSError:
            if running.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"no answer from {url}:\n{running.log.read_text()}") from None
            time.sleep(0.05)


@cache
def collect_static() -> None:
    """Collect the static files once, hashed and compressed, as the real server needs them."""
    told = ("--no-input", "--verbosity", "0", "--ignore", "redoc")
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", *told],
        env=environment(),
        cwd=settings.BASE_DIR,
        check=True,
    )
