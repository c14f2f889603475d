"""Search by keyboard, and an unattended wall display, in a real browser."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from league import services
from matches import services as logged
from tests.league import desks

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

# As where a browser blocks all that sites would store.
DENIED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("denied", "SecurityError"); },
})"""


def test_a_key_finds_a_tournament_and_its_wall_turns_until_it_is_held(page: Any) -> None:
    cup = desks.tournament(title="Rim cup", round_minutes=50)
    desks.entered(cup, 4)
    desks.start(cup)
    desks.paired(cup)

    page.add_init_script(DENIED)
    page.clock.install(time=0)  # a clock that is wrong
    page.goto("/matches/")
    page.keyboard.press("/")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("Control+k")
    page.keyboard.type("rim")
    expect(page.locator("dialog > [aria-live]")).to_be_attached()  # its script has come
    page.clock.run_for(200)
    expect(page.get_by_role("dialog").get_by_role("link", name="Rim cup")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Rim cup")

    page.wait_for_load_state()  # its script has come
    cut_off = page.locator("#cut")
    page.context.set_offline(True)
    for _ in range(2):
        with page.expect_event("requestfailed", lambda request: "part=live" in request.url):
            page.evaluate("dispatchEvent(new Event('online'))")
    expect(cut_off).to_be_visible()
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(cut_off).to_be_hidden()

    page.get_by_text("On a wall, on paper, elsewhere").click()
    page.get_by_role("link", name="Wall mode").click()
    foot = page.locator(".screen-foot")
    expect(foot).to_contain_text("1 of 2")
    expect(page.locator("time[data-left]")).to_have_text(re.compile("^(50|4.):..$"))
    page.get_by_role("button", name="Stay here").focus()
    page.clock.run_for(16_000)
    expect(foot).to_contain_text("2 of 2")
    expect(page.get_by_text("Swiss: standings")).to_be_visible()
    expect(page.get_by_role("button", name="Stay here")).to_be_focused()
    page.keyboard.press("Enter")
    page.clock.run_for(60_000)
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    expect(foot).to_contain_text("2 of 2")
    page.keyboard.press("Enter")
    page.context.set_offline(True)
    page.clock.run_for(16_000)
    expect(cut_off).to_be_visible()
    page.context.set_offline(False)
    page.clock.run_for(16_000)
    expect(cut_off).to_be_hidden()


NAMES = (
    "Marguerite Delacroix-Whitfield",
    "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzesbeauftragter",
    "👩‍🚀🚀🛸🌌🪐" * 8,
    "W" * 76,
)


def test_a_wall_shows_all_lines_of_a_screen_without_being_scrolled(page: Any) -> None:
    cup = desks.tournament(title="Interstellarer Kapitänsmützenpokal " * 3, round_minutes=50)
    by = desks.organiser(cup)
    for number in range(16):
        name = f"{NAMES[number % 4]} {number}"
        services.enter(tournament=cup, by=by, act_id=uuid4(), name=name)
    desks.act(cup, "stage-started", format="pods", rounds=2, sizes=[4], seed=7)
    desks.paired(cup)
    match = services.open_table(tournament=cup, by=by, number=1, table=1)
    logged.record(
        match=match,
        by=by,
        act_id=uuid4(),
        act={"type": "points-scored", "seat": 1, "points": 3},
    )
    desks.act(cup, "announced", note="Please report before you leave your table. " * 5)
    page.set_viewport_size({"width": 1280, "height": 720})
    sizes = []
    for path in shown_in_turn(page, f"{cup.get_absolute_url()}wall/"):
        page.evaluate("document.fonts.ready.then(() => null)")
        assert page.evaluate("document.documentElement.scrollHeight") == 720, path
        assert page.locator(".screen-lines.tight").count() == 0, path
        lines = page.locator(".screen-lines")
        sizes.append(lines.evaluate("each => parseFloat(getComputedStyle(each).fontSize)"))
    assert min(sizes) > 16  # as large as text on a page, from afar
    page.set_viewport_size({"width": 360, "height": 720})  # a phone is scrolled
    expect(page.locator(".screen-lines")).to_have_attribute("style", "--fit: 1;")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def shown_in_turn(page: Any, url: str) -> Iterator[str]:
    """Open one screen of a wall after the other, and yield where each is."""
    page.goto(url)
    count = int(page.locator(".screen-foot").inner_text().partition(" of ")[2].split()[0])
    for number in range(count):
        page.goto(f"{url}?screen={number}")
        yield page.url


def test_a_line_that_fills_more_than_a_wall_is_cut_short(page: Any) -> None:
    cup = desks.tournament(title="Rim cup")
    by = desks.organiser(cup)
    for number in range(6):
        name = f"{'W' * 76} {number}"
        services.enter(tournament=cup, by=by, act_id=uuid4(), name=name)
    desks.act(cup, "stage-started", format="pods", rounds=1, sizes=[6], seed=7)
    desks.paired(cup)
    page.set_viewport_size({"width": 1024, "height": 230})
    page.goto(f"{cup.get_absolute_url()}wall/?show=pairings")
    expect(page.locator(".screen-lines")).to_have_class(re.compile("tight"))


def test_an_embed_is_as_large_as_text_is_in_the_browser_not_as_chosen_for_the_site(
    page: Any, live_site: str
) -> None:
    cup = desks.tournament(title="Rim cup")
    page.context.add_cookies([{"name": "text", "value": "largest", "url": live_site}])
    size = "parseFloat(getComputedStyle(document.body).fontSize)"
    page.goto(f"/tournaments/{cup.code}/embed/standings/")
    plain = page.evaluate(size)
    page.goto(f"/tournaments/{cup.code}/")
    assert page.evaluate(size) == 1.375 * plain
    session = page.context.new_cdp_session(page)
    session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    page.goto(f"/tournaments/{cup.code}/embed/standings/")
    assert page.evaluate(size) == 2 * plain
