"""The results of somebody who left a round robin count for nobody there."""

import msgspec
import pytest

from rules.bots import Stream
from rules.desk.clinch import reach
from rules.desk.formats import groups
from rules.desk.pairing import planned_rounds
from rules.desk.people import annullable
from rules.desk.standings import (
    final_order,
    granted_to,
    order_after,
    order_of,
    places_of,
    rests,
    sheet_of,
    standings,
)
from rules.desk.state import Desk, is_annulled
from rules.desk.tiebreaks import TIEBREAKS, RoundPart, Sheet, Standing, rank
from rules.desk.worth import parts_at
from rules.fields import Choice
from rules.replay import Timeline
from tests.rules.desk.table import RULESET, SWISS, consequences, desk_of, more, played, verdict

ROBIN = "stage-started round-robin"
ANNUL = "results-annulled 4 NOTE"


@pytest.mark.parametrize(
    ("lines", "line", "expected"),
    [
        ([ROBIN, "play 1", "dropped 4"], ANNUL, "legal"),
        ([ROBIN, "play 1", "disqualified 4"], ANNUL, "legal"),
        ([f"{ROBIN} groups=2", "dropped 4"], ANNUL, "legal"),
        ([ROBIN, "dropped 4"], 'results-annulled 4 ""', "impossible missing-reason"),
        ([ROBIN, "play 1"], ANNUL, "impossible has-not-left"),
        ([ROBIN], "results-annulled 5 NOTE", "impossible no-such-entrant"),
        (["dropped 4", ROBIN], ANNUL, "impossible not-in-stage"),
        ([ROBIN, "dropped 4", ANNUL], ANNUL, "impossible is-annulled"),
        ([ROBIN, "dropped 4", ANNUL], "returned 4", "impossible is-annulled"),
        ([ROBIN, "dropped 4", ANNUL], "disqualified 4", "legal"),
        ([ROBIN, "dropped 4", ANNUL, "stage-ended NOTE", SWISS], "returned 4", "legal"),
        (["dropped 4"], ANNUL, "impossible no-round-robin"),
        ([SWISS, "play 1", "dropped 4"], ANNUL, "impossible no-round-robin"),
        (["stage-started single-elimination", "dropped 4"], ANNUL, "impossible no-round-robin"),
        (
            ["stage-started multi-round-robin sizes=[3]", "dropped 4"],
            ANNUL,
            "impossible no-round-robin",
        ),
        (
            [ROBIN, "play 1", "dropped 4", "stage-ended NOTE", "cut-made 2"],
            ANNUL,
            "impossible no-round-robin",
        ),
    ],
)  # fmt: skip
def test_whose_results_may_be_annulled(lines: list[str], line: str, expected: str) -> None:
    count = 7 if "multi" in lines[0] else 4
    assert verdict(played(f"enter {count}", *lines), line) == expected


def test_it_is_offered_for_all_who_left_and_nobody_else() -> None:
    timeline = played("enter 5", "dropped 5", ROBIN, "dropped 4", "disqualified 3")
    offered = [
        offer.fields["entrant"]
        for offer in RULESET.options(timeline.head.state)
        if offer.type == "results-annulled"
    ]
    assert offered == [Choice((3, 4))]


def random_round_robin(pick: Stream, *, at_once: bool = False) -> tuple[Timeline, int]:
    """Return a round robin with random results that somebody left on the way, and who.

    With `at_once` their results are annulled then, and every match ends with a winner or drawn.
    """
    count, legs, divided = 3 + pick(6), 1 + pick(2), 1 + pick(2)
    stage = f"{ROBIN} best-of=3 legs={legs} groups={divided} seed=7"
    timeline = played(f"enter {count}", stage)
    gone = 1 + pick(count)
    rounds = planned_rounds(desk_of(timeline).stages[0])
    leaves = pick(rounds + 1)
    for number in range(1, rounds + 1):
        if number == leaves + 1:
            more(timeline, f"dropped {gone}", *[f"results-annulled {gone} NOTE"] * at_once)
        more(timeline, "round-paired round-robin 1", f"round-published {number}")
        for table in desk_of(timeline).rounds[-1].tables:
            ends = ["scores=[2,0]", "scores=[1,2]", "scores=[1,1] drawn=1"]
            if not at_once:
                ends += ["lost=true", f"absent=[{table.players[pick(2)]}]"]
            more(timeline, f"result-reported {number} {table.number} {ends[pick(len(ends))]}")
        more(timeline, f"round-closed {number}")
    return more(timeline, *[f"dropped {gone}"] * (leaves == rounds)), gone


def without(desk: Desk, gone: int, field: tuple[int, ...]) -> tuple[Standing, ...]:
    """Rank a group by the tables at which somebody did not sit, as if nothing else had been."""
    stage = desk.stages[0]
    parts: dict[int, list[RoundPart]] = {player: [] for player in field if player != gone}
    for number, each in enumerate(desk.rounds, 1):
        for table in each.tables:
            if gone not in table.players and table.result and parts.keys() >= {*table.players}:
                for player, part in parts_at(stage, number, table, table.result).items():
                    parts[player].append(part)
    return rank(Sheet(parts, round_robin=True, seed=7), stage.setup.tiebreaks)


def shown(row: Standing) -> object:
    return row.player, row.points, {code: value.number for code, value in row.breaks.items()}


@pytest.mark.parametrize("seed", range(12))
def test_those_who_remain_stand_as_if_who_left_had_not_been_there(seed: int) -> None:
    """By each tie-break: places, points and all numbers, group by group."""
    timeline, gone = random_round_robin(Stream(f"annulled {seed}"))
    dump = RULESET.dump(timeline.head.state)
    more(timeline, f"results-annulled {gone} NOTE")
    before = desk_of(timeline)
    [stage] = before.stages
    for codes in (("de", "sb", "ks", "games", "omw", "mw-rounds"), tuple(TIEBREAKS)):
        setup = msgspec.structs.replace(stage.setup, tiebreaks=codes)
        ranked = msgspec.structs.replace(stage, setup=setup)
        desk = msgspec.structs.replace(before, stages=(ranked,))
        rows = standings(desk, 0)
        for field in groups.divide(stage.players, stage.setup.groups):
            mine = [row for row in rows if row.player in field and row.player != gone]
            assert [shown(row) for row in mine] == [
                shown(row) for row in without(desk, gone, field)
            ]
        assert (rows[-1].player, rows[-1].points) == (gone, 0)
    more(timeline, f"taken-back {len(timeline) - 1}")
    assert RULESET.dump(timeline.head.state) == dump


@pytest.mark.parametrize("seed", range(8))
def test_bounds_hold_from_then_on(seed: int) -> None:
    timeline, gone = random_round_robin(Stream(f"bounds {seed}"), at_once=True)
    final = [player for player in order_of(desk_of(timeline), 0) if player != gone]
    for moment in timeline.moments[1::3]:
        desk = moment.state.desk
        if desk.stages and desk.stages[0].annulled:
            for each in reach(desk, 0):
                assert each.best <= 1 + final.index(each.entrant) <= each.worst, moment.version
    assert [(each.best, each.worst) for each in reach(desk_of(timeline), 0)] == [
        (place, place) for place in range(1, len(final) + 1)
    ]


def test_who_was_to_meet_them_rests_whatever_stood_for_it() -> None:
    """2 won by forfeit, 1 had half a point for asking, and 3 the bye."""
    timeline = played("enter 4", ROBIN, "dropped 4", "bye-granted 1 1", "play 1", "play 2")
    more(timeline, "play 3")
    points = {row.player: row.points for row in standings(desk_of(timeline), 0)}
    assert points == {1: 7, 2: 6, 3: 3, 4: 0}

    more(timeline, ANNUL)
    desk = desk_of(timeline)
    assert {player: len(parts) for player, parts in sheet_of(desk, 0).parts.items()} == {
        1: 2, 2: 2, 3: 2, 4: 0,
    }  # fmt: skip
    assert {row.player: row.points for row in standings(desk, 0)} == {1: 6, 2: 3, 3: 0, 4: 0}
    assert granted_to(desk, 1, 1) is None
    assert [rests(desk, number) for number in (1, 2, 3)] == [set(), {3}, {2}]
    assert desk.rounds[0].order and order_after(desk, 1)[-1] == 4


def test_annulled_comes_before_disqualified_and_behind_all_others() -> None:
    timeline = played("enter 5", ROBIN, *["play 1"] * 5, "dropped 1", "disqualified 2")
    more(timeline, "results-annulled 1 NOTE")
    desk = desk_of(timeline)
    assert [row.player for row in standings(desk, 0)] == [3, 4, 5, 1, 2]
    assert places_of(desk, 0)[2] == 5
    assert annullable(desk) == (2,)
    more(timeline, "results-annulled 2 NOTE")
    assert [row.player for row in standings(desk_of(timeline), 0)] == [3, 4, 5, 1, 2]
    assert final_order(desk_of(timeline)) == (3, 4, 5, 1, 2)

    timeline = played("enter 9", f"{ROBIN} groups=2", *["play 1"] * 5, "dropped 1")
    more(timeline, "disqualified 2")  # the last of four, where the other group has five
    assert [row.player for row in standings(desk_of(timeline), 0)][-2:] == [9, 2]
    more(timeline, "results-annulled 1 NOTE")
    assert [row.player for row in standings(desk_of(timeline), 0)][-3:] == [9, 1, 2]


def test_groups_are_compared_by_the_matches_that_count() -> None:
    """4 won the only match that counts for it; 2 won one of two, and drew the other with 3."""
    timeline = played("enter 6", f"{ROBIN} groups=2", *["play 1"] * 3, "dropped 1")
    drawn = next(
        (number, table.number)
        for number, each in enumerate(desk_of(timeline).rounds, 1)
        for table in each.tables
        if {*table.players} == {2, 3}
    )
    more(timeline, "result-corrected {} {} NOTE scores=[0,0]".format(*drawn))
    assert [row.player for row in standings(desk_of(timeline), 0)][:2] == [1, 2]

    more(timeline, "results-annulled 1 NOTE")
    rows = standings(desk_of(timeline), 0)
    assert [(row.player, row.points) for row in rows] == [
        (4, 3), (2, 4), (3, 4), (5, 0), (6, 0), (1, 0),
    ]  # fmt: skip
    more(timeline, "cut-made 4")
    assert set(desk_of(timeline).stages[0].cut) == {4, 2, 3, 5}


def test_an_open_table_that_does_not_count_changes_no_bound() -> None:
    timeline = played("enter 6", ROBIN, *["play 1"] * 3, "round-paired round-robin 1")
    more(timeline, "round-published 4", "dropped 6", "results-annulled 6 NOTE")
    [theirs] = [each for each in desk_of(timeline).rounds[3].tables if 6 in each.players]
    before = reach(desk_of(timeline), 0)
    more(timeline, f"result-reported 4 {theirs.number} absent=[6]")
    assert reach(desk_of(timeline), 0) == before


def test_a_round_under_way_goes_on_without_them() -> None:
    """Their open table still gets a result, which counts for nobody; the next round has a rest."""
    timeline = played("enter 4", ROBIN, "play 1", "round-paired round-robin 1")
    more(timeline, "round-published 2", "dropped 4", ANNUL)
    stage, [theirs, other] = desk_of(timeline).stages[0], desk_of(timeline).rounds[1].tables
    assert [is_annulled(stage, each.players) for each in (theirs, other)] == [True, False]
    more(timeline, "result-reported 2 1 absent=[4]", "result-reported 2 2 scores=[0,1]")
    more(timeline, "round-closed 2")
    assert consequences(timeline) == ["standings-written"]
    assert {row.player: row.points for row in standings(desk_of(timeline), 0)} == {
        1: 0, 2: 6, 3: 0, 4: 0,
    }  # fmt: skip
    more(timeline, "play 1", "tournament-closed")
    assert desk_of(timeline).rounds[2].byes == (2,)
    assert desk_of(timeline).order == (2, 1, 3, 4)


def test_a_desk_without_annulled_results_is_stored_as_before() -> None:
    assert b"annulled" not in RULESET.dump(played("enter 4", ROBIN, "dropped 4").head.state)
