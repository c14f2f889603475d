"""Who is defeated, who has won, and the final places."""

import pytest

from rules.zg.cards import Deck
from rules.zg.consequences import MatchWon, SeatDefeated
from tests.rules.zg.table import (
    CARDS,
    DECK,
    consequence,
    followed,
    last,
    offered,
    opened,
    outcome,
    played,
    verdict,
    view,
)

SIX = ("Miss", "One", "Two", "Three", "Four", "Shield")


def heap(seat: int, cards: tuple[str, ...]) -> list[str]:
    return [f"ruled slag foe={seat} target={card}" for card in cards]


def test_f1_three_cards_left_are_enough() -> None:
    timeline = played(*heap(2, SIX))

    assert view(timeline)["seats"][1]["gear"] == 3
    assert view(timeline)["outcome"] is None
    assert verdict(timeline, "attacked 1 Two a 2 Frail a") == "legal"


def test_f2_two_cards_left_are_defeat() -> None:
    defeated = consequence(SeatDefeated, last(*heap(2, (*SIX, "Frail"))))

    assert (defeated.seat, defeated.why) == (2, "gear")
    won = outcome(*heap(2, (*SIX, "Frail")))
    assert won is not None
    assert (won.winners, won.places, won.why) == ((1,), (1, 2), "by-gear")


def test_f3_a_slagged_ulster_is_defeat_at_once() -> None:
    entry = last("attacked 1 Two a 2 Ulster a")

    assert consequence(SeatDefeated, entry).why == "ulster"
    won = consequence(MatchWon, entry)
    assert (won.winner, won.places, won.why) == (1, (1, 2), "by-ulster")


@pytest.mark.parametrize(
    "line", ["attacked 1 One a 2 Boots a", "moved 1", "conceded 2", "options-changed score"]
)
def test_nothing_is_recorded_after_the_end(line: str) -> None:
    timeline = played("attacked 1 Two a 2 Ulster a")

    assert offered(timeline) == []
    assert verdict(timeline, line) in ("impossible match-over", "impossible seat-out")


def test_a_retest_of_the_deciding_test_may_stand() -> None:
    timeline = played("attacked 1 Two a 2 Ulster a", "retested! 2 attack b")

    assert view(timeline)["outcome"] is None
    assert view(timeline)["seats"][1]["in_play"] is True


def test_a_seat_that_concedes_is_out() -> None:
    won = outcome("conceded 1")

    assert won is not None
    assert (won.winners, won.why) == ((2,), "by-concession")


def test_the_last_one_standing_wins_and_the_first_to_fall_is_last() -> None:
    setup = opened(DECK, DECK, DECK, DECK)

    won = outcome("conceded 3", "conceded 1", "conceded 4", setup=setup)

    assert won is not None
    assert (won.winners, won.places) == ((2,), (3, 1, 4, 2))


def test_a_seat_that_falls_takes_its_turn_with_it() -> None:
    setup = opened(DECK, DECK, DECK)
    timeline = played("impulse-won 1", "conceded 1", setup=setup)

    assert view(timeline)["next"] == {"what": "impulse", "seat": None}
    assert followed("turn-passed 1", "turn-passed 2", "conceded 3", setup=setup) == [
        "seat-defeated",
        "turn-began",
    ]


def test_what_was_open_with_a_fallen_seat_is_closed() -> None:
    setup = opened(DECK, DECK, DECK)

    drawn = played("target-drawn 1 2 Shield", "conceded 2", setup=setup)
    earned = played("attacked 1 Three a 2 Shield a", "conceded 2", setup=setup)

    assert view(drawn)["drawn"] is None
    assert view(earned)["follow_up"] is None


def test_a_deck_of_three_falls_with_its_first_card() -> None:
    setup = opened(DECK, Deck(cards=CARDS[:3]))

    assert followed("attacked 1 Three b 2 Miss b", setup=setup) == ["card-tested"]
    assert followed("attacked 1 Three a 2 Miss b", setup=setup)[-1] == "match-won"
