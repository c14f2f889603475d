"""The Rule of Prime, rulings of the zMarshal, and the depth of the log."""

import pytest

from rules.zg.consequences import CardTested, PrimeDecided
from tests.rules.zg.full import full
from tests.rules.zg.table import (
    BLANK_FACED,
    DECK,
    attacks,
    consequence,
    followed,
    last,
    offered,
    opened,
    outcome,
    played,
    stand,
    verdict,
    view,
)

THREE = opened(DECK, DECK, DECK)
SLAGGED = "attacked 1 Two a 2 Shield a"


# -- the Rule of Prime ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("end", "matches", "decides"), [("a", 2, 2), ("b", 0, 1)], ids=["any match", "no match"]
)
def test_any_match_lets_the_caller_decide_else_the_foe(
    end: str, matches: int, decides: int
) -> None:
    decided = consequence(PrimeDecided, last(f"prime-called 2 Two {end} 1 Shield a"))

    assert (decided.dot_matches, decided.seat) == (matches, decides)


def test_a_dispute_settled_leaves_the_match_where_it_was() -> None:
    before, after = played(SLAGGED), played(SLAGGED, "prime-called 2 Two a 1 Shield a")

    assert before.head.state.board == after.head.state.board


def test_the_rule_of_prime_is_a_test_of_two_cards_in_play() -> None:
    timeline = played(SLAGGED, setup=opened(DECK, BLANK_FACED))

    assert verdict(timeline, "prime-called 2 Shield a 1 Two a") == "irregular is-slagged"
    assert verdict(timeline, "prime-called 1 Two a 2 Shield a") == "irregular is-slagged"
    assert verdict(timeline, "prime-called 2 Fog a 1 Two a") == "impossible end-unknown"
    assert verdict(timeline, "prime-called 1 Two a 2 Fog a") == "impossible end-unknown"
    assert verdict(timeline, "prime-called 2 Two a 2 Miss a") == "impossible own-seat"


# -- rulings --------------------------------------------------------------------------


def test_a_zmarshal_slags_and_restores_a_card() -> None:
    assert followed("ruled slag foe=2 target=Shield") == ["card-slagged"]
    assert followed(SLAGGED, "ruled restore foe=2 target=Shield") == ["card-restored"]


def test_a_zmarshal_has_the_last_test_count_otherwise() -> None:
    entry = last(SLAGGED, "ruled strikes strikes=1")

    assert [type(event).__name__ for event in entry.consequences] == [
        "CardRestored",
        "CardTested",
        "TargetLocked",
    ]
    tested = consequence(CardTested, entry)
    assert (tested.strikes, tested.dot_matches, tested.result) == (1, 2, "targetlock")
    assert view(played(SLAGGED, "ruled strikes strikes=1"))["test"]["dots"] == []


def test_a_follow_up_goes_with_the_strikes_that_earned_it() -> None:
    timeline = played("attacked 1 Three a 2 Shield a", "ruled strikes strikes=2")

    assert view(timeline)["follow_up"] is None


def test_a_zmarshal_ends_the_turn() -> None:
    assert followed("moved 1", "ruled end-turn") == ["pulses-ended", "pulses-ended", "turn-began"]


def test_a_zmarshal_takes_a_seat_out() -> None:
    assert followed("ruled defeat foe=2", setup=THREE) == ["seat-defeated"]
    won = outcome("ruled defeat foe=2")
    assert won is not None
    assert (won.winners, won.why) == ((1,), "by-ruling")


def test_a_zmarshal_awards_the_match() -> None:
    won = outcome("conceded 3", "ruled award foe=2", setup=THREE)

    assert won is not None
    assert (won.places, won.winners, won.why) == ((2, 1, 3), (2,), "by-award")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ruled slag foe=2", "impossible ruling-unclear"),
        ("ruled end-turn foe=2", "impossible ruling-unclear"),
        ("ruled strikes strikes=2 foe=1", "impossible ruling-unclear"),
        ("ruled award", "impossible ruling-unclear"),
        ("ruled strikes strikes=2", "impossible no-test-to-rule-on"),
        ("ruled slag foe=3 target=Shield", "impossible no-such-seat"),
        ("ruled slag foe=2 target=Spear", "impossible no-such-card"),
        ("ruled restore foe=2 target=Shield", "irregular not-slagged"),
        ("ruled award foe=0", "impossible no-such-seat"),
    ],
)
def test_a_ruling_names_what_it_needs(line: str, expected: str) -> None:
    assert verdict(played(), line) == expected


def test_what_a_ruling_may_say_of_a_card_or_a_test() -> None:
    timeline = played(SLAGGED)

    assert verdict(timeline, "ruled slag foe=2 target=Shield") == "irregular is-slagged"
    assert verdict(timeline, "ruled strikes strikes=7") == "irregular too-many-strikes"
    assert followed(SLAGGED, "ruled! slag foe=2 target=Shield") == []
    assert followed("ruled! restore foe=2 target=Shield") == []


def test_a_ruling_after_the_end_may_reopen_the_match() -> None:
    timeline = played("attacked 1 Two a 2 Ulster a")

    assert verdict(timeline, "ruled restore foe=2 target=Ulster") == "irregular match-over"
    assert verdict(timeline, "ruled defeat foe=1") == "impossible match-over"
    assert verdict(timeline, "ruled end-turn") == "impossible match-over"
    stand(timeline, "ruled restore foe=2 target=Ulster")
    assert view(timeline)["outcome"] is None
    assert view(timeline)["fallen"] == []


@pytest.mark.parametrize("seats", [2, 3])
def test_who_was_ruled_out_amid_its_pulses_goes_on_with_them_when_it_is_back(seats: int) -> None:
    setup = opened(*[DECK] * seats)
    away = [*attacks(1, 2, ("Miss", "One")), "ruled slag foe=1 target=Ulster"]
    back = stand(played(*away, setup=setup), "ruled restore foe=1 target=Ulster")

    assert view(back)["current"] == 1
    assert verdict(back, "attacked 2 Two a 1 Ulster a") == "irregular not-your-pulse"


def test_a_match_awarded_stays_awarded_when_a_card_comes_back() -> None:
    lines = ["attacked 1 Two a 2 Ulster a", "ruled award foe=3"]
    timeline = played(*lines, setup=THREE)

    stand(timeline, "ruled restore foe=2 target=Ulster")

    assert view(timeline)["seats"][1]["in_play"] is True
    assert view(timeline)["outcome"]["winners"] == [3]


# -- the depth ------------------------------------------------------------------------


def test_the_depth_may_change_in_mid_match() -> None:
    timeline = played(*attacks(1, 2), "options-changed score")

    assert view(timeline)["depth"] == "score"
    assert verdict(timeline, "attacked 2 One a 1 Shield a") == "irregular other-depth"
    assert verdict(timeline, "slag-called 2 1 Shield") == "legal"
    assert ("attacked", 2) not in offered(timeline)


def test_how_far_a_turn_has_come_nobody_knows_after_slags_alone_were_recorded() -> None:
    between = ("options-changed score", "slag-called 2 1 Miss", "options-changed tests")
    begun = played("attacked 1 One a 2 Shield a", *between)
    assert verdict(begun, "attacked 2 One a 1 Shield a") == "legal"
    assert verdict(begun, "attacked 1 One a 2 Shield a") == "legal"
    over = played("flameout-called 1", *attacks(1, 2), *attacks(1, 2), *between, *attacks(2, 1))
    assert view(over)["outcome"] is None


def test_each_depth_records_its_own() -> None:
    assert verdict(played(), "slag-called 1 2 Shield") == "irregular other-depth"
    assert verdict(played(), "won-called 1") == "irregular other-depth"
    assert verdict(played(), "options-changed tests") == "irregular depth-unchanged"


def test_what_both_depths_record_stays_open() -> None:
    for line in ("attacked 1 Three a 2 Shield a", "target-drawn 1 2 Shield"):
        before, after = played(line), played(line, "options-changed full")
        for what in ("follow_up", "drawn", "test"):
            assert view(after)[what] == view(before)[what]
    moved = full()
    lines = ["travelled 1 Left cards=2", "options-changed tests"]
    assert verdict(played(*lines, setup=moved), "attacked 1 Left a 2 Odd a") == "legal"
    rest = ["attacked 1 Wings a 2 Odd a", "options-changed tests"]
    assert view(played(rest[0], setup=moved))["walk"] is not None
    assert view(played(*rest, setup=moved))["walk"] is None


def test_what_was_open_closes_with_the_depth() -> None:
    lines = [*attacks(1, 2, ("Miss", "Boots")), "attacked 1 Three a 2 Shield a"]

    assert followed(*lines, "options-changed score") == ["pulses-ended"]
