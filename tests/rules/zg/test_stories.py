"""What a log says about single cards: tests as they count, and by what a card stays slagged."""

from pathlib import Path

import pytest

import rules
from rules import notation
from rules.replay import entry_after
from rules.ruleset import TakenBack
from rules.zg.stories import CardSlagStory, CardTestStory, Story, stories
from tests.rules.zg.table import SAVER, attacks, opened, played

GOLDEN = Path(__file__).parents[2] / "golden"


def told(*lines: str, **setup: object) -> list[Story]:
    timeline = played(*lines, **setup)
    return stories(timeline, len(timeline))


def test_a_test_is_told_with_what_got_through_and_what_was_blocked() -> None:
    [test] = told("attacked 1 Three a 2 Frail b")
    assert isinstance(test, CardTestStory)
    assert (test.seat, test.card, test.foe, test.target) == (1, "Three", 2, "Frail")
    assert (test.version, test.turn, test.strikes, test.blocked) == (2, 1, 0, 3)
    assert (test.dot_matches, test.result) == (3, "blocked")


def test_a_called_test_blocks_what_matched_and_did_not_strike() -> None:
    [test] = told("test-called 1 Two 2 Shield 1 dot-matches=3")
    assert isinstance(test, CardTestStory)
    assert (test.strikes, test.blocked) == (1, 2)


def test_a_slag_names_who_did_it_and_with_what() -> None:
    _, slag = told("attacked 1 Two a 2 Shield a")
    assert slag == CardSlagStory(version=2, turn=1, seat=2, card="Shield", by=1, weapon="Two")


def test_the_first_test_of_a_turn_is_told_of_that_turn() -> None:
    found = told(*attacks(1, 2), *attacks(2, 1), "attacked 1 Two a 2 Boots b")
    assert [story.turn for story in found] == [1] * 6 + [2, 2]


def test_a_retest_takes_the_place_of_the_test_and_gives_back_its_slag() -> None:
    [test] = told("attacked 1 Two a 2 Shield a", "retested 2 target b")
    assert isinstance(test, CardTestStory)
    assert (test.version, test.strikes) == (3, 1)
    tested, slag = told("attacked 1 Two a 2 Shield b", "retested 1 target a")
    assert (tested.version, slag) == (
        3,
        CardSlagStory(version=3, turn=1, seat=2, card="Shield", by=1, weapon="Two"),
    )


def test_a_saved_card_was_not_slagged() -> None:
    lines = ("attacked 1 Two a 2 Shield a", "character-spent 2")
    assert [type(each) for each in told(*lines, setup=opened(SAVER, SAVER))] == [CardTestStory]


def test_rulings_slag_by_nobody_restore_and_change_strikes() -> None:
    assert told("ruled slag foe=2 target=Shield") == [
        CardSlagStory(version=2, turn=1, seat=2, card="Shield")
    ]
    restored = ("attacked 1 Two a 2 Shield a", "ruled restore foe=2 target=Shield")
    assert [type(each) for each in told(*restored)] == [CardTestStory]
    test, slag = told("attacked 1 One a 2 Shield a", "ruled strikes strikes=2")
    assert (test.version, slag) == (
        3,
        CardSlagStory(version=3, turn=1, seat=2, card="Shield", by=1, weapon="One"),
    )


def test_by_score_alone_a_slag_has_no_weapon() -> None:
    setup = opened(options={"depth": "score"})
    assert told("slag-called 1 2 Shield", setup=setup) == [
        CardSlagStory(version=2, turn=1, seat=2, card="Shield", by=1)
    ]


def test_what_was_taken_back_is_not_told() -> None:
    timeline = played("attacked 1 Two a 2 Shield a")
    timeline.add(*entry_after(timeline.ruleset, timeline, TakenBack(to=1)))
    assert stories(timeline, 3) == []
    assert len(stories(timeline, 2)) == 2


@pytest.mark.parametrize("name", ["zg-duel", "zg-three", "zg-blanks"])
def test_what_stays_slagged_is_what_the_state_says_at_every_version(name: str) -> None:
    timeline = notation.play(
        notation.read_match((GOLDEN / f"{name}.zgxl").read_text("utf-8"), rules.get)
    )
    for version in range(1, len(timeline) + 1):
        sides = timeline.at(version).state.board.sides
        heaps = {(seat, card) for seat, side in enumerate(sides, 1) for card in side.slagged}
        found = [each for each in stories(timeline, version) if isinstance(each, CardSlagStory)]
        assert {(each.seat, each.card) for each in found} == heaps
