"""Players without a table in a round: a bye is a win, a rest or a wait is not, everywhere."""

from typing import Any

import pytest
from django.test import Client

from league.models import Tournament
from tests.api.client import Api
from tests.html import squeezed
from tests.league import desks

pytestmark = pytest.mark.django_db

ROBIN = {"format": "round-robin", "best_of": 3, "tiebreaks": ["sb"]}
SWISS = {"format": "swiss", "rounds": 3, "best_of": 3, "tiebreaks": ["sb"]}


def played(stage: dict[str, Any], entrants: int, rounds: int) -> Tournament:
    """Return a tournament with so many rounds, in which the lower number wins."""
    cup = desks.tournament(stages=[stage])
    desks.entered(cup, entrants)
    desks.act(cup, "stage-started", **stage, seed=7)
    for _ in range(rounds):
        desks.paired(cup)
        desks.play(cup)
    return cup


def told(cup: Tournament) -> dict[str, tuple[int, int, int]]:
    """Return wins, draws and losses by name, as the API tells them."""
    rows = Api().get("standings/", tournament=cup.code).json()["results"]
    return {row["name"]: (row["won"], row["drawn"], row["lost"]) for row in rows}


def test_a_rest_is_no_win() -> None:
    cup = played(ROBIN, 3, 3)
    assert told(cup) == {"Guest 1": (2, 0, 0), "Guest 2": (1, 0, 1), "Guest 3": (0, 0, 2)}


def test_a_bye_is_one() -> None:
    cup = played(SWISS, 3, 1)
    assert sorted(told(cup).values()) == [(0, 0, 1), (1, 0, 0), (1, 0, 0)]


@pytest.mark.parametrize(
    ("worth", "counts"),
    [("full", (1, 0, 0)), ("half", (0, 1, 0)), ("zero", (0, 0, 0)), ("loss", (0, 0, 1))],
)
def test_a_bye_that_was_asked_for_counts_as_what_it_is_worth(
    worth: str, counts: tuple[int, int, int]
) -> None:
    cup = desks.tournament(stages=[SWISS])
    desks.entered(cup, 5)
    desks.act(cup, "bye-granted", entrant=5, round=1, worth=worth)
    desks.act(cup, "stage-started", **SWISS, seed=7)
    desks.paired(cup)
    desks.play(cup)
    assert told(cup)["Guest 5"] == counts


@pytest.mark.parametrize(
    ("stage", "label", "other"), [(ROBIN, "Rests", "Bye"), (SWISS, "Bye", "Rests")]
)
def test_pages_and_papers_say_which_it_is(
    client: Client, stage: dict[str, Any], label: str, other: str
) -> None:
    cup = desks.tournament(stages=[stage])
    desks.entered(cup, 3)
    desks.act(cup, "stage-started", **stage, seed=7)
    desks.paired(cup)
    for path in ("", "rounds/1/", "rounds/1/names/", "print/tables/", "print/names/"):
        page = client.get(f"/tournaments/{cup.code}/{path}")
        assert page.status_code == 200, path
        text = squeezed(page)
        assert f">{label}<" in text and f">{other}<" not in text, path
