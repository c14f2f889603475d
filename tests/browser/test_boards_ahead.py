"""The board that a phone computes offline waits for the same thing as the server."""

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from tests.rules.zg.full import full
from tests.rules.zg.table import RULESET, played

pytestmark = pytest.mark.browser

MODULE = Path(__file__).parents[2] / "deploy" / "static" / "js" / "logger-board.js"
FOLD = """async ([module, pocket, acts]) => {
  const {fold} = await import(module);
  return fold(pocket, acts.map((act, n) => ({version: n + 2, act}))).next;
}"""
HIT = "cover-called 1 Wings a 2 Left"


@pytest.fixture(scope="module")
def blank(browser: Any) -> Any:
    return browser.new_page()


@pytest.mark.parametrize(
    ("told", "unsent"),
    [
        (["flameout-called 1", "moved 1"], "turn-passed 1"),
        (["moved 1", "moved 1", HIT], "turn-passed 1"),
        (["countdown-started 1", "moved 1"], "countdown-expired 1"),
        (["countdown-started 2", "moved 1"], "countdown-expired 2"),
        (["moved 1", "moved 1", "cover-called 1 Fog a 2 Left"], "countdown-started 2"),
        ([], "flameout-called 1"),
    ],
)
def test_a_board_without_a_network_waits_for_the_same(
    blank: Any, told: list[str], unsent: str
) -> None:
    state, after = (played(*lines, setup=full()).head.state for lines in (told, [*told, unsent]))
    act = {"type": unsent.split()[0], "seat": int(unsent.split()[1])}
    pocket = {"board": RULESET.view(state, "public"), "foretold": {}}
    module = f"data:text/javascript;base64,{b64encode(MODULE.read_bytes()).decode()}"

    ahead = blank.evaluate(FOLD, [module, pocket, [act]])

    waits = RULESET.view(after, "public")["next"]
    assert (ahead["what"], ahead.get("seat")) == (waits["what"], waits["seat"])
