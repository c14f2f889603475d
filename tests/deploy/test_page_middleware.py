"""A program, which sends no cookie, is answered as ever without the middleware for pages."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from tests import factories

JSON = "application/json"
ACT = json.dumps({"id": str(uuid4()), "act": factories.points()})


def sent(method: str, path: str, headers: dict[str, str], body: str) -> Any:
    cache.clear()  # the rate limits
    return Client(raise_request_exception=False).generic(method, path, body, JSON, headers=headers)


def told(answer: Any) -> tuple[int, dict[str, str], str, bytes]:
    headers = {name: each for name, each in answer.items() if name != "X-Request-ID"}
    return answer.status_code, headers, answer.cookies.output(), answer.content


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "matches/{code}/state/", ""),
        ("HEAD", "matches/{code}/state/", ""),
        ("OPTIONS", "matches/{code}/state/", ""),
        ("DELETE", "matches/{code}/state/", ""),
        ("GET", "matches/{code}/acts/", ""),
        ("POST", "matches/{code}/acts/", ACT),
        ("POST", "matches/{code}/acts/", "["),
        ("GET", "matches/NOWHERE/", ""),
        ("GET", "nowhere/", ""),
        ("GET", "matches", ""),
        ("GET", "docs/", ""),
        ("GET", "", ""),
        ("POST", "token/", '{"username": "ada", "password": "wrong"}'),
    ],
)
def test_it_is_answered_as_with_a_cookie(method: str, path: str, body: str) -> None:
    match = factories.played(1)
    user = factories.opener_of(match).user
    assert isinstance(user, User)
    path = f"/api/v1/{path.format(code=match.code)}"
    for sign_in in ("", f"Token {factories.key(user)}", "Token zgxl_wrong", "Basic b25lOnR3bw=="):
        headers = {"Authorization": sign_in} if sign_in else {}
        sent(method, path, headers, body)  # so that an act is recorded already
        with_cookie = sent(method, path, headers | {"Cookie": "theme=auto"}, body)
        without = sent(method, path, headers, body)
        assert told(without) == told(with_cookie)
        assert "Cookie" in without.headers["Vary"]
        assert hasattr(with_cookie.wsgi_request, "session")
        assert not hasattr(without.wsgi_request, "session")


@pytest.mark.sqlite
@pytest.mark.django_db
def test_a_page_always_has_a_session() -> None:
    assert hasattr(Client().get("/").wsgi_request, "session")


@pytest.mark.sqlite
@pytest.mark.django_db
def test_wrong_passwords_lock_out_a_program_that_sends_a_key_too() -> None:
    user = factories.user("ada")
    headers = {"Authorization": f"Token {factories.key(user)}"}
    body = '{"username": "ada", "password": "wrong"}'
    found = [sent("POST", "/api/v1/token/", headers, body).status_code for _ in range(11)]
    assert found == [400] * 9 + [429] * 2
