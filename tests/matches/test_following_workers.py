"""Followers in real workers: through both kinds of broker, and killed in the middle."""

import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from matches import jobs, services, tasks
from matches.models import Checkpoint, FollowJob, SeatResult
from tests import factories
from tests.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)

BROKERS = [  # each with the engine it is served beside
    pytest.param("filesystem", id="filesystem", marks=pytest.mark.sqlite),
    pytest.param("broker_url", id="broker", marks=[pytest.mark.broker, pytest.mark.postgresql]),
]


def wait_until(done: Callable[[], bool]) -> None:
    eventually(done, "no worker followed the log")


@pytest.mark.parametrize("broker", BROKERS)
def test_a_worker_follows_what_is_recorded(
    broker: str, worker: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    worker(*([] if broker == "filesystem" else [request.getfixturevalue(broker)]))
    match = factories.match()
    factories.record(match, {"type": "game-won", "seat": 2})
    results = SeatResult.objects.filter(seat__match=match, seat__number=2)
    wait_until(lambda: results.filter(public_result="won").exists())
    services.change_cut(by=factories.opener_of(match), match=match, held=True)
    factories.record(match, {"type": "taken-back", "to": 1})
    wait_until(lambda: results.filter(result="", public_result="won").exists())


@pytest.mark.parametrize("broker", BROKERS)
def test_what_a_killed_worker_left_is_done_by_the_next(
    broker: str, worker: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    """The wake-up is gone with the worker that took it; the row of the outbox is not."""
    url = [] if broker == "filesystem" else [request.getfixturevalue(broker)]
    first = worker(*url)
    matches = [factories.match() for _ in range(20)]
    for match in matches:
        factories.record(match, {"type": "game-won", "seat": 1})
    wait_until(lambda: Checkpoint.objects.filter(version=2).exists())
    os.kill(first.process.pid, signal.SIGKILL)
    worker(*url)
    FollowJob.objects.update(created_at=timezone.now() - 2 * jobs.OVERDUE)
    tasks.wake_overdue.delay()
    wait_until(lambda: not FollowJob.objects.exists())
    assert SeatResult.objects.filter(result="won").count() == 20
    assert not Checkpoint.objects.exclude(error="").exists()


@pytest.mark.broker
@pytest.mark.postgresql
def test_a_worker_of_several_processes_keeps_its_connections(
    worker: Callable[..., Any], broker_url: str
) -> None:
    worker(broker_url, "--pool", "prefork", "--concurrency", "1")
    matches = [factories.match() for _ in range(2)]
    before = _sessions()
    for _ in range(10):
        for match in matches:
            tasks.follow.delay(str(match.pk))
    match = factories.match()
    factories.record(match, {"type": "game-won", "seat": 2})
    wait_until(lambda: SeatResult.objects.filter(seat__match=match, result="won").exists())
    assert _sessions() - before < 10


def _sessions() -> int:
    """Return how many connections this database has had; PostgreSQL counts them when they end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute("SELECT sessions FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])
