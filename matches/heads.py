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
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
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
    signature: str = ""  # of the head alone; empty in files of before


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    signature: str


class Outside(NamedTuple):
    """What the files say. `flaws` names each file that is not what was written."""

    heads: dict[UUID, list[Head]]
    flaws: list[str]
    files: int
    newest: Opening | None
    digest: str  # of the newest file


class Written(NamedTuple):
    """A file just written; `refused` are logs that are not what an older file says."""

    name: str
    heads: int
    digest: str
    refused: list[UUID]


NOTHING = Outside({}, [], 0, None, "")


# -- keys -----------------------------------------------------------------------------------


def private_key() -> Ed25519PrivateKey:
    """Return the key that signs, made on the first run for its owner's eyes alone."""
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

    A log that is not what an older file says is left out and named: it is no news, it is wrong.
    Raises: OSError where the directory cannot be written.
    """
    directory().mkdir(parents=True, exist_ok=True)
    with _locked():
        key = private_key()
        public = key.public_key().public_bytes_raw().hex()
        pub = directory() / "heads.pub"
        if not pub.exists():
            pub.write_text(public + "\n")
        before = read()
        moment = timezone.now()
        heads, refused = [], []
        for log in Log.objects.filter(head_version__gt=0).order_by("pk").iterator():
            said = before.heads.get(log.pk, [])
            if said and not whole and (said[-1].version, said[-1].hash) == _head(log):
                continue
            hashes = _hashes(log)
            if first_bad(said, hashes):
                refused.append(log.pk)
            else:
                since = 0 if whole or not said else said[-1].version
                heads.append(_signed(key, _told(log, hashes, since), moment))
        number = _number(_files()[-1]) + 1 if _files() else 1
        opening = Opening(
            FORM, number, rows.time_text(moment), public, _digest_of_last(), whole or number == 1
        )
        data = msgspec.json.Encoder().encode_lines([opening, *heads])
        data += msgspec.json.encode(Signature(key.sign(data).hex())) + b"\n"
        name = f"{number:06}-{moment:%Y%m%dT%H%M%SZ}{ENDING}"
        _keep(directory() / name, data)
    return Written(name, len(heads), hashlib.sha256(data).hexdigest(), refused)


@contextmanager
def _locked() -> Iterator[None]:
    """Let one write at a time."""
    descriptor = os.open(directory(), os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _keep(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all, and that nobody overwrites by mistake."""
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


def _told(log: Log, hashes: Sequence[str], since: int) -> Head:
    version = len(hashes)
    events = Event.objects.filter(log=log, version__lte=version).count()
    marks = "".join(each[:MARK] for each in hashes[since:])
    return Head(log.pk, version, hashes[-1] if hashes else "", events, since, marks)


def _signed(key: Ed25519PrivateKey, head: Head, moment: datetime) -> Head:
    time = rows.time_text(moment)
    said = chain.head_bytes(str(head.log), head.version, head.hash, time)
    return msgspec.structs.replace(head, time=time, signature=key.sign(said).hex())


# -- reading --------------------------------------------------------------------------------


def read() -> Outside:
    """Return what the files say; nothing where there are none, or they cannot be read."""
    try:
        files = [(path, path.stat().st_mtime_ns, path.stat().st_size) for path in _files()]
        return _read(tuple(files), public_key())
    except OSError:
        return NOTHING


@lru_cache(maxsize=2)
def _read(files: tuple[tuple[Path, int, int], ...], key: str) -> Outside:
    outside = Outside({}, [], len(files), None, "")
    previous, number = "", 0
    for path, _, _ in files:
        data = path.read_bytes()
        missing = range(number + 1, _number(path))
        outside.flaws.extend(f"file {each:06} is missing" for each in missing)
        try:
            opening, heads = _checked(data, key)
            if opening.number != _number(path):
                raise ValueError("its number is not that of its name")
            if opening.previous != previous and not missing:
                raise ValueError("it does not follow the file before it, which was changed")
        except (ValueError, msgspec.MsgspecError, InvalidSignature) as error:
            why = str(error) or "its signature is not ours, or its content was changed"
            outside.flaws.append(f"{path.name}: {why}")
        else:
            outside = outside._replace(newest=opening)
            for head in heads:
                outside.heads.setdefault(head.log, []).append(head)
        previous, number = hashlib.sha256(data).hexdigest(), _number(path)
    return outside._replace(digest=previous)


def _checked(data: bytes, key: str) -> tuple[Opening, list[Head]]:
    """Return the content of a file. Raises: ValueError, InvalidSignature when it is not ours."""
    if not data.endswith(b"\n") or data.count(b"\n") < 2:
        raise ValueError("it is cut off")
    first, *lines, last = data.splitlines(keepends=True)
    signature = msgspec.json.decode(last, type=Signature)
    signed = data[: len(data) - len(last)]
    opening = msgspec.json.decode(first, type=Opening)
    if opening.form != FORM or opening.key != key:
        raise ValueError("it is signed with another key than the one that is known")
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    public.verify(bytes.fromhex(signature.signature), signed)
    return opening, [msgspec.json.decode(line, type=Head) for line in lines]


def _files() -> list[Path]:
    return sorted(path for path in directory().glob(f"*{ENDING}") if path.name[:6].isdecimal())


def _number(path: Path) -> int:
    return int(path.name[:6])


def _digest_of_last() -> str:
    files = _files()
    return hashlib.sha256(files[-1].read_bytes()).hexdigest() if files else ""


# -- comparing ------------------------------------------------------------------------------


def first_bad(said: Sequence[Head], hashes: Sequence[str], upto: int | None = None) -> int | None:
    """Return the first version that is not what the files say, None when all are.

    `hashes` are those of the log's entries in order; heads past `upto` are not looked at.
    """
    bad = []
    for head in said:
        for version in range(head.since + 1, min(head.version, upto or head.version) + 1):
            start = (version - head.since - 1) * MARK
            if version > len(hashes) or hashes[version - 1][:MARK] != head.marks[start:][:MARK]:
                bad.append(version)
                break
        if upto is None or head.version <= upto:
            is_there = head.version <= len(hashes)
            if is_there and hashes[head.version - 1] != head.hash:
                bad.append(head.version)
    return min(bad, default=None)


def gone(outside: Outside) -> list[Head]:
    """Return the last head of each log that the files know and the database does not."""
    here = set(Log.objects.values_list("pk", flat=True))
    return [said[-1] for log, said in outside.heads.items() if log not in here]
