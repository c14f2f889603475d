"""The golden matches of Z-G carry results computed by hand, and cover what they promise."""

from pathlib import Path

import pytest

import rules
from rules import notation
from rules.replay import Timeline
from rules.ruleset import event_type
from rules.zg.consequences import CardTested

GOLDEN = {file.stem: file for file in (Path(__file__).parents[2] / "golden").glob("zg-*.zgxl")}
WORKED_OUT = {"strikes", "result", "clause"}


def script_of(name: str) -> notation.Script:
    return notation.read_match(GOLDEN[name].read_text("utf-8"), rules.get)


def played(name: str) -> Timeline:
    return notation.play(script_of(name))


def kinds(timeline: Timeline) -> set[str]:
    return {event_type(event) for e in timeline.entries for event in (e.act, *e.consequences)}


def test_there_are_twenty_five_full_matches_that_cover_the_rulebook() -> None:
    folder = Path(__file__).parents[2] / "golden"
    files = [*folder.glob("zg-*.zgxl"), *(folder / "zg").glob("*.zgxl")]
    ruleset = rules.get("zg")
    told = {event_type(kind) for kind in (*ruleset.acts, *ruleset.consequences)}
    reached: set[str] = set()
    for file in files:
        script = notation.read_match(file.read_text("utf-8"), rules.get)
        reached |= kinds(notation.play(script))

    assert len(files) == 25
    assert len(told & reached) >= 0.85 * len(told), sorted(told - reached)


def test_there_is_a_duel_one_with_blanks_and_one_of_three() -> None:
    assert set(GOLDEN) == {"zg-duel", "zg-blanks", "zg-three"}


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_every_test_carries_what_was_worked_out_by_hand(name: str) -> None:
    tests = 0
    for line, entry in zip(script_of(name).lines, played(name).entries, strict=True):
        assert "digest" in line.expected
        for event in entry.consequences:
            if isinstance(event, CardTested):
                tests += 1
                assert line.expected.keys() >= WORKED_OUT, line
                assert not event.dots or "dot_matches" in line.expected, line
    assert tests >= 8


def test_the_duel_goes_from_the_setup_to_a_slagged_ulster() -> None:
    timeline = played("zg-duel")
    results = {
        event.result
        for entry in timeline.entries
        for event in entry.consequences
        if isinstance(event, CardTested)
    }

    assert results == {"miss", "blocked", "targetlock", "slag", "slag-again", "slag-stun-again"}
    assert kinds(timeline) >= {
        "attacked",
        "attack-failed",
        "retested",
        "character-spent",
        "taken-back",
        "target-drawn",
        "target-locked",
        "lock-lapsed",
        "follow-up-earned",
        "figure-stunned",
        "prime-decided",
        "pulses-lost",
    }
    assert timeline.ruleset.outcome(timeline.head.state).why == "by-ulster"


def test_the_blanks_are_shown_and_called() -> None:
    timeline = played("zg-blanks")

    assert kinds(timeline) >= {"end-shown", "test-called", "retested", "card-slagged"}
    assert timeline.ruleset.outcome(timeline.head.state).why == "by-gear"


def test_one_of_three_seats_is_left_under_other_readings() -> None:
    timeline = played("zg-three")

    assert any(entry.irregular == "card-already-played" for entry in timeline.entries)
    assert timeline.setup.options.strikes == "card_tests"
    assert timeline.ruleset.outcome(timeline.head.state).places == (1, 2, 3)
