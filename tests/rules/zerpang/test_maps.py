"""The board comes from a file: another file is another board, and all faults are reported."""

import copy
import json
from importlib import resources
from typing import Any

import msgspec
import pytest

from rules.ruleset import SetupError
from rules.zerpang import cards, files, maps, victory
from tests.rules.zerpang.table import RULESET, at, opened, start

FILE = json.loads(
    (resources.files("rules.zerpang") / "boards" / "derived-hex91.json").read_text("utf-8")
)


LISTED = [
    [one, two]
    for one, others in maps.board("derived-hex91").near.items()
    for two in others
    if one < two
]


def changed(**parts: Any) -> Any:
    return {**copy.deepcopy(FILE), **parts}


def problems(data: Any) -> set[str]:
    with pytest.raises(maps.BoardError) as raised:
        maps.load(data)
    return {problem.code for problem in raised.value.problems}


@pytest.mark.parametrize(
    ("option", "folder", "usual"),
    [("board", "boards", maps.USUAL), ("deck", "decks", cards.USUAL)],
)
def test_every_board_and_deck_has_a_name_to_be_chosen_by(
    option: str, folder: files.Folder, usual: str
) -> None:
    named = {key for key in RULESET.texts if key.startswith(f"option-{option}-")}
    others = set(files.names(folder)) - {usual}
    assert named == {f"option-{option}-{name}" for name in {"", *others}}


def test_the_derived_board_is_as_it_was_reasoned() -> None:
    board = maps.board("derived-hex91")
    sizes = [len(others) for others in board.near.values()]

    assert (len(board.near), sum(sizes) // 2) == (91, 240)
    assert [sizes.count(n) for n in (6, 4, 3)] == [61, 24, 6]
    assert set(board.near["H1"]) == {"F1a", "F6b", "Z1.4"}
    assert set(board.near["K1"]) == {"G1a", "G1b", "Z1.5", "Z1.6", "Z2.2", "Z2.3"}
    assert set(board.near["X1"]) == {"T", "X2", "X6", "M1", "M6", "Z1.1"}
    assert board.warnings == ()


@pytest.mark.parametrize(
    ("name", "count", "great_house", "near"),
    [
        ("derived-star79", 79, "H1", {"Z1.4"}),
        ("derived-hex61", 61 + 12, "Z1.4", {"Z1.0", "Z1.3", "Z1.5"}),
    ],
)
def test_other_boards_are_there_to_load(
    name: str, count: int, great_house: str, near: set[str]
) -> None:
    board = maps.board(name)

    assert len(board.near) == count
    assert great_house in board.great_houses
    assert set(board.near[great_house]) == near
    assert set(board.near["G1a"]) - {"F1a"} == {"G1b", "K1", "Z1.5"}
    assert board.warnings == ()
    assert RULESET.view(start(2, board=name), "public")["board_warnings"] == []


def test_directions_are_told_as_they_are_drawn() -> None:
    board = maps.board("derived-hex91")
    upright = [[0, 1], [2, -1], [-2, 1], [0, -1], [1, 0], [-1, 0]]

    assert board.ways[:3] == ("right", "lower-right", "lower-left")
    numbered = maps.load(changed(adjacency=LISTED, directions=[]))
    assert numbered.ways == tuple("123456")
    assert maps.load(changed(adjacency=LISTED, directions=upright)).ways[1] == "upper-right"


def test_edges_may_be_listed_added_and_cut() -> None:
    board = maps.board("derived-hex91")
    listed = maps.load(changed(adjacency=LISTED, directions=[]))
    patched = maps.load(changed(extra_edges=[["H1", "H2"]], cut_edges=[["H1", "F1a"]]))

    assert {s: set(o) for s, o in listed.near.items()} == {s: set(o) for s, o in board.near.items()}
    assert set(patched.near["H1"]) == {"H2", "F6b", "Z1.4"}
    round_about = maps.load(changed(extra_edges=[["H1", "H4", 1]]))
    assert ("H4" in round_about.near["H1"], "H1" in round_about.near["H4"]) == (True, True)
    assert {problem.code for problem in listed.warnings} == {"edge-without-direction"}


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"format": "zerpang-board/2"}, "board-format"),
        ({"spaces": [*FILE["spaces"], ["T", 9, 9]]}, "space-twice"),
        ({"lines": [["H1", "X1", "X4", "H9"]]}, "space-unknown"),
        ({"extra_edges": [["H1", "H9"]]}, "space-unknown"),
        ({"features": {**FILE["features"], "x": ["X1"]}}, "board-count"),
        ({"extra_edges": [["H1", "H2", 9]]}, "edge-direction"),
        ({"extra_edges": [["H1"]]}, "edge-ends"),
        ({"directions": [*FILE["directions"], [2, 0]]}, "board-count"),
        ({"adjacency": "foo"}, "board-unreadable"),
        ({"home_bases": [FILE["home_bases"][1], *FILE["home_bases"][1:]]}, "base-twice"),
        ({"zones": {**FILE["zones"], "z1": {"spaces": ["Z1.0"] * 7}}}, "named-twice"),
        ({"status": "official", "lines": [["H1", "X1", "X4", "X5"]]}, "board-line"),
        ({"status": "official", "triangles": {}}, "board-triangles"),
        ({"spaces": [*FILE["spaces"], ["Q", 40, 40]]}, "board-apart"),
        ({"spaces": 7}, "board-unreadable"),
        ({"cut_edges": [], "adjacency": [["T", "X1", 1], ["T", "X2", 1]]}, "edge-one-way"),
    ],
)
def test_what_is_wrong_with_a_board_is_told(parts: Any, code: str) -> None:
    assert code in problems(changed(**parts))


def test_a_derived_board_may_be_odd_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = maps.load(changed(triangles={}))
    monkeypatch.setattr(maps, "board", lambda name: odd)

    told = RULESET.view(start(2), "public")["board_warnings"]
    assert told[0] == "Not every triangle of great_house has three of them."
    assert odd.rows_of("ninja", duel=False) == ()


def test_a_row_of_a_derived_board_may_be_as_short_as_it_likes() -> None:
    pieces = {"1-1": "H1", "1-2": "X1"}
    usual = at("gunslinger ninja pirate", pieces)
    short = msgspec.structs.replace(usual, board=maps.load(changed(lines=[["H1", "X1"]])))

    assert [victory.row_of(state, 1) for state in (usual, short)] == [(), ("H1", "X1")]


def test_all_that_is_wrong_is_told_at_once() -> None:
    wrong = changed(format="x", features={**FILE["features"], "treasure": []})

    assert problems(wrong) == {"board-format", "board-count"}


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"board": "nowhere"}, "no-such-board"),
        ({"deck": "nothing"}, "no-such-deck"),
        ({"board_print": "0123456789abcdef"}, "board-changed"),
    ],
)
def test_a_match_names_a_board_and_a_deck_that_are_there(options: Any, code: str) -> None:
    with pytest.raises(SetupError) as raised:
        start(2, **options)

    assert raised.value.problem.code == code


@pytest.mark.parametrize("seats", [1, 7])
def test_two_to_six_play(seats: int) -> None:
    with pytest.raises(SetupError) as raised:
        RULESET.start(opened(seats))

    problem = raised.value.problem
    assert (problem.code, problem.clause) == ("seat-count", "ZP-S1")


def test_every_state_carries_the_fingerprint_of_its_board() -> None:
    board = maps.board("derived-hex91")

    assert RULESET.view(start(2), "public")["board"] == f"derived-hex91:{board.fingerprint}"
    assert start(2, board_print=board.fingerprint)
