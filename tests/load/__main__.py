"""`make load`: load the whole server, and write the results into docs/performance.md.

    python -m tests.load [PART …] [--tables N …] [--spectators N] [--seconds S] [--readers N]

Parts are `tables page readers growth`; without a name all of them run, or if a size is given only
`tables`. Prints the results; `--write` puts them into docs/performance.md, plots into docs/load/.
Exits with 1 if any response was an error, or an acknowledged act is lost.
"""

import argparse
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import uvloop

from tests import services
from tests.load import growth, parts
from tests.load.parts import Report, Size
from tests.machine import Failed, Server, require, say, server
from tests.rehearse import journey

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "performance.md"
PLOTS = ROOT / "docs" / "load"
SPARE = 2000  # open files besides those for spectators
PARTS = ("tables", "page", "readers", "growth")

Work = Callable[[Server, str], Coroutine[Any, Any, Report]]


def works(given: argparse.Namespace) -> dict[str, tuple[str, Work]]:
    """Return the parts to run: a heading and the work, by name."""
    found: dict[str, tuple[str, Work]] = {}
    folder = PLOTS if given.write else None
    for name in given.parts:
        match name:
            case "tables":
                for count in given.tables:
                    size = Size(count, given.spectators, given.seconds)
                    heading = f"{count} tables and {size.spectators:,} spectators"
                    found[f"tables-{count}"] = heading, partial(parts.tables, size=size)
            case "page":
                size = Size(min(given.tables), 0, given.seconds)
                heading = f"The page of a long match beside {size.tables} tables"
                found[name] = heading, partial(parts.page, size=size)
            case "readers":
                heading = "Readers of one stream process"
                found[name] = heading, partial(parts.readers, count=given.readers)
            case "growth":
                found[name] = "How cost grows", partial(growth.growth, folder=folder)
    return found


def need_files(given: argparse.Namespace) -> None:
    """Raise the limit of open files as far as possible. Raises: Failed if it is still too low."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = max(given.readers if "readers" in given.parts else 0, 2 * given.spectators)
    wanted = most + SPARE
    if soft < wanted:
        require(hard >= wanted, f"{wanted} open files are needed, {hard} are allowed: ulimit -n")
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def run(given: argparse.Namespace) -> list[str]:
    """Run each part on a server of its own; return what went wrong. Raises: Failed."""
    need_files(given)
    wrong = []
    for name, (heading, work) in works(given).items():
        busy = os.getloadavg()[0]
        say(f"{heading}: bringing the server up")
        with server(durable=True) as site:
            key = journey(site)
            if name == "growth":
                growth.setup(site)
            report = uvloop.run(work(site, key))
            if report.wrong:
                print((site.home / "nginx.log").read_text()[-2000:])  # deleted with the server
        section = "\n".join([f"### {heading}", "", _run(busy), "", *report.lines])
        print(f"\n{section}\n", flush=True)
        if given.write:
            write(name, section)
        wrong += [f"{name}: {each}" for each in report.wrong]
    return wrong


def _run(busy: float) -> str:
    """Return a line about the machine and the commit that are measured."""
    said = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(said, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    command = " ".join(["`.venv/bin/python -m tests.load", *sys.argv[1:]]) + "`"
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, commit {commit}, {os.cpu_count()} cores that also carry "
        f"the load; load average {busy:.1f} before the start. {command}"
    )


def write(name: str, section: str) -> None:
    """Write a section between its marks, or after all other sections of the load."""
    begin, end = f"<!-- load:{name} -->", f"<!-- /load:{name} -->"
    text = PAGE.read_text()
    before, found, rest = text.partition(begin)
    require(found, f"{PAGE.name} has no {begin}")
    after = rest.partition(end)[2]
    PAGE.write_text(f"{before}{begin}\n{section}\n{end}{after}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.load", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(PARTS))
    parser.add_argument("--tables", type=int, nargs="+", help="tables that record (50 500)")
    parser.add_argument("--spectators", type=int, help="who follow them (2000)")
    parser.add_argument("--seconds", type=float, help="of load (60)")
    parser.add_argument("--readers", type=int, default=5000, help="of one stream process")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    given = parser.parse_args()
    sized = any(each is not None for each in (given.tables, given.spectators, given.seconds))
    given.parts = given.parts or (["tables"] if sized else list(PARTS))
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}: {', '.join(PARTS)}")
    given.tables = given.tables or [50, 500]
    given.spectators = 2000 if given.spectators is None else given.spectators
    given.seconds = 60.0 if given.seconds is None else given.seconds
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        wrong = run(given)
    except services.Missing as missing:
        print(f"The load lacks something; type:\n  {missing}")
        return 1
    except Failed as failed:
        print(f"FAILED: {failed}")
        return 1
    print("\n".join(f"WRONG: {each}" for each in wrong) or "Nothing lost, no errors.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
