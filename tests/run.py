"""`make test`: lint, types, contracts, and every test on SQLite and on PostgreSQL.

This is a program of its own, rather than tox or nox and pytest's exit status, because it judges two
pytest runs together: both engines run side by side, the tests for both must be the same on each,
and a skipped test fails the whole.

Both engines run at once because many tests wait; PostgreSQL's output is shown once SQLite's run has
finished. Tests that use no database run once, with PostgreSQL's, which are fewer. The last line
sums up everything. Arguments are passed on to pytest.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from deploy import processes
from tests import chromium, services

CHECKS = [
    ["ruff", "check", "--quiet", "."],
    ["ruff", "format", "--check", "--quiet", "."],
    ["mypy", "."],
    ["lint-imports"],
    ["oxlint", "--deny-warnings"],
]

COLLECT = [sys.executable, "-m", "pytest", "-q", "--collect-only"]
"""Compiles every test module once, which each process would have to do otherwise."""


@dataclass
class Run:
    """The report of one pytest run. `engines` maps each test to the engine it is for."""

    engine: str
    status: int
    seconds: float
    outcomes: Counter[str] = field(default_factory=Counter)
    engines: dict[str, str] = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)  # recorded by tests through `record_property`

    def read(self, report: Path) -> None:
        for case in ET.parse(report).iter("testcase"):
            found = {part.tag for part in case}
            outcome = next((o for o in ("failure", "error", "skipped") if o in found), "passed")
            self.outcomes[outcome] += 1
            figures = case.iterfind("properties/property[@name='figure']")
            self.figures += [str(figure.get("value")) for figure in figures]
            engine = case.find("properties/property[@name='engine']")
            if engine is not None:
                name = f"{case.get('classname')}::{case.get('name')}"
                self.engines[name] = str(engine.get("value"))

    def names(self, engine: str) -> set[str]:
        return {name for name, value in self.engines.items() if value == engine}

    @property
    def failed(self) -> int:
        return self.outcomes["failure"] + self.outcomes["error"]

    @property
    def counts(self) -> str:
        skipped = self.outcomes["skipped"]
        return f"{self.outcomes['passed']} passed, {self.failed} failed, {skipped} skipped"


def main() -> int:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(128 + signal.SIGTERM))
    processes.end_with_parent(signal.SIGTERM)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes share one compilation
    began = time.monotonic()
    tempfile.tempdir = "/tmp"  # short, as the paths of sockets must be
    try:
        chromium.require()
        services.nginx_program()
        with _running(COLLECT, _environment(None), subprocess.DEVNULL) as collecting:
            broken = [" ".join(check) for check in CHECKS if not _check(check)]
            collecting.wait()
        with services.directory() as home:
            os.environ["TMPDIR"] = tempfile.tempdir = str(home)  # deleted with all that tests leave
            with _postgres() as url:
                runs = _pytest({"SQLite": None, "PostgreSQL": url}, home)
    except services.Missing as missing:
        print(f"\n{missing}\n0 passed, 1 failed: the tests cannot run here")
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return _summarize(broken, runs, time.monotonic() - began)


def _pytest(urls: dict[str, str | None], home: Path) -> list[Run]:
    """Run pytest on every engine at once; the first one's output is live."""
    begun = time.monotonic()
    with contextlib.ExitStack() as stack:
        running: dict[str, subprocess.Popen[bytes]] = {}
        for engine, url in urls.items():
            output = stack.enter_context((home / f"{engine}.txt").open("w")) if running else None
            running[engine] = stack.enter_context(
                _running(_command(home / f"{engine}.xml"), _environment(url), output)
            )
        runs: list[Run] = []
        for engine, process in running.items():
            print(f"--- tests on {engine}", flush=True)
            status = process.wait()
            if runs:
                print((home / f"{engine}.txt").read_text(), flush=True)
            runs.append(Run(engine, status, time.monotonic() - begun))
            if (report := home / f"{engine}.xml").exists():
                runs[-1].read(report)
    return runs


def _command(report: Path) -> list[str]:
    """Return the pytest command; small chunks spread the longest tests, which come first.

    Two processes on each of the two engines keep two cores busy, as many tests wait; a further one
    costs half a minute of CPU time to start, so there are more only where cores would be idle.
    """
    processes_each = max(2, len(os.sched_getaffinity(0)) // 2)
    spread = ["-n", str(processes_each), "--maxschedchunk=3"]
    return [sys.executable, "-m", "pytest", "-q", *spread, f"--junitxml={report}", *sys.argv[1:]]


def _environment(url: str | None) -> dict[str, str]:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "TESTS_WITHOUT_DATABASE": "here" if url else "elsewhere",
    }
    environment.pop("DATABASE_URL", None)
    return environment | ({"DATABASE_URL": url} if url else {})


def _check(check: list[str]) -> bool:
    print("---", *check, flush=True)
    program = Path(sys.executable).with_name(check[0])
    with _running([str(program), *check[1:]]) as process:
        return process.wait() == 0


@contextlib.contextmanager
def _running(
    command: list[str],
    environment: dict[str, str] | None = None,
    output: TextIO | int | None = None,
) -> "Iterator[subprocess.Popen[bytes]]":
    """Run a program until the block ends; on an exception interrupt it so that it can clean up."""
    process = processes.start(
        command, death_signal=signal.SIGTERM, env=environment, stdout=output, stderr=output
    )
    try:
        yield process
    except BaseException:
        process.send_signal(signal.SIGINT)  # pytest ends what its fixtures started
        with contextlib.suppress(Exception):
            process.wait(20)
        raise
    finally:
        processes.stop(process)


@contextlib.contextmanager
def _postgres() -> Iterator[str]:
    """Yield the URL in DATABASE_URL, else that of a server started for this run."""
    if given := os.environ.get("DATABASE_URL"):
        yield given
    else:
        with services.postgres() as url:
            yield url


def _by_folder(tests: set[str]) -> str:
    counted = Counter("/".join(re.split("[.:]", name)[:2]) for name in tests)
    folders = ", ".join(f"{folder} {count}" for folder, count in sorted(counted.items()))
    return f"{len(tests)} tests ({folders})"


def _summarize(broken: list[str], runs: list[Run], seconds: float) -> int:
    sqlite, postgresql = runs
    problems = [f"failed: {check}" for check in broken]
    print("\n--- summary")
    for run in runs:
        print(f"{run.engine}: {run.counts} in {run.seconds:.0f} s")
        if run.status != 0 and not run.failed:
            problems.append(f"pytest on {run.engine} ended with status {run.status}")
        if run.outcomes["skipped"]:
            problems.append(f"tests were skipped on {run.engine}")
    both = sqlite.names("both")
    print(f"on both engines: {len(both)} tests")
    unequal = sorted(both ^ postgresql.names("both"))
    problems += [f"ran on one engine only: {name}" for name in unequal]
    print(f"touch no database, run once: {_by_folder(postgresql.names('none'))}")
    print(f"on SQLite alone: {_by_folder(sqlite.names('sqlite'))}")
    print(f"on PostgreSQL alone: {_by_folder(postgresql.names('postgresql'))}")
    for figure in sqlite.figures + postgresql.figures:
        print(figure)
    for problem in problems:
        print(problem)
    total = [sum(run.outcomes[kind] for run in runs) for kind in ("passed", "skipped")]
    failed = sum(run.failed for run in runs) + len(problems)
    print(f"{total[0]} passed, {failed} failed, {total[1]} skipped in {seconds:.2f}s")
    return 1 if failed or total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
