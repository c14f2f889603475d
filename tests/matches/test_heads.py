"""Heads outside the database reveal what it cannot: truncated, rehashed and deleted logs."""

import json
import stat
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import CommandError, call_command
from django.db.models import F, Max

from matches import heads, rows, tasks
from matches.models import Event, FeedHead, Job, Log, Match
from matches.verify import verify
from rules import chain
from tests import database, factories

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def outside(settings: Any, tmp_path: Path) -> Path:
    settings.HEADS_DIR = tmp_path / "heads"
    settings.HEADS_KEY_FILE = tmp_path / "key"
    return tmp_path / "heads"


def said() -> str:
    """Run the command that verifies all and return what it says, its failure included."""
    out = StringIO()
    try:
        call_command("verify", stdout=out)
    except CommandError as error:
        return out.getvalue() + str(error)
    return out.getvalue()


# -- tampering that nothing inside shows ----------------------------------------------------


def cut(match: Match) -> None:
    """Cut the tail off, and mend the head and the feed."""
    Event.objects.filter(log=match.log, version__gt=4).delete()
    last = Event.objects.get(log=match.log, version=4, ordinal=0)
    Log.objects.filter(pk=match.log.pk).update(head_version=4, head_hash=last.hash)
    FeedHead.objects.update(position=Event.objects.aggregate(last=Max("position"))["last"])


def chain_anew(match: Match, version: int = 5) -> None:
    """Change when an entry was recorded and compute every hash after it again."""
    records = [record for record, _ in rows.records_of(match.log)]
    previous = records[version - 2].hash
    Event.objects.filter(log=match.log, version=version, ordinal=0).update(salt="ab" * 16)
    for record, _ in list(rows.records_of(match.log, version - 1)):
        record = chain.sealed(str(match.log.pk), previous, record)
        acts = Event.objects.filter(log=match.log, version=record.version, ordinal=0)
        acts.update(hash=record.hash)
        previous = record.hash
    Log.objects.filter(pk=match.log.pk).update(head_hash=previous)


@pytest.mark.parametrize("tamper", [cut, chain_anew])
@pytest.mark.parametrize("between", [(), (3,), (2, 3, 7)], ids=str)
def test_tampering_that_verification_misses_is_found_by_the_outside_heads(
    tamper: Callable[[Match], None], between: tuple[int, ...]
) -> None:
    match = factories.match()
    for version in range(2, 10):
        factories.record(match)
        if version in between:
            heads.write()
    heads.write()
    match.log.refresh_from_db()
    assert verify(match.log).heads == len(between) + 1
    database.unprotect()
    tamper(match)
    report = verify(match.log)
    assert (report.ok, report.first_bad, report.problem) == (False, 5, "outside")
    assert "entry 5, outside" in said()


@pytest.mark.parametrize("tamper", [cut, chain_anew])
def test_without_the_outside_heads_it_is_missed(tamper: Callable[[Match], None]) -> None:
    match = factories.played(8)
    database.unprotect()
    tamper(match)
    assert verify(match.log).ok
    assert "no heads are kept outside" in said()


def remove(match: Match) -> None:
    """Remove a log and close the gap it leaves in the feed."""
    log = match.log
    match.delete()
    Event.objects.filter(log=log).delete()
    log.delete()


def test_a_deleted_log_is_named_and_missed_without_the_heads() -> None:
    kept, match = factories.played(2), factories.played(2)
    pk = str(match.log_id)
    heads.write()
    database.unprotect()
    remove(match)
    FeedHead.objects.update(position=F("position") - 3)
    assert f"{pk}: entry 1, gone" in said()
    assert verify(kept.log).ok
    for file in heads.directory().glob("0*"):
        file.unlink()
    assert "wrong" not in said()


def test_changed_inside_the_earlier_of_two_flaws_is_named() -> None:
    match = factories.played(8)
    heads.write()
    database.unprotect()
    Event.objects.filter(log=match.log, version=7, ordinal=0).update(verdict="irregular no")
    chain_anew(match, 3)
    assert verify(match.log).first_bad == 3


def test_a_partly_hidden_log_is_compared_as_far_as_it_is_visible() -> None:
    match = factories.played(8)
    heads.write()
    database.unprotect()
    cut(match)
    assert verify(match.log, 4).ok


# -- the files ------------------------------------------------------------------------------


def test_only_changed_heads_are_written_again_by_default() -> None:
    still, match = factories.played(1), factories.played(1)
    assert heads.write().heads == 2
    factories.record(match)
    assert [heads.write().heads, heads.write().heads, heads.write(whole=True).heads] == [1, 0, 2]
    told = [(head.version, head.since) for head in heads.of(match.log_id)]
    assert told == [(2, 0), (3, 2), (3, 0)]
    assert heads.of(still.log_id)[0].events == Event.objects.filter(log=still.log).count()


def test_a_file_names_the_one_before_and_nobody_else_reads_the_key(outside: Path) -> None:
    first, second = heads.write(), heads.write()
    assert heads.read().newest.previous == first.digest
    assert heads.read().digest == second.digest
    assert stat.S_IMODE((outside.parent / "key").stat().st_mode) == 0o600
    assert stat.S_IMODE((outside / first.name).stat().st_mode) == 0o444


def test_the_heads_of_a_log_are_found_wherever_it_stands_in_a_file(outside: Path) -> None:
    heads.write()  # a file without a head
    matches = [factories.match() for _ in range(5)]
    for moved in (matches, matches[1:4], matches[2:3], [], matches[::4]):
        for match in moved:
            factories.record(match)
        heads.write()
    written = [
        json.loads(line)
        for file in sorted(outside.glob("*.heads"))
        for line in file.read_text().splitlines()[1:-1]
    ]
    assert len(written) == 11
    logs = sorted(match.log_id for match in matches)
    for log in (*logs, UUID(int=0), UUID(int=2**128 - 1)):
        mine = [line for line in written if line["log"] == str(log)]
        assert msgspec.to_builtins(heads.of(log)) == mine
        assert msgspec.to_builtins(list(heads.newest_first(log))) == mine[::-1]
    assert set(heads.between(logs[1], logs[3])) == set(logs[1:4])


def test_a_file_is_checked_once_and_of_a_log_nothing_else_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matches = [factories.played(1) for _ in range(3)]
    heads.write()
    heads.read()
    before = heads._checked.cache_info().misses
    factories.record(matches[1])
    heads.write()
    read: list[UUID] = []
    decode = heads._decoded

    def noting(line: bytes) -> heads.Head:
        read.append(decode(line).log)
        return decode(line)

    heads.read()
    monkeypatch.setattr(heads, "_decoded", noting)
    assert len(heads.of(matches[1].log_id)) == 2
    assert heads._checked.cache_info().misses == before + 1
    assert read.count(matches[1].log_id) == 2 and len(read) <= 4


def out_of_order(path: Path) -> None:
    """Sign a file, with our key, whose heads cannot be looked up."""
    first, *lines, _ = path.read_bytes().splitlines(keepends=True)
    data = b"".join((first, *reversed(lines)))
    signature = heads.private_key().sign(data).hex()
    path.write_bytes(data + b'{"signature":"%s"}\n' % signature.encode())


def a_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def another_key(path: Path) -> None:
    data = path.read_bytes()
    signed = data[: data[:-1].rindex(b"\n") + 1]
    forger = Ed25519PrivateKey.generate()
    key, ours = forger.public_key().public_bytes_raw().hex(), heads.public_key()
    forged = signed.replace(ours.encode(), key.encode())
    path.write_bytes(forged + b'{"signature":"%s"}\n' % forger.sign(forged).hex().encode())


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-40])


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("change", [a_bit, another_key, cut_short, empty, out_of_order])
def test_a_file_that_was_changed_is_named(change: Callable[[Path], None], outside: Path) -> None:
    factories.played(2), factories.played(1)
    names = [heads.write().name, heads.write(whole=True).name, heads.write(whole=True).name]
    (outside / names[1]).chmod(0o644)
    change(outside / names[1])
    assert any(names[1] in flaw for flaw in heads.read().flaws)
    assert "wrong" in said()


def test_a_file_taken_away_is_named(outside: Path) -> None:
    factories.played(2)
    names = [heads.write().name for _ in range(3)]
    (outside / names[1]).unlink()
    assert heads.read().flaws == ["file 000002 is missing"]
    assert "file 000002 is missing" in said()


def test_a_pinned_key_finds_a_whole_directory_forged(settings: Any, outside: Path) -> None:
    factories.played(2)
    heads.write()
    trusted = heads.public_key()
    for file in (*outside.iterdir(), settings.HEADS_KEY_FILE):
        file.unlink()
    heads.write()
    settings.HEADS_PUBLIC_KEY = trusted
    assert "another key" in heads.read().flaws[0]


def test_nothing_is_signed_with_a_key_that_is_not_trusted(
    settings: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Where only one user may sign, everybody else has another key, made on first use."""
    factories.played(2)
    heads.write()
    settings.HEADS_KEY_FILE = tmp_path / "another"
    with pytest.raises(CommandError, match="another is not the key of"):
        call_command("heads", stdout=StringIO())
    tasks.write_heads()
    assert "no heads were written" in caplog.text
    assert (heads.read().files, heads.read().flaws) == (1, [])


def test_a_log_made_wrong_gets_no_new_head() -> None:
    match = factories.played(8)
    heads.write()
    database.unprotect()
    chain_anew(match)
    assert heads.write().refused == [match.log_id]
    with pytest.raises(CommandError, match=str(match.log_id)):
        call_command("heads", stdout=StringIO())
    assert verify(match.log).first_bad == 5


# -- by the worker, on pages and in the API -------------------------------------------------


def test_the_task_writes_and_says_when_it_cannot(
    outside: Path, caplog: pytest.LogCaptureFixture
) -> None:
    factories.played(1)
    tasks.write_heads()
    assert heads.read().files == 1
    for file in outside.iterdir():
        file.unlink()
    outside.rmdir()
    outside.write_text("not a directory")
    tasks.write_heads()
    assert "no heads were written" in caplog.text


def test_everybody_can_have_the_key(client: Any) -> None:
    match = factories.played(1)
    assert client.get("/api/v1/heads/").json()["key"] == ""
    written = heads.write()
    told = client.get("/api/v1/heads/").json()
    assert (told["key"], told["digest"]) == (heads.public_key(), written.digest)
    assert told["key"] in client.get(f"/matches/{match.code}/verify/").content.decode()


def test_a_check_says_what_it_was_compared_with(client: Any) -> None:
    match = factories.played(1)
    heads.write()
    result = {"ok": True, "entries": 2, "events": 2, "heads": verify(match.log).heads}
    Job.objects.create(kind="verify", log=match.log, done_at=match.started_at, result=result)
    assert "compared with 1" in client.get(f"/matches/{match.code}/verify/").content.decode()


def test_the_command_says_where_and_under_which_key(outside: Path) -> None:
    out = StringIO()
    call_command("heads", stdout=out)
    assert str(outside) in out.getvalue()
    assert heads.public_key() in out.getvalue()
    call_command("heads", "--key", stdout=out)
