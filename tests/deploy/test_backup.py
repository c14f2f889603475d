"""A copy is restored into a new cluster under new roles, and is what it was."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from matches import heads
from matches.models import Match
from tests import factories, services, site

NEW_OWNER, NEW_WEB = "keeper", "server"


@dataclass
class Place:
    """Where to restore to, and how the site's programs are told."""

    environ: dict[str, str]
    home: Path

    def run(self, *command: str, **environ: str) -> "subprocess.CompletedProcess[str]":
        return site.started("manage.py", *command, **{**self.environ, **environ})

    def execute(self, statement: str) -> None:
        """Do something to the restored database, as who owns it."""
        if url := self.environ.get("OWNER_DATABASE_URL"):
            with psycopg.connect(url, autocommit=True) as owner:
                owner.execute(statement)  # type: ignore[call-overload]
        else:
            import sqlite3

            with sqlite3.connect(self.environ["DATABASE_URL"].removeprefix("sqlite:///")) as file:
                file.execute(statement)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A new, empty database: a new file, or a new cluster in which nobody is known by name."""
    if connection.vendor == "sqlite":
        yield Place({"DATABASE_URL": f"sqlite:///{tmp_path / 'new.sqlite3'}"}, tmp_path)
        return
    with services.cluster() as cluster:
        with psycopg.connect(cluster.url, autocommit=True) as server:
            for role in (NEW_OWNER, NEW_WEB):
                server.execute(f"CREATE ROLE {role} LOGIN")
            server.execute(f"CREATE DATABASE fresh OWNER {NEW_OWNER}")
        url = "postgres://{}@/fresh?host=" + str(cluster.home)
        binaries = {"PG_BIN": str(cluster.binaries)}
        urls = {
            "OWNER_DATABASE_URL": url.format(NEW_OWNER),
            "DATABASE_URL": url.format(NEW_WEB),
        }
        yield Place({**binaries, **urls}, tmp_path)


@pytest.fixture
def copy(transactional_db: None, place: Place) -> Path:
    """A copy of a database with some matches and heads outside."""
    by = factories.actor()
    for _ in range(3):
        factories.played(4, by=by)
    heads.write(whole=True)
    told = site.started("manage.py", "backup", str(place.home / "copies"), **copying(place))
    assert told.returncode == 0, told.stderr
    return Path(told.stdout.strip())


@pytest.fixture(autouse=True)
def no_heads_left() -> Iterator[None]:
    yield
    for file in Path(settings.HEADS_DIR).glob("*"):
        file.unlink()


def copying(place: Place) -> dict[str, str]:
    """Return how the copy is made: on PostgreSQL by the owner, who may read all."""
    if connection.vendor == "sqlite":
        return {}
    return {"PG_BIN": place.environ["PG_BIN"], "OWNER_DATABASE_URL": site.owner_url()}


def test_a_copy_restored_elsewhere_is_what_it_was_and_goes_on(place: Place, copy: Path) -> None:
    restored = place.run("restore", str(copy))
    assert restored.returncode == 0, restored.stderr
    drilled = place.run("drill", str(copy), OWNER_DATABASE_URL="")
    assert drilled.returncode == 0, drilled.stderr
    assert "3 logs have the hashes" in drilled.stdout
    assert "compared with 3 heads kept outside" in drilled.stdout
    assert "an append goes on at 16" in drilled.stdout
    again = place.run("restore", str(copy))
    assert "nothing is restored over it" in again.stderr
    served = place.run("check", OWNER_DATABASE_URL="")
    assert served.returncode == 0
    assert site.started(*site.SERVERS["asgi"], **place.environ).returncode == 0


@pytest.mark.postgresql
def test_a_restore_without_rights_fails_the_drill(place: Place, copy: Path) -> None:
    bare = subprocess.run(
        [
            *(f"{place.environ['PG_BIN']}/pg_restore", "--no-owner", "--no-privileges"),
            *("--dbname", place.environ["OWNER_DATABASE_URL"], str(copy)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert bare.returncode == 0, bare.stderr
    drilled = place.run("drill", str(copy), OWNER_DATABASE_URL="")
    assert drilled.returncode != 0
    assert place.run("grant").returncode == 0
    assert place.run("drill", str(copy), OWNER_DATABASE_URL="").returncode == 0


SPOILED = {
    "sqlite": "DROP TRIGGER event_no_update",
    "postgresql": f"GRANT DELETE ON matches_event TO {NEW_WEB}",
}


def test_a_right_too_many_fails_the_drill(place: Place, copy: Path) -> None:
    assert place.run("restore", str(copy)).returncode == 0
    place.execute(SPOILED[connection.vendor])
    drilled = place.run("drill", str(copy), OWNER_DATABASE_URL="")
    assert "the drill failed: triggers and rights" in drilled.stderr


def test_a_log_that_lost_its_tail_fails_the_drill(place: Place, copy: Path) -> None:
    assert place.run("restore", str(copy)).returncode == 0
    match = Match.objects.first()
    assert match is not None
    log = match.log_id.hex if connection.vendor == "sqlite" else str(match.log_id)
    drop = {
        "sqlite": ["DROP TRIGGER event_no_delete"],
        "postgresql": ["ALTER TABLE matches_event DISABLE TRIGGER USER"],
    }[connection.vendor]
    for statement in (*drop, f"DELETE FROM matches_event WHERE log_id = '{log}' AND version = 5"):
        place.execute(statement)
    assert place.run("migrate").returncode == 0  # puts the triggers back
    drilled = place.run("drill", str(copy), OWNER_DATABASE_URL="")
    assert "has not the entry 5 it had" in drilled.stderr


def test_a_copy_that_was_changed_is_not_restored(place: Place, copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 1
    copy.write_bytes(data)
    for command in ("restore", "drill"):
        assert "is not the copy" in place.run(command, str(copy)).stderr
