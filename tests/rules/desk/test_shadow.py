"""Other ways to pair, and acceleration."""

from fractions import Fraction

import pytest

from rules.desk import shadow
from rules.desk.pairing import ahead_of, propose, swiss_field
from rules.desk.stages import may_pair
from rules.desk.standings import sheet_of
from tests.rules.desk.table import desk_of, more, played, played_out


def test_no_other_way_costs_less_than_ours() -> None:
    dearer = rounds = 0
    for seed in range(4):
        timeline = played_out(7 + 2 * seed, {"format": "swiss", "rounds": 6}, f"shadow {seed}")
        for moment in timeline.moments:
            desk = moment.state.desk
            if not desk.rounds or not may_pair(desk):
                continue
            ours, *others = shadow.shadows(desk, seed)
            rounds += 1
            assert ours.pairings == propose(desk, seed).pairings
            for each in others:
                seated = sorted([*each.byes, *(p for pair in each.pairings for p in pair)])
                assert seated == sorted(desk.stages[0].players)
                assert each.cost >= ours.cost
                dearer += each.cost > ours.cost
    print(f"{dearer} of {2 * rounds} other rounds cost more")
    assert dearer


def test_another_way_weighs_a_swiss_only() -> None:
    with pytest.raises(ValueError, match="only a Swiss"):
        shadow.shadows(desk_of(played("enter 4", "stage-started round-robin")), 1)


# -- acceleration -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entrants", "half"), [(4, 2), (5, 4), (8, 4), (10, 6), (161, 82)], ids=str
)
def test_the_better_half_is_even_and_ahead_for_some_rounds(entrants: int, half: int) -> None:
    """Of 161 players 82 are in the better half, as in the rule's own example."""
    desk = desk_of(played(f"enter {entrants}", "stage-started swiss rounds=9 accelerated=5"))
    stage = desk.stages[0]

    ahead = [set(ahead_of(stage, number).values()) for number in range(1, 7)]

    assert len(ahead_of(stage, 1)) == half
    assert ahead == [{Fraction(3)}] * 3 + [{Fraction(1)}] * 2 + [set()]


def test_a_bye_is_a_float_down_in_the_next_round() -> None:
    desk = desk_of(played("enter 3", "stage-started swiss", "play 1"))
    floated = {player.id: player.floated for player in swiss_field(desk).players}
    assert floated == dict.fromkeys((1, 2, 3), 0) | {desk.rounds[0].byes[0]: 1}


def test_late_entries_do_not_move_the_better_half() -> None:
    begun = ["enter 8", "stage-started swiss rounds=5 accelerated=4"]

    late = desk_of(played(*begun, "play 1", "enter 2")).stages[0]
    assert [*ahead_of(late, 2)] == [1, 2, 3, 4]
    early = desk_of(played(*begun, "enter 2")).stages[0]
    assert [*ahead_of(early, 1)] == [1, 2, 3, 4, 5, 6]


def test_winners_of_the_better_half_meet_at_once() -> None:
    """Of eight, 1 to 4 meet among themselves first; then their winners do, and nobody's points
    are touched."""
    timeline = played("enter 8", "stage-started swiss rounds=5 accelerated=2", "play 1")
    desk = desk_of(timeline)
    first = {frozenset(table.players) <= {1, 2, 3, 4} for table in desk.rounds[0].tables}
    assert first == {True, False}
    assert sum(frozenset(t.players) <= {1, 2, 3, 4} for t in desk.rounds[0].tables) == 2
    assert sorted(sheet_of(desk, 0).points(player) for player in range(1, 9)) == [0] * 4 + [3] * 4

    more(timeline, "play 2")

    top = [p for p in (1, 2, 3, 4) if sheet_of(desk, 0).points(p) == 3]
    tables = [set(table.players) for table in desk_of(timeline).rounds[1].tables]
    assert set(top) in tables
