"""What a phone gets in order to go on offline."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from matches.models import Match
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def sign_in(client: Client, match: Match) -> User:
    user = factories.opener_of(match).user
    assert isinstance(user, User)
    client.force_login(user)
    return user


def test_a_phone_is_given_what_it_goes_on_with(client: Client) -> None:
    match = factories.duel()
    sign_in(client, match)
    table = f"/matches/{match.code}/table/"
    pocket = client.get(table, {"part": "pocket"}).json()
    assert pocket["version"] == 1
    assert [side["seat"] for side in pocket["board"]["seats"]] == [1, 2]
    assert 'data-desk="pulse" data-seat="2"' in pocket["html"]
    assert ' idle"' not in pocket["html"]  # it is not known then which cards may attack
    assert len(pocket["foretold"]["ends"]) == 2
    again = client.get(table, {"part": "pocket", "ends": pocket["ends"]})
    assert "foretold" not in again.json()
    assert "no-store" in again["Cache-Control"]


def test_a_game_that_foretells_nothing_keeps_its_forms(client: Client) -> None:
    match = factories.match()
    sign_in(client, match)
    pocket = client.get(f"/matches/{match.code}/table/", {"part": "pocket"}).json()
    assert pocket["foretold"] == {}
    assert 'value="points-scored"' in pocket["html"]


def test_the_page_a_phone_keeps_names_nobody_and_no_board(client: Client) -> None:
    match = factories.duel()
    user = sign_in(client, match)
    shell = client.get(f"/matches/{match.code}/table/", {"part": "shell"}).content.decode()
    assert match.code in shell
    assert user.get_username() not in shell
    assert "Yow Ferrin" not in shell
    assert "Ridge Helm" not in shell


@pytest.mark.parametrize(("game", "script"), [("zg", "zg"), ("zerpang", "hex"), ("zx", "")])
def test_a_logger_names_the_script_of_its_game(client: Client, game: str, script: str) -> None:
    match = factories.match(game=game)
    sign_in(client, match)
    for part in ("", "shell"):
        page = client.get(f"/matches/{match.code}/table/", {"part": part} if part else {})
        named = re.findall(
            r'id="game-script" href="/static/js/logger-(\w+)\.js"', page.content.decode()
        )
        assert named == ([script] if script else [])


@pytest.mark.parametrize("part", ["pocket", "shell"])
def test_only_the_table_is_given_it(client: Client, part: str) -> None:
    answer = client.get(f"/matches/{factories.duel().code}/table/", {"part": part})
    assert answer.status_code == 403


def test_the_worker_keeps_every_file_of_the_logger(client: Client) -> None:
    answer = client.get("/logger-worker.js")
    assert answer["Content-Type"] == "text/javascript"
    assert "no-cache" in answer["Cache-Control"]
    scripts = Path(settings.BASE_DIR, "deploy/static/js").glob("logger*.js")
    names = [path.name for path in scripts]
    assert len(names) > 5
    assert all(f"js/{name}" in answer.content.decode() for name in names)


def test_a_phone_keeps_the_page_of_the_release_whose_files_it_keeps(client: Client) -> None:
    match = factories.duel()
    sign_in(client, match)
    asked = re.findall(
        r"\?part=shell&release=(\w+)", client.get("/logger-worker.js").content.decode()
    )
    assert len(asked) == 1
    for release, status in ((asked[0], 200), ("0123456789abcdef", 404)):
        query = {"part": "shell", "release": release}
        assert client.get(f"/matches/{match.code}/table/", query).status_code == status


def test_the_site_says_how_it_looks_as_an_app(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    told = answer.json()
    assert told["start_url"] == "/log/"
    assert told["icons"][0]["src"].endswith("mark.svg")
