"""A match that is over is watched again from its first moment, in one tap."""

from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests import factories

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db(transaction=True)]

AGAIN = "Watch from the start"


def test_only_a_match_that_is_over_is_watched_from_the_start() -> None:
    match = factories.played(acts=2)
    path = match.get_absolute_url()
    assert AGAIN not in Client().get(path).text
    factories.record(match, {"type": "conceded", "seat": 2})
    assert 'href="?at=1" data-replay' in Client().get(path).text
    off = Client()
    off.cookies["results"] = "off"
    assert AGAIN not in off.get(path).text  # there, one goes on act by act anyway


@pytest.mark.browser
def test_it_plays_by_itself(page: Any) -> None:
    match = factories.played(acts=2)
    factories.record(match, {"type": "conceded", "seat": 2})
    page.goto(match.get_absolute_url())
    page.get_by_label("Speed").select_option("8×")
    page.get_by_role("link", name=AGAIN).click()
    expect(page.locator("#past")).to_contain_text("entry 1 of 4")
    expect(page.locator("#past")).to_be_hidden()
