"""Backups of the whole database that can be verified when restored.

Beside each copy is a manifest: the head of every log, with its hash and state, and what the feed
returned after some cursors. `drill` compares a restored database with it.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection, connections, transaction
from django.db.models import OuterRef, Subquery, Value
from django.db.models.functions import Coalesce

from deploy import to_postgresql
from matches import actors, append_only, guard, heads, rows, services
from matches.models import Event, FeedHead, Log
from matches.services import SeatRequest
from matches.verify import verify

FORM = "zgxl-backup-1"
CURSORS = 10


class Failed(Exception):
    """A backup could not be made, restored or verified; the message says why."""


class LogFacts(msgspec.Struct, frozen=True):
    """The head of a log."""

    log: str
    version: int
    hash: str
    state_digest: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup must hold at least: it is read just before the copy is made.

    `feed`: by cursor, the digest of what followed it up to `position`.
    """

    form: str
    time: str
    engine: str
    file: str
    digest: str
    position: int
    logs: tuple[LogFacts, ...]
    feed: dict[str, str]


# -- facts ----------------------------------------------------------------------------------


def _logs() -> Iterator[LogFacts]:
    head = Event.objects.filter(log=OuterRef("pk"), ordinal=0, version=OuterRef("head_version"))
    digest = Coalesce(Subquery(head.values("state_digest")), Value(""))
    logs = Log.objects.filter(head_version__gt=0).order_by("pk")
    for pk, *facts in logs.values_list("pk", "head_version", "head_hash", digest).iterator():
        yield LogFacts(str(pk), *facts)


def _cursors(position: int) -> list[int]:
    return sorted({position * part // CURSORS for part in range(CURSORS + 1)})


def _feed(position: int, cursors: Sequence[int]) -> dict[str, str]:
    """Return by cursor the digest of the feed after it, up to a position."""
    digests = [(cursor, hashlib.sha256()) for cursor in cursors]
    acts = Event.objects.filter(ordinal=0, position__gt=min(cursors), position__lte=position)
    places = acts.order_by("position").values_list("position", "log", "version", "hash")
    for place in places.iterator():
        line = " ".join(map(str, place)).encode() + b"\n"
        for cursor, digest in digests:
            if cursor < place[0]:
                digest.update(line)
    return {str(cursor): digest.hexdigest() for cursor, digest in digests}


# -- there ----------------------------------------------------------------------------------


def backup(folder: Path) -> Path:
    """Copy the database into a folder, with its manifest; return the copy.

    Made while the site runs; one that fails is deleted. Raises: Failed, OSError.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    now = datetime.now(UTC)
    position = FeedHead.objects.get().position
    logs, feed = tuple(_logs()), _feed(position, _cursors(position))
    path = folder / f"zgxl-{now:%Y%m%dT%H%M%SZ}.{_ending()}"
    path.touch(mode=0o600, exist_ok=False)
    try:
        _copy(path)
        manifest = Manifest(
            *(FORM, rows.time_text(now), connection.vendor, path.name, _digest(path)),
            *(position, logs, feed),
        )
        manifest_of(path).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    except BaseException:
        _remove(path)
        raise
    return path


def _ending() -> str:
    return "sqlite3" if connection.vendor == "sqlite" else "dump"


def _copy(path: Path) -> None:
    if connection.vendor == "sqlite":
        _copy_sqlite(Path(connection.settings_dict["NAME"]), path)
    else:
        _run("pg_dump", append_only.owner_alias(), "--format=custom", f"--file={path}")


def keep(folder: Path, newest: int) -> list[Path]:
    """Delete all backups of a folder except the newest; return those deleted.

    A file without a manifest is not ours, or still being made, and is left alone.
    """
    manifests = sorted(folder.glob("zgxl-*.json"))
    old = [path.with_name(path.stem) for path in manifests[:-newest]]
    for path in old:
        _remove(path)
    return old


def _remove(path: Path) -> None:
    manifest_of(path).unlink(missing_ok=True)
    path.unlink(missing_ok=True)


def manifest_of(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def read(path: Path) -> Manifest:
    """Return the manifest of a backup. Raises: Failed if the file is not the one it describes."""
    try:
        manifest = msgspec.json.decode(manifest_of(path).read_bytes(), type=Manifest)
    except (OSError, msgspec.MsgspecError) as error:
        raise Failed(f"{manifest_of(path)} cannot be read: {error}") from error
    if manifest.form != FORM or _digest(path) != manifest.digest:
        raise Failed(f"{path} is not the copy that {manifest_of(path).name} tells of")
    return manifest


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database to a file, atomically. Raises: Failed."""
    try:
        verdict = _copy_whole(source, target)
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        target.unlink(missing_ok=True)
        raise Failed(f"the copy of {source} does not hold: {verdict}")


def _copy_whole(source: Path, target: Path) -> str:
    """Copy a database, and return SQLite's integrity check of the copy."""
    with closing(sqlite3.connect(source)) as ours, closing(sqlite3.connect(target)) as copy:
        ours.backup(copy)
        return str(copy.execute("PRAGMA integrity_check").fetchone()[0])


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# -- and back -------------------------------------------------------------------------------


def restore(path: Path) -> None:
    """Restore a backup into the empty database of the settings, migrate it and grant rights.

    A backup of SQLite can be restored into PostgreSQL too. Raises: Failed.
    """
    manifest = read(path)
    if (manifest.engine, connection.vendor) == ("postgresql", "sqlite"):
        raise Failed(
            f"{path} is of PostgreSQL, and DATABASE_URL names SQLite: there is no way back"
        )
    owner = append_only.owner_alias()
    if connections[owner].introspection.table_names():
        raise Failed("there is a database already; nothing is restored over it")
    if connection.vendor == "sqlite":
        name = Path(connection.settings_dict["NAME"])
        connection.close()
        for stale in (name, name.with_name(name.name + "-wal"), name.with_name(name.name + "-shm")):
            stale.unlink(missing_ok=True)
        name.touch(mode=0o600)
        _copy_sqlite(path, name)
    elif manifest.engine == "sqlite":
        _restore_crossing(path, owner)
    else:
        connections.close_all()
        _run(
            *("pg_restore", owner, "--no-owner", "--no-privileges", "--exit-on-error"),
            *("--single-transaction", str(path)),
        )
    call_command("migrate", interactive=False, verbosity=0)


def _restore_crossing(path: Path, owner: str) -> None:
    """Restore an SQLite backup into PostgreSQL, through a temporary file that may be changed."""
    call_command("migrate", interactive=False, verbosity=0)
    with TemporaryDirectory() as folder:
        own = Path(folder) / path.name
        shutil.copyfile(path, own)
        try:
            to_postgresql.bring(own, owner)
        except DatabaseError as error:
            raise Failed(
                f"{path} does not go into PostgreSQL, whose tables stay empty: {error}"
            ) from error


def _run(program: str, alias: str, *arguments: str) -> None:
    """Run a PostgreSQL program on a database; `PG_BIN` is its folder if it is not on PATH."""
    found = shutil.which(program, path=settings.PG_BIN or None)
    if found is None:
        raise Failed(f"{program} is missing: apt-get install postgresql-client, or set PG_BIN")
    database = connections[alias].settings_dict
    variables = {
        "PGHOST": database["HOST"] or database["OPTIONS"].get("host"),
        "PGPORT": database["PORT"],
        "PGUSER": database["USER"],
        "PGPASSWORD": database["PASSWORD"],
    }
    into = ["--dbname", database["NAME"]]
    ran = subprocess.run(
        [found, *into, *arguments],
        env={**os.environ, **{name: str(value) for name, value in variables.items() if value}},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        raise Failed(f"{program} failed: {ran.stderr.strip()}")


# -- the drill ------------------------------------------------------------------------------


def drill(path: Path) -> Iterator[str]:
    """Verify that the database of the settings is the backup, and that it can go on.

    Yields a line for each thing verified. Raises: Failed at the first that does not hold.
    """
    manifest = read(path)
    if problems := guard.check():
        raise Failed(f"triggers and rights: {'; '.join(problems)}")
    yield "triggers and rights are as they should be"
    yield _digests_agree(manifest.logs)
    yield _logs_hold()
    feed = _feed(manifest.position, [int(cursor) for cursor in manifest.feed])
    for cursor, digest in manifest.feed.items():
        if feed[cursor] != digest:
            raise Failed(f"the feed after {cursor} is not what it was")
    yield f"the feed goes on from {len(manifest.feed)} old cursors as before"
    yield _appends()


def _digests_agree(logs: Sequence[LogFacts]) -> str:
    for each in logs:
        acts = Event.objects.filter(log_id=UUID(each.log), version=each.version, ordinal=0)
        if (each.hash, each.state_digest) != acts.values_list("hash", "state_digest").first():
            raise Failed(f"log {each.log} has not the entry {each.version} it had")
    return f"{len(logs)} logs have the hashes and state digests they had"


def _logs_hold() -> str:
    outside = heads.read()
    if wrong := [*outside.flaws, *(f"log {head.log} is gone" for head in heads.gone())]:
        raise Failed(f"the heads kept outside say: {'; '.join(wrong)}")
    compared = entries = 0
    for log in Log.objects.order_by("pk"):
        report = verify(log)
        if not (report.ok or report.unverified):
            raise Failed(f"log {log.pk}, entry {report.first_bad}: {report.detail}")
        compared, entries = compared + report.heads, entries + report.entries
    return f"{entries} entries hold; compared with {compared} heads kept outside"


def _appends() -> str:
    """Open a match and record in it, and roll it all back."""
    before = FeedHead.objects.get().position
    with transaction.atomic():
        user = User.objects.create(username=f"drill {datetime.now(UTC).isoformat()}")
        by = actors.actor_for(user)
        seats = [SeatRequest(), SeatRequest()]
        match = services.open_match(by=by, ruleset="score", seats=seats)
        points = {"type": "points-scored", "seat": 1, "points": 1}
        receipt: Any = services.record(
            match=match, by=actors.actor_for(user), act_id=match.pk, act=points
        )
        transaction.set_rollback(True)
    if receipt.position != before + 2:
        raise Failed(f"an append came to {receipt.position} after {before}")
    return f"an append goes on at {before + 1}"
