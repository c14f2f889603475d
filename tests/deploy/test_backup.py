"""A backup restored into a new cluster under new roles equals the original."""

import contextlib
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DataError, connection

from deploy import backup
from matches import heads
from matches.models import Event, FeedHead, Match
from tests import factories, places, site
from tests.places import NEW_WEB, Place
from tests.services import Cluster


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with places.new_server() as server:
        yield server


@pytest.fixture
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    if connection.vendor == "sqlite":
        return places.new_file(tmp_path)
    return places.new_database(tmp_path, request.getfixturevalue("server"))


@pytest.fixture
def copy(transactional_db: None, place: Place) -> Path:
    """A copy of a database with some matches and heads outside."""
    by = factories.actor()
    for _ in range(3):
        factories.played(4, by=by)
    heads.write(whole=True)
    return places.copy_into(place.home / "copies", place)


@pytest.fixture(autouse=True)
def no_heads_left() -> Iterator[None]:
    yield
    for file in Path(settings.HEADS_DIR).glob("*"):
        file.unlink()


SPOILED = {
    "sqlite": "DROP TRIGGER event_no_update",
    "postgresql": f"GRANT DELETE ON matches_event TO {NEW_WEB}",
}


def test_a_copy_restored_elsewhere_is_what_it_was_and_goes_on(place: Place, copy: Path) -> None:
    """Until there is a right too many."""
    restored = place.run("restore", str(copy))
    assert restored.returncode == 0, restored.stderr
    drilled = place.drill(copy)
    assert drilled.returncode == 0, drilled.stderr
    assert "3 logs have the hashes" in drilled.stdout
    assert "compared with 3 heads kept outside" in drilled.stdout
    assert "an append goes on at 16" in drilled.stdout
    assert all(each.stat().st_mode & 0o077 == 0 for each in place.home.glob("new.sqlite3*"))
    again = place.run("restore", str(copy))
    assert "nothing is restored over it" in again.stderr
    served = site.started(*site.SERVERS["asgi"], **place.environ | {"OWNER_DATABASE_URL": ""})
    assert served.returncode == 0, served.stderr
    place.execute(SPOILED[connection.vendor])
    assert "the drill failed: triggers and rights" in place.drill(copy).stderr


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
    drilled = place.drill(copy)
    assert drilled.returncode != 0
    assert place.run("grant").returncode == 0
    assert place.drill(copy).returncode == 0


@pytest.mark.sqlite
def test_what_a_club_kept_in_sqlite_goes_on_in_postgresql(
    tmp_path: Path, server: Cluster, copy: Path
) -> None:
    place = places.new_database(tmp_path, server)
    restored = place.run("restore", str(copy))
    assert restored.returncode == 0, restored.stderr
    drilled = place.drill(copy)
    assert drilled.returncode == 0, drilled.stderr
    assert "3 logs have the hashes" in drilled.stdout
    assert "an append goes on at 16" in drilled.stdout  # with an account, whose id is the next


@pytest.mark.sqlite
def test_a_database_of_no_site_is_not_copied(tmp_path: Path) -> None:
    nowhere = {"DATABASE_URL": f"sqlite:///{tmp_path}/none.sqlite3"}
    told = site.started("manage.py", "backup", str(tmp_path / "copies"), **nowhere)
    assert told.returncode == 1
    assert told.stderr.startswith("CommandError: ") and "has no tables of a site" in told.stderr


@pytest.mark.django_db
@pytest.mark.sqlite
def test_what_is_of_postgresql_does_not_go_into_sqlite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_another = backup.Manifest(backup.FORM, "", "postgresql", "", "", 0, (), {})
    monkeypatch.setattr(backup, "read", lambda path: of_another)
    with pytest.raises(backup.Failed, match="there is no way back"):
        backup.restore(tmp_path / "copy")


@pytest.mark.sqlite  # PostgreSQL is asked nothing
def test_what_does_not_go_into_postgresql_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def long(copy: Path, using: str) -> None:
        raise DataError("value too long for type character varying(80)")

    monkeypatch.setattr(backup, "call_command", lambda *args, **options: None)
    monkeypatch.setattr(backup.to_postgresql, "bring", long)
    (tmp_path / "copy").touch()
    with pytest.raises(backup.Failed, match="whose tables stay empty: value too long"):
        backup._restore_crossing(tmp_path / "copy", "default")


@pytest.mark.sqlite  # the copy's own checksum tells, before any server is asked
def test_a_copy_that_was_changed_is_not_restored(place: Place, copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    data[len(data) // 2] ^= 1
    copy.write_bytes(data)
    for command in ("restore", "drill"):
        assert "is not the copy" in place.run(command, str(copy)).stderr


def test_a_manifest_of_another_form_is_not_read(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(b"a copy")
    ours = backup.Manifest(backup.FORM, "", "sqlite", "", backup._digest(copy), 0, (), {})
    backup.manifest_of(copy).write_bytes(msgspec.json.encode(ours))
    assert backup.read(copy) == ours
    other = msgspec.structs.replace(ours, form="zgxl-backup-2")
    backup.manifest_of(copy).write_bytes(msgspec.json.encode(other))
    with pytest.raises(backup.Failed, match="is not the copy"):
        backup.read(copy)


def test_a_damaged_file_of_sqlite_is_not_copied(tmp_path: Path) -> None:
    file = tmp_path / "damaged.sqlite3"
    with contextlib.closing(sqlite3.connect(file)) as made, made:
        made.execute("CREATE TABLE line (text)")
        made.executemany("INSERT INTO line VALUES (?)", [("x" * 500,)] * 100)
    data = bytearray(file.read_bytes())
    data[3 * 4096 : 3 * 4096 + 40] = bytes(40)  # the head of a page
    file.write_bytes(data)
    with pytest.raises(backup.Failed, match="does not hold"):
        backup._copy_sqlite(file, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


@pytest.mark.django_db
@pytest.mark.sqlite
def test_a_copy_is_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "_copy", lambda path: path.write_bytes(b"all there is"))
    copy = backup.backup(tmp_path / "copies")
    assert copy.stat().st_mode & 0o777 == 0o600
    assert copy.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.django_db
@pytest.mark.parametrize("changed", ["hash", "state_digest", "version"])
def test_a_log_that_is_not_as_it_was_fails_the_drill(changed: str) -> None:
    log = factories.played(1).log
    last = Event.objects.get(log=log, version=log.head_version, ordinal=0)
    facts = backup.LogFacts(str(log.pk), last.version, last.hash, last.state_digest)
    assert backup._digests_agree([facts]).startswith("1 logs")
    other: dict[str, Any] = {changed: 99 if changed == "version" else "0" * 64}
    with pytest.raises(backup.Failed, match="has not the entry"):
        backup._digests_agree([msgspec.structs.replace(facts, **other)])


@pytest.mark.django_db
def test_a_log_that_does_not_hold_or_is_gone_fails_the_drill(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = factories.played(1).log
    report = SimpleNamespace(ok=False, unverified=False, first_bad=2, detail="it is broken")
    monkeypatch.setattr(backup, "verify", lambda log: report)
    with pytest.raises(backup.Failed, match=f"log {log.pk}, entry 2: it is broken"):
        backup._logs_hold()
    monkeypatch.setattr(backup.heads, "gone", lambda: [SimpleNamespace(log="another")])
    with pytest.raises(backup.Failed, match="log another is gone"):
        backup._logs_hold()


@pytest.mark.django_db
def test_a_feed_that_tells_otherwise_fails_the_drill(monkeypatch: pytest.MonkeyPatch) -> None:
    factories.played(1)
    position = FeedHead.objects.get().position
    feed = backup._feed(position, [0, position]) | {"0": "0" * 64}
    manifest = backup.Manifest(backup.FORM, "", "", "", "", position, (), feed)
    monkeypatch.setattr(backup, "read", lambda path: manifest)
    monkeypatch.setattr(backup.guard, "check", list)  # the tests' role has rights too many
    with pytest.raises(backup.Failed, match="the feed after 0 is not what it was"):
        list(backup.drill(Path("copy")))


@pytest.mark.django_db
def test_a_drill_leaves_nothing_there() -> None:
    def there() -> list[int]:
        return [FeedHead.objects.get().position, Match.objects.count(), User.objects.count()]

    before = there()
    assert backup._appends() == f"an append goes on at {before[0] + 1}"
    assert there() == before


def test_only_the_newest_copies_are_kept(tmp_path: Path) -> None:
    copies = [tmp_path / f"zgxl-2026110{day}T041000Z.dump" for day in range(1, 5)]
    unfinished = tmp_path / "zgxl-20261105T041000Z.dump"
    for copy in copies:
        backup.manifest_of(copy).touch()
    for copy in (*copies, unfinished):
        copy.touch()
    assert backup.keep(tmp_path, 2) == copies[:2]
    left = {*copies[2:], *map(backup.manifest_of, copies[2:]), unfinished}
    assert set(tmp_path.iterdir()) == left


@pytest.mark.django_db(transaction=True)
@pytest.mark.sqlite
def test_what_sqlite_says_of_a_copy_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Path, target: Path) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(backup, "_copy_whole", full)
    with pytest.raises(CommandError, match="database or disk is full"):
        call_command("backup", str(tmp_path))
    assert not list(tmp_path.iterdir())


@pytest.mark.django_db
@pytest.mark.sqlite
def test_a_copy_that_fails_is_not_left_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path) -> None:
        path.write_bytes(b"half")
        raise OSError("No space left on device")

    monkeypatch.setattr(backup, "_copy", full)
    with pytest.raises(OSError, match="No space"):
        backup.backup(tmp_path)
    assert not list(tmp_path.iterdir())
