"""The navigation around every page: a row of links on top, or the tab bar at the bottom."""

from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories
from tests.browser.test_match import sign_in
from tests.characters.duels import card_for

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

SIZES = {"": 1.0, "larger": 1.1875, "largest": 1.375}
WIDTHS = (360, 768, 912, 1056, 1280)
WRAPPED = """() => {
  const links = [...document.querySelectorAll(".topbar :is(a, button)")].filter((each) =>
    each.checkVisibility());
  const tops = new Set(links.map((each) => Math.round(each.getBoundingClientRect().top)));
  return tops.size > 1 || links.some((each) => each.getBoundingClientRect().right > innerWidth);
}"""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("text", SIZES)
def test_the_links_stand_in_one_row_or_at_the_thumb(
    page: Any, live_site: str, text: str, language: str
) -> None:
    match = factories.played(acts=1)
    sign_in(page, match, live_site)
    for name, value in (("text", text), (settings.LANGUAGE_COOKIE_NAME, language)):
        page.context.add_cookies([{"name": name, "value": value, "url": live_site}])
    page.goto(reverse("matches:match-detail", args=[match.code]))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 700})
        assert not page.evaluate(WRAPPED), width
        above, thumb = page.locator(".topbar nav"), page.locator(".tabbar")
        wide = width >= 768 * SIZES[text]
        assert (above.is_visible(), thumb.is_visible()) == (wide, not wide), width
    if not text:
        session = page.context.new_cdp_session(page)
        session.send("Page.enable")
        session.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})  # the browser's own
        page.set_viewport_size({"width": 360, "height": 700})
        assert not page.evaluate(WRAPPED)
        assert page.evaluate("document.documentElement.scrollWidth") == 360


LINES = """() => new Set([...document.querySelectorAll(".sitefoot a")].map((each) =>
  Math.round(each.getBoundingClientRect().top))).size"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_links_below_stand_in_one_row_on_a_desktop(
    page: Any, live_site: str, language: str
) -> None:
    name = settings.LANGUAGE_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": language, "url": live_site}])
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(reverse("matches:home"))
    assert page.evaluate(LINES) == 1


def test_a_button_to_filter_is_no_wider_than_what_it_says(page: Any) -> None:
    page.goto(f"{reverse('characters:character-list')}?q=oriel")
    button = page.get_by_role("button", name="Filter")
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert button.bounding_box()["width"] < 120, width


def test_what_a_line_is_about_stays_in_sight_beside_the_last_card(page: Any) -> None:
    chosen = [card_for(slot) for slot in ("Claw", "Shield", "Helmet", "Ulster")]
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/cards/compare/?{'&'.join(f'card={card.pk}' for card in chosen)}")
    page.get_by_role("link", name=chosen[-1].name).first.scroll_into_view_if_needed()
    expect(page.get_by_role("rowheader", name="Slot")).to_be_in_viewport(ratio=1)


# Labels that lie over what they name, or stand out of the drawing.
MISPLACED = """() => [...document.querySelectorAll(".sky")].flatMap((sky) => {
  const within = sky.querySelector("svg").getBoundingClientRect();
  return [...sky.querySelectorAll("text.sky-left, text.sky-right")].filter((each) => {
    const at = each.getBoundingClientRect();
    const shapes = [...each.parentElement.querySelectorAll("circle, ellipse")];
    const under = shapes.map((shape) => shape.getBoundingClientRect());
    const covers = ({left, right, top, bottom}) =>
      left < at.right && at.left < right && top < at.bottom && at.top < bottom;
    return at.left < within.left || at.right > within.right || under.some(covers);
  }).map((each) => each.textContent);
})"""


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_drawings_of_places_stay_whole_from_right_to_left(
    page: Any, direction: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    for place in ("", "terminus/", "singapore/"):
        page.goto(f"/lore/{place}")
        page.evaluate("direction => { document.documentElement.dir = direction }", direction)
        assert not page.evaluate(MISPLACED), place
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_the_browser_does_not_copy_is_selected(page: Any) -> None:
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error())")
    page.goto(reverse("developers"))
    button = page.get_by_role("button", name="Copy").first
    button.click()
    expect(page.locator("#toasts")).to_contain_text("It is selected")
    told = "document.getElementById(document.querySelector('[data-copy]').dataset.copy).textContent"
    assert page.evaluate(f"getSelection().toString().trim() === {told}.trim()")
