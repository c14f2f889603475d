"""Single games by the clock: remaining gear is compared, and both may lose; computed by hand."""

from fractions import Fraction
from typing import Any

import pytest

from rules.desk.acts import (
    ResultCorrected,
    ResultReported,
    RoundPaired,
    Ruled,
    StageStarted,
    TimeCalled,
)
from rules.desk.standings import standings
from rules.desk.state import Result
from rules.replay import Timeline, entry_after
from tests.rules.desk.table import NOTE, RULESET, desk_of, more, played

PAIRS = ((1, 2), (3, 4))
RULED = Ruled(round=1, table=1, note=NOTE, left=(1, 2))


def begun(time_up: str = "lost", **settings: Any) -> Timeline:
    """Four in a Swiss of single games; 1 plays 2 and 3 plays 4, and time is called."""
    timeline = played("enter 4")
    stage: dict[str, Any] = {"format": "swiss", "rounds": 2, "tiebreaks": ("omw", "gw", "firsts")}
    record(timeline, StageStarted(**stage | {"time_up": time_up} | settings))
    paired = RoundPaired(method="swiss", seed=1, pairings=PAIRS, note=NOTE)
    record(timeline, paired, irregular=True)
    more(timeline, "round-published 1")
    record(timeline, TimeCalled(round=1))
    return timeline


def record(timeline: Timeline, act: Any, *, irregular: bool = False) -> None:
    timeline.add(*entry_after(RULESET, timeline, act, irregular=irregular))


def verdict(timeline: Timeline, act: Any) -> tuple[str, str, str]:
    found = RULESET.judge(timeline.head.state, act)
    return found.call, found.code, found.clause


def numbers(rows: Any, code: str) -> dict[int, Fraction | None]:
    return {player: row.breaks[code].number for player, row in rows.items()}


def reported(**more: Any) -> ResultReported:
    return ResultReported(round=1, table=1, **more)


def test_the_one_with_more_left_wins_and_level_both_lose() -> None:
    timeline = begun()
    record(timeline, ResultReported(round=1, table=1, left=(3, 3)))
    record(timeline, ResultReported(round=1, table=2, left=(1, 4)))

    one, two = desk_of(timeline).rounds[0].tables
    assert one.result == Result(lost=True, left=(3, 3))
    assert two.result == Result(scores=(0, 1), left=(1, 4))

    # Round 2 by hand: 1 beats 4, who won before; 2 beats 3.
    more(timeline, "round-closed 1")
    paired = RoundPaired(method="swiss", seed=1, pairings=((1, 4), (2, 3)), note=NOTE)
    record(timeline, paired, irregular=True)
    more(timeline, "round-published 2")
    record(timeline, ResultReported(round=2, table=1, scores=(1, 0)))
    record(timeline, ResultReported(round=2, table=2, scores=(1, 0)))
    rows = {row.player: row for row in standings(desk_of(timeline), 0)}

    # Three of six points each for 1, 2 and 4; 3 has none, which counts as a third.
    assert {n: int(row.points) for n, row in rows.items()} == {1: 3, 2: 3, 3: 0, 4: 3}
    half, third = Fraction(1, 2), Fraction(1, 3)
    assert numbers(rows, "omw") == {1: half, 2: (half + third) / 2, 3: half, 4: (third + half) / 2}
    # A game that both lost is one that was played and not won: 1 won one of two.
    assert {n: row.breaks["gw"].number for n, row in rows.items()} == {
        1: half,
        2: half,
        3: 0,
        4: half,
    }
    assert {n: row.breaks["firsts"].number for n, row in rows.items()} == {1: 1, 2: 1, 3: 0, 4: 1}


def test_after_a_double_loss_both_play_among_those_without_points() -> None:
    timeline = begun()
    record(timeline, ResultReported(round=1, table=1, lost=True))
    record(timeline, ResultReported(round=1, table=2, scores=(1, 0)))
    more(timeline, "round-closed 1", "round-paired swiss 7")

    tables = [set(table.players) for table in desk_of(timeline).rounds[1].tables]
    assert tables in ([{3, 1}, {2, 4}], [{3, 2}, {1, 4}], [{2, 4}, {3, 1}], [{1, 4}, {3, 2}])


def test_level_may_be_a_draw_where_the_stage_says_so() -> None:
    timeline = begun("draw")
    record(timeline, ResultReported(round=1, table=1, left=(2, 2)))

    rows = {row.player: int(row.points) for row in standings(desk_of(timeline), 0)}
    assert (rows[1], rows[2]) == (1, 1)


def test_two_equal_reports_settle_a_result_and_a_correction_is_compared_again() -> None:
    timeline = begun()
    record(timeline, ResultReported(round=1, table=1, left=(2, 2), by=1))
    assert desk_of(timeline).rounds[0].tables[0].status == "reported"
    record(timeline, ResultReported(round=1, table=1, left=(2, 2), by=2))
    assert desk_of(timeline).rounds[0].tables[0].status == "settled"

    correction = ResultCorrected(round=1, table=1, note=NOTE, left=(2, 1))
    record(timeline, correction)
    assert desk_of(timeline).rounds[0].tables[0].result == Result(scores=(1, 0), left=(2, 1))


@pytest.mark.parametrize(
    ("settings", "act", "code", "clause"),
    [
        (
            {"time_up": ""},
            ResultReported(round=1, table=1, left=(1, 2)),
            "nothing-compared",
            "ZX-X3",
        ),
        (
            {"best_of": 3},
            Ruled(round=1, table=1, note=NOTE, left=(1, 2)),
            "nothing-compared",
            "ZX-X3",
        ),
        ({}, ResultReported(round=1, table=1, lost=True, by=1), "lost-by-the-desk", "ZX-X5"),
        ({}, ResultReported(round=1, table=1, left=(1,)), "no-such-result", ""),
        ({}, ResultReported(round=1, table=1, left=(1, 100)), "no-such-result", ""),
        ({}, ResultReported(round=1, table=1, left=(1, 2), scores=(1, 0)), "no-such-result", ""),
    ],
)
def test_boards_that_cannot_be_compared_are_reported(
    settings: dict[str, Any], act: Any, code: str, clause: str
) -> None:
    time_up = settings.pop("time_up", "lost")

    assert verdict(begun(time_up, **settings), act) == ("impossible", code, clause)


def test_nothing_is_compared_before_time_is_called() -> None:
    timeline = played("enter 4")
    record(timeline, StageStarted(format="swiss", time_up="lost"))
    more(timeline, "round-paired swiss 1", "round-published 1")

    told = verdict(timeline, ResultReported(round=1, table=1, left=(1, 2)))
    assert told == ("impossible", "time-not-called", "ZX-X3")
