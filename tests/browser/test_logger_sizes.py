"""The logger fits the screen, and its targets the finger."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

import rules
from matches import decks
from matches.services import SeatRequest
from tests import factories
from tests.browser.scribe import Scribe

SIZES = [(320, 568), (360, 560), (360, 616), (360, 664), (360, 740), (412, 780)]

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]


# Names are whole lines high, one at least.
MEASURE = """() => {
  const shown = (element) => element.checkVisibility({visibilityProperty: true});
  const find = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const named = (element) => (element.getAttribute("aria-label") ?? element.textContent).trim();
  const targets = find("#logger :is(button, a, label)").map((element) => {
    const {width, height, right, bottom, left} = element.getBoundingClientRect();
    return {
      name: `${named(element)} ${width}x${height}`,
      small: width < 44 || height < 44,
      out: left < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5,
    };
  });
  const fits = (pane) =>
    pane.scrollHeight <= pane.clientHeight + 1 && pane.scrollWidth <= pane.clientWidth + 1;
  const isCut = (name) => {
    const height = parseFloat(getComputedStyle(name).lineHeight);
    const lines = name.getBoundingClientRect().height / height;
    return lines < 0.95 || Math.abs(lines - Math.round(lines)) > 0.05;
  };
  const panes = find(":root, .lg-desk, .lg-step, .lg-grid, #lg-act");
  return {
    small: targets.filter((target) => target.small).map((target) => target.name),
    out: targets.filter((target) => target.out).map((target) => target.name),
    cut: find(".lg-tile > .lg-name").filter(isCut).map(named),
    scrolls: panes.filter((pane) => !fits(pane)).map((pane) => pane.className + pane.id),
  };
}"""


@pytest.mark.parametrize("cards", [12, 16])
def test_every_target_fits_the_screen_and_the_finger(
    scribe: Callable[..., Scribe], cards: int
) -> None:
    samples = [sized(deck, cards) for deck in decks.samples(rules.get("zg")).values()]
    seats = [
        SeatRequest(name="Yow Ferrin", deck=samples[0]),
        SeatRequest(name="Ezut Marr", deck=samples[1]),
    ]
    phone = scribe(factories.match(game="zg", seats=seats))
    phone.goes_first("Yow Ferrin")
    phone.test("Fernlight Frontgear", "Tide Shield")
    wrong = []
    for step in ("with", "against"):
        if step == "against":
            phone.tap(phone.half("Ridge Helm", "a"))
        for width, height in SIZES:
            phone.page.set_viewport_size({"width": width, "height": height})
            found = phone.page.evaluate(MEASURE)
            wrong += [
                (step, width, height, kind, found[kind])
                for kind in ("small", "out", "scrolls", "cut")
                if found[kind]
            ]
    assert not wrong


CLIPPED = """() => [...document.querySelectorAll("#logger :is(.lg-name, .lg-half)")]
  .filter((element) => element.checkVisibility({visibilityProperty: true}))
  .filter((element) => element.getBoundingClientRect().height < (
    element.matches(".lg-name") ? parseFloat(getComputedStyle(element).fontSize) : 44))
  .map((element) => element.textContent.trim())"""


BESIDE = """() => [...document.querySelectorAll("#logger :is(a, button, label, .lg-side)")]
  .filter((element) => element.checkVisibility({visibilityProperty: true}))
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1
    || element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.textContent.trim())"""


@pytest.mark.parametrize("text", ["larger", "largest"])
def test_larger_text_keeps_names_and_targets_and_scrolls_one_way(
    scribe: Callable[..., Scribe], text: str
) -> None:
    phone = scribe()
    phone.page.context.add_cookies([{"name": "text", "value": text, "url": phone.page.url}])
    phone.open()
    for width, height in SIZES[1:]:
        phone.page.set_viewport_size({"width": width, "height": height})
        found = phone.page.evaluate(MEASURE)
        assert not found["small"], (width, height)
        assert not phone.page.evaluate(CLIPPED), (width, height)
        for pane in (":root", "#logger", ".lg-desk", ".lg-grid"):
            wide = (
                f'(e => e && e.scrollWidth > e.clientWidth + 1)(document.querySelector("{pane}"))'
            )
            assert not phone.page.evaluate(wide), (pane, width, height)


def test_zoomed_in_or_on_its_side_a_phone_keeps_its_keys_within_reach(
    scribe: Callable[..., Scribe],
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    phone.page.set_viewport_size({"width": 180, "height": 370})  # 200 % of 360 x 740
    assert not phone.page.evaluate(BESIDE)
    phone.page.set_viewport_size({"width": 320, "height": 256})  # 400 % of 1280 x 1024
    assert not phone.page.evaluate(BESIDE) + phone.page.evaluate(MEASURE)["scrolls"]
    phone.page.set_viewport_size({"width": 740, "height": 360})
    phone.tap(phone.half("Ridge Helm", "a"))
    found = phone.page.evaluate(MEASURE)
    assert not found["out"] + found["small"] + found["scrolls"]


def test_zoomed_in_far_no_bar_stays_over_the_page(page: Any) -> None:
    match = factories.played(acts=9)
    page.set_viewport_size({"width": 320, "height": 256})  # 400 % of 1280 x 1024
    page.goto(f"/matches/{match.code}/")
    page.get_by_role("heading", name="Log").scroll_into_view_if_needed()
    for bar in (".topbar", ".scrubber", ".tabbar"):
        expect(page.locator(bar)).not_to_be_in_viewport()


def sized(deck: dict[str, Any], cards: int) -> dict[str, Any]:
    """Return a sample deck made larger with feet."""
    feet = next(card for card in deck["cards"] if card["slot"] == "Footgear")
    more = [{**feet, "name": f"Spare Feet {n}"} for n in range(cards - len(deck["cards"]))]
    return {**deck, "cards": [*deck["cards"], *more]}
