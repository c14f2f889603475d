"""Webhooks by real workers, one of them killed while a message was on its way."""

import os
import signal
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from league import delivering, tasks
from league.models import Delivery
from matches import jobs
from matches.models import FollowJob
from matches.tasks import wake_overdue
from tests import factories
from tests.league import desks
from tests.league.hooks import Came, receiver, registered
from tests.waiting import eventually

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.broker,
    pytest.mark.postgresql,
]


def test_what_a_killed_worker_was_sending_is_sent_by_the_next_under_its_id(
    worker: Callable[..., Any], broker_url: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each message comes; the one that nobody had settled comes again; no other comes twice."""
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]
    monkeypatch.setenv("WEBHOOK_HOSTS", "127.0.0.1")  # the workers'
    by = factories.actor()
    league = desks.league(by)
    with receiver() as there:
        registered(by, league, there.url)
        first = worker(broker_url)

        def kill(came: Came) -> None:
            if len(there.came) == 3:
                os.kill(first.process.pid, signal.SIGKILL)
                first.process.wait()

        there.arrived = kill
        cup = desks.tournament(by, league=league)
        desks.entered(cup, 12)
        desks.start(cup, rounds=2)
        desks.paired(cup)
        desks.play(cup)
        eventually(lambda: len(there.came) >= 3, "no message came")
        lost = there.came[2].id
        assert Delivery.objects.exclude(claimed_at=None).get().pk.hex in lost

        worker(broker_url)
        past = timezone.now() - 2 * delivering.CLAIMED
        Delivery.objects.exclude(claimed_at=None).update(claimed_at=past)
        FollowJob.objects.update(created_at=timezone.now() - 2 * jobs.OVERDUE)
        wake_overdue.delay()
        eventually(lambda: not FollowJob.objects.exists(), "no worker followed the desk")
        tasks.deliver_all.delay()
        waiting = Delivery.objects.exclude(status=Delivery.Status.DELIVERED)
        eventually(lambda: not waiting.exists(), "not all was delivered")

    times = Counter(came.id for came in there.came)
    assert {f"msg_{pk.hex}" for pk in Delivery.objects.values_list("pk", flat=True)} == set(times)
    assert times.pop(lost) == 2
    assert set(times.values()) == {1}
