"""`If-Match` names the version to change: it is compared before anything is written, everywhere."""

from typing import Any

import pytest

from matches.models import Match
from tests import factories
from tests.api.client import Api, act, by_opener, problem
from tests.api.test_matrix import OF_CHARACTER, OPEN, Cast, Casting, Importing
from tests.characters import api_rows
from tests.league.api_rows import AT_DESK, OF_LEAGUES, Desk

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def writes(*tables: Any) -> list[tuple[str, str]]:
    return [key for table in tables for key in table if key[1] != "get"]


@pytest.fixture
def outdated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every caller name a version that nothing ever had."""
    begin = Api.__init__

    def naming(self: Api, *args: Any, **headers: str) -> None:
        begin(self, *args, **headers)
        self.client.defaults["HTTP_IF_MATCH"] = '"0"'

    monkeypatch.setattr(Api, "__init__", naming)


@pytest.mark.usefixtures("outdated")
@pytest.mark.parametrize(("name", "method"), writes(OPEN))
def test_of_a_match_and_of_people(name: str, method: str) -> None:
    cast = Importing() if name == "matches-import" else Cast()
    role = "player" if name in ("player", "scribe-renew") else "opener"
    assert cast.ask(role, name, method) == 412


@pytest.mark.usefixtures("outdated")
@pytest.mark.parametrize(("name", "method"), writes(OF_CHARACTER))
def test_of_characters(name: str, method: str) -> None:
    assert Casting().ask("opener", name, method) == 412


@pytest.mark.usefixtures("outdated")
@pytest.mark.parametrize(("name", "method"), writes(api_rows.BOOKS))
def test_of_books(name: str, method: str) -> None:
    cast = Casting()
    sent = api_rows.request(name, method, cast.character, cast.beside)
    problem(api_rows.send(Api(cast.opener), method, sent), 412, "precondition-failed")


@pytest.mark.usefixtures("outdated")
def test_of_leagues_and_desks() -> None:
    desk = Desk()
    desk.begin()
    told = {key: desk.ask("opener", *key).status_code for key in writes(OF_LEAGUES, AT_DESK)}
    assert told == dict.fromkeys(told, 412)


def test_what_it_names_is_changed_once() -> None:
    match = factories.match()
    api = by_opener(match)
    path = f"matches/{match.code}/cut/"
    read = {"if-match": api.get(path).headers["ETag"]}
    assert api.post(path, {"delay": 5}, method="patch", headers=read).status_code == 200
    told = api.post(path, {"delay": 9}, method="patch", headers=read)
    assert "read it again" in problem(told, 412, "precondition-failed")["detail"]
    told = api.post(f"matches/{match.code}/acts/", act(), headers=read)
    assert "send no `If-Match`" in problem(told, 412, "precondition-failed")["detail"]
    assert Match.objects.get(pk=match.pk).log.delay == 5


@pytest.mark.parametrize("named", ["*", '"0", {}', "W/{}"])
def test_it_may_name_several_or_any_and_a_packed_one(named: str) -> None:
    match = factories.match()
    api = by_opener(match)
    path = f"matches/{match.code}/cut/"
    headers = {"if-match": named.format(api.get(path).headers["ETag"])}
    assert api.post(path, {"delay": 5}, method="patch", headers=headers).status_code == 200


def test_nobody_is_asked_to_sign_in_first() -> None:
    match = factories.match()
    for path in ("players/", "matches/"):
        told = Api().post(path, {"name": "Ada"}, headers={"if-match": '"0"'})
        problem(told, 401, "not-authenticated")
    told = Api(factories.user()).post(f"matches/{match.code}/", {}, headers={"if-match": '"0"'})
    problem(told, 405, "method-not-allowed")
