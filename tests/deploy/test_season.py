"""The demo's season, played by bots through the services."""

import pytest
from django.test import Client

from deploy import season
from league import chronicle, desks, services
from league.models import Circuit, PlaceText, Tournament, Venue
from tests import factories

pytestmark = pytest.mark.django_db


def test_three_qualifiers_lead_to_a_final_in_its_semi_finals_and_a_second_run_adds_nothing(
    client: Client,
) -> None:
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
    texts = PlaceText.objects.order_by("when")
    assert [bool(each.when) for each in texts] == [False, True, True]
    page = client.get("/lore/luna/").content.decode()
    assert "A hall for Tycho" in page
    assert "March 2097" in page
    renamed = texts[0]
    chronicle.edit_text(by=people[0], of=renamed, version=renamed.version, title="Lamps")
    season.load(people)
    assert PlaceText.objects.count() == 3
    assert heads == {
        cup.title: cup.log.head_version for cup in Tournament.objects.select_related("log")
    }
