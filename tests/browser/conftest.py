"""Fixtures of the browser tests."""

from collections.abc import Callable
from typing import Any

import pytest

from matches.models import Match
from tests import factories
from tests.browser.scribe import PHONE, Scribe


@pytest.fixture
def scribe(new_page: Callable[..., Any], live_site: str) -> Callable[..., Scribe]:
    def sit_down(match: Match | None = None, **options: Any) -> Scribe:
        page, scripted = new_page(**PHONE | options), options.get("java_script_enabled", True)
        return Scribe(page, match or factories.duel(), live_site, scripted=scripted)

    return sit_down
