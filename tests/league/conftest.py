"""Fixtures of the league tests."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Reset the rate limits before each test."""
    cache.clear()
