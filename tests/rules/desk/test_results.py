"""Results: reported, contested, settled and corrected, to the close."""

from typing import Any

import pytest

from rules.bots import Stream
from rules.desk.previews import Contested, contested
from rules.desk.standings import order_of, sheet_of
from rules.desk.state import Result, Table
from rules.desk.worth import placing
from tests.rules.desk.table import (
    KNOCKOUT,
    NOTE,
    PAIR_KNOCKOUT,
    RULESET,
    SWISS,
    desk_of,
    more,
    played,
    played_out,
    preview,
    reason,
    verdict,
)

TABLE = ("enter 2", f"{SWISS} rounds=2 best-of=3", "round-paired swiss 1")


def seats() -> tuple[int, int]:
    one, two = desk_of(played(*TABLE)).rounds[0].tables[0].players
    return one, two


FIRST, SECOND = seats()
PUBLISHED = (*TABLE, "round-published 1")
REPORTED = (*PUBLISHED, f"result-reported 1 1 scores=[2,1] by={FIRST}")
DISPUTED = (*REPORTED, f"result-disputed 1 1 by={SECOND}")
SETTLED = (*REPORTED, f"result-confirmed 1 1 by={SECOND}")


@pytest.mark.parametrize(
    ("before", "line", "status"),
    [
        pytest.param(
            REPORTED, f"result-reported 1 1 scores=[2,1] by={SECOND}", "settled", id="alike"
        ),
        pytest.param(
            REPORTED, f"result-reported 1 1 scores=[1,2] by={SECOND}", "disputed", id="not"
        ),
        pytest.param(
            REPORTED, f"result-reported 1 1 scores=[1,2] by={FIRST}", "reported", id="own"
        ),
        pytest.param(REPORTED, "result-reported 1 1 scores=[1,2]", "settled", id="the desk"),
        pytest.param(REPORTED, f"result-confirmed 1 1 by={SECOND}", "settled", id="confirmed"),
        pytest.param(REPORTED, f"result-disputed 1 1 by={SECOND}", "disputed", id="contested"),
        pytest.param(SETTLED, f"result-disputed 1 1 by={SECOND}", "disputed", id="second thoughts"),
        pytest.param(DISPUTED, "ruled 1 1 NOTE scores=[1,2]", "settled", id="ruled"),
        pytest.param(PUBLISHED, "ruled 1 1 NOTE lost=true", "settled", id="a double loss"),
        pytest.param(SETTLED, "result-corrected 1 1 NOTE scores=[0,2]", "settled", id="corrected"),
        pytest.param(PUBLISHED, f"result-reported 1 1 absent=[{FIRST}]", "settled", id="no-show"),
    ],
)
def test_a_result_is_reported_contested_and_settled(
    before: tuple[str, ...], line: str, status: str
) -> None:
    assert desk_of(played(*before, line)).rounds[0].tables[0].status == status


@pytest.mark.parametrize(
    ("before", "line", "expected"),
    [
        pytest.param(
            TABLE, "result-reported 1 1 scores=[2,0]", "impossible not-published", id="secret"
        ),
        pytest.param(TABLE, "time-called 1", "impossible not-published", id="too soon"),
        pytest.param(
            PUBLISHED, "result-reported 1 7 scores=[2,0]", "impossible no-such-table", id="where"
        ),
        pytest.param(
            PUBLISHED,
            "result-reported 1 1 scores=[2,0] by=9",
            "impossible not-at-the-table",
            id="who",
        ),
        pytest.param(
            PUBLISHED,
            "result-reported 1 1 scores=[3,0]",
            "irregular too-many-games",
            id="one too many",
        ),
        pytest.param(
            PUBLISHED, "result-reported 1 1 scores=[2,0,0]", "impossible no-such-result", id="three"
        ),
        pytest.param(
            PUBLISHED, "result-confirmed 1 1", "impossible nothing-reported", id="nothing yet"
        ),
        pytest.param(
            (*SETTLED, "round-closed 1"),
            "result-disputed 1 1",
            "impossible nothing-reported",
            id="contested too late",
        ),
        pytest.param(PUBLISHED, "round-closed 1", "impossible results-missing", id="not done"),
        pytest.param(PUBLISHED, "round-published 1", "impossible published-already", id="twice"),
        pytest.param(
            (*PUBLISHED, "time-called 1"), "time-called 1", "impossible time-is-called", id="time"
        ),
        pytest.param(PUBLISHED, "clock-resumed 1", "impossible clock-runs", id="running"),
        pytest.param(
            (*PUBLISHED, "clock-paused 1"),
            "clock-paused 1",
            "impossible paused-already",
            id="still",
        ),
        pytest.param(
            (*PUBLISHED, "time-called 1"),
            "time-extended 1 5",
            "impossible time-is-called",
            id="no more",
        ),
        pytest.param(
            PUBLISHED, "time-extended 1 5 table=7", "impossible no-such-table", id="more where"
        ),
        pytest.param(
            SETTLED, "time-extended 1 5 table=1", "impossible settled-already", id="more for whom"
        ),
        pytest.param(PUBLISHED, "time-extended 1 0", "impossible out-of-range", id="no minutes"),
        pytest.param(
            REPORTED, f"result-confirmed 1 1 by={FIRST}", "impossible own-report", id="by oneself"
        ),
        pytest.param(
            SETTLED, "result-reported 1 1 scores=[2,0]", "impossible settled-already", id="late"
        ),
        pytest.param(
            SETTLED, "ruled 1 1 NOTE scores=[2,0]", "impossible settled-already", id="needless"
        ),
        pytest.param(
            DISPUTED, "result-corrected 1 1 NOTE scores=[2,0]", "impossible not-settled", id="open"
        ),
        pytest.param(
            SETTLED, 'result-corrected 1 1 "" scores=[2,0]', "impossible missing-reason", id="why"
        ),
        pytest.param(
            (*SETTLED, "round-closed 1"),
            "round-closed 1",
            "impossible round-is-closed",
            id="closed",
        ),
    ],
)
def test_an_impossible_result_is_refused(before: tuple[str, ...], line: str, expected: str) -> None:
    assert verdict(played(*before), line) == expected


def test_a_bracket_needs_a_winner() -> None:
    desk = played("enter 2", KNOCKOUT, f"{PAIR_KNOCKOUT} 1", "round-published 1")

    assert verdict(desk, "result-reported 1 1 scores=[0,0]") == "impossible needs-a-winner"


def test_a_report_waits_for_its_confirmation_where_that_is_asked() -> None:
    desk = played(*REPORTED, confirmed_only=True)

    assert verdict(desk, "round-closed 1") == "impossible results-missing"
    assert verdict(played(*REPORTED), "round-closed 1") == "legal"


@pytest.mark.parametrize("confirmed_only", [True, False])
def test_a_close_before_its_time_counts_what_the_standings_count(*, confirmed_only: bool) -> None:
    desk = played(*PUBLISHED, confirmed_only=confirmed_only)
    _, last = order_of(desk_of(desk), 0)  # by lot
    scores = "[2,0]" if last == FIRST else "[0,2]"
    more(desk, f"result-reported 1 1 scores={scores} by={last}")
    now = order_of(desk_of(desk), 0, confirmed_only=confirmed_only)
    assert (now[0] == last) is not confirmed_only
    assert "do not count yet are left out" in reason(desk, "tournament-closed")

    assert desk_of(more(desk, "tournament-closed!")).order == now


def test_nothing_follows_the_close() -> None:
    desk = played(*SETTLED, "round-closed 1", "stage-ended NOTE", "tournament-closed")

    assert verdict(desk, "entered") == "impossible desk-closed"
    outcome = RULESET.outcome(desk.head.state)
    assert outcome is not None
    assert outcome.why == "played-out"
    assert RULESET.headline(desk.head.state, {FIRST: "Vaugn"}) == "Closed: Vaugn won"


def test_the_headline_says_how_many_still_play() -> None:
    desk = played("enter 4")
    told = [RULESET.headline(desk.head.state)]
    final = f"{PAIR_KNOCKOUT} 2", "round-published 2", "result-reported 2 1 scores=[1,0]"
    for line in (KNOCKOUT, "play 1", *final, "round-closed 2"):
        more(desk, line)
        told.append(RULESET.headline(desk.head.state))
    assert told == [
        "Not started, 4 entered",
        "Begun, 4 still in",
        "Round 1 is over, 2 still in",
        "Round 2: 0 of 1 tables reported, 2 still in",
        "Round 2: 0 of 1 tables reported, 2 still in",
        "Round 2: 1 of 1 tables reported, 2 still in",
        "Round 2 is over",
    ]


def test_the_headline_counts_what_is_confirmed_where_only_that_counts() -> None:
    desk = played("enter 2", KNOCKOUT, f"{PAIR_KNOCKOUT} 1", confirmed_only=True)
    assert RULESET.headline(desk.head.state) == "Round 1: 0 of 1 tables confirmed, 2 still in"


def test_a_closed_tournament_is_over_once_what_was_held_back_is_shown() -> None:
    desk = played(*SETTLED, "round-closed 1", "stage-ended NOTE", "results-held 1")
    more(desk, "tournament-closed")

    assert RULESET.outcome(desk.head.state) is None
    assert [offer.type for offer in RULESET.options(desk.head.state)] == ["results-shown"]
    more(desk, "results-shown")
    assert RULESET.outcome(desk.head.state)
    assert RULESET.options(desk.head.state) == ()


def test_a_tournament_without_players_was_called_off() -> None:
    outcome = RULESET.outcome(played("entered", "tournament-closed!").head.state)

    assert outcome is not None
    assert outcome.why == "called-off"


# -- corrections ----------------------------------------------------------------------


FOUR = (
    "enter 4",
    KNOCKOUT,
    "play 1",
    f"{PAIR_KNOCKOUT} 2",
)


def test_a_correction_leaves_published_pairings_and_says_what_no_longer_fits() -> None:
    """1 beat 4 and 2 beat 3; it was 4 who won."""
    desk = played(*FOUR, "round-published 2")
    seats = desk_of(desk).rounds[0].tables[0].players
    scores = "[0,1]" if seats[0] == 1 else "[1,0]"
    act = RULESET.read(f'result-corrected 1 1 "{NOTE}" scores={scores}')

    told = preview(desk, act)
    more(desk, f"result-corrected 1 1 NOTE scores={scores}")

    assert told.stale == ((2, 1),)
    assert {row.entrant: row.places for row in told.moved} == {1: (1, 3), 2: (2, 1), 4: (3, 2)}
    assert set(desk_of(desk).rounds[1].tables[0].players) == {1, 2}
    seat = desk_of(desk).rounds[1].tables[0].players.index(1) + 1
    more(desk, f"pairing-changed 1 {seat} 4 NOTE", "result-reported 2 1 scores=[1,0]")
    assert set(desk_of(desk).rounds[1].tables[0].players) == {4, 2}
    assert RULESET.view(desk.head.state, "public")["stages"][0]["stale"] == []


def test_a_preview_is_the_real_difference() -> None:
    """Corrected at random points of random tournaments."""
    moved = redrawn = 0
    for seed in range(12):
        pick = Stream(f"correct {seed}")
        desk = played_out(6, {"format": "swiss", "rounds": 3}, f"correct {seed}")
        desk = more_before_the_close(desk)
        number = 1 + pick(3)
        table = pick.choice(desk_of(desk).rounds[number - 1].tables)
        act = RULESET.read(f'result-corrected {number} {table.number} "{NOTE}" scores=[0,1]')
        before = desk_of(desk)
        places = {player: i for i, player in enumerate(order_of(before, 0), 1)}

        told = preview(desk, act)
        more(desk, f"result-corrected {number} {table.number} NOTE scores=[0,1]")

        after = {player: i for i, player in enumerate(order_of(desk_of(desk), 0), 1)}
        real = {player: (places[player], after[player]) for player in places}
        changed = {player: each for player, each in real.items() if each[0] != each[1]}
        assert {row.entrant: row.places for row in told.moved} == changed
        moved += len(told.moved)
        redrawn += len(told.redrawn)
        right = desk_of(desk).rounds[number - 1].tables
        assert right[0].players == before.rounds[number - 1].tables[0].players
    print(f"{moved} places moved, {redrawn} rounds would have been paired otherwise")
    assert moved
    assert redrawn


def test_a_preview_pairs_rounds_again_from_who_was_there_then() -> None:
    """1 to 4 won; had 5 beaten its opponent, round 2 would be another, whoever left since."""
    desk = played("enter 8", f"{SWISS} rounds=3", "play 1", "play 2")
    table = next(each for each in desk_of(desk).rounds[0].tables if 1 in each.players)
    scores = [int(player != 1) for player in table.players]
    act = RULESET.read(f'result-corrected 1 {table.number} "{NOTE}" scores={scores}')
    told = preview(desk, act)
    assert told.redrawn

    more(desk, "dropped 5", "dropped 2")
    assert preview(desk, act).redrawn == told.redrawn


def more_before_the_close(timeline: Any) -> Any:
    """Go back to just before a tournament was closed."""
    return more(timeline, f"taken-back {len(timeline) - 1}")


def test_a_no_show_loses_by_forfeit() -> None:
    desk = desk_of(played(*PUBLISHED, f"result-reported 1 1 absent=[{FIRST}]"))
    parts = sheet_of(desk, 0).parts
    assert (parts[FIRST][0].kind, parts[SECOND][0].kind) == ("lost-by-forfeit", "won-by-forfeit")


@pytest.mark.parametrize(
    ("result", "places"),
    [
        (Result((1, 0)), (1, 2)),
        (Result(absent=(1,)), (2, 1)),
        (Result(absent=(1, 2)), (2, 2)),
        (Result(lost=True), (2, 2)),
    ],
)
def test_nobody_is_first_at_a_table_that_nobody_came_to(
    result: Result, places: tuple[int, int]
) -> None:
    assert placing(Table(1, (1, 2)), result) == places


TWO_TABLES = ("enter 4", f"{SWISS} rounds=2", "round-paired swiss 1", "round-published 1")


def test_of_a_disputed_table_the_places_that_depend_on_either_report_are_told() -> None:
    history = played(*TWO_TABLES)
    one, two = desk_of(history).rounds[0].tables[0].players
    more(history, "result-reported 1 2 scores=[0,0]")
    assert contested(desk_of(history), 0) == ()
    more(history, f"result-reported 1 1 scores=[1,0] by={one}")
    assert contested(desk_of(history), 0) == ()
    more(history, f"result-reported 1 1 scores=[0,1] by={two}")
    [found] = contested(desk_of(history), 0)
    assert (found.round, found.table) == (1, 1)
    assert {player: places for player, *places in found.places} == {one: [1, 4], two: [4, 1]}
    more(history, "ruled 1 1 NOTE scores=[1,0]")
    assert contested(desk_of(history), 0) == ()


def test_a_dispute_without_another_report_has_nothing_to_compare() -> None:
    history = played(*TWO_TABLES)
    one, two = desk_of(history).rounds[0].tables[0].players
    more(history, f"result-reported 1 1 scores=[1,0] by={one}", f"result-disputed 1 1 by={two}")
    assert contested(desk_of(history), 0) == ()


def test_in_a_bracket_a_dispute_is_about_places_too() -> None:
    history = played("enter 2", KNOCKOUT, f"{PAIR_KNOCKOUT} 1", "round-published 1")
    one, two = desk_of(history).rounds[0].tables[0].players
    more(history, f"result-reported 1 1 scores=[1,0] by={one}")
    more(history, f"result-reported 1 1 scores=[0,1] by={two}")
    assert contested(desk_of(history), 0) == (Contested(1, 1, ((one, 1, 2), (two, 2, 1))),)
