"""Replanning the stages of a tournament on a page."""

from typing import Any

import pytest
from django.test import Client

from league.forms.stages import initial_of
from league.models import Tournament
from tests.factories import signed_in
from tests.html import text_of
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

SAID = {"format": "swiss", "rounds": "2", "best_of": "1", "cut": "0"}


def _posted(cup: Tournament, **said: str) -> Any:
    client = signed_in(desks.organiser(cup).user)
    return client.post(f"/tournaments/{cup.code}/stages/", {**SAID, **said})


def test_stages_are_planned_anew_until_the_first_begins() -> None:
    cup = desks.tournament()
    assert _posted(cup, cut="4").status_code == 302
    first, final = cup.plans.all()
    assert (first.settings["rounds"], final.settings["format"], final.cut) == (
        *(2, "single-elimination", 4),
    )
    desks.entered(cup, 2)
    desks.start(cup)

    refused = _posted(cup, rounds="5")

    assert refused.status_code == 400
    assert "The first stage has begun" in refused.content.decode()
    assert cup.plans.count() == 2


def test_groups_are_planned_for_a_round_robin_alone() -> None:
    cup = desks.tournament()
    assert _posted(cup, format="round-robin", groups="3", cut="6").status_code == 302
    first, final = cup.plans.all()
    assert (first.settings["groups"], final.cut) == (3, 6)
    assert initial_of([first, final])["groups"] == 3
    assert _posted(cup, groups="3").status_code == 302
    assert "groups" not in cup.plans.get().settings


@pytest.mark.parametrize(
    ("uneven", "sizes"), [("smaller", [4, 3]), ("larger", [4, 5, 3]), ("byes", [4])]
)
def test_what_happens_where_tables_are_not_filled_is_planned_and_kept(
    uneven: str, sizes: list[int]
) -> None:
    cup = desks.tournament()
    assert _posted(cup, format="pods", seats="4", uneven=uneven).status_code == 302
    assert cup.plans.get().settings["sizes"] == sizes
    page = signed_in(desks.organiser(cup).user).get(f"/tournaments/{cup.code}/stages/")
    assert f'<option value="{uneven}" selected>' in page.content.decode()


def test_sizes_that_a_program_set_are_kept_until_others_are_chosen() -> None:
    cup = desks.tournament(stages=[{"format": "pods", "sizes": [4, 5]}])
    page = signed_in(desks.organiser(cup).user).get(f"/tournaments/{cup.code}/stages/")
    assert "as it is set, tables of: 4, 5</option>" in page.content.decode()
    same = {"format": "pods", "seats": "4", "uneven": "as-set"}
    assert _posted(cup, **same).status_code == 302
    assert cup.plans.get().settings["sizes"] == [4, 5]
    assert _posted(cup, **same | {"seats": "3"}).status_code == 302
    assert cup.plans.get().settings["sizes"] == [3, 4]
    assert _posted(cup, **same).status_code == 400


def test_the_rules_say_how_a_stage_that_began_is_played() -> None:
    cup = desks.tournament()
    desks.entered(cup, 2)
    desks.start(cup, best_of=3, seed=7)
    page = text_of(Client().get(f"/tournaments/{cup.code}/rules/"))
    assert "best of 3" in page
    assert "Seed 7." in page


@pytest.mark.parametrize(
    ("said", "field"),
    [({"format": "single-elimination", "cut": "4"}, "cut"), ({"rounds": "31"}, "rounds")],
)
def test_stages_that_could_not_start_are_refused_at_their_field(
    said: dict[str, str], field: str
) -> None:
    cup = desks.tournament()
    refused = _posted(cup, **said)
    assert refused.context["form"].errors.get(field), refused.context["form"].errors
    assert cup.plans.count() == 1


def test_points_tie_breaks_and_a_match_for_third_place_are_planned_under_more() -> None:
    cup = desks.tournament()
    more = {"win": "2", "draw": "1", "loss": "0", "tiebreak_1": "bh", "tiebreak_2": "sb"}
    assert _posted(cup, cut="4", third_place="on", **more).status_code == 302
    first, final = cup.plans.all()
    assert [first.settings[name] for name in ("win", "bye", "tiebreaks")] == [2, 2, ["bh", "sb"]]
    assert final.settings["third_place"] is True
    client = signed_in(desks.organiser(cup).user)
    form = client.get(f"/tournaments/{cup.code}/stages/").context["form"]
    assert [fold.unfolds for fold in form.folds] == [True]
    assert [form[name].value() for name in ("win", "tiebreak_2", "third_place")] == [2, "sb", True]
    again = _posted(cup, format="single-elimination", tiebreak_1="bh")
    assert again.context["form"].errors["tiebreak_1"]
    assert _posted(cup).status_code == 302
    [plan] = cup.plans.all()
    assert not {"win", "bye", "third_place"} & set(plan.settings)
