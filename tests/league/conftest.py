"""What tests of leagues share."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Nobody has sent anything yet."""
    cache.clear()
