"""What all endpoints of the API share: the shape of errors, input and output.

The endpoints themselves belong to the floors below; `deploy/urls.py` joins them.
"""

import sys
from base64 import b64decode
from collections.abc import Iterable
from datetime import timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

import msgspec
from axes.helpers import get_cool_off
from django.conf import settings
from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    ValidationError,
)
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.dateparse import parse_datetime
from django.utils.module_loading import import_string
from django.utils.translation import gettext, ngettext
from django.views.decorators.csrf import csrf_exempt
from rest_framework import authentication, exceptions, negotiation, pagination, parsers, renderers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from matches import canonical, faults, links
from matches.api.problems import problem, problem_of
from matches.context import look
from matches.errors import BadInput, Busy, NotSignedIn, Outdated, Refused, ResultsOff

# -- errors -----------------------------------------------------------------------------


def answer(body: dict[str, Any], headers: dict[str, str] | None = None) -> HttpResponse:
    """Return a problem as problem+json."""
    return HttpResponse(
        _encode(body),
        status=body["status"],
        content_type="application/problem+json",
        headers=headers,
    )


def refuse(
    status: int, code: str, detail: str, headers: dict[str, str] | None = None
) -> HttpResponse:
    return answer(problem(status, code, detail), headers)


def on_error(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Turn any expected error of an endpoint into a problem; None leaves it to `handler500`.

    An anonymous client is asked to sign in before what it sent is judged.
    """
    match error:
        case BadInput() | Outdated() | exceptions.ParseError() if _writes_as_nobody(context):
            return _sign_in(context, gettext("Sign in first."))
        case Refused() if _takes_signing_in(error, context["request"]):
            return _sign_in(context, error.detail)
        case Refused():
            return answer(problem_of(error))
        case exceptions.NotAuthenticated():
            return _sign_in(context, gettext("Sign in first."))
        case exceptions.UnsupportedMediaType():
            way_out = gettext("Send it as {types}.").format(types=_taken(context))
            return _of_framework(error, way_out)
        case exceptions.NotAcceptable():
            types = [each.media_type for each in context["view"].get_renderers()]
            return _of_framework(error, gettext("It answers as {types}.").format(types=_or(types)))
        case exceptions.MethodNotAllowed():
            methods = context["view"].allowed_methods
            way_out = gettext("It takes {methods}.").format(methods=_or(methods))
            return _of_framework(error, way_out)
        case exceptions.APIException():
            return _of_framework(error)
        case Http404():
            return refuse(404, "not-found", "There is nothing here.")
        case PermissionDenied():
            return refuse(403, "permission-denied", "You may not do this.")
        case RequestDataTooBig():
            return refuse(413, "too-large", "The request is too large.")
        case SuspiciousOperation() | BadRequest():
            return refuse(400, "bad-request", "The request is malformed.")
    return None


def _takes_signing_in(error: Refused, request: Request) -> bool:
    """Tell whether an anonymous client is refused what an account may do."""
    if isinstance(error, NotSignedIn):
        return not request.user.is_authenticated
    by_rights = error.status == HTTPStatus.FORBIDDEN and not isinstance(error, ResultsOff)
    return by_rights and _is_nobody(request)


def _writes_as_nobody(context: dict[str, Any]) -> bool:
    """Tell whether an anonymous client writes where an actor is required."""
    request = context["request"]
    checked = not context["view"].of_anyone and request.method not in SAFE_METHODS
    return checked and _is_nobody(request)


def _is_nobody(request: Request) -> bool:
    """Tell whether a client is neither signed in nor holds a seat."""
    is_somebody = request.user.is_authenticated or "X-Seat" in request.headers
    return not is_somebody and not links.linked_seats(request)


def _sign_in(context: dict[str, Any], detail: str) -> HttpResponse:
    """Refuse an anonymous client; one that sent another scheme is told which one is read."""
    if "Authorization" in context["request"].headers:
        detail = gettext("Send the key as “Authorization: Token …”; no other scheme is read.")
    header = context["view"].get_authenticate_header(context["request"])
    return refuse(401, "not-authenticated", detail, {"WWW-Authenticate": header})


def _taken(context: dict[str, Any]) -> str:
    """Return the media types that an endpoint accepts."""
    return _or(parser.media_type for parser in context["request"].parsers)


def _or(words: Iterable[str]) -> str:
    """Return words as alternatives, each once."""
    return " {} ".format(gettext("or")).join(dict.fromkeys(words))


def _of_framework(error: exceptions.APIException, way_out: str = "") -> HttpResponse:
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = f"{wait:.0f}"
    code = str(error.get_codes()).replace("_", "-")
    detail = f"{error.detail} {way_out}".rstrip()
    return refuse(error.status_code, code, detail, headers)


@csrf_exempt  # writes nothing; answers with a problem
def unknown(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Answer 404 for a path under /api/ without a route, as streams are to this process."""
    if any(import_string(name).path.fullmatch(request.path) for name in settings.STREAM_SOURCES):
        poll = gettext("This site has no live streams: read `events/` again with `after`.")
        return refuse(404, "no-streams", poll)
    hint = "" if request.path.endswith("/") else " Addresses of the API end in a slash."
    return refuse(404, "not-found", f"There is nothing at this path.{hint}")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an error before any endpoint: an unknown host, a body beyond all limits."""
    if _asks_api(request):
        return refuse(400, "bad-request", "The request is malformed.")
    return _plain(request, 400)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a fault of ours, or one that is none: see `faults`."""
    refused = faults.refusal_of(sys.exc_info()[1])
    if refused is not None:
        return _for_now(request, refused)
    if _asks_api(request):
        return refuse(500, "server-error", "Something is wrong here, not with your request.")
    return _plain(request, 500)


def _for_now(request: HttpRequest, refused: Refused) -> HttpResponse:
    """Answer with Retry-After where that helps.

    What was sent may be done although the database is away: it was lost after it had committed.
    """
    headers = {"Retry-After": "2"} if isinstance(refused, Busy) else {}
    may_be_done = isinstance(refused, Busy) and request.method not in SAFE_METHODS
    if _asks_api(request):
        said = "What was sent may have been done." if may_be_done else "Nothing was changed."
        return refuse(refused.status, refused.code, f"{said} {refused}", headers)
    return _plain(request, refused.status, headers, may_be_done=may_be_done)


def _plain(
    request: HttpRequest, status: int, headers: dict[str, str] | None = None, **more: bool
) -> HttpResponse:
    """Return an error page, without a query, in the reader's look."""
    page = render_to_string(f"{status}.html", {**look(request), **more})
    return HttpResponse(page, status=status, headers=headers)


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None
) -> HttpResponse:
    """Answer a login with too many wrong passwords; named in `AXES_LOCKOUT_CALLABLE`."""
    wait = int((get_cool_off(request) or timedelta()).total_seconds())
    minutes = -(-wait // 60)
    detail = ngettext(
        "Too many wrong passwords. Wait {minutes} minute, then try again.",
        "Too many wrong passwords. Wait {minutes} minutes, then try again.",
        minutes,
    ).format(minutes=minutes)
    if _asks_api(request):
        return refuse(429, "locked-out", detail, {"Retry-After": str(wait)})
    return render(request, "refused.html", {"refused": Refused("locked-out", detail)}, status=429)


def _asks_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


# -- what goes in and out ---------------------------------------------------------------


def _encode(data: Any) -> bytes:
    return msgspec.json.encode(data, enc_hook=str)


class JSONParser(parsers.BaseParser):
    """Parses strict JSON only: see `matches.canonical.parse`."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        most: int = parser_context["view"].most_bytes
        return canonical.parse(stream.read(most + 1), most)


class Negotiation(negotiation.DefaultContentNegotiation):
    """Answers 406 for an unknown `format`, as for an `Accept`.

    Whoever takes anything, as most programs do, gets the first format: there is nothing to weigh.
    """

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        named = format_suffix or "format" in request.query_params
        if not named and request.headers.get("Accept", "*/*") == "*/*":
            return renderers[0], renderers[0].media_type
        return super().select_renderer(request, renderers, format_suffix)

    def filter_renderers(self, renderers: Any, wanted: str) -> Any:
        found = [renderer for renderer in renderers if renderer.format == wanted]
        if not found:
            raise exceptions.NotAcceptable(available_renderers=renderers)
        return found


class JSONRenderer(renderers.BaseRenderer):
    """Renders plain data and msgspec structs."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: Any = None, context: Any = None) -> bytes:
        return b"" if data is None else _encode(data)


class CursorPagination(pagination.CursorPagination):
    """Pages newest first, by an opaque cursor; a view must order by a value that never changes."""

    page_size = 50

    def get_ordering(self, request: Any, queryset: Any, view: Any) -> tuple[str, ...]:
        return tuple(queryset.query.order_by or queryset.model._meta.ordering)

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> Any:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (exceptions.NotFound, ValueError, OverflowError, ValidationError):
            raise BadInput("bad-cursor", "This is no cursor of ours.", "$.cursor") from None

    def decode_cursor(self, request: Any) -> Any:
        """Read a cursor. Times in it must be in UTC; engines disagree on other zones.

        Raises: ValueError for an invalid one: DRF would start at the first page.
        """
        if given := request.query_params.get(self.cursor_query_param):
            parts = parse_qs(b64decode(given, validate=True).decode("ascii"), strict_parsing=True)
            if not parts.keys() <= {"o", "p", "r"}:
                raise ValueError(given)
        cursor = super().decode_cursor(request)
        if cursor and cursor.position is not None:
            position = str(cursor.position)
            if "\0" in position:  # PostgreSQL raises an error for it
                raise ValueError(position)
            time = parse_datetime(position)
            if time is not None and time.utcoffset() != timedelta(0):
                raise ValueError(position)
        return cursor


class SessionAuthentication(authentication.SessionAuthentication):
    """Requires a CSRF token with every session, even one that only holds a seat link."""

    def authenticate(self, request: Request) -> Any:
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            self.enforce_csrf(request)
        return super().authenticate(request)
