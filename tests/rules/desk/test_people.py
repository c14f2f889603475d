"""The people of a tournament, and which acts about them are allowed when."""

import msgspec
import pytest

from rules.desk.pairing import tables_for
from rules.desk.standings import order_of, sheet_of
from rules.ruleset import SeatSetup, SetupError, event_type
from tests.rules.desk.table import (
    KNOCKOUT,
    RULESET,
    SWISS,
    consequences,
    desk_of,
    judged,
    more,
    opened,
    played,
    verdict,
)

WARNED = "penalty-given 1 conduct warning"


def test_a_full_tournament_has_a_waiting_list_that_moves_up() -> None:
    desk = played("enter 2", "waitlisted", cap=2)

    assert verdict(desk, "entered") == "irregular full"
    more(desk, "dropped 1")
    assert consequences(desk) == ["moved-up"]
    assert [person.status for person in desk_of(desk).people] == ["dropped", "in", "in"]
    assert verdict(more(desk, "dropped 2"), "waitlisted") == "impossible not-full"


@pytest.mark.parametrize("who", [1, 4])
def test_who_is_back_after_the_place_was_taken_waits(who: int) -> None:
    """1 gave the place to 3; 4 had been waiting before."""
    desk = played("enter 2", "waitlisted", "waitlisted", "dropped 1", "dropped 4", cap=2)

    more(desk, f"returned {who}")
    assert desk_of(desk).people[who - 1].status == "waiting"
    more(desk, "dropped 2")
    assert desk_of(desk).people[who - 1].status == "in"


def test_who_is_back_waits_behind_those_who_waited() -> None:
    """1 gave the place to 3 and comes back while 4 waits; 5 waits only after that."""
    desk = played("enter 2", "waitlisted", "waitlisted", "dropped 1", "returned 1", cap=2)
    more(desk, "waitlisted")

    for leaves, follows in ((2, 4), (3, 1), (4, 5)):
        more(desk, f"dropped {leaves}")
        assert desk_of(desk).people[follows - 1].status == "in"


def test_nobody_comes_back_into_a_bracket_that_was_played_on_without_them() -> None:
    desk = played("enter 4", "stage-started single-elimination", "play 1", "dropped 2")
    assert verdict(desk, "returned 2") == "legal"
    desk = played("enter 8", "stage-started single-elimination", "play 1", "dropped 4", "play 1")
    assert verdict(desk, "returned 4") == "legal"
    more(desk, "play 1")
    assert verdict(desk, "returned 4") == "irregular played-on-without"


def test_nobody_moves_up_while_more_are_in_than_the_cap() -> None:
    desk = played("enter 2", "waitlisted", "entered!", "dropped 1", cap=2)

    assert consequences(desk) == []
    assert consequences(more(desk, "dropped 2")) == ["moved-up"]


def test_nobody_moves_up_once_a_stage_has_begun() -> None:
    desk = played("enter 2", "waitlisted", SWISS, "dropped 1", cap=2)

    assert consequences(desk) == []


@pytest.mark.parametrize(
    ("lines", "line", "expected"),
    [
        pytest.param([], "dropped 3", "impossible no-such-entrant", id="nobody"),
        pytest.param(["dropped 1"], "dropped 1", "impossible other-status", id="dropped"),
        pytest.param([], "returned 1", "impossible other-status", id="never away"),
        pytest.param(["dropped 1"], "returned 1", "legal", id="back"),
        pytest.param(["disqualified 1"], "returned 1", "legal", id="out by mistake"),
        pytest.param([], "penalty-withdrawn 1 NOTE", "impossible no-such-penalty", id="clean"),
        pytest.param([WARNED], 'penalty-withdrawn 1 ""', "impossible missing-reason", id="why"),
        pytest.param([WARNED], "penalty-withdrawn 1 NOTE", "legal", id="taken off the record"),
        pytest.param(
            [WARNED, "penalty-withdrawn 1 NOTE"],
            "penalty-withdrawn 1 NOTE",
            "impossible no-such-penalty",
            id="twice",
        ),
        pytest.param(["checked-in 1"], "checked-in 1", "impossible checked-in-already", id="here"),
        pytest.param(["dropped 1"], "checked-in 1", "impossible other-status", id="here no more"),
        pytest.param([], "pair-forbidden [1,1]", "impossible not-such-a-pair", id="with oneself"),
        pytest.param([], "pair-forbidden [1,2]", "legal", id="two"),
        pytest.param([], "pair-allowed [1,2]", "impossible not-such-a-pair", id="not forbidden"),
        pytest.param([], "table-fixed 1 -4", "impossible out-of-range", id="no such table"),
        pytest.param([], "bye-granted 1 0", "impossible out-of-range", id="a round gone by"),
        pytest.param([], 'announced ""', "impossible missing-reason", id="nothing to say"),
        pytest.param([], "results-shown", "impossible not-held", id="nothing is held"),
        pytest.param([], "unannounced 1", "impossible not-announced", id="nothing hangs"),
        pytest.param(["results-held 1"], "results-held 2", "impossible held-already", id="held"),
        pytest.param([], "cut-made 2", "impossible stage-under-way", id="no stage to cut"),
        pytest.param([], "stage-ended NOTE", "impossible nothing-to-pair", id="no stage to end"),
        pytest.param([], "round-paired swiss 1", "impossible nothing-to-pair", id="no stage"),
        pytest.param([], "round-published 1", "impossible no-such-round", id="no round"),
        pytest.param([], "result-confirmed 1 1", "impossible no-such-round", id="no result"),
        pytest.param([], "pairing-changed 1 1 1 NOTE", "impossible no-open-round", id="no table"),
        pytest.param([], "tournament-closed", "irregular not-played-out", id="nothing played"),
        pytest.param(["dropped 1"], SWISS, "impossible too-few", id="alone"),
        pytest.param([], "stage-started pod-elimination", "impossible no-pod-cut", id="size"),
        pytest.param(
            [], "stage-started multi-round-robin sizes=[4]", "impossible no-design", id="design"
        ),
        pytest.param([SWISS], SWISS, "impossible stage-under-way", id="one after the other"),
    ],
)
def test_acts_of_two_entrants_are_judged(lines: list[str], line: str, expected: str) -> None:
    assert verdict(played("enter 2", *lines), line) == expected


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("swiss rounds=999", "rounds"),
        ("round-robin legs=9", "legs"),
        ("round-robin rounds=3", "rounds"),
        ("single-elimination best-of=99", "best_of"),
        ("pods win=-1", "win"),
        ("multi-round-robin", "sizes"),
        ("multi-round-robin sizes=[4] rounds=3", "rounds"),
    ],
)
def test_a_setting_that_a_format_does_not_take_is_named(line: str, field: str) -> None:
    found = judged(played("enter 13"), f"stage-started {line}")
    assert (found.code, found.params) == ("out-of-range", {"field": field})


def test_a_clock_is_paused_and_given_more_and_everybody_sees_it() -> None:
    desk = played("enter 4", SWISS, "round-paired swiss 1", "round-published 1")
    more(desk, "clock-paused 1", "time-extended 1 5", "time-extended 1 3 table=2")
    more(desk, "time-extended 1 4 table=2")
    [shown] = RULESET.view(desk.head.state, "public")["rounds"]
    assert (shown["paused"], shown["extra"]) == (True, 5)
    assert [table["extra"] for table in shown["tables"]] == [0, 7]
    more(desk, "clock-resumed 1")
    assert not desk_of(desk).rounds[0].paused
    kinds = [event_type(entry.act) for entry in desk.entries]
    assert [kinds[-5], kinds[-1]] == ["clock-paused", "clock-resumed"]


def test_only_who_is_here_is_paired_where_that_is_asked() -> None:
    desk = played("enter 4", "checked-in 1", "checked-in 3", "checked-in 4", SWISS, check_in=True)

    assert desk_of(desk).stages[0].players == (1, 3, 4)


def test_a_late_entrant_joins_a_swiss_and_not_a_bracket() -> None:
    swiss = played("enter 3", SWISS, "entered")
    bracket = played("enter 3", "stage-started single-elimination", "entered")

    assert desk_of(swiss).stages[0].players == (1, 2, 3, 4)
    assert desk_of(bracket).stages[0].players == (1, 2, 3)
    cut = played("enter 3", f"{SWISS} rounds=1", "play 1", "cut-made 2", "entered")
    assert desk_of(cut).stages[0].players == (1, 2, 3)


def test_seeds_go_by_rating_or_are_drawn() -> None:
    ratings = [f"entered rating={rating}" for rating in (1500, 1900, 1700, 1700)]

    desk = played(*ratings, "stage-started single-elimination seeding=rating")
    assert desk_of(desk).stages[0].players == (2, 3, 4, 1)
    assert sheet_of(desk_of(desk), 0).ratings == {1: 1500, 2: 1900, 3: 1700, 4: 1700}
    orders = {
        desk_of(played("enter 4", f"{SWISS} seeding=drawn seed={seed}")).stages[0].players
        for seed in range(30)
    }
    assert len(orders) > 10


def test_seeds_by_standing_are_those_of_the_stage_before_and_a_cut_keeps_its_own() -> None:
    groups = ["enter 8", "stage-started round-robin groups=2", *["play 2"] * 3]

    uncut = desk_of(played(*groups, f"{KNOCKOUT} seeding=standing"))
    cut = desk_of(played(*groups, "cut-made 4", f"{KNOCKOUT} seeding=standing"))

    assert uncut.stages[1].players == order_of(uncut, 0) == (2, 1, 4, 3, 5, 6, 7, 8)
    assert cut.stages[1].players == cut.stages[0].cut == (2, 1, 3, 4)


def test_no_cap_beyond_reason_and_no_seats() -> None:
    with pytest.raises(SetupError, match="bad-cap"):
        RULESET.start(opened(cap=10**6))
    with pytest.raises(SetupError, match="desk-has-no-seats"):
        RULESET.start(msgspec.structs.replace(opened(), seats=(SeatSetup(label="x"),)))


@pytest.mark.parametrize("cap", [0, 1])
@pytest.mark.parametrize("line", ["entered", "waitlisted"])
def test_a_tournament_refuses_more_than_it_can_hold(line: str, cap: int) -> None:
    desk = played("entered", cap=cap)
    state = desk.head.state
    people = state.desk.people * 4096
    crowded = msgspec.structs.replace(
        state, desk=msgspec.structs.replace(state.desk, people=people)
    )

    assert RULESET.judge(crowded, RULESET.read(line)).code == "too-many"


def test_a_pair_forbidden_twice_is_allowed_by_one_word() -> None:
    timeline = played("enter 2", "pair-forbidden [1,2]", "pair-forbidden [1,2]")
    assert desk_of(timeline).forbidden == ((1, 2),)
    assert desk_of(more(timeline, "pair-allowed [1,2]")).forbidden == ()


def test_who_is_out_of_a_knock_out_missed_no_round() -> None:
    timeline = played("enter 4", KNOCKOUT, "play 1", "play 1")
    assert verdict(timeline, "bye-granted 4 2") == "impossible out-of-range"


def test_of_two_who_always_sit_at_one_table_the_second_gives_way() -> None:
    desk = desk_of(played("enter 4", "table-fixed 1 7", "table-fixed 2 7"))
    assert tables_for(desk, [(3, 1), (2, 4)]) == (7, 1)


def test_a_round_that_somebody_missed_is_typed_afterwards() -> None:
    """5 comes after two rounds, and was late for the first."""
    timeline = played("enter 4", f"{SWISS} rounds=3", "play 1", "play 2", "entered")
    assert verdict(timeline, "bye-granted 1 2 worth=loss") == "impossible out-of-range"
    assert verdict(timeline, "bye-granted 5 3") == "legal"

    more(timeline, "bye-granted 5 1 worth=loss", "bye-granted 5 2 worth=half", "play 3")

    kinds = [part.kind for part in sheet_of(desk_of(timeline), 0).parts[5][:2]]
    assert kinds == ["zero-bye", "half-bye"]
    assert sheet_of(desk_of(timeline), 0).parts[5][1].points == 1
