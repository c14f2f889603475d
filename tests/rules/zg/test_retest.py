"""A retest spins one card of the last test again and takes back what the test did."""

import hashlib

import pytest

from rules.zg.cards import Card, Deck
from rules.zg.consequences import CardTested
from tests.rules.zg.table import (
    CARDS,
    DECK,
    attacks,
    consequence,
    followed,
    last,
    offered,
    opened,
    played,
    stand,
    verdict,
    view,
)

FULL = opened(options={"retest_full": True})


def test_the_target_spun_again_counts_with_its_new_end() -> None:
    entry = last("attacked 1 Two a 2 Shield a", "retested 2 target b")

    tested = consequence(CardTested, entry)
    assert [dot.attack for dot in tested.dots] == ["R", "G", "R"]
    assert [dot.target for dot in tested.dots] == ["G", "B", "R"]


def test_the_attack_card_spun_again_counts_with_its_new_end() -> None:
    tested = consequence(CardTested, last("attacked 1 Two a 2 Shield a", "retested 1 attack b"))

    assert [dot.attack for dot in tested.dots] == ["B", "R", "G"]
    assert [dot.target for dot in tested.dots] == ["R", "G", "B"]


def test_a_card_the_test_slagged_comes_back() -> None:
    lines = ["attacked 1 Two a 2 Shield a", "retested 2 target b"]

    assert followed(*lines) == ["card-restored", "card-tested", "target-locked"]
    assert view(played(*lines))["seats"][1]["gear"] == 9


def test_a_lock_the_test_earned_is_given_back() -> None:
    lines = ["attacked 1 Two a 2 Shield b", "retested 1 target a"]

    assert followed(*lines) == ["lock-lapsed", "card-tested", "card-slagged"]


def test_nothing_of_a_seat_that_has_left_is_locked() -> None:
    setup = opened(DECK, DECK, DECK)
    lines = ["attacked 1 Two a 2 Shield a", "conceded 2", "retested 1 target b"]

    assert followed(*lines, setup=setup) == ["card-restored", "card-tested"]


def test_a_lock_from_before_stays() -> None:
    lines = ["attacked 1 One a 2 Shield a", "attacked 1 Two a 2 Shield a", "retested 2 target b"]

    assert followed(*lines) == ["card-restored", "card-tested"]
    assert view(played(*lines))["seats"][0]["locks"] == [{"foe": 2, "target": "Shield"}]


def test_a_stun_and_a_follow_up_of_the_test_are_given_back() -> None:
    lines = ["attacked 1 Four a 2 Frail a", "retested 2 target b"]

    assert followed(*lines) == ["card-restored", "stun-lifted", "card-tested"]
    assert view(played(*lines))["follow_up"] is None
    assert view(played(*lines))["seats"][1]["stunned"] is False


def test_blazes_stay_where_they_were_unless_placed_anew() -> None:
    attack = "attacked 1 Two a 2 Shield b bolsters=[3]"
    (kept,) = [consequence(CardTested, last(attack, "retested 2 attack a")).dots[2].target]
    moved = consequence(CardTested, last(attack, "retested 2 attack a bolsters=[1]")).dots

    assert kept == "R#"
    assert [dot.target for dot in moved] == ["G#", "B", "R"]


def test_each_player_may_claim_one_retest() -> None:
    timeline = played("attacked 1 Two a 2 Shield a", "retested 2 target b")

    assert verdict(timeline, "retested 2 target a") == "irregular retest-used"
    assert verdict(timeline, "retested 1 target a") == "legal"


def test_of_the_test_that_ended_the_match_the_table_lets_one_stand() -> None:
    won = ["attacked 1 Two a 2 Ulster a"]
    timeline = played(*won)

    assert view(timeline)["test"]["decided"]
    assert verdict(timeline, "retested 2 attack b") == "irregular test-decided"
    assert verdict(timeline, "retested 3 attack b") == "impossible no-such-seat"
    again = played(*won, "retested! 2 attack b")
    assert followed(*won, "retested! 2 attack b") == [
        "card-restored",
        "seat-returned",
        "card-tested",
    ]
    assert view(again)["outcome"] is None
    assert verdict(played("conceded 2"), "moved 1") == "impossible match-over"
    assert verdict(stand(played(*won), "ruled award foe=1"), "retested 2 attack b") == (
        "irregular match-over"
    )


def test_nobody_else_may_claim_a_retest() -> None:
    timeline = played("attacked 1 Two a 2 Shield a", setup=opened(DECK, DECK, DECK))

    assert verdict(timeline, "retested 3 target b") == "irregular not-in-this-test"


@pytest.mark.parametrize(
    "line", ["moved 1", "attacked 1 One a 2 Boots a", "target-drawn 1 2 Boots"]
)
def test_a_retest_is_claimed_before_the_next_action(line: str) -> None:
    timeline = played("attacked 1 Two a 2 Shield a", line)

    if line.startswith("attacked"):
        assert view(timeline)["test"]["target"] == "Boots"
    else:
        assert verdict(timeline, "retested 2 target b") == "impossible no-test-to-repeat"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("retested 1 target b target-end=a", "impossible retest-unclear"),
        ("retested 1 both b", "impossible retest-unclear"),
        ("retested 1 both a target-end=b", "irregular retest-other-scope"),
        ("retested 1 attack b half-turn=true", "irregular no-half-turn"),
        ("retested 1 target b augments=[2,1]", "impossible dots-out-of-order"),
        ("retested 1 target b spin=server", "impossible no-server-draws"),
        ("retested 4 target b", "impossible no-such-seat"),
        ("retested 1 target b half-turn=true", "legal"),
    ],
)
def test_the_kinds_of_retest(line: str, expected: str) -> None:
    assert verdict(played("attacked 1 Two a 2 Shield a"), line) == expected


def test_a_retest_in_full_chooses_the_end_anew_and_spins_the_target() -> None:
    timeline = played("attacked 1 Two a 2 Shield a", setup=FULL)

    assert verdict(timeline, "retested 1 both b target-end=b half-turn=true") == "legal"
    assert verdict(timeline, "retested 1 target b") == "irregular retest-other-scope"


def test_a_test_that_was_only_called_can_not_be_repeated() -> None:
    timeline = played("test-called 1 Two 2 Shield 2")

    assert verdict(timeline, "retested 1 target b") == "impossible test-was-called"
    assert ("retested", 1) not in offered(timeline)


def test_nothing_modifies_the_retest_of_a_follow_up() -> None:
    timeline = played("attacked 1 Three a 2 Shield a", "attacked 1 Three a 2 Boots a")

    assert verdict(timeline, "retested 2 target b") == "legal"
    assert verdict(timeline, "retested 2 target b bolsters=[1]") == "irregular powerup-on-follow-up"


def test_an_end_nobody_knows_is_shown_before_it_counts() -> None:
    half = Deck(cards=(*CARDS[:-1], Card(name="Ulster", slot="Ulster", a="R G B")))
    setup = opened(DECK, half, commitment=hashlib.sha256(b"seed").hexdigest())
    timeline = played("attacked 1 Miss a 2 Ulster a", setup=setup)

    assert verdict(timeline, "retested 2 target b") == "impossible end-unknown"
    assert verdict(timeline, "retested 2 target a spin=server") == "impossible end-unknown"
    assert verdict(timeline, "retested 2 attack b spin=server") == "legal"
    shown = played("attacked 1 Miss a 2 Ulster a", 'end-shown 2 Ulster b "R R R"', setup=setup)
    assert verdict(shown, "retested 2 target b spin=server") == "legal"


# -- after the turn has moved on ------------------------------------------------------


def test_the_last_test_of_a_turn_may_be_repeated_in_the_next() -> None:
    turn = [*attacks(1, 2), *attacks(2, 1, ("Miss", "Boots")), "attacked 2 Two a 1 Shield a"]

    assert view(played(*turn))["turn"] == 2
    assert followed(*turn, "retested 1 target b") == [
        "card-restored",
        "card-tested",
        "target-locked",
        "lock-lapsed",
    ]


def test_a_follow_up_earned_so_late_is_made_before_anything_else() -> None:
    late = [*attacks(1, 2), *attacks(2, 1, ("Miss", "Boots")), "attacked 2 Three b 1 Shield a"]
    timeline = played(*late, "retested 2 attack a")

    assert view(timeline)["next"] == {"what": "follow-up", "seat": 2}
    assert verdict(timeline, "attacked 2 Three a 1 Frail b") == "legal"
    again = played(*late, "retested 2 attack a", "attacked 2 Three a 1 Frail b")
    assert view(again)["next"] == {"what": "impulse", "seat": None}
    assert [seat["pulses"] for seat in view(again)["seats"]] == [0, 0]


def test_a_defeated_foe_may_have_the_test_repeated_and_come_back() -> None:
    setup = opened(DECK, DECK, DECK)
    lines = ["attacked 1 Two a 2 Ulster a"]

    assert followed(*lines, setup=setup)[-1] == "seat-defeated"
    assert ("retested", 2) in offered(played(*lines, setup=setup))
    assert followed(*lines, "retested 2 attack b", setup=setup) == [
        "card-restored",
        "seat-returned",
        "card-tested",
    ]


def test_an_attacker_who_conceded_gains_nothing_by_a_retest() -> None:
    setup = opened(DECK, DECK, DECK)

    missed = ["attacked 1 Three b 2 Shield a", "conceded 1"]
    assert "follow-up-earned" not in followed(*missed, "retested 2 attack a", setup=setup)


def test_a_lock_of_an_attacker_who_conceded_lapses_at_once() -> None:
    setup = opened(DECK, DECK, DECK)
    lines = ["attacked 1 Two b 2 Shield a", "conceded 1", "ruled strikes strikes=1"]

    assert followed(*lines, setup=setup) == ["card-tested", "target-locked", "lock-lapsed"]


CALLED = ['impulse-called 1 "9-9-9"', 'impulse-called 2 "8-8-8"', 'impulse-called 3 "7-7-7"']


@pytest.mark.parametrize(("calls", "next_seat"), [([], None), (CALLED, 2)])
def test_a_seat_that_is_back_plays_in_its_place(calls: list[str], next_seat: int | None) -> None:
    setup = opened(DECK, DECK, DECK, options={"depth": "full"})
    slain = [*calls, *attacks(1, 2, ("Miss", "One")), "attacked 1 Two a 2 Ulster a"]
    assert view(played(*slain, setup=setup))["current"] == 3

    back = played(*slain, "retested 2 attack b", setup=setup)
    assert view(back)["current"] == next_seat
    assert verdict(back, "attacked 2 Two a 1 Ulster a") == "legal"
    assert (verdict(back, "attacked 3 Two a 1 Ulster a") == "legal") == (not calls)
