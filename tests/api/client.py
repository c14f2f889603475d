"""A client of the API for tests."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import msgspec
from django.contrib.auth.models import User
from django.test import Client

from matches.actors import Actor
from matches.models import Match
from tests import factories

ROOT = "/api/v1/"


class Api:
    """Sends requests below /api/v1/, with a user's token if there is one."""

    def __init__(self, who: User | Actor | None = None, **headers: str) -> None:
        self.client = Client(raise_request_exception=False, headers=headers)
        user = who.user if isinstance(who, Actor) else who
        if user is not None:
            self.client.defaults["HTTP_AUTHORIZATION"] = f"Token {factories.key(user)}"

    def get(self, path: str = "", /, headers: Any = None, **query: Any) -> Any:
        return self.client.get(ROOT + path, query, headers=headers)

    def post(self, path: str, data: Any = None, /, method: str = "post", **options: Any) -> Any:
        """Send plain data as JSON, bytes as they are."""
        raw = data if isinstance(data, bytes) else msgspec.json.encode(data)
        options.setdefault("content_type", "application/json")
        call: Callable[..., Any] = getattr(self.client, method)
        return call(ROOT + path, raw, **options)

    def patch(self, path: str, data: Any) -> Any:
        return self.post(path, data, method="patch")


def by_opener(match: Match) -> Api:
    return Api(factories.opener_of(match))


def act(**fields: Any) -> dict[str, Any]:
    """Return the body of a request to record points for seat 1."""
    return {"id": str(uuid4()), "act": factories.points(), **fields}


def opening(**fields: Any) -> dict[str, Any]:
    """Return the body of a request to open a match of two."""
    seats = [{"label": "Left", "name": "Ada"}, {"label": "Right", "name": "Ben"}]
    return {"ruleset": "score", "seats": seats, **fields}


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """Assert an answer's status, code and shape as a problem, and return the problem."""
    assert response.headers["Content-Type"] == "application/problem+json", response.content
    told: dict[str, Any] = response.json()
    assert {"type", "title", "status", "detail", "code", "clause", "errors"} <= told.keys()
    assert (response.status_code, told["status"], told["code"]) == (status, status, code), told
    assert told["detail"]
    return told
