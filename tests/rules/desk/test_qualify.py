"""Reachable places in a circuit: no course of events leaves the predicted range."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, permutations, product

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
    given = {who: pick(31) - 15 for who in range(1, 9) if pick(2)} if seed % 2 else {}
    season = Season(results, to_come, counted, given)
    everybody = [*results, *newcomers]
    courses = (
        [_event(pick.choice(event), everybody, pick) for event in to_come] for _ in range(300)
    )
    _hold(season, courses)


def _hold(season: Season, courses: Iterable[Sequence[Mapping[int, int]]]) -> None:
    """Assert that no course of events leads beyond the bounds."""
    results = season.results
    reach = {each.entrant: each for each in season.reach()}
    assert reach.keys() == results.keys()
    need = {who: season.needed(who, 2) for who in results}
    for course in courses:
        had = {who: list(each) for who, each in results.items()}
        for who, points in chain.from_iterable(event.items() for event in course):
            had.setdefault(who, []).append(points)
        totals = {
            who: total(each, season.counted) + season.given.get(who, 0) for who, each in had.items()
        }
        for who, bounds in reach.items():
            others = [points for other, points in totals.items() if other != who]
            level = 1 + sum(points >= totals[who] for points in others)
            assert bounds.best <= 1 + sum(points > totals[who] for points in others)
            assert level <= bounds.worst
            needs = need[who]
            if needs is not None and any(event.get(who, 0) >= needs for event in course):
                assert level <= 2


def _every(table: Sequence[int], people: Sequence[int]) -> Iterator[dict[int, int]]:
    """Yield the points of each way an event may end, in which nobody shares a place."""
    for many in range(len(people) + 1):
        for order in permutations(people, many):
            points = [*table, *[0] * many][:many]
            yield dict(zip(order, points, strict=True))


@pytest.mark.parametrize("counted", [0, 1])
@pytest.mark.parametrize(
    "given",
    [{}, {1: -4}, {1: 3, 2: -3}, {2: 5, 3: -2}, {3: 4}, {3: -9, 4: 6}, {2: -9, 3: 2, 4: -1}],
)
def test_the_bounds_hold_in_every_course_with_points_given_and_taken(
    given: dict[int, int], counted: int
) -> None:
    results = {1: [6], 2: [3]}
    tables, people = ([4, 2], [5]), (1, 2, 3, 4)
    season = Season(results, [[table] for table in tables], counted, given)
    _hold(season, product(*(list(_every(table, people)) for table in tables)))


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


def test_points_given_and_taken_count_beside_the_best_results() -> None:
    results, to_come = {1: [5, 4], 2: [8]}, [[[3]]]
    assert Season(results, [], 1, {1: 4, 2: -1}).reach() == (Reach(1, 1, 1), Reach(2, 2, 2))
    assert Season(results, to_come, 1, {1: 4, 2: -1}).needed(2, 1) is None
    assert Season(results, to_come, 0, {1: 1, 2: 1}).needed(2, 1) == 3
    assert Season(results, to_come, 0, {1: 5, 2: 1}).needed(2, 1) is None


def test_who_has_points_without_a_result_may_yet_come_level_but_is_not_ahead() -> None:
    season = Season({1: [10]}, [[[1]]], given={2: 12})
    assert season.reach() == (Reach(1, 1, 2),)
    assert season.needed(1, 1) is None
    assert Season({1: [10]}, [[[1]]], given={2: 9}).needed(1, 1) == 1


def test_newcomers_come_level_before_somebody_below_zero() -> None:
    results = {1: [2], 2: [0], 3: [0]}
    season = Season(results, [[[2, 2, 2]]], given={2: -2, 3: -2})
    assert season.reach()[0] == Reach(1, 1, 4)
