"""The logger by keyboard and with a screen reader."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests import factories
from tests.browser.scribe import Scribe
from tests.browser.test_every_page import AXE

SAYINGS = """() => {
  window.said = [];
  const here = document.getElementById("lg-said");
  const hear = () => window.said.push(here.textContent.replace(/\\s+/g, " ").trim());
  new MutationObserver(hear).observe(here, {childList: true});
}"""

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]


def test_the_keyboard_logs_a_test_and_takes_it_back(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    keys = phone.page.keyboard
    for name in ("ArrowDown", "ArrowRight", "ArrowDown"):
        keys.press(name)
    phone.page.evaluate(SAYINGS)
    phone.act(lambda: [keys.press(name) for name in ("Enter", "Enter")])
    assert phone.timeline().entries[-1].act.end == "b"
    expect(phone.page.locator("#lg-step :focus")).to_have_class("lg-half")
    said = phone.page.evaluate("window.said")
    assert [text for n, text in enumerate(said) if text in said[:n]] == []
    phone.act(lambda: keys.press("Control+z"))
    assert len(phone.timeline().effective()) == 2


def test_the_keyboard_goes_on_at_the_key_it_pressed(scribe: Callable[..., Scribe]) -> None:
    phone = scribe(factories.match())
    row = phone.page.locator("form.act[data-count]").last
    row.get_by_role("spinbutton").fill("3")
    phone.page.keyboard.press("Tab")
    for _ in range(2):
        phone.act(lambda: phone.page.keyboard.press("Enter"))
        expect(row.get_by_role("button", name="Add to")).to_be_focused()
        phone.page.keyboard.press("Shift+Tab")
        phone.page.keyboard.type("4")
        phone.page.keyboard.press("Tab")


def test_a_sheet_opened_by_keyboard_is_gone_through_and_enter_only_ticks_in_it(
    scribe: Callable[..., Scribe],
) -> None:
    """Enter on a box would press the first key of its form, which attacks."""
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    keys, before = phone.page.keyboard, phone.version
    phone.key("+AP", exact=True).focus()
    keys.press("Enter")
    box = phone.page.locator("#lg-ap input").first
    expect(box).to_be_focused()
    keys.press("Enter")
    expect(box).to_be_checked()
    expect(phone.key("+AP", exact=True)).to_be_focused()
    assert phone.page.locator("#lg-sent").is_hidden()
    assert phone.version == before
    keys.press("Space")
    keys.press("Escape")
    expect(phone.key("+AP", exact=True)).to_be_focused()


def test_a_half_says_itself(scribe: Callable[..., Scribe]) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    names = [phone.half("Ridge Helm", end).get_attribute("aria-label") for end in "ab"]
    assert names == [
        "Ridge Helm, end A: red armour-piercing, green, blue",
        "Ridge Helm, end B: green, blue weak point, red armour",
    ]


@pytest.mark.parametrize("look", ["light", "dark"])
def test_no_step_breaks_a_rule_of_accessibility(scribe: Callable[..., Scribe], look: str) -> None:
    phone = scribe(color_scheme=look)
    found = {"impulse": violations(phone)}
    phone.goes_first("Yow Ferrin")
    found["with"] = violations(phone)
    phone.test("Ridge Helm", "Tide Shield", "a", "b")
    phone.tap(phone.half("Fernlight Frontgear", "a"))
    found["against"] = violations(phone)
    for key in ("More", "Retest", "+AP"):
        phone.tap(phone.key(key, exact=True))
        found[key] = violations(phone)
        phone.page.keyboard.press("Escape")
    assert not any(found.values()), found
    assert not phone.heard


def violations(phone: Scribe) -> list[str]:
    answer = Axe().run(phone.page, options=AXE).response
    return [f"{found['id']}: {found['nodes'][0]['html'][:120]}" for found in answer["violations"]]


@pytest.mark.parametrize(("key", "sheet"), [("More", "#lg-more"), ("+AP", "#lg-ap")])
def test_escape_closes_a_sheet_and_only_then_lets_go_of_a_half(
    scribe: Callable[..., Scribe], key: str, sheet: str
) -> None:
    phone = scribe()
    phone.goes_first("Yow Ferrin")
    phone.tap(phone.half("Ridge Helm", "a"))
    phone.tap(phone.key(key, exact=True))
    phone.page.locator(f"{sheet} :is(button, input):visible").first.focus()
    phone.page.keyboard.press("ArrowDown")
    expect(phone.page.locator(f"{sheet} :focus")).to_have_count(1)
    phone.page.keyboard.press("Escape")
    expect(phone.page.locator(sheet)).to_be_hidden()
    expect(phone.page.locator("#lg-step")).to_have_attribute("data-step", "against")
    phone.tap(phone.key(key, exact=True))
    phone.page.locator(f"{sheet} .lg-shut").focus()
    phone.page.keyboard.press("Tab")
    expect(phone.page.locator(sheet)).to_be_hidden()
    phone.page.keyboard.press("Escape")
    expect(phone.page.locator("#lg-step")).to_have_attribute("data-step", "with")
