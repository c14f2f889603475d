"""Precomputed results equal the judge's."""

import itertools
from typing import Any

import pytest

import rules
from rules import bots
from rules.zg.acts import Attacked
from rules.zg.state import ENDS

zg = rules.get("zg")


def foretold(table: dict[str, Any], act: Attacked) -> dict[str, Any]:
    """Look a test up as a phone does."""
    blaze = "".join([f"+{n}" for n in act.augments] + [f"#{n}" for n in act.bolsters])
    attack = table["ends"][act.seat - 1][act.card][ENDS.index(act.end)]
    target = table["ends"][act.foe - 1][act.target][ENDS.index(act.target_end)]
    found: dict[str, Any] = table["results"][table["tests"][blaze][attack][target]]
    return found


def test_every_result_that_may_be_called_is_there_up_to_four_strikes_or_more() -> None:
    called = zg.foretell(zg.start(bots.sample_setup(zg, 7, seats=2)))["called"]
    assert [each["result"] for each in called] == [
        "no-strike",
        "targetlock",
        "slag",
        "slag-again",
        "slag-stun-again",
    ]


@pytest.mark.parametrize(
    "options",
    [{}, {"strikes": "card_tests"}, {"mirror_alignment": True}, {"strict_time_order": True}],
    ids=["plain", "card tests", "mirrored", "no match, no damage"],
)
def test_every_test_has_its_precomputed_result(options: dict[str, Any]) -> None:
    setup = bots.sample_setup(zg, 7, seats=2, options=options)
    state = zg.start(setup)
    table = zg.foretell(state)
    pairs = table["pairs"]
    for card, target in itertools.product(state.gear[0], state.gear[1]):
        for end, target_end in itertools.product(ENDS, ENDS):
            act = Attacked(seat=1, card=card, end=end, foe=2, target=target, target_end=target_end)
            if zg.judge(state, act).call == "impossible":
                continue
            tested: Any = zg.decide(state, act)[0]
            found = foretold(table, act)
            told = (found["dot_matches"], found["strikes"], found["result"])
            assert told == (tested.dot_matches, tested.strikes, tested.result)
            reasons = [
                (pairs[n]["attack"], pairs[n]["target"], pairs[n]["why"]) for n in found["dots"]
            ]
            assert reasons == [(dot.attack, dot.target, dot.why) for dot in tested.dots]


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(("augments", "bolsters"), [((2,), ()), ((), (3,))])
def test_tests_with_one_blaze_are_precomputed_too(
    augments: Any, bolsters: Any, mirrored: bool
) -> None:
    options = {"mirror_alignment": mirrored}
    state = zg.start(bots.sample_setup(zg, 3, seats=2, options=options))
    table = zg.foretell(state)
    for card, target in itertools.product(state.gear[0], state.gear[1]):
        act = Attacked(
            seat=1,
            card=card,
            end="a",
            foe=2,
            target=target,
            target_end="b",
            augments=augments,
            bolsters=bolsters,
        )
        if zg.judge(state, act).call == "impossible":
            continue
        tested: Any = zg.decide(state, act)[0]
        assert foretold(table, act)["strikes"] == tested.strikes
