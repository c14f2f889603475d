"""Parameters, paths and fields that are wrong: each refusal says what is wrong, and where."""

from base64 import b64encode
from typing import Any, get_args
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client

from characters import services as characters
from characters.api.shapes.books import Method
from characters.models import LedgerEntry
from tests import factories
from tests.api.client import ROOT, Api, by_opener, opening, problem
from tests.league import desks

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

COMPARE = {"attack": "R G B", "target": "R G B"}
ODDS = {"attack": "R G B", "deck": "R G B"}


def where(told: dict[str, Any]) -> list[str]:
    return [each["where"] for each in told["errors"]]


@pytest.mark.parametrize(
    "path",
    ["", "games/", "games/zg/", "matches/{code}/", "matches/{code}/luck/", "leagues/", "venues/"],
)
def test_a_parameter_that_nobody_reads_is_refused(path: str) -> None:
    asked = path.format(code=factories.match().code)
    told = problem(Api().get(asked, colour="red"), 400, "unknown-field")
    assert where(told) == ["$.colour"]
    assert Api().get(asked).status_code == 200


@pytest.mark.parametrize(
    ("path", "there_are"),
    [
        ("matches/{code}/events/", "after, format, happened, limit, told"),
        ("matches/", "cursor, place, player, ruleset, status, tournament"),
        ("matches/{code}/options/", "seat"),
    ],
)
def test_the_refusal_says_which_parameters_there_are(path: str, there_are: str) -> None:
    asked = path.format(code=factories.match().code)
    told = problem(Api().get(asked, colour="red"), 400, "unknown-field")
    assert told["detail"] == f"There is no such parameter here, only {there_are}. (at $.colour)"


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        ("matches/", "status", "Invalid enum value 'maybe'; it is one of ended, open"),
        ("tournaments/", "status", "Invalid enum value 'maybe'; it is one of ended, open"),
        ("matches/{code}/events/", "told", "Expected true or false"),
    ],
)
def test_the_refusal_says_which_values_there_are(path: str, name: str, expected: str) -> None:
    asked = path.format(code=factories.match().code)
    told = Api().get(asked, **{name: "maybe"}).json()
    assert told["detail"] == f"{expected}. (at $.{name})"


def test_the_refusal_of_a_number_says_its_limits_and_not_what_it_is_for() -> None:
    body = {"title": "Cup", "round_minutes": 9999}
    told = problem(Api(factories.user()).post("tournaments/", body), 400, "out-of-range")
    assert told["detail"] == "Expected `int` <= 1440. (at $.round_minutes)"


def test_a_parameter_that_nobody_reads_is_refused_before_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = f"matches/{factories.match().code}/verify/"
    monkeypatch.setattr("matches.verify.verify", lambda *args: pytest.fail("it was verified"))
    assert where(problem(Api().get(path, x="1"), 400, "unknown-field")) == ["$.x"]


def test_a_file_with_a_parameter_misspelt_is_not_kept() -> None:
    api = Api(factories.user())
    told = problem(
        api.post("tournaments/import/?kind=trf&dryrun=true", b"", content_type="text/plain"),
        400,
        "unknown-field",
    )
    assert where(told) == ["$.dryrun"]


def test_what_writes_by_its_body_takes_no_parameters() -> None:
    api = Api(factories.user())
    problem(api.post("matches/?preview=true", opening()), 400, "unknown-field")
    assert api.get("matches/").json()["results"] == []


NAMES = {"game", "kind", "league", "match", "method", "ruleset", "status", "tournament"}


def test_no_list_is_empty_for_a_filter_that_names_nothing() -> None:
    by = factories.actor()
    api, sheet, cup = Api(by), characters.create(by=by, name="Ada"), desks.tournament(by)
    needed = {"character": sheet.pk, "tournament": cup.code, "q": "Ada"}
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    asked = 0
    for path, verbs in schema["paths"].items():
        found = [
            each
            for each in verbs.get("get", {}).get("parameters", [])
            if each["in"] == "query" and each["name"] != "format" and "{" not in path
        ]
        also = {each["name"]: needed[each["name"]] for each in found if each.get("required")}
        for each in found:
            kind = str(each["schema"])
            if each["name"] in NAMES or "enum" in kind or "uuid" in kind:
                wrong = {each["name"]: uuid4() if "uuid" in kind else "nothing"}
                told = api.get(path.removeprefix(ROOT), **also | wrong)
                assert told.status_code == 400, (path, wrong)
                assert where(told.json()) == [f"$.{each['name']}"], path
                asked += 1
    assert asked > 30
    assert get_args(Method) == ("", *LedgerEntry.Method.values)


@pytest.mark.parametrize("path", ["games/", "feed/", "places/"])
def test_a_list_without_pages_has_no_cursor(path: str) -> None:
    told = problem(Api().get(path, cursor="x"), 400, "unknown-field")
    assert where(told) == ["$.cursor"]


def test_a_parameter_twice_is_refused() -> None:
    code = factories.match().code
    problem(Api().get(f"matches/{code}/events/?after=1&after=2"), 400, "duplicate-key")
    problem(Api().get("matches/?cursor=a&cursor="), 400, "duplicate-key")


@pytest.mark.parametrize("number", ["1e3", "1.0", "1E0", ""])
def test_a_number_is_whole_and_written_so(number: str) -> None:
    code = factories.match().code
    told = problem(Api().get(f"matches/{code}/state/?at={number}"), 400, "wrong-type")
    assert where(told) == ["$.at"]


def test_a_format_there_is_none_of_is_not_acceptable() -> None:
    code = factories.match().code
    problem(Api().get(f"matches/{code}/state/?format=xml"), 406, "not-acceptable")
    assert Api().get(f"matches/{code}/state/?format=json").status_code == 200


@pytest.mark.parametrize("method", ["delete", "trace", "query"])
def test_a_method_there_is_none_of_is_told_before_all_else(method: str) -> None:
    told = Api().client.generic(method.upper(), f"{ROOT}cards/?game=zg")
    problem(told, 405, "method-not-allowed")


def test_what_is_missing_is_not_called_none() -> None:
    by = factories.actor()
    slug = desks.league(by).slug
    told = problem(
        Api(by).post(f"leagues/{slug}/members/", {"role": "judge"}), 400, "missing-field"
    )
    assert where(told) == ["$.player"]
    told = problem(Api(by).post("cards/", {"game": "", "card": {}}), 400, "unknown-game")
    assert told["detail"].startswith("There is no game ''.")


@pytest.mark.parametrize("seat", [0, -1, 3, 9, 10**12])
def test_a_seat_that_is_none_is_the_same_to_options_as_to_an_act(seat: int) -> None:
    match = factories.match()
    problem(by_opener(match).get(f"matches/{match.code}/options/", seat=seat), 422, "wrong-seat")


@pytest.mark.parametrize("seat", ["0", "3", "9"])
def test_eyes_of_a_seat_that_is_none(seat: str) -> None:
    path = f"matches/{factories.match().code}/state/"
    problem(Api().get(path, **{"as": seat}), 404, "no-such-seat")


@pytest.mark.parametrize(
    ("tool", "sent", "field"),
    [
        ("zg/compare", {**COMPARE, "attack": "R G"}, "$.attack"),
        ("zg/compare", {**COMPARE, "target": "X Y Z"}, "$.target"),
        ("zg/compare", {"attack": "R G B"}, "$.target"),
        ("zg/compare", {**COMPARE, "colour": 1}, "$.colour"),
        ("zg/odds", {**ODDS, "attack": ""}, "$.attack"),
        ("zg/odds", {**ODDS, "deck": "R G B, R"}, "$.deck"),
        ("zg/odds", {**ODDS, "deck": {"cards": []}}, "$.deck"),
        ("zg/odds", {**ODDS, "without": ["A"]}, "$.without"),
        ("zg/best-end", {"card": "R G B", "deck": "R G B"}, "$.card"),
        ("zerpang/board", {"name": "none"}, "$.name"),
        ("zx/restrictions", {"day": "soon"}, "$.day"),
    ],
    ids=str,
)
def test_a_tool_says_which_field_is_wrong(tool: str, sent: Any, field: str) -> None:
    answer = Api().post(f"games/{tool}/", sent)
    assert answer.status_code == 400
    assert where(answer.json()) == [field]


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        ({"delay": -1}, "out-of-range", "$.delay"),
        ({"delay": 10**12}, "out-of-range", "$.delay"),
        ({"seats": [{}] * 9}, "bad-length", "$.seats"),
        ({"title": "x" * 999}, "bad-length", "$.title"),
        ({"ruleset": "z g"}, "bad-value", "$.ruleset"),
        ({"options": {"best_of": 0}}, "out-of-range", "$.options.best_of"),
        ({"delay": "1"}, "wrong-type", "$.delay"),
    ],
    ids=str,
)
def test_what_is_of_the_right_type_and_too_much_says_so(
    change: dict[str, Any], code: str, place: str
) -> None:
    told = problem(Api(factories.user()).post("matches/", opening(**change)), 400, code)
    assert where(told) == [place]


@pytest.mark.parametrize("cursor", ["%00", "A" * 3000, "AAAA", "eD0x", "x", "bz0x%00", "é"])
def test_a_cursor_that_is_none_is_not_the_first_page(cursor: str) -> None:
    factories.match()
    told = problem(Api().get(f"matches/?cursor={cursor}"), 400, "bad-cursor")
    assert where(told) == ["$.cursor"]


def test_a_cursor_with_a_nul_is_none_where_the_order_is_by_a_text() -> None:
    cursor = b64encode(urlencode({"p": "\0"}).encode()).decode()
    told = problem(Api(factories.user()).get("leagues/", cursor=cursor), 400, "bad-cursor")
    assert where(told) == ["$.cursor"]


def test_a_card_says_which_part_of_it_is_wrong() -> None:
    api = Api(factories.user())
    for face, part in (({}, "name"), ({"name": "A", "slot": "Helmet", "cost": -1}, "cost")):
        told = api.post("cards/", {"game": "zg", "card": face}).json()
        assert where(told) == [f"$.card.{part}"]
        assert told["detail"].count("(at ") == 1


def test_a_path_that_leads_nowhere_says_so_to_who_writes() -> None:
    client = Client(enforce_csrf_checks=True)
    for path in ("nothing/", "krewes/7/", "moves/x/"):
        told = client.post(ROOT + path, b"{}", content_type="application/json")
        problem(told, 404, "not-found")


def test_a_version_that_is_not_here_is_refused_with_a_reason() -> None:
    api = Api(**{"If-Match": '"another"'})
    for path in ("games/", f"matches/{factories.match().code}/state/"):
        problem(api.get(path), 412, "precondition-failed")


@pytest.mark.parametrize(
    "path", ["ratings/?game=%00", "ratings/revisions/?game=%00", "appearances/?match=%00"]
)
def test_a_parameter_with_nul_is_refused(path: str) -> None:
    problem(Api(factories.user()).get(path), 400, "nul")
