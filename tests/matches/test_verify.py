"""Verifying a log finds every kind of tampering and names the first bad entry."""

from collections.abc import Callable
from io import StringIO
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from django.utils import timezone

from matches import rows, services
from matches.models import Event, FeedHead, Log, Match, Note
from matches.verify import Report, verify
from rules import chain
from tests import database, factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    """A match of ten entries without protection: acts, consequences, a note, a taking back."""
    match = factories.match(game="toy")
    by = factories.opener_of(match)
    for seat, side in ((1, "heads"), (2, "tails"), (1, "heads")):
        factories.record(match, {"type": "tossed", "seat": seat, "side": side})
    factories.record(match, {"type": "said", "seat": 2}, note="Was that the table's edge?")
    services.take_back(match=match, by=by, act_id=uuid4(), to=3)
    factories.record(match, {"type": "tossed", "seat": 1, "spin": "server"})
    factories.record(match, {"type": "tossed", "seat": 1, "side": "tails"}, irregular=True)
    factories.record(match, {"type": "tossed", "seat": 2, "side": "heads"})
    factories.record(match, {"type": "tossed", "seat": 1, "side": "tails"})
    database.unprotect()
    return match


def events(match: Match, version: int, ordinal: int = 0) -> Any:
    return Event.objects.filter(log=match.log, version=version, ordinal=ordinal)


def swap(one: Any, other: Any, *names: str) -> None:
    """Swap columns of two rows."""
    first, second = one.values(*names).get(), other.values(*names).get()
    one.update(**second)
    other.update(**first)


def test_an_untouched_log_verifies(match: Match) -> None:
    report = verify(match.log)
    assert report.ok
    assert (report.entries, report.draws, report.draws_checked) == (10, 1, 1)
    assert report.head_hash == match.log.head_hash


CHANGED: dict[str, Any] = {
    "type": "said",
    "seat": 2,
    "body": '{"type":"tossed","seat":1,"side":"tails"}',
    "act_id": uuid4(),
    "request_digest": "0" * 64,
    "verdict": "irregular out-of-turn",
    "on": 2,
    "repeats": 2,
    "state_digest": "0" * 64,
    "salt": "0" * 32,
    "hash": "0" * 64,
    "recorded_at": timezone.now(),
    "recorded_by": uuid4(),
    "said_at": timezone.now(),
}


@pytest.mark.parametrize("column", CHANGED)
def test_a_changed_column_is_found(match: Match, column: str) -> None:
    events(match, 4).update(**{column: CHANGED[column]})
    assert verify(match.log).first_bad == 4


@pytest.mark.parametrize("value", [None, "", "legal ", "x" * 80], ids=repr)
def test_a_nonsensical_column_is_reported_without_a_crash(match: Match, value: Any) -> None:
    for column in ("act_id", "recorded_at") if value is None else ("verdict", "salt", "body"):
        events(match, 4).update(**{column: value if column != "salt" else (value or "")[:32]})
        assert verify(match.log).first_bad == 4


def test_a_salt_written_in_another_way_is_found(match: Match) -> None:
    act = events(match, 4)
    act.update(salt=act.get().salt.upper())
    assert verify(match.log).first_bad == 4


def change_a_consequence(match: Match) -> None:
    events(match, 2, 1).update(seat=2, body='{"type":"point-won","seat":2}')


def remove_a_consequence(match: Match) -> None:
    events(match, 2, 1).delete()


def remove_an_act(match: Match) -> None:
    events(match, 2, 0).delete()


def remove_an_entry(match: Match) -> None:
    Event.objects.filter(log=match.log, version=2).delete()


def remove_an_entry_and_close_the_gap(match: Match) -> None:
    remove_an_entry(match)
    for version in range(3, 11):
        Event.objects.filter(log=match.log, version=version).update(version=version - 1)


def swap_two_acts(match: Match) -> None:
    swap(events(match, 2), events(match, 3), "type", "seat", "body")


def swap_two_entries(match: Match) -> None:
    for old, new in ((2, 99), (4, 2), (99, 4)):
        Event.objects.filter(log=match.log, version=old).update(version=new)


def insert_a_consequence(match: Match) -> None:
    row = events(match, 2, 1).get()
    Event.objects.create(
        log=match.log, version=2, ordinal=2, position=row.position, type=row.type, seat=1,
        body=row.body,
    )  # fmt: skip


def insert_a_consequence_with_what_acts_have(match: Match) -> None:
    events(match, 2, 1).update(act_id=uuid4())


@pytest.mark.parametrize(
    "tamper",
    [
        change_a_consequence,
        remove_a_consequence,
        remove_an_act,
        remove_an_entry,
        remove_an_entry_and_close_the_gap,
        swap_two_acts,
        swap_two_entries,
        insert_a_consequence,
        insert_a_consequence_with_what_acts_have,
    ],
)
def test_changed_removed_swapped_and_inserted_rows_are_found(
    match: Match, tamper: Callable[[Match], None]
) -> None:
    tamper(match)
    assert verify(match.log).first_bad == 2


def test_swapped_places_in_the_feed_are_found(match: Match) -> None:
    second, third = (events(match, version).get().position for version in (2, 3))
    for version, position in ((2, 10**6), (3, second), (2, third)):
        Event.objects.filter(log=match.log, version=version).update(position=position)
    assert verify(match.log).first_bad == 3


def test_an_entry_after_the_head_is_found(match: Match) -> None:
    last = events(match, 10).get()
    record, position = list(rows.records_of(match.log))[-1]
    extra = msgspec.structs.replace(record, version=11, act_id=str(uuid4()))
    extra = chain.sealed(str(match.log.pk), last.hash, extra)
    rows.insert(match.log, [(extra, position + 1)])
    report = verify(match.log)
    assert (report.first_bad, report.ok) == (11, False)


# -- chained anew, as one would who knows how the chain is made ------------------------------------


def forge(match: Match, version: int, **changes: Any) -> Report:
    """Change an entry, compute the whole chain again and mend the head; then verify."""
    previous = chain.GENESIS
    for record, _ in list(rows.records_of(match.log)):
        if record.version == version:
            record = msgspec.structs.replace(record, **changes)
        record = chain.sealed(str(match.log.pk), previous, record)
        previous = record.hash
        for ordinal, row in enumerate(record.rows):
            events(match, record.version, ordinal).update(
                type=row.type, seat=row.seat, body=row.body
            )
        Event.objects.filter(
            log=match.log, version=record.version, ordinal__gte=len(record.rows)
        ).delete()
        events(match, record.version).update(
            hash=record.hash,
            verdict=record.verdict,
            state_digest=record.state_digest,
            on=record.on,
        )
    Log.objects.filter(pk=match.log.pk).update(head_hash=previous)
    return verify(match.log)


HEADS = chain.EventRow("tossed", 1, '{"type":"tossed","seat":1,"side":"heads"}')
TAILS = chain.EventRow("tossed", 1, '{"type":"tossed","seat":1,"side":"tails"}')
POINT = chain.EventRow("point-won", 1, '{"type":"point-won","seat":1}')
OTHER = chain.EventRow("point-won", 2, '{"type":"point-won","seat":2}')


@pytest.mark.parametrize(
    ("version", "changes", "problem"),
    [
        pytest.param(2, {"rows": (TAILS, POINT)}, "consequences", id="another-act"),
        pytest.param(2, {"rows": (HEADS, OTHER)}, "consequences", id="another-consequence"),
        pytest.param(2, {"rows": (HEADS,)}, "consequences", id="a-consequence-left-out"),
        pytest.param(2, {"rows": (TAILS,)}, "digest", id="act-and-consequences"),
        pytest.param(2, {"state_digest": "0" * 64}, "digest", id="digest"),
        pytest.param(8, {"verdict": "legal"}, "verdict", id="the-mark-taken-off"),
        pytest.param(9, {"verdict": "irregular no-side"}, "verdict", id="a-mark-put-on"),
        pytest.param(6, {"on": 4}, "on", id="taken-back-elsewhere"),
        pytest.param(
            3,
            {"rows": (chain.EventRow("tossed", 2, '{"type":"tossed", "seat":2,"side":"tails"}'),)},
            "body",
            id="not-canonical",
        ),
        pytest.param(3, {"rows": (chain.EventRow("thrown", 2, "{}"),)}, "body", id="no-act"),
        pytest.param(2, {"rows": (HEADS, POINT, POINT)}, "consequences", id="one-too-many"),
    ],
)
def test_a_log_chained_anew_without_deciding_again_is_found(
    match: Match, version: int, changes: dict[str, Any], problem: str
) -> None:
    if len(changes.get("rows", ())) > 2:
        insert_a_consequence(match)
    report = forge(match, version, **changes)
    assert (report.first_bad, report.problem) == (version, problem)


def test_a_draw_that_the_seed_does_not_give_is_found(match: Match) -> None:
    stored = msgspec.json.decode(events(match, 7).get().body)
    stored["side"] = {"heads": "tails", "tails": "heads"}[stored["side"]]
    row = chain.EventRow("tossed", 1, msgspec.json.encode(stored).decode())
    won = (POINT,) if stored["side"] == "heads" else ()
    if won:
        Event.objects.create(
            log=match.log, version=7, ordinal=1, position=events(match, 7).get().position
        )
    report = forge(match, 7, rows=(row, *won))
    assert (report.first_bad, report.problem) == (7, "draw")


# -- beside the events ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [{"head_hash": "0" * 64}, {"head_version": 9}, {"head_version": 11}],
    ids=["hash", "behind", "ahead"],
)
def test_a_head_that_is_not_the_last_entry_is_found(match: Match, changes: dict) -> None:
    Log.objects.filter(pk=match.log.pk).update(**changes)
    assert not verify(match.log).ok


def test_a_changed_note_is_found_an_erased_one_is_not_missed(match: Match) -> None:
    notes = Note.objects.filter(log=match.log)
    notes.update(text="No.")
    assert (verify(match.log).first_bad, verify(match.log).problem) == (5, "note")
    notes.update(text="", salt="", erased_at=timezone.now())
    assert verify(match.log).ok
    notes.delete()
    assert verify(match.log).problem == "note"


@pytest.mark.parametrize("changed", ["tests.matches.toy.Toy.dump", "rules.encoding.entry_of"])
def test_a_changed_note_is_found_though_the_rules_changed_before_it(
    match: Match, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    Log.objects.update(rules_digest="of before")
    monkeypatch.setattr(changed, lambda *_: None if changed.endswith("entry_of") else b"[]")
    assert verify(match.log).unverified
    Note.objects.update(text="No.")
    report = verify(match.log)
    assert (report.first_bad, report.problem, report.unverified) == (5, "note", False)


# -- the command ---------------------------------------------------------------------------------


def test_the_command_verifies_every_log_and_counts() -> None:
    factories.played(2)
    factories.played(3)
    out = StringIO()
    call_command("verify", stdout=out)
    assert "2 logs, 7 entries, 0 bad" in out.getvalue()


def test_the_command_names_the_bad_and_fails(match: Match) -> None:
    good = factories.played(2)
    events(match, 4).update(verdict="irregular out-of-turn")
    out = StringIO()
    with pytest.raises(CommandError, match="1 of 2"):
        call_command("verify", stdout=out)
    assert f"{match.code}: entry 4, hash" in out.getvalue()
    call_command("verify", good.code, stdout=out)


def test_the_command_refuses_an_unknown_code() -> None:
    with pytest.raises(CommandError, match="NOSUCH"):
        call_command("verify", "NOSUCH")


def test_the_command_finds_a_gap_in_the_feed(match: Match) -> None:
    FeedHead.objects.update(position=F("position") + 1)
    with pytest.raises(CommandError, match="feed"):
        call_command("verify", stdout=StringIO())
