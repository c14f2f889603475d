"""The size of pages, gzipped as the server sends them."""

import gzip
import re
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from tests import factories

STATIC = Path(settings.BASE_DIR) / "deploy" / "static"


READING, MATCH, LOGGER = 20_000, 28_000, 45_000  # of JavaScript on a page
SCRIPT = re.compile(r'<(?:script src|link rel="modulepreload"[^>]* href)="/static/([^"]+)"')
IMPORT = re.compile(r'^import .* from "\./(.+)";$', re.MULTILINE)


def weight(data: bytes) -> int:
    return len(gzip.compress(data))


def test_the_style_sheets_stay_light() -> None:
    assert sum(weight(path.read_bytes()) for path in STATIC.glob("*.css")) <= 25_000


def test_the_shell_brings_little_script() -> None:
    assert weight((STATIC / "shell.js").read_bytes()) <= 4_000


def is_light(name: str, page: bytes) -> bool:
    """Tell whether the named page is: test_every_page.py asks it of all."""
    most = {"matches:match-detail": MATCH, "matches:logger": LOGGER}.get(name, READING)
    return weight(page) <= 40_000 and scripts(page.decode()) <= most


def scripts(page: str) -> int:
    """Weigh the scripts a page asks for, with all that they import."""
    return sum(map(weight_of, set().union(*map(with_imports, SCRIPT.findall(page)))))


@cache
def with_imports(script: str) -> frozenset[str]:
    names = IMPORT.findall(found(script).read_text("utf-8"))
    beside = (str(Path(script).parent / name) for name in names)
    return frozenset({script}).union(*map(with_imports, beside))


def found(script: str) -> Path:
    return Path(str(finders.find(script)))


@cache
def weight_of(script: str) -> int:
    return weight(found(script).read_bytes())


def test_a_logger_brings_the_scripts_of_its_game_alone() -> None:
    ours = {game: with_imports(f"js/logger-{game}.js") for game in ("zg", "hex")}
    every = with_imports("js/logger.js")
    assert "js/logger-board.js" in ours["zg"]
    shared = {"js/logger-acts.js", "js/logger-parts.js", "js/words.js"}
    assert every & (ours["zg"] | ours["hex"]) == shared


@pytest.mark.django_db
@pytest.mark.sqlite
def test_a_long_match_is_no_heavier(client: Client) -> None:
    """The log shows its last 200 lines; what is older is a link away."""
    match = factories.played(acts=230)
    page = client.get(f"/matches/{match.code}/").content
    assert weight(page) <= 40_000
    assert b'id="entry-32"' in page
    assert b'id="entry-31"' not in page
    assert b'href="?at=31"' in page
