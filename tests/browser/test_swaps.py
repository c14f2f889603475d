"""Parts of a page changed in place: what is refused, and what never arrives, is said."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from characters import services
from tests import factories
from tests.browser.test_desk import signed_in
from tests.browser.test_match import PHONE, sign_in
from tests.characters.sheets import SHEET

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]


@pytest.fixture
def sheet(new_page: Callable[..., Any], live_site: str) -> Any:
    """The page of a character with a goal, as its owner sees it."""
    owner = factories.actor()
    character = services.paste(by=owner, text=SHEET)
    page = signed_in(new_page, live_site, owner)
    page.goto(character.get_absolute_url())
    return page


def test_a_goal_is_added_in_place_and_a_refused_day_is_explained(sheet: Any) -> None:
    goals, at = sheet.locator("#part-goals"), sheet.url
    sheet.get_by_label("New goal").fill("Rest")
    goals.get_by_role("button", name="Add").click()
    goals.get_by_text("Change Rest").click()
    assert sheet.url == at
    sheet.get_by_label("New goal").fill("See Ceres")
    sheet.get_by_label("Day").last.fill("2999-01-01")
    left = "document.querySelectorAll('#part-goals [type=hidden][name=do]').length"
    sheet.evaluate(f"addEventListener('pagehide', () => sessionStorage.left = {left})")
    sheet.get_by_label("Day").last.press("Enter")  # as its key does, and not the one for current
    expect(sheet.get_by_role("heading", level=1)).to_have_text("That is not possible")
    expect(sheet.locator("main")).to_contain_text("day")
    assert sheet.evaluate("sessionStorage.left") == "0"  # or Back and another button would say both
    sheet.locator("main").get_by_role("link", name="Back").click()
    expect(sheet.get_by_label("New goal")).to_have_value("See Ceres")


def test_the_part_that_was_changed_has_the_focus(sheet: Any) -> None:
    part, heading = sheet.locator("#part-notes"), sheet.locator("#part-notes h2")
    part.get_by_role("link", name="Change").click()
    expect(heading).to_be_focused()
    part.get_by_label("Who may know").select_option("Everyone")
    part.get_by_role("button", name="Keep").click()
    expect(part).to_contain_text("you cannot take back")
    expect(heading).to_be_focused()
    part.get_by_role("button", name="Show it to everyone").click()
    expect(part.get_by_role("link", name="Change")).to_be_visible()
    expect(heading).to_be_focused()


def test_without_a_network_the_page_says_so_and_keeps_what_was_typed(sheet: Any) -> None:
    sheet.get_by_label("New goal").fill("Rest")
    sheet.context.set_offline(True)
    sheet.locator("#part-goals").get_by_role("button", name="Add").click()
    expect(sheet.locator("#toasts")).to_contain_text("No network")
    expect(sheet.get_by_label("New goal")).to_have_value("Rest")


def test_what_is_on_its_way_is_seen(sheet: Any) -> None:
    sheet.route("**/goals/**", lambda route: None)  # no answer comes
    sheet.get_by_label("New goal").fill("Rest")
    button = sheet.locator("#part-goals").get_by_role("button", name="Add")
    expect(button).to_have_css("opacity", "1")
    button.click()
    expect(button).to_have_css("opacity", "0.55")


def test_who_is_signed_out_meanwhile_is_told_to_sign_in(sheet: Any) -> None:
    sheet.context.clear_cookies()
    sheet.get_by_role("link", name="Change").first.click()
    expect(sheet.locator("#main").get_by_role("link", name="Sign in")).to_be_visible()


def test_an_older_act_is_corrected_in_four_taps_from_the_logger(
    new_page: Callable[..., Any], live_site: str
) -> None:
    match = factories.played(acts=3)
    page = sign_in(new_page(viewport=PHONE), match, live_site)
    page.goto(f"/matches/{match.code}/table/")
    page.get_by_role("link", name="To the match page").click()
    page.get_by_role("link", name="Correct entry 3").click()
    page.wait_for_load_state()  # what is typed before the script is there is only sent
    changes = page.locator("#changes")
    points = page.locator("main form.act input[name=points]").first
    points.fill("4")
    points.blur()
    expect(changes).to_contain_text("After:")
    changes.get_by_label("Why").fill("Misread.")
    points.fill("3")
    changes.get_by_role("button", name="Correct it").click()  # what it says is out of date
    expect(changes.get_by_label("Why")).to_have_value("")
    expect(changes.locator("[name=points]")).to_have_value("3")
    changes.get_by_label("Why").fill("Misread.")
    changes.get_by_role("button", name="Correct it").click()
    expect(page.get_by_text("Corrected as")).to_be_visible()
