"""The home page, the theme, and how refusals are shown."""

import re
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from matches import selectors
from matches.errors import Conflict
from matches.models import Match, Player
from matches.newest import LIVE
from matches.steps import NEW_FOR
from tests import factories

pytestmark = pytest.mark.django_db

OURS = {"Sec-Fetch-Site": "same-origin"}
TO_A_TABLE = ("Log a match", "Practise alone", "Played here before?")
STEPS = (*TO_A_TABLE, "Make a character", "Find a tournament")


def test_an_empty_site_says_how_to_begin(client: Client) -> None:
    page = client.get("/").content.decode()
    assert "How to begin" in page
    assert "Just ended" not in page


def test_live_matches_come_first_with_their_last_act(client: Client) -> None:
    match = factories.played(acts=2)
    page = client.get("/").content.decode()
    assert f'href="/matches/{match.code}/"' in page
    assert "Side 2: 1 point." in page


def test_of_live_matches_those_that_have_begun_come_first(client: Client) -> None:
    begun, held = factories.played(acts=1), factories.match(held=True)
    factories.record(held, factories.points(1, 2))
    opened = factories.match()
    page = client.get("/").content.decode()
    assert page.index(begun.code) < page.index(opened.code) < page.index(held.code)


def test_home_follows_what_is_on_air_and_costs_little_unchanged(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    match = factories.played(acts=1)
    first = client.get("/?part=air")
    assert "Side 1: 1 point." in first.content.decode()
    assert "How to begin" not in first.content.decode()
    known = {"If-None-Match": first["ETag"]}
    assert f'data-tag="{escape(first["ETag"])}"' in client.get("/").content.decode()
    with (
        patch("matches.views.home.scene_of") as built,
        django_assert_max_num_queries(3),
    ):
        assert client.get("/?part=air", headers=known).status_code == 304
    assert not built.called
    factories.record(match, factories.points(2, 3))
    again = client.get("/?part=air", headers=known)
    assert (again.status_code, again["Cache-Control"]) == (200, "private, no-cache")
    assert "Side 2: 3 points." in again.content.decode()


def test_a_match_of_the_table_is_not_on_air_for_others(client: Client) -> None:
    match = factories.match(visibility="table")
    assert match.code not in client.get("/").content.decode()


def test_an_ended_match_is_among_those_just_ended(client: Client) -> None:
    match = factories.match()
    factories.record(match, {"type": "game-won", "seat": 2})
    page = client.get("/").content.decode()
    assert "Just ended" in page
    assert match.code in page


def test_whoever_sits_at_an_open_match_finds_their_logger_first() -> None:
    by = factories.actor()
    match = factories.match(by, seats=[factories.SeatRequest(player=by.player)])
    page = factories.client_of(by).get("/").content.decode()
    assert f'href="/matches/{match.code}/table/"' in page
    assert 'href="/matches/new/"' in page  # and may open another


def test_a_new_account_is_told_where_to_begin_until_it_has_begun_or_knows() -> None:
    factories.record(factories.match(), {"type": "game-won", "seat": 2})
    by = factories.actor()
    new = factories.client_of(by)
    page = new.get("/").content.decode()
    assert all(step in page for step in STEPS)

    factories.match(by, seats=[factories.SeatRequest(player=by.player)])
    page = new.get("/").content.decode()
    assert [step for step in STEPS if step not in page] == list(TO_A_TABLE)

    assert new.post("/steps/end/", headers=OURS).status_code == 302
    assert "Where to begin" not in new.get("/").content.decode()


def test_an_older_account_and_a_visitor_are_not_told_where_to_begin(client: Client) -> None:
    factories.record(factories.match(), {"type": "game-won", "seat": 2})
    by = factories.actor()
    by.user.date_joined -= NEW_FOR
    by.user.save()
    assert "Where to begin" not in factories.client_of(by).get("/").content.decode()
    assert "Where to begin" not in client.get("/").content.decode()


def test_the_tab_bar_has_home_tournaments_log_and_me(client: Client) -> None:
    page = client.get("/").content.decode()
    thumb = page[page.index('class="tabbar"') :]
    assert re.findall(r'<a href="([^"]+)"', thumb)[:4] == ["/", "/tournaments/", "/log/", "/login/"]
    rest = page[: page.index('class="tabbar"')]
    assert all(rest.count(f'href="{url}"') >= 2 for url in ("/matches/", "/cards/", "/lore/"))


def test_home_goes_on_without_a_match_whose_log_can_not_be_read(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, whole = factories.match(), factories.match()
    timeline = selectors.timeline

    def read(match: Match) -> Any:
        if match == broken:
            raise Conflict("unreadable", "Entry 1 cannot be read.")
        return timeline(match)

    monkeypatch.setattr(selectors, "timeline", read)
    page = client.get("/").content.decode()
    assert whole.code in page
    assert broken.code not in page


def test_home_asks_no_more_for_many_ended_matches(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(6):
        factories.record(factories.match(), {"type": "game-won", "seat": 1})
    with django_assert_max_num_queries(8):
        client.get("/")


def test_a_live_match_costs_home_few_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(6):
        factories.played(acts=2)
    client.get("/")
    with django_assert_max_num_queries(12):
        client.get("/")


# -- theme ----------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chosen_theme_is_in_the_page_the_server_sends(client: Client, theme: str) -> None:
    client.post("/theme/", {"theme": theme})
    assert f'data-theme="{theme}"' in client.get("/").content.decode()


def test_without_a_choice_the_device_decides(client: Client) -> None:
    assert "data-theme" not in client.get("/").content.decode()


def test_a_forged_theme_changes_nothing(client: Client) -> None:
    client.cookies["theme"] = '"><script>'
    assert "data-theme" not in client.get("/").content.decode()


def test_an_unknown_theme_is_asked_for_again(client: Client) -> None:
    answer = client.post("/theme/", {"theme": "pink"})
    assert "theme" not in answer.cookies
    assert "Select a valid choice" in answer.content.decode()


# -- text size ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["larger", "largest"])
def test_a_chosen_text_size_is_in_every_page_the_server_sends(
    client: Client, admin_client: Client, text: str
) -> None:
    for reader in (client, admin_client):
        assert reader.post("/theme/", {"theme": "dark", "text": text}).status_code == 302
        assert reader.cookies["text"]["max-age"] == 365 * 24 * 3600
        assert f'data-text="{text}"' in reader.get("/").content.decode()
    assert f'name="text-size" content="{text}"' in admin_client.get("/admin/").content.decode()
    settings_page = client.get("/theme/").content.decode()
    assert re.search(rf'value="{text}"[^>]* checked', settings_page)


def test_a_form_without_a_text_size_leaves_it(client: Client) -> None:
    client.post("/theme/", {"theme": "dark", "text": "larger"})
    client.post("/theme/", {"theme": "light"})
    assert 'data-text="larger"' in client.get("/").content.decode()
    client.post("/theme/", {"theme": "light", "text": ""})
    assert "data-text" not in client.get("/").content.decode()


def test_an_unknown_text_size_is_asked_for_again_and_a_forged_one_changes_nothing(
    client: Client,
) -> None:
    answer = client.post("/theme/", {"theme": "dark", "text": "huge"})
    assert answer.status_code == 400
    assert not answer.cookies.keys() & {"theme", "text"}
    client.cookies["text"] = '"><script>'
    assert "data-text" not in client.get("/").content.decode()


# -- results, switched from any page --------------------------------------------------------

PRESSED = 'aria-pressed="true"'


def pressed(client: Client, page: str) -> bool:
    return PRESSED in client.get(page).content.decode()


def test_a_visitor_switches_results_off_and_on_where_they_are(client: Client) -> None:
    page = "/matches/?status=ended&q=a+b"
    assert not pressed(client, page)
    assert f'value="{page.replace("&", "&amp;")}"' in client.get(page).content.decode()

    answer = client.post("/results/", {"back": page, "results": "off"})
    assert (answer.status_code, answer["Location"]) == (302, page)
    assert answer.cookies["results"]["max-age"] == 365 * 24 * 3600
    assert pressed(client, page)
    assert pressed(client, "/")
    assert "Results are off for you" in client.get(page).content.decode()

    client.post("/results/", {"back": page, "results": "on"})
    assert not pressed(client, page)


def test_switching_results_off_overrides_a_page_that_showed_them(client: Client) -> None:
    client.post("/results/", {"back": "/", "results": "off"})
    client.post("/theme/", {"show": "/matches/"})
    assert not pressed(client, "/matches/")
    assert pressed(client, "/")
    client.post("/results/", {"back": "/matches/", "results": "off"})
    assert pressed(client, "/matches/")


@pytest.mark.parametrize(
    "back", ["//example.org/", "https://example.org/", "matches/", "/a|b/", "/\\example.org", ""]
)
def test_the_switch_leads_to_no_other_site(client: Client, back: str) -> None:
    answer = client.post("/results/", {"back": back, "results": "off"})
    assert answer.status_code == 400
    assert "results" not in answer.cookies


@pytest.mark.parametrize("results", ["", "maybe", "OFF"])
def test_results_are_off_or_on(client: Client, results: str) -> None:
    answer = client.post("/results/", {"back": "/", "results": results})
    assert answer.status_code == 400
    assert "results" not in answer.cookies


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Site": "same-origin"}, 302),
        ({"Origin": "http://testserver"}, 302),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"}, 403),
        ({"Origin": "https://example.org"}, 403),
        ({"Origin": "null"}, 403),
        ({}, 403),
    ],
)
def test_only_pages_of_ours_switch_results(headers: dict[str, str], status: int) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/results/", {"back": "/", "results": "off"}, headers=headers)
    assert answer.status_code == status
    assert ("results" in answer.cookies) == (status == 302)


def test_the_switch_gives_a_visitor_no_cookie_and_leaves_pages_the_same(client: Client) -> None:
    pages = [client.get("/matches/"), Client().get("/matches/")]
    assert not any(page.cookies for page in pages)
    assert pages[0].content == pages[1].content


# -- refusals -------------------------------------------------------------------------------


def test_what_is_not_there_offers_a_search(client: Client) -> None:
    answer = client.get("/matches/ZZZZZZ/")
    assert answer.status_code == 404
    assert 'role="search"' in answer.content.decode()


def test_an_address_for_forms_alone_shows_a_page_that_leads_on(client: Client) -> None:
    job = "/me/jobs/0c6bb0f0-0000-4000-8000-000000000000/"
    for above, tail in [(job, "again/"), (job, "cancel/"), ("/leagues/zgxl/", "export/")]:
        answer = client.get(f"{above}{tail}")
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
        assert f'<a class="btn main" href="{above}">' in answer.content.decode()
    away = client.get("/me/keys/0c6bb0f0-0000-4000-8000-000000000000/end/").content.decode()
    assert '<a class="btn main" href="/me/keys/">' in away  # the key itself has no page
    refused = client.post("/api/v1/")
    assert refused.status_code == 405
    assert refused.headers["Content-Type"] == "application/problem+json"


def test_who_signs_in_to_send_a_form_goes_on_at_its_page(client: Client) -> None:
    job = "/me/jobs/0c6bb0f0-0000-4000-8000-000000000000/"
    page = client.post(f"{job}again/").content.decode()
    assert f'href="/login/?next={job}"' in page and "Nothing was changed." in page
    here = {"referer": "http://testserver/matches/new/?a=b"}
    sent = client.post("/matches/new/", headers=here).content.decode()
    assert "?next=/matches/new/%3Fa%3Db" in sent


@pytest.mark.parametrize("path", ["/characters/paste/", "/me/told/", "/lore/earth/write/"])
def test_what_was_written_is_shown_to_who_was_signed_out_meanwhile(
    client: Client, path: str
) -> None:
    form = {"text": "Nobody sweeps\nthe rings of Terminus.", "password": "four words and more"}
    page = client.post(path, form, headers=OURS).content.decode()
    assert "What you wrote" in page and "Nobody sweeps\nthe rings of Terminus." in page
    assert "four words" not in page


def test_what_was_written_is_shown_if_its_form_was_too_old(client: Client) -> None:
    """Not what another site sends: it would put words into this one's mouth."""
    strict = Client(enforce_csrf_checks=True)
    form = {"text": "Nobody sweeps the rings of Terminus."}
    assert "Nobody sweeps" in strict.post("/j/", form, headers=OURS).content.decode()
    away = strict.post("/j/", form, headers={"Sec-Fetch-Site": "cross-site"})
    assert away.status_code == 403 and "Nobody sweeps" not in away.content.decode()


def test_a_refusal_says_why_and_that_nothing_changed(client: Client) -> None:
    match = factories.match()
    answer = client.get(f"/matches/{match.code}/seats/")
    assert answer.status_code == 403
    assert "Nothing was changed" in answer.content.decode()


@pytest.mark.parametrize(
    ("page", "is_there"),
    [
        ("http://testserver/matches/?game=zg", True),
        ("https://elsewhere.example/matches/", False),
        ("", False),
    ],
)
def test_a_refusal_leads_back_to_the_page_of_ours_it_came_from(
    client: Client, page: str, is_there: bool
) -> None:
    match = factories.match()
    answer = client.get(f"/matches/{match.code}/seats/", headers={"Referer": page})
    text = answer.content.decode()
    assert (f'href="{page}">Back' in text) is is_there
    assert ("To the match" in text) is not is_there


def test_a_refusal_never_leads_back_to_itself(client: Client) -> None:
    here = f"/matches/{factories.match().code}/seats/"
    answer = client.get(here, headers={"Referer": f"http://testserver{here}"})
    assert ">Back<" not in answer.content.decode()


def test_a_form_without_its_token_is_explained() -> None:
    answer = Client(enforce_csrf_checks=True).post("/theme/", {"theme": "dark"})
    assert answer.status_code == 403
    assert "send that again" in answer.content.decode()


def test_a_fault_of_ours_has_a_page_that_needs_nothing() -> None:
    page = render_to_string("500.html")
    assert "on our side" in page
    assert "<script" not in page


def test_no_page_holds_inline_script_or_style(client: Client) -> None:
    factories.played()
    for url in ("/", "/matches/", "/j/", "/login/", "/signup/", "/theme/"):
        page = client.get(url).content.decode()
        assert "<style" not in page
        assert " style=" not in page
        assert "<script>" not in page
        assert "onclick" not in page


def test_one_tap_at_the_foot_changes_the_language_and_stays_on_the_page() -> None:
    here = {"Sec-Fetch-Site": "same-origin"}
    reader = factories.user()
    client = factories.signed_in(reader, enforce_csrf_checks=True, headers=here)
    said = {"back": "/matches/?whose=mine", "language": "de"}
    assert client.post("/language/", said)["Location"] == "/matches/?whose=mine"
    page = client.get("/matches/?whose=mine").content.decode()
    assert '<html lang="de"' in page
    assert '<input type="hidden" name="back" value="/matches/?whose=mine">' in page
    assert Player.objects.get(user=reader).language == "de"


@pytest.mark.parametrize(
    "said",
    [
        {"back": "/", "language": "tlh"},
        {"back": "/"},
        {"back": "//example.org/", "language": "de"},
        {"back": "https://example.org/", "language": "de"},
        {"language": "de"},
    ],
)
def test_no_other_language_and_no_other_site(client: Client, said: dict[str, str]) -> None:
    answer = client.post("/language/", said)
    assert answer.status_code == 400
    assert settings.LANGUAGE_COOKIE_NAME not in answer.cookies


def test_home_counts_all_that_is_under_way_and_leads_to_the_rest(client: Client) -> None:
    for _ in range(LIVE + 2):
        factories.match()
    for url in ("/", "/?part=air"):
        page = client.get(url).content.decode()
        assert f"{LIVE + 2} matches under way, told act by act." in page
        assert f'<a href="/matches/?status=open">All {LIVE + 2} matches under way</a>' in page
