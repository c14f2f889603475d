"""The API's root, its OpenAPI schema made from msgspec structs, and its docs page."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from inspect import cleandoc
from typing import Any, get_args

import msgspec
from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.urls import URLPattern, get_resolver
from django.utils.decorators import method_decorator
from django.utils.module_loading import import_string
from drf_spectacular.authentication import SessionScheme, TokenScheme
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.settings import api_settings

from deploy.described import describe, path_words
from league.api.messages import MESSAGES
from matches import keys
from matches.api.base import SEAT, Endpoint, OpenEndpoint
from matches.api.responses import player_response
from matches.api.shapes import PlayerResponse, Problem
from matches.models import Key

PREFIX = "/api/v1/"


class Root(msgspec.Struct):
    """Entry points: all addresses without parameters. And the rate limits.

    `you`: the player who asks, null without an account. `scopes`: where they may write; a key may
    write to fewer than its owner.

    `links`: the entry points by name. `limits`: how many requests in which time.
    """

    links: dict[str, str]
    limits: dict[str, str]
    you: PlayerResponse | None
    scopes: list[str]


class RootView(OpenEndpoint):
    @extend_schema(operation_id="root", tags=["api"], responses=Root)
    def get(self, request: Request) -> Response:
        """Say where to go on, and who you are."""
        links = {name: reverse(f"api:{name}", request=request) for name in _starts()}
        limits: Any = api_settings.DEFAULT_THROTTLE_RATES
        player, key = self.actor.player, request.auth
        you = player_response(player, request) if player else None
        scopes = key.scopes if isinstance(key, Key) else [*keys.SCOPES] if you else []
        return Response(Root(links, limits, you, scopes))


@cache
def _starts() -> tuple[str, ...]:
    """Return the names of the API's addresses without parameters, except the root itself."""
    _, api = get_resolver().namespace_dict["api"]
    patterns = (each for each in api.url_patterns if isinstance(each, URLPattern))
    names = (each.name for each in patterns if not each.pattern.converters)
    return tuple(name for name in names if name and name != "root")


REF = "#/components/schemas/{name}"
COMPONENTS: dict[str, dict[str, Any]] = {}
"""Every component of the schema by its name."""


@cache
def components_of(struct: type[msgspec.Struct]) -> Mapping[str, dict[str, Any]]:
    """Return the schemas of a struct and of all within it, by name.

    Raises: TypeError for a name that another struct has.
    """
    _, found = msgspec.json.schema_components([struct], ref_template=REF)
    for each in _structs_in(struct, {}):
        _finish(found[each.__name__], each)
    for name, schema in found.items():
        if COMPONENTS.setdefault(name, schema) != schema:
            raise TypeError(f"another struct of the API is called {name}: see {struct!r}")
    return found


def _structs_in(hint: Any, seen: dict[Any, None]) -> Iterable[type[msgspec.Struct]]:
    """Return the structs that a type hint names, and all within them."""
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        if hint in seen:
            return seen
        seen[hint] = None
        parts = tuple(each.type for each in msgspec.structs.fields(hint))
    else:
        parts = get_args(hint)
    for part in parts:
        _structs_in(part, seen)
    return seen


def _finish(schema: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    """Dedent the text of a schema, describe its fields, and say which an answer always names."""
    schema["description"] = cleandoc(schema.get("description", ""))
    for name, field in schema.get("properties", {}).items():
        describe(name, field, struct)
    config = struct.__struct_config__
    if not (config.forbid_unknown_fields or config.omit_defaults):
        fields: dict[str, dict[str, Any]] = schema["properties"]
        unset = (each for each in msgspec.structs.fields(struct) if each.default is msgspec.UNSET)
        absent = {each.encode_name for each in unset}
        schema["required"] = [name for name in fields if name not in absent]
        for field in fields.values():
            field.pop("default", None)


class StructExtension(OpenApiSerializerExtension):
    """Describes a struct, and every struct within it, as a component of its own."""

    target_class = msgspec.Struct
    match_subclasses = True

    def get_name(self, auto_schema: Any, direction: Any) -> str:
        name: str = self.target.__name__
        return name

    def get_identity(self, auto_schema: Any, direction: Any) -> str:
        components_of(self.target)
        return self.get_name(auto_schema, direction)

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        components = dict(components_of(self.target))
        schema: dict[str, Any] = components.pop(self.target.__name__)
        for name, part in components.items():
            auto_schema.registry.register_on_missing(
                ResolvedComponent(name, ResolvedComponent.SCHEMA, schema=part, object=name)
            )
        if auto_schema.method == "PATCH" and direction == "request":
            schema = schema | {"minProperties": 1}  # a change of nothing is refused
        return schema


class OurSessionScheme(SessionScheme):
    target_class = "deploy.api.SessionAuthentication"


class KeyScheme(TokenScheme):
    """Names the scope that a key needs for an operation."""

    target_class = "matches.api.auth.KeyAuthentication"
    priority = 1

    def get_security_requirement(self, auto_schema: Any) -> dict[str, list[str]]:
        view = auto_schema.view
        scope = view.scope_for(auto_schema.method) if isinstance(view, Endpoint) else ""
        return {self.name: [scope] if scope else []}


def _operations(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (operation for path in result["paths"].values() for operation in path.values())


def add_problems(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Add to every operation that its errors are a `Problem`."""
    result["components"]["schemas"] |= components_of(Problem)
    schema = {"$ref": REF.format(name=Problem.__name__)}
    refused = {
        "description": "Refused: `code` says why.",
        "content": {"application/problem+json": {"schema": schema}},
    }
    for operation in _operations(result):
        operation["responses"].setdefault("default", refused)
    return result


def add_bodies(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Say which bodies must be sent: all but those that may as well be empty objects."""
    components = result["components"]["schemas"]
    for operation in _operations(result):
        for media in operation.get("requestBody", {}).get("content", {}).values():
            schema = media["schema"]
            schema = components.get(schema.get("$ref", "").rpartition("/")[2], schema)
            needs_a_field = schema.get("required") or schema.get("minProperties")
            if needs_a_field or schema.get("type") != "object":
                operation["requestBody"]["required"] = True
    return result


def add_conditions(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Describe the ETags: what can be read may be unchanged, and be changed only if it is."""
    for path in result["paths"].values():
        for method, operation in path.items():
            if method == "get":
                operation["responses"]["304"] = {"description": "Unchanged: you have this ETag."}
                operation["responses"]["200"]["headers"] = {"ETag": {"schema": {"type": "string"}}}
                operation.setdefault("parameters", []).append(UNLESS)
            elif "get" in path:
                operation.setdefault("parameters", []).append(ONLY_IF)
    return result


UNLESS = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "the ETag you have: if it is still the same, the answer is 304",
}
ONLY_IF = {
    "in": "header",
    "name": "If-Match",
    "schema": {"type": "string"},
    "description": "the ETag you read here: if it is no longer the same, the answer is 412",
}


def add_formats(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Describe the parameter `format`, which every operation has that answers in several."""
    for operation in _operations(result):
        for each in operation.get("parameters", ()):
            if each["name"] == "format":
                each["description"] = "the form of the answer; else `Accept` decides"
    return result


def add_path_words(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Describe the parts of addresses."""
    for path, operations in result["paths"].items():
        kind = path.removeprefix(PREFIX).partition("/")[0]
        for operation in operations.values():
            for each in operation.get("parameters", ()):
                if each["in"] == "path" and not each.get("description"):
                    each["description"] = path_words(kind, each["name"])
    return result


def add_summaries(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Add a one-line summary to every operation, as lists show nothing else."""
    for operation in _operations(result):
        line = operation["description"].partition("\n")[0]
        operation["summary"] = re.split(r"[.;:] |[.]$", line)[0]
    return result


def add_streams(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Describe the streams for programs, which no view answers."""
    for name in settings.STREAM_SOURCES:
        path = re.sub(r"\(\?P<(\w+)>.*?\)", r"{\1}", import_string(name).path.pattern)
        if path.startswith(PREFIX):
            kind = path.removeprefix(PREFIX).partition("/")[0]
            result["paths"][path] = {"get": _stream(kind)}
    return result


def _stream(kind: str) -> dict[str, Any]:
    text = {"type": "string"}
    seen: dict[str, Any] = {
        "schema": {"type": "integer", "minimum": 0, "maximum": 10**9 - 1},
        "description": "the version of the last entry you have",
    }
    return {
        "operationId": f"{kind}_stream",
        "tags": [kind],
        "description": "Tell each entry once, as soon as it is there; 404 where the site has no "
        "streams. The `data` of an event is an entry as `events/` tells it, its `id` the version; "
        "that of the event `ended` is the problem for which there are no more.",
        "parameters": [
            {"in": "path", "name": "code", "required": True, "schema": text},
            {"in": "query", "name": "after"} | seen,
            {"in": "header", "name": "Last-Event-ID"} | seen,
            {"in": "header", "name": SEAT.name, "schema": text, "description": SEAT.description},
        ],
        "security": [{"tokenAuth": []}, {"cookieAuth": []}, {}],
        "responses": {
            "200": {"description": "", "content": {"text/event-stream": {"schema": text}}}
        },
    }


def add_webhooks(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """Describe the messages that the site sends, each by its kind."""
    result["webhooks"] = {kind: {"post": _message(shape)} for kind, shape in MESSAGES.items()}
    for shape in MESSAGES.values():
        result["components"]["schemas"] |= components_of(shape)
    return result


def _message(shape: type[msgspec.Struct]) -> dict[str, Any]:
    told = cleandoc(shape.__doc__ or "")
    schema = {"$ref": REF.format(name=shape.__name__)}
    return {
        "tags": ["webhooks"],
        "summary": told.rstrip("."),
        "description": told,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {"2XX": {"description": "It came. Anything else is sent again later."}},
    }


@method_decorator(csp_update({"style-src": [UNSAFE_INLINE]}), name="dispatch")
class DocsView(SpectacularSwaggerSplitView):
    """The documentation page. Its styles are inline, so its content policy allows them."""

    metadata_class = None  # no OPTIONS for a page
