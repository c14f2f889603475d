"""Reachable places in a circuit: no course of events leaves the predicted range."""

from collections.abc import Sequence

import pytest

from rules.bots import Stream
from rules.desk.clinch import Reach
from rules.desk.qualify import Season, total

TABLES = ([10, 6, 3], [7], [4, 4, 1, 1], [12, 0, 9])


def _event(table: Sequence[int], people: Sequence[int], pick: Stream) -> dict[int, int]:
    """Return the points of one event: who takes part, in which order, sharing places at random."""
    order = list(people)
    for at in range(len(order) - 1, 0, -1):
        other = pick(at + 1)
        order[at], order[other] = order[other], order[at]
    order = order[: 1 + pick(len(order))]
    found: dict[int, int] = {}
    while len(found) < len(order):
        place = len(found)
        sharing = 1 + (pick(3) == 0) * pick(len(order) - place)
        for who in order[place : place + sharing]:
            found[who] = sum(table[place : place + sharing]) // sharing
    return found


@pytest.mark.parametrize("seed", range(20))
def test_no_season_goes_beyond_the_bounds(seed: int) -> None:
    pick = Stream(f"qualify {seed}")
    results = {who: [pick(11) for _ in range(1 + pick(2))] for who in range(1, 6)}
    to_come = [[pick.choice(TABLES) for _ in range(1 + pick(2))] for _ in range(1 + pick(2))]
    counted, newcomers = pick(3), range(6, 12)
    season = Season(results, to_come, counted)
    reach = {each.entrant: each for each in season.reach()}
    need = {who: season.needed(who, 2) for who in results}
    for _ in range(300):
        course = [_event(pick.choice(event), [*results, *newcomers], pick) for event in to_come]
        had = {
            who: [*results.get(who, ()), *(event[who] for event in course if who in event)]
            for who in (*results, *newcomers)
        }
        totals = {who: total(each, counted) for who, each in had.items() if each}
        for who, bounds in reach.items():
            others = [points for other, points in totals.items() if other != who]
            level = 1 + sum(points >= totals[who] for points in others)
            assert bounds.best <= 1 + sum(points > totals[who] for points in others)
            assert level <= bounds.worst
            needs = need[who]
            if needs is not None and any(event.get(who, 0) >= needs for event in course):
                assert level <= 2


def test_when_nothing_is_to_come_the_places_are_what_they_are() -> None:
    results = {1: [10], 2: [6, 1], 3: [7]}
    assert Season(results, []).reach() == (Reach(1, 1, 1), Reach(2, 2, 3), Reach(3, 2, 3))
    assert Season(results, []).needed(3, 1) is None


def test_as_many_come_level_as_the_points_that_are_left_are_enough_for() -> None:
    results = {who: [0] for who in range(2, 12)} | {1: [10]}
    first = Season(results, [[[5, 4]], [[5, 4]], [[5, 4]]]).reach()[0]
    assert first == Reach(1, 1, 1 + 2)
    assert first.call(3) == "safe"


def test_newcomers_come_level_too_and_without_points_nobody_is_safe() -> None:
    assert Season({1: [4]}, [[[5, 4]]]).reach() == (Reach(1, 1, 3),)
    assert Season({1: [4]}, [[[3, 3]]]).reach() == (Reach(1, 1, 1),)
    assert Season({1: [0]}, [[[5]]]).reach()[0].call(64) == "live"


def test_the_fewest_points_that_are_enough_are_told() -> None:
    results = {1: [10], 2: [8], 3: [2]}
    season = Season(results, [[[10, 5, 3]]])
    assert season.needed(2, 2) == 5
    assert season.needed(3, 1) is None
