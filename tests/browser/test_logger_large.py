"""No key of any logger is out of reach: at the largest text, on a phone on its side, zoomed in."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

import rules
from matches import decks, selectors
from matches.models import Match
from matches.services import SeatRequest
from rules import bots
from tests import factories
from tests.browser.scribe import Scribe

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

# What cannot be brought onto the screen by scrolling, or lies under something else there.
OUT_OF_REACH = """(within) => {
  const shown = (each) => each.checkVisibility({visibilityProperty: true});
  const targets = [...within.querySelectorAll("a, button, label, select, summary")].filter(shown);
  const reached = (each) => {
    each.scrollIntoView({block: "nearest", inline: "nearest"});
    const {left, right, top, bottom} = each.getClientRects()[0];
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return false;
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return each.contains(there) || there?.closest("label")?.contains(each);
  };
  return targets.filter((each) => !reached(each)).map((each) =>
    each.getAttribute("aria-label") ?? each.textContent.trim());
}"""
SHORT = [(740, 360), (180, 370)]  # a phone on its side, and at 200 %
ACTS = 60
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "zg": [{"depth": "full"}, {"depth": "tests"}, {"depth": "score"}],
    "zx": [{}],
    "zerpang": [{"deck": "demo-99"}],
}
GAMES = [
    pytest.param(game, options, id=f"{game} {options.get('depth', '')}".strip())
    for game, each in OPTIONS.items()
    for options in each
]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_no_key_is_out_of_reach(
    scribe: Callable[..., Scribe], game: str, options: dict[str, Any]
) -> None:
    ruleset = rules.get(game)
    samples = [*decks.samples(ruleset).values()] or [None] * 3
    seats = [
        SeatRequest(name=name, deck=deck)
        for name, deck in zip(("Yow Ferrin", "Ezut Marr", "Kleer Vann"), samples, strict=False)
    ]
    match = factories.match(game=game, seats=seats, options=options)
    phone = scribe(match)
    large = {"name": "text", "value": "largest", "url": phone.page.url}
    phone.page.context.add_cookies([large])
    wrong = []
    for step in states(match):
        phone.open()
        for query in ("", *choices(phone.page)):
            phone.page.goto(f"/matches/{match.code}/table/{query}")
            found = [*seen(phone.page), *short(phone.page)]
            wrong += [f"act {step} {query}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


def states(match: Match) -> Iterator[int]:
    """Let bots play, and tell of each act at which something new may be recorded."""
    pick = bots.Stream("large text")
    known: set[str] = set()
    for number in range(ACTS):
        timeline = selectors.timeline(match)
        kinds = {offer.type for offer in timeline.ruleset.options(timeline.head.state)}
        if not kinds <= known:
            known |= kinds
            yield number
        act = bots.keen_act(timeline.ruleset, timeline.head.state, pick)
        if act is None:
            return
        factories.record(match, act)
        match.log.refresh_from_db()


def choices(page: Any) -> list[str]:
    """Return of the links that only choose one of each kind, as its query."""
    links = page.locator("#lg-desk a[data-part]").evaluate_all(
        "links => links.map(each => each.getAttribute('href'))"
    )
    queries = (link for link in links if link.startswith("?"))
    return [*{re.sub("(?<!end)=[^&]*", "", query): query for query in queries}.values()]


def seen(page: Any) -> Iterator[str]:
    """Yield what is out of reach on the desk, then in each of its sheets, which all close."""
    expect(page.locator('#lg-step:not([data-laid="rests"])')).to_have_count(0)
    yield from page.locator("#logger").evaluate(OUT_OF_REACH)
    for sheet in page.locator(".lg-sheet:not([popover=manual])").all():
        sheet.evaluate("each => each.showPopover()")
        name = sheet.get_attribute("id")
        yield from (f"{name}: {each}" for each in sheet.evaluate(OUT_OF_REACH))
        sheet.get_by_role("button", name="Close", exact=True).click()
        expect(sheet).to_be_hidden()


def short(page: Any) -> Iterator[str]:
    """Yield what is out of reach on the desk where the screen is short, at the usual text."""
    usual = page.viewport_size
    page.evaluate("delete document.documentElement.dataset.text")
    for width, height in SHORT:
        page.set_viewport_size({"width": width, "height": height})
        found = page.locator("#logger").evaluate(OUT_OF_REACH)
        yield from (f"{width} x {height}: {each}" for each in found)
    page.set_viewport_size(usual)
