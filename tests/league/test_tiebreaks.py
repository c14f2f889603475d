"""Standings as they would be by other tie-breaks, shown beside the actual places."""

import re

import pytest
from django.test import Client

from league.models import Tournament
from tests.api.client import Api, problem
from tests.league import desks

pytestmark = pytest.mark.django_db

BY_GAMES = {**desks.SWISS, "tiebreaks": ["games"]}
SCORES = {(1, 3): (2, 0), (2, 4): (2, 1), (1, 2): (2, 0), (3, 4): (0, 2)}


@pytest.fixture
def cup() -> Tournament:
    """Return two rounds in which 2 and 4 won a match each.

    4 has won a game more than lost, 2 one less. 2 met the winners of two matches and of one, 4 the
    winners of one and of none.
    """
    cup = desks.tournament(stages=[BY_GAMES])
    desks.entered(cup, 4)
    desks.start(cup, **BY_GAMES)
    for _ in range(2):
        desks.paired(cup)
        desks.play(cup, lambda table: _scores(*table.players))
    return cup


def _scores(one: int, other: int) -> tuple[int, ...]:
    return SCORES.get((one, other)) or SCORES[other, one][::-1]


def _page(cup: Tournament, **query: str) -> str:
    return Client().get(f"{cup.get_absolute_url()}standings/", query).content.decode()


def _rows(page: str) -> list[tuple[str, ...]]:
    """Return what a page's table says first in each row: a place, perhaps another, and a name."""
    rows = page.partition("<tbody>")[2].partition("</tbody>")[0].split("<tr")[1:]
    return [tuple(re.findall(r">(\d|Guest \d)<", row)[:3]) for row in rows]


def test_the_page_shows_them_as_they_would_be_beside_the_actual_places(cup: Tournament) -> None:
    told = "These are not the standings"

    assert [row[1] for row in _rows(_page(cup))] == ["Guest 1", "Guest 4", "Guest 2", "Guest 3"]
    assert told not in _page(cup)
    page = _page(cup, tiebreaks="bh,games")
    assert _rows(page) == [
        ("1", "1", "Guest 1"),
        ("2", "3", "Guest 2"),
        ("3", "2", "Guest 4"),
        ("4", "4", "Guest 3"),
    ]
    assert told in page
    assert '<option value="bh,games" selected>Buchholz (bh)</option>' in page
    assert told in _page(cup, tiebreaks="bh,games", part="live")
    opened = _page(cup, tiebreaks="bh,games", why="2")
    assert "Why Guest 2 would have place 2" in opened


def test_an_order_that_is_not_offered_can_be_named_in_the_address(cup: Tournament) -> None:
    page = _page(cup, tiebreaks="sb,won")
    assert (
        '<option value="sb,won" selected>Sonneborn-Berger, Games won over the board</option>'
        in page
    )


def test_the_tie_breaks_of_the_stage_are_no_other_order(cup: Tournament) -> None:
    assert '<option value="games">' not in _page(cup)


def test_a_program_is_told_the_same(cup: Tournament) -> None:
    def order(**query: str) -> list[int]:
        told = Api().get("standings/", tournament=cup.code, **query).json()
        return [row["entrant"] for row in told["results"]]

    assert order() == [1, 4, 2, 3]
    assert order(tiebreaks="bh,games") == [1, 2, 4, 3]
    assert order(tiebreaks="games", after="1") == order(after="1") == [1, 2, 4, 3]


@pytest.mark.parametrize("codes", ["bh,bh", "nothing", "bh,", ",".join(["bh"] * 9)])
def test_what_is_no_order_of_tie_breaks_is_refused(cup: Tournament, codes: str) -> None:
    asked = Api().get("standings/", tournament=cup.code, tiebreaks=codes)
    assert problem(asked, 400, "out-of-range")["errors"][0]["where"] == "$.tiebreaks"
    page = Client().get(f"{cup.get_absolute_url()}standings/", {"tiebreaks": codes})
    assert page.status_code == 400


def test_where_rounds_won_decide_no_tie_breaks_do() -> None:
    cup = desks.tournament(stages=[{"format": "single-elimination"}])
    desks.entered(cup, 4)
    desks.start(cup, format="single-elimination", rounds=0, tiebreaks=())
    page = _page(cup, tiebreaks="bh")
    assert "Guest 1" in page
    assert "These are not the standings" not in page


def test_results_held_back_stay_so(cup: Tournament) -> None:
    desks.act(cup, "results-held", round=1)
    assert "<td>0–0–0</td>" in _page(cup, tiebreaks="bh").replace(' class="unbroken"', "")
    assert not re.search(r">[12]–", _page(cup, tiebreaks="bh"))
