"""Running a league through the API: venue, seasons with divisions, circuits, announcements."""

from typing import Any

import pytest
from django.test import Client

from league import services
from league.models import Circuit, Division, Season, Venue
from matches.errors import BadInput
from tests.api.client import Api, problem
from tests.league.api_rows import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def api(desk: Desk) -> Api:
    return Api(desk.opener)


def test_a_season_is_changed_as_its_page_changes_it(desk: Desk, api: Api) -> None:
    path = f"seasons/{desk.season.pk}/"
    told = api.patch(path, {"name": "Summer", "ends_on": "2026-07-01"}).json()
    assert (told["name"], told["starts_on"], told["ends_on"]) == (
        *("Summer", "2026-03-01"),
        "2026-07-01",
    )
    assert api.get(path).json() == told
    problem(api.patch(path, {"ends_on": "2026-01-01"}), 400, "bad-date")
    problem(api.patch(path, {}), 400, "missing-field")
    autumn = {"league": desk.league.slug, "name": "Autumn"}
    dates = {"starts_on": "2026-09-01", "ends_on": "2026-12-01"}
    other = api.post("seasons/", autumn | dates).json()
    problem(api.patch(f"seasons/{other['id']}/", {"name": "Summer"}), 409, "name-taken")


def test_a_season_that_was_read_is_changed_once(desk: Desk, api: Api) -> None:
    path = f"seasons/{desk.season.pk}/"
    read = {"if-match": api.get(path).headers["ETag"]}
    assert api.post(path, {"about": "One."}, method="patch", headers=read).status_code == 200
    told = api.post(path, {"about": "Two."}, method="patch", headers=read)
    problem(told, 412, "precondition-failed")
    assert Season.objects.get(pk=desk.season.pk).about == "One."


def test_divisions_are_added_changed_and_removed(desk: Desk, api: Api) -> None:
    path = f"seasons/{desk.season.pk}/divisions/"
    made = api.post(path, {"name": "Two", "level": 2, "up": 1}).json()
    assert (made["level"], made["up"], made["down"], made["table"]) == (2, 1, 0, [])
    known = api.get(f"seasons/{desk.season.pk}/").json()["divisions"]
    assert [each["id"] for each in known][1:] == [made["id"]]
    refused = problem(api.post(path, {"name": "Three", "level": 2}), 409, "level-taken")
    assert [each["where"] for each in refused["errors"]] == ["$.level"]
    one = f"divisions/{made['id']}/"
    assert api.patch(one, {"down": 2}).json() == api.get(one).json() == {**made, "down": 2}
    refused = problem(api.patch(one, {"name": "One"}), 409, "name-taken")
    assert [each["where"] for each in refused["errors"]] == ["$.name"]
    assert api.patch(one, {"removed": True}).status_code == 204
    problem(api.get(one), 404, "no-such-division")
    assert Division.objects.filter(season=desk.season).count() == 1


def test_a_circuit_is_changed_and_tells_how_it_counts(desk: Desk, api: Api) -> None:
    path = f"circuits/{desk.circuit.pk}/"
    changes: dict[str, Any] = {"points": [9, 4], "best": 2, "direct": 1, "pass_down": "ranking"}
    told = api.patch(path, changes).json()
    assert {name: told[name] for name in changes} == changes
    assert (told["name"], told["by_ranking"]) == ("Ring", 0)
    problem(api.patch(path, {"points": []}), 400, "bad-length")
    final = api.patch(path, {"final": desk.tournament.code}).json()["final"]
    assert final == desk.tournament.code
    assert api.patch(path, {"final": ""}).json()["final"] == ""


def test_a_circuit_keeps_all_or_nothing_of_a_change(desk: Desk, api: Api) -> None:
    path = f"circuits/{desk.circuit.pk}/"
    count = {"tournament": desk.tournament.code}
    assert api.post(f"{path}tournaments/", count).status_code == 201
    told = api.patch(path, {"name": "Belt", "final": desk.tournament.code})
    problem(told, 409, "is-a-qualifier")
    assert Circuit.objects.get(pk=desk.circuit.pk).name == "Ring"
    assert api.post(f"{path}tournaments/end/", count).json()["qualifiers"] == []
    problem(api.post(f"{path}tournaments/end/", count), 404, "no-such-qualifier")
    of_another = services.open_circuit(by=desk.opener, season=desk.season, name="Rim", points=[1])
    services.name_final(by=desk.opener, circuit=of_another, tournament=desk.tournament)
    told = api.patch(path, {"name": "Belt", "final": desk.tournament.code})
    problem(told, 409, "is-a-final")
    assert Circuit.objects.get(pk=desk.circuit.pk).name == "Ring"


def test_what_something_belongs_to_stays(desk: Desk, api: Api) -> None:
    gone = {"removed": True}
    for path in (f"seasons/{desk.season.pk}/", f"venues/{desk.venue.slug}/"):
        problem(api.patch(path, gone), 409, "in-use")
    assert api.patch(f"circuits/{desk.circuit.pk}/", gone).status_code == 204
    empty = services.open_venue(by=desk.opener, name="Cellar")
    problem(Api(desk.stranger).patch(f"venues/{empty.slug}/", gone), 403, "not-allowed")
    assert api.patch(f"venues/{empty.slug}/", gone).status_code == 204
    assert list(Venue.objects.all()) == [desk.venue]


def test_a_venue_tells_its_tables_and_house_rules(desk: Desk, api: Api) -> None:
    told = {"name": "Pit", "tables": 6, "house_rules": "Crates.\nNo dogs."}
    answer = api.post("venues/", told)
    assert answer.status_code == 201
    path = f"venues/{answer.json()['slug']}/"
    assert {name: Api().get(path).json()[name] for name in told} == told
    assert api.patch(path, {"house_rules": ""}).json()["tables"] == 6
    assert api.patch(path, {"tables": None}).json()["tables"] is None
    for wrong in (0, 4097):
        problem(api.patch(path, {"tables": wrong}), 400, "out-of-range")
    with pytest.raises(BadInput, match="from 1 to 4096"):
        services.edit_venue(by=desk.opener, venue=desk.venue, tables=0)


def test_a_league_moves_to_another_venue_or_to_none(desk: Desk, api: Api) -> None:
    path, cellar = f"leagues/{desk.league.slug}/", services.open_venue(by=desk.opener, name="Pit")
    assert api.patch(path, {"venue": cellar.slug}).json()["venue"] == "pit"
    assert api.patch(path, {"venue": ""}).json()["venue"] == ""
    problem(api.patch(path, {"venue": "nowhere"}), 400, "no-such-venue")


def test_a_program_switches_letters_off_and_asks_for_a_calendar(desk: Desk, api: Api) -> None:
    assert api.get("telling/").json() == {"letters": True, "calendar": ""}
    assert api.patch("telling/", {"letters": False}).json()["letters"] is False
    address = api.post("telling/calendar/", {}).json()["calendar"]
    path = f"/calendars/{address.rpartition('/calendars/')[2]}"
    assert Client().get(path).status_code == 200
    assert api.post("telling/calendar/", {}).json()["calendar"] != address
    assert Client().get(path).status_code == 404
    assert api.post("telling/calendar/end/", {}).json()["calendar"] == ""
