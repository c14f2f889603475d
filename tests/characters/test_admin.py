"""The admin of characters saves through the services, as the pages do."""

import pytest
from django.test import Client

from characters import campaigns
from characters.models import Campaign, CardSet
from matches import services
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return campaigns.create(by=factories.actor("ada"), name="Rim")


def saved(staff: Client, campaign: Campaign, **said: object) -> int:
    form = {"name": "Rim", "after_slag": "gone", "repair_price": "3", "officials": ""} | said
    return staff.post(f"/admin/characters/campaign/{campaign.pk}/change/", form).status_code


def test_what_a_campaign_decided_is_changed(staff: Client, campaign: Campaign) -> None:
    ben = factories.actor("ben").player
    assert ben is not None
    choice = Campaign.AfterSlag.values[-1]
    assert saved(staff, campaign, after_slag=choice, officials=str(ben.pk)) == 302
    campaign.refresh_from_db()
    assert (campaign.after_slag, campaign.repair_price) == (choice, 3)
    assert list(campaign.officials.all()) == [ben]


def test_what_the_service_refuses_changes_nothing(staff: Client, campaign: Campaign) -> None:
    guest = services.add_guest(by=factories.actor(), name="A guest")
    choice = Campaign.AfterSlag.values[-1]
    assert saved(staff, campaign, after_slag=choice, officials=str(guest.pk)) == 400
    campaign.refresh_from_db()
    assert campaign.repair_price != 3
    assert not campaign.officials.exists()


def test_a_set_of_the_site_is_made_and_changed(staff: Client) -> None:
    form = {"game": "zg", "name": "First wave", "about": "The first."}
    assert staff.post("/admin/characters/cardset/add/", form).status_code == 302
    kept = CardSet.objects.get(name="First wave")
    where = f"/admin/characters/cardset/{kept.pk}/change/"
    assert staff.post(where, {"name": "Wave one", "about": ""}).status_code == 302
    kept.refresh_from_db()
    assert (kept.name, kept.game, kept.owner) == ("Wave one", "zg", None)


def test_a_set_of_no_game_is_refused(staff: Client) -> None:
    answer = staff.post("/admin/characters/cardset/add/", {"game": "chess", "name": "x"})
    assert 400 <= answer.status_code < 500
    assert not CardSet.objects.exists()
