"""Requests get an id, are counted by route, timed and, if configured, logged in one line.

Logged of a request are its route, status and time, and the id of the account; never a name, an
address or a path, which may hold the secret of a link.
"""

import logging
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from prometheus_client import Histogram

logger = logging.getLogger("zgxl.requests")
request_id: ContextVar[str] = ContextVar("request_id", default="")

TOOK = Histogram(
    "zgxl_request_seconds",
    "Requests by route, until the answer is begun.",
    ["route", "method", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
_ID = re.compile(r"[\w.-]{8,64}")
NOWHERE = "(nowhere)"
"""The route of requests that no route matches."""
_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


class Observed:
    """The outermost middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        token = request_id.set(_id_of(request))
        try:
            answer = self.get_response(request)
            answer["X-Request-ID"] = request_id.get()
            _tell(request, answer, time.perf_counter() - began)
            return answer
        finally:
            request_id.reset(token)


def _id_of(request: HttpRequest) -> str:
    """Return the id that our proxy gave a request, else a new one."""
    given = request.headers.get("X-Request-ID", "") if settings.PROXIES else ""
    return given if _ID.fullmatch(given) else uuid4().hex


def _tell(request: HttpRequest, answer: HttpResponse, seconds: float) -> None:
    route = _route_of(request)
    method = request.method if request.method in _METHODS else "other"
    TOOK.labels(route, method, answer.status_code).observe(seconds)
    if not logger.isEnabledFor(logging.INFO):
        return
    logger.info(
        "%s /%s %s",
        method,
        route,
        answer.status_code,
        extra={
            "route": f"/{route}",
            "method": method,
            "status": answer.status_code,
            "ms": round(seconds * 1000, 1),
            "user": _user_of(request),
        },
    )


def _route_of(request: HttpRequest) -> str:
    """Return the route that answered; probes have none and count by their path."""
    if match := request.resolver_match:
        return str(match.route)
    return str(getattr(request, "probe", NOWHERE))


def _user_of(request: HttpRequest) -> int | None:
    """Return the id of the account if the response needed it; never queries for it.

    An API key replaces the account of the session.
    """
    known: dict[str, Any] = request.__dict__
    for name in ("_cached_user", "user"):
        user = known.get(name)
        if hasattr(type(user), "pk"):  # not a lazy object yet to be loaded
            found: int | None = user.pk  # type: ignore[union-attr]
            return found
    return None
