"""A supervisor: binds the port, keeps the site's programs running and leaves nothing behind.

Knows no Django. The socket is bound here and inherited, so a port in use is reported before
anything starts, and a restarted web server misses no connection.
"""

import contextlib
import errno
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy import processes

HERE = Path(__file__).resolve().parents[1]
STOPPING = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
WATCHED = STOPPING | {signal.SIGCHLD}
SETTLED = 5.0  # seconds; a program that never ran that long is broken
PAUSE, LONGEST = 1.0, 30.0  # seconds before a restart, doubled each time


def _path() -> str:
    """Return PYTHONPATH with this project first, whatever the working directory."""
    return os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))


class Stopped(Exception):
    """The site had to stop; the message says why."""


@dataclass
class Program:
    """A program to keep running; one that runs `once` may end, and is not restarted."""

    name: str
    command: list[str]
    pass_fds: tuple[int, ...] = ()
    once: bool = False
    process: subprocess.Popen[Any] | None = None
    started: float = 0.0
    has_settled: bool = False
    pause: float = PAUSE
    due: float | None = None
    """When to restart it."""

    def start(self) -> None:
        self.started, self.due = time.monotonic(), None
        environ = {**os.environ, "PYTHONPATH": _path()}
        self.process = processes.start(self.command, pass_fds=self.pass_fds, env=environ)

    def require_alive(self) -> None:
        """Restart the program if it ended, after a pause that grows while it keeps ending at once.

        Raises: `Stopped` if it never ran longer than `SETTLED`, as it would only end again.
        """
        if self.due is not None and time.monotonic() >= self.due:
            self.start()
        if self.process is None or self.process.poll() is None:
            return
        reason = f"{self.name} ended with status {self.process.returncode}"
        if self.once:
            if self.process.returncode:
                print(reason, file=sys.stderr, flush=True)
            self.process = None
            return
        processes.kill_session(self.process)
        self._start_later(reason)

    def _start_later(self, reason: str) -> None:
        now = time.monotonic()
        at_once = now - self.started < SETTLED
        self.has_settled = self.has_settled or not at_once
        if not self.has_settled:
            raise Stopped(f"{reason} right after its start")
        self.pause = min(2 * self.pause, LONGEST) if at_once else PAUSE
        self.process, self.due = None, now + self.pause
        print(f"{reason}; starting it again", file=sys.stderr, flush=True)


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one.

    Raises: `Stopped` if the address is not available.
    """
    try:
        return socket.create_server((host, port), backlog=256)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Stopped(f"port {port} is taken; choose another, as in PORT={port + 1}") from error
        raise Stopped(f"{host}:{port} cannot be bound: {error.strerror}") from error
    except OverflowError as error:
        raise Stopped(f"{port} is no port; choose one from 1 to 65535") from error


def url_of(listener: socket.socket, name: str = "127.0.0.1") -> str:
    """Return the URL of a bound socket, with a `name` of this machine if bound to all addresses."""
    host, port = listener.getsockname()[:2]
    return f"http://{name if host == '0.0.0.0' else host}:{port}/"


def web(listener: socket.socket) -> Program:
    """Pages and the API, on a bound socket."""
    config = Path(__file__).with_name("gunicorn.py")
    fd = listener.fileno()
    return Program(
        "the web server",
        [sys.executable, "-m", "gunicorn", "-c", str(config), "--bind", f"fd://{fd}"],
        pass_fds=(fd,),
    )


def streams(listener: socket.socket) -> Program:
    """Live streams, on a bound socket."""
    fd = listener.fileno()
    options = (
        *("--fd", str(fd), "--log-level", "warning", "--no-access-log", "--no-server-header"),
        *("--no-proxy-headers", "--ws", "none", "--timeout-graceful-shutdown", "3"),
    )
    return Program(
        "the stream server",
        [sys.executable, "-m", "uvicorn", "deploy.asgi:application", *options],
        pass_fds=(fd,),
    )


def worker(schedule: Path) -> Program:
    """Tasks and their schedule, which is kept in the file `schedule`."""
    return Program(
        "the worker",
        [
            *(sys.executable, "-m", "celery", "--quiet", "-A", "deploy", "worker"),
            *("--pool", "solo", "--beat", "--schedule", str(schedule)),
            *("--loglevel", "WARNING", "--without-gossip", "--without-mingle"),
        ],
    )


def supervise(
    web: Program, others: list[Program], listener: socket.socket, on_ready: Callable[[], None]
) -> None:
    """Run the programs until asked to stop (TERM, INT, HUP).

    The web server starts first, as people wait for its first page: once it answers, the others
    start and `on_ready` is called. Raises: `Stopped` if a program will not run.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    running, ready = [web], False
    try:
        web.start()
        while not _asked_to_stop(within=1.0 if ready else 0.05):
            for program in running:
                program.require_alive()
            if not ready and _answers(listener):
                ready = True
                on_ready()
                for program in others:
                    program.start()
                running += others
    finally:
        _stop(running)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _asked_to_stop(within: float) -> bool:
    received = signal.sigtimedwait(WATCHED, within)
    return received is not None and received.si_signo in STOPPING


def _answers(listener: socket.socket) -> bool:
    """Tell whether the web server answers; it serves this file for any host name."""
    host, port = listener.getsockname()[:2]
    connection = http.client.HTTPConnection(host, port, timeout=2)
    with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
        connection.request("GET", "/favicon.ico", headers={"X-Forwarded-Proto": "https"})
        connection.getresponse()
        return True
    return False


def _stop(programs: list[Program]) -> None:
    """Ask all programs to end at once, then wait for each."""
    running = [program.process for program in programs if program.process]
    for process in running:
        process.terminate()
    for process in running:
        processes.stop(process)
