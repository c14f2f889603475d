"""The page of a game's clauses, and the links to it from citations."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from matches import services
from matches.templatetags.clauses import cited, rulebook_url
from tests import factories
from tests.api.client import Api


@pytest.mark.parametrize("key", ["zg", "zx", "zerpang"])
def test_every_clause_stands_at_its_place(
    client: Client, db: None, key: str, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    chapters = Api().get(f"games/{key}/clauses/").json()["chapters"]
    with django_assert_max_num_queries(2):
        page = client.get(f"/rules/{key}/").content.decode()

    for clause in (each for chapter in chapters for each in chapter["clauses"]):
        address, anchor = clause["url"].split("#")
        assert address.endswith(f"/rules/{key}/")
        assert page.count(f'id="{anchor}"') == 1
        assert f">{clause['clause']}</a>" in page


def test_the_list_leads_to_each_game_that_has_rules(client: Client, db: None) -> None:
    page = client.get("/rules/").content.decode()

    assert re.findall(r'"who" href="/rules/(.+?)/"', page) == ["zg", "zx", "zerpang"]
    assert client.get("/rules/score/").status_code == 404
    assert Api().get("games/score/clauses/").json() == {"chapters": []}
    assert Api().get("games/xy/clauses/").status_code == 404


def test_a_page_the_reader_has_cached_is_not_sent_again(client: Client, db: None) -> None:
    tag = client.get("/rules/zg/").headers["ETag"]

    assert client.get("/rules/zg/", headers={"If-None-Match": tag}).status_code == 304


def test_a_citation_leads_to_its_words_and_lets_no_markup_out() -> None:
    link = '<a class="clause" href="/rules/zg/#ATK-7">ZG ATK-7</a>'

    assert cited("<b>Too far (ZG ATK-7)") == f"&lt;b&gt;Too far ({link})"
    assert cited("Nothing said & done") == "Nothing said &amp; done"
    assert rulebook_url("zx@1") == "/rules/zx/"
    assert rulebook_url("score@1") == ""


def test_what_a_test_came_to_leads_to_the_rules(client: Client, db: None) -> None:
    page = client.get("/games/zg/bench/?attack=R%2B+G+B&target=Ro+G+B").content.decode()

    assert 'href="/rules/zg/#DMG-4"' in page
    assert 'href="/rules/zg/#6.3.3"' in page


def test_a_match_leads_to_the_rules_of_its_game(client: Client, db: None) -> None:
    data = (Path(__file__).parent.parent / "golden" / "zg-duel.zgxl").read_bytes()
    duel = services.import_log(by=factories.actor(), data=data)

    assert 'href="/rules/zg/">Z-G</a>' in client.get(duel.get_absolute_url()).content.decode()
    other = client.get(factories.match().get_absolute_url()).content.decode()
    assert 'href="/rules/score/"' not in other
