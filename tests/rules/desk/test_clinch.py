"""Safe, live and out, compared with every possible course of events."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec
import pytest

from rules.bots import Stream
from rules.desk import clinch
from rules.desk.standings import order_of
from rules.desk.state import Desk, Result, Round, Table, is_in, rounds_of
from tests.rules.desk.table import desk_of, more, played, played_out

RESULTS = (Result((1, 0)), Result((0, 0), 1), Result((0, 1)))


def every_pairing(ids: Sequence[int]) -> Iterator[tuple[list[tuple[int, int]], tuple[int, ...]]]:
    """Yield each way to pair everybody, with whoever has the bye."""
    if len(ids) % 2:
        for each in ids:
            for pairs, _ in every_pairing([other for other in ids if other != each]):
                yield pairs, (each,)
        return
    if not ids:
        yield [], ()
        return
    first, *rest = ids
    for other in rest:
        for pairs, _ in every_pairing([each for each in rest if each != other]):
            yield [(first, other), *pairs], ()


def courses(desk: Desk, index: int, left: int) -> Iterator[Desk]:
    """Yield every way the rest of a stage can go: any pairing, any result."""
    if desk.rounds and not desk.rounds[-1].closed:
        each = desk.rounds[-1]
        ways = [RESULTS if t.status != "settled" else (t.result,) for t in each.tables]
        for results in product(*ways):
            tables = tuple(
                msgspec.structs.replace(table, status="settled", result=result)
                for table, result in zip(each.tables, results, strict=True)
            )
            closed = msgspec.structs.replace(each, tables=tables, published=True, closed=True)
            after = msgspec.structs.replace(desk, rounds=(*desk.rounds[:-1], closed))
            yield from courses(after, index, left)
        return
    if not left:
        yield desk
        return
    ids = [player for player in desk.stages[index].players if is_in(desk, player)]
    for pairs, byes in every_pairing(ids):
        tables = tuple(Table(i, pair) for i, pair in enumerate(pairs, 1))
        paired = Round(index, 1, tables, byes, published=True)
        after = msgspec.structs.replace(desk, rounds=(*desk.rounds, paired))
        yield from courses(after, index, left - 1)


def seen(desk: Desk, index: int, left: int) -> dict[int, tuple[int, int]]:
    """Return the best and worst place of everybody over all courses, tie-breaks and all."""
    found: dict[int, tuple[int, int]] = {}
    for after in courses(desk, index, left):
        order = [player for player in order_of(after, index) if is_in(after, player)]
        for place, player in enumerate(order, 1):
            best, worst = found.get(player, (place, place))
            found[player] = min(best, place), max(worst, place)
    return found


def under_way(entrants: int, rounds: int, played_so_far: int, seed: str) -> Desk:
    """Return a Swiss after some rounds; half the time the next one is on the tables."""
    pick = Stream(seed)
    desk = played(f"enter {entrants}", f'stage-started swiss rounds={rounds} tiebreaks=["omw"]')
    for number in range(1, played_so_far + 2):
        last = number > played_so_far
        if last and (pick(2) or number > rounds):
            break
        more(desk, f"round-paired swiss {number}", f"round-published {number}")
        for table in desk_of(desk).rounds[-1].tables:
            if not last or pick(3) == 0:
                scores = ("[1,0]", "[0,1]", "[1,0]", "[0,1]", "[0,0]")[pick(5)]
                more(desk, f"result-reported {number} {table.number} scores={scores}")
        if not last:
            more(desk, f"round-closed {number}")
            if number == played_so_far and pick(2) and entrants > 5:
                more(desk, f"dropped {1 + pick(2)}")
    return desk_of(desk)


@pytest.mark.parametrize(
    ("entrants", "rounds", "so_far", "times"),
    [(6, 4, 3, 6), (7, 4, 3, 2), (5, 3, 2, 5), (4, 4, 2, 3)],
)
def test_nobody_ends_outside_the_predicted_range(
    entrants: int, rounds: int, so_far: int, times: int
) -> None:
    """Sound always, tight wherever it says it is exact."""
    exact = called = 0
    for seed in range(times):
        desk = under_way(entrants, rounds, so_far, f"clinch {entrants} {seed}")
        left = rounds - len(rounds_of(desk, 0))
        real = seen(desk, 0, left)
        for each in clinch.reach(desk, 0):
            best, worst = real[each.entrant]
            assert each.best <= best <= worst <= each.worst
            if each.exact:
                assert (each.best, each.worst) == (best, worst)
                exact += 1
            called += each.call(2) != "live"
    print(f"{entrants} players: {exact} exact, {called} called for a cut to two")
    assert exact or called or entrants < 5


def test_the_bound_by_points_is_exact_for_a_small_field() -> None:
    """Level in points on either side, all pairings and results tried: the bound is the truth."""
    for seed in range(8):
        entrants = 4 + seed % 2
        rounds = 4 - seed % 2
        desk = under_way(entrants, rounds, 2, f"points {seed}")
        left = rounds - len(rounds_of(desk, 0))
        ids = [player for player in desk.stages[0].players if is_in(desk, player)]
        best, worst = dict.fromkeys(ids, 99), dict.fromkeys(ids, 0)
        for after in courses(desk, 0, left):
            points = {row: clinch.sheet_of(after, 0).points(row) for row in ids}
            for each in ids:
                ahead = sum(points[other] > points[each] for other in ids)
                level = sum(points[other] >= points[each] for other in ids)
                best[each], worst[each] = min(best[each], ahead + 1), max(worst[each], level)
        for reach in clinch.reach(desk, 0):
            if not reach.exact:
                assert (reach.best, reach.worst) == (best[reach.entrant], worst[reach.entrant])


def test_the_bound_by_points_contains_every_tried_outcome(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = 0
    for seed in range(24):
        desk = under_way(4 + seed % 5, 5, 3, f"bound {seed}")
        tried = {each.entrant: each for each in clinch.reach(desk, 0)}
        with monkeypatch.context() as patch:
            patch.setattr(clinch, "SMALL", 0)
            patch.setattr(clinch, "COURSES", 0)
            bound = {each.entrant: each for each in clinch.reach(desk, 0)}
        for player, each in tried.items():
            assert bound[player].best <= each.best
            assert each.worst <= bound[player].worst
            told += bound[player].call(2) != "live"
    print(f"{told} called by the bound alone")
    assert told


@pytest.mark.parametrize(
    ("entrants", "fields"),
    [
        (6, {"format": "round-robin"}),
        (9, {"format": "round-robin", "groups": 2}),
        (11, {"format": "single-elimination", "third_place": True}),
        (9, {"format": "double-elimination"}),
        (7, {"format": "double-elimination", "no_reset": True}),
        (10, {"format": "pod-elimination"}),
        (9, {"format": "pods", "rounds": 3, "table_points": [10, 6, 3, 1]}),
        (7, {"format": "pods", "rounds": 3, "table_points": [7, 5, 3], "short_points": [9, 4, 1]}),
        (7, {"format": "multi-round-robin", "sizes": [4]}),
        (5, {"format": "ladder", "rounds": 4}),
        (24, {"format": "swiss", "rounds": 5, "best_of": 3}),
    ],
    ids=lambda v: v["format"] if isinstance(v, dict) else v,
)
def test_every_format_ends_within_the_ranges_predicted_all_along(
    entrants: int, fields: dict[str, Any]
) -> None:
    calls = 0
    for seed in range(3):
        timeline = played_out(entrants, fields, f"along {seed}")
        final = {player: i for i, player in enumerate(desk_of(timeline).order, 1)}
        for moment in timeline.moments[entrants + 1 : -1 : 4]:
            if not moment.state.desk.stages:
                continue
            for each in clinch.reach(moment.state.desk, 0):
                assert each.best <= final[each.entrant] <= each.worst, (moment.version, each)
                calls += each.call(4) != "live"
        end = clinch.reach(timeline.moments[-2].state.desk, 0)
        assert {each.entrant: (each.best, each.worst) for each in end} == {
            player: (place, place) for player, place in final.items()
        }
    assert calls


def test_safe_and_out_before_the_last_round() -> None:
    """Four players, three to go on: 1 won twice and cannot be caught by three."""
    desk = desk_of(played("enter 4", "stage-started swiss rounds=3", "play 1", "play 2"))
    called = {each.entrant: each.call(3) for each in clinch.reach(desk, 0)}
    assert called[1] == "safe"
    assert called.keys() == {1, 2, 3, 4}


@pytest.mark.parametrize(
    ("best_of", "won"), [(1, {(1, 0)}), (3, {(2, 0), (2, 1)}), (5, {(3, 0), (3, 1), (3, 2)})]
)
def test_a_match_is_tried_with_every_result_it_may_have(
    best_of: int, won: set[tuple[int, int]]
) -> None:
    tried = [(*result.scores, result.drawn) for result in clinch._results(best_of)]
    assert {(one, two) for one, two, _ in tried if 2 * one > best_of} == won
    assert {(one, two) for two, one, _ in tried if 2 * one > best_of} == won
    assert {sum(games) for games in tried} == {*range(1, best_of + 1)}
    assert len({*tried}) == len(tried)


@pytest.mark.parametrize("reported", [0, 1])
def test_a_round_of_the_last_results_is_closed_before_its_tie_breaks(reported: int) -> None:
    """4 dropped: missing the round counts as a draw in the Buchholz of those who met them."""
    tables = product((1, 2), (1, 2))
    draws = [f"result-reported {n} {table} scores=[0,0] drawn=1" for n, table in tables]
    timeline = played(
        "enter 4",
        'stage-started swiss rounds=3 tiebreaks=["bh-c1","bh-m1"]',
        *("round-paired swiss 38", "round-published 1", *draws[:2], "round-closed 1"),
        *("round-paired swiss 7", "round-published 2", *draws[2:], "round-closed 2"),
        *("dropped 4", "round-paired swiss 79", "round-published 3"),
        *["result-reported 3 1 scores=[1,0]"][:reported],
    )
    desk = desk_of(timeline)
    found = {each.entrant: (each.best, each.worst) for each in clinch.reach(desk, 0)}
    assert found == seen(desk, 0, 0)


def test_a_player_who_dropped_reaches_no_place() -> None:
    desk = desk_of(played("enter 4", "stage-started swiss", "play 1", "dropped 4"))
    assert {each.entrant for each in clinch.reach(desk, 0)} == {1, 2, 3}


@pytest.mark.parametrize(
    ("lines", "player", "places"),
    [
        pytest.param(
            ("enter 4", "stage-started round-robin legs=2", *["play 1"] * 3),
            4,
            (1, 4),
            id="a second leg is as long as the first",
        ),
        pytest.param(
            ("enter 8", "stage-started single-elimination", "play 1"),
            1,
            (1, 4),
            id="the next loser shares its place",
        ),
        pytest.param(
            ("enter 4", "stage-started single-elimination", "play 1"),
            1,
            (1, 2),
            id="the loser of the final shares its place with nobody",
        ),
        pytest.param(
            ("enter 4", "stage-started double-elimination", "play 1", "play 2"),
            4,
            (4, 4),
            id="who is out shares no place where one at a time goes out",
        ),
        pytest.param(
            ("enter 8", "stage-started single-elimination", "play 1"),
            8,
            (5, 8),
            id="who is out shares a place",
        ),
        pytest.param(
            ("enter 8", "stage-started single-elimination", "play 1", "dropped 1", "dropped 8"),
            7,  # 1 is third at best, 8 one of those who share the fifth place
            (4, 6),
            id="who left a bracket is ahead of nobody",
        ),
        pytest.param(
            (
                "enter 7",
                "stage-started pods rounds=2 table-points=[7,5,3] short-points=[9,4,1]",
                "play 1",
            ),
            7,
            (1, 7),
            id="a short table may give more",
        ),
        pytest.param(
            ("enter 4", "stage-started swiss rounds=2", "bye-granted 1 1 worth=full", "play 1"),
            3,  # of the three who are a win ahead, two meet
            (2, 4),
            id="a bye of a round gone by takes nobody out of those to come",
        ),
        pytest.param(
            ("enter 5", "stage-started swiss rounds=2", "play 1", "bye-granted 1 2 worth=zero"),
            4,  # may draw level with 1, who gets nothing, and with those who won and then lose
            (1, 5),
            id="a bye to come is counted with",
        ),
        pytest.param(
            ("enter 3", "stage-started round-robin", "play 1", "play 2"),
            2,  # rests, and gets nothing for it: if 3 wins, all three are level
            (1, 3),
            id="a rest to come is worth nothing",
        ),
        pytest.param(
            (
                "enter 3",
                "stage-started round-robin legs=2",
                *(f"play {number}" for number in range(1, 5)),
                "bye-granted 3 5 worth=full",
            ),
            3,  # rests in the fifth round, and yet gets a win: then one more, and 2 is level
            (1, 3),
            id="a bye granted where one rests is counted with",
        ),
        pytest.param(
            ("enter 3", "stage-started round-robin", "play 1", "dropped 1"),
            3,  # each has the bye against 1, and 2 has won
            (2, 2),
            id="who would have met somebody who left has the bye",
        ),
        pytest.param(
            (
                "enter 4",
                "stage-started round-robin",
                "play 1",
                "dropped 4",
                "results-annulled 4 NOTE",
            ),
            2,  # has won against 3, and rests against 4: if 1 wins and loses, all three are level
            (1, 3),
            id="who would have met somebody whose results are annulled rests",
        ),
        pytest.param(
            (
                *("enter 5", "stage-started round-robin groups=2 legs=3", "play 1"),
                *("dropped 2", "dropped 3"),
            ),
            1,
            (1, 3),
            id="everybody of a group has left",
        ),
        pytest.param(
            (
                *("enter 4", "stage-started round-robin", "play 1", "play 2"),
                *("round-paired round-robin 3", "round-published 3", "dropped 4"),
                *("results-annulled 4 NOTE", "result-reported 3 2 scores=[0,1]"),
            ),
            2,  # has lost to 1; the open table of 2 and 4 counts for nobody
            (2, 2),
            id="an open table that counts for nobody changes nothing",
        ),
        pytest.param(
            (
                "enter 7",
                "stage-started multi-round-robin sizes=[3] table-points=[7,5,3]",
                *(f"play {number}" for number in range(1, 6)),
            ),
            7,  # with 3 points and both tables to come won: 17, while 4 rests at 15
            (1, 7),
            id="the tables of a design are known",
        ),
    ],
)
def test_the_places_that_somebody_can_reach(
    lines: tuple[str, ...], player: int, places: tuple[int, int]
) -> None:
    found = {each.entrant: each for each in clinch.reach(desk_of(played(*lines)), 0)}
    assert (found[player].best, found[player].worst) == places


def test_a_challenge_by_hand_may_climb_many_rungs() -> None:
    paired = "round-paired! ladder 1 pairings=[[5,1],[2,6],[4,3]] note=NOTE"
    timeline = played("enter 6", "stage-started ladder rounds=1", paired, "round-published 1")
    desk = desk_of(more(timeline, "dropped 2"))

    told = {each.entrant: (each.best, each.worst) for each in clinch.reach(desk, 0)}
    assert told == {player: each for player, each in seen(desk, 0, 0).items() if player != 2}


@pytest.mark.parametrize(
    "paired",
    [
        ("round-paired! ladder 1 pairings=[[2,1],[4,3],[6,5]] note=NOTE",),
        ("round-paired ladder 1", "pairing-changed 1 1 4 NOTE"),
    ],
    ids=["paired", "changed"],
)
def test_a_ladder_that_was_paired_by_hand_may_be_again(paired: tuple[str, ...]) -> None:
    stage = "stage-started ladder rounds=2"
    timeline = played("enter 6", stage, *paired, "round-published 1")

    assert {each.call(2) for each in clinch.reach(desk_of(timeline), 0)} == {"live"}


def test_a_reported_result_may_stand_though_it_is_neither_won_nor_drawn() -> None:
    """Nobody came to the second table, as one of it says: all have no points then."""
    timeline = played(
        *("enter 4", "stage-started swiss rounds=1", "round-paired swiss 2", "round-published 1"),
        *("ruled 1 1 NOTE lost=true", "result-reported 1 2 absent=[1,3] by=1"),
    )
    assert [table.players for table in desk_of(timeline).rounds[0].tables] == [(2, 4), (1, 3)]
    found = {each.entrant: each for each in clinch.reach(desk_of(timeline), 0)}
    more(timeline, "round-closed 1")
    order = order_of(desk_of(timeline), 0)
    assert all(found[p].best <= place <= found[p].worst for place, p in enumerate(order, 1))


def test_points_of_an_open_table_may_go_to_who_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """1 left the table with 4: if 1 wins it, 4 has none, and 5 comes before with a bye."""
    monkeypatch.setattr(clinch, "SMALL", 0)
    timeline = played(
        *("enter 5", "stage-started round-robin groups=2", "play 1"),
        *("round-paired round-robin 2", "round-published 2", "dropped 1"),
    )
    found = {each.entrant: each.best for each in clinch.reach(desk_of(timeline), 0)}
    more(timeline, "result-reported 2 1 scores=[1,0]", "round-closed 2", "play 3")
    order = [player for player in order_of(desk_of(timeline), 0) if player != 1]
    assert all(found[player] <= place for place, player in enumerate(order, 1))


def test_who_left_another_group_is_ahead_of_nobody() -> None:
    """Of the other group one of three has left: two at most are on the same places."""
    mine = clinch.Reach(1, 2, 2)
    assert clinch._among_groups([(3, 3), (3, 2)], 0, mine) == clinch.Reach(1, 2, 4)
