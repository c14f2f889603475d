"""At the table, in a real browser: recording by forms, taking back, proofs, any moment."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import expect

from matches import scene, selectors
from matches.models import Job, Match
from tests import factories
from tests.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

PHONE = {"width": 360, "height": 640}


def sign_in(page: Any, match: Match, site: str) -> Any:
    """Make a page that of the match's opener."""
    user = factories.opener_of(match).user
    assert isinstance(user, User)
    client = Client()
    client.force_login(user)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
    return page


@pytest.fixture(params=[True, False], ids=["with-javascript", "without"])
def phone(request: pytest.FixtureRequest, new_page: Callable[..., Any]) -> Any:
    return new_page(viewport=PHONE, java_script_enabled=request.param)


def attack(page: Any, card: str, target: str) -> None:
    """Attack with end A on end A, in the form of the one whose pulse it is."""
    form = page.locator("details.attack[open] form")
    form.get_by_label(f"{card}, end A").check(force=True)
    form.get_by_label(f"{target}, end A").check(force=True)
    form.get_by_role("button", name="Record the attack").click()


def test_an_attack_is_recorded_and_told_dot_by_dot(phone: Any, live_site: str) -> None:
    match = factories.duel()
    sign_in(phone, match, live_site).goto(f"/matches/{match.code}/acts/")
    attack(phone, "Ridge Helm", "Tide Shield")
    last = phone.locator("#last")
    expect(last).to_contain_text("Yow Ferrin’s Ridge Helm (end A) against Ezut Marr’s Tide Shield")
    expect(last.locator(".pair")).to_have_count(3)
    expect(last.locator(".reasons li")).to_have_count(3)


def test_the_last_act_is_taken_back_by_its_name(phone: Any, live_site: str) -> None:
    match = factories.duel()
    sign_in(phone, match, live_site).goto(f"/matches/{match.code}/acts/")
    attack(phone, "Ridge Helm", "Tide Shield")
    phone.get_by_role("button", name="Take back Yow Ferrin’s Ridge Helm").click()
    expect(phone.locator("#last")).to_contain_text("Taken back: Yow Ferrin’s Ridge Helm")
    assert len(selectors.timeline(match).effective()) == 1


def test_an_act_against_the_rules_stands_when_the_table_says_so(phone: Any, live_site: str) -> None:
    match = factories.duel()
    sign_in(phone, match, live_site).goto(f"/matches/{match.code}/acts/")
    phone.get_by_text("Something else, as a line of notation").click()
    phone.get_by_label("Act", exact=True).fill('slag-called 1 2 "Tide Shield"')
    phone.locator("form", has=phone.get_by_label("Act", exact=True)).get_by_role("button").click()
    expect(phone.get_by_role("alert")).to_contain_text("depth")
    phone.get_by_role("button", name="It stood").click()
    expect(phone.locator("#last")).to_contain_text("irregular")


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_moves_when_the_scripts_come(new_page: Callable[..., Any], width: int) -> None:
    match = factories.played(acts=12)
    page = new_page(viewport={"width": width, "height": 740}, timezone_id="Australia/Sydney")

    def places() -> Any:
        page.goto(f"/matches/{match.code}/")
        return page.evaluate(
            """() => [...document.querySelectorAll("main section, .lead, .steps > *, .more > *")]
                .map((each) => JSON.stringify(each.getBoundingClientRect()))"""
        )

    alive = places()
    expect(page.locator("#scrubber.alive")).to_be_attached()
    expect(page.locator(".lead time")).not_to_contain_text("UTC")
    page.route("**/*.js", lambda route: route.abort())
    assert places() == alive


def test_a_link_to_an_entry_leads_to_it(phone: Any) -> None:
    match = factories.played(acts=12)
    phone.goto(f"/matches/{match.code}/#entry-2")
    expect(phone.locator("#entry-2")).to_be_in_viewport()


def test_how_a_match_went_is_shown_where_its_link_leads(page: Any) -> None:
    page.goto(f"/matches/{factories.duel().code}/")
    page.get_by_role("link", name="How it went so far").click()
    expect(page.locator("#went")).to_be_in_viewport()
    expect(page.locator("#scrubber.alive")).to_be_attached()
    expect(page).to_have_url(re.compile(r"\?went=1#went$"))


def test_the_beginning_of_a_long_log_is_a_link_away(new_page: Callable[..., Any]) -> None:
    match = factories.played(acts=scene.MAX_LINES + 5)
    page = new_page(viewport=PHONE)
    page.goto(f"/matches/{match.code}/")
    expect(page.locator("#entry-2")).to_have_count(0)
    page.get_by_role("link", name="Entries 1 to 6").click()
    expect(page.locator("#entry-2")).to_have_count(1)


def test_escape_closes_what_lies_over_the_page_of_a_phone(new_page: Callable[..., Any]) -> None:
    match = factories.played(acts=3)
    page = new_page(viewport=PHONE)
    page.goto(f"/matches/{match.code}/")
    expect(page.locator("#scrubber.alive")).to_be_attached()
    opens, keys = page.locator(".more > summary"), page.keyboard
    opens.focus()
    keys.press("Enter")
    page.locator("#goto").focus()
    keys.press("Escape")
    expect(page.locator("#goto")).to_be_hidden()
    expect(opens).to_be_focused()


def test_without_javascript_no_slider_is_shown(new_page: Callable[..., Any]) -> None:
    match = factories.played(acts=3)
    page = new_page(viewport=PHONE, java_script_enabled=False)
    page.goto(f"/matches/{match.code}/")
    expect(page.get_by_role("link", name="First entry")).to_be_visible()
    expect(page.locator("#way")).to_be_hidden()


def test_every_moment_is_a_link_away(phone: Any) -> None:
    match = factories.played(acts=3)
    phone.goto(f"/matches/{match.code}/")
    phone.get_by_role("link", name="Entry before").click()
    expect(phone.locator("main")).to_contain_text("as it stood after entry 3 of 4")
    phone.get_by_role("link", name="The match after entry 2").click()
    expect(phone.locator("#score .figure")).to_have_text(["1", "0"])
    phone.get_by_role("link", name="Back to now").click()
    expect(phone.locator("#score .figure")).to_have_text(["2", "1"])


def test_a_worker_verifies_a_match_asked_for_on_its_page(
    phone: Any, live_site: str, worker: Callable[..., Any]
) -> None:
    match = factories.played(acts=3)
    worker()
    sign_in(phone, match, live_site).goto(f"/matches/{match.code}/verify/")
    phone.get_by_role("button", name="Check now").click()
    job = Job.objects.get()
    eventually(lambda: job.refresh_from_db() or job.done_at, "no worker did the job")
    phone.reload()
    expect(phone.locator("#job")).to_contain_text("It holds All 4 entries")


def test_the_bench_keeps_all_of_a_test_in_its_address(phone: Any) -> None:
    phone.goto("/games/zg/bench/")
    expect(phone.locator("#result")).to_contain_text("3 matches")
    phone.get_by_label("Card", exact=True).first.select_option("Loader Claw")
    phone.get_by_label("Dots").last.fill("R B G")
    phone.get_by_role("button", name="Spin the target").click()
    assert "attack_card=Loader+Claw" in phone.url
    assert "target_end=" in phone.url
    phone.wait_for_load_state()
    told = phone.locator("#result").inner_text()
    phone.reload()
    assert phone.locator("#result").inner_text() == told


def test_wrong_dots_on_the_bench_are_pointed_at(phone: Any) -> None:
    phone.goto("/games/zg/bench/")
    phone.get_by_label("Card", exact=True).first.select_option("Dots typed below")
    phone.get_by_label("Dots").first.fill("R G X")
    phone.get_by_role("button", name="Test", exact=True).click()
    expect(phone.get_by_role("alert")).to_be_focused()
    expect(phone.get_by_role("alert")).to_contain_text("column 5")
    expect(phone.get_by_label("Dots").first).to_have_value("R G X")
