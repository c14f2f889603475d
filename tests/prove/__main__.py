"""`make prove`: every experiment at full size on durable databases, reported in docs/proof.md.

    python -m tests.prove [NAME …] [--short] [--engine sqlite|postgresql]

Each runs in a process of its own on a new database, on both engines at once.
"""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import django
import msgspec
from django.core.management import call_command
from django.db import connection

from deploy import stack
from deploy.proof import Row
from tests import services
from tests.prove import report
from tests.prove.experiment import BOTH, Experiment, plain, registry

NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
DURABLE: dict[str, dict[str, Any]] = {
    "sqlite": {"PRAGMA journal_mode": "wal", "PRAGMA synchronous": 2},
    "postgresql": {"SHOW fsync": "on", "SHOW synchronous_commit": "on"},
}


def main() -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    if sys.argv[1:2] == ["--child"]:
        return child(*sys.argv[2:])
    if sys.argv[1:2] == ["--answers"]:
        from tests.prove import answers

        answers.main(*sys.argv[2:])
        return 0
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(128 + signal.SIGTERM))
    asked = arguments()
    chosen = [each for each in registry().values() if not asked.names or each.name in asked.names]
    size = "short" if asked.short else "full"
    stamp = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "commit": report.commit(), "size": size}
    tempfile.tempdir = "/tmp"  # short, as the paths of sockets must be
    broken = 0
    with services.directory() as home, databases(home) as database:
        os.environ["TMPDIR"] = tempfile.tempdir = str(home)
        for each in chosen:
            engines = [engine for engine in each.engines if asked.engine in (None, engine)]
            urls = [database.url(engine, each.name) for engine in engines]
            with ThreadPoolExecutor(len(BOTH)) as pool:
                rows = list(pool.map(partial(prove, each, stamp), engines, urls))
            broken += sum(bool(row.broken) for row in rows)
            report.write({each.name: rows})
    return 1 if broken else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.prove", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", type=known)
    parser.add_argument("--short", action="store_true", help="with the figures of `make test`")
    parser.add_argument("--engine", choices=BOTH, help="on this engine alone")
    return parser.parse_args()


def known(name: str) -> str:
    if name not in registry():
        raise argparse.ArgumentTypeError(f"{name}: known are {', '.join(registry())}")
    return name


class Databases:
    """New, durable databases: SQLite files, and databases of one PostgreSQL server."""

    def __init__(self, home: Path, stack: contextlib.ExitStack) -> None:
        self.home, self.stack, self.server = home, stack, ""

    def url(self, engine: str, name: str) -> str:
        if engine == "sqlite":
            return f"sqlite:///{self.home / name}.sqlite3"
        import psycopg

        self.server = self.server or self.stack.enter_context(services.postgres(durable=True))
        base, _, host = self.server.partition("/zgxl?host=")
        database = f"prove_{name}".replace("-", "_")
        with psycopg.connect(
            host=host, user="postgres", dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(f'CREATE DATABASE "{database}"')
        return f"{base}/{database}?host={host}"


@contextlib.contextmanager
def databases(home: Path) -> Iterator[Databases]:
    with contextlib.ExitStack() as stack:
        yield Databases(home, stack)


def prove(experiment: Experiment, stamp: dict[str, str], engine: str, url: str) -> Row:
    """Run one experiment on one engine and return its row of the report."""
    began = time.monotonic()
    run = subprocess.run(
        [sys.executable, "-m", "tests.prove", "--child", experiment.name, stamp["size"]],
        env={**os.environ, "DATABASE_URL": url},
        cwd=report.ROOT,
        capture_output=True,
        text=True,
    )
    told: dict[str, Any]
    if run.returncode == 0:
        told = msgspec.json.decode(run.stdout.splitlines()[-1])
    else:
        print(run.stderr, file=sys.stderr)
        told = {"broken": plain(run.stderr.strip().splitlines()[-1])[:500]}
    row = Row(engine=experiment.label or NAMES[engine], **stamp, **told)
    took = f"{time.monotonic() - began:.0f} s"
    print(f"{experiment.name}, {row.engine}: {row.result} ({took})", flush=True)
    return row


def child(name: str, size: str) -> int:
    """Run one experiment in this process and print its findings as JSON."""
    from tests import database

    call_command("migrate", verbosity=0)
    if connection.vendor == "postgresql":
        database.serve_as_web_role()
    if size == "full":
        require_durable()
    print(msgspec.json.encode(registry()[name].at(size)).decode())
    return 0


def require_durable() -> None:
    """Refuse to run on a database that may lose commits."""
    with connection.cursor() as cursor:
        for setting, wanted in DURABLE[connection.vendor].items():
            cursor.execute(setting)
            if (value := cursor.fetchone()[0]) != wanted:
                raise RuntimeError(f"{setting} says {value!r}: not durable")


if __name__ == "__main__":
    sys.exit(stack.roomy(main)())
