"""The test bench: any end against any other."""

from fractions import Fraction
from typing import Any

import pytest

from rules.ruleset import Misused
from rules.zg.bench import Bench
from tests.rules.zg.table import RULESET

TYPED = {"attack": "R G R", "target": "R G B"}


def came_to(**query: Any) -> tuple[int, str]:
    """Return strikes and result of what was asked for."""
    test = bench(**query)["test"]
    return test["strikes"], test["result"]


def bench(**query: Any) -> dict[str, Any]:
    return Bench(**query).answer()


def wrong(**query: Any) -> Misused:
    with pytest.raises(Misused) as caught:
        bench(**query)
    return caught.value


def test_the_bench_opens_on_the_printed_example() -> None:
    page = bench()
    assert page["example"]
    assert (page["attack"]["name"], page["target"]["name"]) == (
        "Firefight Frontgear",
        "Magnetron Generator",
    )
    assert (page["test"]["dot_matches"], page["test"]["strikes"]) == (3, 2)
    assert page["test"]["result"] == "slag"


def test_every_dot_says_why_and_by_which_clause() -> None:
    for dot in bench()["test"]["dots"]:
        assert dot["text"]
        assert dot["clause"].startswith("ZG ")


def test_a_half_turn_shows_the_other_end_of_the_target() -> None:
    page = bench(target_end="b", half_turn="1")
    assert (page["target"]["spun"], page["target"]["end"]) == ("b", "a")


def test_typed_dots_have_nothing_to_turn() -> None:
    assert not bench(**TYPED, half_turn="1")["half_turn"]


def test_all_ends_of_two_cards_are_compared() -> None:
    page = bench()
    assert [row["end"] for row in page["table"]] == ["a", "b"]
    assert page["table"][0]["tests"][0].strikes == page["test"]["strikes"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, (2, "slag")),
        ({"bolsters": ("1",)}, (1, "targetlock")),
        ({"bolsters": ("1",), "augments": ("1",)}, (2, "slag")),
        ({"bolsters": ("1", "1"), "augments": ("1",)}, (1, "targetlock")),
    ],
    ids=["plain", "bolstered", "augmented against it", "bolstered twice"],
)
def test_blazes_are_placed_on_dots(query: dict[str, Any], expected: tuple[int, str]) -> None:
    assert came_to(**TYPED, **query) == expected


@pytest.mark.parametrize(
    ("attack", "target", "reading", "expected"),
    [
        ("R+ G B", "Ro B G", {}, (2, "slag")),
        ("R+ G B", "Ro B G", {"strikes": "card_tests"}, (3, "slag-again")),
        ("R* G B", "Bo R R", {}, (1, "targetlock")),
        ("R* G B", "Bo R R", {"strict_time_order": "true"}, (0, "miss")),
        ("R+ G B", "R#o B G", {}, (1, "targetlock")),
        ("R+ G B", "R#o B G", {"ap_not_consumed": "true"}, (2, "slag")),
    ],
    ids=["basic", "card tests", "explosive", "strict time order", "used up", "not consumed"],
)
def test_readings_are_chosen(
    attack: str, target: str, reading: dict[str, str], expected: tuple[int, str]
) -> None:
    assert came_to(attack=attack, target=target, **reading) == expected


def test_a_card_read_from_its_other_side_faces_the_other_way() -> None:
    cards = {"attack": "R G B", "target_card": "Rail Boots"}
    assert came_to(**cards) != came_to(**cards, mirror_alignment="true")


def test_a_bolster_of_such_a_card_goes_on_the_dot_as_it_shows_it() -> None:
    asked = {"attack": "R G B", "target_card": "Rail Boots", "bolsters": ("1",)}
    plain, mirrored = bench(**asked), bench(**asked, mirror_alignment="true")
    assert "#" in plain["test"]["dots"][0]["target"]
    assert "#" in mirrored["test"]["dots"][2]["target"]


@pytest.mark.parametrize(
    ("query", "field", "column"),
    [
        ({"attack": "R G X", "target": "R G B"}, "attack", 5),
        ({"attack": "R G B", "target": "R G"}, "target", 4),
        ({"attack": " ", "target": "R G B"}, "attack", 2),
        ({"attack": "R" * 200, "target": "R G B"}, "attack", 0),
        ({"attack_card": "No Such Helm"}, "attack_card", 0),
        (
            {"target_card": "Rail Boots", "attack_card": "Rail Boots", "target_end": "c"},
            "target_end",
            0,
        ),
        ({"augments": ("4",)}, "augments", 0),
        ({"bolsters": ("one",)}, "bolsters", 0),
        ({"augments": ("1",) * 7}, "augments", 0),
        ({"strikes": "most"}, "readings", 0),
        ({"strict_time_order": "perhaps"}, "readings", 0),
    ],
    ids=str,
)
def test_wrong_input_is_named_with_its_place(
    query: dict[str, list[str]], field: str, column: int
) -> None:
    refused = wrong(**query)
    assert (refused.field, refused.column) == (field, column)


def test_odds_are_those_of_the_tool_and_name_the_better_end() -> None:
    page = bench(attack_card="Firefight Frontgear", deck="Merc", retest="attacker")
    told = [
        RULESET.tools["odds"](attack=row["dots"], deck="Merc", retest="attacker")
        for row in page["odds"]
    ]

    assert page["against"] == "Merc"
    assert [{name: row[name] for name in told[0]} for row in page["odds"]] == told
    best = max(page["odds"], key=lambda row: Fraction(row["expected"]))
    assert [row["end"] for row in page["odds"] if row["best"]] == [best["end"]]


def test_an_unknown_deck_or_holder_of_a_retest_is_named() -> None:
    assert "Nobody's" in str(wrong(deck="Nobody's"))
    assert "dice" in str(wrong(retest="dice"))
