"""The rulebooks: every cited clause has its text, and every citation in a text is found."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import rules
from rules import clauses
from rules.zerpang.cards import Key

PACKAGE = Path(rules.__file__).parent
CITATION = re.compile(r"\bZ(?:G |X[- ]|P[- ])[A-Z0-9][\w.-]*(?: (?:[a-z_]+|[A-Z][\w-]*))?\b")
GIVES = {"irregular", "impossible", "Problem", "Outcome", "SetupError"}


def cited_in_code() -> Iterator[str]:
    """Yield what stands in the code as a text of its own: the clauses that verdicts give."""
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and CITATION.fullmatch(str(node.value)):
                yield str(node.value)


def cited_in_words() -> Iterator[str]:
    """Yield what docstrings and texts cite of the games that name themselves in a citation."""
    for file in (*PACKAGE.glob("z*/*.py"), *PACKAGE.glob("*/text/*.toml")):
        yield from re.findall(r"\bZ[XP]-[A-Z]+\d+|\bZG [A-Z]{3}-\d+", file.read_text("utf-8"))


def test_every_clause_that_is_cited_has_its_words() -> None:
    said = {*cited_in_code(), *cited_in_words()}

    assert len(said) > 150
    assert [each for each in sorted(said) if _links(each) != [each]] == []
    assert [key for key in get_args(Key) if _links(f"ZP 8 {key}") != [f"ZP 8 {key}"]] == []


def _links(text: str) -> list[str]:
    """Return the citations that are found in a text."""
    return [words for words, game, _ in clauses.pieces(text) if game]


def test_a_verdict_cites_a_game_so_that_its_words_are_found() -> None:
    for key in clauses.GAMES:
        for file in (PACKAGE / key).glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in GIVES:
                    named = [each for each in node.args[1:2] if isinstance(each, ast.Constant)]
                    assert all(CITATION.fullmatch(each.value or "ZG 10") for each in named)


@pytest.mark.parametrize("key", clauses.GAMES)
def test_each_clause_has_a_place_of_its_own(key: str) -> None:
    chapters = clauses.chapters_of(key)
    places = [each.anchor for chapter in chapters for each in (chapter, *chapter.clauses)]

    assert len(places) == len(set(places))
    assert {clause.how for chapter in chapters for clause in chapter.clauses} <= {
        "enforced", "declared", "recorded", "told"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Too far (ZG ATK-7).", [("ZG ATK-7", "zg", "ATK-7")]),
        ("1 strike (ZG 6.3.1)", [("ZG 6.3.1", "zg", "6.3.1")]),
        ("(ZX-X5, ZX-X8)", [("ZX-X5", "zx", "X5"), ("ZX-X8", "zx", "X8")]),
        ("any stance (ZG 10)", [("ZG 10", "zg", "10")]),
        ("ZP 8 negate", [("ZP 8 negate", "zerpang", "8-negate")]),
        ("ZG ATK-77 and ZG 6.31 are none", []),
    ],
)
def test_a_citation_is_found(text: str, found: list[tuple[str, str, str]]) -> None:
    pieces = list(clauses.pieces(text))

    assert "".join(words for words, _, _ in pieces) == text
    assert [piece for piece in pieces if piece[1]] == found


def test_a_game_without_a_rulebook_has_no_chapters() -> None:
    assert clauses.chapters_of("score") == ()


def test_words_are_a_sentence_without_marks_of_programs() -> None:
    clause = clauses.Clause("ZG X-1", "X-1", "enforced", "as agreed: option `strikes`")

    assert clause.sentence == "As agreed: option “strikes”."
