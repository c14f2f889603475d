"""The documentation page in a real browser, under its own content policy."""

from typing import Any

import pytest

from tests.api.client import problem

pytestmark = [
    pytest.mark.browser,
    pytest.mark.sqlite,
    pytest.mark.django_db(transaction=True),
]


def test_the_page_draws_the_schema_without_an_error_or_another_host(
    page: Any, live_site: str
) -> None:
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/api/v1/docs/")
    first = "#operations-campaigns-campaigns_list"  # of many, which are drawn at once
    page.wait_for_selector(first, timeout=300_000)
    assert said == []
    assert asked
    assert all(url.startswith((live_site, "data:")) for url in asked)


def test_it_has_nothing_to_say_of_itself_by_options(client: Any) -> None:
    problem(client.options("/api/v1/docs/"), 405, "method-not-allowed")
