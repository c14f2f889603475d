"""A long job in a real browser: its progress with a script and on reload, and its end."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import expect

from matches import jobs
from matches.models import Job
from tests import factories
from tests.matches.parcels import player_of

pytestmark = [pytest.mark.browser, pytest.mark.sqlite]


@pytest.fixture(params=[True, False], ids=["with-javascript", "without"])
def phone(request: pytest.FixtureRequest, new_page: Callable[..., Any], live_site: str) -> Any:
    """The phone of somebody signed in with a match of theirs."""
    page = new_page(viewport={"width": 360, "height": 640}, java_script_enabled=request.param)
    client, page.scripted = Client(), request.param
    client.force_login(player_of(1).user)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_site}])
    return page


def look(page: Any) -> None:
    """Wait for what a page finds out by itself; without scripts one looks again."""
    if not page.scripted:
        page.get_by_role("link", name="Look again").click()


def test_everything_is_asked_for_watched_and_fetched(phone: Any) -> None:
    phone.goto("/me/")
    phone.get_by_role("link", name="Take everything along").click()
    phone.get_by_role("button", name="Pack everything").click()
    job = Job.objects.get()
    assert phone.url.endswith(f"/me/jobs/{job.pk}/")
    bar = phone.get_by_role("progressbar")
    expect(bar).to_have_attribute("aria-valuetext", "not begun")
    Job.objects.update(started_at=timezone.now(), done=12, total=40)
    look(phone)
    expect(bar).to_have_attribute("aria-valuenow", "12")
    expect(bar).to_have_attribute("aria-valuemax", "40")
    expect(phone.locator("#job")).to_contain_text("12 of 40")
    phone.reload()
    expect(bar).to_have_attribute("aria-valuenow", "12")
    Job.objects.update(started_at=None)
    assert jobs.do(job.pk)
    look(phone)
    with phone.expect_download() as fetched:
        phone.get_by_role("link", name="everything.zip").click()
    assert fetched.value.suggested_filename == "everything.zip"
    phone.goto("/me/jobs/")
    expect(phone.get_by_role("listitem").filter(has_text="Everything of yours")).to_contain_text(
        "Done"
    )


def test_a_job_is_cancelled_and_asked_for_again(phone: Any) -> None:
    phone.goto("/me/jobs/")
    phone.get_by_role("button", name="Pack everything").click()
    phone.get_by_role("button", name="Cancel").click()
    expect(phone.locator("#job")).to_contain_text("Nothing of it is kept.")
    phone.get_by_role("button", name="Ask for it again").click()
    expect(phone.get_by_role("progressbar")).to_be_visible()
    cancelled, again = Job.objects.order_by("id")
    assert (cancelled.state, again.state) == ("cancelled", "waiting")
    assert phone.url.endswith(f"/me/jobs/{again.pk}/")


def test_a_page_that_is_told_the_end_asks_no_more(
    new_page: Callable[..., Any], live_site: str
) -> None:
    by = factories.actor()
    client = Client()
    client.force_login(by.user)
    page = new_page()
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_site}])
    job = Job.objects.create(kind="everything", title="All", asked_by=by.player_id)
    page.goto(job.get_absolute_url())
    page.get_by_role("button", name="Cancel").focus()
    with page.expect_response(lambda answer: answer.request.headers.get("hx-request") == "true"):
        pass
    expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    Job.objects.update(done_at=timezone.now(), error="not-allowed: Not for you.")
    with page.expect_response(lambda answer: answer.status == 286):
        pass
    expect(page.locator("#job")).to_contain_text("Not for you.")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2500)  # two more looks would have come
    assert asked == []
