"""`compare` in the API and on the command line; the starter decks."""

import json
from typing import Any

import msgspec
import pytest

from rules import tools
from rules.__main__ import main
from rules.zg.acts import Options
from tests.rules.zg.table import RULESET
from tests.rules.zg.test_damage import WORKED

COMPARE = RULESET.tools["compare"]


def asked(**plain: Any) -> dict[str, Any]:
    return tools.call(COMPARE, plain)


@pytest.mark.parametrize(
    ("attack", "target", "matches", "strikes", "result", "adding", "result_adding"),
    [pytest.param(*row[1:], id=f"row {row[0]}") for row in WORKED],
)
def test_a_worked_example_has_its_printed_result(
    attack: str,
    target: str,
    matches: int,
    strikes: int,
    result: str,
    adding: int,
    result_adding: str,
) -> None:
    basic = asked(attack=attack, target=target)
    added = asked(attack=attack, target=target, options={"strikes": "card_tests"})

    def found(answer: dict[str, Any]) -> tuple[int, int, str]:
        return answer["dot_matches"], answer["strikes"], answer["result"]

    assert found(basic) == (matches, strikes, result)
    assert found(added) == (matches, adding, result_adding)


def test_an_answer_explains_itself() -> None:
    answer = asked(attack="G* R+ B", target="G# R B")

    assert list(answer) == ["dot_matches", "strikes", "result", "clause", "text", "dots"]
    assert answer["dots"][0] == {
        "attack": "G*",
        "target": "G#",
        "matched": True,
        "strikes": 0,
        "why": "armour-stops-explosive",
        "clause": "ZG 6.3.5",
        "text": RULESET.texts["armour-stops-explosive"],
    }
    assert json.loads(json.dumps(answer)) == answer


@pytest.mark.parametrize("switch", [{}, {"strict_time_order": True}, {"ap_not_consumed": True}])
def test_blazes_and_options_are_taken(switch: dict[str, Any]) -> None:
    answer = asked(attack="R G R", target="R G B", bolsters=[1], augments=[1], options=switch)

    assert (answer["dot_matches"], answer["strikes"], answer["result"]) == (2, 2, "slag")


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ({"attack": "R G", "target": "R G B"}, "attack, column 4: an end has 3 dots"),
        ({"attack": "R G B", "target": "R Y B"}, "target, column 3: 'Y' is no colour"),
        ({"attack": "R G B"}, "missing required field `target`"),
        ({"attack": "R G B", "target": "R G B", "augments": [4]}, "<= 3"),
        ({"attack": "R G B", "target": "R G B", "bolsters": [1, 1, 1, 1]}, "length <= 3"),
        ({"attack": "R G B", "target": "R G B", "options": {"strike": "basic"}}, "unknown field"),
        ({"attack": "R G B", "target": "R G B", "why": 1}, "unknown field"),
    ],
)
def test_nonsensical_input_is_refused(plain: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        asked(**plain)


def test_the_command_line_compares(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "--json", "G* R+ B", "G# R B"]) == 0

    printed = capsys.readouterr().out
    assert printed.startswith('{"dot_matches": 3, "strikes": 2, "result": "slag"')


def test_the_command_line_has_a_flag_for_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--strikes", "card_tests", "--strict-time-order", "--ap-not-consumed"]

    assert main(["compare", "--json", *flags, "--augment", "1", "R G B", "R#o B G"]) == 0

    assert json.loads(capsys.readouterr().out)["strikes"] == 3
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    told = capsys.readouterr().out
    flags = [field.replace("_", "-").removesuffix("s") for field in Options.__struct_fields__]
    assert all(f"--{flag}" in told for flag in flags)


def test_decks_to_begin_with_are_plain_data() -> None:
    decks = RULESET.tools["sample-decks"]() | {"blank": RULESET.tools["blank-deck"]()}

    assert list(decks) == ["Ensign", "Merc", "Trooper", "blank"]
    for plain in decks.values():
        deck = msgspec.convert(plain, RULESET.deck_type)
        assert RULESET.check_deck(deck, Options()) == []
        assert deck.character and len(deck.cards) == 9
