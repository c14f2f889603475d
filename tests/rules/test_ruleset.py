"""Offers, verdicts and looking up a game."""

import gc
import inspect
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import rules
from rules import bots
from rules.fields import Choice, Field, Free, Ordered, Range, RangeList, Subset, Walk, admits
from rules.ruleset import Offer, Ruleset, covers, first_unfit, pinned_name
from rules.score.acts import GameDrawn, GameWon, PointsScored, Ruled

LANE = Walk("a", (("a", "b"), ("b", "a", "c")), ends=("c",), most=3)


@pytest.mark.parametrize(
    ("field", "value", "held"),
    [
        pytest.param(Choice((1, "a", None)), 1, True, id="a value"),
        pytest.param(Choice((1, "a", None)), None, True, id="nothing, on offer"),
        pytest.param(Choice((1, "a", None)), "1", False, id="the number as a word"),
        pytest.param(Choice((1, "a", None)), True, False, id="true is not 1"),
        pytest.param(Choice((False,)), 0, False, id="0 is not false"),
        pytest.param(Range(2, 4), 2, True, id="the low end"),
        pytest.param(Range(2, 4), 4, True, id="the high end"),
        pytest.param(Range(2, 4), 5, False, id="beyond it"),
        pytest.param(Range(0, 1), True, False, id="true is no number"),
        pytest.param(Subset((1, 2, 3), most=2), (), True, id="none"),
        pytest.param(Subset((1, 2, 3), most=2), (1, 3), True, id="two, in order"),
        pytest.param(Subset((1, 2, 3), most=2), (3, 1), False, id="not in order"),
        pytest.param(Subset((1, 2, 3), most=2), (1, 1), False, id="one twice"),
        pytest.param(Subset((1, 1, 2), most=2), (1, 1), True, id="one twice that is there twice"),
        pytest.param(Subset((1, 1, 2), most=3), (1, 1, 1), False, id="more often than it is there"),
        pytest.param(Subset((1, 1, 2), most=3), (1, 2), True, id="one of two that are alike"),
        pytest.param(Subset((1, 2, 3), most=2), (1, 2, 3), False, id="too many"),
        pytest.param(Subset((1, 2, 3), most=2, least=1), (), False, id="too few"),
        pytest.param(Subset((1, 2, 3), most=2), (4,), False, id="not on offer"),
        pytest.param(
            Subset((1, 2), most=3, repeats=True), (1, 1, 2), True, id="one twice, on offer"
        ),
        pytest.param(Subset((1, 2), most=3, repeats=True), (1, 2, 1), False, id="in order even so"),
        pytest.param(Subset((1, 2), most=3, repeats=True), (1, 1, 1, 2), False, id="one too many"),
        pytest.param(Free(), "anything", True, id="free"),
    ],
)
def test_a_field_holds_what_it_says(field: Field, value: Any, held: bool) -> None:
    assert admits(field, value) is held


@pytest.mark.parametrize(
    ("offer", "act", "covered"),
    [
        pytest.param(Offer("game-won", 1, {}), GameWon(seat=1), True, id="the same"),
        pytest.param(Offer("game-won", 2, {}), GameWon(seat=1), False, id="another seat"),
        pytest.param(Offer("conceded", 1, {}), GameWon(seat=1), False, id="another type"),
        pytest.param(Offer("game-drawn", None, {}), GameDrawn(), True, id="of the table"),
        pytest.param(
            Offer("points-scored", 1, {}),
            PointsScored(seat=1, points=0),
            False,
            id="a required field not on offer",
        ),
        pytest.param(
            Offer("ruled", None, {"result": Choice(("draw",))}),
            Ruled(result="draw"),
            True,
            id="a default not on offer",
        ),
        pytest.param(
            Offer("ruled", None, {"result": Choice(("win",))}),
            Ruled(result="win", winners=(1,)),
            False,
            id="more than a default not on offer",
        ),
    ],
)
def test_an_offer_covers_what_it_says(offer: Offer, act: Any, covered: bool) -> None:
    assert covers(offer, act) is covered


def test_the_first_field_that_does_not_fit_an_offer_is_named() -> None:
    offer = Offer("ruled", None, {"result": Choice(("win", "draw"))})

    assert first_unfit(offer, Ruled(result="draw")) is None
    assert first_unfit(offer, Ruled(result="all-lost")) == "result"
    assert first_unfit(offer, Ruled(result="win", winners=(1,))) == "winners"


def test_a_game_is_found_by_its_key_or_pinned() -> None:
    assert rules.get("score") is rules.get("score@1")


@pytest.mark.parametrize("name", ["chess", "score@2", "@", ""])
def test_a_game_that_is_not_there_is_an_error(name: str) -> None:
    with pytest.raises(KeyError):
        rules.get(name)


def test_every_ruleset_is_found_under_its_own_name() -> None:
    assert all(name == pinned_name(ruleset) for name, ruleset in rules.RULESETS.items())


@pytest.mark.parametrize("name", rules.RULESETS)
def test_a_ruleset_is_called_as_the_protocol_says(name: str) -> None:
    for method, declared in vars(Ruleset).items():
        if inspect.isfunction(declared) and not method.startswith("_"):
            parameters = inspect.signature(getattr(rules.get(name), method)).parameters
            assert ["self", *parameters] == list(inspect.signature(declared).parameters), method


def test_nobody_sits_down_at_a_desk() -> None:
    assert rules.game("zg") is rules.get("zg@1")
    with pytest.raises(KeyError):
        rules.game("desk")


@pytest.mark.parametrize(
    ("field", "value", "held"),
    [
        pytest.param(Ordered(("a", "b", "c"), most=2), ("c", "a"), True, id="any order"),
        pytest.param(Ordered(("a", "b"), most=2), ("a", "a"), False, id="one twice"),
        pytest.param(Ordered(("a", "b"), most=1), ("a", "b"), False, id="too many"),
        pytest.param(Ordered(("a", "b"), most=2, least=1), (), False, id="too few"),
        pytest.param(RangeList(0, 5, most=2, least=2), (5, 5), True, id="numbers"),
        pytest.param(RangeList(0, 5, most=2), (6,), False, id="beyond them"),
        pytest.param(RangeList(0, 1, most=1), (True,), False, id="true is no number here either"),
        pytest.param(RangeList(0, 5, most=2, least=2), (1,), False, id="a number short"),
        pytest.param(Free("note", filled=True), "", False, id="empty"),
        pytest.param(Free("note", filled=True), "why", True, id="filled"),
        pytest.param(Choice(((1, 2), (2, 1))), (2, 1), True, id="a tuple"),
        pytest.param(LANE, ("b", "c"), True, id="a walk"),
        pytest.param(LANE, ("b",), False, id="a walk may not end anywhere"),
        pytest.param(LANE, ("c",), False, id="a walk leaves nothing out"),
        pytest.param(LANE, ("b", "a", "b", "c"), False, id="a walk too long"),
        pytest.param(LANE, (), False, id="a walk goes somewhere"),
    ],
)
def test_fields_of_several_values(field: Field, value: Any, held: bool) -> None:
    assert admits(field, value) is held


@pytest.mark.parametrize("name", rules.RULESETS)
def test_no_event_or_state_is_left_to_the_collector(name: str) -> None:
    ruleset = rules.RULESETS[name]
    state = ruleset.start(bots.sample_setup(ruleset, 1))
    kinds = (*ruleset.acts, *ruleset.consequences, ruleset.opened, type(state))

    assert all(not kind.__struct_config__.gc for kind in kinds)
    assert not any(gc.is_tracked(each) for each in _structs(state))


def _structs(value: Any) -> Iterator[msgspec.Struct]:
    """Yield every struct that a state is made of."""
    if isinstance(value, tuple):
        for each in value:
            yield from _structs(each)
    elif isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            if name not in ("setup", "gear", "cards", "terms"):
                yield from _structs(getattr(value, name))
