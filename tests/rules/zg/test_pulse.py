"""What uses up a pulse, and the clock."""

from rules.zg.consequences import PulsesLost
from tests.rules.zg.table import attacks, consequence, followed, last, played, verdict, view


def test_a_move_without_an_attack_is_a_pulse() -> None:
    timeline = played("moved 1 card=Boots", "moved 1")

    assert view(timeline)["pulse"] == 3
    assert view(timeline)["seats"][0]["played"] == ["Boots"]


def test_a_card_is_played_once_a_turn() -> None:
    timeline = played("moved 1 card=Boots")

    assert verdict(timeline, "moved 1 card=Boots") == "irregular card-already-played"
    assert verdict(timeline, "attacked 1 Boots a 2 Frail b") == "irregular card-already-played"
    assert verdict(timeline, "attacked 1 One a 2 Frail b") == "legal"


def test_a_card_played_comes_back_next_turn() -> None:
    timeline = played(*attacks(1, 2), *attacks(2, 1))

    assert verdict(timeline, "attacked 1 Miss a 2 Frail b") == "legal"


def test_a_slagged_card_is_not_played() -> None:
    timeline = played("attacked 1 Two a 2 Boots a", "turn-passed 1")

    assert verdict(timeline, "moved 2 card=Boots") == "irregular is-slagged"
    assert verdict(timeline, "attacked 2 Boots a 1 Frail b") == "irregular is-slagged"


def test_a_seat_may_give_up_the_pulses_it_has_left() -> None:
    assert followed("moved 1", "turn-passed 1") == ["pulses-ended"]
    assert followed("turn-passed 1", "turn-passed 2") == ["pulses-ended", "turn-began"]


def test_pulses_a_table_let_stand_beyond_the_third_change_nothing_more() -> None:
    timeline = played(*attacks(1, 2), "attacked! 1 Two a 2 Boots a")

    assert view(timeline)["seats"][1]["gear"] == 8
    assert view(timeline)["current"] == 2


def test_a_seat_is_put_on_the_clock() -> None:
    timeline = played("countdown-started 1")

    assert view(timeline)["seats"][0]["clock"] is True
    assert verdict(timeline, "countdown-started 1") == "irregular countdown-runs"
    assert verdict(timeline, "countdown-started 2") == "legal"
    assert verdict(timeline, "countdown-expired 2") == "irregular no-countdown"


def test_when_the_clock_runs_out_the_pulses_left_are_lost() -> None:
    entry = last("moved 1", "countdown-started 1", "countdown-expired 1")

    assert consequence(PulsesLost, entry).pulses == 2
    assert followed("countdown-started 2", "countdown-expired 2") == ["pulses-lost", "pulses-ended"]


def test_the_clock_stops_with_the_pulses() -> None:
    timeline = played("countdown-started 1", *attacks(1, 2))

    assert view(timeline)["seats"][0]["clock"] is False
    assert verdict(timeline, "countdown-started 1") == "irregular no-pulse-left"


def test_a_follow_up_is_lost_with_the_clock() -> None:
    lines = ["countdown-started 1", *attacks(1, 2)[:2], "attacked 1 Three a 2 Boots a"]

    assert followed(*lines, "countdown-expired 1") == ["pulses-ended"]


def test_a_clock_that_was_never_started_may_yet_run_out() -> None:
    assert followed("countdown-expired! 1") == ["pulses-lost", "pulses-ended"]
