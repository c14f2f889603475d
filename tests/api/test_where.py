"""A refusal points to the faulty place, and says what is allowed there."""

from typing import Any
from uuid import uuid4

import pytest

from characters import services as characters
from characters.models import Character
from matches.models import Match
from tests import factories
from tests.api.client import Api, act, by_opener, problem
from tests.league import desks
from tests.league.api_rows import Desk

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

ID = "00000000-0000-4000-8000-000000000001"
NOBODY = "Una's"  # stands for the id of a character of the asker's own
TWO = {"label": "Blue"}
DOTS = "Expected three dots, as R+ G B#."
HASH = "Expected the hash of a note; its words are sent beside the act, as `note`."

# What a body names that is not there, or says that cannot be: path, body, code, where.
BODIES: list[tuple[str, dict[str, Any], str, str]] = [
    ("leagues/", {"name": "Rim", "game": "chess"}, "unknown-ruleset", "$.game"),
    ("leagues/", {"name": "Rim", "venue": "x"}, "no-such-venue", "$.venue"),
    ("matches/", {"ruleset": "chess", "seats": [TWO, TWO]}, "unknown-ruleset", "$.ruleset"),
    (
        "matches/",
        {"ruleset": "score", "seats": [TWO, {"player": ID}]},
        "unknown-player",
        "$.seats[1].player",
    ),
    (
        "matches/",
        {"ruleset": "score", "seats": [TWO, {"name": "a\x07"}]},
        "control-character",
        "$.seats[1].name",
    ),
    (
        "matches/",
        {"ruleset": "zg", "seats": [TWO, {"loadout": ID}]},
        "no-such-loadout",
        "$.seats[1].loadout",
    ),
    ("tournaments/", {"title": "Cup", "league": "x"}, "no-such-league", "$.league"),
    ("tournaments/", {"title": "Cup", "season": ID}, "no-such-season", "$.season"),
    ("tournaments/", {"title": "Cup", "venue": "x"}, "no-such-venue", "$.venue"),
    ("entries/", {"tournament": "ZZZZZZ", "id": ID}, "no-such-tournament", "$.tournament"),
    ("circuits/", {"season": ID, "name": "Ring", "points": [1]}, "no-such-season", "$.season"),
    ("circuits/", {"season": ID, "name": "Ring", "points": {"x": [1]}}, "bad-value", "$.points"),
    (
        "seasons/",
        {"league": "x", "name": "I", "starts_on": "2026-01-01", "ends_on": "2026-02-01"},
        "no-such-league",
        "$.league",
    ),
    (
        "webhooks/",
        {"league": "x", "url": "https://hooks.example.org/", "events": ["match.finished"]},
        "no-such-league",
        "$.league",
    ),
    ("goals/", {"character": ID, "text": "Rest"}, "no-such-character", "$.character"),
    (
        "favours/",
        {"character": NOBODY, "kind": "grudge", "text": "Why", "about": ID},
        "no-such-character",
        "$.about",
    ),
    ("trades/", {"character": NOBODY, "to": ID, "pays": 1}, "no-such-character", "$.to"),
    (
        "loadouts/",
        {"character": NOBODY, "name": "Duel", "items": ["ZG-000000"]},
        "no-such-item",
        "$.items[0]",
    ),
    ("moves/", {"character": NOBODY, "campaign": ID}, "no-such-campaign", "$.campaign"),
    ("characters/paste/", {"text": "Character: \x07"}, "control-character", "$.text"),
]


CODE = "ZZZZZZ"

# What a parameter names that is not there: path, query, code.
QUERIES: list[tuple[str, dict[str, str], str]] = [
    *((path, {"league": "x"}, "no-such-league") for path in ("tournaments/", "seasons/")),
    *((path, {"league": "x"}, "no-such-league") for path in ("webhooks/", "ratings/")),
    ("ratings/revisions/", {"league": "x"}, "no-such-league"),
    *((path, {"season": ID}, "no-such-season") for path in ("tournaments/", "circuits/")),
    *((f"{path}/", {"tournament": CODE}, "no-such-tournament") for path in ("entries", "rounds")),
    ("standings/", {"tournament": CODE}, "no-such-tournament"),
    ("pairings/", {"tournament": CODE}, "no-such-tournament"),
    *(
        (f"{path}/", {"character": ID}, "no-such-character")
        for path in ("gear", "ledger", "goals", "favours", "loadouts", "trades", "prompts")
    ),
    *((path, {"character": ID}, "no-such-character") for path in ("appearances/", "moves/")),
    ("moves/", {"campaign": ID}, "no-such-campaign"),
    ("characters/", {"campaign": ID}, "no-such-campaign"),
    ("characters/", {"owner": ID}, "unknown-player"),
    ("matches/", {"player": ID}, "unknown-player"),
    ("appearances/", {"match": CODE}, "no-such-match"),
    ("appearances/", {"item": "ZG-000000"}, "no-such-item"),
]


@pytest.fixture
def una() -> Character:
    return characters.paste(by=factories.actor(), text="Character: Una\nCurrency: c9")


def asked(answer: Any, code: str) -> dict[str, str]:
    """Return the one fault a refusal names."""
    [error] = problem(answer, 400, code)["errors"]
    told: dict[str, str] = error
    return told


def test_what_a_body_names_is_told_at_its_field(una: Character, subtests: pytest.Subtests) -> None:
    api = Api(una.owner.user)
    for path, body, code, where in BODIES:
        with subtests.test(f"{path} {where}"):
            sent = {key: str(una.pk) if value == NOBODY else value for key, value in body.items()}
            assert asked(api.post(path, sent), code)["where"] == where


def test_what_a_parameter_names_is_told_there(subtests: pytest.Subtests) -> None:
    api = Api(factories.user())
    for path, query, code in QUERIES:
        with subtests.test(f"{path} {query}"):
            assert asked(api.get(path, **query), code)["where"] == f"$.{next(iter(query))}"
    sent = api.post("tournaments/import/?kind=trf&league=x", b"\n", content_type="text/plain")
    assert asked(sent, "no-such-league")["where"] == "$.league"


def test_gear_that_is_not_there_is_told_on_its_side_of_a_trade(una: Character) -> None:
    other = characters.paste(by=factories.actor(), text="Character: Ben")
    sides = {"character": str(una.pk), "to": str(other.pk)}
    for side in ("gives", "wants"):
        answer = Api(una.owner.user).post("trades/", {**sides, side: ["ZG-000000"]})
        assert asked(answer, "no-such-item")["where"] == f"$.{side}[0]"


def test_a_part_of_a_sheet_is_told_by_its_place(una: Character) -> None:
    api, path = Api(una.owner.user), f"characters/{una.pk}/"
    fine = {"key": "notes", "text": "Fine"}
    for wrong, code, where in (
        ({"key": "poem", "text": "x"}, "no-such-section", "$.sections[1].key"),
        ({"key": "public", "text": "\x07"}, "control-character", "$.sections[1].text"),
        ({"key": "gear", "text": "x"}, "not-typed", "$.sections[1].text"),
        ({"key": "public", "named": [ID]}, "unknown-player", "$.sections[1].named[0]"),
    ):
        assert asked(api.patch(path, {"sections": [fine, wrong]}), code)["where"] == where


def test_a_label_that_names_somebody_is_told_at_its_seat() -> None:
    seats = [TWO, {"label": "Ada the cat"}]
    answer = Api(factories.user()).post("matches/", {"ruleset": "score", "seats": seats})
    [error] = problem(answer, 422, "label-not-neutral")["errors"]
    assert error["where"] == "$.seats[1].label"


def test_what_may_stand_in_a_field_is_told(match: Match) -> None:
    api, path = by_opener(match), f"matches/{match.code}/acts/"
    said = asked(api.post(path, act(act={"type": "dance"})), "unknown-value")["detail"]
    assert said.startswith("Invalid value 'dance'; it is one of opened, taken-back, ")
    ruled = {"type": "ruled", "note": "They left."}
    assert asked(api.post(path, act(act=ruled)), "bad-value")["detail"] == HASH
    shown = {"type": "end-shown", "seat": 1, "card": "Helmet", "end": "a", "dots": "R G"}
    blank = factories.match(game="zg")
    refused = by_opener(blank).post(f"matches/{blank.code}/acts/", act(act=shown))
    assert asked(refused, "bad-value")["detail"] == DOTS
    noon = asked(api.post(path, act(said_at="noon")), "wrong-type")["detail"]
    assert noon == "Expected a time with its zone, as 2026-05-31T18:30:00Z."
    told = {
        "visibility": "Invalid enum value 'x'; it is one of public, table.",
        "ruleset": "Expected the key of a game, with its version if you like: zg, score@1.",
    }
    for field, sentence in told.items():
        body = {"ruleset": "score", "seats": [TWO], field: "x" if field != "ruleset" else "X!"}
        code = "unknown-value" if field == "visibility" else "bad-value"
        assert asked(api.post("matches/", body), code)["detail"] == sentence
    stage = {"title": "Cup", "ruleset": "score", "stages": [{"format": "chess"}]}
    said = asked(api.post("tournaments/", stage), "unknown-value")["detail"]
    assert said.endswith("round-robin, single-elimination, swiss.")


def test_a_report_that_does_not_say_by_whom_is_told_so() -> None:
    desk = Desk()
    desk.begin()
    desks.paired(desk.tournament)
    table = desks.table_of(desk.tournament, 1)
    api, path = Api(desk.player), f"tournaments/{desk.tournament.code}/acts/"
    report = {"type": "result-reported", "round": 2, "table": table, "scores": [2, 0]}
    told = asked(api.post(path, {"id": str(uuid4()), "act": report}), "missing-field")
    assert told == {
        "where": "$.act.by",
        "code": "missing-field",
        "detail": "Say who reports: your number as `by`, 1.",
    }
    assert api.post(path, {"id": str(uuid4()), "act": {**report, "by": 1}}).status_code == 201
    other = {**report, "table": 3 - table}
    problem(api.post(path, {"id": str(uuid4()), "act": {**other, "by": 3}}), 403, "not-allowed")


def test_a_time_is_told_as_it_will_be_read() -> None:
    api = Api(factories.user())
    sent = {"title": "Cup", "ruleset": "score", "starts_at": "2026-05-31T20:30:00+02:00"}
    made = api.post("tournaments/", sent).json()
    assert made["starts_at"] == "2026-05-31T18:30:00Z"
    assert api.get(f"tournaments/{made['code']}/").json()["starts_at"] == made["starts_at"]


@pytest.mark.parametrize("media", ["text/plain", "application/x-ndjson"])
def test_a_file_with_nothing_in_it_is_no_file(media: str) -> None:
    answer = Api(factories.user()).post("matches/import/", b"\n", content_type=media)
    problem(answer, 400, "no-file")


def test_an_import_without_a_file_names_the_whole_body() -> None:
    answer = Api(factories.user()).post(
        "tournaments/import/?kind=results", b"", content_type="text/csv"
    )
    assert problem(answer, 400, "no-file")["errors"][0]["where"] == "$"
