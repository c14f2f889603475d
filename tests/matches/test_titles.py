"""The title of a match is stored as one line, and worded by the floor that wrote it."""

from typing import Any

import pytest

from matches import titles
from matches.models import Match


def shouted(kept: str) -> str | None:
    return kept.upper() if kept.startswith("Table") else None


@pytest.fixture(autouse=True)
def floors(settings: Any) -> None:
    settings.MATCH_TITLES = [f"{__name__}.shouted"]


def test_a_title_typed_by_a_user_is_shown_as_typed() -> None:
    assert titles.worded("Anna's kitchen") == "Anna's kitchen"
    assert titles.worded("") == ""


def test_a_higher_floor_words_the_titles_and_places_it_wrote() -> None:
    match = Match(title="Table 3", place="Table 4", code="ABCDEF")
    assert (match.shown_title, match.shown_place) == ("TABLE 3", "TABLE 4")
    assert str(match) == "TABLE 3"
    assert match.title == "Table 3"
