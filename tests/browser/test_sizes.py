"""What a page weighs, gzipped as the server sends it."""

import gzip
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.browser.pages import PAGES, world

STATIC = Path(settings.BASE_DIR) / "deploy" / "static"


def weight(data: bytes) -> int:
    return len(gzip.compress(data))


def test_the_style_sheets_stay_light() -> None:
    assert sum(weight(path.read_bytes()) for path in STATIC.glob("*.css")) <= 25_000


def test_the_shell_brings_little_script() -> None:
    assert weight((STATIC / "shell.js").read_bytes()) <= 4_000


@pytest.mark.django_db
@pytest.mark.sqlite
def test_no_page_is_heavy(client: Client) -> None:
    here = world()
    for name, states in PAGES.items():
        for state in states:
            if state.by == "visitor":
                assert weight(client.get(state.at(here)).content) <= 40_000, name
