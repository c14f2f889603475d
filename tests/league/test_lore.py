"""The places of the stories: every fact is shown, and each is linked from where it is played."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league import lore, services
from league.models import Venue
from matches import followers
from tests import factories
from tests.api.client import Api, problem
from tests.league import desks

FACTS = {
    "dark-side-station": [
        *("Lagrange point two", "nearly 3 million", "Mavryks", "Cartel", "syndicates", "Viceroy"),
        *("Gemini capsule", "mummers", "10 %", "only three times", "8 billion", "ZGXL"),
    ],
    "luna": [
        *("Second Cold War", "China", "United States", "Artifex", "malcontents", "Cartel"),
        *("Cestus Mercs", "trustees", "Grange", "Loonies", "EGS"),
    ],
    "earth": [
        *("third planet", "half of all people", "dinosaurs", "2090", "2 billion", "1 billion"),
        *("Millions of miles", "Zero Tolerance Laws", "first Grange War", "Armada"),
    ],
    "terminus": [
        *("T1 Space Gun", "20 million", "7 rings", "1000 m", "one of 2", "Iconnu", "7 battleships"),
        *("10,000", "2 squadrons", "magnetron", "Halfway", "gamma", "nanovirii", "5 days"),
        *("Vanguard", "500 miles", "1 mile", "Africa", "Orb and a Wheel"),
    ],
    "singapore": ["five of the points", "Zet X", "Zex", "Broccoli", "Nippon Ichi", "3 × 3"],
}


def shape(told: lore.Lore) -> list[object]:
    """Return what is told without its words: places, and how many facts, parts and paragraphs."""
    numbers = re.compile(r"\d+(?:[.,]\d+)?")
    return [
        (
            place.slug,
            place.game,
            [numbers.findall(which.replace(".", ",")) for _, which in place.facts],
            [len(section.paragraphs) for section in place.sections],
            [year for year, _ in place.dated],
        )
        for place in told.places
    ]


def test_german_tells_of_the_same_places_with_the_same_numbers() -> None:
    english, german = lore.lore_in("en"), lore.lore_in("de")
    assert shape(german) == shape(english)
    assert len(german.words) == len(english.words)
    assert not set(english.words.values()) & set(german.words.values())


@pytest.mark.django_db
def test_a_place_is_told_in_german_and_knows_its_venue_by_its_english_name(client: Client) -> None:
    services.open_venue(by=factories.actor(), name="Crater hall", region="Earth")
    page = client.get("/lore/earth/", headers={"accept-language": "de"}).content.decode()
    assert "Der dritte Planet" in page
    assert "Crater hall" in page


@pytest.mark.parametrize("slug", FACTS)
@pytest.mark.django_db
def test_a_place_is_told_with_its_facts(client: Client, slug: str) -> None:
    page = client.get(f"/lore/{slug}/").content.decode()
    assert [fact for fact in FACTS[slug] if fact not in page] == []


def test_every_place_is_told() -> None:
    assert {place.slug for place in lore.lore().places} == FACTS.keys()


@pytest.mark.django_db
def test_a_venue_is_where_its_name_or_its_region_says() -> None:
    by = factories.actor()
    for name, region, slug in (
        ("Dark Side Station", "", "dark-side-station"),
        ("Tycho hall", "Luna", "luna"),
        ("Town hall", "Leeds", None),
    ):
        place = lore.place_of(services.open_venue(by=by, name=name, region=region))
        assert (place.slug if place else None) == slug


@pytest.mark.django_db
def test_a_place_lists_what_was_played_there_to_those_who_may_see_it(client: Client) -> None:
    by = factories.actor()
    venue = services.open_venue(by=by, name="Tycho hall", region="Luna")
    desks.tournament(by, title="Rim open", venue=venue)
    desks.tournament(by, title="Closed circle", venue=venue, visibility="entrants")
    factories.match(by, "score", title="Duel in the dark", place="Luna, Tycho hall")
    factories.match(by, "score", title="Behind doors", place="Luna", visibility="table")
    page = client.get("/lore/luna/").content.decode()
    assert "Rim open" in page
    assert "Duel in the dark" in page
    assert "Tycho hall" in page
    assert "Closed circle" not in page
    assert "Behind doors" not in page
    assert Venue.objects.get().get_absolute_url() in page


@pytest.mark.django_db
def test_a_venue_tells_what_is_on_what_comes_and_what_was_played(client: Client) -> None:
    by = factories.actor()
    venue = services.open_venue(by=by, name="Tycho hall", region="Luna")
    url = venue.get_absolute_url()
    assert "Nothing yet." in client.get(url).content.decode()
    now = timezone.now()
    for title, days in (("Later", 9), ("Sooner", 2)):
        desks.tournament(by, title=title, venue=venue, starts_at=now + timedelta(days=days))
    on = desks.tournament(by, title="Rim open", venue=venue)
    desks.entered(on, 2)
    desks.start(on)
    desks.paired(on)
    old = desks.played_out(desks.tournament(by, title="Old cup", venue=venue), players=2, rounds=1)
    for cup in (on, old):
        followers.work(cup.pk)
    page = client.get(url).content.decode()
    heads = ["Under way", "Rim open", "Next", "Sooner", "Later", "Played here", "Old cup"]
    places = [page.index(f">{head}<") for head in heads]
    assert places == sorted(places)
    assert page.count("/wall/") == 1
    assert f"/tournaments/{on.code}/wall/" in page


@pytest.mark.django_db
def test_a_venue_leads_to_its_place_and_an_unknown_place_is_not_found(client: Client) -> None:
    venue = services.open_venue(by=factories.actor(), name="Terminus")
    assert "/lore/terminus/" in client.get(venue.get_absolute_url()).content.decode()
    assert client.get("/lore/atlantis/").status_code == 404


@pytest.mark.django_db
def test_the_api_tells_a_place_and_leads_to_it_from_what_is_played_there() -> None:
    by = factories.actor()
    hall = services.open_venue(by=by, name="Tycho hall", region="Luna")
    cup = desks.tournament(by, venue=hall)
    links = Api().get(f"tournaments/{cup.code}/").json()["links"]
    assert Api().get("venues/tycho-hall/").json()["place"] == links["place"]
    answer = Api().get("places/luna/")
    told = answer.json()
    assert links["place"] == told["url"]
    assert (told["venues"], told["tournaments"]) == (["tycho-hall"], [cup.code])
    assert {each["slug"] for each in Api().get("places/").json()["results"]} == {*FACTS}
    again = Api().get("places/luna/", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.django_db
def test_the_api_lists_the_matches_that_the_page_of_a_place_shows(client: Client) -> None:
    by = factories.actor()
    at_luna = factories.match(by, place="Tycho hall, LUNA").code
    hidden = factories.match(by, place="Luna", visibility="table").code
    factories.match(by, place="Terminus")
    page = client.get("/lore/luna/").content.decode()
    listed = [each["code"] for each in Api().get("matches/", place="luna").json()["results"]]
    assert listed == [at_luna]
    assert (at_luna in page, hidden in page) == (True, False)
    problem(Api().get("matches/", place="atlantis"), 400, "no-such-place")


@pytest.mark.django_db
def test_the_api_tells_every_fact_and_year() -> None:
    for slug, facts in FACTS.items():
        told = Api().get(f"places/{slug}/").content.decode()
        assert [fact for fact in facts if fact not in told] == []
    assert Api().get("places/earth/").json()["dated"][0]["year"] == "2090"
    assert Api().get("places/nowhere/").status_code == 404
