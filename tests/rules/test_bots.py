"""Bots know a game only by its offers, and play the same match from the same seed."""

from collections import Counter

import pytest

import rules
from rules import bots, checking, fair
from rules.fields import Choice, Field, Free, Range, Subset, Walk, admits
from rules.zg.consequences import CardTested
from tests.rules.coverage import coverage
from tests.rules.zg.full import at

OWN, OTHER = ('","'.join(cards) for cards in (("Wings", "Left", "Odd"), ("Split", "Ram", "Suit")))

SCORE = rules.get("score@1")


def test_a_stream_is_the_same_for_ever() -> None:
    pick = bots.Stream("zgxl")

    assert [pick(100) for _ in range(10)] == [3, 19, 56, 13, 72, 17, 26, 16, 30, 67]


def test_a_stream_favours_no_number() -> None:
    pick = bots.Stream(1)
    seen = Counter(pick(7) for _ in range(7000))

    assert set(seen) == set(range(7))
    assert all(850 < count < 1150 for count in seen.values())


@pytest.mark.parametrize(
    "field",
    [
        Choice(("a", None, True)),
        Range(3, 3),
        Range(-9999, 9999),
        Range(5, 900),
        Range(-900, -5),
        Subset((1, 2, 3, 4), most=3, least=1),
        Subset((1, 2, 3), most=6, repeats=True),
        Subset((), most=0),
        Free("note"),
        Walk("a", (("a", "b", "c"), ("b", "a", "d"), ("c", "d"), ("d", "b")), ("c", "d"), 3),
        Walk("a", (("a", "b"), ("b", "c"), ("c", "d")), ("d",), 3),
        Walk("a", (("a", "b"), ("b", "a")), ("a",), 2),
    ],
    ids=str,
)
def test_a_picked_value_is_one_the_field_holds(field: Field) -> None:
    pick = bots.Stream("values")

    assert all(admits(field, bots.value_of(SCORE, field, pick)) for _ in range(500))


def test_a_shortest_walk_leads_to_each_end() -> None:
    field = Walk("a", (("a", "b", "c"), ("b", "d"), ("c", "d"), ("d", "e")), ("c", "d", "e"), 2)

    assert bots.shortest_walks(field) == {"c": ("c",), "d": ("b", "d")}
    there_and_back = Walk("a", (("a", "b"), ("b", "a")), ("a",), 2)
    assert bots.shortest_walks(there_and_back) == {"a": ("b", "a")}


def test_every_value_of_a_small_field_comes_up() -> None:
    pick = bots.Stream("values")
    field = Subset((1, 2, 3), most=3)

    subsets = {tuple(bots.value_of(SCORE, field, pick)) for _ in range(500)}

    assert len(subsets) == 8


@pytest.mark.parametrize("name", list(rules.RULESETS))
def test_bots_play_matches_to_their_end(name: str) -> None:
    ruleset = rules.get(name)
    for seed in range(6):
        timeline = bots.playout(ruleset, bots.sample_setup(ruleset, seed), seed)

        assert ruleset.outcome(timeline.head.state), f"{name} with seed {seed} does not end"
        assert timeline.head.revealed
        assert checking.check(ruleset, timeline.entries) is None


@pytest.mark.parametrize("name", list(rules.RULESETS))
def test_the_same_seed_plays_the_same_match(name: str) -> None:
    ruleset = rules.get(name)
    one, two = (bots.playout(ruleset, bots.sample_setup(ruleset, 5), 5) for _ in range(2))

    assert one.entries == two.entries


def test_a_keen_bot_plays_to_win() -> None:
    zg = rules.get("zg")

    def strikes_a_test(keen: bool) -> float:
        found: list[int] = []
        for seed in range(5):
            setup = bots.sample_setup(zg, seed, seats=2, options={"depth": "tests"})
            timeline = bots.playout(zg, setup, seed, keen=keen)
            assert zg.outcome(timeline.head.state)
            for entry in timeline.entries:
                found += [e.strikes for e in entry.consequences if isinstance(e, CardTested)]
        return sum(found) / len(found)

    assert strikes_a_test(keen=True) > 1.1 * strikes_a_test(keen=False)


def test_a_keen_bot_knows_no_more_than_its_seat() -> None:
    one, two = (at(f'hand-taken 2 ["{cards}"]', "impulse-won 1") for cards in (OWN, OTHER))
    act = one.ruleset.read("attacked 1 Odd a 2 Left a")

    assert one.ruleset.worth(one.head.state, act) == two.ruleset.worth(two.head.state, act)


def test_bots_slip_and_take_back() -> None:
    counts = coverage(
        bots.playout(SCORE, bots.sample_setup(SCORE, seed), seed) for seed in range(40)
    )

    assert counts["acts"]["taken-back"] > 5


def test_a_sample_keeps_what_was_asked_for() -> None:
    setup = bots.sample_setup(SCORE, 1, seats=8, options={"best_of": 7})

    assert len(setup.seats) == 8
    assert setup.options.best_of == 7
    assert fair.keeps(setup.commitment, bots.secret_of(1).hex())


def test_a_match_of_a_setup_without_a_promise_reveals_nothing() -> None:
    setup = SCORE.sample_setup(bots.Stream(1))
    timeline = bots.playout(SCORE, setup, 1)

    assert SCORE.outcome(timeline.head.state)
    assert not timeline.head.revealed


def test_a_match_without_end_stops_at_its_limit() -> None:
    setup = bots.sample_setup(SCORE, 3, options={"best_of": 99})

    assert len(bots.playout(SCORE, setup, 3, limit=10)) == 10
