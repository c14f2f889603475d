"""`make bench`: measure every part, each with its baselines in the same run.

Prints a table, line by line as it is measured. `--write` also puts it into docs/performance.md;
`--only desk` measures one part, `--only "core log"` several. Medians of five. Databases are
durable: SQLite with synchronous FULL, PostgreSQL with fsync and synchronous commits.
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

from deploy import stack
from tests.bench.figure import Figure

ROOT = Path(__file__).resolve().parent.parent.parent
REPORT = ROOT / "docs" / "performance.md"
HEADER = ("| what | median of 5 | baseline and goal |", "|---|---|---|")
MARKS = ("<!-- bench -->", "<!-- /bench -->")
PARTS = ("core", "swiss", "desk", "brackets", "log", "web", "catalogue", "results", "taps")
ON_BOTH = ("log", "web", "catalogue")  # also measured on PostgreSQL


def main() -> None:
    asked = _arguments()
    if asked.part:
        _child(asked.part)
        return
    lines, figures = [*HEADER], []
    print(*HEADER, sep="\n", flush=True)
    for figure in _measured(asked.only):
        print(figure.row(), flush=True)
        lines.append(figure.row())
        figures.append(figure)
    lines += ["", _kept(figures)]
    print(*lines[-2:], sep="\n")
    if asked.write:
        before, _, rest = REPORT.read_text().partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        REPORT.write_text("\n".join([f"{before}{MARKS[0]}", *lines, f"{MARKS[1]}{after}"]))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--write", action="store_true", help=f"into {REPORT.relative_to(ROOT)} too")
    parser.add_argument("--only", type=_parts, default=PARTS, help=f"of {' '.join(PARTS)}")
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)  # in this process
    return parser.parse_args()


def _parts(words: str) -> list[str]:
    parts = words.split()
    if unknown := [part for part in parts if part not in PARTS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]}: known are {', '.join(PARTS)}")
    return parts


def _measured(parts: Sequence[str]) -> Iterator[Figure]:
    from tests import services

    for part in parts:
        yield from _measure(part)
    again = [part for part in parts if part in ON_BOTH]
    with services.postgres(durable=True) if again else nullcontext() as url:
        for part in again:
            yield from _measure(part, DATABASE_URL=str(url))


def _measure(part: str, **environment: str) -> list[Figure]:
    """Measure one part in a separate process, on a database of its own."""
    with tempfile.TemporaryDirectory(prefix="zgxl-", dir="/tmp") as data:
        run = subprocess.run(
            [sys.executable, "-m", "tests.bench", "--part", part],
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "deploy.settings",
                "DATA": data,
                "API_RATE_USER": "1000000/min",
                **environment,
            },
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=True,
            text=True,
        )
    return [Figure(**figure) for figure in json.loads(run.stdout.splitlines()[-1])]


def _child(part: str) -> None:
    """Measure one part in this process as the owner of the tables; print its figures as JSON.

    Servers that it starts run as the web role.
    """
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    _give_rights()
    figures = importlib.import_module(f"tests.bench.{part}").figures
    print(json.dumps([vars(figure) for figure in stack.roomy(lambda: [*figures()])()]))


def _give_rights() -> None:
    from django.db import DEFAULT_DB_ALIAS, connection

    from matches import rights
    from tests import database

    if connection.vendor == "postgresql":
        database.make_web_role(connection.settings_dict)
        rights.grant(DEFAULT_DB_ALIAS, database.WEB_ROLE)


def _kept(figures: Sequence[Figure]) -> str:
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    goals = [figure for figure in figures if figure.has_goal]
    kept = sum(not figure.missed for figure in goals)
    return f"{kept} of {len(goals)} goals met. `make bench` at commit {commit}."


if __name__ == "__main__":
    main()
