"""The golden games of Z/X cover what they promise."""

from pathlib import Path

import pytest

import rules
from rules import notation
from rules.replay import Timeline
from rules.ruleset import event_type

GOLDEN = {file.stem: file for file in (Path(__file__).parents[2] / "golden").glob("zx-*.zgxl")}


def played(name: str) -> Timeline:
    return notation.play(notation.read_match(GOLDEN[name].read_text("utf-8"), rules.get))


def kinds(timeline: Timeline) -> set[str]:
    return {event_type(event) for e in timeline.entries for event in (e.act, *e.consequences)}


def test_there_is_a_duel_and_one_that_ran_out_of_time() -> None:
    assert set(GOLDEN) == {"zx-duel", "zx-time"}


@pytest.mark.parametrize(("name", "why"), [("zx-duel", "by-life"), ("zx-time", "by-time")])
def test_a_golden_game_is_won_as_its_name_says(name: str, why: str) -> None:
    timeline = played(name)

    outcome = timeline.ruleset.outcome(timeline.head.state)
    assert (outcome.why, outcome.winners) == (why, (1,))


def test_the_duel_has_every_part_of_the_game() -> None:
    assert kinds(played("zx-duel")) >= {
        "start-card-placed",
        "hand-redrawn",
        "hand-noted",
        "overdrive-played",
        "ignition-missed",
        "zx-destroyed",
        "event-played",
        "effect-applied",
        "life-recovered",
        "void-bringer-used",
        "taken-back",
    }


def test_blank_cards_and_the_official_numbers_are_in_the_other() -> None:
    timeline = played("zx-time")

    assert timeline.setup.options.profile == "zx-official"
    assert kinds(timeline) >= {"battle-told", "charge-trimmed", "life-compared"}
    assert not any(entry.irregular for entry in timeline.entries)
