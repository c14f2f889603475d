"""The tools of Z-G over HTTP: the worked card tests of its rulebook, in both readings."""

from typing import Any

import pytest

from tests.api.client import Api, problem

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

COMPARE = "games/zg/compare/"
SEED = {"attack": "G* R+ B", "target": "G# R B"}

# Row, attack, target, dot matches; strikes and result in the basic reading, then in that of
# the Card Tests post where it is another.
WORKED: list[tuple[int, str, str, int, tuple[int, str], tuple[int, str] | None]] = [
    (1, "R G B", "B R G", 0, (0, "miss"), None),
    (2, "R G B", "R R R", 1, (1, "targetlock"), None),
    (3, "R G B", "R G R", 2, (2, "slag"), None),
    (4, "R G B", "R G B", 3, (3, "slag-again"), None),
    (5, "G* R+ B", "G# R B", 3, (2, "slag"), None),
    (6, "R G B", "R# G# B#", 3, (0, "blocked"), None),
    (7, "R+ G B", "R# R R", 1, (1, "targetlock"), None),
    (9, "R++ G B", "R## R R", 1, (1, "targetlock"), None),
    (10, "R++ G B", "R# R R", 1, (1, "targetlock"), None),
    (11, "R+ G B", "R B G", 1, (1, "targetlock"), None),
    (12, "R* G B", "R# B G", 1, (0, "blocked"), None),
    (13, "R G B", "Ro B G", 1, (1, "targetlock"), None),
    (14, "R+ G B", "Ro B G", 1, (2, "slag"), (3, "slag-again")),
    (15, "R+ G B", "Bo R R", 0, (0, "miss"), None),
    (16, "R* G B", "Bo R R", 0, (1, "targetlock"), None),
    (19, "R* G B", "Ro R R", 1, (1, "targetlock"), (2, "slag")),
    (23, "R+ G B", "Ro G B", 3, (4, "slag-stun-again"), (5, "slag-stun-again")),
]
POWERED: list[tuple[int, dict[str, Any], int, int, str]] = [
    (25, {"attack": "R G R", "target": "R G B", "bolsters": [1]}, 2, 1, "targetlock"),
    (26, {"attack": "R G R", "target": "R G B", "bolsters": [1], "augments": [1]}, 2, 2, "slag"),
    (27, {"attack": "R+ G B", "target": "R## R R", "augments": [1]}, 1, 1, "targetlock"),
]


def compare(sent: dict[str, Any]) -> dict[str, Any]:
    answer = Api().post(COMPARE, sent)
    assert answer.status_code == 200, answer.content
    told: dict[str, Any] = answer.json()
    return told


@pytest.mark.parametrize("row", WORKED, ids=lambda row: f"row {row[0]}")
@pytest.mark.parametrize("reading", ["basic", "card_tests"])
def test_a_worked_test_comes_out_as_worked(row: Any, reading: str) -> None:
    _, attack, target, dot_matches, basic, other = row
    strikes, result = (other or basic) if reading == "card_tests" else basic
    told = compare({"attack": attack, "target": target, "options": {"strikes": reading}})
    assert (told["dot_matches"], told["strikes"], told["result"]) == (dot_matches, strikes, result)


@pytest.mark.parametrize("row", POWERED, ids=lambda row: f"row {row[0]}")
def test_augments_and_bolsters_count(row: Any) -> None:
    _, sent, *expected = row
    told = compare(sent)
    assert [told["dot_matches"], told["strikes"], told["result"]] == expected


def test_without_a_match_there_is_no_damage_in_the_strict_order() -> None:
    told = compare({"attack": "R* G B", "target": "Bo R R", "options": {"strict_time_order": True}})
    assert (told["strikes"], told["result"]) == (0, "miss")


def test_every_dot_says_what_happened_and_by_which_clause() -> None:
    dots = compare(SEED)["dots"]
    assert [dot["strikes"] for dot in dots] == [0, 1, 1]
    assert all(dot["text"] and dot["clause"].startswith("ZG ") for dot in dots)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"attack": "X Y Z"}, "bad-value"),
        ({"attack": "R G"}, "bad-value"),
        ({"attack": "R G B" * 1000}, "bad-value"),
        ({"attack": 7}, "wrong-type"),
        ({"target": None}, "wrong-type"),
        ({"augments": [0]}, "out-of-range"),
        ({"augments": [True]}, "wrong-type"),
        ({"bolsters": ["1"]}, "wrong-type"),
        ({"bolsters": [1] * 99}, "bad-length"),
        ({"options": {"strikes": "mine"}}, "unknown-value"),
        ({"options": {"colour": 1}}, "unknown-field"),
        ({"options": []}, "wrong-type"),
    ],
    ids=str,
)
def test_what_can_not_be_compared_is_400(change: dict[str, Any], code: str) -> None:
    problem(Api().post(COMPARE, {**SEED, **change}), 400, code)


def test_a_sample_deck_has_no_problems() -> None:
    decks = Api().get("games/zg/").json()["decks"]
    assert len(decks) >= 3
    for deck in decks.values():
        told = Api().post("games/zg/check-deck/", {"deck": deck}).json()
        assert told["problems"] == []


def test_all_problems_of_a_deck_are_told_at_once() -> None:
    cards = [{"name": "A", "slot": "Helmet"}, {"name": "B", "slot": "Helmet"}]
    told = Api().post("games/zg/check-deck/", {"deck": {"cards": cards}}).json()["problems"]
    assert len(told) >= 2
    assert all(found["code"] and found["detail"] for found in told)


@pytest.mark.parametrize(
    "deck",
    [[], 7, {"cards": 7}, {"cards": [{}]}, {"cards": [{"name": "A", "slot": 1}]}, {"paper": 1}],
    ids=str,
)
def test_what_is_no_deck_is_400(deck: Any) -> None:
    answer = Api().post("games/zg/check-deck/", {"deck": deck})
    assert answer.status_code == 400
