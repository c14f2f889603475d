"""Every writing page × malformed forms: 4xx, the same on both engines, and no row written."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
from axes import utils as axes
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from characters import (
    campaigns,
    cards,
    importing,
    ledger,
    moving,
)
from characters import services as characters
from characters.models import Character
from characters.services import Recording, TradeOffer
from matches import claiming, links, services
from matches.keys import keys_of, make
from matches.models import Match
from tests import factories
from tests.api.test_bad_input import counts

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

ID = "0190a000-0000-7000-8000-000000000001"
GRIP = "name | slot\nGrip | Claw"
PROPOSED = "0190a000-0000-7000-8000-000000000002"
FORM = "application/x-www-form-urlencoded"

# What is put into a field, as it is written in the body.
POISONS = {
    "nothing": "",
    "NUL": "%00",
    "a lone surrogate": "%ED%A0%80",
    "bad UTF-8": "%FF%FE",
    "2**63": "9223372036854775808",
    "5,000 digits": "9" * 5000,
    "NaN": "NaN",
    "JSON": "%7B%22a%22%3A1%7D",
    "100,000 brackets": "[" * 100_000,
}
# A free text holds all of these but the ones named here.
NO_TEXT = ("nothing", "NUL", "5,000 digits", "100,000 brackets")


@dataclass(frozen=True)
class Page:
    """A page that writes: its path, a good form, and the field that takes the poison.

    `refused`: the status of a poisoned field. One left empty is always 400.
    """

    path: str
    form: dict[str, str]
    field: str
    poisons: tuple[str, ...] = tuple(POISONS)
    anonymous: bool = False
    refused: int = 400


PAGES: dict[str, Page] = {
    "account_login": Page(
        "/login/",
        {"login": "ada", "password": factories.PASSWORD},
        "password",
        anonymous=True,
    ),
    "account_change_password": Page(
        "/password/change/",
        {
            "oldpassword": factories.PASSWORD,
            "password1": "a1b2c3d4e5f6",
            "password2": "a1b2c3d4e5f6",
        },
        "oldpassword",
    ),
    "matches:theme-set": Page("/theme/", {"theme": "dark"}, "theme"),
    "matches:language-set": Page("/language/", {"back": "/", "language": "de"}, "language"),
    "matches:results-set": Page("/results/", {"back": "/", "results": "off"}, "results"),
    "account_signup": Page(
        "/signup/",
        {
            "username": "ida",
            "name": "Ida",
            "password1": "correct-horse-9",
            "password2": "correct-horse-9",
        },
        "name",
        NO_TEXT,
        anonymous=True,
    ),
    "matches:account-erase": Page(
        "/me/erase/", {"password": factories.PASSWORD, "sure": "on"}, "password"
    ),
    "matches:key-list": Page("/me/keys/", {"name": "A board"}, "name", NO_TEXT),
    "matches:account-detail": Page("/me/", {"name": "Ida"}, "name", NO_TEXT),
    "matches:guest-rename": Page("/players/{guest}/name/", {"name": "Ida"}, "name", NO_TEXT),
    "matches:guest-merge": Page("/players/{guest}/merge/", {"into": "{twice}"}, "into"),
    "matches:match-open": Page(
        "/matches/new/?game=score&seats=2",
        {
            "physical": "yes",
            "visibility": "public",
            "act_id": ID,
            "option-best_of": "1",
            "seat1-who": "nobody",
            "seat2-who": "nobody",
        },
        "visibility",
    ),
    "matches:deck-check": Page("/games/zx/deck/", {"text": "4 Nobody"}, "text", ("nothing", "NUL")),
    "matches:seat-list": Page("/matches/{code}/seats/", {"username": "ben"}, "username"),
    "matches:match-cut": Page(
        "/matches/{code}/cut/", {"delay": "0", "visibility": "public"}, "delay"
    ),
    "matches:act-record": Page(
        "/matches/{code}/acts/",
        {"act_id": ID, "type": "points-scored", "seat": "1", "points": "1"},
        "points",
    ),
    "matches:logger": Page(
        "/matches/{code}/table/",
        {"act_id": ID, "type": "points-scored", "seat": "1", "points": "1"},
        "points",
    ),
    "matches:scribe": Page("/matches/{code}/scribe/", {"over": ""}, "over", tuple(POISONS)[1:]),
    "matches:proposal-decide": Page(
        "/matches/{code}/proposals/" + PROPOSED + "/", {"decision": "dismiss"}, "decision"
    ),
    "matches:act-take-back": Page(
        "/matches/{code}/take-back/", {"act_id": ID, "to": "1"}, "to", refused=404
    ),
    "matches:act-correct": Page(
        "/matches/{code}/correct/2/",
        {
            "correction_id": ID,
            "after": "2",
            "type": "points-scored",
            "seat": "1",
            "points": "4",
            "reason": "Misheard",
        },
        "points",
    ),
    "characters:character-create": Page(
        "/characters/new/", {"name": "Oriel", "audience": "public"}, "audience"
    ),
    "characters:character-paste": Page(
        "/characters/paste/",
        {"text": "Character: Una", "keep": "1", "name": "Una"},
        "text",
        ("nothing", "NUL"),
    ),
    "characters:character-edit": Page(
        "{character}edit/", {"name": "Oriel", "audience": "public"}, "audience"
    ),
    "characters:section-edit": Page(
        "{character}sections/public/", {"text": "Tall", "audience": "public"}, "audience"
    ),
    "characters:goal-add": Page("{character}goals/", {"text": "Sleep"}, "text", NO_TEXT),
    "characters:goal-change": Page("{character}goals/{goal}/", {"do": "current"}, "do"),
    "characters:ledger-list": Page(
        "{character}ledger/", {"act_id": ID, "way": "won", "amount": "5"}, "way"
    ),
    "characters:offer-list": Page(
        "{character}offers/", {"to": "{other}", "pays": "1", "way": "traded"}, "to"
    ),
    "characters:favour-list": Page(
        "{character}diary/", {"kind": "grudge", "text": "A bad spin", "audience": "named"}, "kind"
    ),
    "characters:favour-change": Page("{character}diary/{favour}/", {"do": "settle"}, "do"),
    "characters:entry-cover": Page(
        "{character}ledger/{stolen}/cover/",
        {"act_id": ID, "method": "gift", "audience": "public"},
        "method",
    ),
    "characters:move-list": Page("{character}moves/", {"do": "give", "to": "ben"}, "do"),
    "characters:move-answer": Page("/moves/{move}/", {"answer": "decline"}, "answer"),
    "characters:campaign-create": Page(
        "/campaigns/new/",
        {"name": "Belt", "after_slag": "repair", "repair_price": "7"},
        "repair_price",
    ),
    "characters:campaign-edit": Page(
        "/campaigns/{campaign}/edit/",
        {"name": "Belt", "after_slag": "roll", "repair_price": "7"},
        "after_slag",
    ),
    "characters:portrait-edit": Page(
        "{character}portrait/", {"audience": "public", "remove": "on"}, "audience"
    ),
    "characters:card-create": Page(
        "/cards/new/", {"name": "Grip", "slot": "Claw"}, "cost", tuple(POISONS)[1:]
    ),
    "characters:card-edit": Page(
        "/cards/{card}/edit/", {"name": "Grip", "slot": "Claw"}, "cost", tuple(POISONS)[1:]
    ),
    "characters:card-set": Page("/cards/sets/{set}/", {"name": "Tides"}, "name", NO_TEXT),
    "characters:card-import": Page("/cards/import/", {"text": GRIP, "keep": "{tried}"}, "text"),
    "characters:prompt-answer": Page(
        "{character}after/", {"appearance": ID, "kind": "goal", "do": "take"}, "do"
    ),
    "characters:loadout-create": Page(
        "{character}loadouts/new/", {"name": "Duel", "game_class": "open"}, "name", NO_TEXT
    ),
    "characters:loadout-detail": Page(
        "/loadouts/{loadout}/", {"name": "Duel", "game_class": "open"}, "game_class"
    ),
    "characters:item-card": Page("/items/{item}/card/", {"card": ""}, "card", tuple(POISONS)[1:]),
    "characters:offer-answer": Page("/offers/{trade}/", {"answer": "decline"}, "answer"),
}
PAGES["characters:match-open"] = PAGES["matches:match-open"]
# Pages that take no field: being asked is all they are told.
BARE = {
    "account_logout": "/logout/",
    "matches:steps-end": "/steps/end/",
    "matches:key-end": "/me/keys/{key}/end/",
    "matches:seat-join": "/j/{token}/",
    "matches:guest-link": "/players/{guest}/claim/",
    "matches:guest-claim": "/claim/{claim}/",
    "matches:claim-undo": "/players/{claimed}/claim/undo/",
    "matches:seat-renew": "/matches/{code}/seats/1/renew/",
    "matches:match-verify": "/matches/{code}/verify/",
    "matches:job-list": "/me/jobs/",
    "matches:job-cancel": "/me/jobs/{job}/cancel/",
    "matches:job-again": "/me/jobs/{job}/again/",
    "matches:scribe-end": "/matches/{code}/scribe/end/",
    "characters:entry-undo": "{character}ledger/{entry}/undo/",
    "characters:loadout-remove": "/loadouts/{loadout}/remove/",
}
# Fields that kill besides the poisoned one: page, changes to the good form, status.
WRONG: dict[str, tuple[str, dict[str, str], int]] = {
    "an id that is none": ("matches:act-record", {"act_id": "7"}, 400),
    "no id": ("matches:act-record", {"act_id": ""}, 400),
    "an unknown act": ("matches:act-record", {"type": "dance"}, 400),
    "seat 3 of 2": ("matches:act-record", {"seat": "3"}, 422),
    "seat 0": ("matches:act-record", {"seat": "0"}, 422),
    "a seat of 2**63": ("matches:act-record", {"seat": str(2**63)}, 400),
    "a version gone by": ("matches:act-record", {"after": "1"}, 409),
    "a version to come": ("matches:act-record", {"after": "99"}, 409),
    "a version of NUL": ("matches:act-record", {"after": "\0"}, 404),
    "a broken line": ("matches:act-record", {"line": "points-scored 1 {"}, 400),
    "a line of brackets": ("matches:act-record", {"line": "points-scored 1 " + "[" * 9999}, 400),
    "a line with NUL": ("matches:act-record", {"line": "points-scored \0 1"}, 400),
    "back to the future": ("matches:act-take-back", {"to": "99"}, 422),
    "back to version 0": ("matches:act-take-back", {"to": "0"}, 422),
    "a scribe over nobody known": ("matches:scribe", {"over": ID}, 409),
    "a proposal without decision": ("matches:proposal-decide", {"decision": ""}, 400),
    "merged with nothing": ("matches:proposal-decide", {"decision": "merge"}, 400),
    "an opening's id that is none": ("matches:match-open", {"act_id": "7"}, 400),
    "a title of NUL": ("matches:match-open", {"title": "\0"}, 400),
    "a title too long": ("matches:match-open", {"title": "x" * 121}, 400),
    "games without end": ("matches:match-open", {"option-best_of": str(2**63)}, 400),
    "a seat for nobody known": ("matches:match-open", {"seat1-who": ID}, 400),
    "gear of nobody known": ("characters:loadout-create", {"items": "ZG-000000"}, 400),
    "a class of its own": ("characters:loadout-create", {"game_class": "heavy"}, 400),
    "a question without an id": ("characters:prompt-answer", {"appearance": "7"}, 400),
    "a die of seven": ("characters:prompt-answer", {"roll": "7"}, 400),
    "a card that is none": ("characters:item-card", {"card": "7"}, 400),
    "a delay of days": ("matches:match-cut", {"delay": "86401"}, 400),
    "a delay before all": ("matches:match-cut", {"delay": "-1"}, 400),
    "shown to nobody known": ("matches:match-cut", {"visibility": "nobody"}, 400),
    "an official nobody knows": ("matches:seat-list", {"username": "nobody"}, 400),
    "an erasure nobody is sure of": ("matches:account-erase", {"sure": ""}, 400),
    "another password": ("matches:account-erase", {"password": "not mine"}, 400),
    "a name that is taken": ("account_signup", {"username": "ada"}, 400),
    "a weak password": ("account_signup", {"password1": "1", "password2": "1"}, 400),
}


@dataclass(frozen=True)
class Table:
    """A match at version 2, its opener and somebody else; the opener's character and its own."""

    match: Match
    token: str
    character: Character
    places: dict[str, Any]

    def path(self, path: str) -> str:
        return path.format(code=self.match.code, token=self.token, **self.places)

    def form(self, page: Page) -> dict[str, str]:
        """Return a page's good form, with what stands in braces filled in."""
        return {name: value.format(**self.places) for name, value in page.form.items()}

    def opener(self) -> Client:
        return signed_in(factories.opener_of(self.match).user)

    def post(self, client: Client, page: Page, body: str) -> Any:
        return client.post(self.path(page.path), body, content_type=FORM)


def signed_in(user: Any) -> Client:
    return factories.signed_in(user, raise_request_exception=False)


@pytest.fixture(scope="module")
def _table(django_db_setup: None, django_db_blocker: Any) -> Iterator[Table]:
    with factories.built_once(set_up, django_db_blocker) as found:
        yield found


@pytest.fixture
def table(_table: Table) -> Table:
    return deepcopy(_table)


def set_up() -> Table:
    ben = factories.actor("ben")
    match = factories.played(1, by=factories.actor("ada"))
    ada = factories.opener_of(match)
    services.propose(match=match, by=ada, act_id=UUID(PROPOSED), act=factories.points())
    mine = characters.paste(
        by=ada, text="Character: Una\nBasic Blue Feet (found, a yard)\nCurrency: c9"
    )
    other = characters.paste(by=ben, text="Character: Ben\nCurrency: c9")
    goal = characters.add_goal(by=ada, character=mine, text="Rest")
    [entry] = characters.record(
        by=ada, character=mine, act_id=uuid4(), what=Recording("won", amount=3)
    )
    trade = characters.offer(by=ben, character=other, to=mine, what=TradeOffer(pays=1, asks=2))
    favour = characters.add_favour(by=ada, character=mine, kind="favour", text="A lift")
    [stolen] = characters.record(
        by=ada, character=mine, act_id=uuid4(), what=Recording("stolen", line="Basic Red Claw")
    )
    campaign = campaigns.create(by=ada, name="Rim")
    make(ada.user, name="A board", scopes=[])
    move = moving.ask_to_join(by=ben, character=other, campaign=campaign)
    card = cards.add(by=ada, game="zg", data={"name": "Old Grip", "slot": "Claw"})
    guest, claimed = (services.add_guest(by=ada, name=name) for name in ("Guest", "Claimed"))
    link, used = (
        claiming.token_of(services.offer_claim(by=ada, guest=each)) for each in (guest, claimed)
    )
    services.claim(by=ben, token=used)
    twice = services.add_guest(by=ada, name="Guest again")
    places = {
        "tried": importing.take_in(by=ada, game="zg", text=GRIP).tried,
        "job": services.request_verify(match=match, by=ada).pk,
        "guest": guest.pk,
        "twice": twice.pk,
        "claim": link,
        "claimed": claimed.pk,
        "character": mine.get_absolute_url(),
        "goal": goal.pk,
        "other": other.pk,
        "entry": entry.pk,
        "trade": trade.pk,
        "card": card.pk,
        "set": card.card_set_id,
        "item": ledger.items_of(mine)[0].serial,
        "loadout": characters.make_loadout(by=ada, character=mine, name="Spar", items=[]).pk,
        "favour": favour.pk,
        "stolen": stolen.pk,
        "move": move.pk,
        "campaign": campaign.pk,
        "key": keys_of(ada.user).first().pk,
    }
    return Table(match, links.seat_token(match.seats.get(number=1)), mine, places)


def pages(patterns: list[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield every page of ours: its name, and a path to it.

    The admin's are Django's own; django-allauth's are walked in tests/deploy/test_accounts.py.
    """
    for pattern in patterns:
        if isinstance(pattern, URLResolver) and pattern.namespace not in ("api", "admin"):
            within = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from pages(pattern.url_patterns, before + within)
        elif isinstance(pattern, URLPattern) and pattern.name and not of_a_library(pattern):
            parts = {part: SAMPLES[part] for part in pattern.pattern.converters}
            yield before + pattern.name, reverse(before + pattern.name, kwargs=parts)


def of_a_library(pattern: URLPattern) -> bool:
    """Tell whether a page is a library's, or one of ours made of it."""
    made_of = getattr(getattr(pattern.callback, "view_class", None), "__mro__", ())
    theirs = pattern.callback.__module__.startswith(("allauth.", "django."))
    return theirs or any(each.__module__.startswith("allauth.") for each in made_of)


SAMPLES = {
    "code": "ABCDEF",
    "token": "ABCDEF",
    "number": 1,
    **dict.fromkeys(("pk", "other"), ID),
    **dict.fromkeys(("id", "sanction", "division"), 1),
    "key": ID,
    "page": "a",
    "act_id": ID,
    "kind": "notes",
    "version": 2,
    "goal": ID,
    "game": "a",
    "favour": ID,
    "entry": 1,
    "serial": "ABCDEF",
    "slug": "a",
    "section": "players",
    "table": 1,
    "member": 1,
    "delivery": ID,
}


def test_every_page_that_takes_a_post_is_in_the_table() -> None:
    client = signed_in(factories.user())
    found = [page for page in pages(get_resolver().url_patterns) if page[0] != "account_logout"]
    writing = {name for name, path in found if client.post(path).status_code != 405}
    ours = {name for name in (*PAGES, *BARE) if not name.startswith("account_")}
    assert {name for name in writing if not name.startswith("league:")} == ours


@pytest.mark.parametrize("name", PAGES)
def test_the_good_form_is_taken(table: Table, name: str) -> None:
    page = PAGES[name]
    client = Client() if page.anonymous else table.opener()
    answer = table.post(client, page, urlencode(table.form(page)))
    shown = name in ("matches:key-list", "matches:deck-check")  # what came of it is shown at once
    assert answer.status_code == (200 if shown else 302), answer.content


@pytest.mark.parametrize("name", PAGES)
def test_what_is_malformed_is_refused_and_writes_nothing(
    table: Table, subtests: pytest.Subtests, name: str
) -> None:
    page = PAGES[name]
    client = Client(raise_request_exception=False) if page.anonymous else table.opener()
    before = counts()
    for told, body, statuses in deadly(table, name):
        with subtests.test(told):
            axes.reset()  # not the tries at the door are meant here
            cache.clear()
            answer = table.post(client, page, body)
            assert answer.status_code in statuses, answer.content
            assert counts() == before


def deadly(table: Table, name: str) -> Iterator[tuple[str, Any, tuple[int, ...]]]:
    """Yield what kills a page: in a word, the body, and the statuses it may be answered with."""
    page = PAGES[name]
    form = table.form(page)
    rest = urlencode({key: value for key, value in form.items() if key != page.field})
    for poison in page.poisons:
        value = POISONS[poison]
        yield poison, f"{rest}&{page.field}={value}", (page.refused if value else 400,)
    for body in (b"", b"\xff\xfe", b"\0", b"{}", b"[" * 100_000):
        yield f"a body of {body[:2]!r}", body, (400,)
    yield "10 MB", f"{page.field}={'9' * 10_000_000}", (400, 413)
    for told, (of_page, changes, status) in WRONG.items():
        if of_page == name:
            yield told, urlencode({**form, **changes}), (status,)


def test_a_form_from_another_site_is_403_and_writes_nothing(table: Table) -> None:
    client = factories.signed_in(table.match.opener.user, enforce_csrf_checks=True)
    before = counts()
    told = {}
    for name in (*PAGES, *BARE):
        path = PAGES[name].path if name in PAGES else BARE[name]
        body = urlencode(table.form(PAGES[name])) if name in PAGES else ""
        told[name] = client.post(table.path(path), body, content_type=FORM).status_code
    assert told == dict.fromkeys(told, 403)
    assert counts() == before


OF_A_MATCH = sorted(
    name
    for name, path in {**{name: page.path for name, page in PAGES.items()}, **BARE}.items()
    if "{code}" in path
)


@pytest.mark.parametrize("name", OF_A_MATCH)
def test_a_match_of_others_is_refused_and_not_written_to(table: Table, name: str) -> None:
    path = PAGES[name].path if name in PAGES else BARE[name]
    body = urlencode(table.form(PAGES[name])) if name in PAGES else ""
    stranger = signed_in(factories.user())
    before = counts()
    answer = stranger.post(table.path(path), body, content_type=FORM)
    if name == "matches:match-verify":  # anyone signed in may have a public match verified
        assert answer.status_code == 302
    else:
        assert answer.status_code == 403
        assert counts() == before


@pytest.mark.parametrize("code", ["ZZZZZZ", "%00", "%FF", "a" * 300, "%F0%9F%98%80"])
def test_a_match_that_is_not_there_is_404(table: Table, code: str) -> None:
    opener, told = table.opener(), {}
    for name in OF_A_MATCH:
        path = PAGES[name].path if name in PAGES else BARE[name]
        answer = opener.post(path.format(code=code), content_type=FORM)
        told[name] = answer.status_code
    assert told == dict.fromkeys(OF_A_MATCH, 404)


@pytest.mark.parametrize("name", ["matches:act-record", "matches:logger"])
def test_a_finished_match_takes_no_more(table: Table, name: str) -> None:
    factories.record(table.match, {"type": "conceded", "seat": 2})
    page = PAGES[name]
    before = counts()
    assert table.post(table.opener(), page, urlencode(table.form(page))).status_code == 422
    assert counts() == before


@pytest.mark.parametrize("token", ["forged:token", "%00:", "a:b", "%FF:%FE", ":" * 500])
def test_a_forged_link_seats_nobody(table: Table, token: str) -> None:
    assert Client(raise_request_exception=False).post(f"/j/{token}/").status_code == 404


def test_too_many_wrong_passwords_lock_the_account_for_a_while(table: Table) -> None:
    page = PAGES["account_login"]
    for _ in range(settings.AXES_FAILURE_LIMIT):
        last = table.post(Client(), page, urlencode({**page.form, "password": "guess"}))
    assert last.status_code == 429
    assert table.post(Client(), page, urlencode(table.form(page))).status_code == 429


def test_a_seat_that_is_not_there_has_no_link(table: Table) -> None:
    path = f"/matches/{table.match.code}/seats/{2**63}/renew/"
    assert table.opener().post(path).status_code == 404
