"""Corrections: who may, what is written, and that the preview equals the result."""

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from matches import audiences, errors, log, rows, scribes, selectors, services, transfer, undoing
from matches.actors import Actor
from matches.changes import Preview
from matches.log import Receipt
from matches.models import Event, FeedHead, Log, Match, Note
from matches.services import CorrectionRequest
from matches.transfer import import_log
from matches.verify import verify
from rules.ruleset import SeedRevealed, impossible
from tests import factories
from tests.matches.test_taking_back import Table

pytestmark = pytest.mark.django_db

REASON = "It was the other side."


class Tosses(Table):
    """A sanctioned match of tosses, whose acts are known by their version."""

    def id_of(self, version: int) -> UUID:
        found = Event.objects.get(log=self.match.log, version=version, ordinal=0).act_id
        assert found is not None
        return found

    def correct(
        self, version: int, act: dict[str, Any] | None, by: Actor | None = None, **details: Any
    ) -> list[Receipt]:
        correction_id = details.pop("correction_id", uuid4())
        asked = CorrectionRequest(self.id_of(version), act, **{"reason": REASON, **details})
        return services.correct(
            match=self.match, by=by or self.judge, correction_id=correction_id, request=asked
        )

    def preview(
        self, version: int, act: dict[str, Any] | None, by: Actor | None = None, **details: Any
    ) -> Preview:
        asked = CorrectionRequest(self.id_of(version), act, **details)
        return services.preview_correction(match=self.match, by=by or self.judge, request=asked)

    @property
    def heads(self) -> tuple[int, ...]:
        heads: tuple[int, ...] = selectors.timeline(self.match).head.state.heads
        return heads


def tossed(*sides: str) -> Tosses:
    """Return a match in which the seats tossed in turn."""
    table = Tosses()
    for number, side in enumerate(sides):
        table.toss(1 + number % 2, side)
    return table


def toss(seat: int, side: str, **more: str) -> dict[str, Any]:
    return {"type": "tossed", "seat": seat, "side": side, **more}


def refused(code: str, call: Any) -> errors.Refused:
    with pytest.raises(errors.Refused) as caught:
        call()
    assert caught.value.code == code
    return caught.value


# -- what is written ------------------------------------------------------------------


def test_a_correction_is_one_taking_back_the_new_act_and_the_later_ones_again() -> None:
    table = tossed("heads", "tails", "heads")
    receipts = table.correct(2, toss(1, "tails"))
    assert [receipt.version for receipt in receipts] == [5, 6, 7, 8]
    entries = audiences.entries(table.match, after=4)
    assert [entry.repeats for entry in entries] == [None, None, 3, 4]
    assert [entry.note for entry in entries] == [REASON, "", "", ""]
    assert table.heads == (1, 0)


@pytest.mark.parametrize(
    ("act", "note"),
    [
        ({"type": "said", "seat": 1}, "Off the table!"),
        ({"type": "ruled", "winner": 1}, ""),
        (toss(1, "tails"), ""),  # has no place for a note
    ],
)
def test_a_note_stays_with_an_act_of_the_same_type_alone(act: dict[str, Any], note: str) -> None:
    table = tossed()
    said = {"type": "said", "seat": 2}
    factories.record(table.match, said, by=table.two, note="Off the table!")
    table.correct(2, act)
    assert [entry.note for entry in audiences.entries(table.match, after=2)] == [REASON, note]


def test_nothing_written_before_is_touched() -> None:
    table = tossed("heads", "tails", "heads")
    before = list(Event.objects.filter(log=table.match.log).values())
    views = [audiences.state_view(table.match, at) for at in range(1, 5)]
    table.correct(2, toss(1, "tails"))
    assert list(Event.objects.filter(log=table.match.log, version__lte=4).values()) == before
    assert [audiences.state_view(table.match, at) for at in range(1, 5)] == views


def test_a_corrected_log_verifies_and_comes_back_as_it_was() -> None:
    table = tossed("heads", "tails", "heads")
    table.correct(3, None)
    assert verify(table.match.log).ok
    whole = transfer.export_ndjson(table.match)
    text = transfer.export_notation(table.match)
    again = import_log(by=table.opener, data=text.encode())
    assert [e.repeats for e in selectors.timeline(again).entries] == [
        e.repeats for e in selectors.timeline(table.match).entries
    ]
    assert verify(again.log).ok
    assert transfer.export_ndjson(table.match) == whole


def test_the_same_correction_sent_twice_is_one() -> None:
    table = tossed("heads", "tails", "heads")
    same = {"correction_id": uuid4()}
    first = table.correct(2, toss(1, "tails"), **same)
    again = table.correct(2, toss(1, "tails"), **same)
    assert first == again
    assert [receipt.recorded for receipt in again] == [False] * 4
    assert table.match.log.head_version == 8


@pytest.mark.parametrize(
    "change",
    [
        {"act": None},
        {"act": toss(2, "heads")},
        {"version": 3},
        {"reason": "Another reason."},
        {"irregular": True},
    ],
)
def test_another_correction_under_the_same_id_is_refused(change: dict[str, Any]) -> None:
    table = tossed("heads", "tails", "heads")
    asked = {"version": 2, "act": toss(1, "tails"), "correction_id": uuid4()}
    table.correct(**asked)
    refused("id-reused", lambda: table.correct(**{**asked, **change}))
    back = {"match": table.match, "by": table.judge, "act_id": asked["correction_id"], "to": 1}
    refused("id-reused", lambda: services.take_back(**back))


def test_an_id_that_names_an_act_names_no_correction() -> None:
    table = tossed("heads", "tails")
    refused("id-reused", lambda: table.correct(2, None, correction_id=table.id_of(3)))


def test_a_correction_after_the_preview_finds_the_log_as_it_was() -> None:
    table = tossed("heads", "tails")
    head = table.preview(2, None).head
    table.toss(1)
    refused("moved-on", lambda: table.correct(2, None, after=head))
    assert table.match.log.head_version == 4


def test_an_act_repeated_since_is_corrected_by_the_id_it_had() -> None:
    table = tossed("heads", "tails", "heads")
    table.correct(2, toss(1, "tails"))
    table.correct(4, toss(1, "tails"))
    assert table.heads == (0, 0)


def test_in_a_withdrawn_match_nothing_is_corrected() -> None:
    table = tossed("heads", "tails")
    services.withdraw(by=table.judge, match=table.match)
    refused("withdrawn", lambda: table.preview(2, None))
    refused("withdrawn", lambda: table.correct(2, None))


def test_what_was_replaced_counts_no_more() -> None:
    table = tossed("heads", "tails", "heads")
    table.correct(2, toss(1, "tails"))
    refused("counts-no-more", lambda: table.correct(2, None))


def test_the_setup_and_takings_back_are_not_corrected() -> None:
    table = tossed("heads", "tails")
    table.take_back(2, table.one)
    for version in (1, 4):
        refused("not-correctable", lambda version=version: table.correct(version, None))


def test_a_log_that_would_grow_too_long_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tossed("heads", "tails", "heads")
    monkeypatch.setattr(log, "MAX_ENTRIES", 7)
    refused("log-full", lambda: table.correct(2, toss(1, "tails")))
    assert table.match.log.head_version == 4
    assert table.correct(3, None)[-1].version == 6


def test_a_failure_in_the_middle_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tossed("heads", "tails", "heads")
    before = Event.objects.count(), FeedHead.objects.get().position, Note.objects.count()
    insert = rows.insert

    def half(into: Log, records: Any) -> None:
        insert(into, list(records)[:2])
        raise RuntimeError("the power went")

    monkeypatch.setattr(rows, "insert", half)
    with pytest.raises(RuntimeError):
        table.correct(2, toss(1, "tails"))
    assert (Event.objects.count(), FeedHead.objects.get().position, Note.objects.count()) == before
    table.match.log.refresh_from_db()
    assert table.match.log.head_version == 4


# -- against the rules ----------------------------------------------------------------


def test_a_later_act_now_against_the_rules_is_marked_and_told() -> None:
    table = tossed("heads", "tails", "heads")
    preview = table.preview(2, None)
    assert [each.now and each.now.irregular for each in preview.differing] == ["out-of-turn"]
    assert preview.same == 1
    table.correct(2, None)
    marks = [entry.irregular for entry in audiences.entries(table.match, after=5)]
    assert marks == ["out-of-turn", ""]


def test_an_act_legal_again_is_no_longer_marked() -> None:
    table = tossed("heads")
    services.record(
        match=table.match, by=table.judge, act_id=uuid4(), act=toss(1, "tails"), irregular=True
    )
    table.correct(2, None)
    assert audiences.entries(table.match, after=4)[-1].irregular == ""


def test_a_new_act_against_the_rules_is_asked_about() -> None:
    table = tossed("heads", "tails")
    wrong = toss(2, "heads")
    told = refused("irregular", lambda: table.correct(2, wrong))
    assert isinstance(told, errors.Irregular)
    refused("irregular", lambda: table.preview(2, wrong))
    table.correct(2, wrong, irregular=True)
    assert audiences.entries(table.match, after=4)[0].irregular == "out-of-turn"


def test_what_is_impossible_now_is_left_out_and_told() -> None:
    table = tossed("tails", "tails", "heads")
    ruling = {"type": "ruled", "winner": 2}
    preview = table.preview(2, ruling)
    assert [each.was.version for each in preview.left_out] == [3, 4]
    assert preview.left_out[0].verdict == impossible("match-over", "TOY END-1")
    assert preview.left_out[0].why == "The match is over. (TOY END-1)"
    table.correct(2, ruling)
    assert table.match.log.head_version == 6
    assert table.match.log.status == "ended"


def test_why_an_act_is_against_the_rules_names_the_player() -> None:
    table = tossed()
    assert table.two.player is not None
    told = refused(
        "irregular", lambda: factories.record(table.match, toss(2, "heads"), by=table.two)
    )
    assert table.two.player.name in told.detail


# -- what is told before --------------------------------------------------------------


@pytest.mark.parametrize("act", [None, toss(1, "tails"), {"type": "ruled", "winner": 1}])
@pytest.mark.parametrize("version", [2, 3, 4])
def test_the_preview_is_the_result(version: int, act: dict[str, Any] | None) -> None:
    table = tossed("heads", "tails", "heads")
    told = table.preview(version, act, irregular=True)
    receipts = table.correct(version, act, irregular=True, after=told.head)
    timeline = selectors.timeline(table.match)
    assert told.after.headline == table.match.log.headline
    assert told.after.outcome == timeline.ruleset.outcome(timeline.head.state)
    counted = 1 + (act is not None) + told.same + len(told.differing)
    assert len(receipts) == counted
    now = [each.now for each in (told.corrected, *told.differing) if each.now]
    for line in now:
        entry = timeline.entries[line.version - 1]
        assert (line.irregular, len(line.consequences)) == (
            entry.irregular,
            len(entry.consequences),
        )


def test_a_preview_leaves_no_trace() -> None:
    table = tossed("heads", "tails", "heads")
    before = Event.objects.count(), Note.objects.count(), Log.objects.values().get()
    table.preview(2, None, reason="Because.")
    assert (Event.objects.count(), Note.objects.count(), Log.objects.values().get()) == before
    assert table.heads == (2, 0)


def test_the_end_of_a_match_is_undone_and_made_by_a_correction() -> None:
    table = tossed("heads", "tails", "heads", "tails", "heads")
    assert table.match.log.status == "ended"
    preview = table.preview(2, toss(1, "tails"))
    assert preview.before.outcome
    assert preview.after.outcome is None
    table.correct(2, toss(1, "tails"))
    assert table.match.log.status == "open"
    assert Match.objects.get(pk=table.match.pk).ended_at is None
    table.correct(table.match.log.head_version - 4, toss(1, "heads"))
    assert Match.objects.get(pk=table.match.pk).ended_at is not None


# -- who may --------------------------------------------------------------------------


def test_the_last_act_is_corrected_by_anyone_at_the_table_without_a_reason() -> None:
    table = tossed("heads", "tails")
    assert not table.preview(3, None, table.one).needs_reason
    table.correct(3, toss(2, "heads"), table.one, reason="")
    assert table.heads == (1, 1)


def test_older_acts_are_for_officials_with_a_reason() -> None:
    table = tossed("heads", "tails")
    for by in (table.one, table.two, table.opener):
        refused("officials-only", lambda by=by: table.correct(2, None, by))
        refused("officials-only", lambda by=by: table.preview(2, None, by))
    assert table.preview(2, None).needs_reason
    refused("missing-reason", lambda: table.correct(2, None, reason="  "))
    table.correct(2, None)


def test_once_it_is_over_it_takes_an_official() -> None:
    table = tossed("heads", "tails", "heads", "tails", "heads")
    refused("officials-only", lambda: table.correct(6, None, table.two))
    refused("missing-reason", lambda: table.correct(6, None, reason=""))
    table.correct(6, None)


def test_past_a_draw_it_takes_another_seat() -> None:
    table = tossed()
    table.toss(1, "", spin="server")
    for same in (table.one, table.opener):
        refused("needs-another-seat", lambda same=same: table.correct(2, None, same))
    table.correct(2, None, table.two)


def test_a_stranger_corrects_nothing() -> None:
    table = tossed("heads")
    refused("not-allowed", lambda: table.correct(2, None, factories.actor()))


def test_a_ruling_is_put_in_place_by_an_official_alone() -> None:
    table = tossed("heads")
    ruling = {"type": "ruled", "winner": 1}
    refused("officials-only", lambda: table.correct(2, ruling, table.one))
    table.correct(2, ruling)


def test_the_last_act_is_the_scribes_to_correct_or_an_officials() -> None:
    table = tossed("heads", "tails")
    scribes.take(match=table.match, by=table.one, over=None)
    refused("not-the-scribe", lambda: table.correct(3, None, table.two))
    table.correct(3, toss(2, "heads"), table.one)
    table.correct(5, None, table.judge)
    assert table.heads == (1, 0)


# -- draws ----------------------------------------------------------------------------


def spun() -> Tosses:
    """Return a match of the site's tosses, played to its end: the seed is out."""
    table = Tosses()
    while table.match.log.status == "open":
        table.toss(selectors.timeline(table.match).head.state.turn, "", spin="server")
    return table


def test_the_seed_is_revealed_once_and_what_fell_stays() -> None:
    table = spun()
    before = selectors.timeline(table.match)
    sides = [getattr(entry.act, "side", "") for entry in before.entries[1:-1]]
    table.correct(2, toss(1, "tails" if sides[0] == "heads" else "heads"))
    timeline = selectors.timeline(table.match)
    reveals = [entry for entry in timeline.entries if isinstance(entry.act, SeedRevealed)]
    assert len(reveals) == 1
    again = [e.act.side for e in timeline.entries if e.repeats is not None]
    assert again == sides[1 : 1 + len(again)]
    report = verify(table.match.log)
    assert report.ok
    assert report.draws == report.draws_checked == len(sides)


def test_a_seed_that_is_out_is_never_told_as_taken_back(client: Client) -> None:
    table = spun()
    out = table.match.log.head_version
    before = selectors.timeline(table.match).entries[1].act.side
    table.correct(2, toss(1, "tails" if before == "heads" else "heads"))
    page = client.get(f"/matches/{table.match.code}/").content.decode()
    lines = dict(re.findall(r'<li id="entry-(\d+)"[^>]*?(class="undone")?>', page))
    assert (lines["2"], lines[str(out)]) == ('class="undone"', "")


def test_no_preview_tells_a_draw_to_come() -> None:
    """Whoever tried it out knew how the next spin falls before they chose what to spin for."""
    table, spin = tossed("heads"), toss(1, "", spin="server")
    refused("not-drawn", lambda: table.preview(2, spin, table.one))
    refused("not-drawn", lambda: table.correct(2, spin, table.one))
    table.toss(2, "", spin="server")
    assert table.preview(2, spin).corrected.now  # that draw was made, and falls the same


def test_a_correction_that_ends_the_match_reveals_the_seed() -> None:
    table = tossed("heads", "tails")
    table.toss(1, "", spin="server")
    receipts = table.correct(3, {"type": "ruled", "winner": 1})
    assert table.match.log.status == "ended"
    last = selectors.timeline(table.match).entries[-1]
    assert isinstance(last.act, SeedRevealed)
    assert receipts[-1].version == last.version - 1
    assert verify(table.match.log).ok


# -- as it happened -------------------------------------------------------------------


def test_as_it_happened_an_entry_is_what_counts_in_its_place() -> None:
    table = tossed("heads", "tails", "heads")
    table.correct(2, toss(1, "tails"))
    told = selectors.happened(table.match, 8)
    assert {version: told.at(version) for version in range(1, 9)} == {
        1: 1, 2: 6, 3: 7, 4: 8, 5: 8, 6: 6, 7: 7, 8: 8,
    }  # fmt: skip
    assert told.counts == {1, 6, 7, 8}
    assert told.replaced == {2: 6}


def test_the_last_act_corrected_is_told_from_one_taken_back() -> None:
    table = tossed("heads")
    table.correct(2, toss(1, "tails"))
    assert selectors.happened(table.match, 4).replaced == {2: 4}
    other = tossed("heads")
    other.take_back(1, other.one)
    other.toss(1, "tails")
    assert selectors.happened(other.match, 4).replaced == {}


def test_as_it_happened_the_head_is_the_head() -> None:
    table = tossed("tails", "tails", "heads")
    table.correct(2, {"type": "ruled", "winner": 2})
    table.take_back(4, table.judge)
    assert selectors.happened(table.match, 7).at(7) == 4


def test_what_is_held_back_is_not_looked_at() -> None:
    table = tossed("heads", "tails", "heads")
    table.correct(2, toss(1, "tails"))
    told = selectors.happened(table.match, 4)
    assert (told.counts, told.replaced, told.at(2)) == ({1, 2, 3, 4}, {}, 2)


# -- undo and redo --------------------------------------------------------------------


def test_undo_and_redo_say_where_they_lead() -> None:
    table = tossed("heads", "tails")
    table.take_back(2, table.one)
    undo, redo = undoing.moves(selectors.timeline(table.match), 4)
    assert undo is not None and redo is not None
    assert (undo.to, undo.version, redo.to, redo.version) == (1, 2, 3, 3)


def test_several_undone_are_brought_back_one_by_one() -> None:
    table = tossed("heads", "tails", "heads")
    table.take_back(3, table.one)
    table.take_back(2, table.one)
    for expected in (3, 4):
        _, redo = undoing.moves(selectors.timeline(table.match), table.match.log.head_version)
        assert redo is not None and redo.to == expected
        table.take_back(redo.to, table.two)
    assert table.heads == (2, 0)


def test_what_an_official_undid_at_once_only_an_official_brings_back() -> None:
    table = tossed("heads", "tails", "heads")
    table.take_back(2, table.judge)
    refused("officials-only", lambda: table.take_back(4, table.one))
    table.take_back(4, table.judge)
    assert table.heads == (2, 0)
