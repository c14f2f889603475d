"""Search: visible things are found by name or code, and hidden ones are not."""

from typing import Any

import pytest
from django.test import Client

from characters import cards
from characters import services as characters
from league import search, services
from matches import services as matches
from matches.actors import NOBODY
from matches.services import SeatRequest
from tests import factories
from tests.api.client import Api
from tests.league import desks

pytestmark = pytest.mark.django_db

FACE: dict[str, Any] = {"slot": "Claw", "a": "R+ G B", "b": "G# Bo R"}


@pytest.fixture
def world() -> Any:
    """Everything called Zephyr twice: once for all to see, once for its owner alone."""
    by = factories.actor()
    for name, shown in (("Zephyr open", True), ("Zephyr closed", False)):
        seen = "public" if shown else "entrants"
        desks.tournament(by, title=f"{name} cup", visibility=seen)
        factories.match(
            by, "score", title=f"{name} duel", visibility="public" if shown else "table"
        )
        hero = characters.create(by=by, name=f"{name} hero")
        if not shown:
            characters.edit(by=by, character=hero, audience="owner")
        cards.add(by=by, game="zg", data={"name": f"{name} claw", **FACE}, shared=shown)
    services.found_league(by=by, name="Zephyr open league")
    services.open_venue(by=by, name="Zephyr open hall")
    return by


def names(who: Any, text: str, kind: str = "") -> list[str]:
    return [hit.name for hit in search.find(who, text, kind)]


def test_what_is_hidden_is_absent(world: Any) -> None:
    seen = ["cup", "league", "hero", "duel", "claw", "hall"]
    assert names(NOBODY, "zephyr") == [f"Zephyr open {what}" for what in seen]
    assert names(factories.actor(), "zephyr closed") == []
    closed = ["cup", "hero", "duel", "claw"]
    assert names(world, "closed zephyr") == [f"Zephyr closed {what}" for what in closed]


def test_a_visitor_finds_the_players_of_what_they_may_see() -> None:
    one, two = factories.actor(), factories.actor()
    for actor, name in ((one, "Quorra Vey"), (two, "Quorra Lund")):
        actor.player.name = name
        actor.player.save()
    for actor, seen in ((one, "public"), (two, "table")):
        seats = [SeatRequest(player=actor.player), SeatRequest(label="Side 2")]
        factories.match(actor, "score", seats, visibility=seen)
    assert names(NOBODY, "quorra") == ["Quorra Vey"]
    assert names(factories.actor(), "quorra") == ["Quorra Lund", "Quorra Vey"]


def test_a_code_finds_its_match_and_its_tournament() -> None:
    match, cup = factories.match(factories.actor(), "score"), desks.tournament()
    assert names(NOBODY, match.code.lower()) == [f"Match {match.code}"]
    assert names(NOBODY, cup.code.lower()) == [cup.title]


def test_a_name_that_begins_with_it_comes_first_and_case_is_folded() -> None:
    by = factories.actor()
    for name in ("An Émile hall", "Émile hall"):
        services.open_venue(by=by, name=name)
    assert names(NOBODY, "émile", "venue") == ["Émile hall", "An Émile hall"]


SPELLED = {"as one character": "Zo\u00eb", "as two": "Zoe\u0308"}


@pytest.mark.parametrize("kept", SPELLED)
def test_an_accent_is_found_however_it_is_spelled(client: Client, kept: str) -> None:
    matches.add_guest(by=(by := factories.actor()), name=SPELLED[kept])
    factories.match(by, title=f"{SPELLED[kept]} at home")
    for typed in SPELLED.values():
        assert names(by, typed) == ["Zo\u00eb", "Zo\u00eb at home"]
        assert "Zo\u00eb at home" in client.get("/matches/", {"q": typed}).content.decode()
        (found,) = Api(by).get("players/", name=typed).json()["results"]
        assert found["name"] == "Zo\u00eb"


def test_it_asks_little(world: Any, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(11):
        search.find(NOBODY, "zephyr")


def test_the_page_the_dialog_and_the_program_find_the_same(world: Any, client: Client) -> None:
    page = client.get("/search/", {"q": "zephyr"}).content.decode()
    part = client.get("/search/", {"q": "zephyr", "part": "1"}).content.decode()
    told = Api(None).get("search/", q="zephyr").json()["results"]
    assert len(told) == 6
    for hit in told:
        kinds = "matches" if hit["kind"] == "match" else f"{hit['kind']}s"
        assert Api(None).get(f"{kinds}/{hit['id']}/").status_code == 200
        path = hit["url"].removeprefix("http://testserver")
        assert hit["name"] in page
        assert f'href="{path}"' in part
    assert "<html" not in part
    assert "closed" not in page
    german = client.get("/search/", {"q": "zephyr"}, HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert f"von {world.player}" in german


@pytest.mark.parametrize("q", ["", "z", "\0\0\0", "%_%", "\\", "'" * 90, "ab " * 40])
def test_odd_texts_find_nothing_and_break_nothing(client: Client, q: str) -> None:
    assert client.get("/search/", {"q": q, "kind": "no such"}).status_code == 200


@pytest.mark.parametrize(
    "given", [{}, {"q": "z"}, {"q": "zz", "kind": "spell"}, {"q": "zz", "x": 1}]
)
def test_the_api_refuses_what_is_no_search(given: dict[str, Any]) -> None:
    assert Api(None).get("search/", **given).status_code == 400
