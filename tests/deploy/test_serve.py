"""`manage.py serve`: one command runs the site, and nothing outlives it."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from deploy import storage, supervisor
from deploy.management.commands import serve as command
from tests.waiting import PATIENCE, eventually

ROOT = Path(__file__).resolve().parents[2]
MANAGE = str(ROOT / "manage.py")
SERVE = [sys.executable, MANAGE, "serve"]


class Site:
    """A started `serve`; a mark in the environment finds all of its processes."""

    def __init__(self, command: list[str], data: Path, **environ: str) -> None:
        self.mark = f"ZGXL_TEST_MARK={uuid.uuid4()}"
        self.log, self.data = data / "log", data / "own"
        name, value = self.mark.split("=")
        inherited = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "BROKER_URL")}
        settings = {"DJANGO_SETTINGS_MODULE": "deploy.settings", "PORT": "0"}
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                command,
                cwd=data,  # not where the code is
                env={**inherited, **settings, "DATA": str(self.data), name: value, **environ},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def wait(self, seconds: float = PATIENCE) -> int:
        return self.process.wait(seconds)

    def url(self) -> str:
        """Wait for the printed URL and return it."""
        found = eventually(
            lambda: re.search(r"http://\S+", self.log.read_text()) or self.process.poll(),
            self.log.read_text,
        )
        assert self.process.poll() is None, self.log.read_text()
        return str(found[0])

    def processes(self) -> dict[int, str]:
        """Return the command lines of all its processes by pid."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    found[int(folder.name)] = command
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
        return {pid: command for pid, command in found.items() if command}  # not the dead

    def pid(self, part: str) -> int:
        """Return the first of its processes whose command line contains `part`."""
        return min(eventually(lambda: self._pids(part), f"no process runs {part}"))

    def _pids(self, part: str) -> list[int]:
        return [pid for pid, command in self.processes().items() if part in command]


def status(url: str) -> int:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return int(answer.status)


def answers(url: str) -> bool:
    """Tell whether anything listens there, and is well."""
    try:
        return status(url) == 200
    except urllib.error.URLError:
        return False


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tests of this module share a data directory: the first start makes and fills it."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def serve(data: Path) -> Iterator[Callable[..., Site]]:
    sites: list[Site] = []

    def start(command: list[str] = SERVE, **environ: str) -> Site:
        sites.append(Site(command, data, **environ))
        return sites[-1]

    yield start
    for site in sites:
        for pid in site.processes():
            os.kill(pid, signal.SIGKILL)
        site.process.wait()


def kept(site: Site) -> set[int]:
    """Return the modes of the database's files."""
    return {each.stat().st_mode & 0o777 for each in site.data.glob("zgxl.sqlite3*")}


def test_what_it_keeps_is_its_owner_s_alone_in_a_folder_as_open_as_it_was(serve):
    site = serve()
    assert status(site.url()) == 200
    assert len([*site.data.glob("zgxl.sqlite3*")]) > 1  # with its log
    assert kept(site) == {0o600}
    assert site.data.stat().st_mode & 0o777 == 0o700
    ended(site, signal.SIGINT, 0)

    site.data.chmod(0o755)
    (site.data / "zgxl.sqlite3").chmod(0o644)
    site = serve()
    assert status(site.url()) == 200
    assert site.data.stat().st_mode & 0o777 == 0o755
    assert kept(site) == {0o600}
    site.data.chmod(0o700)
    ended(site, signal.SIGKILL, -9)


def ended(site: Site, number: int, wanted: int) -> None:
    """Send a signal to a site that runs, and see that nothing is left of it."""
    eventually(
        lambda: len(site.processes()) == 5, site.log.read_text
    )  # itself, two each of web and worker

    site.process.send_signal(number)

    assert site.wait() == wanted
    eventually(lambda: not site.processes(), site.log.read_text)


def test_a_stop_during_the_start_leaves_nothing(serve):
    site = serve()
    eventually(
        lambda: any("gunicorn" in line for line in site.processes().values()), site.log.read_text
    )

    site.process.send_signal(signal.SIGHUP)

    assert site.wait() == 0
    assert not site.processes()


def test_a_tied_site_ends_with_its_killed_starter(serve):
    starter = ["sh", "-c", f"{sys.executable} {MANAGE} serve --tied & wait"]
    site = serve(starter)
    site.url()

    site.process.kill()

    eventually(lambda: not site.processes(), site.log.read_text)


def test_a_site_for_its_network_tells_the_address_that_it_answers_to(serve):
    site = serve(HOST="0.0.0.0", ALLOWED_HOSTS="127.0.0.2")
    assert site.url().startswith("http://127.0.0.2:")
    assert status(site.url()) == 200


def test_a_taken_port_is_told_and_nothing_starts(serve):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        site = serve(PORT=str(port))

        assert site.wait() == 1
        assert f"port {port} is taken" in site.log.read_text()
        assert not site.processes()


@pytest.mark.parametrize("port", ["eighty", "65536"])
def test_a_port_that_is_none_is_told(serve, port):
    site = serve(PORT=port)

    assert site.wait() == 1
    assert port in site.log.read_text()


@pytest.mark.parametrize("command", ["serve", "demo"])
def test_a_database_that_does_not_answer_is_told_in_a_line(serve, command):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and never listens
        port = nobody.getsockname()[1]
        url = f"postgres://zgxl:secret@127.0.0.1:{port}/zgxl"
        site = serve([sys.executable, MANAGE, command], DATABASE_URL=url)

        assert site.wait() == 1
    (line,) = site.log.read_text().splitlines()
    assert f"PostgreSQL at 127.0.0.1:{port} gives no connection" in line
    assert "DATABASE_URL" in line
    assert "secret" not in line


@pytest.mark.parametrize("name", ["zgxl.sqlite3", "static"])
def test_a_folder_in_which_nothing_can_be_kept_is_told_in_a_line(serve, tmp_path, name):
    if name == "static":
        (tmp_path / name).write_text("a file where a folder should be")
    else:
        (tmp_path / name).mkdir()
    site = serve(DATA=str(tmp_path))
    assert site.wait() == 1
    told = site.log.read_text()
    assert "Traceback" not in told
    assert told.startswith("CommandError: ")


@pytest.mark.parametrize(("gone", "times"), [("", 0), ("shell.js", 1)])
def test_static_files_are_collected_again_when_one_is_gone(
    monkeypatch, settings, tmp_path, gone, times
):
    settings.STATIC_ROOT = tmp_path
    (tmp_path / ".sources").write_text(command._static_sources())
    collects = mock.Mock()
    monkeypatch.setattr(command, "call_command", collects)
    monkeypatch.setattr(storage, "missing", lambda: gone)

    command._collect_static()

    assert collects.call_count == times


def test_a_web_server_that_will_not_start_stops_the_site_with_the_reason(serve):
    site = serve(WEB_THREADS="many")

    assert site.wait() == 1
    assert "the web server ended with status 1 right after its start" in site.log.read_text()
    assert not site.processes()


def test_a_killed_program_is_started_again_and_nothing_is_left_at_the_end(serve):
    site = serve()
    url = site.url()
    eventually(lambda: len(site.processes()) == 5, site.log.read_text)
    time.sleep(5)  # one that ends sooner than this after its start is given up
    first = set(site.processes()) - {site.process.pid}
    programs = ("gunicorn", "celery")

    for part in programs:
        os.kill(site.pid(part), signal.SIGKILL)

    eventually(lambda: first.isdisjoint(site.processes()), site.log.read_text)
    for part in programs:
        site.pid(part)
    eventually(lambda: answers(url), site.log.read_text)
    assert site.log.read_text().count("starting it again") == 2
    ended(site, signal.SIGTERM, 0)


def test_a_program_that_ran_well_is_tried_again_and_again_one_that_never_did_is_not(monkeypatch):
    """A worker that is killed twice in a row does not take the web server with it."""
    monkeypatch.setattr(supervisor, "SETTLED", 0.5)
    program = supervisor.Program("it", ["sleep", "0.6"], pause=0.01)
    monkeypatch.setattr(supervisor, "PAUSE", 0.01)
    monkeypatch.setattr(supervisor, "LONGEST", 0.03)
    program.start()
    eventually(lambda: program.require_alive() or program.due, lambda: "it did not end")
    monkeypatch.setattr(supervisor, "SETTLED", PATIENCE)  # however long it takes to fail
    program.command = ["false"]
    pauses = []
    while len(pauses) < 3:
        program.require_alive()
        if program.pause not in pauses:
            pauses.append(program.pause)
    assert pauses == [0.01, 0.02, 0.03]
    never = supervisor.Program("it", ["false"])
    never.start()
    with pytest.raises(supervisor.Stopped, match="right after its start"):
        eventually(never.require_alive, lambda: "it did not end")
