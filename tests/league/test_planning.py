"""Planned stages: nothing is accepted that the desk would refuse at the start."""

from typing import Any

import pytest

from league import planning, services
from league.planning import USUAL, sizes_at
from matches.errors import BadInput
from rules.desk.formats import pods
from rules.desk.tiebreaks import TIEBREAKS, OpponentsMatchWin
from tests.api.client import Api, problem
from tests.league import desks


@pytest.mark.parametrize(
    ("stages", "where", "says"),
    [
        ([{"format": "swiss", "rounds": 31}], "[0].rounds", "from 0 to 30"),
        ([{"format": "swiss", "best_of": 10**30}], "[0].best_of", "from 1 to 9"),
        ([{"format": "swiss", "legs": 2}], "[0].legs", "no `legs`"),
        ([{"format": "pods", "sizes": [7]}], "[0].sizes", "of 3, 4, 5, 6"),
        ([{"format": "pods", "table_points": [1] * 7}], "[0].table_points", "at most 6"),
        ([{"format": "multi-round-robin"}], "[0].sizes", "one of 3, 4, 5, 6"),
        ([{"format": "swiss", "seeding": "luck"}], "[0].seeding", "luck"),
        ([{"format": "swiss", "cut": 4}], "[0].cut", "before the first"),
        ([{"format": "swiss", "players": [1, 2]}], "[0].players", "as the stage starts"),
        ([{"format": "swiss", "type": "stage-started"}], "[0].type", "as the stage starts"),
        ([desks.SWISS, {"format": "double-elimination", "cut": 1}], "[1].cut", "2 to 64"),
        ([desks.SWISS, {"format": "double-elimination", "cut": 65}], "[1].cut", "2 to 64"),
        ([desks.SWISS, {"format": "pod-elimination", "cut": 8}], "[1].cut", "4, 7, 10"),
        (
            [{"format": "single-elimination"}, {"format": "swiss", "cut": 4}],
            "[1].cut",
            "not cut",
        ),
    ],
)
def test_a_stage_that_could_not_start_is_not_planned(
    stages: list[dict[str, object]], where: str, says: str
) -> None:
    with pytest.raises(BadInput, match=says) as refused:
        planning.plans_of(stages, None)
    assert refused.value.errors[0]["where"] == f"$.stages{where}"


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_tables_are_as_small_as_it_takes_for_everybody_to_sit(seats: int) -> None:
    for players in range(6, 40):
        assert sum(pods.sizes_for(players, sizes_at("pods", seats))) == players


def test_where_tables_are_not_filled_a_larger_one_or_byes_may_be_preferred() -> None:
    larger = sizes_at("pods", 4, "larger")
    drawn = [pods.sizes_for(players, larger) for players in (5, 9, 14, 17)]
    assert drawn == [(5,), (5, 4), (4, 4, 3, 3), (5, 4, 4, 4)]
    assert pods.sizes_for(9, sizes_at("pods", 4)) == (3, 3, 3)
    assert pods.sizes_for(9, sizes_at("pods", 4, "byes")) == (4, 4)
    assert sizes_at("pods", 6, "larger") == sizes_at("pods", 6)


def test_tables_of_more_are_usually_told_apart_without_a_floor_above_their_average() -> None:
    usual = [TIEBREAKS[code] for code in USUAL["pods"]]
    assert [each.floor for each in usual if isinstance(each, OpponentsMatchWin)] == [0]


@pytest.mark.django_db
def test_of_a_change_that_is_refused_no_part_stays() -> None:
    cup = desks.tournament()
    before = [plan.settings for plan in cup.plans.all()]
    change = {"stages": [{"format": "round-robin"}], "timezone": "Mars/Olympus"}
    problem(
        Api(desks.organiser(cup)).patch(f"tournaments/{cup.code}/", change), 400, "bad-timezone"
    )
    assert [plan.settings for plan in cup.plans.all()] == before


@pytest.mark.django_db
def test_only_settings_are_opened_with_and_edited() -> None:
    cup = desks.tournament()
    by = desks.organiser(cup)
    with pytest.raises(TypeError, match="no editable code, opener"):
        services.edit_tournament(by=by, tournament=cup, code="MINE", opener=None)
    with pytest.raises(TypeError, match="colour"):
        services.open_tournament(by=by, title="Cup", colour="red")


@pytest.mark.django_db
@pytest.mark.sqlite
@pytest.mark.parametrize(
    "setting",
    [{"visibility": "nobody"}, {"decks": "some"}, {"shared_prizes": "luck"}, {"remind_hours": -1}],
    ids=lambda setting: next(iter(setting)),
)
def test_an_unknown_setting_is_refused_when_opening_as_when_editing(
    setting: dict[str, Any],
) -> None:
    cup = desks.tournament()
    with pytest.raises(BadInput) as opening:
        desks.tournament(**setting)
    with pytest.raises(BadInput) as editing:
        services.edit_tournament(by=desks.organiser(cup), tournament=cup, **setting)
    assert opening.value.errors == editing.value.errors
