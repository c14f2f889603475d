"""The main user journeys in a real browser, with JavaScript and without."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from matches import services
from matches.models import Match
from tests import factories
from tests.browser.pages import GOLDEN
from tests.factories import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

PHONE = {"width": 360, "height": 740}


@pytest.fixture(params=[True, False], ids=["with-javascript", "without"])
def phone(request: pytest.FixtureRequest, new_page: Callable[..., Any]) -> Any:
    return new_page(viewport=PHONE, java_script_enabled=request.param)


def test_from_nothing_to_an_open_match_with_its_seats(phone: Any) -> None:
    phone.goto("/")
    phone.get_by_role("link", name="Make an account").click()
    phone.get_by_label("Name at the table").fill("Rim Walker")
    phone.get_by_label("Username").fill("rim")
    phone.get_by_label("Password", exact=True).fill(PASSWORD)
    phone.get_by_label("The password again").fill(PASSWORD)
    phone.get_by_role("button", name="Make the account").click()
    expect(phone.get_by_role("status")).to_contain_text("Welcome, Rim Walker")

    phone.get_by_role("link", name="New match").click()
    phone.get_by_label("Any game, results only").check()
    phone.get_by_role("button", name="Next").click()
    phone.get_by_label("Guest's name").nth(1).fill("Ezut Marr")
    phone.get_by_role("button", name="Open the match").click()

    expect(phone.locator(".qr")).to_have_count(3)
    assert [str(seat.player) for seat in Match.objects.get().seats.all()] == [
        "Rim Walker",
        "Ezut Marr",
    ]


def test_a_form_with_a_fault_keeps_what_was_written(phone: Any) -> None:
    phone.goto("/signup/")
    phone.get_by_label("Name at the table").fill("Rim Walker")
    phone.get_by_label("Username").fill("rim")
    phone.get_by_label("Password", exact=True).fill(PASSWORD)
    phone.get_by_label("The password again").fill("another long password")
    phone.get_by_role("button", name="Make the account").click()
    expect(phone.get_by_role("alert")).to_be_focused()
    expect(phone.get_by_label("Name at the table")).to_have_value("Rim Walker")


def test_from_a_qr_code_to_the_seat_is_one_tap_and_nothing_typed(phone: Any) -> None:
    match = factories.match()
    link = services.seat_link(match.seats.get(number=2))
    phone.goto(f"/j/{link}/")
    phone.get_by_role("button", name="Sit down").click()
    expect(phone.locator("#lg-said")).to_contain_text("You sit at seat 2")
    assert phone.url.endswith(f"/matches/{match.code}/table/")


def test_a_chosen_theme_wins_over_the_device(phone: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    phone.goto("/theme/")
    light = phone.evaluate(ground)
    phone.get_by_label("Dark").check()
    phone.get_by_role("button", name="Keep").click()
    phone.goto("/")
    assert phone.evaluate(ground) != light


def test_results_are_switched_off_and_on_in_the_bar(phone: Any) -> None:
    factories.played(acts=2)
    phone.goto("/matches/?status=open")
    switch = phone.get_by_role("button", name="Hide results", exact=True)
    expect(switch).to_have_attribute("aria-pressed", "false")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert phone.url.endswith("/matches/?status=open")
    notice = phone.locator("#results-off")
    expect(notice).to_be_visible()
    assert notice.evaluate("(one) => getComputedStyle(one).marginBottom") != "0px"
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    box = switch.bounding_box()
    assert min(box["width"], box["height"]) >= 44


def test_a_chosen_text_size_is_kept_and_prints_are_as_ever(phone: Any) -> None:
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    phone.goto("/theme/")
    normal = phone.evaluate(size)
    phone.get_by_label("Largest").check()
    phone.get_by_role("button", name="Keep").click()
    expect(phone.get_by_label("Largest")).to_be_checked()
    phone.goto("/matches/")
    assert phone.evaluate(size) == normal * 1.375
    phone.emulate_media(media="print")
    assert phone.evaluate(size) == normal


def test_prints_are_light_in_every_theme(phone: Any) -> None:
    phone.goto("/theme/")
    phone.get_by_label("Dark").check()
    phone.get_by_role("button", name="Keep").click()
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")
    phone.emulate_media(media="print")
    assert phone.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_on_paper_is_nothing_to_be_pressed_or_filled_in(page: Any) -> None:
    """What stands over the page of a screen would be printed over the log, on every sheet."""
    match = factories.played(acts=3)
    page.emulate_media(media="print")
    page.goto(match.get_absolute_url())
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".scrubber")).to_be_hidden()
    page.goto("/matches/")
    assert page.locator("main form:visible").count() == 0


def test_on_paper_a_winner_stands_in_ink(page: Any) -> None:
    data = (GOLDEN / "zg-duel.zgxl").read_bytes()
    page.emulate_media(media="print")
    page.goto(services.import_log(by=factories.actor(), data=data).get_absolute_url())
    expect(page.locator(".side.won .figure")).to_have_css("color", "rgb(0, 0, 0)")


def test_a_log_is_printed_whole(page: Any) -> None:
    match = factories.duel()
    factories.record(match, {"type": "impulse-won", "seat": 1})
    for seat in (1, 2):
        factories.record(match, {"type": "turn-passed", "seat": seat})
    factories.record(match, {"type": "impulse-won", "seat": 1})
    page.goto(match.get_absolute_url())
    expect(page.locator("#entry-2")).to_be_hidden()  # its turn is over, and folded
    page.emulate_media(media="print")
    expect(page.locator("#entry-2")).to_be_visible()


def test_a_toast_goes_away_where_it_stands(new_page: Callable[..., Any]) -> None:
    page = new_page()
    page.goto("/signup/")
    page.get_by_label("Name at the table").fill("Rim Walker")
    page.get_by_label("Username").fill("rim")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("The password again").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    page.wait_for_load_state()  # without its script the link loads the page anew
    page.evaluate("window.stayed = true")
    page.get_by_role("link", name="Dismiss").click()
    expect(page.locator(".toast")).to_have_count(0)
    assert page.evaluate("window.stayed")


def test_the_keyboard_reaches_the_content_past_the_bar(page: Any) -> None:
    page.goto("/matches/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
