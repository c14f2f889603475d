"""The console's results: what is typed, what it counts for, and what changing it moves."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.test import Client

from league import ranking, services
from league.models import Tournament
from rules.desk.acts import Options
from tests import factories
from tests.api.client import Api
from tests.html import squeezed, text_of
from tests.league import desks
from tests.league.consoles import Console, Form, swiss

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def pods(players: int = 3) -> Tournament:
    cup = desks.tournament(stages=[{"format": "pods"}])
    desks.entered(cup, players)
    desks.act(cup, "stage-started", format="pods", sizes=[3], seed=7)
    desks.paired(cup)
    return cup


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("-5", "greater than or equal to 0"),
        ("99999999999999999999", "less than or equal to 9999"),
        ("abc", "Enter a whole number"),
        ("", "Say what"),
    ],
)
def test_what_is_no_score_is_refused_at_its_field_and_stays_there(typed: str, says: str) -> None:
    cup = pods()
    console = Console(cup)
    correct = f"/tournaments/{cup.code}/rounds/1/tables/1/correct/"
    at_table = f"/tournaments/{cup.code}/rounds/1/tables/1/"
    form: Form = {"type": "result-reported", "score-1": typed, "score-2": "1", "score-3": "2"}

    in_console = console.post(400, round=1, table=1, **form)
    assert '<details class="table-row" open>' in in_console
    for page in (
        in_console,
        console.post(400, at_table, **form),
        console.client.get(correct, form).content.decode(),
    ):
        assert says in page
        assert 'value="2"' in page
        assert "This could not be taken yet" in page
    assert desks.desk(cup).rounds[0].tables[0].status == "open"


def test_a_minus_is_no_dash_between_two_scores() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup)
    desks.paired(cup)
    report: Form = {"type": "result-reported", "round": 1, "table": 1}
    console = Console(cup)

    page = console.post(400, scores="-2-1", **report)
    assert page.count("is not a whole number from 0 to 9999.") == 1
    console.post(scores="2 – 1", **report)
    result = desks.desk(cup).rounds[0].tables[0].result
    assert result is not None
    assert result.scores == (2, 1)


def test_who_did_not_show_up_is_told_at_a_table_of_three() -> None:
    cup = pods()
    console = Console(cup)
    first, second, _ = desks.desk(cup).rounds[0].tables[0].players
    scores: Form = {"score-1": "", "absent-1": "on", "score-2": "4", "score-3": "2"}

    console.post(type="result-reported", round=1, table=1, **scores)
    table = desks.desk(cup).rounds[0].tables[0]
    assert table.result is not None
    assert (table.result.scores, table.result.absent) == ((0, 4, 2), (first,))

    correct = f"/tournaments/{cup.code}/rounds/1/tables/1/correct/"
    asked: Form = {"score-1": "3", "score-2": "", "absent-2": "on", "score-3": "2"}
    assert "What it moves" in console.client.get(correct, asked).content.decode()
    console.post(url=correct, scores="3-0-2", absent=second, note="The other one.")
    table = desks.desk(cup).rounds[0].tables[0]
    assert table.result is not None
    assert (table.result.scores, table.result.absent) == ((3, 0, 2), (second,))


@pytest.mark.parametrize("confirmed_only", [True, False])
def test_what_is_reported_counts_everywhere_or_nowhere(confirmed_only: bool) -> None:
    cup = desks.tournament(desk=Options(confirmed_only=confirmed_only), self_report=True)
    player = factories.actor()
    services.enter(tournament=cup, by=player, act_id=uuid4())
    desks.entered(cup, 1)
    desks.start(cup)
    desks.paired(cup)
    told: Form = {"round": 1, "table": 1}
    services.record(
        tournament=cup,
        by=player,
        act_id=uuid4(),
        act={"type": "result-reported", "scores": [2, 0], "by": 1, **told},
    )
    console = Console(cup)
    page, table = console.page(), console.page(f"{cup.get_absolute_url()}standings/")
    if confirmed_only:
        assert "0 of 1 tables confirmed" in page
        assert "Waiting for table 1." in page
        assert ">1–0–0</td>" not in table
        page = console.post(type="result-confirmed", **told)
        assert "1 of 1 tables confirmed" in page
        assert "1 of 1 results are confirmed." in page
    else:
        assert "1 of 1 tables reported" in page
        assert "1 of 1 results are reported." in page
        assert '<td class="unbroken">1–0–0</td>' in table


def test_undoing_a_drop_moves_no_round_that_was_paired_before() -> None:
    cup = swiss(6, rounds=3)
    desks.play(cup)
    desks.paired(cup)
    desks.act(cup, "dropped", entrant=1)
    console = Console(cup)
    assert "checked in" not in console.page(), "nobody was asked to"
    assert "5 of 6 in<" in console.page()
    page = console.page(f"/tournaments/{cup.code}/undo/?to={cup.log.head_version - 1}")
    assert "Guest 1 drops." in page
    assert "would now be paired differently" not in page
    assert "It moves nothing else." in page


def test_undoing_a_correction_moves_no_round_that_fitted_before_it() -> None:
    cup = swiss(4, rounds=3)
    desks.play(cup)
    desks.paired(cup)
    first = desks.desk(cup).rounds[0].tables[0]
    scores = [0, 2] if first.result and first.result.scores == (2, 0) else [2, 0]
    where: Form = {"round": 1, "table": first.number}
    correct = f"/tournaments/{cup.code}/rounds/1/tables/{first.number}/correct/"
    console = Console(cup)
    asked = console.client.get(correct, {"scores": "-".join(map(str, scores))}).content.decode()
    assert "Round 2 would now be paired differently at 2 tables." in asked
    desks.act(cup, "result-corrected", **where, scores=scores, note="Upside down.")
    page = console.page(f"/tournaments/{cup.code}/undo/?to={cup.log.head_version - 1}")
    assert "Places that move" in page
    assert "would now be paired differently" not in page


def test_of_many_places_that_move_most_are_folded_away() -> None:
    moved = [(f"Player {at}", (at, at + 1), "Swiss") for at in range(1, 10)]
    shown, _, folded = render_to_string(
        "league/_blast.html", {"blast": {"moved": moved}}
    ).partition("<details>")
    assert "<bdi>Player 6</bdi>: 6 → 7" in shown
    assert "3 more" in folded
    assert "<bdi>Player 9</bdi>: 9 → 10" in folded


def test_a_dispute_is_due_and_who_rules_on_it_reads_what_was_said_there() -> None:
    cup = swiss()
    desks.act(cup, "result-reported", round=1, table=1, scores=[2, 1])
    desks.act(cup, "result-disputed", round=1, table=1, note="The last game did not count.")
    ruling = f"/tournaments/{cup.code}/rounds/1/tables/1/correct/"
    console = Console(cup)
    page = console.page(ruling)
    assert "<title>Rule on table 1" in page
    assert "The last game did not count." in page
    assert "In dispute, an official rules: table 1." in console.page()
    at = f"/tournaments/{cup.code}/rounds/1/tables/1/"
    due = desks.due(console.client, cup)
    assert ("Disputed" in due, f'href="{at}"' in due) == (True, True)
    sent = {"scores": "0-2", "note": "Counted.", "act_id": uuid4()}
    assert "It is ruled." in squeezed(console.client.post(f"{at}correct/", sent, follow=True))


def test_a_second_report_is_told_beside_the_first_only_if_it_differs() -> None:
    for second, told in (([2, 1], False), ([1, 2], True)):
        cup, players = desks.playing()
        for number, scores in enumerate(([2, 1], second), 1):
            services.record(
                tournament=cup,
                by=players[number - 1],
                act_id=uuid4(),
                act={
                    "type": "result-reported",
                    "round": 1,
                    "table": 1,
                    "scores": scores,
                    "by": number,
                },
            )
        for tail in ("", "correct/"):
            page = Console(cup).page(f"/tournaments/{cup.code}/rounds/1/tables/1/{tail}")
            assert ("Another says" in page) == told


def test_a_draw_without_a_game_won_is_called_one_in_the_list_of_its_round() -> None:
    cup = swiss()
    desks.act(cup, "result-reported", round=1, table=1, by=0, scores=[0, 0], drawn=1)
    desks.act(cup, "result-reported", round=1, table=2, by=0, scores=[1, 1])
    tables = text_of(Client().get(f"/tournaments/{cup.code}/rounds/1/")).split("Table ")
    assert ["drawn" in one for one in tables[1:3]] == [True, False]


def test_no_line_breaks_within_a_score_and_a_note_stands_apart() -> None:
    cup = swiss()
    console = Console(cup)
    ruling = f"/tournaments/{cup.code}/rounds/1/tables/1/correct/"
    for page in (console.page(), console.page(ruling)):
        assert '<span class="unbroken">2–0</span>' in page
    desks.act(cup, "ruled", round=1, table=1, absent=[2], note="Waited.")
    assert ' <q class="soft">Waited.</q>' in console.page()


def test_at_ones_own_table_the_console_offers_no_result_that_it_would_refuse() -> None:
    by = factories.actor()
    cup = desks.tournament(by)
    services.enter(tournament=cup, by=by, act_id=uuid4())
    desks.entered(cup, 3)
    desks.start(cup)
    desks.paired(cup)
    console = Console(cup)
    assert console.page().count("Both lose") == 1
    assert "This is your own table" in console.page()


def test_a_place_that_a_lot_decided_is_marked_and_no_other() -> None:
    cup = desks.played_out(desks.tournament(), players=4, rounds=1)
    standings = f"{cup.get_absolute_url()}standings/"
    page = Console(cup).page(f"{standings}?why=1")
    assert page.count("by lot</span>") == 4
    assert "Level with another in everything that counts: decided by lot." in page
    assert ">lot</abbr>" not in page
    other = desks.played_out(desks.tournament(), players=2, rounds=1)
    assert "by lot" not in Console(other).page(f"{other.get_absolute_url()}standings/?why=1")


def test_a_place_is_explained_by_what_was_played_until_then() -> None:
    cup = desks.tournament()
    desks.entered(cup, 4)
    desks.start(cup, rounds=2)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup)
    desks.act(cup, "cut-made", size=2)
    desks.start(cup, format="single-elimination", rounds=0, tiebreaks=())
    desks.paired(cup)
    page = f"{cup.get_absolute_url()}standings/"

    def tables(**query: int) -> list[str]:
        why = Client().get(page, {"why": 1, **query}).content.decode().partition('id="why"')[2]
        return re.findall(r"rounds/(\d)/tables", why)

    assert tables(stage=1, after=1) == ["1"]
    assert tables(stage=1) == ["1", "2"]
    assert tables(stage=2) == ["1", "2", "3"]


def test_a_number_lowered_because_its_player_left_says_so() -> None:
    cup = desks.tournament()
    desks.entered(cup, 5)
    desks.start(cup, tiebreaks=["mw-drops"])
    desks.paired(cup)
    (left,) = desks.desk(cup).rounds[0].byes
    desks.play(cup)
    desks.act(cup, "dropped", entrant=left)
    desks.paired(cup)
    desks.play(cup)
    shown = text_of(Client().get(f"/tournaments/{cup.code}/standings/?why={left}"))
    assert "at least 1/4, at most 3/4, as they left" in shown
    told = Api(desks.organiser(cup)).get(f"standings/?tournament={cup.code}&terms=true").json()
    rows = told["results"]
    lowered = {row["entrant"]: row["tiebreaks"][0] for row in rows if "cap" in row["tiebreaks"][0]}
    assert [(who, each["value"], each["cap"]) for who, each in lowered.items()] == [
        (left, "3/4", "3/4")
    ]


def test_standings_show_the_places_that_depend_on_a_dispute_both_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cup, players = desks.playing()
    standings = f"{cup.get_absolute_url()}standings/"
    seats = desks.desk(cup).rounds[0].tables[0].players
    numbers = [desks.desks.number_for(each, cup, desks.desk(cup)) for each in players]
    for number, each in zip(numbers, players, strict=True):
        scores = [2 if seat == number else 0 for seat in seats]  # each says that they won
        act = {"type": "result-reported", "round": 1, "table": 1, "scores": scores, "by": number}
        services.record(tournament=cup, by=each, act_id=uuid4(), act=act)
    shown = text_of(Client().get(standings))
    assert "in dispute" in shown
    ways = ("2–0", "0–2") if seats[0] == numbers[0] else ("0–2", "2–0")
    assert " ".join(f"If {each} stands" for each in ways) in shown

    def contested() -> Any:
        answer = Api(players[0]).get(f"standings/?tournament={cup.code}")
        return answer.json()["contested"]

    (table,) = contested()
    assert (table["round"], table["table"]) == (1, 1)
    assert {p["entrant"]: (p["if_reported"], p["if_claimed"]) for p in table["places"]} == {
        numbers[0]: (1, 2),
        numbers[1]: (2, 1),
    }
    with monkeypatch.context() as patch:
        patch.setattr(ranking, "MAX_CONTESTED", 1)
        assert contested() == []
    desks.act(cup, "ruled", round=1, table=1, scores=[2, 0], note="Seen.")
    assert " stands" not in text_of(Client().get(standings))
    assert contested() == []
