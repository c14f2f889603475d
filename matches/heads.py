"""Heads kept outside: signed files that say how far every log had come, and by which hash.

A log whose tail was cut, that was chained anew or is gone proves nothing wrong from inside.
Files in a directory that the web process cannot write tell it. Each is written once, names the
digest of the one before, and is signed (Ed25519):

    {"form": "zgxl-heads-1", "number": 2, "time": …, "key": …, "previous": …, "whole": false}
    {"log": …, "version": 40, "hash": …, "events": 97, "since": 31, "marks": "9f0c2a41…",
     "time": …, "signature": …}
    {"signature": …}

`marks` holds the first eight digits of the hash of each entry after `since`: which entry was
changed first. The last signature is over all bytes before its line; that of a head is over the
head alone (`chain.head_bytes`), so that a certificate of one match can show it.

The heads of a file are in the order of their logs' ids: those of a log are found by bisection,
and nothing of a file is kept in memory but what came of checking it.
"""

import fcntl
import hashlib
import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from itertools import islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.utils import timezone

from matches import rows
from matches.keeping import kept
from matches.models import Event, Log
from rules import chain

FORM = "zgxl-heads-1"
ENDING = ".heads"
MARK = 8  # hex digits of a mark
LOG_AT = slice(len('{"log":"'), len('{"log":"') + 36)  # where a line names its log
BATCH = 500  # logs whose heads are held at a time
CHECKED = 10_000  # files that are remembered as checked: a night each


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file."""

    form: str
    number: int
    time: str
    key: str
    previous: str
    whole: bool


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far a log had come."""

    log: UUID
    version: int
    hash: str
    events: int
    since: int
    marks: str
    time: str = ""
    signature: str = ""  # of the head alone; empty in older files


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    signature: str


class File(NamedTuple):
    """A valid file, and the ids of the first and the last log in it."""

    path: Path
    first: str
    last: str


class Outside(NamedTuple):
    """The state of the files: valid ones, oldest first; `flaws` names each invalid one."""

    good: list[File]
    flaws: list[str]
    files: int
    newest: Opening | None
    digest: str  # of the newest file


class Checked(NamedTuple):
    """The result of checking one file by itself: its opening, or its flaw."""

    file: File
    digest: str
    opening: Opening | None = None
    flaw: str = ""


class Written(NamedTuple):
    """A file just written; `refused` are logs that contradict an older file."""

    name: str
    heads: int
    digest: str
    refused: list[UUID]


NOTHING = Outside([], [], 0, None, "")


# -- keys -----------------------------------------------------------------------------------


def private_key() -> Ed25519PrivateKey:
    """Return the signing key, created on the first run, readable by its owner alone."""
    text = kept(Path(settings.HEADS_KEY_FILE), _new_key)
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text.strip()))


def _new_key() -> str:
    return Ed25519PrivateKey.generate().private_bytes_raw().hex() + "\n"


def public_key() -> str:
    """Return the key that files must be signed with, as hex; empty while there is none."""
    if settings.HEADS_PUBLIC_KEY:
        return str(settings.HEADS_PUBLIC_KEY)
    try:
        return (directory() / "heads.pub").read_text().strip()
    except OSError:
        return ""


def directory() -> Path:
    return Path(settings.HEADS_DIR)


# -- writing --------------------------------------------------------------------------------


def write(*, whole: bool = False) -> Written:
    """Write a file of the heads that have moved since the last one, or of all.

    A log that contradicts an older file is left out and named in the result. Raises: OSError if the
    directory cannot be written, ValueError if the key is not the one that is trusted.
    """
    directory().mkdir(parents=True, exist_ok=True)
    with _locked():
        key = private_key()
        public = key.public_key().public_bytes_raw().hex()
        if public_key() not in ("", public):
            raise ValueError(
                f"{settings.HEADS_KEY_FILE} is not the key of {public_key()}, the only one that is "
                "trusted; a file that it signed would count as forged"
            )
        pub = directory() / "heads.pub"
        if not pub.exists():
            pub.write_text(public + "\n")
        moment = timezone.now()
        opening = _opening(public, moment, whole=whole)
        data, count, refused = bytearray(_line(opening)), 0, []
        for log, outside in _logs_with_heads():
            if outside and not whole and (outside[-1].version, outside[-1].hash) == _head(log):
                continue
            hashes = _hashes(log)
            if first_bad(outside, hashes):
                refused.append(log.pk)
                continue
            since = 0 if whole or not outside else outside[-1].version
            data += _line(_signed(key, _head_of(log, hashes, since), moment))
            count += 1
        data += _line(Signature(key.sign(bytes(data)).hex()))
        name = f"{opening.number:06}-{moment:%Y%m%dT%H%M%SZ}{ENDING}"
        _keep(directory() / name, data)
    return Written(name, count, hashlib.sha256(data).hexdigest(), refused)


def _opening(key: str, moment: datetime, *, whole: bool) -> Opening:
    """Return the first line of the file that follows those there are."""
    files = _files()
    number = _number(files[-1]) + 1 if files else 1
    previous = hashlib.sha256(files[-1].read_bytes()).hexdigest() if files else ""
    return Opening(FORM, number, rows.time_text(moment), key, previous, whole or number == 1)


def _line(record: msgspec.Struct) -> bytes:
    return msgspec.json.encode(record) + b"\n"


def _logs_with_heads() -> Iterator[tuple[Log, list[Head]]]:
    """Yield each log that has entries, by id, with its heads in the files, oldest first."""
    logs = Log.objects.filter(head_version__gt=0).order_by("pk").iterator(BATCH)
    while batch := list(islice(logs, BATCH)):
        heads = between(batch[0].pk, batch[-1].pk)
        for log in batch:
            yield log, heads.get(log.pk, [])


@contextmanager
def _locked() -> Iterator[None]:
    """Allow one writer at a time."""
    descriptor = os.open(directory(), os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _keep(path: Path, data: bytes | bytearray) -> None:
    """Write a file atomically, refusing to overwrite one."""
    coming = path.with_suffix(".coming")
    with coming.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    coming.chmod(0o444)
    coming.rename(path)
    descriptor = os.open(path.parent, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def _head(log: Log) -> tuple[int, str]:
    return log.head_version, log.head_hash


def _hashes(log: Log) -> list[str]:
    acts = Event.objects.filter(log=log, ordinal=0, version__lte=log.head_version)
    return list(acts.order_by("version").values_list("hash", flat=True))


def _head_of(log: Log, hashes: Sequence[str], since: int) -> Head:
    version = len(hashes)
    events = Event.objects.filter(log=log, version__lte=version).count()
    marks = "".join(each[:MARK] for each in hashes[since:])
    return Head(log.pk, version, hashes[-1] if hashes else "", events, since, marks)


def _signed(key: Ed25519PrivateKey, head: Head, moment: datetime) -> Head:
    time = rows.time_text(moment)
    message = chain.head_bytes(str(head.log), head.version, head.hash, time)
    return msgspec.structs.replace(head, time=time, signature=key.sign(message).hex())


# -- reading --------------------------------------------------------------------------------


def read() -> Outside:
    """Return the state of the files; empty if there are none, or they cannot be read."""
    try:
        return _read(public_key())
    except OSError:
        return NOTHING


def of(log: UUID) -> list[Head]:
    """Return the heads of a log in the valid files, oldest first."""
    return between(log, log).get(log, [])


def between(first: UUID, last: UUID) -> dict[UUID, list[Head]]:
    """Return the heads of the logs whose ids lie between two, as `of` does."""
    found: dict[UUID, list[Head]] = {}
    for file in read().good:
        if file.first <= str(last) and str(first) <= file.last:
            for head in _heads(file.path, first, last):
                found.setdefault(head.log, []).append(head)
    return found


def newest_first(log: UUID) -> Iterator[Head]:
    """Yield the heads of a log from the newest file back, each with a signature to check.

    Files are not checked as a whole, so that only as many are read as are needed.
    """
    for path in reversed(_files()):
        try:
            yield from list(_heads(path, log, log))
        except (OSError, ValueError):  # the file was changed or cannot be read
            continue


def _read(key: str) -> Outside:
    outside = NOTHING._replace(good=[], flaws=[])
    previous, number = "", 0
    for path in _files():
        missing = range(number + 1, _number(path))
        outside.flaws.extend(f"file {each:06} is missing" for each in missing)
        stat = path.stat()
        file, digest, opening, flaw = _checked(path, stat.st_ctime_ns, stat.st_size, key)
        if opening and opening.previous != previous and not missing:
            flaw = "it does not follow the file before it, which was changed"
        if flaw:
            outside.flaws.append(f"{path.name}: {flaw}")
        else:
            outside.good.append(file)
            outside = outside._replace(newest=opening)
        previous, number = digest, _number(path)
        outside = outside._replace(files=outside.files + 1, digest=digest)
    return outside


@lru_cache(CHECKED)
def _checked(path: Path, changed_at: int, size: int, key: str) -> Checked:
    """Check one file by itself; cached until it changes."""
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    try:
        opening = _opened(data, key)
        if opening.number != _number(path):
            raise ValueError("its number is not that of its name")
    except (ValueError, InvalidSignature) as error:  # msgspec's are ValueErrors
        why = str(error) or "its signature is not ours, or its content was changed"
        return Checked(File(path, "", ""), digest, flaw=why)
    start, end = _bounds(data)
    file = File(path, _log_named(data, start), _log_named(data, end - 1))
    return Checked(file, digest, opening)


def _opened(data: bytes, key: str) -> Opening:
    """Return the opening of a file. Raises: ValueError, InvalidSignature if it is not ours."""
    if not data.endswith(b"\n") or data.count(b"\n") < 2:
        raise ValueError("it is cut off")
    start, end = _bounds(data)
    signature = msgspec.json.decode(data[end:], type=Signature)
    opening = msgspec.json.decode(data[:start], type=Opening)
    if opening.form != FORM or opening.key != key:
        raise ValueError("it is signed with another key than the one that is known")
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    public.verify(bytes.fromhex(signature.signature), memoryview(data)[:end])
    last = UUID(int=0)
    for head in _heads_from(data, start, end):
        if head.log <= last:
            raise ValueError("its heads are not in order")
        last = head.log
    return opening


def _heads(path: Path, first: UUID, last: UUID) -> Iterator[Head]:
    """Yield the heads in a file of the logs whose ids lie between two, in order."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        start, end = _bounds(data)
        named = bisect_left(range(start, end), str(first), key=lambda at: _log_named(data, at))
        for head in _heads_from(data, start + named, end):
            if head.log > last:
                return
            yield head


def _bounds(data: bytes | mmap) -> tuple[int, int]:
    """Return where the heads of a file begin and end: after its first line and before its last."""
    return data.find(b"\n") + 1, data.rfind(b"\n", 0, len(data) - 1) + 1


def _log_named(data: bytes | mmap, at: int) -> str:
    """Return the log named by the line at a byte offset."""
    line = data.rfind(b"\n", 0, at) + 1
    return data[line + LOG_AT.start : line + LOG_AT.stop].decode()


def _heads_from(data: bytes | mmap, start: int, end: int) -> Iterator[Head]:
    while start < end:
        after = data.find(b"\n", start) + 1
        yield _decoded(data[start:after])
        start = after


def _decoded(line: bytes) -> Head:
    return msgspec.json.decode(line, type=Head)


def _files() -> list[Path]:
    return sorted(path for path in directory().glob(f"*{ENDING}") if path.name[:6].isdecimal())


def _number(path: Path) -> int:
    return int(path.name[:6])


# -- comparing ------------------------------------------------------------------------------


def first_bad(heads: Sequence[Head], hashes: Sequence[str], upto: int | None = None) -> int | None:
    """Return the first version that contradicts the files, None if none does.

    `hashes` are those of the log's entries in order; what is past `upto` is ignored.
    """
    bad = (_contradicted(head, hashes, upto) for head in heads)
    return min((version for version in bad if version is not None), default=None)


def _contradicted(head: Head, hashes: Sequence[str], upto: int | None) -> int | None:
    """Return the first version, none past `upto`, that is not as a head has it."""
    last = head.version if upto is None else min(head.version, upto)
    for version in range(head.since + 1, last + 1):
        start = (version - head.since - 1) * MARK
        if version > len(hashes) or hashes[version - 1][:MARK] != head.marks[start:][:MARK]:
            return version
    is_there = last == head.version <= len(hashes)
    return last if is_there and hashes[last - 1] != head.hash else None


def gone() -> list[Head]:
    """Return the last head of each log that is in the files but not in the database."""
    here = set(Log.objects.values_list("pk", flat=True))
    found: dict[UUID, Head] = {}
    for file in read().good:
        for head in _heads(file.path, UUID(int=0), UUID(int=2**128 - 1)):
            if head.log not in here:
                found[head.log] = head
    return list(found.values())
