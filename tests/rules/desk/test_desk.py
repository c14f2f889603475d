"""Tournaments at the desk, from the first entry to the close."""

from typing import Any

import msgspec
import pytest

from rules import bots, texts
from rules.bots import Stream
from rules.checking import check
from rules.desk.acts import PairingWeighed, RematchForced, RoundDrawn, StageStarted
from rules.desk.previews import Blast, difference, preview
from rules.desk.stages import may_pair, planned
from rules.desk.standings import final_places, order_of, places_of, sheet_of, standings
from rules.desk.state import Desk
from rules.replay import Timeline
from rules.ruleset import Audience, SeatSetup, SetupError, event_type
from tests.rules.desk.table import (
    NOTE,
    RULESET,
    consequences,
    desk_of,
    more,
    opened,
    played,
    played_out,
    reason,
    verdict,
)

SWISS = "stage-started swiss"
KNOCKOUT = "stage-started single-elimination"
PAIR_KNOCKOUT = "round-paired single-elimination"


# -- who takes part -------------------------------------------------------------------


def test_a_full_tournament_has_a_waiting_list_that_moves_up() -> None:
    desk = played("enter 2", "waitlisted", cap=2)

    assert verdict(desk, "entered") == "irregular full"
    more(desk, "dropped 1")
    assert consequences(desk) == ["moved-up"]
    assert [person.status for person in desk_of(desk).people] == ["dropped", "in", "in"]
    assert verdict(more(desk, "dropped 2"), "waitlisted") == "impossible not-full"


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
        pytest.param(["disqualified 1"], "returned 1", "impossible other-status", id="out"),
        pytest.param(["checked-in 1"], "checked-in 1", "impossible checked-in-already", id="here"),
        pytest.param([], "pair-forbidden [1,1]", "impossible not-such-a-pair", id="with oneself"),
        pytest.param([], "pair-forbidden [1,2]", "legal", id="two"),
        pytest.param([], "pair-allowed [1,2]", "impossible not-such-a-pair", id="not forbidden"),
        pytest.param([], "table-fixed 1 -4", "impossible out-of-range", id="no such table"),
        pytest.param([], "bye-granted 1 0", "impossible out-of-range", id="a round gone by"),
        pytest.param([], 'announced ""', "impossible reason-missing", id="nothing to say"),
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
def test_what_two_entrants_may_do(lines: list[str], line: str, expected: str) -> None:
    assert verdict(played("enter 2", *lines), line) == expected


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


def test_seeds_go_by_rating_or_are_drawn() -> None:
    ratings = ["entered rating=1500", "entered rating=1900", "entered rating=1700"]

    desk = played(*ratings, "stage-started single-elimination seeding=rating")
    assert desk_of(desk).stages[0].players == (2, 3, 1)
    orders = {
        desk_of(played("enter 4", f"{SWISS} seeding=drawn seed={seed}")).stages[0].players
        for seed in range(30)
    }
    assert len(orders) > 10


def test_no_cap_beyond_reason_and_no_seats() -> None:
    with pytest.raises(SetupError, match="bad-cap"):
        RULESET.start(opened(cap=10**6))
    with pytest.raises(SetupError, match="desk-has-no-seats"):
        RULESET.start(msgspec.structs.replace(opened(), seats=(SeatSetup(label="x"),)))


@pytest.mark.parametrize("cap", [0, 1])
@pytest.mark.parametrize("line", ["entered", "waitlisted"])
def test_more_than_a_tournament_can_hold(line: str, cap: int) -> None:
    desk = played("entered", cap=cap)
    state = desk.head.state
    people = state.desk.people * 4096
    crowded = msgspec.structs.replace(
        state, desk=msgspec.structs.replace(state.desk, people=people)
    )

    assert RULESET.judge(crowded, RULESET.read(line)).code == "too-many"


# -- pairing --------------------------------------------------------------------------


def test_a_rematch_that_was_forced_is_said_with_its_proof() -> None:
    desk = played("enter 2", f"{SWISS} rounds=2", "play 1", "round-paired swiss 2")

    assert consequences(desk) == ["round-drawn", "rematch-forced"]
    drawn, forced = desk.entries[-1].consequences
    assert isinstance(drawn, RoundDrawn)
    assert isinstance(forced, RematchForced)
    assert forced.pairs == 1
    assert drawn.cost == drawn.least == (0, 1, 0, 9, 0, 0)


def test_no_legal_round_is_said_and_can_be_relaxed() -> None:
    desk = played("enter 2", f"{SWISS} rounds=2 no-rematches=true", "play 1")

    assert verdict(desk, "round-paired swiss 2") == "irregular no-legal-round"
    more(desk, "round-paired! swiss 2")
    drawn = desk.entries[-1].consequences[0]
    assert isinstance(drawn, RoundDrawn)
    assert [sorted(pair) for pair in drawn.breaches] == [[1, 2]]


def test_forbidden_pairs_do_not_meet() -> None:
    lines = ["enter 4", "pair-forbidden [1,2]", "pair-forbidden [1,3]", SWISS]

    desk = played(*lines, "round-paired swiss 5")

    tables = {frozenset(table.players) for table in desk_of(desk).rounds[0].tables}
    assert tables == {frozenset({1, 4}), frozenset({2, 3})}


@pytest.mark.parametrize(
    ("pairings", "expected"),
    [
        ("pairings=[[1,4],[2,3]]", "irregular paired-by-hand"),
        ("pairings=[[1,4]] byes=[2]", "irregular paired-by-hand"),
        ("pairings=[[1,4],[4,3]]", "impossible bad-pairings"),
        ("pairings=[[1,9]]", "impossible bad-pairings"),
        ("pairings=[[1,2,3]]", "impossible bad-pairings"),
        (f'note="{NOTE}"', "impossible out-of-range"),
    ],
)
def test_a_round_paired_by_hand_is_marked_for_ever(pairings: str, expected: str) -> None:
    desk = played("enter 4", SWISS)

    assert verdict(desk, f"round-paired swiss 1 {pairings}") == expected


def test_a_pairing_by_hand_stands_beside_the_machines() -> None:
    desk = played("enter 4", SWISS, "play 1", "round-paired! swiss 2 pairings=[[1,4],[2,3]]")

    weighed = desk.entries[-1].consequences[1]
    assert isinstance(weighed, PairingWeighed)
    assert weighed.cost >= weighed.least
    assert len(weighed.proposed) == 2
    assert desk_of(desk).rounds[1].by_hand


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("round-paired pods 1", "impossible other-method"),
        ("round-paired swiss -1", "impossible out-of-range"),
    ],
)
def test_a_round_is_paired_as_its_stage_says(line: str, expected: str) -> None:
    assert verdict(played("enter 4", SWISS), line) == expected


@pytest.mark.parametrize(
    ("stage", "line", "told"),
    [
        ("swiss", "round-paired swiss 1 pairings=[[1,4],[4,3]]", "jemand ist zweimal genannt"),
        ("swiss", "round-paired swiss 1 pairings=[[1,9]]", "jemand ist nicht in dieser Phase"),
        ("swiss", "round-paired swiss 1 pairings=[[1,2,3]]", "ein Tisch hat 2"),
        ("pods", "round-paired pods 1 pairings=[[1]]", "ein Tisch hat 2 bis 6"),
        (
            "single-elimination",
            "round-paired single-elimination 1 pairings=[[1,2]]",
            "ein K.-o.-Baum paart sich selbst",
        ),
    ],
)
def test_why_pairings_mean_nothing_is_told_in_german(
    stage: str, line: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = played("enter 4", f"stage-started {stage}")
    monkeypatch.setattr(texts, "_asked", lambda: "de")

    assert reason(desk, line) == f"Diese Paarungen bedeuten nichts: {told}."


def test_what_a_refusal_names_is_told_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = played("enter 4", SWISS)
    monkeypatch.setattr(texts, "_asked", lambda: "de")

    told = reason(desk, "round-paired pods 1")
    assert told == "Diese Phase wird nach Schweizer System gepaart, nicht nach Pods."
    more(desk, "play 1")
    assert reason(desk, "ruled 1 1 NOTE scores=[0,1]") == "Tisch 1 ist entschieden."
    assert RULESET.tell(RULESET.read("dropped 2"), desk.head.state) == "Teilnehmer 2 scheidet aus."


def test_a_swap_by_hand_needs_a_reason_and_moves_both() -> None:
    desk = played("enter 5", SWISS, "round-paired swiss 1")
    before = desk_of(desk).rounds[0]
    bye, player = before.byes[0], before.tables[0].players[1]

    assert verdict(desk, f'pairing-changed 1 2 {bye} ""') == "impossible reason-missing"
    more(desk, f"pairing-changed 1 2 {bye} NOTE")

    after = desk_of(desk).rounds[0]
    assert after.tables[0].players == (before.tables[0].players[0], bye)
    assert after.byes == (player,)
    assert after.tables[0].changed
    assert consequences(desk) == ["pairing-weighed"]


def test_who_has_a_fixed_table_sits_there() -> None:
    desk = played("enter 6", "table-fixed 6 9", SWISS, "round-paired swiss 1")

    at = {table.number: table.players for table in desk_of(desk).rounds[0].tables}
    assert 6 in at[9]
    assert sorted(at) == [1, 2, 9]


@pytest.mark.parametrize(("worth", "points"), [("full", 3), ("half", 1), ("zero", 0), ("loss", 0)])
def test_a_bye_that_was_asked_for_is_worth_what_was_said(worth: str, points: int) -> None:
    desk = played("enter 3", f"bye-granted 3 1 worth={worth}", SWISS, "play 1")

    rows = {row.player: row.points for row in standings(desk_of(desk), 0)}
    assert desk_of(desk).rounds[0].tables[0].players in ((1, 2), (2, 1))
    assert rows == {1: 3, 2: 0, 3: points}


def test_who_drops_is_not_paired_and_may_come_back() -> None:
    desk = played("enter 4", f"{SWISS} rounds=3", "play 1", "dropped 4", "play 2")

    assert all(4 not in table.players for table in desk_of(desk).rounds[1].tables)
    more(desk, "returned 4", "round-paired swiss 3")
    assert any(4 in table.players for table in desk_of(desk).rounds[2].tables)


# -- results --------------------------------------------------------------------------

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
            SETTLED, 'result-corrected 1 1 "" scores=[2,0]', "impossible reason-missing", id="why"
        ),
        pytest.param(
            (*SETTLED, "round-closed 1"),
            "round-closed 1",
            "impossible round-is-closed",
            id="closed",
        ),
    ],
)
def test_what_a_result_can_not_be(before: tuple[str, ...], line: str, expected: str) -> None:
    assert verdict(played(*before), line) == expected


def test_a_bracket_needs_a_winner() -> None:
    desk = played("enter 2", KNOCKOUT, f"{PAIR_KNOCKOUT} 1", "round-published 1")

    assert verdict(desk, "result-reported 1 1 scores=[0,0]") == "impossible needs-a-winner"


def test_a_report_waits_for_its_confirmation_where_that_is_asked() -> None:
    desk = played(*REPORTED, confirmed_only=True)

    assert verdict(desk, "round-closed 1") == "impossible results-missing"
    assert verdict(played(*REPORTED), "round-closed 1") == "legal"


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
        "Begun, 4 playing",
        "Round 1 is over, 2 playing",
        "Round 2: 0 of 1 tables reported, 2 playing",
        "Round 2: 0 of 1 tables reported, 2 playing",
        "Round 2: 1 of 1 tables reported, 2 playing",
        "Round 2 is over",
    ]


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

    told = preview(desk.head.state, act)
    more(desk, f"result-corrected 1 1 NOTE scores={scores}")

    assert told.stale == ((2, 1),)
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

        told = preview(desk.head.state, act)
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


def more_before_the_close(timeline: Any) -> Any:
    """Go back to just before a tournament was closed."""
    return more(timeline, f"taken-back {len(timeline) - 1}")


# -- cuts and what follows ------------------------------------------------------------


def test_the_best_of_a_swiss_play_on_in_the_order_of_the_cut() -> None:
    desk = played("enter 8", SWISS, "play 1", "play 2", "play 3")

    assert verdict(desk, "cut-made 1") == "impossible no-such-cut"
    more(desk, "cut-made 4", "stage-started single-elimination")

    cut = order_of(desk_of(desk), 0)[:4]
    assert desk_of(desk).stages[1].players == cut
    more(desk, "play 1", "play 2", "tournament-closed")
    assert desk_of(desk).order[0] == 1
    assert sorted(desk_of(desk).order) == list(range(1, 9))


def test_who_leaves_a_knock_out_together_shares_a_place() -> None:
    timeline = played("enter 6", "stage-started swiss rounds=1", "play 1", "cut-made 4")
    more(timeline, KNOCKOUT, "play 1")
    assert list(places_of(desk_of(timeline), 1).values()) == [1, 2, 3, 3]
    more(timeline, "play 1", "tournament-closed")
    places = final_places(desk_of(timeline))
    assert tuple(places) == desk_of(timeline).order
    assert list(places.values()) == [1, 2, 3, 3, 5, 6]

    third = played("enter 4", f"{KNOCKOUT} third-place=true", "play 1", "play 1")
    assert list(places_of(desk_of(third), 0).values()) == [1, 2, 3, 4]
    pods = played("enter 10", "stage-started pod-elimination", "play 1")
    assert list(places_of(desk_of(pods), 0).values()) == [1, 2, 3, 4, 5, 5, 7, 7, 9, 9]


@pytest.mark.parametrize(
    ("entrants", "stage", "each"),
    [(5, "round-robin", 4), (5, "round-robin groups=2", 0), (7, "multi-round-robin sizes=[4]", 4)],
)
def test_who_rests_in_a_round_robin_has_neither_a_point_nor_a_win(
    entrants: int, stage: str, each: int
) -> None:
    timeline = played(f"enter {entrants}", f"stage-started {stage}")
    while may_pair(desk_of(timeline)):
        more(timeline, "play 1")
        sheet = sheet_of(desk_of(timeline), 0)
        tables = [table for one in desk_of(timeline).rounds for table in one.tables]
        for player, parts in sheet.parts.items():
            assert len(parts) == sum(player in table.players for table in tables)
            assert {part.kind for part in parts} <= {"played"}
    assert not each or {len(parts) for parts in sheet.parts.values()} == {each}


def test_whose_opponent_has_gone_from_a_round_robin_has_a_bye() -> None:
    timeline = played("enter 3", "stage-started round-robin", "play 1", "dropped 1", "play 1")

    parts = sheet_of(desk_of(timeline), 0).parts
    kinds = [[part.kind for part in parts[player] if part.round == 2] for player in (2, 3)]
    assert not desk_of(timeline).rounds[1].tables
    assert sorted(kinds) == [[], ["bye"]]  # the other one rests in this round


def test_who_waits_on_a_ladder_has_not_won() -> None:
    parts = sheet_of(desk_of(played("enter 3", "stage-started ladder", "play 1")), 0).parts

    assert sorted(len(each) for each in parts.values()) == [0, 1, 1]


def test_groups_go_into_play_offs_with_groups_kept_apart() -> None:
    lines = ["enter 8", "stage-started round-robin groups=2", "play 1", "play 2", "play 3"]

    desk = played(
        *lines,
        "cut-made 4",
        KNOCKOUT,
        f"{PAIR_KNOCKOUT} 1",
    )

    group_of = {1: 0, 4: 0, 5: 0, 8: 0, 2: 1, 3: 1, 6: 1, 7: 1}
    for table in desk_of(desk).rounds[-1].tables:
        assert len({group_of[player] for player in table.players}) == 2


def test_who_is_disqualified_stands_last() -> None:
    desk = played("enter 4", f"{SWISS} rounds=1", "play 1", "disqualified 1", "tournament-closed")

    assert desk_of(desk).order[-1] == 1


# -- what the public sees -------------------------------------------------------------


def test_results_that_are_held_back_are_not_shown() -> None:
    desk = played("enter 4", f"{SWISS} rounds=2", "play 1", "results-held 2", "play 2")
    state = desk.head.state

    public, officials = RULESET.view(state, "public"), RULESET.view(state, "officials")
    assert "result" in public["rounds"][0]["tables"][0]
    assert "result" not in public["rounds"][1]["tables"][0]
    assert public["rounds"][1]["order"] == []
    assert officials["rounds"][1]["tables"][0]["result"]
    more(desk, "results-shown")
    assert RULESET.view(desk.head.state, "public")["rounds"] == officials["rounds"]


def test_seeds_are_not_shown_while_the_results_they_follow_from_are_held_back() -> None:
    desk = played("enter 4", f"{SWISS} rounds=2", "play 1", "play 1", "results-held 2")
    more(desk, "cut-made 3", f"{KNOCKOUT} players=[3,1,2]")

    def players(audience: Audience) -> Any:
        return RULESET.view(desk.head.state, audience)["stages"][1]["players"]

    assert (players("public"), players("officials")) == ([], [3, 1, 2])
    more(desk, f"{PAIR_KNOCKOUT} 1")
    assert players("public") == []
    more(desk, "round-published 3")
    assert players("public") == [1, 2], "the round names no more, and who waits is the best"
    more(desk, "results-shown", "results-held 3")
    assert players("public") == [3, 1, 2]


def test_pairings_are_shown_once_they_are_published() -> None:
    desk = played("enter 4", SWISS, "round-paired swiss 1")

    assert RULESET.view(desk.head.state, "public")["rounds"] == []
    assert RULESET.view(desk.head.state, "officials")["rounds"]
    more(desk, "round-published 1")
    assert len(RULESET.view(desk.head.state, "public")["rounds"][0]["tables"]) == 2


def test_penalties_are_for_officials() -> None:
    desk = played("entered", "penalty-given 1 conduct warning demerits=2")
    act = desk.entries[-1].act

    assert "penalties" not in RULESET.view(desk.head.state, "public")
    assert RULESET.view(desk.head.state, "officials")["penalties"][0]["demerits"] == 2
    assert RULESET.hide(act, "public") is None
    assert RULESET.hide(act, "officials") == act


# -- every format ---------------------------------------------------------------------

FORMATS: list[tuple[int, dict[str, Any]]] = [
    (9, {"format": "swiss", "best_of": 3, "tiebreaks": ["omw", "gw", "ogw"]}),
    (7, {"format": "swiss", "win": 2, "draw": 1, "halves": True, "tiebreaks": ["bh-c1", "sb"]}),
    (6, {"format": "round-robin", "legs": 2}),
    (9, {"format": "round-robin", "groups": 2}),
    (11, {"format": "single-elimination", "third_place": True}),
    (7, {"format": "double-elimination"}),
    (6, {"format": "double-elimination", "no_reset": True}),
    (9, {"format": "pods", "rounds": 3, "table_points": [10, 6, 3, 1], "tiebreaks": ["beaten"]}),
    (11, {"format": "pods", "rounds": 2, "sizes": [6, 5]}),
    (10, {"format": "pod-elimination"}),
    (7, {"format": "multi-round-robin", "sizes": [4]}),
    (5, {"format": "ladder", "rounds": 4}),
]


@pytest.mark.parametrize(
    ("entrants", "fields"), FORMATS, ids=lambda v: v["format"] if isinstance(v, dict) else v
)
def test_every_format_is_played_from_the_offers_to_the_close(
    entrants: int, fields: dict[str, Any]
) -> None:
    for seed in range(2):
        desk = played_out(entrants, fields, f"out {seed}")

        assert sorted(desk_of(desk).order) == list(range(1, entrants + 1))
        assert check(RULESET, desk.entries) is None
        for each in desk_of(desk).rounds:
            seated = [player for table in each.tables for player in table.players]
            assert len({*seated, *each.byes}) == len(seated) + len(each.byes)
        kinds = [event_type(entry.act) for entry in desk.entries]
        print(f"{fields['format']}: {len(desk_of(desk).rounds)} rounds, {len(kinds)} entries")


def of_every_act() -> Timeline:
    """Return a tournament in which every act of the desk was recorded."""
    desk = played("enter 6", "waitlisted", "checked-in 1", "dropped 2", "returned 2", cap=6)
    more(desk, "pair-forbidden [1,3]", "pair-allowed [1,3]", "table-fixed 1 2", "bye-granted 6 2")
    more(desk, "penalty-given 4 late warning", "results-held 1", "announced NOTE")
    more(desk, "unannounced 1", f"{SWISS} rounds=3", "round-paired swiss 1")
    one, two = desk_of(desk).rounds[0].tables[:2]
    more(desk, f"pairing-changed {one.number} 1 {two.players[0]} NOTE", "round-published 1")
    first, second, *others = desk_of(desk).rounds[0].tables
    by, foe = first.players
    more(desk, "clock-paused 1", "clock-resumed 1", f"time-extended 1 5 table={first.number}")
    more(desk, "time-extended 1 10", "time-called 1")
    more(desk, f"result-reported 1 {first.number} scores=[1,0] by={by}")
    more(desk, f"result-disputed 1 {first.number} by={foe}")
    more(desk, f"ruled 1 {first.number} NOTE scores=[0,1]")
    by, foe = second.players
    more(desk, f"result-reported 1 {second.number} scores=[1,0] by={by}")
    more(desk, f"result-confirmed 1 {second.number} by={foe}")
    more(desk, *(f"result-reported 1 {each.number} scores=[0,1]" for each in others))
    more(desk, "round-closed 1", f"result-corrected 1 {second.number} NOTE scores=[0,1]")
    more(desk, "results-shown", "play 2", "disqualified 5", "stage-ended NOTE", "cut-made 4")
    return more(desk, KNOCKOUT, "play 1", "play 2", "tournament-closed")


def test_undoing_anything_returns_the_exact_state() -> None:
    """Each act of a tournament that has them all is taken back, and all of it brought back."""
    desk = of_every_act()
    assert {type(entry.act) for entry in desk.entries[1:]} == set(RULESET.acts)
    dumps = [RULESET.dump(moment.state) for moment in desk.moments]
    for version in range(1, len(dumps)):
        more(desk, f"taken-back {version}")
        assert RULESET.dump(desk.head.state) == dumps[version - 1]
        more(desk, f"taken-back {len(desk) - 1}")
        assert RULESET.dump(desk.head.state) == dumps[-1]
    assert check(RULESET, desk.entries) is None


def test_a_preview_of_anything_is_the_real_difference() -> None:
    """Of each act of such a tournament, and of each undo of it: who has which place then."""
    desk = of_every_act()
    for entry in desk.entries[1:]:
        before, after = desk.at(entry.version - 1).state, desk.at(entry.version).state
        assert moved(preview(before, entry.act)) == places_that_differ(before.desk, after.desk)
        undone = difference(desk.head.state.desk, before.desk)
        assert moved(undone) == places_that_differ(desk.head.state.desk, before.desk)


def moved(blast: Blast) -> dict[tuple[int, int], tuple[int, int]]:
    return {(row.stage, row.entrant): row.places for row in blast.moved}


def places_that_differ(before: Desk, after: Desk) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the places in an order before and after, 0 for none, worked out from the tables."""
    found = {}
    for index in range(min(len(before.stages), len(after.stages))):
        was, now = order_of(before, index), order_of(after, index)
        for player in now:
            one = was.index(player) + 1 if player in was else 0
            if one != now.index(player) + 1:
                found[index + 1, player] = one, now.index(player) + 1
    return found


def test_what_may_be_planned_is_what_may_be_started() -> None:
    """Every offer's choices can be planned; what is planned wrong is refused at the start too."""
    for count in (4, 9, 16):
        desk = played(f"enter {count}")
        for offer in RULESET.options(desk.head.state):
            if offer.type != "stage-started":
                continue
            pick = Stream(f"plan {count} {offer}")
            act = bots.act_of(RULESET, offer, pick)
            assert isinstance(act, StageStarted)
            assert not list(planned(act))
            for name, wrong in WRONG.items():
                bad = msgspec.structs.replace(act, **{name: wrong})
                assert [field for field, _ in planned(bad)] == [name]
                assert RULESET.judge(desk.head.state, bad).call == "impossible"


WRONG = {
    "rounds": 31,
    "best_of": 10,
    "win": 101,
    "bye": -1,
    "table_points": (1,) * 7,
    "sizes": (2,),
    "tiebreaks": ("omw", "omw"),
    "legs": 5,
    "groups": 17,
    "accelerated": -1,
    "seed": -1,
    "seeding": "luck",
}
