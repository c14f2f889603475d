"""Every refusal under /api/ is problem+json, wherever it comes from."""

import errno
import sqlite3
from typing import Any

import psycopg
import pytest
from django.core.exceptions import BadRequest
from django.db import DatabaseError, InterfaceError, OperationalError
from django.test import Client
from rest_framework.throttling import AnonRateThrottle, ScopedRateThrottle

from matches import links, selectors
from matches.models import Match
from tests import factories
from tests.api.client import Api, act, by_opener, opening, problem
from tests.league import desks

ID = "00000000-0000-4000-8000-000000000001"
pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete"])
@pytest.mark.parametrize("path", ["/api/", "/api/v1/nothing/", "/api/v2/matches/", "/api/v1/games"])
def test_a_path_that_leads_nowhere_is_404(path: str, method: str) -> None:
    told = problem(getattr(Client(), method)(path), 404, "not-found")
    assert ("slash" in told["detail"]) == (not path.endswith("/"))


def test_a_method_not_offered_is_405() -> None:
    answer = Api().post("games/", {})
    problem(answer, 405, "method-not-allowed")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
    assert answer.json()["detail"].endswith(" It takes GET or HEAD or OPTIONS.")


@pytest.mark.parametrize("kind", ["matches", "tournaments"])
def test_a_site_without_streams_says_so_and_one_with_them_where(
    kind: str, match: Match, settings: Any
) -> None:
    code = match.code if kind == "matches" else desks.tournament().code
    told = problem(Api().get(f"{kind}/{code}/stream/"), 404, "no-streams")
    assert "read `events/`" in told["detail"]
    assert "stream" not in Api().get(f"{kind}/{code}/").json()["links"]
    settings.STREAMS = True
    link = Api().get(f"{kind}/{code}/").json()["links"]["stream"]
    assert link == f"http://testserver/api/v1/{kind}/{code}/stream/"
    problem(Api().get(f"{kind}/{code}/streams/"), 404, "not-found")


@pytest.mark.parametrize(
    ("method", "path", "body", "says"),
    [
        (
            "post",
            "matches/",
            {"ruleset": "go", "seats": [{}]},
            "only score, zerpang, zg, zx.",
        ),
        ("get", "games/go/", None, "'go', only desk@1, score@1, zerpang@1, zg@1, zx@1."),
        ("post", "games/zx/odds/", {}, "'odds', only blank-deck, restrictions, sample-decks."),
        ("post", "games/score/odds/", {}, " has no tools."),
    ],
)
def test_what_there_is_not_names_what_there_is(
    method: str, path: str, body: Any, says: str
) -> None:
    api = Api(factories.user())
    answer = api.get(path) if method == "get" else api.post(path, body)
    assert answer.status_code in (400, 404)
    assert says in answer.json()["detail"]


def test_a_body_that_is_not_json_by_its_type_is_415() -> None:
    answer = Api(factories.user()).post("matches/", b"a=1", content_type="text/csv")
    problem(answer, 415, "unsupported-media-type")
    assert answer.json()["detail"].endswith(" Send it as application/json.")
    answer = Api(factories.user()).post("matches/import/", {}, content_type="text/csv")
    assert answer.json()["detail"].endswith(" Send it as application/x-ndjson or text/plain.")


def test_an_answer_in_a_type_not_offered_is_406(match: Match) -> None:
    told = problem(
        Api().get(f"matches/{match.code}/", {"Accept": "image/png"}), 406, "not-acceptable"
    )
    assert told["detail"].endswith(" It answers as application/json.")
    told = problem(Api().get(f"matches/{match.code}/events/?format=pdf"), 406, "not-acceptable")
    types = "application/json or application/x-ndjson or text/plain"
    assert told["detail"].endswith(f" It answers as {types}.")


def test_a_file_is_for_reading_and_all_else_told_as_json(match: Match) -> None:
    asked = Api(factories.user()).post("export/", {}, headers={"Accept": "application/zip"})
    problem(asked, 406, "not-acceptable")
    for path in (f"matches/{match.code}/events/", "export/"):
        assert Api().post(path, method="options")["Content-Type"] == "application/json"
        told = Api().post(path, method="options", headers={"Accept": "text/plain"})
        problem(told, 406, "not-acceptable")


def test_one_not_signed_in_is_told_how_to() -> None:
    answer = Api().get("players/")
    problem(answer, 401, "not-authenticated")
    assert answer.headers["WWW-Authenticate"] == "Token"


def test_who_has_to_sign_in_is_told_so_in_the_same_words_everywhere(match: Match) -> None:
    nobody = Api()
    answers = [nobody.get("jobs/"), nobody.post("export/", {})]
    answers.append(nobody.post(f"matches/{match.code}/verify/", {}))
    assert {problem(answer, 401, "not-authenticated")["detail"] for answer in answers} == {
        "Sign in first."
    }


def test_a_service_that_wants_an_account_answers_401_too(match: Match) -> None:
    answer = Api().post(f"matches/{match.code}/acts/", act())
    problem(answer, 401, "not-authenticated")
    assert answer.headers["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("body", [b"{}", b"{", b"[]", b'{"ruleset": "score", "seats": 1}'])
@pytest.mark.parametrize("path", ["matches/", "characters/paste/", "leagues/", "tournaments/"])
def test_one_not_signed_in_is_told_so_before_what_they_sent_is_judged(
    path: str, body: bytes
) -> None:
    nobody = Api(authorization="Bearer nobody").post(path, body)
    told = problem(nobody, 401, "not-authenticated")
    assert "Authorization: Token" in told["detail"]
    assert nobody.headers["WWW-Authenticate"] == "Token"
    assert Api(factories.user()).post(path, body).status_code == 400


def test_what_anyone_may_ask_is_judged_for_anyone() -> None:
    problem(Api().post("games/zg/compare/", {}), 400, "missing-field")
    problem(Api().post("token/", {}), 400, "missing-field")


def test_one_with_the_link_of_a_seat_is_told_what_is_wrong(match: Match) -> None:
    token = links.seat_token(match.seats.all()[0])
    answer = Api(x_seat=token).post(f"matches/{match.code}/acts/", {})
    problem(answer, 400, "missing-field")


def test_one_with_the_link_of_a_seat_is_sent_to_sign_in_only_where_that_helps(match: Match) -> None:
    token = links.seat_token(match.seats.get(number=1))
    by_session = Api()
    by_session.client.post(f"/j/{token}/")
    for guest in (by_session, Api(x_seat=token)):
        back = guest.post(f"matches/{match.code}/take-back/", {"id": ID, "to": 2})
        problem(back, 403, "officials-only")
        problem(guest.post("matches/", opening()), 401, "not-authenticated")


def test_one_who_wants_no_results_is_not_sent_to_sign_in() -> None:
    reader = Api()
    reader.client.cookies["results"] = "off"
    problem(reader.get("feed/"), 403, "results-off")


def test_a_name_no_device_has_is_no_fault_of_ours(match: Match) -> None:
    paths = ["matches/", f"matches/{match.code}/acts/", f"matches/{match.code}/scribe/"]
    for path in paths:
        problem(Api(x_device="made-up").post(path, {}), 401, "not-authenticated")
    answer = by_opener(match).post(paths[1], act(), headers={"X-Device": "made-up"})
    problem(answer, 400, "bad-device")


def test_a_token_nobody_has_is_401() -> None:
    answer = Api(authorization="Token 0123456789").get("games/")
    problem(answer, 401, "authentication-failed")


def test_a_session_without_its_csrf_token_writes_nothing(match: Match) -> None:
    client = Client(enforce_csrf_checks=True)
    assert match.opener is not None
    assert match.opener.user is not None
    client.force_login(match.opener.user)
    path = f"/api/v1/matches/{match.code}/acts/"
    problem(client.post(path, act(), content_type="application/json"), 403, "permission-denied")


def test_a_seat_link_in_a_session_needs_the_csrf_token_too(match: Match) -> None:
    client = Client(enforce_csrf_checks=True)
    token = links.seat_token(match.seats.get(number=1))
    loose = Client()
    loose.post(f"/j/{token}/")
    client.cookies = loose.cookies
    path = f"/api/v1/matches/{match.code}/acts/"
    assert client.get(f"/api/v1/matches/{match.code}/").json()["may"]["record"] is True
    problem(client.post(path, act(), content_type="application/json"), 403, "permission-denied")


def test_a_body_beyond_the_limit_is_413() -> None:
    problem(Api(factories.user()).post("matches/", b" " * 70_000), 413, "too-large")


def test_a_body_in_chunks_is_411_and_not_taken_for_none() -> None:
    """A server gives no length of one, and without it Django reads nothing."""
    chunked = {"Transfer-Encoding": "chunked"}
    answer = Api(factories.user()).post("matches/", b"", headers=chunked)
    problem(answer, 411, "length-required")
    problem(Api().post("matches/", b"", headers=chunked), 401, "not-authenticated")


def test_a_wrong_part_is_named(match: Match) -> None:
    answer = by_opener(match).post(f"matches/{match.code}/acts/", act(id=7))
    told = problem(answer, 400, "wrong-type")
    assert [error["where"] for error in told["errors"]] == ["$.id"]


@pytest.mark.parametrize(
    ("path", "sent"),
    [("acts", act()), ("take-back", {"id": ID, "to": 1}), ("correct", act(act_id=ID))],
)
def test_a_version_sent_as_a_text_is_told_what_may_stand_there(
    match: Match, path: str, sent: dict[str, Any]
) -> None:
    answer = by_opener(match).post(f"matches/{match.code}/{path}/", {**sent, "after": "2"})
    (told,) = problem(answer, 400, "wrong-type")["errors"]
    assert told["where"] == "$.after"
    assert told["detail"] == "Expected the number of a version, or the id of an act (a UUID)."


def test_a_parameter_of_the_url_is_checked_like_a_body(match: Match) -> None:
    told = problem(Api().get(f"matches/{match.code}/events/", after="x"), 400, "wrong-type")
    assert told["errors"][0]["where"] == "$.after"


def test_an_unknown_parameter_is_an_error_not_noise() -> None:
    told = problem(Api().get("matches/", stauts="open"), 400, "unknown-field")
    assert told["errors"][0]["detail"].endswith(
        "only cursor, place, player, ruleset, status, tournament."
    )


def test_too_many_requests_are_429(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AnonRateThrottle, "rate", "2/min", raising=False)
    assert [Api().get("games/").status_code for _ in range(2)] == [200, 200]
    answer = Api().get("games/")
    problem(answer, 429, "throttled")
    assert 0 < int(answer.headers["Retry-After"]) <= 60


def test_who_asked_too_often_may_ask_again_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six a minute: all at once, then one in ten seconds."""
    now = [1_000_000.0]
    monkeypatch.setattr(AnonRateThrottle, "rate", "6/min", raising=False)
    monkeypatch.setattr(AnonRateThrottle, "timer", lambda _: now[0])

    def granted(times: int) -> int:
        return sum(Api().get("games/").status_code == 200 for _ in range(times))

    assert granted(7) == 6
    assert Api().get("games/").headers["Retry-After"] == "10"
    now[0] += 9
    assert granted(1) == 0
    now[0] += 1
    assert granted(2) == 1
    now[0] += 30
    assert granted(4) == 3
    now[0] += 3600
    assert granted(7) == 6


def test_a_clock_that_is_set_back_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr(AnonRateThrottle, "rate", "6/min", raising=False)
    monkeypatch.setattr(AnonRateThrottle, "timer", lambda _: now[0])
    assert Api().get("games/").status_code == 200
    now[0] -= 600
    assert [Api().get("games/").status_code for _ in range(7)] == [200] * 6 + [429]


def test_a_forged_forwarding_header_does_not_escape_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(AnonRateThrottle, "rate", "1/min", raising=False)
    assert Api(x_forwarded_for="10.0.0.1").get("games/").status_code == 200
    assert Api(x_forwarded_for="10.0.0.2").get("games/").status_code == 429


def test_deciding_whole_logs_again_is_limited_by_itself(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "heavy", "1/min")
    caller = by_opener(match)
    path = f"matches/{match.code}/verify/"
    assert [caller.get(path).status_code for _ in range(2)] == [200, 429]
    assert caller.get(f"matches/{match.code}/").status_code == 200


def test_a_strange_host_is_400() -> None:
    problem(Client().get("/api/v1/games/", headers={"host": "evil.example"}), 400, "bad-request")


def test_a_fault_of_ours_is_500_and_tells_nothing(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any) -> Any:
        raise RuntimeError("a secret")

    monkeypatch.setattr(selectors, "match_for", broken)
    answer = Api().get(f"matches/{match.code}/")
    problem(answer, 500, "server-error")
    assert "secret" not in answer.content.decode()


@pytest.mark.parametrize("fault", [OperationalError, InterfaceError])
def test_a_database_too_busy_or_away_is_503_and_says_when_to_come_back(
    match: Match, monkeypatch: pytest.MonkeyPatch, fault: type[Exception]
) -> None:
    def away(*args: Any, **options: Any) -> Any:
        raise fault("database is locked")

    monkeypatch.setattr(selectors, "match_for", away)
    answer = Api().get(f"matches/{match.code}/")
    problem(answer, 503, "busy")
    page = Client(raise_request_exception=False).get(f"/matches/{match.code}/")
    assert (page.status_code, "too busy" in page.content.decode()) == (503, True)
    assert answer.headers["Retry-After"] == page.headers["Retry-After"] == "2"


def _of_sqlite(code: int) -> Exception:
    fault = OperationalError()
    fault.__cause__ = sqlite3.OperationalError()
    fault.__cause__.sqlite_errorcode = code
    return fault


def _of_postgresql() -> Exception:
    fault = OperationalError()
    fault.__cause__ = psycopg.errors.DiskFull()
    return fault


@pytest.mark.parametrize(
    "fault",
    [
        _of_sqlite(sqlite3.SQLITE_FULL),
        _of_sqlite(sqlite3.SQLITE_READONLY_DBMOVED),
        _of_sqlite(sqlite3.SQLITE_IOERR_SHMSIZE),
        _of_postgresql(),
        OSError(errno.ENOSPC, "No space left on device"),
    ],
    ids=["SQLite", "closed", "new connection", "PostgreSQL", "files"],
)
def test_a_full_disk_is_told_as_one_and_logged(
    match: Match,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Exception,
) -> None:
    def full(*args: Any, **options: Any) -> Any:
        raise fault

    monkeypatch.setattr(selectors, "match_for", full)
    problem(Api().get(f"matches/{match.code}/"), 507, "no-room")
    page = Client(raise_request_exception=False).get(f"/matches/{match.code}/")
    assert (page.status_code, "no room left" in page.content.decode()) == (507, True)
    assert [each.levelname for each in caplog.records] == ["ERROR", "ERROR"]


@pytest.mark.parametrize("status", [400, 409, 500, 503])
def test_the_page_of_a_fault_has_the_look_its_reader_chose(
    match: Match, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    def broken(*args: Any) -> Any:
        faults = {400: BadRequest, 409: DatabaseError, 500: RuntimeError, 503: OperationalError}
        raise faults[status]

    monkeypatch.setattr(selectors, "match_for", broken)
    client = Client(raise_request_exception=False)
    client.cookies.load({"theme": "dark", "text": "largest", "django_language": "de"})
    page = client.get(f"/matches/{match.code}/")
    assert page.status_code == status
    assert '<html lang="de" data-theme="dark" data-text="largest">' in page.content.decode()
    client.cookies.load({"theme": "pink", "text": '"><script>', "django_language": "en"})
    assert '<html lang="en">' in client.get(f"/matches/{match.code}/").content.decode()
