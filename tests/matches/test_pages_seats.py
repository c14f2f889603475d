"""Seats: QR codes and links, sitting down, officials."""

import re

import pytest
from django.test import Client

from matches import actors, services
from matches.models import Match, Player
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.fixture
def match() -> Match:
    return factories.match(title="Rim duel")


@pytest.fixture
def opener(match: Match) -> Client:
    return factories.client_of(factories.opener_of(match))


def link(match: Match, number: int = 1) -> str:
    return f"/j/{services.seat_link(match.seats.get(number=number))}/"


def url(match: Match, tail: str = "") -> str:
    return f"/matches/{match.code}/seats/{tail}"


# -- the opener's page --------------------------------------------------------------------------


def test_every_seat_has_its_link_and_qr(match: Match, opener: Client) -> None:
    page = opener.get(url(match)).content.decode()
    assert page.count('class="qr"') == 3  # two seats and the match
    match.seats.filter(number=1).update(player=factories.opener_of(match).player)
    page = opener.get(url(match)).content.decode()
    assert page.index(link(match, 2)) < page.index(link(match, 1)), "one's own comes last"


def test_after_the_end_nobody_is_asked_to_sit_down(match: Match, opener: Client) -> None:
    assert "Sit down" in opener.get(url(match)).content.decode()
    factories.record(match, {"type": "conceded", "seat": 2})
    page = opener.get(url(match)).content.decode()
    assert "The match is over." in page and "Sit down" not in page


def test_the_page_of_a_match_leads_its_opener_back_to_the_seats(
    match: Match, opener: Client, client: Client
) -> None:
    """A latecomer asks for the QR code when the match is already open."""
    client.post(link(match))
    assert f'href="{url(match)}"' in opener.get(match.get_absolute_url()).content.decode()
    assert url(match) not in client.get(match.get_absolute_url()).content.decode()


@pytest.mark.parametrize("who", ["nobody", "stranger", "seated"])
def test_only_who_manages_a_match_sees_its_links(match: Match, who: str) -> None:
    client = Client()
    if who == "stranger":
        client.force_login(factories.user())
    if who == "seated":
        client.post(link(match))
    assert client.get(url(match)).status_code == 403


def test_a_hidden_match_has_no_seats_page_for_others(client: Client) -> None:
    assert client.get(url(factories.match(visibility="table"))).status_code == 404


def test_a_replaced_link_opens_nothing_any_more(match: Match, opener: Client) -> None:
    before = link(match)
    opener.post(url(match, "1/renew/"))
    assert opener.get(before).status_code == 404
    assert opener.get(link(match)).status_code == 200


@pytest.mark.parametrize("number", ["0", "3", "9" * 30])
def test_there_is_no_link_to_a_seat_that_is_not_there(
    match: Match, opener: Client, number: str
) -> None:
    assert opener.post(url(match, f"{number}/renew/")).status_code == 404


def test_a_stranger_replaces_no_link(match: Match, client: Client) -> None:
    before = link(match)
    assert client.post(url(match, "1/renew/")).status_code == 403
    assert link(match) == before


def test_the_opener_names_an_official(match: Match, opener: Client) -> None:
    factories.user("judge")
    page = opener.post(url(match), {"username": "Judge"}, follow=True)
    assert "So does whoever opened the match." in page.content.decode()
    assert Match.objects.get(officials__name="judge") == match


@pytest.mark.parametrize("name", ["", "nobody-there", "a\0b"])
def test_an_official_must_have_an_account(match: Match, opener: Client, name: str) -> None:
    page = opener.post(url(match), {"username": name})
    assert page.status_code == 400
    assert "errorlist" in page.content.decode()


def test_nobody_names_themselves_official_of_a_sanctioned_match() -> None:
    by = factories.actor("selfish")
    match = factories.match(by, sanctioned=True)
    client = factories.signed_in(by.user)
    answer = client.post(url(match), {"username": "selfish"})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "Nobody may name themselves" in page
    assert "whoever opened it does not" in page and "So does whoever" not in page
    assert not Match.objects.filter(officials__name="selfish").exists()


# -- sitting down ---------------------------------------------------------------------------------


def test_a_link_shows_its_seat_and_asks_for_nothing_that_must_be_told(
    match: Match, client: Client
) -> None:
    page = client.get(link(match, 2)).content.decode()
    assert "Seat 2" in page
    asked = re.findall(r'<input (?!type="hidden")[^>]*>', page.partition("<main")[2])
    assert [("name=" in each, "required" in each) for each in asked] == [(True, False)]


def test_a_guest_sits_down_and_records_without_an_account(match: Match, client: Client) -> None:
    client.post(link(match, 2))
    assert client.get(f"/matches/{match.code}/acts/").status_code == 200


def test_sitting_down_leads_to_the_logger_while_the_match_is_open(
    match: Match, client: Client
) -> None:
    assert client.post(link(match, 2)).headers["Location"] == f"/matches/{match.code}/table/"
    factories.record(match, {"type": "game-won", "seat": 1})
    assert client.post(link(match, 2)).headers["Location"] == f"/matches/{match.code}/"


def test_looking_at_a_link_seats_nobody(match: Match, client: Client) -> None:
    client.get(link(match))
    assert client.get(f"/matches/{match.code}/acts/").status_code == 403


def test_one_signed_in_becomes_the_player_of_an_open_seat(match: Match, client: Client) -> None:
    user = factories.user("rim")
    client.force_login(user)
    client.post(link(match, 2))
    assert Match.objects.get(seats__player=actors.actor_for(user).player) == match


def test_a_link_lets_a_guest_into_a_hidden_match(client: Client) -> None:
    match = factories.match(visibility="table")
    client.post(link(match))
    assert client.get(f"/matches/{match.code}/").status_code == 200


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("token", ["0:0", "ab:cd", ":", "%00:x", "x" * 500 + ":y"])
def test_a_forged_link_is_not_found(client: Client, method: str, token: str) -> None:
    assert getattr(client, method)(f"/j/{token}/").status_code == 404


# -- short codes ------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["{}", " {} ", "{}".lower()], ids=["plain", "spaces", "lower"])
def test_a_short_code_leads_to_its_match(match: Match, client: Client, typed: str) -> None:
    code = match.code[:3] + " " + match.code[3:].lower()
    answer = client.get("/j/", {"code": typed.format(code)})
    assert answer.headers["Location"] == f"/j/{match.code}/"


@pytest.mark.parametrize("code", ["ZZZZZZ", "a\0b", "%", "x" * 13])
def test_an_unknown_code_is_said_beside_the_field(client: Client, code: str) -> None:
    answer = client.get("/j/", {"code": code})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()


def test_a_code_alone_seats_nobody(match: Match, client: Client) -> None:
    page = client.get(f"/j/{match.code}/").content.decode()
    assert "for watching" in page
    assert client.post(f"/j/{match.code}/").status_code == 200
    assert client.get(f"/matches/{match.code}/acts/").status_code == 403


def test_someone_seated_goes_on_from_the_code(match: Match, client: Client) -> None:
    client.post(link(match, 2))
    assert "You" in client.get(f"/j/{match.code}/").content.decode()


@pytest.mark.parametrize("code", ["ZZZZZZ", "%00", "ſſſſſſ"])
def test_a_code_of_no_match_is_not_found(client: Client, code: str) -> None:
    assert client.get(f"/j/{code}/").status_code == 404


def test_who_sits_down_without_an_account_may_say_a_name(match: Match) -> None:
    first, second = Client(), Client()
    assert 'name="name"' in first.get(link(match)).content.decode()
    first.post(link(match), {"name": " Vega "})
    second.post(link(match), {"name": "Another"})
    first.post(link(match, 2))

    one, two = match.seats.select_related("player")
    assert one.player is not None
    assert (one.player.name, one.player.user) == ("Vega", None)
    assert one.player.invited_by == match.opener
    assert two.player is None
    assert "Vega" in Client().get(match.get_absolute_url()).content.decode()
    assert 'name="name"' not in second.get(link(match)).content.decode()


def test_an_invalid_name_seats_nobody(match: Match, client: Client) -> None:
    answer = client.post(link(match), {"name": "V\u202eega"})
    assert answer.status_code == 400
    assert match.seats.get(number=1).player is None


def test_an_account_sits_under_its_own_name(match: Match, client: Client) -> None:
    user = factories.user()
    client.force_login(user)
    assert 'name="name"' not in client.get(link(match)).content.decode()
    client.post(link(match), {"name": "Another"})
    assert match.seats.get(number=1).player == user.player


def test_who_sat_down_as_a_guest_is_led_to_the_logger(match: Match, client: Client) -> None:
    assert client.get("/log/").headers["Location"] == "/login/?next=/log/"
    client.post(link(match, 1), {"name": "Ferrin"})
    assert client.get("/log/").headers["Location"] == f"/matches/{match.code}/table/"
    assert f'href="/matches/{match.code}/table/"' in client.get("/").content.decode()


def test_who_sat_down_as_a_guest_takes_the_seat_along_to_a_new_account(
    match: Match, client: Client
) -> None:
    client.post(link(match, 2), {"name": "Anna"})
    said = {"name": "Anna", "username": "anna"}
    said |= dict.fromkeys(("password1", "password2"), factories.PASSWORD)
    assert client.post("/signup/", said)["Location"] == "/me/"
    for page in ("/me/", "/"):
        told = client.get(page).content.decode()
        assert f"Take seat 2 of {match.code} onto my account" in told
        assert f'action="{link(match, 2)}"' in told
    client.post(link(match, 2))

    assert match.seats.get(number=2).player == Player.objects.get(user__username="anna")
    assert "onto my account" not in client.get("/me/").content.decode()


def test_no_seat_is_offered_if_one_sits_already_or_it_is_taken(match: Match) -> None:
    client, user = Client(), factories.user()
    client.post(link(match, 1))
    client.post(link(match, 2))
    client.force_login(user)
    assert client.get("/me/").content.decode().count("onto my account") == 2
    client.post(link(match, 1))
    assert "onto my account" not in client.get("/me/").content.decode()
