"""What a phone works out by itself: the board that follows, names of acts, and their order."""

from pathlib import Path
from typing import Any

import pytest

from tests.rules.zg.full import full
from tests.rules.zg.table import RULESET, played

pytestmark = pytest.mark.browser

SCRIPTS = Path(__file__).parents[2] / "deploy" / "static" / "js"
SITE = "http://phone.test"
FOLD = """async ([pocket, acts]) => {
  const {fold} = await import("/logger-board.js");
  return fold(pocket, acts.map((act, n) => ({version: n + 2, act}))).next;
}"""
PHRASE = """async ([html, titles]) => {
  const {phraseOf} = await import("/logger-phrases.js");
  document.body.innerHTML = `<form>${html}</form>`;
  return phraseOf(document.forms[0], document.querySelector("button"), titles);
}"""
QUEUE = """async () => {
  const {Outbox} = await import("/logger-outbox.js");
  const outbox = await Outbox.open("a match");
  const first = await outbox.add({act: {type: "points-scored"}}, 1);
  const taken = outbox.took(first, {version: 2});
  const [second] = await Promise.all([outbox.add({act: {type: "points-scored"}}, 1), taken]);
  return [first.after, second.after];
}"""
HIT = "cover-called 1 Wings a 2 Left"


@pytest.fixture(scope="module")
def blank(browser: Any) -> Any:
    page = browser.new_page()
    page.route(f"{SITE}/", lambda route: route.fulfill(content_type="text/html"))
    page.route(
        f"{SITE}/*.js", lambda route: route.fulfill(path=SCRIPTS / Path(route.request.url).name)
    )
    page.goto(f"{SITE}/")
    return page


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

    ahead = blank.evaluate(FOLD, [pocket, [act]])

    waits = RULESET.view(after, "public")["next"]
    assert (ahead["what"], ahead.get("seat")) == (waits["what"], waits["seat"])


CARD = '<input type="hidden" name="card" value="full-sails">'


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ("<button>A1</button>", "Go: A1"),
        ("<button>Go on</button>", "Go on"),
        ("<button></button>", "Go"),
        ("<button data-whole>Ada leaves</button>", "Ada leaves"),
        ('<button data-told="">Yes</button>', "Go"),
        (
            '<label><input type="checkbox" checked name="x">far</label><button data-told="">',
            "Go: far",
        ),
        (f"{CARD}<button>Play</button>", "full-sails: Play"),
        (f'{CARD}<button aria-label="Go: Full Sails">Full Sails</button>', "Go: Full Sails"),
    ],
)
def test_an_unsent_act_is_named_once(blank: Any, inside: str, said: str) -> None:
    form = f'<input type="hidden" name="type" value="gone">{inside}'
    assert blank.evaluate(PHRASE, [form, {"gone": "Go"}]) == said


def test_an_act_follows_the_last_that_was_sent_though_the_page_does_not_show_it_yet(
    blank: Any,
) -> None:
    assert blank.evaluate(QUEUE) == [1, 2]
