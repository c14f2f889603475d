"""The match page in a real browser: it follows, it goes to any moment, it keeps the focus."""

import random
import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from matches import selectors, services
from matches.models import Match
from matches.services import SeatRequest
from tests import factories
from tests.browser.held import Held
from tests.browser.pages import GOLDEN
from tests.browser.test_every_page import AXE, LOOKS
from tests.league import desks

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

RECONNECTS = 200
ASK = "dispatchEvent(new Event('online'))"
LOST = """
window.setTimeout = () => 0;
window.EventSource = class extends EventTarget {
  constructor() { super(); window.stream = this; }
};
const ask = window.fetch;
window.asked = 0;
window.isLost = false;
window.fetch = (...all) => {
  window.asked += 1;
  return window.isLost ? Promise.reject(new TypeError()) : ask(...all);
};
window.tell = (kind) => {
  window.stream.dispatchEvent(new Event(kind));
  const {port1, port2} = new MessageChannel();
  return new Promise((done) => { port1.onmessage = done; port2.postMessage(0); });
};
"""
PAUSES = """
const later = window.setTimeout;
window.setTimeout = (work, pause) => later(work, (window.pause = pause));
"""


@pytest.fixture
def match() -> Match:
    return factories.played(acts=3)


def golden() -> Match:
    """A whole Z-G duel, worked out by hand."""
    return services.import_log(by=factories.actor(), data=(GOLDEN / "zg-duel.zgxl").read_bytes())


def at(match: Match, query: str = "") -> str:
    return f"/matches/{match.code}/{query}"


def take_back(match: Match, to: int) -> None:
    services.take_back(match=match, by=factories.opener_of(match), act_id=uuid4(), to=to)


def stop_the_clock(page: Any, address: str) -> None:
    """Open a page on which time passes as the test says, once it has loaded."""
    page.clock.install(time=0)
    page.goto(address)
    page.clock.pause_at(3_600)


def entries(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all("#log-lines li", "all => all.map(li => li.id)")
    return found


# -- following ------------------------------------------------------------------------------


def test_a_spectator_sees_an_act_without_asking(page: Any) -> None:
    sides = [SeatRequest(name="Ca$&h"), SeatRequest(label="Side 2")]
    match = factories.played(acts=3, seats=sides)
    page.goto(at(match))
    factories.record(match, factories.points(seat=2, points=7))
    expect(page.locator("#score .figure")).to_have_text(["2", "8"])
    expect(page.locator("#part-last")).to_contain_text("7 points")
    expect(page.locator("#said")).to_contain_text("7 points")
    expect(page.locator("#log-lines [aria-current]")).to_have_id("entry-5")
    assert page.title().startswith("Ca$&h 2, Side 2 8")
    expect(page.locator(".topbar .here")).to_have_text("Ca$&h 2, Side 2 8")


def test_where_there_is_a_stream_a_page_hears_and_does_not_ask(
    page: Any, live_streams: str, match: Match
) -> None:
    with page.expect_response(lambda response: "/stream/" in response.url) as opened:
        page.goto(live_streams + at(match), wait_until="commit")
    assert opened.value.status == 200
    assert opened.value.headers["content-encoding"] == "gzip"
    expect(page.locator("#scene")).to_have_attribute("data-stream", at(match, "stream/"))
    page.route("**/?after=*", lambda route: route.abort())
    factories.record(match, factories.points(seat=2, points=7))
    expect(page.locator("#score .figure")).to_have_text(["2", "8"])
    expect(page.locator("#log-lines [aria-current]")).to_have_id("entry-5")


@pytest.mark.parametrize("kind", ["match", "tournament"])
def test_while_a_connection_is_lost_its_timer_alone_polls_until_it_is_back(
    page: Any, live_streams: str, match: Match, kind: str
) -> None:
    page.add_init_script(LOST)
    page.goto(
        live_streams + (at(match) if kind == "match" else desks.tournament().get_absolute_url())
    )
    assert page.evaluate("isLost = true, tell('error').then(() => asked)") == 1
    assert page.evaluate("tell('error').then(() => tell('error')).then(() => asked)") == 1
    assert page.evaluate("isLost = false, tell('open').then(() => asked)") == 2


def test_a_stream_that_was_refused_is_asked_for_again_a_while_later(
    page: Any, live_streams: str, match: Match
) -> None:
    page.clock.install()
    page.route("**/stream/*", lambda route: route.fulfill(status=502), times=1)
    with page.expect_response(lambda response: response.status == 502):
        page.goto(live_streams + at(match), wait_until="commit")
    page.clock.run_for(50_000)
    with page.expect_response(lambda response: "/stream/" in response.url) as opened:
        page.clock.run_for(120_000)
    assert opened.value.status == 200


def test_what_is_taken_back_is_struck_while_one_looks_on(page: Any, match: Match) -> None:
    page.goto(at(match))
    take_back(match, 3)
    page.evaluate(ASK)
    expect(page.locator("#entry-4")).to_contain_text("taken back")
    expect(page.locator("#entry-5")).to_contain_text("Taken back")


def test_following_leaves_the_focus_where_it_is(page: Any, match: Match) -> None:
    page.goto(at(match))
    link = page.get_by_role("link", name="The match after entry 4")
    link.focus()
    take_back(match, 3)
    page.evaluate(ASK)
    expect(page.locator("#entry-4")).to_contain_text("taken back")
    expect(page.get_by_role("link", name="The match after entry 4")).to_be_focused()


def look_again(page: Any) -> int:
    """Let time pass until a page asks for what is new; return how long that takes, in ms."""
    pause = int(page.wait_for_function("() => window.pause").json_value())
    page.evaluate("window.pause = 0")
    with page.expect_response(lambda response: "after=" in response.url):
        page.clock.run_for(pause)
    return pause


def test_an_end_that_is_taken_back_is_seen_by_who_stayed(page: Any, match: Match) -> None:
    page.clock.install()
    page.add_init_script(PAUSES)
    page.goto(at(match))
    factories.record(match, {"type": "game-won", "seat": 1})
    while look_again(page) < 30_000:  # the end, and the questions just after it
        pass
    expect(page.locator("#score")).to_contain_text("Ended")
    take_back(match, 4)
    look_again(page)
    expect(page.locator("#score")).not_to_contain_text("Ended")


def test_an_ended_match_is_asked_about_ever_more_seldom(page: Any, match: Match) -> None:
    factories.record(match, {"type": "game-won", "seat": 1})
    page.clock.install()
    page.add_init_script(PAUSES)
    page.goto(at(match))
    assert [look_again(page) for _ in range(3)] == [30_000, 60_000, 120_000]


def test_a_lost_connection_is_said_and_comes_back(page: Any, match: Match) -> None:
    page.goto(at(match))
    page.context.set_offline(True)
    page.evaluate(ASK)
    expect(page.locator("#cut")).to_be_visible()
    factories.record(match)
    page.context.set_offline(False)
    expect(page.locator("#entry-5")).to_be_visible()
    expect(page.locator("#cut")).to_be_hidden()


def test_forced_reconnects_lose_and_double_no_line(page: Any, match: Match) -> None:
    """The page is thrown back to any cursor it had, some answers are lost, and acts go on."""
    pick = random.Random(11)
    page.goto(at(match))
    lose = {"next": False}
    page.route("**/?after=*", lambda route: route.abort() if lose["next"] else route.continue_())
    for number in range(RECONNECTS):
        if number % 10 == 0:
            head = match.log.head_version
            take_back(match, head - 1) if number % 40 == 30 else factories.record(match)
        lose["next"] = pick.random() < 0.2
        cursor = pick.randint(1, match.log.head_version)
        page.evaluate(
            "cursor => { const all = document.getElementById('scene').dataset;"
            f"all.version = Math.min(cursor, all.last); all.tag = ''; {ASK} }}",
            cursor,
        )
    lose["next"] = False
    page.evaluate(ASK)
    head = match.log.head_version
    expect(page.locator(f"#entry-{head}")).to_be_visible()
    assert entries(page) == [f"entry-{version}" for version in range(head, 0, -1)]
    counts = selectors.timeline(match).effective()
    struck = page.eval_on_selector_all("#log-lines li.undone", "all => all.length")
    assert struck == head - len(counts)


@pytest.mark.parametrize("kind", ["home", "match", "a moment", "tournament", "wall"])
def test_a_page_that_was_open_as_a_new_release_came_loads_anew(
    page: Any, match: Match, kind: str
) -> None:
    """No page shows a part of one release by the scripts and styles of another."""
    page.clock.install()
    cup = desks.tournament().get_absolute_url()
    paths = {"home": "/", "tournament": cup, "wall": f"{cup}wall/"}
    page.goto(paths.get(kind, at(match)))
    page.evaluate("document.querySelector('[data-release]').dataset.release = 'another'")
    if kind != "a moment":  # what is polled has changed
        page.evaluate(
            "for (const it of document.querySelectorAll('[data-tag]')) it.dataset.tag = ''"
        )
        page.evaluate(
            "for (const it of document.querySelectorAll('[data-live]')) it.dataset.live = ''"
        )
    with page.expect_navigation():
        if kind == "a moment":
            page.get_by_role("link", name="Entry before").click()
        else:
            page.clock.fast_forward(20_000)
    told = page.locator("[data-release]").first.get_attribute("data-release")
    assert re.fullmatch("[0-9a-f]+", told)
    assert page.url.endswith("?at=3") == (kind == "a moment")


# -- moments --------------------------------------------------------------------------------


def test_the_scrubber_goes_to_every_moment_by_the_keyboard_alone(page: Any, match: Match) -> None:
    page.goto(at(match))
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#past")).to_contain_text("entry 3 of 4")
    expect(page.locator("#score .figure")).to_have_text(["1", "1"])
    assert page.url.endswith("?at=3")
    page.keyboard.press("Home")
    expect(page.locator("#past")).to_contain_text("entry 1 of 4")
    page.keyboard.press("End")
    expect(page.locator("#past")).to_be_hidden()
    assert page.url.endswith(at(match))


def test_tab_and_keys_alone_lead_through_a_match(page: Any, match: Match) -> None:
    page.goto(at(match))
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "way":
            break
    expect(page.get_by_role("slider")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_text("While the focus is in here")).to_be_visible()
    page.keyboard.press("Home")
    expect(page.locator("#past")).to_contain_text("entry 1 of 4")
    page.keyboard.press("t")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#past")).to_be_hidden()


@pytest.mark.parametrize("look", ["light-360", "dark-1280", "forced-360"])
def test_a_moment_looked_back_at_is_accessible(page: Any, look: str) -> None:
    width, media = LOOKS[look]
    page.emulate_media(**media)
    page.set_viewport_size({"width": width, "height": 5000})
    page.goto(at(golden()))
    page.get_by_role("link", name="Entry before").click()
    expect(page.locator("#past")).to_be_visible()
    page.evaluate("for (const it of document.querySelectorAll('#scrubber details')) it.open = true")
    assert Axe().run(page, options=AXE).response["violations"] == []


def test_the_scrubber_is_large_enough_and_never_too_wide(page: Any, match: Match) -> None:
    page.goto(at(match))
    for width in (320, 360, 768, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for target in page.locator("#scrubber :is(a, button, select, input):visible").all():
            box = target.bounding_box()
            assert min(box["width"], box["height"]) >= 44, target.evaluate("it => it.outerHTML")


def test_keys_do_nothing_outside_the_scrubber(page: Any, match: Match) -> None:
    page.goto(at(match))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(page.locator("#past")).to_be_hidden()


def test_a_line_of_the_log_shows_its_moment_and_keeps_the_focus(page: Any, match: Match) -> None:
    page.goto(at(match))
    page.get_by_role("link", name="The match after entry 2").press("Enter")
    expect(page.locator("#past")).to_contain_text("entry 2 of 4")
    expect(page.get_by_role("link", name="The match after entry 2")).to_be_focused()
    expect(page.locator("#log-lines li")).to_have_count(4)


def test_play_walks_from_the_start_to_the_end(page: Any, match: Match) -> None:
    """Each moment is waited for, however late it comes."""
    stop_the_clock(page, at(match))
    first = Held(page, "**/?at=1&part=moment")
    page.get_by_label("Speed").select_option("8×")
    play = page.get_by_role("button", name="Play")
    play.click()
    page.clock.run_for(1_000)
    first.next().continue_()
    for entry in (1, 2, 3):
        expect(page.locator("#past")).to_contain_text(f"entry {entry} of 4")
        page.clock.run_for(188)  # an eighth of 1.5 s
    expect(page.locator("#past")).to_be_hidden()
    page.clock.run_for(188)
    expect(play).to_have_attribute("aria-pressed", "false")


def test_a_past_page_has_the_log_on_from_there(page: Any, match: Match) -> None:
    page.goto(at(match, "?at=2"))
    page.get_by_role("link", name="Entry after").click()
    expect(page.locator("#past")).to_contain_text("entry 3 of 4")
    expect(page.locator("#log-lines li")).to_have_count(4)


def test_steps_by_turn_lead_from_turn_to_turn(page: Any) -> None:
    match = golden()
    page.goto(at(match))
    turns = page.locator("#part-track").get_attribute("data-turns").split()
    page.get_by_role("combobox", name="Step").select_option("turn")
    for turn in turns[:-3:-1]:
        page.get_by_role("link", name="Entry before").click()
        expect(page.locator("#scrubber [data-at]")).to_have_text(turn)


def test_looking_back_at_a_live_match_is_not_disturbed(page: Any, match: Match) -> None:
    page.goto(at(match))
    page.get_by_role("link", name="Entry before").click()
    expect(page.locator("#past")).to_contain_text("entry 3 of 4")
    factories.record(match)
    page.evaluate(ASK)
    expect(page.locator("#past")).to_contain_text("entry 3 of 5")
    expect(page.locator("#score .figure")).to_have_text(["1", "1"])
    expect(page.locator("#entry-5")).to_be_visible()


def test_a_moment_is_shared_by_its_address(new_page: Callable[..., Any], match: Match) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    stop_the_clock(page, at(match, "?at=2"))
    share = page.get_by_role("link", name="Share this moment")
    share.click()
    page.get_by_role("link", name="Link copied").click()
    assert page.evaluate("navigator.clipboard.readText()").endswith(at(match, "?at=2"))
    page.clock.run_for(3_000)  # since the second was copied, before which no reading is answered
    expect(share).to_be_visible()


def test_a_moment_is_shared_as_the_device_does(page: Any, match: Match) -> None:
    """Where that fails the address is shown, unless whoever shares thought better of it."""
    page.goto(at(match, "?at=2"))
    told = page.locator("#toasts")
    for fails_with, shown in (("AbortError", ""), ("NotAllowedError", at(match, "?at=2"))):
        page.evaluate(
            """(name) => navigator.share = ({url}) => {
              document.title = url;
              return Promise.reject(new DOMException("", name));
            }""",
            fails_with,
        )
        page.get_by_role("link", name="Share this moment").click()
        expect(page).to_have_title(re.compile(re.escape(at(match, "?at=2")) + "$"))
        expect(told).to_have_text(re.compile(re.escape(shown) + "$"))


def test_home_follows_what_is_on_air(page: Any, match: Match) -> None:
    factories.match(game="score", seats=[SeatRequest(name=f"Side {n}") for n in range(1, 7)])
    page.goto("/")
    boards = page.locator("#air .score.mini")
    expect(boards).to_have_count(2)
    assert len({round(boards.nth(n).bounding_box()["height"]) for n in range(2)}) == 1
    board = page.get_by_role("link", name=re.compile(match.code))
    board.focus()
    factories.record(match, factories.points(2, 9))
    expect(page.locator("#air")).to_contain_text("Side 2: 9 points.")
    expect(board).to_be_focused()


def test_the_scrubber_keeps_the_eyes_one_looks_with(page: Any, match: Match) -> None:
    page.goto(at(match, "?as=public"))
    page.get_by_role("link", name="Entry before").click()
    expect(page.locator("#past")).to_contain_text("entry 3 of 4")
    assert page.url.endswith("?at=3&as=public")


# -- fairness -------------------------------------------------------------------------------


def spun() -> Match:
    """A short Z-G duel with two spins of the site, given up: its seed is out."""
    match = factories.duel()
    factories.record(match, {"type": "impulse-won", "seat": 1})
    attack = {
        "type": "attacked",
        "seat": 1,
        "end": "a",
        "foe": 2,
        "target": "Tide Shield",
        "target_end": "a",
        "spin": "server",
    }
    for card in ("Ridge Helm", "Fernlight Frontgear"):
        factories.record(match, attack | {"card": card}, irregular=True)
    factories.record(match, {"type": "conceded", "seat": 1})
    return match


def test_the_browser_makes_every_draw_again(page: Any) -> None:
    page.goto(at(spun(), "fair/"))
    expect(page.locator("#verdict")).to_contain_text("the secret is the promised one")
    expect(page.locator("#verdict")).to_contain_text("2 of 2 draws agree")
    expect(page.locator("[data-check]")).to_have_text(["✓ agrees"] * 2)


def test_a_draw_that_was_changed_is_pointed_at(page: Any) -> None:
    match = spun()
    page.route("**/fair/", lambda route: _with_other_end(route))
    page.goto(at(match, "fair/"))
    expect(page.locator("#verdict")).to_contain_text("0 of 2 draws agree")
    expect(page.locator("[data-check]").first).to_contain_text("differs")


def _with_other_end(route: Any) -> None:
    answer = route.fetch()
    body = re.sub(r'data-index="(.)"', lambda m: f'data-index="{1 - int(m[1])}"', answer.text())
    route.fulfill(response=answer, body=body)
