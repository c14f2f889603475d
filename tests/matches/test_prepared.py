"""A precompiled query answers as its queryset does, with any values, in any thread."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth import get_backends
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model
from django.urls import get_resolver
from django.utils import timezone

from league.models import TableMatch, Tournament
from matches import followers, services
from matches.models import Key, Match, Player
from matches.prepared import Prepared
from tests import factories
from tests.league import desks

pytestmark = pytest.mark.django_db

NOBODY = UUID(int=0)
Values = dict[str, Any]


def _matches(name: str) -> Callable[[], list[Values]]:
    return lambda: [{name: pk} for pk in (*Match.objects.values_list("pk", flat=True), NOBODY)]


def _tournaments(name: str) -> Callable[[], list[Values]]:
    return lambda: [{name: pk} for pk in (*Tournament.objects.values_list("pk", flat=True), NOBODY)]


def _players() -> list[Values]:
    return [{"player": pk} for pk in (*Player.objects.values_list("pk", flat=True), NOBODY)]


VALUES: dict[str, Callable[[], list[Values]]] = {
    "deploy.accounts._ACCOUNT": lambda: [
        {"pk": pk} for pk in (*User.objects.values_list("pk", flat=True), 0)
    ],
    "league.followers._TABLE": _matches("match"),
    "league.followers._TOURNAMENT": _tournaments("log"),
    "league.backends._OF_ONE": _matches("match"),
    "matches.followers._JOB": _matches("log"),
    "matches.followers._LAST_OF_OPEN": _matches("log"),
    "matches.followers._LOG": _matches("log"),
    "matches.followers._MARKS": _matches("log"),
    "matches.cuts._WAITING": lambda: [{}],
    "matches.keys._HOLDING": lambda: [
        {"digest": digest, "now": timezone.now()}
        for digest in (*Key.objects.values_list("digest", flat=True), "?")
    ],
    "matches.newest._ENDED_OF_ALL": lambda: [{}],
    "matches.newest._ENDED_OF_PLAYER": _players,
    "matches.newest._LIVE_OF_ALL": lambda: [{}],
    "matches.newest._LIVE_OF_PLAYER": _players,
    "matches.selectors._ALIKE": lambda: [
        {"code": code} for code in (*Match.objects.values_list("code", flat=True), "?")
    ],
    "matches.selectors._BY_CODE": lambda: [
        {"code": match.code, "player": player}
        for match in Match.objects.all()
        for player in (*Player.objects.values_list("pk", flat=True), NOBODY)
    ],
    "matches.verifications._NEWEST": _matches("log"),
}
"""With which values each prepared query of the product is asked here."""


def _everywhere() -> dict[str, Prepared[Any]]:
    """Return every prepared query of the product by where it is."""
    assert get_resolver().url_patterns and get_backends()  # with these every module is there
    return {
        f"{name}.{word}": found
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] in ("matches", "characters", "league", "deploy")
        for word, found in sorted(vars(module).items())
        if isinstance(found, Prepared)
    }


def test_every_prepared_query_is_asked_here() -> None:
    assert sorted(_everywhere()) == sorted(VALUES)


@pytest.fixture
def world() -> None:
    """Make a site with a match of a tournament, another match, keys and verifications."""
    tournament = desks.tournament(factories.actor("runner"))
    desks.entered(tournament, 2)
    desks.start(tournament)
    desks.paired(tournament)
    seated, other = factories.match(), factories.played()
    TableMatch.objects.create(tournament=tournament, round=1, table=1, players="1-2", match=seated)
    judge = factories.actor("judge")
    other.officials.add(judge.player)
    for user in (judge.user, factories.opener_of(other).user):
        factories.key(user)
    for _ in range(2):
        services.request_verify(match=other, by=factories.opener_of(other))
    for match in (seated, other):
        followers.follow(match.pk)
    factories.match(visibility="table")
    factories.record(factories.match(visibility="table"), {"type": "game-won", "seat": 2})
    factories.played(delay=600)
    factories.record(factories.match(), {"type": "game-won", "seat": 1})


@pytest.mark.parametrize("name", VALUES)
def test_a_prepared_query_finds_what_its_queryset_does(name: str, world: None) -> None:
    prepared, asked = _everywhere()[name], VALUES[name]()
    found = [prepared(**values) for values in asked]
    assert [_told(rows) for rows in found] == [
        _told(list(prepared.build(**values))) for values in asked
    ]
    assert any(found), "of nothing nothing can be told"
    told = {str(_told(rows)) for rows in found}
    assert len(told) > 1 or asked == [{}], "whatever was asked, this was found"


def _told(rows: list[Any]) -> list[Any]:
    """Return all that rows hold, with the rows that were read beside them."""
    return [_held(row, ()) if isinstance(row, Model) else row for row in rows]


def _held(row: Model, within: tuple[Model, ...]) -> Any:
    if any(row is outer for outer in within):
        return "the row it was read beside"
    beside = {
        name: _held(other, (*within, row)) if isinstance(other, Model) else other
        for name, other in row._state.fields_cache.items()
    }
    own = {name: value for name, value in vars(row).items() if name != "_state"}
    return type(row), own, beside, row._state.adding, row._state.db


def test_a_query_uses_its_own_threads_connection() -> None:
    names = Prepared(lambda name: User.objects.filter(username=name), name="?")
    here = factories.user("here")
    assert names(name="here") == [here]

    def refuse(*_: object) -> None:
        raise PermissionError("not on this connection")

    def asked_there() -> None:
        try:
            with connection.execute_wrapper(refuse), pytest.raises(PermissionError):
                names(name="here")
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asked_there).result()
    assert names(name="here") == [here]
    with connection.execute_wrapper(refuse), pytest.raises(PermissionError):
        names(name="here")


@pytest.mark.postgresql
def test_postgresql_keeps_the_plan_of_what_is_asked_often() -> None:
    asked = "SELECT %s::int + count(*) FROM auth_group"
    with connection.cursor() as cursor:
        for number in range(7):
            cursor.execute(asked, [number])
            assert cursor.fetchone() == (number,)
        cursor.execute(
            "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s",
            ["%int + count(*) FROM auth_group"],
        )
        assert cursor.fetchone() == (1,)


def test_a_mark_that_is_not_in_the_query_is_told() -> None:
    lost = Prepared(lambda name, pk: User.objects.filter(username=name), name="?", pk=-1)
    with pytest.raises(ValueError, match=r"of .*pk"):
        lost(name="here", pk=1)
