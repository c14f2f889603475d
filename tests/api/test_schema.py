"""The API describes itself, and its documentation is served from this site only."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from characters.models import Trade
from deploy import described, openapi
from league.happenings import EVENTS
from league.models import Tournament
from matches import keys
from matches.api.base import Endpoint
from matches.models import Log
from tests.api.client import Api

NOT_DESCRIBED = {"/api/v1/schema/", "/api/v1/docs/"}


def api_views(
    patterns: list[URLPattern | URLResolver], before: str = "/"
) -> Iterator[tuple[str, Any]]:
    """Yield every route of the API as its path with `{name}` for its parts, and its view."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from api_views(pattern.url_patterns, route)
        elif route.startswith("/api/v1/"):
            yield re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route), pattern.callback.cls


def api_routes(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    """Yield every route of the API."""
    return (route for route, _ in api_views(patterns))


def test_the_schema_is_valid_and_without_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", validate=True, fail_on_warn=True)
    assert "openapi: 3.1.0" in capsys.readouterr().out


def test_every_route_is_in_the_schema() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    routes = set(api_routes(get_resolver().url_patterns))
    streams = {f"/api/v1/{kind}/{{code}}/stream/" for kind in ("matches", "tournaments")}
    assert (routes | streams) - NOT_DESCRIBED == set(schema["paths"])
    operations = [each for path in schema["paths"].values() for each in path.values()]
    names = {each["operationId"] for each in operations}
    assert {"trades_answer", "moves_answer", "prompts_answer"} <= names, "one verb for one deed"
    told = [each["summary"] for each in operations]
    assert "List all campaigns, by name" in told
    assert all(5 < len(summary) <= 110 for summary in told), sorted(told, key=len)


def test_every_parameter_says_what_it_is() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    told = {
        (path, each["name"]): each.get("description")
        for path, operations in schema["paths"].items()
        for operation in operations.values()
        for each in operation.get("parameters", ())
    }
    assert told["/api/v1/entries/", "at"] == "a version of the log: as it was then"
    assert told["/api/v1/leagues/{slug}/", "slug"] == "the slug of the league"
    assert told["/api/v1/matches/{code}/stream/", "code"] == "the code of the match"
    assert told["/api/v1/divisions/{division_id}/", "division_id"] == "the id of the division"
    assert [at for at, description in told.items() if not description] == []
    numbers = {"seat", "round", "table"}
    for path, operations in schema["paths"].items():
        for part in next(iter(operations.values())).get("parameters", ()):
            if part["in"] == "path" and part["name"] not in numbers:
                is_id = part["schema"] != {"type": "string"}
                assert is_id == part["name"].endswith("_id"), path


def test_every_field_says_what_it_is() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    schemas = schema["components"]["schemas"]
    silent = [
        (name, field)
        for name, shape in schemas.items()
        for field, told in shape.get("properties", {}).items()
        if not described.is_described(told)
    ]
    assert silent == []
    for name, field, description in (
        ("MatchResponse", "imported", "how many of its first entries came in a file"),  # its text
        ("BlastResponse", "into", "who would enter or leave a cut"),  # two fields in one sentence
        ("Trades", "previous", "null where there is none"),  # the text of what it is a kind of
        ("FavourResponse", "who", "somebody without a sheet"),  # the words of its floor
        ("EntryResponse", "leaf", "the hash of this entry alone"),  # the words of all floors
        ("LeagueChange", "about", "null or left out: as it was"),
        ("CharacterLine", "campaign", "null for none"),
    ):
        assert description in schemas[name]["properties"][field]["description"], (name, field)
    decks = schemas["TournamentResponse"]["properties"]["decks"]
    assert (decks["enum"], "legal" in decks["description"]) == (
        ["none", "optional", "required"],
        True,
    )


def test_a_word_that_no_field_has_any_more_is_not_kept() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    shapes = schema["components"]["schemas"].values()
    fields = {name for shape in shapes for name in shape.get("properties", {})}
    parts = {
        each["name"]
        for operations in schema["paths"].values()
        for operation in operations.values()
        for each in operation.get("parameters", ())
        if each["in"] == "path"
    }
    assert [name for words in described.WORDS.values() for name in words.keys() - fields] == []
    assert {name.rpartition("/")[2] for name in described.PATH_WORDS} - parts == set()


def test_no_two_structs_have_one_name() -> None:
    class Root(msgspec.Struct):
        other: int

    Api().get("schema/")
    with pytest.raises(TypeError, match="another struct of the API is called Root"):
        openapi.components_of(Root)
    components = Api().get("schema/", {"Accept": "application/json"}).json()["components"]
    entries = components["schemas"]["Certificate"]["properties"]["entries"]["items"]
    entry = components["schemas"][entries["$ref"].rpartition("/")[2]]
    assert {"leaf", "hash", "events"} <= set(entry["required"])


OF_TEXT = {"CertifiedEntry", "EntryResponse", "HeadsResponse"}  # as hashed, or as in a file
BELOW = {"Outing", "VisibleEntry", "VisibleGoal"}  # not shapes of the API alone


def test_moments_are_told_from_other_texts() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    texts = {
        name
        for name, shape in schema["components"]["schemas"].items()
        for field, told in shape.get("properties", {}).items()
        if field.endswith("_at") and "date-time" not in str(told)
    }
    assert texts == OF_TEXT | BELOW


def test_what_must_be_named_says_so() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    required = {
        (path.removeprefix("/api/v1/"), each["name"])
        for path, operations in schema["paths"].items()
        for operation in operations.values()
        for each in operation.get("parameters", ())
        if each["in"] == "query" and each.get("required")
    }
    assert {("search/", "q"), ("standings/", "tournament"), ("gear/", "character")} <= required
    assert {name for path, name in required if path.endswith("{code}/import/")} == {"kind", "id"}
    assert ("matches/", "status") not in required


def test_the_parameters_that_are_named_are_those_that_are_taken() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    for route, view in api_views(get_resolver().url_patterns):
        if not issubclass(view, Endpoint) or route in NOT_DESCRIBED:
            continue
        shape = {each.encode_name for each in msgspec.structs.fields(view.query_shape)}
        for method, operation in schema["paths"][route].items():
            taken = shape if method == "get" or view.writes_by_query else set()
            cursor = {"cursor"} if method == "get" and view.paged else set()
            parameters = operation.get("parameters", ())
            named = {each["name"] for each in parameters if each["in"] == "query"}
            assert named - {"format"} == taken | cursor, (route, method)


def test_a_change_has_something_to_change() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    bodies = [
        path["patch"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        for path in schema["paths"].values()
        if "patch" in path
    ]
    components = schema["components"]["schemas"]
    assert {components[body.rpartition("/")[2]]["minProperties"] for body in bodies} == {1}


def test_a_body_must_be_sent_unless_it_may_be_empty() -> None:
    paths = Api().get("schema/", {"Accept": "application/json"}).json()["paths"]
    assert all(
        path["patch"]["requestBody"]["required"] for path in paths.values() if "patch" in path
    )
    for path, needed in (
        ("matches/{code}/acts/", True),
        ("matches/import/", True),
        ("matches/", True),
        ("matches/{code}/verify/", False),
        ("games/{key}/check-deck/", False),
    ):
        body = paths[f"/api/v1/{path}"]["post"]["requestBody"]
        assert body.get("required", False) == needed, path


def test_what_may_be_read_has_an_etag_and_may_be_changed_by_it() -> None:
    paths = Api().get("schema/", {"Accept": "application/json"}).json()["paths"]
    conditions = {
        (path.removeprefix("/api/v1/"), method): {
            each["name"]
            for each in operation.get("parameters", ())
            if each["name"].startswith("If")
        }
        for path, operations in paths.items()
        for method, operation in operations.items()
    }
    assert conditions["matches/{code}/cut/", "get"] == {"If-None-Match"}
    assert conditions["matches/{code}/cut/", "patch"] == {"If-Match"}
    assert conditions["matches/{code}/acts/", "post"] == set()
    answers = paths["/api/v1/matches/{code}/cut/"]["get"]["responses"]
    assert "304" in answers
    assert "ETag" in answers["200"]["headers"]
    assert "304" not in paths["/api/v1/matches/{code}/stream/"]["get"]["responses"]


def test_an_answer_names_its_fields_but_those_it_leaves_out_when_empty() -> None:
    schemas = Api().get("schema/", {"Accept": "application/json"}).json()["components"]["schemas"]
    problem = schemas["Problem"]
    always = {"type", "title", "status", "detail", "code", "clause", "errors"}
    assert set(problem["required"]) == always
    assert set(problem["properties"]) > {*always, "head", "missed", "more", "params", "verdict"}
    assert set(schemas["EntryResponse"]["required"]) == {"version", "position", "hash"}
    assert "record" in schemas["Outing"]["required"]  # null: hidden from the reader
    assert set(schemas["ActRequest"]["required"]) == {"id", "act"}


def test_an_answer_says_which_values_a_choice_has() -> None:
    schemas = Api().get("schema/", {"Accept": "application/json"}).json()["components"]["schemas"]
    for name, field, values in (
        ("MatchLine", "status", Log.Status.values),
        ("TournamentResponse", "enters", Tournament.Enters.values),
        ("EntrantResponse", "status", ["", "in", "waiting", "dropped", "disqualified"]),
        ("TableResponse", "appeal", ["", "may", "open", "rejected", "granted"]),
        ("TradeResponse", "status", Trade.Status.values),
        ("ResultMessage", "type", ["result.recorded"]),
        ("WebhookRequest", "events", EVENTS),
        ("WebhookResponse", "events", EVENTS),
    ):
        told = schemas[name]["properties"][field]
        assert told.get("items", told).get("enum") == sorted(values), (name, field)
    problem = schemas["ActResponse"]["properties"]["problem"]["anyOf"]
    assert {"$ref": "#/components/schemas/Problem"} in problem


def test_a_sheet_pasted_again_under_its_id_is_answered_as_the_character() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    answers = schema["paths"]["/api/v1/characters/paste/"]["post"]["responses"]
    again = answers["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    made = answers["201"]["content"]["application/json"]["schema"]
    assert made in schema["components"]["schemas"][again]["oneOf"]


def test_texts_are_not_indented_as_code() -> None:
    schemas = Api().get("schema/", {"Accept": "application/json"}).json()["components"]["schemas"]
    indented = {name for name, each in schemas.items() if "\n  " in each.get("description", "")}
    assert indented == set()


def test_every_list_says_what_is_in_it() -> None:
    def lists(part: Any) -> Iterator[Any]:
        if isinstance(part, dict):
            yield from (part,) if part.get("type") == "array" else ()
        for each in part.values() if isinstance(part, dict) else part:
            if isinstance(each, dict | list):
                yield from lists(each)

    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    assert [each for each in lists(schema) if not {"items", "prefixItems"} & each.keys()] == []
    act = schema["paths"]["/api/v1/matches/{code}/acts/"]["post"]["requestBody"]["content"]
    one, many = act["application/json"]["schema"]["oneOf"]
    assert one == many["items"] == {"$ref": "#/components/schemas/ActRequest"}


def test_the_guide_and_the_schema_say_which_scope_a_key_needs() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    needed: dict[str, set[str]] = {scope: set() for scope in keys.SCOPES}
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            for each in operation.get("security", ()):
                for scope in each.get("tokenAuth", ()):
                    needed[scope].add(path.removeprefix("/api/v1/").partition("/")[0] + "/")
    guide = (settings.BASE_DIR / "docs" / "api.md").read_text()
    _, _, table = guide.partition("| scope | lets a key write to |")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", table.partition("\n\n")[0], re.MULTILINE)
    assert {scope: set(re.findall(r"`(\w+/)`", told)) for scope, told in rows} == needed
    seats = schema["paths"]["/api/v1/matches/{code}/seats/"]["get"]
    assert {"tokenAuth": ["matches"]} in seats["security"]


def test_a_tournament_s_file_is_an_object() -> None:
    paths = Api().get("schema/", {"Accept": "application/json"}).json()["paths"]
    answers = paths["/api/v1/tournaments/{code}/file/"]["get"]["responses"]["200"]
    taken = paths["/api/v1/tournaments/import/"]["post"]["requestBody"]
    for told in (answers, taken):
        types = {media: each["schema"]["type"] for media, each in told["content"].items()}
        assert types.pop("application/json") == "object"
        assert types.keys() >= {"text/csv", "text/plain"}
        assert set(types.values()) == {"string"}


def test_every_operation_says_how_it_refuses() -> None:
    schema = Api().get("schema/", {"Accept": "application/json"}).json()
    answers = [
        operation["responses"]["default"]["content"]["application/problem+json"]["schema"]
        for path in schema["paths"].values()
        for operation in path.values()
    ]
    assert answers
    assert all(answer == {"$ref": "#/components/schemas/Problem"} for answer in answers)


def test_the_page_loads_nothing_from_elsewhere() -> None:
    html = Api().get("docs/").content.decode()
    loaded = re.findall(r'(?:src|href)="([^"]+)"', html)
    assert len(loaded) >= 4
    assert all(url.startswith("/") and not url.startswith("//") for url in loaded)


def test_the_page_alone_has_the_looser_policy() -> None:
    loose = Api().get("docs/").headers["Content-Security-Policy"]
    strict = Api().get("games/").headers["Content-Security-Policy"]
    assert "style-src 'self' 'unsafe-inline'" in loose
    assert "script-src 'self'" in loose
    assert "unsafe-inline" not in loose.replace("style-src 'self' 'unsafe-inline'", "")
    assert "unsafe-inline" not in strict


def test_the_script_of_the_page_is_a_file_of_its_own() -> None:
    answer = Client().get("/api/v1/docs/?script=")
    assert answer.headers["Content-Type"].startswith("application/javascript")
    assert "/api/v1/schema/" in answer.content.decode()


def test_the_root_says_where_to_go_on_and_the_limits() -> None:
    told = Api().get().json()
    assert told["links"]["matches"] == "http://testserver/api/v1/matches/"
    routes = {route for route in api_routes(get_resolver().url_patterns) if "{" not in route}
    assert {link.removeprefix("http://testserver") for link in told["links"].values()} == (
        routes - {"/api/v1/"}
    )
    assert set(told["limits"]) == {"anon", "user", "token", "wrong-key", "heavy"}
    assert (told["you"], told["scopes"]) == (None, [])


@pytest.mark.parametrize("link", ["games", "schema", "docs"])
def test_the_links_of_the_root_lead_somewhere(link: str) -> None:
    url = Api().get().json()["links"][link]
    assert Client().get(url).status_code == 200
