"""The log: the guarantees of `append`."""

from typing import Any
from uuid import uuid4, uuid5

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from matches import errors, memory, selectors, services
from matches.models import Event, FeedHead, Log, Match, Note
from matches.verify import verify
from rules.ruleset import event_type
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db

HEADS = {"type": "tossed", "seat": 1, "side": "heads"}


def test_an_act_and_its_consequences_are_one_entry() -> None:
    match = factories.match(game="toy")
    receipt = factories.record(match, HEADS)
    rows = Event.objects.filter(log=match.log, version=receipt.version)
    assert [(row.ordinal, row.type, row.seat) for row in rows] == [
        (0, "tossed", 1),
        (1, "point-won", 1),
    ]


def test_a_receipt_says_what_was_recorded() -> None:
    match = factories.match(game="toy")
    receipt = factories.record(match, HEADS)
    assert (receipt.version, receipt.hash) == (2, match.log.head_hash)
    assert [event_type(event) for event in (receipt.act, *receipt.consequences)] == [
        "tossed",
        "point-won",
    ]


def test_a_headline_that_is_too_long_says_so() -> None:
    """Or a score of 12 could be told as 1."""
    labels = [f"{'South team ' * 4}{number}" for number in range(1, 9)]
    match = factories.match(seats=[services.SeatRequest(label=label) for label in labels])
    line = match.log.headline
    assert len(line) == 200
    assert line.endswith("…")
    assert line.startswith(f"{labels[0]} 0, {labels[1]} 0, ")


def test_the_same_request_again_gets_its_first_receipt() -> None:
    match = factories.match()
    act_id = uuid4()
    first = factories.record(match, act_id=act_id)
    factories.record(match)
    again = factories.record(match, act_id=act_id)
    assert again == first
    assert (first.recorded, again.recorded) == (True, False)
    assert match.log.head_version == 3


@pytest.mark.parametrize(
    ("act", "details"),
    [
        pytest.param(factories.points(1, 2), {}, id="another-act"),
        pytest.param(factories.points(1, 1), {"irregular": True}, id="said-to-be-irregular"),
    ],
)
def test_an_id_is_not_used_for_something_else(act: dict, details: dict) -> None:
    match = factories.match()
    act_id = uuid4()
    factories.record(match, factories.points(1, 1), act_id=act_id)
    with pytest.raises(errors.IdReused):
        factories.record(match, act, act_id=act_id, **details)
    assert match.log.head_version == 2


def test_ids_made_of_that_of_a_correction_are_not_used_before() -> None:
    match, correction = factories.match(), uuid4()
    taken = uuid5(correction, "1")
    factories.record(match, factories.points(1, 1), act_id=taken)
    with pytest.raises(errors.IdReused):
        services.correct(
            match=match,
            by=factories.opener_of(match),
            correction_id=correction,
            request=services.CorrectionRequest(taken, factories.points(1, 2)),
        )
    assert match.log.head_version == 2


def test_the_same_id_may_be_used_in_another_log() -> None:
    act_id = uuid4()
    receipts = [factories.record(factories.match(), act_id=act_id) for _ in range(2)]
    assert receipts[0].position != receipts[1].position


# -- after ------------------------------------------------------------------------------------


def test_after_names_a_version() -> None:
    match = factories.match()
    assert factories.record(match, after=1).version == 2


def test_after_names_the_act_before_so_that_a_phone_can_queue() -> None:
    match = factories.match()
    first, second = uuid4(), uuid4()
    factories.record(match, act_id=first)
    factories.record(match, act_id=second, after=first)
    assert factories.record(match, after=second).version == 4


def test_an_act_after_an_older_version_learns_what_it_missed() -> None:
    match = factories.played(3)
    with pytest.raises(errors.MovedOn) as refused:
        factories.record(match, after=2)
    assert (refused.value.head, refused.value.code) == (4, "moved-on")
    assert [entry.version for entry in refused.value.missed] == [3, 4]


@pytest.mark.parametrize("after", [9, -1, 2**62, uuid4()], ids=["future", "below", "far", "id"])
def test_after_must_be_in_the_log(after: object) -> None:
    match = factories.match()
    with pytest.raises(errors.Conflict) as refused:
        factories.record(match, after=after)
    assert refused.value.code == "after-unknown"


def test_without_after_the_act_goes_on_top() -> None:
    match = factories.match()
    stale = selectors.match_for(factories.opener_of(match), match.code)
    factories.record(match)
    assert factories.record(stale).version == 3


# -- what the rules say -------------------------------------------------------------------------


def test_an_impossible_act_is_refused_with_its_clause() -> None:
    match = factories.match(game="toy")
    with pytest.raises(errors.Impossible) as refused:
        factories.record(match, {"type": "tossed", "seat": 1})
    assert (refused.value.status, refused.value.code) == (422, "no-side")
    assert refused.value.clause == "TOY ACT-1"


def test_an_irregular_act_is_refused_until_it_is_said_to_have_stood() -> None:
    match = factories.match(game="toy")
    out_of_turn = {"type": "tossed", "seat": 2, "side": "heads"}
    with pytest.raises(errors.Irregular) as refused:
        factories.record(match, out_of_turn)
    assert (refused.value.status, refused.value.extra["verdict"]) == (409, "out-of-turn")
    factories.record(match, out_of_turn, irregular=True)
    assert Event.objects.get(log=match.log, version=2, ordinal=0).verdict == "irregular out-of-turn"


def test_a_legal_act_is_not_marked_though_said_to_be_irregular() -> None:
    match = factories.match(game="toy")
    factories.record(match, HEADS, irregular=True)
    assert Event.objects.get(log=match.log, version=2, ordinal=0).verdict == "legal"


@pytest.mark.parametrize("seat", [0, 3, -1, 2**63 - 1])
def test_a_seat_has_to_be_at_the_table(seat: int) -> None:
    match = factories.match()
    with pytest.raises(errors.WrongSeat):
        factories.record(match, factories.points(seat))


@pytest.mark.parametrize(
    "act",
    [
        {"type": "seed-revealed", "seed": "00"},
        {"type": "opened", "ruleset": "score@1", "options": {}, "seats": []},
    ],
    ids=lambda act: act["type"],
)
def test_the_site_alone_opens_and_reveals(act: dict) -> None:
    with pytest.raises(errors.Impossible):
        factories.record(factories.match(), act)


def test_a_log_holds_so_many_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.log.MAX_ENTRIES", 2)
    match = factories.played(1)
    with pytest.raises(errors.Conflict) as refused:
        factories.record(match)
    assert refused.value.code == "log-full"


def test_nothing_is_recorded_in_a_withdrawn_match() -> None:
    match = factories.match()
    stale = selectors.match_for(factories.opener_of(match), match.code)
    services.withdraw(by=factories.opener_of(match), match=match)
    with pytest.raises(errors.Conflict) as refused:
        factories.record(stale)
    assert refused.value.code == "withdrawn"


# -- head, feed, end ----------------------------------------------------------------------------


def test_positions_have_no_gap_across_logs() -> None:
    before = FeedHead.objects.get().position
    matches = [factories.match(), factories.match()]
    receipts = [factories.record(match) for match in (*matches, *matches)]
    assert [receipt.position for receipt in receipts] == [before + n for n in (3, 4, 5, 6)]


def test_the_head_is_kept_on_the_log() -> None:
    match = factories.played(2)
    log = Log.objects.get(pk=match.log.pk)
    last = Event.objects.get(log=log, version=3, ordinal=0)
    assert (log.head_version, log.head_hash) == (3, last.hash)
    assert log.headline == "Side 1 1, Side 2 1"


def test_the_end_of_a_match_is_noted_and_taking_back_reopens_it() -> None:
    match = factories.match()
    factories.record(match, {"type": "game-won", "seat": 1})
    ended = Match.objects.select_related("log").get(pk=match.pk)
    assert (ended.log.status, ended.ended_at is None) == ("ended", False)
    services.take_back(match=match, by=factories.opener_of(match), act_id=uuid4(), to=1)
    reopened = Match.objects.select_related("log").get(pk=match.pk)
    assert (reopened.log.status, reopened.ended_at) == ("open", None)


@pytest.mark.django_db(transaction=True)
def test_taking_back_past_an_unseen_end_reopens_the_match() -> None:
    match = factories.match()
    by = factories.opener_of(match)
    stale = selectors.match_for(by, match.code)
    factories.record(match, {"type": "game-won", "seat": 1})
    services.take_back(match=stale, by=by, act_id=uuid4(), to=1)
    assert Match.objects.get(pk=match.pk).ended_at is None


def test_a_resent_act_returns_the_head_it_moved() -> None:
    match = factories.match()
    by = factories.opener_of(match)
    stale = selectors.match_for(by, match.code)
    act_id, act = uuid4(), {"type": "game-won", "seat": 1}
    first = factories.record(match, act, act_id=act_id)
    again = services.record(match=stale, by=by, act_id=act_id, act=act)
    assert (again, stale.log.head_version) == (first, match.log.head_version)


# -- notes --------------------------------------------------------------------------------------


def test_a_note_lies_beside_the_body_with_its_salted_hash_inside() -> None:
    match = factories.match(game="toy")
    factories.record(match, {"type": "said", "seat": 1}, note="  We agreed on it. ")
    body = Event.objects.get(log=match.log, version=2).body
    note = Note.objects.get(log=match.log)
    assert (note.text, note.digest in body, note.text in body) == ("We agreed on it.", True, False)


def test_the_same_act_with_another_note_is_another_request() -> None:
    match = factories.match(game="toy")
    act_id, said = uuid4(), {"type": "said", "seat": 1}
    first = factories.record(match, said, act_id=act_id, note="one")
    assert factories.record(match, said, act_id=act_id, note="one") == first
    for other in ("two", ""):
        with pytest.raises(errors.IdReused):
            factories.record(match, said, act_id=act_id, note=other)


def test_the_same_act_is_known_again_when_its_note_was_erased() -> None:
    match, act_id = factories.match(game="toy"), uuid4()
    said = {"type": "said", "seat": 1}
    first = factories.record(match, said, act_id=act_id, note="one")
    Note.objects.filter(log=match.log).update(text="", salt="", erased_at=timezone.now())

    assert factories.record(match, said, act_id=act_id, note="one") == first


@pytest.mark.parametrize(
    ("act", "note", "code"),
    [
        ({"type": "said", "seat": 1, "note": "0" * 64}, "", "note-in-act"),
        (HEADS, "why", "no-note"),
        ({"type": "said", "seat": 1}, "x" * 2001, "bad-length"),
        ({"type": "said", "seat": 1}, "nul \0", "nul"),
        ({"type": "said", "seat": 1}, "half \ud800", "lone-surrogate"),
    ],
    ids=["in-the-act", "act-without-notes", "too-long", "nul", "surrogate"],
)
def test_notes_are_plain_text_beside_an_act_that_takes_one(act: dict, note: str, code: str) -> None:
    with pytest.raises(errors.BadInput) as refused:
        factories.record(factories.match(game="toy"), act, note=note)
    assert refused.value.code == code


# -- in memory ----------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_an_append_reads_nothing_that_is_cached() -> None:
    match = factories.played(3)
    by = factories.opener_of(match)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        services.record(match=match, by=by, act_id=uuid4(), act=factories.points())
    statements = [query["sql"].split()[0] for query in queries]
    storing = ["UPDATE", "INSERT", "UPDATE", "INSERT"]  # first that followers are due
    if connection.vendor == "postgresql":
        storing = ["WITH"]
    assert [s for s in statements if s != "BEGIN" and s != "COMMIT"] == [
        "SELECT",  # whether there is a scribe, or the act was proposed
        *storing,
    ]


@pytest.mark.django_db(transaction=True)
def test_a_rolled_back_entry_is_not_cached() -> None:
    match = factories.played(1)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        factories.record(match)
        1 / 0  # noqa: B018 - whatever goes wrong
    fresh = selectors.match_for(factories.opener_of(match), match.code)
    assert len(selectors.timeline(fresh)) == 2
    assert factories.record(fresh).version == 3


@pytest.mark.django_db(transaction=True)
def test_entries_from_another_process_are_read_when_needed() -> None:
    match = factories.played(2)
    memory.forget(match.log)
    elsewhere = selectors.match_for(factories.opener_of(match), match.code)
    assert len(selectors.timeline(elsewhere)) == 3
    assert factories.record(elsewhere).version == 4


@pytest.mark.django_db(transaction=True)
def test_the_cache_of_logs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.memory.MAX_LOGS", 2)
    matches = [factories.played(1) for _ in range(3)]
    assert len(memory._logs) == 2
    assert [factories.record(match).version for match in matches] == [3, 3, 3]


def test_rows_that_do_not_lead_to_the_head_are_an_error() -> None:
    match = factories.played(1)
    Log.objects.filter(pk=match.log.pk).update(head_version=9)
    broken = selectors.match_for(factories.opener_of(match), match.code)
    with pytest.raises(errors.Conflict) as refused:
        selectors.timeline(broken)
    assert refused.value.code == "broken"
    assert not verify(broken.log).ok


@pytest.mark.django_db(transaction=True)
def test_logs_of_a_list_are_read_at_once() -> None:
    logs = [factories.played(acts).log for acts in (1, 2, 3)]
    logs[2].head_hash = "0" * 64
    for log in logs:
        memory.forget(log)
    with CaptureQueriesContext(connection) as asked:
        memory.load_all(logs)
        assert [len(memory.loaded(log).timeline) for log in logs[:2]] == [2, 3]
    assert len(asked) == 1
    with pytest.raises(errors.Conflict, match="do not lead"):
        memory.loaded(logs[2])


def test_only_the_notes_of_the_entries_shown_are_read() -> None:
    match = factories.match(game="toy")
    for n in range(6):
        factories.record(match, {"type": "said", "seat": 1}, note=f"Word {n}")
    match.log.refresh_from_db()
    digests = [each.digest for each in Note.objects.order_by("pk")]

    def asked(path: str, **query: Any) -> tuple[list[str], str]:
        with CaptureQueriesContext(connection) as queries:
            told = Api().get(path, **query).json()["entries"]
        sql = " ".join(each["sql"] for each in queries if "matches_note" in each["sql"])
        return [each.get("note", "") for each in told], sql

    first = Api().get("feed/").json()["entries"][0]["position"]
    for path, after in ((f"matches/{match.code}/events/", 3), ("feed/", first + 2)):
        notes, sql = asked(path, after=after, limit=2)
        assert notes == ["Word 2", "Word 3"]
        assert [digest in sql for digest in digests] == [False] * 2 + [True] * 2 + [False] * 2
        notes, sql = asked(path, after=after - 3, limit=1)
        assert (notes, sql) == ([""], "")
