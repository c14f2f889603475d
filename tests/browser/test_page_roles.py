"""Who may open what: every named route that is no endpoint × role. A missing route fails."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from league import services as leagues
from league.models import Circuit, Division, Qualifier, Season, Tournament, Venue
from matches import actors
from tests import factories
from tests.browser.pages import PAGES, World, admin_pages, names, world

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # no right depends on the engine

ID = "0190a000-0000-7000-8000-000000000001"
ROLES = ["anonymous", "stranger", "scorekeeper", "judge", "opener", "staff"]
"""Scorekeeper and judge are those of the one live tournament; the opener made all there is."""

MANAGES = [403, 403, 403, 403, 200, 200]
RULES = [403, 403, 403, 200, 200, 200]  # at a desk
OWNS = [403, 403, 403, 403, 200, 403]

# Pages that all may open, whoever they are.
OPEN = {
    *(
        "matches:home",
        "matches:theme-set",
        "proof",
        "developers",
        "matches:match-list",
        "league:match-list",
        "matches:join",
        "league:join",
    ),
    "matches:offline",
    *("matches:seat-join", "matches:match-detail", "matches:match-if", "matches:match-fair"),
    *("matches:match-verify", "matches:game-page", "matches:player-detail"),
    *("account_login", "account_signup", "account_inactive"),
    *("account_reset_password", "account_reset_password_done"),
    *("account_reset_password_from_key", "account_reset_password_from_key_done"),
    *("account_email_verification_sent", "matches:guest-claim"),
    *("characters:character-list", "characters:character-detail", "characters:ledger-list"),
    *("characters:character-print", "characters:character-pocket", "characters:campaign-list"),
    *(
        "characters:campaign-detail",
        "characters:campaign-prices",
        "characters:card-list",
        "characters:card-detail",
    ),
    *("characters:card-compare", "characters:card-print", "characters:card-set"),
    *("characters:career-detail", "characters:loadout-list", "characters:item-detail"),
    "characters:item-tag",
    *("league:league-list", "league:league-detail", "league:season-detail"),
    *("league:circuit-detail", "league:venue-list", "league:venue-detail", "league:lore-list"),
    *("league:lore-detail", "league:search", "league:tournament-list"),
    *("league:tournament-detail", "league:round-detail", "league:pairing-names"),
    *("league:standing-list", "league:standing-changes", "league:entry-list"),
    *("league:tournament-rules", "league:table-detail", "matches:deck-check"),
    *("matches:rulebook-list", "matches:rulebook"),
    *("league:krewe-detail", "league:player-detail", "league:rating-list"),
    *("league:player-compare", "league:player-versus"),
    *("league:embed-bracket", "league:embed-standings", "league:wall", "league:print-list"),
    *("league:print-page", "league:letters-off"),  # this last by a letter's own address
}
# Pages of whoever is signed in; all others are led to the door.
SIGNED_IN = {
    *("account_change_password", "account_email", "account_logout", "account_reauthenticate"),
    *("mfa_index", "usersessions_list", "matches:key-list", "matches:account-detail"),
    "matches:job-list",
    *("matches:account-erase", "matches:match-open", "characters:character-paste"),
    *("characters:character-create", "characters:campaign-create", "characters:card-create"),
    *("characters:card-import", "characters:match-open", "league:my-next"),
    *("league:tournament-create", "league:telling-edit", "league:league-create"),
    *("league:tournament-import", "league:venue-create"),
}
# And what each role is answered by all others.
ANSWERED: dict[str, list[int]] = {
    "account_confirm_email": [404] * 6,  # the link here was used
    "matches:job-detail": [302, 404, 404, 404, 200, 404],
    "matches:guest-link": MANAGES,
    "matches:guest-merge": MANAGES,
    "matches:guest-rename": OWNS,
    "matches:seat-list": MANAGES,
    "matches:act-correct": MANAGES,
    "matches:scribe": MANAGES,
    "matches:act-record": MANAGES,
    "matches:logger": MANAGES,
    "matches:match-cut": MANAGES,
    "characters:character-edit": OWNS,
    "characters:character-history": MANAGES,
    "characters:section-edit": OWNS,
    "characters:offer-list": OWNS,
    "characters:portrait-edit": OWNS,
    "characters:favour-list": OWNS,
    "characters:entry-cover": OWNS,
    "characters:move-list": OWNS,
    "characters:campaign-edit": MANAGES,
    "characters:card-edit": MANAGES,
    "characters:loadout-create": OWNS,
    "characters:loadout-detail": [404, 404, 404, 404, 200, 200],
    "characters:item-card": [302, 403, 403, 403, 200, 403],
    "league:deck-register": [302, 404, 404, 404, 200, 404],
    "league:console": [403, 403, 200, 200, 200, 200],
    "league:list-import": [403, 403, 200, 200, 200, 200],
    "league:undo": MANAGES,  # what organisers recorded: a round
    "league:result-correct": RULES,
    "league:lore-write": MANAGES,
    "league:lore-edit": MANAGES,
    "league:role-list": MANAGES,
    "league:league-run": MANAGES,
    "league:record-list": MANAGES,
    "league:season-create": MANAGES,
    "league:season-edit": MANAGES,
    "league:division-edit": MANAGES,
    "league:circuit-create": MANAGES,
    "league:circuit-edit": MANAGES,
    "league:venue-edit": MANAGES,
    "league:webhook-list": MANAGES,
    "league:webhook-detail": [404, 404, 404, 404, 200, 200],
    "league:staff-list": MANAGES,
    "league:date-list": MANAGES,
    "league:stage-list": MANAGES,
    "league:prize-list": MANAGES,
    "league:tournament-edit": MANAGES,
    "admin:index": [302] * 5 + [200],
    "admin:app_list": [302] * 5 + [200],
    "admin:login": [302, 403, 403, 403, 403, 302],
}

Path = Callable[[World], str]


def live(tail: str) -> Path:
    return lambda world: f"{Tournament.objects.get(title='Rim cup').get_absolute_url()}{tail}"


def match(tail: str) -> Path:
    return lambda world: world.match(tail)


def sheet(tail: str) -> Path:
    return lambda world: world.sheet(tail)


def of(model: Any) -> Path:
    """Return where one of a league's things, there is one of each, is removed."""
    return lambda world: f"/{model._meta.model_name}s/{model.objects.earliest('pk').pk}/remove/"


# What is no page and is got: where it is, and what each role is answered.
FILES: dict[str, tuple[Path, list[int]]] = {
    "matches:log": (lambda world: "/log/", [302] * 6),
    "matches:logger-worker": (lambda world: "/logger-worker.js", [200] * 6),
    "matches:offline-worker": (lambda world: "/offline-worker.js", [200] * 6),
    "matches:manifest": (lambda world: "/manifest.webmanifest", [200] * 6),
    "matches:account-export": (lambda world: "/me/everything.zip", [403] + [200] * 5),
    "matches:job-file": (
        lambda world: f"{world.job('working')}file/",
        [302, 404, 404, 404, 409, 404],
    ),
    "matches:match-log-file": (match("log.ndjson"), [200] * 6),
    "matches:match-notation": (match("log.zgxl"), [200] * 6),
    "matches:match-certificate": (match("certificate.json"), [409] * 6),  # it goes on
    "guide": (lambda world: "/developers/guide.md", [200] * 6),
    "client": (lambda world: "/developers/examples/client.py", [200] * 6),
    "robots": (lambda world: "/robots.txt", [200] * 6),
    "sitemap": (lambda world: "/sitemap.xml", [200] * 6),
    "league:site-feed": (lambda world: "/feed.atom", [200] * 6),
    "league:league-feed": (lambda world: "/leagues/rim-league/feed.atom", [200] * 6),
    "league:player-feed": (lambda world: f"/players/{world.guest.pk}/feed.atom", [200] * 6),
    "league:tournament-feed": (live("feed.atom"), [200] * 6),
    "characters:character-sheet": (sheet("sheet.txt"), [200] * 6),
    "characters:character-portrait": (sheet("portrait.jpg"), [200] * 6),
    "characters:card-export": (lambda world: "/cards/export/", [200] * 6),
}
# What is only posted to: who is turned away.
POSTED: dict[str, tuple[Path, int, int]] = {
    "matches:language-set": (lambda world: "/language/", 400, 400),
    "matches:results-set": (lambda world: "/results/", 400, 400),
    "matches:steps-end": (lambda world: "/steps/end/", 302, 302),
    "matches:key-end": (lambda world: f"/me/keys/{ID}/end/", 403, 404),
    "matches:job-cancel": (lambda world: f"{world.job('waiting')}cancel/", 403, 404),
    "matches:job-again": (lambda world: f"{world.job('failed')}again/", 403, 404),
    "league:league-export": (lambda world: "/leagues/rim-league/export/", 403, 403),
    "matches:seat-renew": (match("seats/1/renew/"), 403, 403),
    "matches:claim-undo": (lambda world: f"/players/{world.guest.pk}/claim/undo/", 403, 403),
    "matches:act-take-back": (match("take-back/"), 403, 403),
    "matches:scribe-end": (match("scribe/end/"), 403, 403),
    "matches:proposal-decide": (match(f"proposals/{ID}/"), 403, 403),
    "league:role-end": (lambda world: "/leagues/rim-league/roles/1/end/", 403, 403),
    "league:sanction-lift": (lambda world: "/leagues/rim-league/record/1/lift/", 403, 403),
    "league:season-remove": (of(Season), 403, 403),
    "league:division-remove": (of(Division), 403, 403),
    "league:circuit-remove": (of(Circuit), 403, 403),
    "league:qualifier-remove": (of(Qualifier), 403, 403),
    "league:venue-remove": (of(Venue), 403, 403),
    "league:webhook-rotate": (lambda world: f"/webhooks/{ID}/secret/", 404, 404),
    "league:webhook-test": (lambda world: f"/webhooks/{ID}/test/", 404, 404),
    "league:webhook-end": (lambda world: f"/webhooks/{ID}/end/", 404, 404),
    "league:delivery-send": (lambda world: f"/webhooks/{ID}/{ID}/send/", 404, 404),
    "league:staff-end": (live("roles/1/end/"), 403, 403),
    "league:tournament-withdraw": (live("withdraw/"), 403, 403),
    "league:self-act": (live("me/"), 403, 404),
    "league:league-join": (lambda world: "/leagues/rim-league/join/", 403, 302),
    "league:krewe-create": (lambda world: "/leagues/rim-league/krewes/", 403, 400),
    "league:table-play": (live("rounds/1/tables/1/play/"), 403, 403),
    "characters:goal-add": (sheet("goals/"), 403, 403),
    "characters:goal-change": (sheet(f"goals/{ID}/"), 403, 403),
    "characters:entry-undo": (sheet("ledger/1/undo/"), 403, 403),
    "characters:favour-change": (sheet(f"diary/{ID}/"), 403, 403),
    "characters:prompt-answer": (sheet("after/"), 403, 403),
    "characters:loadout-remove": (lambda world: f"{world.loadout()}remove/", 404, 404),
}
# Whose rights are those of something else here.
ELSEWHERE = {
    "logout": "account_logout",
    "sitemap-part": "sitemap",
    "league:calendar": "tests/league/test_notices.py: whoever has its address",
    "account_set_password": "account_change_password",
    "account_confirm_login_code": "account_login",
    "mfa_activate_totp": "mfa_index",
    "mfa_deactivate_totp": "mfa_index",
    "mfa_generate_recovery_codes": "mfa_index",
    "mfa_view_recovery_codes": "mfa_index",
    "mfa_download_recovery_codes": "mfa_index",
    "mfa_authenticate": "account_login",
    "mfa_reauthenticate": "account_reauthenticate",
    "characters:move-answer": "tests/characters/test_moving.py: whom it was offered to",
    "characters:offer-answer": "tests/characters/test_ledger.py: whom it was offered to",
}


def clients(here: World) -> dict[str, Client]:
    found = {role: Client() for role in ROLES}
    opener = actors.actor_for(here.opener)
    cup = Tournament.objects.get(title="Rim cup")
    for role in ("stranger", "scorekeeper", "judge"):
        who = factories.actor(f"a-{role}")
        assert isinstance(who.user, User)
        assert who.player is not None
        found[role].force_login(who.user)
        if role != "stranger":
            leagues.name_member(by=opener, player=who.player, role=role, tournament=cup)
    found["opener"].force_login(here.opener)
    found["staff"].force_login(here.staff)
    return found


def test_every_route_is_in_the_table() -> None:
    known = OPEN | SIGNED_IN | {*ANSWERED, *FILES, *POSTED, *ELSEWHERE}
    ours = {name for name in names() if not name.startswith("admin:")}
    assert ours - known == set()
    assert (OPEN | SIGNED_IN | ANSWERED.keys()) - PAGES.keys() == set()


def status_of(answer: Any) -> int:
    """Return the status of an answer; one that is a file is read, and so closed."""
    if answer.streaming:
        b"".join(answer)
    status: int = answer.status_code
    return status


def test_every_route_answers_each_role() -> None:
    """What all may open is asked by nobody in particular, what is to be denied by everybody."""
    here = world()
    by = clients(here)
    wrong: list[Any] = []

    def ask(name: str, path: str, wanted: dict[str, int]) -> None:
        told = {role: status_of(by[role].get(path)) for role in wanted}
        if told != wanted:
            wrong.append((name, path, told, wanted))

    for name in sorted(OPEN):
        ask(name, PAGES[name][0].at(here), {"anonymous": 200})
    for name in sorted(SIGNED_IN):
        ask(name, PAGES[name][0].at(here), {"anonymous": 302, "stranger": 200})
    for name, told in ANSWERED.items():
        ask(name, PAGES[name][0].at(here), dict(zip(ROLES, told, strict=True)))
    for name, (at, told) in FILES.items():
        ask(name, at(here), dict(zip(ROLES, told, strict=True)))
    for name, (at, *told) in POSTED.items():
        path = at(here)
        found = [by[role].post(path).status_code for role in ROLES[:2]]
        if found != told:
            wrong.append((name, path, found, told))
    for name, pages in admin_pages(here).items():
        ask(name, pages[0].at(here), {"opener": 302})
    assert not wrong, "\n".join(map(str, wrong))
