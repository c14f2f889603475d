"""New, empty databases to restore a backup into, with the environment to run the site on them."""

import contextlib
import sqlite3
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
from django.db import connection

from matches import triggers
from tests import services, site

NEW_OWNER, NEW_WEB = "keeper", "server"
UNPROTECT = {
    "sqlite": "DROP TRIGGER event_no_delete",
    "postgresql": "ALTER TABLE matches_event DISABLE TRIGGER USER",
}


@dataclass
class Place:
    """A database to restore into, and the environment that points the site's programs at it."""

    environ: dict[str, str]
    home: Path

    def run(self, *command: str, **environ: str) -> "subprocess.CompletedProcess[str]":
        return site.started("manage.py", *command, **{**self.environ, **environ})

    def drill(self, copy: Path) -> "subprocess.CompletedProcess[str]":
        """Run `manage.py drill` as the web role, as which the site would go on to run."""
        return self.run("drill", str(copy), OWNER_DATABASE_URL="")

    def execute(self, statement: str) -> None:
        """Execute a statement on the restored database as its owner."""
        if url := self.environ.get("OWNER_DATABASE_URL"):
            with psycopg.connect(url, autocommit=True) as owner:
                owner.execute(statement)
        else:
            path = self.environ["DATABASE_URL"].removeprefix("sqlite:///")
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as file:
                file.execute(statement)

    def lose(self, log: object, version: int) -> None:
        """Delete an entry of a log past the triggers, and put the triggers back."""
        name = str(log).replace("-", "") if connection.vendor == "sqlite" else str(log)
        self.execute(UNPROTECT[connection.vendor])
        self.execute(f"DELETE FROM matches_event WHERE log_id = '{name}' AND version = {version}")
        with site.on_database(self.environ.get("OWNER_DATABASE_URL", self.environ["DATABASE_URL"])):
            triggers.put_back()


@contextlib.contextmanager
def new_place(home: Path) -> Iterator[Place]:
    """Create a new, empty database: a new file, or a database in a cluster of its own."""
    if connection.vendor == "sqlite":
        yield new_file(home)
        return
    with new_server() as server:
        yield new_database(home, server)


def new_file(home: Path) -> Place:
    return Place({"DATABASE_URL": f"sqlite:///{home / 'new.sqlite3'}"}, home)


@contextlib.contextmanager
def new_server() -> Iterator[services.Cluster]:
    """Run a cluster whose only extra roles are the new owner and the new web role."""
    with services.cluster() as cluster:
        with psycopg.connect(cluster.url, autocommit=True) as server:
            for role in (NEW_OWNER, NEW_WEB):
                server.execute(f"CREATE ROLE {role} LOGIN")
        yield cluster


def new_database(home: Path, cluster: services.Cluster) -> Place:
    """Create a new, empty database in a cluster, replacing the previous one."""
    with psycopg.connect(cluster.url, autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS fresh WITH (FORCE)")
        server.execute(f"CREATE DATABASE fresh OWNER {NEW_OWNER}")
    url = "postgres://{}@/fresh?host=" + str(cluster.home)
    environ = {
        "PG_BIN": str(cluster.binaries),
        "OWNER_DATABASE_URL": url.format(NEW_OWNER),
        "DATABASE_URL": url.format(NEW_WEB),
    }
    return Place(environ, home)


def copy_into(folder: Path, place: Place) -> Path:
    """Back up this process's database with `manage.py backup`; on PostgreSQL as its owner."""
    told = site.started("manage.py", "backup", str(folder), **_copying(place))
    assert told.returncode == 0, told.stderr
    return Path(told.stdout.strip())


def _copying(place: Place) -> dict[str, str]:
    if connection.vendor == "sqlite":
        return {}
    return {"PG_BIN": place.environ["PG_BIN"], "OWNER_DATABASE_URL": site.owner_url()}
