"""The guide's requests are sent exactly as printed, and its answers compared."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver
from jsonschema import Draft202012Validator

import rules
from characters import books, campaigns, editing, importing, loadouts, pasting, trades
from characters import search as card_search
from characters.sheet import grammar
from league import files, recording, search, webhooks
from league.models import MAX_HOURS, PlaceText
from matches import (
    canonical,
    cuts,
    decks,
    exporting,
    keys,
    log,
    practice,
    proposals,
    services,
    transfer,
)
from rules import notation
from rules.desk import limits, lists
from rules.fields import Field, admits
from rules.ruleset import Offer
from tests import factories
from tests.api import duel
from tests.api.test_matrix import api_patterns

pytestmark = pytest.mark.django_db

GUIDE = Path(settings.BASE_DIR) / "docs" / "api.md"
ZERPANG = Path(settings.BASE_DIR) / "tests" / "golden" / "zerpang-three.zgxl"
BLOCK = re.compile(r"^```http\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"\$([a-z_]+)")
QUOTED = re.compile(rf'"{NAME.pattern}"')
ANY = "…"


@dataclass
class Message:
    """A request or an answer as the guide shows it."""

    start: str
    headers: dict[str, str]
    body: str

    @classmethod
    def read(cls, text: str) -> "Message":
        top, _, body = text.partition("\n\n")
        start, *headers = top.strip().splitlines()
        return cls(start, dict(line.split(": ", 1) for line in headers), body.strip())


class Reader:
    """Goes through the guide as somebody who copies and pastes it."""

    def __init__(self) -> None:
        self.client = Client()
        self.kept: dict[str, Any] = {}
        self.answers: list[Any] = []

    def send(self, request: Message) -> Any:
        method, path = self.fill(request.start).split(" ")
        headers = {name: self.fill(value) for name, value in request.headers.items()}
        media = headers.pop("Content-Type", "application/octet-stream")
        answer: Any = self.client.generic(
            method, path, self.fill(request.body).encode(), content_type=media, headers=headers
        )
        self.answers.append(answer)
        return answer

    def fill(self, text: str) -> str:
        """Put kept values in: a text within its quotes, anything else instead of them."""
        text = QUOTED.sub(lambda found: msgspec.json.encode(self.kept[found[1]]).decode(), text)
        return NAME.sub(lambda found: str(self.kept[found[1]]), text)

    def compare(self, expected: Message, answer: Any) -> None:
        assert f"{answer.status_code} {answer.reason_phrase}" == expected.start, answer.content
        for name, value in expected.headers.items():
            assert answer.headers[name] == value
        if expected.body:
            self.match(msgspec.json.decode(expected.body), answer.json())

    def match(self, shown: Any, told: Any) -> None:
        """Compare what the guide shows with what was told; keep what it names."""
        if shown == ANY:
            assert told is not None
        elif isinstance(shown, str) and (name := NAME.fullmatch(shown)):
            assert self.kept.setdefault(name[1], told) == told
        elif isinstance(shown, dict):
            for key, part in shown.items():
                self.match(part, told[key])
        elif shown == [ANY]:
            assert told
        elif isinstance(shown, list):
            assert len(shown) == len(told), told
            for part, other in zip(shown, told, strict=True):
                self.match(part, other)
        else:
            assert shown == told


def read_guide() -> Reader:
    factories.user("ada")
    reader = Reader()
    messages = [Message.read(text) for text in BLOCK.findall(GUIDE.read_text("utf-8"))]
    for request, expected in zip(messages[::2], messages[1::2], strict=True):
        reader.compare(expected, reader.send(request))
    return reader


def test_every_request_of_the_guide_is_answered_as_it_says_and_as_the_schema_does() -> None:
    reader = read_guide()
    assert reader.kept.keys() >= {"token", "quiz"}
    schema = reader.client.get("/api/v1/schema/?format=json").json()
    for shape in schema["components"]["schemas"].values():
        if "properties" in shape:
            shape.setdefault("additionalProperties", False)
    for answer in reader.answers:
        told = told_of(answer, schema["paths"])
        media = answer.headers.get("Content-Type", "").partition(";")[0]
        assert media in told.get("content", {"": None}), answer.request
        if re.fullmatch(r"application/(problem\+)?json", media):
            wanted = {**told["content"][media]["schema"], "components": schema["components"]}
            faults = [
                each.message for each in Draft202012Validator(wanted).iter_errors(answer.json())
            ]
            assert faults == [], answer.request


def told_of(answer: Any, paths: dict[str, Any]) -> Any:
    """Return what the schema says of answers like this one."""
    path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{answer.resolver_match.route}")
    told = paths[path][answer.request["REQUEST_METHOD"].lower()]["responses"]
    return told.get(str(answer.status_code), told["default"])


def test_the_duel_of_the_guide_is_the_golden_one() -> None:
    assert duel.section() in GUIDE.read_text("utf-8"), "run python -m tests.api.duel"


def test_the_duel_of_the_guide_ends_with_the_golden_digests() -> None:
    reader = read_guide()
    path = f"/api/v1/matches/{reader.kept['duel']}/events/?limit=500"
    told = reader.client.get(path).json()["entries"]
    assert [entry["state_digest"] for entry in told] == [e.digest for e in duel.played().entries]


def test_the_guide_s_walk_is_an_offer_of_a_real_match() -> None:
    table = notation.play(notation.read_match(ZERPANG.read_text("utf-8"), rules.get))
    assert shown_walk() in table.ruleset.options(table.at(192).state, 1)


def test_the_guide_says_which_ways_a_walk_admits() -> None:
    way = shown_walk().fields["path"]
    row = re.compile(r"^\| `(\[.*?\])` \| (legal|not legal):", re.MULTILINE)
    told = row.findall(GUIDE.read_text("utf-8"))
    found = {text: admits(way, msgspec.json.decode(text)) for text, _ in told}
    assert found == {text: word == "legal" for text, word in told}
    assert len(found) == 7


def shown_walk() -> Offer:
    """Return the offer of a walk that the guide shows."""
    after = GUIDE.read_text("utf-8").partition("<!-- the walk -->")[2]
    return msgspec.json.decode(after.split("```")[1].removeprefix("json"), type=Offer)


def test_the_guide_tells_every_kind_of_field() -> None:
    table = GUIDE.read_text("utf-8").partition("| `kind` |")[2].partition("\n\n")[0]
    told = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    kinds = [kind.__struct_config__.tag for kind in get_args(Field)]
    assert told == kinds


def test_the_guide_states_the_limits_the_site_has() -> None:
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
    assert rates == {
        "anon": "300/min",
        "user": "3000/min",
        "token": "20/min",
        "wrong-key": "30/min",
        "heavy": "60/min",
    }
    text = GUIDE.read_text("utf-8")
    assert "300 requests a minute" in text
    assert "3,000 for an account; of these 20 for `token/`, and 60 for" in text


LIMITS = {
    "bytes of a request of JSON, but for those with a longer text below": canonical.MAX_BYTES,
    "levels of nesting in JSON": canonical.MAX_DEPTH,
    "acts in a list sent to `matches/{code}/acts/`": services.MAX_ACTS,
    "acts in a list sent to `tournaments/{code}/acts/`": recording.MAX_ACTS,
    "acts that one request lets a bot play": practice.MOST,
    "entries in a page of a log or of the feed": 500,  # `Limit`
    "entries in `missed`": log.MAX_MISSED,
    "entries of a log (then 409 `log-full`)": log.MAX_ENTRIES,
    "characters of a `note` or a `reason`": canonical.MAX_NOTE,
    "seconds of `delay`": cuts.MAX_DELAY,
    "open proposals of a match": proposals.MAX_OPEN,
    "bytes of a file to `matches/import/`": transfer.MAX_BYTES,
    "matches in the answer of `GET export/`, the newest": exporting.MAX_MATCHES,
    "characters of `text` to `check-deck/`": decks.LIMIT,
    "API keys of an account, and tokens": keys.LIMIT,
    "entrants of a tournament": limits.MAX_PEOPLE,
    "bytes of a file or a list of a tournament": files.MAX_BYTES,
    "rows of a list of a tournament": lists.MAX_ROWS,
    "problems reported for a file": files.MAX_PROBLEMS,
    "hours of `remind_hours`": MAX_HOURS,
    "webhooks of a league": webhooks.LIMIT,
    "characters of `text` of a place": PlaceText._meta.get_field("text").max_length,
    "characters of `text` to `characters/paste/`": pasting.MAX_TEXT,
    "characters of a section of a sheet": editing.MAX_TEXT,
    "goals of a character": editing.MAX_GOALS,
    "loadouts of a character": loadouts.MAX_LOADOUTS,
    "pieces of gear in a `line`": grammar.MAX_PIECES,
    "serials in one request to the ledger": books.MAX_ITEMS,
    "open offers from one character to another": trades.MAX_OPEN,
    "officials of a campaign": campaigns.MAX_OFFICIALS,
    "cards in a file to `cards/import/`": importing.MAX_CARDS,
    "characters of a file to `cards/import/`": importing.MAX_TEXT,
    "characters of `q` of `cards/`": card_search.MAX_TEXT,
    "characters of `q` of `search/` (and at least two)": search.LIMIT,
}


def test_the_guide_states_how_much_is_taken_at_once() -> None:
    section = GUIDE.read_text("utf-8").partition("## Size limits\n")[2].partition("\n## ")[0]
    told = re.findall(r"^\| (.+) \| ([\d,]+) \|$", section, re.MULTILINE)
    assert {what: int(most.replace(",", "")) for what, most in told} == LIMITS
    assert search.LEAST == 2


def test_the_guide_names_every_list_that_is_whole() -> None:
    guide = GUIDE.read_text("utf-8").partition("## Unpaginated lists")[2].partition("\n## ")[0]
    told = re.findall(r"`([^` ]+/)`", "".join(re.findall(r"^\| (`.*?) \|", guide, re.MULTILINE)))
    lists_of_api = dict(_lists(Client().get("/api/v1/schema/?format=json").json()))
    assert set(told) == {path for path, paged in lists_of_api.items() if not paged}


def _lists(schema: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Yield the address of every list, and whether it has pages, which a `cursor` then names."""
    for path, operations in schema["paths"].items():
        content = operations.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        told = content.get("application/json", {}).get("schema", {}).get("$ref", "")
        shape = schema["components"]["schemas"].get(told.rpartition("/")[2], {})
        if "results" in (fields := shape.get("properties", {})):
            names = {each["name"] for each in operations["get"].get("parameters", ())}
            assert ("next" in fields) == ("cursor" in names), path
            yield path.removeprefix("/api/v1/"), "next" in fields


def test_the_guide_names_all_that_counts_as_heavy() -> None:
    limits = GUIDE.read_text().partition("- **Limits**")[2].partition("\n- ")[0]
    named = {name.rpartition("}/")[2] for name in re.findall(r"`([^` ]+/)`", limits)}
    heavy = {
        str(each.pattern).rpartition(">/")[2]
        for each in api_patterns(get_resolver().url_patterns)
        if _is_heavy(each.callback.cls)
    }
    assert named == heavy | {"token/"}


def _is_heavy(view: Any) -> bool:
    """Tell whether all that an endpoint gives takes long, or some of it: its property says what."""
    scope = getattr(view, "throttle_scope", "")
    return scope == "heavy" or isinstance(scope, property)
