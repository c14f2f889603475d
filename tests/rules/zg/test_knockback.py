"""Reach, stealth, knockback and knockdown: depth `full`."""

import msgspec
import pytest

from rules.zg.cards import Card, Deck
from rules.zg.consequences import AttackAugmented
from tests.rules.zg.full import MOVERS, at, full
from tests.rules.zg.table import RULESET, followed, last, offered, stand, verdict, view

RAM = "attacked 1 Ram a 2 Left a"
WALL = Deck(
    cards=(
        *MOVERS.cards,
        Card(
            name="Ram 3",
            slot="Claw",
            move=1,
            range=1,
            powerups=("Knockback",),
            a="R G B",
            b="B R G",
        ),
    )
)

MOVERS_B = Deck(cards=tuple(msgspec.structs.replace(each, b="B R G") for each in MOVERS.cards))


def test_a_card_reaches_as_far_as_its_range() -> None:
    assert verdict(at(), f"{RAM} distance=1") == "legal"
    assert verdict(at(), f"{RAM} distance=2") == "irregular out-of-range"
    assert verdict(at(), "attacked 1 Left a 2 Left a distance=0") == "legal"
    assert verdict(at(), "attacked 1 Left a 2 Left a distance=1") == "irregular not-in-touch"
    assert verdict(at(), "attacked 1 Scope a 2 Left a distance=24") == "legal"
    assert verdict(at(setup=full(depth="tests")), f"{RAM} distance=1") == "irregular other-depth"


def test_no_sneak_attack_with_a_card_used_last_turn() -> None:
    used = at("moved 1 card=Left", "turn-passed 1", "turn-passed 2")

    assert verdict(used, "attacked 1 Left a 2 Left a sneak=true") == "irregular sneak-card-used"
    assert verdict(used, "attacked 1 Left a 2 Left a") == "legal"
    assert verdict(used, "attacked 1 Odd a 2 Left a sneak=true") == "legal"
    stance = ["travelled 1 Left stance=attack", "turn-passed 1"]
    assert verdict(at(*stance, "turn-passed 2"), "attacked 1 Left a 2 Left a sneak=true") == "legal"
    defended = at(*stance, "travelled 2 Left stance=defense", "turn-passed 2")
    assert verdict(defended, "attacked 1 Left a 2 Left a sneak=true") == "irregular sneak-card-used"


def test_cards_used_last_turn_are_remembered_where_only_tests_are_recorded_too() -> None:
    cards = [f"moved 1 card={card}" for card in ("Ram", "Left")]
    used = at(*cards, "turn-passed 1", "turn-passed 2", setup=full(depth="tests"))

    assert verdict(used, "attacked 1 Ram a 2 Left a sneak=true") == "irregular sneak-card-used"
    assert verdict(used, "attacked 1 Odd a 2 Left a sneak=true") == "legal"


def test_who_may_stand_in_attack_stance_may_sneak_with_a_card_used_last_turn() -> None:
    used = at("moved 1 card=Left", "turn-passed 1", "turn-passed 2", setup=full(depth="tests"))

    assert verdict(used, "attacked 1 Left a 2 Left a sneak=true") == "legal"


def test_knockback_is_as_far_as_the_strikes_or_the_matches() -> None:
    assert "knocked-back" in followed(RAM, setup=full())
    assert view(at(RAM))["blow"] == {"seat": 2, "cards": 2}
    by_matches = full(knockback="matches")
    assert view(at(RAM, setup=by_matches))["blow"] == {"seat": 2, "cards": 2}
    assert "knocked-back" not in followed("attacked 1 Left a 2 Left a", setup=full())
    assert "knocked-back" not in followed(RAM, setup=full(depth="tests"))


def test_a_kneeling_figure_stands_firm_below_three_strikes() -> None:
    kneels = ["impulse-won 2", "travelled 2 Left stance=kneel", "turn-passed 2"]
    setup = full(WALL, MOVERS)

    assert "stood-firm" in followed(*kneels, RAM, setup=setup)
    assert "knocked-back" in followed(*kneels, 'attacked 1 "Ram 3" a 2 Left a', setup=setup)
    assert "knocked-back" in followed(*kneels, "fell 2 height=2", RAM, setup=setup)


def test_what_a_figure_is_knocked_into_may_knock_it_down() -> None:
    back = at(RAM)

    assert verdict(back, "knockdown-called 2 figure 1") == "legal"
    assert verdict(back, "knockdown-called 2 figure 0") == "irregular too-close"
    assert verdict(back, "knockdown-called 2 barrier 1") == "irregular too-close"
    assert verdict(back, "knockdown-called 2 barrier 2") == "legal"
    assert verdict(back, "knockdown-called 2 barrier 3") == "irregular not-reached"
    assert verdict(back, "knockdown-called 2 ledge 30") == "legal"
    assert verdict(back, "knockdown-called 1 figure 1") == "irregular not-knocked-back"
    assert followed(RAM, "knockdown-called 2 figure 1", setup=full()) == ["figure-downed"]
    down = at(RAM, "knockdown-called 2 figure 1")
    assert verdict(down, "knockdown-called 2 figure 1") == "irregular lies-down"


def test_a_card_nobody_has_read_may_knock_back() -> None:
    strikes = "test-called 1 Fog 2 Left 2"
    hit = at(strikes)
    assert view(hit)["blow"] is None
    assert verdict(hit, "knockdown-called 2 barrier 2") == "legal"
    assert verdict(hit, "knockdown-called 2 barrier 3") == "irregular not-reached"
    assert verdict(at(strikes, setup=full(knockback="matches")), "knockdown-called 2 figure 9") == (
        "legal"
    )
    for line in ("test-called 1 Fog 2 Left 0", "test-called 1 Odd 2 Left 2"):
        assert verdict(at(line), "knockdown-called 2 figure 1") == "irregular not-knocked-back"
    kneels = ["impulse-won 2", "travelled 2 Left stance=kneel", "turn-passed 2"]
    assert verdict(at(*kneels, strikes), "knockdown-called 2 figure 1") == (
        "irregular not-knocked-back"
    )


def test_a_ruling_on_a_test_raises_whom_an_unread_card_knocked_down() -> None:
    down = ["test-called 1 Fog 2 Left 2", "knockdown-called 2 figure 1"]
    assert "figure-raised" in followed(*down, "ruled strikes strikes=0", setup=full())


def test_a_ruling_on_a_test_does_not_raise_who_fell_afterwards() -> None:
    fell = ["attacked 1 Odd a 2 Left a", "fell 2 height=4"]
    assert "figure-downed" in followed(*fell, setup=full())
    assert "figure-raised" not in followed(*fell, "ruled strikes strikes=0", setup=full())


def test_another_act_of_play_ends_a_knockback() -> None:
    assert verdict(at(RAM, "moved 1 card=Odd"), "knockdown-called 2 figure 1") == (
        "irregular not-knocked-back"
    )


def test_a_retest_takes_the_knockback_back() -> None:
    setup = full(WALL, MOVERS)
    lines = ['attacked 1 "Ram 3" a 2 Suit b', "knockdown-called 2 ledge 2"]
    opened_up = ['attacked 1 "Ram 3" a 2 Left a', "knockdown-called 2 ledge 2"]

    assert "figure-downed" not in followed(lines[0], setup=setup)
    again = followed(*opened_up, "retested 2 attack b", setup=setup)
    assert again[:4] == ["card-restored", "figure-raised", "knockback-lifted", "card-tested"]
    after = at(*opened_up, "retested 2 attack b", setup=setup)
    assert view(after)["blow"] is None
    assert not view(after)["seats"][1]["down"]


def test_a_retest_brings_back_whom_its_test_knocked_off_the_table() -> None:
    over, miss = [RAM, "fell 2 edge=true"], "retested 2 attack b"
    two = full(MOVERS_B, MOVERS, edges="fall")
    three = full(MOVERS_B, MOVERS, MOVERS, edges="fall")

    assert verdict(at(*over, setup=three), miss) == "legal"
    back = at(*over, miss, setup=three)
    assert [side["out"] for side in view(back)["seats"]] == ["", "", ""]
    assert "seat-returned" not in followed(*over, miss, "retested 1 attack b", setup=three)
    alone = ["fell 2 edge=true", "attacked 1 Ram a 3 Left a", "retested 3 attack b"]
    assert "seat-returned" not in followed(*alone, setup=three)
    ended = at(*over, setup=two)
    assert view(ended)["test"]["decided"]
    assert RULESET.judge(ended.head.state, RULESET.read(miss)).code == "test-decided"
    assert RULESET.outcome(stand(ended, miss).head.state) is None


def test_a_retest_leaves_a_figure_where_a_landing_knocked_it() -> None:
    lines = [RAM, "landed 1 3 3 Ram a Left a", "retested 1 attack b"]
    setup = full(MOVERS_B, MOVERS, MOVERS)

    assert "knockback-lifted" in followed(lines[0], lines[2], setup=setup)
    assert "knockback-lifted" not in followed(*lines, setup=setup)


def test_a_figure_on_its_back_may_be_tested_once_more() -> None:
    down = ["fell 2 height=4", "attacked 1 Suit a 2 Left a"]

    assert followed(*down, setup=full())[0] == "retest-granted"
    twice = at(*down, "retested 1 attack b", "retested 1 attack a")
    assert verdict(twice, "retested 1 attack b") == "irregular retest-used"
    far = ["fell 2 height=4", "attacked 1 Ram a 2 Left a"]
    assert "retest-granted" not in followed(*far, setup=full())
    standing = at("attacked 1 Suit a 2 Left a", "retested 1 attack b")
    assert verdict(standing, "retested 1 attack a") == "irregular retest-used"
    assert ("retested", 1) not in offered(standing)
    for attack, expected in (("Suit", "legal"), ("Ram", "irregular retest-used")):
        lines = (f"attacked 1 {attack} a 2 Left a", "retested 1 target a")
        for before in (["options-changed full"], []):
            unknown = at(*before, *lines, setup=full(depth="tests"))
            assert verdict(unknown, "retested 1 target a") == expected


def test_a_zone_attack_reaches_a_figure_on_its_back_too() -> None:
    zone = ["fell 2 height=4", "attacked 1 Scope a 2 Left a"]

    assert followed(*zone, setup=full())[0] == "retest-granted"


@pytest.mark.parametrize(
    ("lines", "errata", "whys"),
    [
        (["attacked 1 Odd a 2 Left a high-ground=true"], False, ["high-ground"]),
        (
            ["travelled 2 Left stance=prone", "turn-passed 2", "attacked 1 Odd a 2 Left a"],
            False,
            ["prone"],
        ),
        (
            ["travelled 2 Left stance=prone", "turn-passed 2", "attacked 1 Odd a 2 Left a"],
            True,
            ["prone"],
        ),
        (
            ["travelled 2 Left stance=prone", "turn-passed 2", "attacked 1 Ram a 2 Left a"],
            False,
            ["prone"],
        ),
        (["travelled 2 Left stance=prone", "turn-passed 2", "attacked 1 Ram a 2 Left a"], True, []),
        (["travelled 1 Left stance=prone", "attacked 1 Ram a 2 Left a"], True, ["lying"]),
        (["travelled 1 Left stance=prone", "attacked 1 Ram a 2 Left a"], False, []),
    ],
)
def test_where_figures_stand_augments_an_attack(
    lines: list[str], errata: bool, whys: list[str]
) -> None:
    entry = last(*lines, setup=full(prone_errata=errata))

    assert [e.why for e in entry.consequences if isinstance(e, AttackAugmented)] == whys


@pytest.mark.parametrize(("reading", "whys"), [(False, []), (True, ["high-ground"])])
def test_a_follow_up_is_augmented_only_where_powerups_count_on_it(
    reading: bool, whys: list[str]
) -> None:
    lines = ["attacked 1 Left a 2 Left a", "attacked 1 Left a 2 Odd a high-ground=true"]
    entry = last(*lines, setup=full(powerups_on_followup=reading))

    assert [e.why for e in entry.consequences if isinstance(e, AttackAugmented)] == whys


def test_an_augment_that_is_due_is_told_as_such_only_when_it_was_placed() -> None:
    prone = ["travelled 2 Left stance=prone", "turn-passed 2"]
    for placed in ("", " augments=[1]", " augments=[1,2]"):
        entry = last(*prone, f"attacked 1 Odd a 2 Left a high-ground=true{placed}", setup=full())
        told = [e.placed for e in entry.consequences if isinstance(e, AttackAugmented)]
        assert told == [n < placed.count("1") + placed.count("2") for n in range(2)]
