"""The hash chain, recomputed by hand."""

import hashlib

import msgspec
import pytest

from rules import chain
from rules.chain import EventRow, Record

RECORD = Record(
    version=7,
    act_id="6f1e2c1e-0000-4000-8000-000000000001",
    request_digest="a" * 64,
    verdict="irregular out-of-turn",
    on=3,
    state_digest="b" * 64,
    recorded_at="2026-11-21T13:59:00.000001Z",
    recorded_by="6f1e2c1e-0000-4000-8000-000000000002",
    salt="0f" * 16,
    rows=(EventRow("tossed", 1, '{"type":"tossed","seat":1}'), EventRow("match-won", None, "{}")),
)
LOG = "019a0000-0000-7000-8000-000000000000"


def test_a_leaf_is_the_salt_and_every_field_with_its_length() -> None:
    fields = [
        LOG,
        "7",
        RECORD.act_id,
        "a" * 64,
        "irregular out-of-turn",
        "3",
        "",
        "b" * 64,
        "2026-11-21T13:59:00.000001Z",
        "6f1e2c1e-0000-4000-8000-000000000002",
        "",
        "2",
        *("tossed", "1", '{"type":"tossed","seat":1}'),
        *("match-won", "", "{}"),
    ]
    data = b"".join(len(field).to_bytes(4, "big") + field.encode() for field in fields)
    by_hand = hashlib.sha256(b"zgxl leaf 1" + bytes.fromhex("0f" * 16) + data)
    assert chain.leaf(LOG, RECORD) == by_hand.digest()


def test_a_hash_is_the_one_before_the_version_and_the_leaf() -> None:
    data = b"zgxl link 1" + bytes(32) + bytes(7) + b"\x07" + chain.leaf(LOG, RECORD)
    by_hand = hashlib.sha256(data).hexdigest()
    assert chain.sealed(LOG, chain.GENESIS, RECORD).hash == by_hand


@pytest.mark.parametrize("field", [name for name in Record.__struct_fields__ if name != "hash"])
def test_every_field_is_covered(field: str) -> None:
    sealed = chain.sealed(LOG, chain.GENESIS, RECORD)
    value = getattr(sealed, field)
    others = {
        int: 8,
        tuple: RECORD.rows[:1],
        str: "11" * 16 if field == "salt" else "other",
        type(None): 5 if field in ("on", "repeats") else "other",
    }
    changed = msgspec.structs.replace(sealed, **{field: others[type(value)]})
    assert chain.holds(LOG, chain.GENESIS, sealed)
    assert not chain.holds(LOG, chain.GENESIS, changed)


@pytest.mark.parametrize("row", [("said", 1), ("tossed", 2), ("tossed", None)], ids=str)
def test_type_and_seat_of_a_row_are_covered(row: tuple[str, int | None]) -> None:
    changed = msgspec.structs.replace(
        RECORD, rows=(EventRow(*row, RECORD.rows[0].body), RECORD.rows[1])
    )
    assert chain.leaf(LOG, changed) != chain.leaf(LOG, RECORD)


def test_an_entry_can_not_move_to_another_log_or_place() -> None:
    sealed = chain.sealed(LOG, chain.GENESIS, RECORD)
    assert not chain.holds(LOG.replace("9", "8"), chain.GENESIS, sealed)
    assert not chain.holds(LOG, "1" * 64, sealed)


@pytest.mark.parametrize("salt", ["", "0f", "zz" * 16, "0f" * 17, "0F" * 16, "0f " * 16])
def test_only_sixteen_bytes_written_in_one_way_are_a_salt(salt: str) -> None:
    changed = msgspec.structs.replace(chain.sealed(LOG, chain.GENESIS, RECORD), salt=salt)
    with pytest.raises(ValueError):
        chain.leaf(LOG, changed)
    assert not chain.holds(LOG, chain.GENESIS, changed)


def test_a_note_is_told_by_the_hash_of_its_salt_and_text() -> None:
    by_hand = hashlib.sha256(b"zgxl note 1" + b"\x0f" * 16 + "Ja – 3".encode()).hexdigest()
    assert chain.note_digest(b"\x0f" * 16, "Ja – 3") == by_hand
