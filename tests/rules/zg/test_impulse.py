"""Who plays next, and the parts of a turn."""

import pytest

from tests.rules.zg.table import (
    DECK,
    attacks,
    followed,
    last,
    offered,
    opened,
    played,
    stand,
    verdict,
    view,
)

THREE = opened(DECK, DECK, DECK)


def test_anybody_may_play_first_and_nobody_has_to_say_so() -> None:
    timeline = played()

    assert view(timeline)["next"] == {"what": "impulse", "seat": None}
    assert ("impulse-won", 1) in offered(timeline)
    assert verdict(timeline, "attacked 2 One a 1 Shield a") == "legal"


def test_who_won_the_impulse_plays_its_pulses() -> None:
    timeline = played("impulse-won 2")

    assert view(timeline)["next"] == {"what": "pulse", "seat": 2}
    assert verdict(timeline, "moved 1") == "irregular not-your-pulse"
    assert verdict(timeline, "impulse-won 1") == "irregular not-your-pulse"
    assert verdict(timeline, "impulse-won 2") == "irregular impulse-is-won"


def test_who_begins_its_pulses_goes_on() -> None:
    timeline = played("attacked 2 One a 1 Shield a")

    assert view(timeline)["current"] == 2
    assert view(timeline)["pulse"] == 2
    assert verdict(timeline, "attacked 1 One a 2 Shield a") == "irregular not-your-pulse"


def test_three_pulses_end_a_seats_part_of_the_turn() -> None:
    lines = attacks(1, 2)

    assert followed(*lines)[-1] == "pulses-ended"
    assert verdict(played(*lines), "moved 1") == "irregular no-pulse-left"


def test_the_last_seat_left_plays_without_being_called() -> None:
    timeline = played(*attacks(1, 2))

    assert view(timeline)["next"] == {"what": "pulse", "seat": 2}
    assert ("impulse-won", 2) not in offered(timeline)


def test_the_turn_ends_when_every_seat_has_played() -> None:
    entry = last(*attacks(1, 2), *attacks(2, 1))

    assert [event.turn for event in entry.consequences[-1:]] == [2]
    assert view(played(*attacks(1, 2), *attacks(2, 1)))["turn"] == 2


def test_a_clock_that_a_table_started_late_ends_with_the_turn() -> None:
    late = played(*attacks(1, 2), "countdown-started! 1")
    assert view(late)["seats"][0]["clock"] is True
    over = view(stand(late, *attacks(2, 1)))

    assert (over["turn"], over["seats"][0]["clock"]) == (2, False)


def test_of_three_seats_the_table_says_who_is_second() -> None:
    timeline = played("impulse-won 3", *attacks(3, 1), setup=THREE)

    assert view(timeline)["next"] == {"what": "impulse", "seat": None}
    assert [seat for kind, seat in offered(timeline) if kind == "impulse-won"] == [1, 2]
    assert verdict(timeline, "impulse-won 3") == "irregular no-pulse-left"


def test_of_three_seats_the_third_follows_by_itself() -> None:
    lines = [*attacks(3, 1), *attacks(1, 2)]

    assert view(played(*lines, setup=THREE))["current"] == 2


def test_a_table_that_lets_another_seat_cut_in_comes_back_to_the_first() -> None:
    timeline = played("moved 1", "attacked! 2 Miss a 1 Frail b", *attacks(2, 1)[1:])

    assert view(timeline)["current"] == 1
    assert view(timeline)["pulse"] == 2


@pytest.mark.parametrize("line", ["impulse-won 3", "impulse-won 0", "impulse-won -1"])
def test_a_seat_has_to_be_there(line: str) -> None:
    assert verdict(played(), line) == "impossible no-such-seat"


def test_a_seat_that_is_let_in_ends_a_draw_for_a_target() -> None:
    drawn = played("target-drawn 1 2 Shield")
    assert verdict(drawn, "moved 2") == "irregular card-is-drawn"

    assert verdict(stand(drawn, "impulse-won 2"), "moved 2") == "legal"
