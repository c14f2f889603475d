"""Designs, ladders, groups and cuts."""

from collections import Counter
from itertools import combinations

import pytest

from rules.bots import Stream
from rules.desk.formats import cuts, groups, ladder
from rules.desk.formats.multi_round_robin import Design, design_for, designs, rounds


def name_of(design: Design) -> str:
    return f"{design.players} at {design.seats}"


# -- round robins at tables of three to six ---------------------------------------------


@pytest.mark.parametrize("design", designs(), ids=name_of)
def test_a_design_is_what_it_says(design: Design) -> None:
    """Counted again from the tables alone."""
    met = Counter(frozenset(pair) for table in design.tables for pair in combinations(table, 2))
    everybody = range(1, design.players + 1)

    assert all(len(set(table)) == design.seats for table in design.tables)
    assert set(met) == {frozenset(pair) for pair in combinations(everybody, 2)}
    assert set(met.values()) == {design.meetings}
    for player in everybody:
        seats = [sum(table[i] == player for table in design.tables) for i in range(design.seats)]
        assert max(seats) - min(seats) <= design.spread


@pytest.mark.parametrize("design", designs(), ids=name_of)
def test_a_design_is_played_in_rounds(design: Design) -> None:
    players = [100 + i for i in range(design.players)]
    table = rounds(players, design.seats)

    assert sum(len(each.tables) for each in table) == len(design.tables)
    for each in table:
        seated = [player for company in each.tables for player in company]
        assert sorted([*seated, *each.rests]) == players
        assert not (design.together and each.rests)


def test_a_design_that_is_not_there_is_said_with_those_that_are() -> None:
    assert design_for(10, 4) is None
    with pytest.raises(ValueError, match="no design for 10 players at 4; there are 4 at 3, 5 at 3"):
        rounds(range(10), 4)


# -- ladders --------------------------------------------------------------------------


def test_who_wins_from_below_takes_the_place_and_moves_those_between_down() -> None:
    assert ladder.after((1, 2, 3, 4), 4, 2) == (1, 4, 2, 3)


def test_a_defender_who_stands_below_already_stays_there() -> None:
    assert ladder.after((1, 2, 3), 1, 3) == (1, 2, 3)


@pytest.mark.parametrize(
    ("number", "pairs", "rest"),
    [(1, ((2, 1), (4, 3)), (5,)), (2, ((3, 2), (5, 4)), (1,))],
)
def test_neighbours_meet_by_turns(
    number: int, pairs: tuple[tuple[int, int], ...], rest: tuple[int, ...]
) -> None:
    assert ladder.neighbours((1, 2, 3, 4, 5), number) == (pairs, rest)


@pytest.mark.parametrize("number", [1, 2])
def test_two_alone_on_a_ladder_meet_in_every_round(number: int) -> None:
    assert ladder.neighbours((1, 2), number) == (((2, 1),), ())


# -- groups ---------------------------------------------------------------------------


def test_seeds_are_dealt_out_to_and_fro() -> None:
    assert groups.divide(range(1, 9), 3) == ((1, 6, 7), (2, 5, 8), (3, 4))


def test_the_best_of_each_group_go_on_winners_first() -> None:
    standings = [(11, 12, 13), (21, 22), (31, 32, 33)]

    assert groups.advance(standings, 4, tuple) == (11, 21, 31, 12)
    assert groups.advance(standings, 99, reversed) == (31, 21, 11, 32, 22, 12, 33, 13)


@pytest.mark.parametrize("count", [2, 3, 4, 6, 8])
def test_no_group_meets_itself_in_a_first_round(count: int) -> None:
    members = groups.divide(range(1, 5 * count + 1), count)
    group_of = {each: i for i, group in enumerate(members) for each in group}
    pick = Stream(f"groups {count}")
    standings = [sorted(group, key=lambda _: pick(1000)) for group in members]
    for through in (2 * count, 4 * count):
        seeds = groups.advance(standings, through, tuple)

        place_of = {each: place for group in standings for place, each in enumerate(group)}

        order = groups.kept_apart(seeds, group_of, place_of)

        size = 1 << (len(order) - 1).bit_length()
        pairs = [
            (order[i], order[size - 1 - i]) for i in range(size // 2) if size - 1 - i < through
        ]
        assert sorted(order) == sorted(seeds)
        assert all(group_of[one] != group_of[two] for one, two in pairs)


# -- cuts -----------------------------------------------------------------------------


@pytest.mark.parametrize("size", cuts.POD_CUTS)
def test_a_pod_cut_comes_out_at_a_final_of_four(size: int) -> None:
    players: tuple[int, ...] = tuple(range(1, size + 1))
    for straight, pods in cuts.pod_plan(size):
        each = cuts.pod_round(players, straight, pods)
        assert sorted([*each.straight, *(p for pod in each.pods for p in pod)]) == sorted(players)
        assert {len(pod) for pod in each.pods} == {4}
        players = cuts.next_players(players, each, [min(pod) for pod in each.pods])
    assert players == (1,)


def test_the_best_seeds_go_straight_on() -> None:
    first = cuts.pod_round(tuple(range(1, 11)), *cuts.pod_plan(10)[0])

    assert first.straight == (1, 2)
    assert first.pods == ((3, 6, 7, 10), (4, 5, 8, 9))


def test_a_size_that_does_not_come_out_is_refused() -> None:
    with pytest.raises(ValueError, match="4, 7, 10, 13, 16, 40 players, not 12"):
        cuts.pod_plan(12)
