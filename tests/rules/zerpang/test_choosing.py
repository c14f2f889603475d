"""Keen bots play for the win condition of their class."""

import pytest

from rules import bots
from rules.zerpang import choosing
from rules.zerpang.victory import WHY
from tests.rules.zerpang.mixes import decided, mix_for, play
from tests.rules.zerpang.table import RULESET, after, at, read

MATCHES = 6
ONE_STEP_AWAY = [
    ("ninja robot pirate", {"1-1": "H1", "1-2": "H3", "1-3": "Z5.4"}, "dojo-domination"),
    ("pirate robot ninja", {"1-1": "X1", "1-2": "X3", "1-3": "M5"}, "x-marks-the-spot"),
    (
        "gunslinger ninja robot",
        {"1-1": "H1", "1-2": "X1", "1-3": "X4", "1-4": "Z4.4"},
        "into-the-sunset",
    ),
]


@pytest.mark.parametrize(("classes", "places", "why"), ONE_STEP_AWAY)
def test_a_bot_takes_the_step_that_wins(classes: str, places: dict[str, str], why: str) -> None:
    state = at(classes, places, now={"phase": "movement"}, hands={1: 0})
    (offer,) = [o for o in RULESET.options(state, 1) if o.type == "piece-moved"][-1:]
    acts = [bots.act_of(RULESET, offer, bots.Stream(seed)) for seed in range(60)]
    best = max(acts, key=lambda act: choosing.worth(state, act) or 0)

    assert RULESET.play(state, best)[1].table.outcome.why == why


def test_a_robot_on_the_treasure_uploads() -> None:
    state = at("robot ninja pirate", {"1-1": "T"}, hands={1: 0})

    assert choosing.worth(state, read("piece-uploaded 1 1-1")) == 0
    assert choosing.worth(state, read("piece-moved 1 1-1 [X1]")) is None
    others = at("robot ninja pirate", {"1-1": "T", "1-2": "Z1.0"})
    assert choosing.worth(others, read("piece-uploaded 1 1-1")) is None


def test_a_bot_goes_nearer_and_not_back() -> None:
    state = at("robot ninja pirate", {"1-1": "Z1.0"}, hands={1: 0})

    assert choosing.worth(state, read("piece-moved 1 1-1 [Z1.1]"))
    assert choosing.worth(state, read("piece-moved 1 1-1 [Z1.4]")) is None


def test_a_bot_ends_no_turn_before_it_has_moved() -> None:
    state = at("robot ninja pirate", {"1-1": "Z1.0"}, hands={1: 0})
    moved = after(state, "piece-moved 1 1-1 [Z1.1]")

    assert choosing.worth(state, read("cards-drawn 1 2")) is None
    assert choosing.worth(moved, read("cards-drawn 1 2")) == 0


def test_a_bot_pays_for_what_it_wants_and_no_more() -> None:
    state = at("pirate ninja robot", {"1-1": "Z1.0"})
    paid = after(state, "points-paid 1 PT1")

    assert choosing.worth(state, read("points-paid 1 PT1")) is not None
    assert choosing.worth(paid, read("points-paid 1 PT1")) is None


def test_a_bot_raises_by_what_it_takes_to_lead_and_then_passes() -> None:
    state = at("pirate ninja robot", {"1-1": "Z1.0", "2-1": "X1", "2-2": "X2"}, hands={1: 4})
    met = after(state, "piece-moved 1 1-1 [Z1.1]")

    assert choosing.worth(met, read("combat-passed 1")) is None
    assert choosing.worth(met, read("combat-played 1 card=PT1")) is None
    assert choosing.worth(met, read("combat-played 1 card=PT2")) == 0
    assert choosing.worth(met, read("combat-played 1 card=SP07 side=P")) == -1
    assert (
        choosing.worth(
            after(met, "combat-played 1 card=PT2", "combat-passed 2"), read("combat-passed 1")
        )
        == 0
    )


def test_most_matches_of_bots_that_play_to_win_are_won_in_time() -> None:
    timelines = [play(mix_for(seed), seed) for seed in range(MATCHES)]
    won = [timeline for timeline in timelines if decided(timeline)]

    assert len(won) >= 0.8 * MATCHES
    assert {timeline.head.state.table.outcome.why for timeline in won} <= set(WHY.values())
