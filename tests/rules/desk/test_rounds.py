"""Rounds: paired automatically or by hand, and byes."""

import pytest

from rules import texts
from rules.desk.acts import EntrantNumbered, PairingWeighed, RematchForced, RoundDrawn
from rules.desk.pairing import planned_rounds
from rules.desk.standings import standings
from rules.ruleset import Act, event_type, fields_of
from tests.rules.desk.table import (
    NOTE,
    RULESET,
    SWISS,
    consequences,
    desk_of,
    more,
    played,
    reason,
    verdict,
)


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
        (f'pairings=[[1,4],[2,3]] note="{NOTE}"', "irregular paired-by-hand"),
        (f'pairings=[[1,4]] byes=[2] note="{NOTE}"', "irregular paired-by-hand"),
        ("pairings=[[1,4],[2,3]]", "impossible missing-reason"),
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
    by_hand = "round-paired! swiss 2 pairings=[[1,4],[2,3]] note=NOTE"
    desk = played("enter 4", SWISS, "play 1", by_hand)

    weighed = desk.entries[-1].consequences[1]
    assert isinstance(weighed, PairingWeighed)
    assert weighed.cost >= weighed.least
    assert len(weighed.proposed) == 2
    assert desk_of(desk).rounds[1].by_hand


def test_no_round_is_paired_while_another_is_open() -> None:
    desk = played("enter 4", SWISS, "round-paired swiss 1")
    assert verdict(desk, "round-paired swiss 2") == "impossible nothing-to-pair"


@pytest.mark.parametrize(
    ("count", "stage", "absent", "method"),
    [
        (3, "stage-started pods sizes=[4]", ["dropped 3"], "pods"),
        (4, "stage-started pods sizes=[4,3]", ["dropped 3", "bye-granted 4 1"], "pods"),
        (2, SWISS, ["dropped 2"], "swiss"),
    ],
)
def test_a_round_is_not_paired_when_everybody_would_have_a_bye(
    count: int, stage: str, absent: list[str], method: str
) -> None:
    desk = played(f"enter {count}", stage, *absent)
    by_hand = f'round-paired {method} 1 pairings=[] byes=[1] note="{NOTE}"'

    assert verdict(desk, f"round-paired {method} 1") == "impossible too-few-there"
    assert "round-paired" not in {offer.type for offer in RULESET.options(desk.head.state)}
    assert verdict(desk, by_hand) == "irregular paired-by-hand"
    more(desk, "entered", "entered")
    assert verdict(desk, f"round-paired {method} 1") == "legal"


def test_groups_of_one_are_not_paired() -> None:
    desk = played("enter 4", "stage-started round-robin groups=2", "dropped 1", "dropped 2")

    assert verdict(desk, "round-paired round-robin 1") == "impossible too-few-there"


def test_a_round_robin_has_its_round_of_byes() -> None:
    desk = played("enter 4", "stage-started round-robin", "dropped 1", "dropped 2")
    more(desk, "play 1", "play 1", "play 1")

    assert sorted(len(each.tables) for each in desk_of(desk).rounds) == [0, 0, 1]


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
    monkeypatch.setattr(texts, "_language", lambda: "de")

    assert reason(desk, line) == f"Diese Paarungen bedeuten nichts: {told}."


def test_what_a_refusal_names_is_told_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = played("enter 4", SWISS)
    monkeypatch.setattr(texts, "_language", lambda: "de")

    told = reason(desk, "round-paired pods 1")
    assert told == "Diese Phase wird nach Schweizer System gepaart, nicht nach Pods."
    more(desk, "play 1")
    assert reason(desk, "ruled 1 1 NOTE scores=[0,1]") == "Tisch 1 ist entschieden."
    state = desk.head.state
    assert RULESET.tell(RULESET.read("dropped 2"), state) == "Teilnehmer 2 scheidet aus."
    assert RULESET.tell(EntrantNumbered(2), state, {2: "Vega"}) == "Das ist Teilnehmer 2."


def test_a_swap_by_hand_needs_a_reason_and_moves_both() -> None:
    desk = played("enter 5", SWISS, "round-paired swiss 1")
    before = desk_of(desk).rounds[0]
    bye, player = before.byes[0], before.tables[0].players[1]

    assert verdict(desk, f'pairing-changed 1 2 {bye} ""') == "impossible missing-reason"
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


@pytest.mark.parametrize("left", ["dropped 3", "disqualified 3"])
def test_byes_granted_ahead_are_void_for_who_left(left: str) -> None:
    desk = played("enter 3", "bye-granted 3 1", "bye-granted 3 2", f"{SWISS} rounds=2", "play 1")
    more(desk, left, "play 2")

    assert {row.player: row.points for row in standings(desk_of(desk), 0)}[3] == 1


def test_who_drops_is_not_paired_and_may_come_back() -> None:
    desk = played("enter 4", f"{SWISS} rounds=3", "play 1", "dropped 4", "play 2")

    assert all(4 not in table.players for table in desk_of(desk).rounds[1].tables)
    more(desk, "returned 4", "round-paired swiss 3")
    assert any(4 in table.players for table in desk_of(desk).rounds[2].tables)


@pytest.mark.parametrize(
    ("entrants", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (16, 4), (17, 5)]
)
def test_a_swiss_has_as_many_rounds_as_a_knockout(entrants: int, rounds: int) -> None:
    stage = desk_of(played(f"enter {entrants}", SWISS)).stages[0]
    assert planned_rounds(stage) == rounds


@pytest.mark.parametrize("act", RULESET.acts, ids=event_type)
def test_each_field_of_an_act_has_a_name_to_refuse_it_by(act: type[Act]) -> None:
    named = {key.removeprefix("value.field.") for key in RULESET.texts}
    assert {field.name for field in fields_of(act)} <= named


def test_a_match_for_third_place_is_refused_by_name() -> None:
    desk = played("enter 4")
    told = reason(desk, "stage-started swiss third-place=true")
    assert told == "That is not possible here: match for third place."
