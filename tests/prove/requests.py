"""Generate requests to every endpoint and page, from the routes and the API's own schema.

Paths, bodies and parameters contain placeholders such as `{code}`, which are filled from each
database, so that both engines get the same requests.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote_plus

import msgspec
from django.urls import URLPattern, URLResolver, get_resolver
from drf_spectacular.generators import SchemaGenerator

import rules
from rules import bots
from rules.replay import Timeline
from tests.api import killers
from tests.api.test_bad_forms import BARE, FORM, PAGES
from tests.api.test_bad_forms import WRONG as WRONG_FORMS
from tests.api.test_bad_input import ROUTES, WRONG
from tests.prove.mutate import WORDS, Spoiler

JSON = "application/json"
FILES = ("application/x-ndjson", "text/plain")
MEDIA = (
    JSON,
    FORM,
    *FILES,
    "",
    "text/html",
    "application/json; charset=utf-16",
    "multipart/form-data",
)
METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace", "propfind")
CALLERS = ("opener",) * 8 + ("visitor", "stranger", "seat", "staff")
PARAMETERS = ("after", "as", "at", "cursor", "format", "game", "limit", "name", "next", "page")
HEADERS = ("Accept", "If-None-Match", "X-Seat", "X-Device", "HX-Request", "Content-Language")


@dataclass(frozen=True)
class Sent:
    """One request: the `name` of its route, how it is sent, and by which client."""

    name: str
    method: str
    path: bytes
    body: bytes = b""
    media: str = ""
    headers: tuple[tuple[str, bytes], ...] = ()
    by: str = "opener"

    def __str__(self) -> str:
        told = f"{self.method.upper()} {self.path[:120]!r} by {self.by}, {self.media}"
        return f"{self.name}: {told} {self.body[:400]!r} {self.headers!r}"


@dataclass
class Route:
    """A route, its methods, and the parts of valid requests to it."""

    name: str
    path: str
    api: bool
    methods: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    bodies: list[Any] = field(default_factory=list)
    forms: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    takes_files: bool = False

    @property
    def writes(self) -> bool:
        return not self.methods <= {"get"}


def routes() -> list[Route]:
    """Return every route except the admin's, with samples from the schema and the test tables."""
    found = {route.name: route for route in _walk(get_resolver().url_patterns)}
    schema = SchemaGenerator().get_schema(request=None, public=True)
    parts = schema["components"]["schemas"]
    by_path = {route.path: route for route in found.values()}
    for path, methods in schema["paths"].items():
        if path.endswith("/stream/"):
            continue  # served by another process
        route = by_path[path]
        for method, operation in methods.items():
            route.methods.add(method)
            route.parameters |= {
                each["name"] for each in operation.get("parameters", []) if each["in"] == "query"
            }
            content = operation.get("requestBody", {}).get("content", {})
            route.takes_files |= not content.keys().isdisjoint(FILES)
            if JSON in content:
                route.bodies += _samples(content[JSON]["schema"], parts)
    _add_tables(found)
    return sorted(found.values(), key=lambda route: route.name)


def _walk(patterns: list[Any], names: str = "", before: str = "/") -> Iterator[Route]:
    for each in patterns:
        path = before + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(each.pattern))
        if isinstance(each, URLResolver) and each.namespace != "admin":
            inner = f"{names}{each.namespace}:" if each.namespace else names
            yield from _walk(each.url_patterns, inner, path)
        elif isinstance(each, URLPattern) and each.name:
            yield Route(names + each.name, path, api=path.startswith("/api/"))


def _add_tables(found: dict[str, Route]) -> None:
    """Add the valid bodies and forms from the tables of bad input."""
    for (name, method), (path, body) in ROUTES.items():
        route = found[f"api:{name}"]
        route.bodies += [body] * 4
        route.methods.add(method)
        route.paths.append("/api/v1/" + path)
    for path, body, *_ in WRONG.values():
        for route in found.values():
            if "/api/v1/" + path in (route.path, *route.paths):
                route.bodies.append(body)
    for act in _acts():
        found["api:acts"].bodies.append({"id": "{act}", "act": act})
    for name, page in PAGES.items():
        found[name].forms.append(page.form)
        found[name].methods.add("post")
        found[name].paths.append(page.path)
    for name, changes, _ in WRONG_FORMS.values():
        found[name].forms.append({**PAGES[name].form, **changes})
    for name, path in BARE.items():
        found[name].methods.add("post")
        found[name].paths.append(path)


def duel() -> Timeline:
    """Return a complete card game, whose acts are valid samples."""
    ruleset = rules.get("zg")
    return bots.playout(ruleset, bots.sample_setup(ruleset, 1, seats=2), 1)


def _acts() -> list[Any]:
    ruleset = rules.get("score")
    scored = bots.playout(ruleset, bots.sample_setup(ruleset, 1, seats=2), 1)
    played = (*duel().entries[1:], *scored.entries[1:])
    return [msgspec.to_builtins(entry.act) for entry in played]


def _samples(schema: Any, parts: dict[str, Any]) -> list[Any]:
    """Return instances of a JSON schema: with the required fields only, and with all fields."""
    return [_sample(schema, parts, whole, 6) for whole in (False, True)]


def _sample(schema: Any, parts: dict[str, Any], whole: bool, depth: int) -> Any:
    if "$ref" in schema:
        return _sample(parts[schema["$ref"].rpartition("/")[2]], parts, whole, depth)
    for choice in ("anyOf", "oneOf", "allOf"):
        if choice in schema:
            return _sample(schema[choice][-1 if whole else 0], parts, whole, depth)
    for sure in ("const", "default"):
        if sure in schema:
            return schema[sure]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object" and depth:
        wanted = schema.get("properties", {})
        names = wanted if whole else schema.get("required", ())
        return {name: _sample(wanted[name], parts, whole, depth - 1) for name in names}
    if kind == "array" and depth:
        return [_sample(schema.get("items", {}), parts, whole, depth - 1)]
    if kind == "string" and schema.get("format") == "uuid":
        return "{act}"
    plain = {"string": "a", "integer": schema.get("minimum", 1), "boolean": True, "number": 1}
    return {**plain, "object": {}, "array": []}.get(str(kind))


class Source:
    """An endless stream of mutated requests, deterministic for a seed, mostly to writing routes.

    The first ones go to each route once.
    """

    def __init__(self, seed: int) -> None:
        self.routes = routes()
        self.turns = self.routes + 4 * [route for route in self.routes if route.writes]
        self.spoil = Spoiler(seed)
        self.pick = self.spoil.pick
        self.sent = 0

    def __iter__(self) -> Iterator[Sent]:
        while True:
            route = self.turns[self.sent % len(self.turns)]
            self.sent += 1
            yield self.request(route)

    def request(self, route: Route) -> Sent:
        method = self._method(route)
        path = self.pick.choice([route.path, *route.paths] if route.paths else [route.path])
        media, body = self._body(route, method)
        return Sent(
            route.name,
            method,
            self._path(path, route),
            body,
            media,
            self._headers(),
            self.pick.choice(CALLERS),
        )

    def _method(self, route: Route) -> str:
        if self.pick.random() < 0.05:
            return self.pick.choice(METHODS)
        writing = sorted(route.methods - {"get"})
        if writing and ("get" not in route.methods or self.pick.random() < 0.8):
            return self.pick.choice(writing) if self.pick.random() < 0.9 else "get"
        return "get"

    def _path(self, path: str, route: Route) -> bytes:
        """Return a path whose parameters or query may be nonsense."""
        raw = path.encode()
        if self.pick.random() < 0.4:
            raw = raw.replace(b"{code}", b"{duel}")
        if self.pick.random() < 0.2:
            names = re.findall(rb"\{\w+\}", raw)
            if names:
                raw = raw.replace(self.pick.choice(names), self.pick.choice(WORDS).strip(b"/"), 1)
        if self.pick.random() < 0.4:
            known = sorted(route.parameters)
            chosen = [*self.pick.sample(known, min(len(known), 2)), self.pick.choice(PARAMETERS)]
            query = self.spoil.spoil_form([(name, self.pick.choice(WORDS)) for name in chosen])
            raw += (b"&" if b"?" in raw else b"?") + query
        return raw

    def _headers(self) -> tuple[tuple[str, bytes], ...]:
        if self.pick.random() < 0.9:
            return ()
        value = self.pick.choice((*WORDS, b"*/*", b"application/json", b"text/plain;q=x"))
        return ((self.pick.choice(HEADERS), value[:2000]),)

    def _body(self, route: Route, method: str) -> tuple[str, bytes]:
        if method in ("get", "head", "options", "trace"):
            return "", b""
        media, body = self._good_or_bad(route)
        if self.pick.random() < 0.03:
            media = self.pick.choice(MEDIA)
        return media, body

    def _good_or_bad(self, route: Route) -> tuple[str, bytes]:
        if route.takes_files:
            return self.pick.choice(FILES), self._file()
        if not route.api:
            return FORM, self._form(route)
        good = self.pick.choice(route.bodies or [{}])
        how = self.pick.random()
        if how < 0.1 and isinstance(good, dict):
            return JSON, self.pick.choice([body for body, *_ in killers.of_json(good).values()])
        if how < 0.2:
            return JSON, msgspec.json.encode(good)
        if how < 0.45:
            other = self.pick.choice(self.pick.choice(self.routes).bodies or [{}])
            return JSON, self.spoil.spoil_bytes(
                msgspec.json.encode(good), msgspec.json.encode(other)
            )
        return JSON, self.spoil.spoil_json(good)

    def _file(self) -> bytes:
        if self.pick.random() < 0.3:
            return self.pick.choice([body for body, *_ in killers.of_file().values()])
        return self.spoil.spoil_bytes(b"{notation}" if self.pick.random() < 0.5 else b"{file}")

    def _form(self, route: Route) -> bytes:
        good = self.pick.choice(route.forms or [{}])
        fields = [(name, quote_plus(value).encode()) for name, value in good.items()]
        body = self.spoil.spoil_form(fields)
        return self.spoil.spoil_bytes(body) if self.pick.random() < 0.2 else body
