"""The demo's season, played by bots through the services."""

import pytest

from deploy import season
from league import desks, services
from league.models import Circuit, Tournament, Venue
from tests import factories

pytestmark = pytest.mark.django_db


def test_three_qualifiers_lead_to_a_final_in_its_semi_finals_and_a_second_run_adds_nothing() -> (
    None
):
    people = [factories.actor(name) for name in ("organiser", "marshal", *"abcdef")]
    season.load(people)
    heads = {cup.title: cup.log.head_version for cup in Tournament.objects.select_related("log")}
    final = Tournament.objects.get(title="Dark Side Tournament")
    tables = desks.desk_of(final).rounds[0].tables
    assert sorted(table.status for table in tables) == ["open", "settled"]
    assert final.matches.count() == 1
    assert Tournament.objects.exclude(closed_at=None).count() == 3
    assert Venue.objects.count() == 4
    assert len(services.qualified(Circuit.objects.get())) == 4
    season.load(people)
    assert heads == {
        cup.title: cup.log.head_version for cup in Tournament.objects.select_related("log")
    }
