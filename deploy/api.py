"""What all endpoints of the API share: the one shape of errors, what goes in and what comes out.

The endpoints themselves belong to the floors below; `deploy/urls.py` joins them.
"""

from http import HTTPStatus
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    ValidationError,
)
from django.http import Http404, HttpRequest, HttpResponse
from django.views import defaults
from rest_framework import authentication, exceptions, pagination, parsers, renderers
from rest_framework.request import Request

from matches import canonical
from matches.errors import BadInput, Refused

# -- errors -----------------------------------------------------------------------------


class Problem(msgspec.Struct, kw_only=True):
    """Every answer of 400 and above (RFC 9457). `code` is permanent, `detail` for people.

    `clause` names the rule it rests on; `errors` each part that is wrong. A refusal may tell
    more: `head` and `missed` of a log that has moved on, `verdict` and `params` of an act.
    """

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    clause: str = ""
    errors: list[dict[str, str]] = []


def problem(
    status: int, code: str, detail: str, *, headers: dict[str, str] | None = None, **more: Any
) -> HttpResponse:
    """Return problem+json; `more` holds `clause`, `errors` and what else a refusal tells."""
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "clause": "",
        "errors": [],
        **more,
    }
    return HttpResponse(
        _encode(body), status=status, content_type="application/problem+json", headers=headers
    )


def on_error(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Turn any expected error of an endpoint into a problem; None leaves it to `handler500`."""
    match error:
        case Refused():
            return _of_refusal(error, context)
        case exceptions.APIException():
            return _of_framework(error)
        case Http404():
            return problem(404, "not-found", "There is nothing here.")
        case PermissionDenied():
            return problem(403, "permission-denied", "You may not do this.")
        case RequestDataTooBig():
            return problem(413, "too-large", "The request is too large.")
        case SuspiciousOperation() | BadRequest():
            return problem(400, "bad-request", "The request is malformed.")
    return None


def _of_refusal(error: Refused, context: dict[str, Any]) -> HttpResponse:
    request: Request = context["request"]
    if error.status == HTTPStatus.FORBIDDEN and not request.user.is_authenticated:
        sign_in = {"WWW-Authenticate": context["view"].get_authenticate_header(request)}
        return problem(401, "not-authenticated", error.detail, headers=sign_in)
    return problem(
        error.status,
        error.code,
        error.detail,
        clause=error.clause,
        errors=error.errors,
        **error.extra,
    )


def _of_framework(error: exceptions.APIException) -> HttpResponse:
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = f"{wait:.0f}"
    code = str(error.get_codes()).replace("_", "-")
    return problem(error.status_code, code, str(error.detail), headers=headers)


def unknown(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Answer a path under /api/ that leads nowhere."""
    return problem(404, "not-found", f"There is nothing at {request.path}.")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what fails before any endpoint: a strange host, a body beyond all limits."""
    if _asks_api(request):
        return problem(400, "bad-request", "The request is malformed.")
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer for a fault of ours."""
    if _asks_api(request):
        return problem(500, "server-error", "Something is wrong here, not with your request.")
    return defaults.server_error(request)


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None
) -> HttpResponse:
    """Answer one who gave too many wrong passwords."""
    detail = "Too many wrong passwords. Wait a quarter of an hour, then try again."
    if _asks_api(request):
        return problem(429, "locked-out", detail, headers={"Retry-After": "900"})
    return HttpResponse(detail, status=429, content_type="text/plain; charset=utf-8")


def _asks_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


# -- what goes in and out ---------------------------------------------------------------


def _encode(data: Any) -> bytes:
    return msgspec.json.encode(data, enc_hook=str)


class JSONParser(parsers.BaseParser):
    """Takes strict JSON only: see `matches.canonical.parse`."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        return canonical.parse(stream.read(canonical.MOST_BYTES + 1))


class JSONRenderer(renderers.BaseRenderer):
    """Writes plain data and msgspec structs."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, context: Any = None) -> bytes:
        return b"" if data is None else _encode(data)


class CursorPagination(pagination.CursorPagination):
    """Pages newest first, by an opaque cursor; a view's `ordering` must be of a fixed value."""

    page_size = 50

    def get_ordering(self, request: Any, queryset: Any, view: Any) -> tuple[str, ...]:
        return tuple(queryset.query.order_by or queryset.model._meta.ordering)

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> Any:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (exceptions.NotFound, ValueError, ValidationError):
            raise BadInput("bad-cursor", "This is no cursor of ours.", "$.cursor") from None


class SessionAuthentication(authentication.SessionAuthentication):
    """Asks every session for its CSRF token, also one that only holds a seat's link."""

    def authenticate(self, request: Request) -> Any:
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            self.enforce_csrf(request)
        return super().authenticate(request)
