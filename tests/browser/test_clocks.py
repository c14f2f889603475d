"""A tournament's times in a browser whose time zone is not the venue's."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from league import services
from league.models import Tournament
from matches.models import Match
from tests import factories
from tests.browser.test_desk import signed_in
from tests.league import desks

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]

THERE = "7 Jan 2031, 19:30 AEDT (Melbourne)"


def cup() -> Tournament:
    begins = datetime(2031, 1, 7, 8, 30, tzinfo=UTC)
    return desks.tournament(starts_at=begins, timezone="Australia/Melbourne")


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("Europe/Berlin", f"{THERE} · 09:30 your time"),
        ("Pacific/Kiritimati", f"{THERE} · 22:30 your time"),
        ("America/Los_Angeles", f"{THERE} · 00:30 your time"),
        ("Pacific/Honolulu", f"{THERE} · 6 Jan 2031, 22:30 your time"),
        ("Australia/Sydney", THERE),
    ],
)
def test_times_are_told_by_the_place_and_by_the_readers_own_clock(
    new_page: Callable[..., Any], zone: str, told: str
) -> None:
    path = cup().get_absolute_url()
    page = new_page(timezone_id=zone)
    for at in (path, "/tournaments/", "/"):
        page.goto(at)
        expect(page.locator("main time[data-there]")).to_have_text(told)


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("UTC", "7 Jan 2031, 08:30 UTC"),
        ("Europe/Berlin", "7 Jan 2031, 09:30 CET"),
        ("Pacific/Honolulu", "6 Jan 2031, 22:30 GMT-10"),
    ],
)
def test_a_match_tells_when_it_began_by_the_readers_clock(
    new_page: Callable[..., Any], zone: str, told: str
) -> None:
    match = factories.played(acts=1)
    Match.objects.filter(pk=match.pk).update(started_at=datetime(2031, 1, 7, 8, 30, tzinfo=UTC))
    page = new_page(timezone_id=zone)
    page.goto(f"/matches/{match.code}/")
    expect(page.locator(".lead time")).to_have_text(told)


def test_a_logger_tells_that_the_clock_was_stopped_before_its_next_act(
    new_page: Callable[..., Any], live_site: str
) -> None:
    made = desks.tournament(round_minutes=50)
    desks.entered(made, 2)
    desks.start(made)
    desks.paired(made)
    by = desks.organiser(made)
    match = services.open_table(tournament=made, by=by, number=1, table=1)
    page = signed_in(new_page, live_site, by)
    page.goto(f"/matches/{match.code}/table/")
    clock = page.locator(".lg-round")
    expect(clock).to_contain_text("Time is up at")
    desks.act(made, "clock-paused", round=1)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(clock).to_contain_text("The clock is paused")


def test_new_venues_and_tournaments_are_offered_the_organisers_time_zone(
    new_page: Callable[..., Any], live_site: str
) -> None:
    there = partial(new_page, timezone_id="Australia/Melbourne")
    page = signed_in(there, live_site, factories.actor("host"))
    for path in ("/tournaments/new/", "/venues/new/"):
        page.goto(path)
        expect(page.locator("[name=timezone]")).to_have_value("Australia/Melbourne")


def test_without_a_script_the_clock_of_the_place_is_told(new_page: Callable[..., Any]) -> None:
    path = cup().get_absolute_url()
    page = new_page(timezone_id="Europe/Berlin", java_script_enabled=False)
    page.goto(path)
    expect(page.locator("main time[data-there]")).to_have_text(THERE)


def test_in_german_the_readers_clock_is_told_in_german(
    new_page: Callable[..., Any], live_site: str
) -> None:
    path = cup().get_absolute_url()
    page = new_page(timezone_id="Europe/Berlin")
    page.context.add_cookies([{"name": "django_language", "value": "de", "url": live_site}])
    page.goto(path)
    expect(page.locator("main time[data-there]")).to_contain_text("(Melbourne) · 09:30 deine Zeit")
