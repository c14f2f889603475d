"""PostgreSQL's work and waiting are bounded: a blocked request answers that the site is busy."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.db import connection, connections, transaction

from deploy import limits
from matches import selectors
from matches.models import Event
from tests import factories, site
from tests.api.client import Api, act, by_opener, problem
from tests.waiting import eventually

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

SHOWN = """
import django
django.setup()
import {module}
from django.db import connection
with connection.cursor() as cursor:
    for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
        cursor.execute(f"SHOW {{name}}")
        print(cursor.fetchone()[0])
"""


@pytest.mark.parametrize("module", ["deploy.wsgi", "deploy.asgi"])
def test_servers_are_bounded_as_the_environment_says(module: str) -> None:
    environment = {"DATABASE_LOCK_TIMEOUT": "7", "DATABASE_IDLE_TIMEOUT": "0"}
    shown = site.started("-c", SHOWN.format(module=module), **environment)
    assert shown.stdout.split() == ["30s", "7s", "0"], shown.stderr


def test_every_database_is_bounded_beside_what_its_url_says_and_a_pooler_is_told_nothing(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def options(**seconds: int) -> list[Any]:
        own: dict[str, dict[str, Any]] = {"default": {}, "replica": {"options": "-c work_mem=8MB"}}
        databases = {name: {"ENGINE": "deploy.postgresql", "OPTIONS": own[name]} for name in own}
        monkeypatch.setattr(connections, "settings", databases)
        settings.DATABASE_LIMITS = {"statement_timeout": 0, **seconds}
        limits.limit()
        return [each.get("options") for each in own.values()]

    bounded = ["-c lock_timeout=7s", "-c lock_timeout=7s -c work_mem=8MB"]
    assert options(lock_timeout=7) == bounded
    assert options() == [None, "-c work_mem=8MB"]


@pytest.fixture
def within() -> Iterator[None]:
    """Have this thread's session of PostgreSQL bounded, tightly."""
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '100ms'")
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET lock_timeout")


def test_an_act_that_waits_too_long_for_another_is_busy_and_nothing_is_recorded(
    within: None,
) -> None:
    match = factories.played(1)
    with psycopg.connect(site.database_url()) as other:
        other.execute("SELECT 1 FROM matches_feedhead FOR UPDATE")
        answer = by_opener(match).post(f"matches/{match.code}/acts/", act())
        problem(answer, 503, "busy")
        assert answer.headers["Retry-After"] == "2"
    assert Event.objects.filter(log=match.log).count() == 2
    assert by_opener(match).post(f"matches/{match.code}/acts/", act()).status_code == 201


def test_a_transaction_nobody_went_on_with_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*args: Any, **named: Any) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '1ms'")
            ours = [connection.connection.info.backend_pid]
            # Each look is a transaction of its own: within one, `pg_stat_activity` never changes.
            with psycopg.connect(site.database_url(), autocommit=True) as other:
                asked = "SELECT 1 FROM pg_stat_activity WHERE pid = %s"
                eventually(lambda: not other.execute(asked, ours).fetchone(), "it is still there")
            cursor.execute("SELECT 1")

    match = factories.played(1)
    monkeypatch.setattr(selectors, "match_for", hang)
    problem(Api().get(f"matches/{match.code}/"), 503, "busy")
