"""Accounts: e-mails, new passwords, second factors, sessions."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.usersessions.models import UserSession
from axes.models import AccessLog
from django.contrib import admin
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.db import IntegrityError
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from matches.api.auth import WrongKeys
from tests import factories
from tests.api.client import Api, problem
from tests.api.test_bad_forms import POISONS, of_a_library
from tests.factories import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

NEW = {"name": "Rim Walker", "username": "rim", "password1": PASSWORD, "password2": PASSWORD}
ADDRESS = "rim@example.org"
CODES = "/second-factor/recovery-codes/"


@pytest.fixture(autouse=True)
def nothing_counted_yet() -> None:
    """How often a letter may be sent is counted in the cache."""
    cache.clear()


@pytest.fixture
def rim(client: Client) -> Client:
    """One who has an account with an address, and signed in just now."""
    client.post("/signup/", NEW | {"email": ADDRESS})
    return client


def link_in(letter: Any) -> str:
    found = re.search(r"https?://testserver(/\S+)", letter.body)
    assert found, letter.body
    return found[1]


def sign_in(password: str = PASSWORD) -> tuple[Client, Any]:
    client = Client()
    return client, client.post("/login/", {"login": "rim", "password": password})


def signed_in(client: Client) -> bool:
    return client.get("/me/").status_code == 200


# -- letters ----------------------------------------------------------------------------------


def test_an_address_is_confirmed_by_its_letter(rim: Client) -> None:
    (letter,) = mail.outbox
    assert letter.to == [ADDRESS]
    assert letter.subject == "ZGXL: Is this your address?"
    address = User.objects.get().emailaddress_set.get()
    assert not address.verified
    rim.post(link_in(letter))
    address.refresh_from_db()
    assert address.verified


def test_no_address_is_needed_and_none_gets_a_letter(client: Client) -> None:
    client.post("/signup/", NEW)
    assert signed_in(client)
    assert mail.outbox == []


def test_a_forgotten_password_is_chosen_anew_by_letter(rim: Client) -> None:
    stranger = Client()
    stranger.post("/password/reset/", {"email": ADDRESS})
    asked = stranger.get(link_in(mail.outbox[-1]), follow=True)
    form = asked.redirect_chain[-1][0]
    new = {"password1": "an even longer one 7", "password2": "an even longer one 7"}
    assert stranger.post(form, new).status_code == 302
    assert not signed_in(sign_in()[0])
    assert signed_in(sign_in("an even longer one 7")[0])
    assert not signed_in(rim)  # who was signed in by the old one is out


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/password/reset/", "Send me the link"),
        ("/password/reset/done/", "The letter is on its way"),
        ("/password/reset/key/1-gone/", "This link serves no more"),
    ],
)
def test_the_way_to_a_new_password_is_told_in_our_words(
    client: Client, path: str, said: str
) -> None:
    page = client.get(path).content.decode()
    assert said in page
    assert "contact us" not in page
    assert "Token" not in page


def test_nobody_learns_by_it_who_has_an_account(rim: Client) -> None:
    answers = [
        Client().post("/password/reset/", {"email": address}).headers["Location"]
        for address in (ADDRESS, "nobody@example.org")
    ]
    assert answers[0] == answers[1]
    taken = Client().post("/signup/", NEW | {"username": "other", "email": ADDRESS})
    assert taken.status_code == 302
    assert [address.verified for address in EmailAddress.objects.all()] == [False, False]


@pytest.mark.parametrize("do", ["action_add", "action_remove", "action_primary"])
def test_a_browser_left_open_changes_no_address_without_the_password(rim: Client, do: str) -> None:
    """Who could, would have a new password sent there, and the account with it."""
    other = EmailAddress.objects.create(
        user=User.objects.get(), email="b@example.org", verified=True
    )
    before = list(EmailAddress.objects.values_list("email", "primary"))
    said = {"email": "thief@example.org" if do == "action_add" else other.email, do: ""}
    asked = rim.post("/email/", said)
    assert asked.headers["Location"] == "/reauthenticate/?next=%2Femail%2F"
    assert list(EmailAddress.objects.values_list("email", "primary")) == before
    rim.post(asked.headers["Location"], {"password": PASSWORD})  # and it is done
    assert list(EmailAddress.objects.values_list("email", "primary")) != before


def test_a_link_that_was_used_is_told_as_one(rim: Client) -> None:
    link = link_in(mail.outbox[0])
    assert rim.post(link).status_code == 302
    for answer in (rim.post(link), Client().get(link), Client().get("/confirm-email/none/")):
        assert answer.status_code == 404
        assert "This link serves no more" in answer.content.decode()


def test_a_letter_that_does_not_go_out_is_told(rim: Client) -> None:
    said = {"email": ADDRESS, "action_send": ""}
    assert "a moment ago" in rim.post("/email/", said, follow=True).content.decode()
    rim.post(link_in(mail.outbox[0]))
    assert "confirmed already" in rim.post("/email/", said, follow=True).content.decode()
    assert len(mail.outbox) == 1


def test_of_two_addresses_made_the_main_one_at_once_one_is(
    rim: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rim.post(link_in(mail.outbox[0]))
    rim.post("/reauthenticate/", {"password": PASSWORD})

    def taken(address: EmailAddress, conditional: bool = False) -> None:
        raise IntegrityError("unique_primary_email")

    monkeypatch.setattr(EmailAddress, "set_as_primary", taken)
    answer = rim.post("/email/", {"email": ADDRESS, "action_primary": ""})
    assert answer.headers["Location"] == "/email/"


def test_another_address_is_told_where_letters_went_before(rim: Client) -> None:
    rim.post(link_in(mail.outbox[0]))
    assert len(mail.outbox) == 1  # of the first nobody is to be told
    rim.post("/reauthenticate/", {"password": PASSWORD})
    rim.post("/email/", {"email": "other@example.org", "action_add": ""})
    rim.post(link_in(mail.outbox[-1]))
    letter = mail.outbox[-1]
    assert (letter.to, letter.subject) == ([ADDRESS], "ZGXL: Your account has another address")
    assert "The address other@example.org was confirmed for your account." in letter.body


def test_one_signs_in_by_address_too(rim: Client) -> None:
    client = Client()
    client.post("/login/", {"login": ADDRESS, "password": PASSWORD})
    assert signed_in(client)
    assert not AccessLog.objects.exists()  # when one signs in is kept nowhere


# -- second factors -----------------------------------------------------------------------------


def code_of(secret: str) -> str:
    _, counter, _ = yield_hotp_counters_from_time()  # with one step of tolerance on either side
    return str(format_hotp_value(hotp_value(secret, counter)))


def with_second_factor(client: Client) -> tuple[str, str]:
    """Give the one signed in a second factor, their address confirmed.

    Returns its secret and the code that set it up: half a minute later the secret has another.
    """
    client.post(link_in(mail.outbox[0]))
    client.post("/reauthenticate/", {"password": PASSWORD})
    page = client.get("/second-factor/totp/activate/").content.decode()
    found = re.search(r'id="authenticator_secret"[^>]* value="(\w+)"', page)
    assert found
    code = code_of(found[1])
    answer = client.post("/second-factor/totp/activate/", {"code": code})
    assert answer.status_code == 302
    return found[1], code


def test_a_second_factor_is_asked_for_and_kept_encrypted(rim: Client) -> None:
    secret, _ = with_second_factor(rim)
    kept = Authenticator.objects.get(type=Authenticator.Type.TOTP)
    assert secret not in str(kept.data)
    assert isinstance(kept.wrap(), TOTP)
    client, answer = sign_in()
    assert answer.headers["Location"] == "/second-factor/authenticate/"
    assert not signed_in(client)
    assert client.post("/second-factor/authenticate/", {"code": "000000"}).status_code == 400
    assert not signed_in(client)


def test_the_code_that_set_it_up_signs_nobody_in(rim: Client) -> None:
    _, code = with_second_factor(rim)
    client, _ = sign_in()
    client.post("/second-factor/authenticate/", {"code": code})
    assert not signed_in(client)


@pytest.mark.parametrize("at_once", [True, False])
def test_a_second_factor_that_is_set_up_twice_is_set_up(
    rim: Client, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    with_second_factor(rim)
    monkeypatch.setattr("allauth.mfa.totp.views.is_mfa_enabled", lambda *_: not at_once)
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.validate_totp_code", lambda *_: True)
    answer = rim.post("/second-factor/totp/activate/", {"code": "000000"})
    assert answer.headers["Location"] == "/second-factor/recovery-codes/"
    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).count() == 1


def test_a_recovery_code_serves_once(rim: Client) -> None:
    with_second_factor(rim)
    code = rim.get(CODES + "download/").content.decode().split()[-1]
    for times in (1, 0):
        client, _ = sign_in()
        client.post("/second-factor/authenticate/", {"code": code})
        assert signed_in(client) == bool(times)


def test_a_program_needs_the_second_factor_too(rim: Client) -> None:
    secret, _ = with_second_factor(rim)
    cache.clear()  # a code is good once
    said = {"username": "rim", "password": PASSWORD}
    problem(Api().post("token/", said), 400, "second-factor-needed")
    problem(Api().post("token/", said | {"code": "000000"}), 400, "second-factor-needed")
    assert Api().post("token/", said | {"code": code_of(secret)}).status_code == 200


# -- where one is signed in ---------------------------------------------------------------------


def test_other_browsers_are_told_and_signed_out(rim: Client) -> None:
    other, _ = sign_in()
    other.get("/sessions/")
    page = rim.get("/sessions/").content.decode()
    assert page.count("Since ") == 2
    assert page.count("this one") == 1
    rim.post("/sessions/")
    assert signed_in(rim)
    assert not signed_in(other)


# -- and whatever is sent -------------------------------------------------------------------------

FIELDS = ("login", "password", "email", "code", "password1", "password2", "oldpassword", "username")


def library_paths(patterns: list[Any], before: str = "/") -> list[str]:
    found = []
    for pattern in patterns:
        route = str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if pattern.namespace not in ("api", "admin"):
                found += library_paths(pattern.url_patterns, before + route)
        elif isinstance(pattern, URLPattern) and of_a_library(pattern):
            route = re.sub(r"\(\?P<uidb36>.*?\)-\(.*?\)|\(.*?\)", "1-set-password", route)
            found.append(before + route.strip("^$"))
    return found


PATHS = library_paths(get_resolver().url_patterns)


@pytest.mark.parametrize("poison", POISONS)
def test_what_is_malformed_is_never_a_fault_of_ours(poison: str) -> None:
    assert len(PATHS) >= 15
    member = factories.user("ada")
    for path in PATHS:
        for user in (None, member):
            client = Client(raise_request_exception=False)
            if user:
                client.force_login(user)
            body = "&".join(f"{field}={POISONS[poison]}" for field in FIELDS)
            form = "application/x-www-form-urlencoded"
            answer = client.post(path, body, content_type=form)
            assert answer.status_code < 500, (path, user)


def test_every_page_of_the_library_opens_for_anybody() -> None:
    for user in (None, factories.user("ada")):
        client = Client(raise_request_exception=False)
        for path in PATHS:
            if user:
                client.force_login(user)
            assert client.get(path).status_code < 500, (path, user)


def test_the_admin_has_no_door_of_its_own(rim: Client) -> None:
    answer = Client().get("/admin/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/login/?next=")


def test_staff_need_a_second_factor_where_the_settings_say_so(rim: Client, settings: Any) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    assert rim.get("/admin/").status_code == 200
    settings.STAFF_SECOND_FACTOR = True
    led = rim.get("/admin/", follow=True)
    assert led.redirect_chain[-1][0] == "/second-factor/"
    assert "Set yours up first" in led.content.decode()
    with_second_factor(rim)
    assert rim.get("/admin/").status_code == 200


def test_nobody_else_comes_into_the_admin(rim: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert rim.get("/admin/", follow=True).status_code == 403
    assert not [record for record in caplog.records if record.exc_info]


# -- lock-out -----------------------------------------------------------------------------------


def at(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


def guess(client: Client, login: str = "rim") -> Any:
    return client.post("/login/", {"login": login, "password": "a wrong guess"})


@pytest.fixture
def few_tries(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "4/15m/ip,6/15m/key"}


@pytest.mark.usefixtures("few_tries")
def test_one_address_has_so_many_wrong_tries_whatever_the_name(rim: Client) -> None:
    spray = at("10.0.0.1")
    told = [guess(spray, f"name-{number}").status_code for number in range(5)]
    assert told == [400] * 4 + [429]
    assert "quarter of an hour" in guess(spray, "another").content.decode()
    token = {"username": "rim", "password": PASSWORD}
    assert at("10.0.0.1").post("/api/v1/token/", token, "application/json").status_code == 429
    right = {"login": "rim", "password": PASSWORD}
    assert at("10.0.0.2").post("/login/", right).status_code == 302  # nobody else is kept out


def test_who_guesses_keeps_nobody_out_elsewhere_nor_another_there(
    rim: Client, settings: Any
) -> None:
    settings.AXES_FAILURE_LIMIT = 2
    assert [guess(at("10.0.0.1")).status_code for _ in range(3)] == [400, 429, 429]
    User.objects.create_user("ada", password=PASSWORD)
    for address, login in (("10.0.0.2", "rim"), ("10.0.0.1", "ada")):
        said = {"login": login, "password": PASSWORD}
        assert at(address).post("/login/", said).status_code == 302, address


def test_who_comes_through_a_unix_socket_signs_in(rim: Client) -> None:
    assert at("").post("/login/", {"login": "rim", "password": PASSWORD}).status_code == 302
    assert set(UserSession.objects.values_list("ip", flat=True)) == {"127.0.0.1"}


@pytest.mark.usefixtures("few_tries")
@pytest.mark.parametrize("peer", ["", "10.0.0.1"])
def test_a_forged_header_begins_no_new_count(rim: Client, peer: str) -> None:
    told = [
        at(peer).post(
            "/login/",
            {"login": f"name-{number}", "password": "a wrong guess"},
            headers={"X-Forwarded-For": f"203.0.113.{number}"},
        )
        for number in range(5)
    ]
    assert [each.status_code for each in told] == [400] * 4 + [429]


@pytest.mark.usefixtures("few_tries")
def test_one_name_has_so_many_wrong_tries_whatever_the_address(rim: Client) -> None:
    told = [guess(at(f"10.0.0.{number}")).status_code for number in range(7)]
    assert told == [400] * 6 + [429]
    here = at("10.0.1.1")
    assert here.post("/login/", {"login": "rim", "password": PASSWORD}).status_code == 429
    assert signed_in(rim)  # who is signed in stays so, and a letter opens the door
    here.post("/password/reset/", {"email": ADDRESS})
    form = here.get(link_in(mail.outbox[-1]), follow=True).redirect_chain[-1][0]
    here.post(form, {"password1": "an even longer one 7", "password2": "an even longer one 7"})
    assert signed_in(here)


@pytest.mark.usefixtures("few_tries")
def test_codes_of_a_second_factor_can_not_be_tried_for_ever(rim: Client) -> None:
    with_second_factor(rim)
    cache.clear()
    client, _ = sign_in()
    tries = [client.post("/second-factor/authenticate/", {"code": "000000"}) for _ in range(5)]
    assert [each.status_code for each in tries] == [400] * 4 + [429]
    said = {"username": "rim", "password": PASSWORD, "code": "000000"}
    refused = problem(Api().post("token/", said), 429, "locked-out")
    assert "too often" in refused["detail"]


def test_who_guesses_keys_waits_and_a_key_that_holds_is_taken(
    rim: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WrongKeys, "rate", "2/min", raising=False)
    wrong = Client(HTTP_AUTHORIZATION="Token zgxl_guess")
    told = [wrong.get("/api/v1/players/").status_code for _ in range(3)]
    assert told == [401, 401, 429]
    assert int(wrong.get("/api/v1/players/").headers["Retry-After"]) > 0
    assert Api(User.objects.get()).get("players/").status_code == 200


def test_letters_are_plain_and_in_our_words(rim: Client) -> None:
    rim.post(link_in(mail.outbox[0]))
    new = "an even longer one 7"
    passwords = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert rim.post("/password/change/", passwords).status_code == 302
    Client().post("/password/reset/", {"email": "nobody@example.org"})
    told = {letter.subject: letter for letter in mail.outbox}
    assert {
        "ZGXL: Your password was changed",
        "ZGXL: No account has this address",
    } <= told.keys()
    for letter in mail.outbox:
        assert letter.alternatives == []
        assert "ZGXL, testserver" in letter.body
        assert not {"&quot;", "&#x27;", "You are receiving"} & set(letter.body.split())
    assert "from the address 127.0.0.1" in told["ZGXL: Your password was changed"].body


def test_the_admin_opens_with_groups_and_leaves_nothing_out(rim: Client) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    groups = rim.get("/admin/").context["app_list"]
    shown = [model["model"] for group in groups for model in group["models"]]
    assert sorted(map(str, shown)) == sorted(map(str, admin.site._registry))
    assert next(iter(groups))["name"] == "Leagues and tournaments"
    assert "Adjustment" in [model["object_name"] for model in groups[0]["models"]]
    assert all(rim.get(group["app_url"]).status_code == 200 for group in groups)
