"""Why a round is paired as it is, as explained on its page."""

import msgspec
import pytest
from django.test import Client

from league import reasons
from rules.replay import Timeline
from tests.league import desks
from tests.rules.desk.table import desk_of, more, played


def told(timeline: Timeline, number: int) -> tuple[dict[int, tuple[str, ...]], dict[int, str]]:
    why = reasons.why(timeline, len(timeline), desk_of(timeline), number)
    return why.reasons, why.byes


def test_a_round_is_explained_by_who_was_there_and_what_stood_when_it_was_paired() -> None:
    """Those of round 2 were level then; what was corrected, and who left, says nothing of it."""
    timeline = played("enter 5", "stage-started swiss rounds=3", "play 1", "play 2")
    said = told(timeline, 1), told(timeline, 2)
    first = desk_of(timeline).rounds[0]
    one, other = first.tables[0].result.scores
    more(timeline, f"dropped {first.byes[0]}", f"dropped {first.tables[0].players[0]}")
    more(timeline, f"result-corrected 1 1 NOTE scores=[{other},{one}]")

    assert (told(timeline, 1), told(timeline, 2)) == said


def test_nothing_is_said_of_points_while_results_before_are_held_back() -> None:
    timeline = played("enter 5", "stage-started swiss rounds=3", "play 1", "play 2")
    desk = desk_of(timeline)
    held = msgspec.structs.replace(desk.rounds[0], closed=False)
    shown = msgspec.structs.replace(desk, rounds=(held, *desk.rounds[1:]))

    why = reasons.why(timeline, len(timeline), shown, 2)

    assert not why.reasons
    assert not why.byes


def test_points_are_told_as_they_are_counted_not_as_pairing_weighs_them() -> None:
    halves = "stage-started swiss rounds=3 win=2 draw=1 bye=2 halves=true"
    timeline = played("enter 4", halves, "round-paired swiss 1", "round-published 1")
    more(timeline, "result-reported 1 1 scores=[0,0] drawn=1", "result-reported 1 2 scores=[1,0]")
    more(timeline, "round-closed 1", "play 2")

    said = {line for lines in told(timeline, 2)[0].values() for line in lines}

    assert said == {"1 point meets 0.5.", "0.5 points meet 0."}


def test_an_accelerated_round_says_who_counts_more() -> None:
    timeline = played("enter 8", "stage-started swiss rounds=5 accelerated=3", "play 1")

    lines = [*told(timeline, 1)[0].values()]

    ahead = "Accelerated: the better half of the seeds counts 3 more."
    assert lines == [("Both have 0 points.", ahead)] * 2 + [("Both have 0 points.",)] * 2


def test_a_round_by_hand_says_whom_it_leaves_without_a_table() -> None:
    timeline = played("enter 7", "stage-started swiss rounds=3")
    more(timeline, "round-paired! swiss 1 pairings=[[1,2],[3,4]] byes=[5,6] note=NOTE")

    why = reasons.why(timeline, len(timeline), desk_of(timeline), 1)

    assert why.parts[0] == reasons.CostPart("players left without a table", 2, 0)
    assert not why.is_least
    due = why.proposed_byes
    assert {player for player, said in why.byes.items() if said == "Given by hand."} == (
        {5, 6} - {*due}
    )


@pytest.mark.django_db
def test_the_page_of_a_round_by_hand_says_who_made_it_and_why() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup)
    by_hand = {"method": "swiss", "seed": 1, "pairings": [[1, 2], [3, 4]], "irregular": True}
    desks.act(cup, "round-paired", **by_hand, note="Table 2 has the step-free way.")
    desks.act(cup, "pairing-changed", table=1, seat_number=1, entrant=3, note="Brothers.")
    desks.act(cup, "round-published", round=1)

    page = Client().get(f"/tournaments/{cup.code}/rounds/1/").content.decode()

    for said in ("Table 2 has the step-free way.", "Brothers.", str(cup.opener)):
        assert said in page
    assert "The machine proposes:" in page
    assert page.count("<summary>") == page.count("Table by table") == 1  # not one a table


LADDER = ("enter 4", "stage-started ladder")
BY_HAND = "round-paired! ladder 1 pairings=[[3,1],[2,4]] note=NOTE"
SWAP = "pairing-changed 1 1 4 NOTE"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ((*LADDER, "play 1"), ["They are neighbours on the ladder."] * 2),
        ((*LADDER, BY_HAND), ["Paired by hand."] * 2),
        ((*LADDER, "round-paired ladder 1", SWAP), ["Paired by hand."] * 2),
        (
            ("enter 4", "stage-started double-elimination", "play 1", "play 1"),
            ["By the bracket: earlier results lead to this match."] * 2,
        ),
    ],
)
def test_a_table_is_explained_by_what_made_it(lines: tuple[str, ...], said: list[str]) -> None:
    timeline = played(*lines)

    tables = told(timeline, len(desk_of(timeline).rounds))[0]
    assert [line for each in tables.values() for line in each] == said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("enter 4", "pair-forbidden [1,2]"), "They were not to meet."),
        (
            ("enter 2", "pair-forbidden [1,2]"),
            "They were not to meet, and no round was left without such a pair.",
        ),
    ],
)
def test_two_kept_apart_are_said_to_be_unavoidable_only_if_they_were(
    lines: tuple[str, ...], said: str
) -> None:
    by_hand = "round-paired! swiss 1 pairings=[[1,2]] note=NOTE"
    timeline = played(*lines, "stage-started swiss rounds=3", by_hand)
    assert told(timeline, 1)[0] == {1: ("Both have 0 points.", said)}


def test_two_who_met_more_often_are_one_pair_of_a_table() -> None:
    timeline = played("enter 4", "stage-started pods rounds=3", "play 1", "play 2", "play 3")
    assert [told(timeline, number)[0][1][-1] for number in (1, 2, 3)] == [
        "No two of them met before.",
        "6 pairs met before.",
        "6 pairs met before.",
    ]


def test_a_bye_of_the_lowest_group_may_have_more_points_than_one_that_counts_more() -> None:
    stage = "stage-started swiss rounds=7 accelerated=6"
    timeline = played("enter 9", stage, "play 1", "play 1", "play 2")
    assert told(timeline, 3)[1] == {
        7: "The field is odd; of those with the fewest byes (0), the lowest group takes it "
        "(points: 3)."
    }


def test_a_bye_is_explained_by_what_gave_it() -> None:
    pods = played("enter 5", "stage-started pods", "play 1")
    assert [*told(pods, 1)[1].values()] == [
        "Not everybody fits at the tables; of those with the fewest byes (0), the lowest take them "
        "(points: 0)."
    ]
    swiss = played("enter 3", "stage-started swiss rounds=3", "play 1")
    desk = desk_of(swiss)
    [bye], winner = desk.rounds[0].byes, min(desk.rounds[0].tables[0].players)
    apart = ",".join(map(str, sorted((bye, winner))))
    more(swiss, f"pair-forbidden [{apart}]", "round-paired swiss 2")
    assert told(swiss, 2)[1] == {
        winner: "The field is odd; of those with the fewest byes (0), a higher group takes it "
        "(points: 3): otherwise there would be more pairs who met before, or are not to meet."
    }
