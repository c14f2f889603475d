"""The list of matches, its filters, a player's page, the shortcut to the logger."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from matches import followers
from matches.models import Match
from matches.services import SeatRequest
from tests import factories
from tests.html import squeezed

pytestmark = pytest.mark.django_db


def test_the_list_shows_what_one_may_see(client: Client) -> None:
    seen, hidden = factories.match(), factories.match(visibility="table")
    page = client.get("/matches/").content.decode()
    assert seen.code in page
    assert hidden.code not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=crater", True),
        ("q=nowhere", False),
        ("q=ezut", True),
        ("game=score", True),
        ("game=toy", False),
        ("status=open", True),
        ("status=ended", False),
        ("status=nonsense", True),
        ("q=%00", True),
        ("page=99", True),
        ("page=x", True),
    ],
)
def test_filters_narrow_the_list(client: Client, query: str, found: bool) -> None:
    match = factories.match(place="Crater hall", seats=[SeatRequest(name="Ezut"), SeatRequest()])
    answer = client.get(f"/matches/?{query}")
    assert answer.status_code == 200
    assert (match.code in answer.content.decode()) is found


@pytest.mark.parametrize(
    ("query", "open_"), [("", ""), ("?page=2", ""), ("?q=&game=", ""), ("?status=open", " open")]
)
def test_a_filter_is_folded_until_one_is_set(client: Client, query: str, open_: str) -> None:
    factories.match()
    page = squeezed(client.get(f"/matches/{query}"))
    assert f'<details class="panel fold"{open_}><summary>' in page


@pytest.mark.parametrize(("game", "shown"), [("zg", "Z-G · <bdi>Round 1"), ("score", ">Round 1")])
def test_a_line_names_its_game(client: Client, game: str, shown: str) -> None:
    factories.match(game=game, title="Round 1")
    assert shown in squeezed(client.get("/matches/"))


def test_a_code_finds_its_match(client: Client) -> None:
    match = factories.match()
    factories.match()
    page = client.get("/matches/", {"q": match.code.lower()}).content.decode()
    assert "1 match," in page


def test_a_list_tells_a_score_by_names_and_none_of_them_twice(client: Client) -> None:
    factories.match(seats=[SeatRequest(name="Ezut"), SeatRequest(name="Vala", label="Red")])
    page = client.get("/matches/").content.decode()
    assert "Ezut 0, Vala 0" in page
    assert (page.count("Ezut"), page.count("Vala")) == (1, 1)


def test_what_is_typed_is_isolated_from_what_stands_beside_it(client: Client) -> None:
    """Numbers beside a title that runs from right to left would run with it."""
    match = factories.match(title="\u05d2\u05de\u05e8 7", place="\u05d0\u05d5\u05dc\u05dd")
    title, place = f"<bdi>{match.title}</bdi>", f"· <bdi>{match.place}</bdi>"
    for path in ("/matches/", match.get_absolute_url()):
        page = squeezed(client.get(path))
        assert title in page
        assert place in page


def test_a_label_two_sides_share_names_nobody(client: Client) -> None:
    seats = [
        SeatRequest(name="Ezut", label="Red"),
        SeatRequest(label="Red table"),
        SeatRequest(name="Ida", label="Blue"),
        SeatRequest(name="Oda", label="Blue"),
    ]
    match = factories.match(seats=seats)
    match.seats.filter(number=4).update(label="Blue")  # as older matches have it
    assert Match.objects.get(pk=match.pk).named("Red 1, Red table 2, Blue 3, Blue 4") == (
        "Ezut 1, Red table 2, Blue 3, Blue 4"
    )
    assert "Ezut 0, Red table 0" in client.get("/matches/").content.decode()


def test_mine_are_those_one_opened_or_sits_at(client: Client) -> None:
    by = factories.actor()
    mine, other = factories.match(by), factories.match()
    client.force_login(by.user)
    page = client.get("/matches/?whose=mine").content.decode()
    assert mine.code in page
    assert other.code not in page


@pytest.mark.parametrize(("path", "most"), [("/matches/", 4), ("/api/v1/matches/", 3)])
def test_the_list_keeps_its_query_count(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries, path: str, most: int
) -> None:
    for held in (True, True, False, False, False):
        match = factories.match(seats=[SeatRequest(name="a"), SeatRequest(name="b")], held=held)
        factories.record(match)
        followers.work(match.pk)
    with django_assert_max_num_queries(most):
        client.get(path)


def test_a_long_list_has_pages(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.views.matches.PAGE", 1)
    factories.match(place="Hall")
    factories.match(place="Hall")
    page = client.get("/matches/?q=hall").content.decode()
    assert "?q=hall&amp;page=2" in page


def test_a_player_page_lists_only_what_one_may_see(client: Client) -> None:
    by = factories.actor()
    seats = [SeatRequest(player=by.player), SeatRequest()]
    seen, hidden = (
        factories.match(by, seats=seats),
        factories.match(by, seats=seats, visibility="table"),
    )
    assert by.player is not None
    page = client.get(by.player.get_absolute_url()).content.decode()
    assert seen.code in page
    assert hidden.code not in page


def test_a_player_who_is_not_there_is_not_found(client: Client) -> None:
    assert client.get("/players/00000000-0000-0000-0000-000000000000/").status_code == 404


def test_log_leads_to_the_match_one_sits_at(client: Client) -> None:
    by = factories.actor()
    match = factories.match(by, seats=[SeatRequest(player=by.player)])
    client.force_login(by.user)
    assert client.get("/log/").headers["Location"] == f"/matches/{match.code}/table/"


def test_log_leads_to_a_new_match_without_one(client: Client) -> None:
    client.force_login(factories.user())
    assert client.get("/log/").headers["Location"] == "/matches/new/"
