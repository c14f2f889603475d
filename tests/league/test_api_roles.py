"""Who may do what by the API: every endpoint of leagues and desks, every role."""

import pytest

from tests import factories
from tests.api import killers
from tests.api.client import Api, problem
from tests.api.test_bad_input import counts
from tests.league import desks
from tests.league.api_rows import AT_DESK, FILES, ID, OF_LEAGUES, ROLES, ROUTES, Desk

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.mark.parametrize(("name", "method"), OF_LEAGUES)
def test_leagues_answer_each_role(name: str, method: str) -> None:
    desk = Desk()
    told = [desk.ask(role, name, method).status_code for role in ROLES]
    assert told == OF_LEAGUES[name, method]


@pytest.mark.parametrize("visibility", ["public", "entrants"])
def test_a_desk_answers_each_role(visibility: str) -> None:
    """One desk is asked everything: what is sent does not change what the next may."""
    desk = Desk(visibility)
    desk.begin()
    wanted = {key: statuses[visibility == "entrants"] for key, statuses in AT_DESK.items()}
    table = ("tournament-table-match", "post")
    told = {
        key: [desk.ask(role, *key).status_code for role in ROLES] for key in wanted if key != table
    }
    desks.paired(desk.tournament)
    number = desks.table_of(desk.tournament, 1)
    path = f"tournaments/{desk.tournament.code}/rounds/2/tables/{number}/match/"
    told[table] = [Api(desk.who(role)).post(path, {}).status_code for role in ROLES]
    assert told == wanted


@pytest.mark.parametrize("key", ROUTES, ids=" ".join)
def test_what_is_malformed_is_refused_and_writes_nothing(key: tuple[str, str]) -> None:
    path, valid = ROUTES[key]
    by = factories.actor()
    if path.startswith("tournaments/X/"):
        path = path.replace("X", desks.tournament(by).code, 1)
    api = Api(by)
    before = counts()
    for name, (data, status, code) in killers.of_json(valid).items():
        if not valid and name == "nothing in it":
            continue
        answer = api.post(path, data, method=key[1])
        problem(answer, status, code or answer.json()["code"])
    assert counts() == before


@pytest.mark.parametrize("key", FILES, ids=" ".join)
def test_a_file_that_is_none_is_refused_and_writes_nothing(key: tuple[str, str]) -> None:
    by = factories.actor()
    path = FILES[key].replace("X", desks.tournament(by).code)
    kinds = ["results", "published", "tournament", "trf"]
    api = Api(by)
    before = counts()
    for kind in kinds if key[0] == "tournaments-import" else ["entries", "results"]:
        asked = f"{path.partition('kind=')[0]}kind={kind}&dry_run=false&id={ID}"
        asked = asked.removesuffix(f"&id={ID}") if key[0] == "tournaments-import" else asked
        for name, (data, _, _) in killers.of_file().items():
            answer = api.post(asked, data, content_type="text/csv")
            told = problem(answer, answer.status_code, answer.json()["code"])
            assert answer.status_code == (413 if name == "10 MB" else 400), (kind, name, told)
    assert api.post(asked, {}).status_code in (400, 415)
    assert counts() == before
