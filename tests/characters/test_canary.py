"""Private words are nowhere for those who may not know them, by whatever path they ask.

The crawler walks every named route there is: pages, files, the API, the admin. A new route is
walked without being named here.
"""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import IntConverter, UUIDConverter

from tests import factories
from tests.characters.canaries import CANARY, Cage, cage

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

ANY = "abc"
UUID = "0190a000-0000-7000-8000-000000000001"
KINDS = ("private", "diary", "goals", "gear")
OTHERS = {"kind": list(KINDS), "page": ["bench"], "key": ["zg"], "game": ["zg"], "number": [1]}
"""What stands for converters that name no thing of a character."""

SHARED = {"logout", "account_logout", "token"}
"""Routes that would end the visit, and tell nothing."""

OF_CHARACTER = {"goal": "goals", "favour": "favours", "entry": "ledger", "serial": "items"}


Wanted = dict[str, Any]
"""What a path has to be filled with: the names of its parts, and what stands for each."""


def routes(
    patterns: list[Any], space: str = "", path: str = "", above: Wanted | None = None
) -> Iterator[tuple[str, str, Wanted]]:
    """Yield every named route: its name, its path, what it has to be filled with."""
    for pattern in patterns:
        here = path + str(pattern.pattern)
        wanted = {**(above or {}), **parts(pattern.pattern)}
        if isinstance(pattern, URLResolver):
            below = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from routes(pattern.url_patterns, space + below, here, wanted)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield space + pattern.name, here, wanted


def parts(pattern: Any) -> Wanted:
    if converters := pattern.converters:
        samples = {UUIDConverter: UUID, IntConverter: 1}
        return {name: samples.get(type(each), ANY) for name, each in converters.items()}
    return dict.fromkeys(pattern.regex.groupindex, ANY)


def urls(found: Cage, below: str = "") -> Iterator[str]:
    """Yield every route filled in with what is hidden."""
    for name, path, wanted in routes(get_resolver().url_patterns):
        if not path.startswith(below) or name in SHARED or name.startswith("admin:"):
            continue
        first = path.removeprefix("api/v1/").partition("/")[0]
        known = [
            _known(found, first, one, place) or (sample == ANY and OTHERS.get(one)) or [sample]
            for place, (one, sample) in enumerate(wanted.items())
        ]
        for values in product(*known):
            yield reverse(name, kwargs=dict(zip(wanted, values, strict=True)))


def _known(found: Cage, first: str, wanted: str, place: int) -> list[Any]:
    if wanted in OF_CHARACTER:
        return found.places[OF_CHARACTER[wanted]]
    if place == 0 and first in found.places:
        return found.places[first]
    return []


def asked(found: Cage) -> Iterator[str]:
    """Yield every address to be asked: each route, and each with what narrows or looks."""
    for url in urls(found):
        yield url
        if url.startswith("/api/"):
            if url.count("/") == 4 and "schema" not in url:
                yield f"{url}?character={found.character.pk}"
        elif url.startswith("/characters/") and url.count("/") < 5:
            yield f"{url}?as=owner"
    for part in ("characters/", "cards/", "matches/", "players/"):
        yield f"/{part}?q=cana"
        yield f"/api/v1/{part}?{'q' if part == 'cards/' else 'name'}=cana"


def told(answer: Any) -> str:
    """Return all that an answer says, headers too."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return f"{dict(answer.headers)} {body.decode('utf-8', 'replace')}".casefold()


@pytest.fixture(scope="module")
def found(django_db_setup: None, django_db_blocker: Any) -> Iterator[Cage]:
    with factories.built_once(cage, django_db_blocker) as found:
        yield found


client_of = partial(factories.client_of, raise_request_exception=False)


@pytest.mark.parametrize("role", ["visitor", "player", "official"])
def test_private_words_are_nowhere(found: Cage, role: str) -> None:
    client = client_of(found.roles[role])
    everywhere = list(asked(found))
    assert len(everywhere) > 150
    for url in everywhere:
        answer = client.get(url)
        assert answer.status_code < 500, url
        assert CANARY not in told(answer), (role, url)


def test_the_crawler_finds_what_its_owner_may_know(found: Cage) -> None:
    client = client_of(found.owner)
    seen = "".join(told(client.get(url)) for url in asked(found) if "zip" not in url)
    words = {"private", "diary", "notes", "unparsed", "mode-deck", "maneuvers", "past", "goal"}
    words |= {"grudge", "who", "party", "place", "context", "stolen", "found", "name", "tagline"}
    words |= {"card", "set", "loadout", "cave", "victim"}
    assert {word for word in words if f"{CANARY}-{word}" not in seen} == set()


@pytest.mark.parametrize("role", ["visitor", "player", "official"])
def test_error_texts_tell_nothing_private(found: Cage, role: str) -> None:
    client = client_of(found.roles[role])
    names = ("characters", "items", "offers", "moves", "cards", "loadouts", "goals", "ledger")
    for name in names:
        for url in (*urls(found, f"{name}/"), *urls(found, f"api/v1/{name}/")):
            for method in (client.post, client.patch, client.put):
                with transaction.atomic():
                    answer = method(url, b"{}", content_type="application/json")
                assert answer.status_code < 500, url
                assert CANARY not in told(answer), (role, url)


def test_the_admin_of_a_lesser_role_tells_nothing_private(found: Cage) -> None:
    helper = factories.actor()
    user = User.objects.get(pk=helper.user.pk)
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.exclude(content_type__app_label="auth"))
    client = client_of(helper)
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        if model._meta.app_label not in ("characters", "matches", "league"):
            continue
        pages = [reverse(f"{name}_changelist"), f"{reverse(f'{name}_changelist')}?q=cana"]
        for row in model._default_manager.all()[:3]:
            pages += [reverse(f"{name}_{verb}", args=[row.pk]) for verb in ("change", "history")]
        for url in pages:
            answer = client.get(url)
            assert answer.status_code in (200, 302, 403, 404), url
            assert CANARY not in told(answer), url
