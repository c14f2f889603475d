"""A stage in groups: each has its own table, on pages, in rows and in the API."""

import re

import pytest
from django.test import Client

from league.models import Standing, Tournament
from matches.followers import work
from tests.api.client import Api
from tests.league import desks

pytestmark = pytest.mark.django_db

GROUPS = {"format": "round-robin", "groups": 2, "best_of": 3, "tiebreaks": ["de", "sb"]}


@pytest.fixture
def cup() -> Tournament:
    """Return two groups of four in which the better seed always won: 1, 4, 5, 8 and 2, 3, 6, 7."""
    cup = desks.tournament(stages=[GROUPS])
    desks.entered(cup, 8)
    desks.start(cup, **GROUPS, rounds=0)
    for _ in range(3):
        desks.paired(cup)
        desks.play(cup)
    work(cup.pk)
    return cup


def test_each_group_has_its_table_with_places_of_its_own(cup: Tournament) -> None:
    page = Client().get(f"/tournaments/{cup.code}/standings/").content.decode()

    tables = page.split("<caption>")[1:]
    assert ["Group 1" in tables[0], "Group 2" in tables[1]] == [True, True]
    for table, names in zip(tables, ("1458", "2367"), strict=True):
        assert re.findall(r"#why\">Guest (\d)<", table) == list(names)
        assert re.findall(r'class="place">(\d)<', table) == list("1234")
    assert "by lot" not in page
    wall = Client().get(f"/tournaments/{cup.code}/wall/?show=standings").content.decode()
    assert [wall.count(f"<small>Group {number}</small>") for number in (1, 2)] == [4, 4]


def test_what_is_kept_of_a_group_and_told_of_it_is_what_decided(cup: Tournament) -> None:
    rows = Standing.objects.filter(tournament=cup, round=3).order_by("place")
    assert [dict(row.tiebreaks)["de"] for row in rows] == ["0"] * 8

    told = Api().get("standings/", tournament=cup.code).json()["results"]
    assert {row["entrant"]: row["group"] for row in told} == {
        1: 1, 4: 1, 5: 1, 8: 1, 2: 2, 3: 2, 6: 2, 7: 2,
    }  # fmt: skip
