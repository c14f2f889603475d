"""Seats in the API: their links, sitting down by one, and a match's officials."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from matches.models import Match
from tests import factories
from tests.api.client import Api, act, by_opener, problem

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def links(match: Match) -> list[Any]:
    told = by_opener(match).get(f"matches/{match.code}/seats/").json()
    return list(told["results"])


def test_a_program_sits_down_by_the_link_it_was_told() -> None:
    match = factories.match(seats=[factories.SeatRequest(), factories.SeatRequest()])
    one, two = links(match)
    assert (one["seat"], two["seat"]) == (1, 2)
    assert f"/j/{one['token']}/" in one["link"]
    guest = Api(x_seat=one["token"])
    assert guest.get(f"matches/{match.code}/").json()["may"]["record"] is True
    assert guest.post(f"matches/{match.code}/acts/", act()).status_code == 201
    problem(guest.get(f"matches/{match.code}/seats/"), 403, "not-allowed")


def test_a_link_is_renewed_and_the_old_one_opens_nothing() -> None:
    match = factories.match()
    old = links(match)[0]["token"]
    new = by_opener(match).post(f"matches/{match.code}/seats/1/renew/", {}).json()
    assert new == links(match)[0]
    problem(Api().get(f"seats/{old}/"), 404, "bad-link")
    assert Api().get(f"seats/{new['token']}/").json()["match"] == match.code


def test_who_has_no_account_sits_down_under_a_name_and_an_account_takes_the_seat() -> None:
    match = factories.match(seats=[factories.SeatRequest(), factories.SeatRequest()])
    token = links(match)[1]["token"]
    assert Api().post(f"seats/{token}/", {"name": " Cleo "}).json()["name"] == "Cleo"
    assert Api().post(f"seats/{token}/", {"name": "Dora"}).json()["name"] == "Cleo"
    ada = factories.actor("ada")
    told = Api(ada).post(f"seats/{token}/", {}).json()
    assert (told["player"], told["seat"], told["match"]) == (str(ada.player_id), 2, match.code)


def test_an_account_that_was_made_without_a_player_sits_down_as_one() -> None:
    match = factories.match(seats=[factories.SeatRequest(), factories.SeatRequest()])
    api = Api(User.objects.create_user("root"))
    told = api.post(f"seats/{links(match)[0]['token']}/", {"name": "Somebody"}).json()
    assert told["name"] == "root"
    assert api.post(f"matches/{match.code}/acts/", act()).status_code == 201


def test_an_official_is_named_listed_and_dismissed() -> None:
    match, ada = factories.match(), factories.actor("ada")
    api, path = by_opener(match), f"matches/{match.code}/officials/"
    body = {"player": str(ada.player_id)}
    assert api.post(path, body).json() == {**body, "name": ada.player.name}
    assert Api(ada).get(f"matches/{match.code}/").json()["may"]["rule"] is True
    assert [each["player"] for each in api.get(path).json()["results"]] == [body["player"]]
    assert api.post(f"{path}end/", body).json() == {"results": []}
    assert Api(ada).get(f"matches/{match.code}/").json()["may"]["rule"] is False
    problem(api.post(f"{path}end/", body), 404, "no-such-official")


def test_of_a_sanctioned_match_the_opener_neither_names_themself_nor_dismisses() -> None:
    match, ada = factories.match(sanctioned=True), factories.actor("ada")
    api, path = by_opener(match), f"matches/{match.code}/officials/"
    problem(api.post(path, {"player": str(match.opener_id)}), 403, "not-allowed")
    assert api.post(path, {"player": str(ada.player_id)}).status_code == 201
    problem(api.post(f"{path}end/", {"player": str(ada.player_id)}), 403, "officials-only")
    assert Api(ada).post(f"{path}end/", {"player": str(ada.player_id)}).status_code == 200
