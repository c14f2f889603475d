"""Fixtures of the API tests."""

import pytest
from django.core.cache import cache

from matches.models import Match
from tests import factories


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Reset the rate limits before each test."""
    cache.clear()


@pytest.fixture
def match(db: None) -> Match:
    """A match of `score` with the setup and five acts: versions 1 to 6."""
    return factories.played(5)
