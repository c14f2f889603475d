"""The endpoints that describe the games."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

import rules
from tests.api.client import Api, problem

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def test_every_game_is_listed_once_in_its_newest_version() -> None:
    told = Api().get("games/").json()["results"]
    newest = {key: rules.get(key) for key in {game.key for game in rules.RULESETS.values()}}
    assert {row["key"]: row["ruleset"] for row in told} == {
        key: f"{key}@{game.version}" for key, game in newest.items()
    }


@pytest.mark.parametrize("draft", [True, False])
def test_a_game_says_whether_what_it_does_may_still_change(
    draft: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "released", lambda: {} if draft else {"score@1": {}})
    listed = {row["key"]: row["draft"] for row in Api().get("games/").json()["results"]}
    assert listed["zg"]
    assert listed["score"] == Api().get("games/score/").json()["draft"] == draft


@pytest.mark.parametrize("name", sorted(rules.RULESETS))
def test_every_act_and_consequence_has_a_valid_schema(name: str) -> None:
    told = Api().get(f"games/{name}/").json()
    schemas = {**told["acts"], **told["consequences"], **told["tools"]}
    schemas |= {"options": told["options"], "deck": told["deck"]}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    assert set(told["acts"]) == {act.__struct_config__.tag for act in rules.get(name).acts}


def test_a_schema_takes_the_act_it_describes() -> None:
    schema = Api().get("games/score/").json()["acts"]["points-scored"]
    valid: dict[str, Any] = {"type": "points-scored", "seat": 1, "points": 3}
    Draft202012Validator(schema).validate(valid)
    assert not Draft202012Validator(schema).is_valid({**valid, "seat": "one"})


def test_texts_are_told_by_code() -> None:
    assert Api().get("games/score/").json()["texts"] == dict(rules.get("score").texts)


@pytest.mark.parametrize("key", ["chess", "score@99", "score@x"])
def test_a_game_that_is_not_there_is_404(key: str) -> None:
    problem(Api().get(f"games/{key}/"), 404, "unknown-game")


def test_a_tool_that_is_not_there_is_404() -> None:
    problem(Api().post("games/score/compare/", {}), 404, "unknown-tool")


def test_a_deck_of_a_game_without_cards_has_no_problems() -> None:
    told = Api().post("games/score/check-deck/", {"deck": None}).json()
    assert told["problems"] == []
