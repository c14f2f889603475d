"""The real web server, as a browser meets it."""

import re
import urllib.request

import pytest

from deploy.storage import HashedFiles


def test_static_files_carry_their_hash_and_may_be_kept_for_ever(live_site):
    page = urllib.request.urlopen(f"{live_site}/login/").read().decode()
    path = re.search(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', page)
    assert path

    with urllib.request.urlopen(live_site + path[1]) as answer:
        assert answer.status == 200
        assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("path", "kind"), [("/favicon.ico", "image/"), ("/robots.txt", "text/plain")]
)
def test_what_browsers_ask_for_unbidden_is_there(live_site, path, kind):
    with urllib.request.urlopen(live_site + path) as answer:
        assert answer.headers["Content-Type"].startswith(kind)


@pytest.mark.browser
def test_a_real_browser_shows_a_page_of_the_live_site(page):
    page.goto("/login/")

    assert page.get_by_role("textbox", name="Username or e-mail").is_visible()
    assert page.evaluate("getComputedStyle(document.body).fontFamily") != ""


@pytest.mark.browser
def test_without_javascript_the_page_is_there_too(new_page):
    page = new_page(java_script_enabled=False)
    page.goto("/login/")

    assert page.get_by_role("textbox", name="Username or e-mail").is_visible()


def test_a_file_that_a_newer_release_dropped_is_found_by_pages_of_before(tmp_path):
    (tmp_path / "icons.svg").write_text("<svg/>")
    (tmp_path / "staticfiles.json").write_text('{"version": "1.1", "paths": {}, "hash": ""}')
    files = HashedFiles(location=tmp_path, base_url="/static/")
    with pytest.raises(ValueError, match="collectstatic"):
        files.url("shell.js")
    assert re.fullmatch(r"/static/icons\.[0-9a-f]{12}\.svg", files.url("icons.svg"))
