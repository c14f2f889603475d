"""Signing up, in and out; one's name; API keys."""

import re

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import OperationalError
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from matches import keys
from matches.models import Key, Player
from tests import factories
from tests.factories import PASSWORD
from tests.html import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

NEW = {"name": "Rim Walker", "username": "rim", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture(autouse=True)
def nothing_counted_yet() -> None:
    """How many sign up from an address is counted in the cache."""
    cache.clear()


@pytest.fixture
def member(client: Client) -> Client:
    client.force_login(factories.user("rim"))
    return client


def test_signing_up_makes_a_user_with_a_player_and_signs_in(client: Client) -> None:
    client.post("/signup/", NEW)
    player = Player.objects.get(user__username="rim")
    assert player.name == "Rim Walker"
    page = client.get("/me/").content.decode()
    assert f'on <a href="{player.get_absolute_url()}">your page</a>.' in page


def test_signing_up_goes_on_where_one_was_going(client: Client) -> None:
    answer = client.post("/signup/?next=/matches/new/", NEW)
    assert answer.headers["Location"] == "/matches/new/"


def test_signing_in_instead_goes_on_there_too(client: Client) -> None:
    page = client.get("/signup/?next=/matches/new/").content.decode()
    assert 'href="/login/?next=%2Fmatches%2Fnew%2F"' in page


def test_the_first_field_of_the_sign_up_has_the_focus(client: Client) -> None:
    fields = re.findall(r"<input type=.text[^>]*>", client.get("/signup/").content.decode())
    assert ["autofocus" in field for field in fields] == [True, False]


@pytest.mark.parametrize(
    "to", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "nowhere", "9"]
)
def test_signing_up_never_leads_off_the_site(client: Client, to: str) -> None:
    assert client.post(f"/signup/?next={to}", NEW).headers["Location"] == "/"


def test_a_name_is_kept_without_what_nobody_sees_at_its_head(client: Client) -> None:
    client.post("/signup/", NEW | {"name": "\ufeffRim Walker\u200b"})
    assert Player.objects.get().name == "Rim Walker"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"password2": "another long password"}, "the same password"),
        ({"password1": "12345678", "password2": "12345678"}, "entirely numeric"),
        ({"username": "no spaces"}, "valid username"),
        ({"username": "r\0m"}, "Null characters"),
        ({"username": "x" * 151}, "at most 150"),
        ({"name": ""}, "required"),
        ({"name": "n" * 81}, "at most 80"),
        ({"name": "\u3164"}, "This text has no visible characters."),
        ({"username": "\u3164"}, "This text has no visible characters."),
    ],
    ids=[
        *("differing", "numeric", "spaces", "nul", "long", "nameless", "long name"),
        *("unseen name", "unseen"),
    ],
)
def test_a_bad_sign_up_says_why_and_keeps_the_input(
    client: Client, change: dict[str, str], says: str
) -> None:
    answer = client.post("/signup/", NEW | change)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert says in page
    assert 'value="Rim Walker"' in page or "name" in change
    assert not User.objects.exists()


def test_a_name_that_is_taken_is_said(client: Client) -> None:
    factories.user("rim")
    assert "already exists" in client.post("/signup/", NEW).content.decode()


def test_what_was_written_is_promised_only_where_it_comes_back(member: Client) -> None:
    bad = {"oldpassword": "guess", "password1": "a", "password2": "b"}
    assert "still here" not in member.post("/password/change/", bad).content.decode()
    assert "still here" in member.post("/me/", {"name": ""}).content.decode()


def test_a_name_that_is_taken_at_the_same_moment_is_said_too(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.user("rim")
    looks_free = "allauth.account.internal.userkit.filter_users_by_username"
    monkeypatch.setattr(looks_free, lambda *names: User.objects.none())
    answer = client.post("/signup/", NEW)
    assert answer.status_code == 400
    assert "already exists" in answer.content.decode()
    assert not Player.objects.filter(name="Rim Walker").exists()


def test_the_head_of_a_page_names_the_player(client: Client) -> None:
    client.post("/signup/", NEW)
    assert "Rim Walker" in client.get("/matches/").content.decode()


def test_one_may_sign_out_to_sign_in_as_somebody_else(member: Client) -> None:
    """The logger leads there, whoever is signed in, if anybody is."""
    sign_in = "/login/?next=/matches/"
    assert (
        'value="/login/?next=/matches/"'
        in member.get("/logout/", {"next": sign_in}).content.decode()
    )
    for ask in (member.post, member.get):
        answer = ask("/logout/", {"next": sign_in})
        assert (answer.status_code, answer.headers["Location"]) == (302, sign_in)


def test_signing_in_and_out(client: Client) -> None:
    factories.user("rim")
    client.post("/login/", {"login": "rim", "password": PASSWORD})
    assert client.get("/me/").status_code == 200
    client.post("/logout/")
    assert client.get("/me/").status_code == 302


def test_a_wrong_password_says_so(client: Client) -> None:
    factories.user("rim")
    page = client.post("/login/", {"login": "rim", "password": "wrong"}).content.decode()
    assert "not correct" in page


def test_one_changes_ones_own_name(member: Client) -> None:
    member.post("/me/", {"name": "Crater Kid"})
    assert Player.objects.get(user__username="rim").name == "Crater Kid"


@pytest.mark.parametrize("name", ["", "x" * 81, "a\0b", "   "])
def test_a_name_nobody_can_have_is_refused(member: Client, name: str) -> None:
    assert member.post("/me/", {"name": name}).status_code == 400
    assert Player.objects.get(user__username="rim").name == "rim"


def made(page: str) -> str:
    found = re.search(r'<pre class="wraps" id="new-key">(.+)</pre>', page)
    assert found, page
    return found[1]


def test_a_new_key_is_shown_this_once_and_never_kept(member: Client) -> None:
    key = made(member.post("/me/keys/", {"name": "Board", "scopes": "matches"}).content.decode())
    page = member.get("/me/keys/").content.decode()
    assert "Board" in page
    assert key not in page
    assert key not in str(Key.objects.values())
    assert keys.find(key) == Key.objects.get()


def test_a_key_reads_on_when_the_disk_is_full(
    member: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = made(member.post("/me/keys/", {"name": "Board", "scopes": "matches"}).content.decode())

    def full(*args: object, **columns: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(QuerySet, "update", full)
    answer = Client(HTTP_AUTHORIZATION=f"Token {key}").get("/api/v1/matches/")
    assert (answer.status_code, Key.objects.get().used_on) == (200, None)


def test_a_key_that_was_ended_or_is_over_holds_no_more(member: Client) -> None:
    ended, over = (
        made(member.post("/me/keys/", {"name": name, "days": "9"}).content.decode())
        for name in ("ended", "over")
    )
    member.post(f"/me/keys/{Key.objects.get(name='ended').pk}/end/")
    Key.objects.filter(name="over").update(expires_at=timezone.now())
    assert (keys.find(ended), keys.find(over)) == (None, None)


def test_nobody_ends_anothers_key(member: Client) -> None:
    factories.key(factories.user("other"))
    for said in ({}, {"scope": "matches"}):
        assert member.post(f"/me/keys/{Key.objects.get().pk}/end/", said).status_code == 404
    assert "matches" in Key.objects.get().scopes


def test_a_key_is_narrowed_while_its_program_goes_on(member: Client) -> None:
    said = {"name": "Board", "scopes": ["matches", "league"]}
    key = made(member.post("/me/keys/", said).content.decode())
    url = f"/me/keys/{Key.objects.get().pk}/end/"
    page = text_of(member.get("/me/keys/"))
    assert "Read · Open and record matches · Run leagues and tournaments" in page
    assert "No longer: Run leagues and tournaments" in page
    assert member.post(url, {"scope": "league"}).status_code == 302
    assert keys.find(key) == Key.objects.get()
    assert Key.objects.get().scopes == ["matches"]
    for never in ("league", "characters", "\0"):
        assert member.post(url, {"scope": never}).status_code == 404
    assert Key.objects.get().scopes == ["matches"]


def test_a_user_made_without_a_player_gets_one(client: Client) -> None:
    client.force_login(User.objects.create_user("admin"))
    assert client.get("/me/").status_code == 200


@pytest.mark.parametrize("url", ["/me/", "/matches/new/", "/log/"])
def test_what_needs_an_account_asks_to_sign_in_and_comes_back(client: Client, url: str) -> None:
    assert client.get(url).headers["Location"] == f"/login/?next={url}"
