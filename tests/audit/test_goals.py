"""The quality page names only tests that exist."""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.audit.goals import TESTED

TESTS = Path(__file__).parent.parent


@cache
def functions(path: str) -> set[str]:
    tree = ast.parse((TESTS / path).read_text())
    return {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}


@pytest.mark.parametrize("test", [test for _, _, *tests in TESTED for test in tests])
def test_what_decides_a_goal_is_there(test: str) -> None:
    path, name = test.split("::")
    assert name in functions(path)
