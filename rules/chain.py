"""The hash chain of a log: plain data in, hashes out.

leaf = SHA-256(tag ‖ salt ‖ every field of the entry but its position, length-prefixed)
hash = SHA-256(tag ‖ hash of the previous entry ‖ version ‖ leaf)

The salt keeps a leaf from being guessed, so that an entry can be shown as version and leaf alone to
an audience that may not see it.
"""

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

LEAF_TAG = b"zgxl leaf 1"
LINK_TAG = b"zgxl link 1"
NOTE_TAG = b"zgxl note 1"
HEAD_TAG = b"zgxl head 1"
GENESIS = "0" * 64
SALT_BYTES = 16


class EventRow(msgspec.Struct, frozen=True):
    """One event of an entry as it is stored; `body` is its canonical JSON."""

    type: str
    seat: int | None
    body: str


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that an entry's leaf is computed from, except its events.

    Times are UTC with six digits after the second; `salt` is hex.
    """

    version: int
    act_id: str
    request_digest: str
    verdict: str = "legal"
    on: int | None = None
    repeats: int | None = None
    state_digest: str
    recorded_at: str
    recorded_by: str | None = None
    said_at: str | None = None
    salt: str


class Record(Header, frozen=True, kw_only=True):
    """An entry as it is stored, in plain text: the act's row first, then its consequences'."""

    rows: tuple[EventRow, ...]
    hash: str = ""


def leaf(log: str, record: Record) -> bytes:
    """Return the hash that stands for an entry's whole content in the chain.

    Raises: ValueError for an invalid salt.
    """
    salt = bytes.fromhex(record.salt)
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    if salt.hex() != record.salt:
        raise ValueError("a salt is written in small letters, without spaces")
    return hashlib.sha256(LEAF_TAG + salt + _prefixed(_fields(log, record))).digest()


def link(previous: str, version: int, leaf: bytes) -> str:
    """Return an entry's hash from that of the previous entry (`GENESIS` for the first)."""
    data = LINK_TAG + bytes.fromhex(previous) + version.to_bytes(8, "big") + leaf
    return hashlib.sha256(data).hexdigest()


def sealed(log: str, previous: str, record: Record) -> Record:
    """Return the record with its hash."""
    hashed = link(previous, record.version, leaf(log, record))
    return msgspec.structs.replace(record, hash=hashed)


def holds(log: str, previous: str, record: Record) -> bool:
    """Tell whether a record's hash is correct."""
    try:
        return record.hash == link(previous, record.version, leaf(log, record))
    except ValueError:  # a field that should be hex is not
        return False


def note_digest(salt: bytes, text: str) -> str:
    """Return the salted hash that stands for a note's text in a body."""
    return hashlib.sha256(NOTE_TAG + salt + text.encode()).hexdigest()


def head_bytes(log: str, version: int, hashed: str, time: str) -> bytes:
    """Return the bytes that are signed to attest a log's head at a time."""
    return HEAD_TAG + _prefixed((log, str(version), hashed, time))


def _prefixed(fields: Iterable[str]) -> bytes:
    encoded = [field.encode() for field in fields]
    return b"".join([len(data).to_bytes(4, "big") + data for data in encoded])


def _fields(log: str, record: Record) -> Iterator[str]:
    """Yield every field as text. No field that is present is ever empty, so "" means absent."""
    yield log
    yield str(record.version)
    yield record.act_id
    yield record.request_digest
    yield record.verdict
    yield _text(record.on)
    yield _text(record.repeats)
    yield record.state_digest
    yield record.recorded_at
    yield record.recorded_by or ""
    yield record.said_at or ""
    yield str(len(record.rows))
    for row in record.rows:
        yield row.type
        yield _text(row.seat)
        yield row.body


def _text(number: int | None) -> str:
    return "" if number is None else str(number)
