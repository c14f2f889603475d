"""The base of all endpoints: authentication, input and output."""

import copy
import re
from collections.abc import Callable
from functools import cache, cached_property, wraps
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec
from django.db import connection, transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.middleware.http import ConditionalGetMiddleware
from django.template.response import SimpleTemplateResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.decorators import decorator_from_middleware
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from matches import actors, canonical, once, policy
from matches.api import shapes
from matches.api.auth import actor_in
from matches.api.problems import problem_of
from matches.errors import BadInput, LengthRequired, Outdated
from matches.models import Key

Shape = TypeVar("Shape")
Row = TypeVar("Row", bound=Model)


@cache
def _names_of(shape: Any) -> frozenset[str]:
    """Return the encoded names of a shape's fields; cached, as it is slow."""
    return frozenset(each.encode_name for each in msgspec.structs.fields(shape))


@cache
def _numbers_of(shape: Any) -> frozenset[str]:
    """Return the integer fields of a shape; msgspec would accept `1e3` as text of one."""
    _, components = msgspec.json.schema_components([shape])
    kinds = {
        name: {each.get("type") for each in [field, *field.get("anyOf", [])]}
        for name, field in components[shape.__name__]["properties"].items()
    }
    return frozenset(name for name, types in kinds.items() if "integer" in types)


def _parameters_there_are(known: frozenset[str]) -> str:
    there_are = f"only {', '.join(sorted(known))}" if known else "nor any other"
    return f"There is no such parameter here, {there_are}."


class NoQuery(msgspec.Struct, forbid_unknown_fields=True):
    """No parameters."""


class Endpoint(APIView):
    """An endpoint for signed-in actors, the default."""

    of_results = False  # whether it answers nothing but results
    query_shape: type[msgspec.Struct] = NoQuery  # the parameters of its URL, when reading
    writes_by_query = False  # whether it takes them when writing, too
    paged = False  # whether it answers pages, by a cursor
    query: Any  # the parameters that were sent, as `query_shape`
    scope = ""  # the scope a key needs to write here; by default the floor
    gives_rights = False  # whether what is read here allows writing, so that reading needs it too
    of_anyone = False  # whether anonymous actors may write
    most_bytes = canonical.MAX_BYTES  # of the JSON it takes

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view, with ETags and 304s for reads."""
        return _with_reason(_conditional(super().as_view(**initkwargs)))

    @cached_property
    def actor(self) -> actors.Actor:
        """The actor of the request."""
        return actor_in(self.request)

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Answer a request; with `If-Match`, the check and the change are one transaction."""
        if request.method in SAFE_METHODS or "If-Match" not in request.headers:
            return super().dispatch(request, *args, **kwargs)
        outermost = not connection.in_atomic_block
        with transaction.atomic():
            if outermost and connection.vendor == "postgresql":
                connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
            return super().dispatch(request, *args, **kwargs)

    def get_renderers(self) -> Any:
        """Return the formats of the answer: files only for reads, else JSON."""
        reads = self.request is None or self.request.method in ("GET", "HEAD")
        if reads:
            return super().get_renderers()
        renderers: Any = api_settings.DEFAULT_RENDERER_CLASSES
        return [each() for each in renderers]

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        if request.method not in self.allowed_methods:
            self.http_method_not_allowed(request)
        super().initial(request, *args, **kwargs)
        scope = self.scope_for(request.method)
        if scope and isinstance(request.auth, Key):
            policy.require_scope(request.auth, scope)
        if request.method not in SAFE_METHODS:
            self._start_writing(request)
        elif self.of_results:
            policy.require_results(request)
        if request.method in ("GET", "HEAD"):
            self.query = self._query_as(self.query_shape)

    def scope_for(self, method: str) -> str:
        """Return the scope that a key needs for a method, "" for none."""
        if self.of_anyone or (method in SAFE_METHODS and not self.gives_rights):
            return ""
        return self.scope or self.__module__.partition(".")[0]

    def _start_writing(self, request: Any) -> None:
        """Check what every request that writes must have, before the handler."""
        if "Transfer-Encoding" in request.headers:
            raise LengthRequired
        self.query = self._query_as(self.query_shape if self.writes_by_query else NoQuery)
        if "If-Match" in request.headers:
            self._require_match(request.headers["If-Match"])

    def _require_match(self, header: str) -> None:
        """Require that `GET` of this address has the ETag that is asked for. Raises: Outdated.

        Where nothing can be read, nothing matches. A `W/`, which compression puts before an ETag,
        is ignored.
        """
        if not hasattr(self, "get"):
            raise Outdated(can_be_read=False)
        tag = self._tag()
        wanted = [each.removeprefix("W/") for each in parse_etags(header)]
        if tag is None or not (wanted == ["*"] or tag.removeprefix("W/") in wanted):
            raise Outdated()

    def _tag(self) -> str | None:
        """Return the present ETag of this address, None if it cannot be read."""
        request = copy.copy(self.request._request)
        request.method = "GET"
        named = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH", "HTTP_IF_UNMODIFIED_SINCE")
        request.META = {name: each for name, each in request.META.items() if name not in named}
        request.__dict__.pop("headers", None)  # cached from the original request
        answer = type(self).as_view(throttle_classes=())(request, *self.args, **self.kwargs)
        if isinstance(answer, SimpleTemplateResponse):
            answer = answer.render()
        tag: str | None = answer.headers.get("ETag") if answer.status_code < 400 else None
        return tag

    def body(self, shape: type[Shape]) -> Shape:
        """Return the body with exact types. Raises: BadInput."""
        sent: Shape = canonical.convert(self.request.data, shape)
        return sent

    def _query_as(self, shape: type[msgspec.Struct]) -> Any:
        """Return the parameters of the URL, each given at most once. Raises: BadInput."""
        known, numbers, own = _names_of(shape), _numbers_of(shape), dict[str, str]()
        read_elsewhere = {"format", "cursor"} if self.paged else {"format"}
        for name, values in self.request.query_params.lists():
            if len(values) > 1 and name in known | read_elsewhere:
                raise BadInput("duplicate-key", "A parameter is there twice.", f"$.{name}")
            if name in known:
                if name in numbers and not re.fullmatch(r"-?[0-9]*", values[0]):
                    raise BadInput("wrong-type", "Expected a whole number.", f"$.{name}")
                if "\0" in values[0]:  # PostgreSQL accepts none, not even in a query
                    raise BadInput("nul", "A text may not hold NUL.", f"$.{name}")
                own[name] = values[0]
            elif name not in read_elsewhere:
                useless = set() if len(self.get_renderers()) > 1 else {"format"}
                there_are = _parameters_there_are(known | read_elsewhere - useless)
                raise BadInput("unknown-field", there_are, f"$.{name[:40]}")
        return canonical.convert(own, shape, "$", strict=False)

    def page(
        self,
        rows: QuerySet[Row],
        to_row: Callable[[Row], Any],
        ahead: Callable[[list[Row]], None] | None = None,
    ) -> dict[str, Any]:
        """Return the page of a list that the URL's cursor names, each row converted by `to_row`.

        `ahead` prefetches what the rows need.
        """
        assert self.paged  # else its cursor is refused
        paginator: Any = api_settings.DEFAULT_PAGINATION_CLASS
        pages = paginator()
        found = list(pages.paginate_queryset(rows, self.request, self))
        if ahead:
            ahead(found)
        return {
            "results": [to_row(row) for row in found],
            "next": pages.get_next_link(),
            "previous": pages.get_previous_link(),
        }

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Accept", "Authorization", "Cookie", "X-Device", "X-Seat"])
        return response


class _Conditional(ConditionalGetMiddleware):
    """ETags and 304s for GET and HEAD alike, unless the view has answered one itself."""

    def process_response(self, request: Any, response: Any) -> Any:
        if response.status_code == HTTPStatus.NOT_MODIFIED:
            return response
        if request.method == "HEAD":
            request = copy.copy(request)
            request.method = "GET"
        return super().process_response(request, response)


_conditional: Any = decorator_from_middleware(_Conditional)


def _with_reason(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Add a problem body to Django's empty 412."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if isinstance(response, SimpleTemplateResponse):  # its ETag is set on rendering
            response.add_post_render_callback(_reasoned)
            return response
        return _reasoned(response)

    return wrapped


def _reasoned(response: HttpResponse) -> HttpResponse:
    if response.status_code == HTTPStatus.PRECONDITION_FAILED and not response.content:
        response.content = msgspec.json.encode(problem_of(Outdated()))
        response.headers["Content-Type"] = "application/problem+json"
    return response


class ZipRenderer(BaseRenderer):
    """Lets a zip file, which is answered as it is, through content negotiation."""

    media_type = "application/zip"
    format = "zip"


class TextRenderer(BaseRenderer):
    """Renders what is a text already."""

    media_type = "text/plain"
    format = "txt"
    charset: str | None = "utf-8"

    def render(self, data: Any, accepted_media_type: Any = None, context: Any = None) -> Any:
        return data


def making(sent: shapes.Making | shapes.MatchRequest | shapes.ActRequest) -> dict[str, Any]:
    """Return a request to create something, or to record it, as keyword arguments of a service."""
    fields = msgspec.structs.asdict(sent)
    return {"act_id": fields.pop("id"), **fields}


def changed_fields(sent: msgspec.Struct) -> dict[str, Any]:
    """Return the fields that a change sets, without those that stay as they are.

    Those that null clears are UNSET by default. Raises: BadInput, if none is set.
    """
    found = {
        each.name: value
        for each in msgspec.structs.fields(sent)
        if (value := getattr(sent, each.name)) is not each.default
    }
    if not found:
        raise BadInput("missing-field", "Say what changes.")
    return found


def made(what: Model | bool) -> int:
    """Return the status of a creation: 201 if it was created now, 200 if it existed."""
    now = what if isinstance(what, bool) else once.made_now(what)
    return 201 if now else 200


class OpenEndpoint(Endpoint):
    """An endpoint for anyone: its service or selector asks the policy."""

    permission_classes = [AllowAny]


SEAT = OpenApiParameter(
    "X-Seat",
    str,
    OpenApiParameter.HEADER,
    description="The signed token of a seat's link, for a program that sits there.",
)

DEVICE = OpenApiParameter(
    "X-Device",
    str,
    OpenApiParameter.HEADER,
    description="The signed name of this device, as becoming the scribe answered it.",
)

RECORDER = OpenApiParameter(
    "X-Recorder",
    str,
    OpenApiParameter.HEADER,
    description="The id of the player as whom it was written; 409 if it would count as another's.",
)

SENDER = [SEAT, DEVICE, RECORDER]


def parameters(shape: type[msgspec.Struct], paged: bool = False) -> list[OpenApiParameter]:
    """Return the parameters of a query shape, for the schema."""
    _, components = msgspec.json.schema_components([shape])
    schema = components[shape.__name__]
    fields = schema["properties"]
    if paged:
        fields["cursor"] = {"type": "string", "description": "where to go on, as `next` says"}
    needed = schema.get("required", ())
    return [
        OpenApiParameter(name, each, required=name in needed, description=each.pop("description"))
        for name, each in fields.items()
    ]
