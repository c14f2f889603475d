"""What tests of the API share."""

import pytest
from django.core.cache import cache

from matches.models import Match
from tests import factories


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Nobody has sent anything yet."""
    cache.clear()


@pytest.fixture
def match(db: None) -> Match:
    """A match of `score` with the setup and five acts: versions 1 to 6."""
    return factories.played(5)
