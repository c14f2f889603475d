"""A game's tools take plain data, and flags on the command line."""

import argparse
from typing import Any, Literal

import msgspec
import pytest

from rules import flags, tools


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    strikes: Literal["basic", "card_tests"] = "basic"
    strict_order: bool = False
    hands: int = 2
    title: str = ""


class Answer(msgspec.Struct, frozen=True):
    attack: str
    bolsters: tuple[int, ...]
    options: Options


DEFAULT = Options()


def compare(
    attack: str, options: Options = DEFAULT, bolsters: tuple[int, ...] = (), depth: int = 1
) -> Answer:
    """Compare something."""
    if attack == "nonsense":
        raise ValueError("nonsense cannot be compared")
    return Answer(attack, bolsters, options)


def given(*arguments: str) -> dict[str, Any]:
    parser = argparse.ArgumentParser()
    flags.add_tool(parser, compare)
    return flags.of_tool(parser.parse_args(arguments), compare)


def test_a_tool_takes_and_gives_plain_data() -> None:
    answer = tools.call(compare, {"attack": "R", "options": {"strikes": "card_tests"}})

    assert answer["options"]["strikes"] == "card_tests"
    assert answer["bolsters"] == ()


@pytest.mark.parametrize(
    ("plain", "says"),
    [
        pytest.param({}, "missing required field `attack`", id="a value missing"),
        pytest.param({"attack": 1}, "Expected `str`", id="another type"),
        pytest.param({"attack": "R", "zone": 1}, "unknown field `zone`", id="an unknown one"),
        pytest.param(
            {"attack": "R", "options": {"strikes": "x"}}, "$.options.strikes", id="an option"
        ),
        pytest.param({"attack": "nonsense"}, "nonsense", id="without a meaning"),
    ],
)
def test_invalid_input_of_a_tool_is_a_value_error(plain: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("$", r"\$")):
        tools.call(compare, plain)


def test_a_request_has_a_schema() -> None:
    schema = msgspec.json.schema(tools.request_type(compare))

    assert schema["$defs"]["CompareRequest"]["required"] == ["attack"]


def test_flags_are_made_from_types() -> None:
    arguments = ["--strikes", "card_tests", "--strict-order", "--hands", "3", "--title", "x"]

    assert given(*arguments, "--bolster", "1", "--bolsters", "3", "--depth", "2", "R+ G B") == {
        "attack": "R+ G B",
        "options": {"strikes": "card_tests", "strict_order": True, "hands": 3, "title": "x"},
        "bolsters": [1, 3],
        "depth": 2,
    }


def test_what_is_not_given_keeps_its_default() -> None:
    assert given("R") == {"attack": "R", "options": {}}
