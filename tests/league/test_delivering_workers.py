"""Webhooks by real workers, one of them killed in the middle of a delivery."""

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from django.utils import timezone

from league import delivering, tasks
from league.models import Delivery, Webhook
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


class Busy:
    """Counts who is being told at a moment: the most at one receiver, and at all of them."""

    def __init__(self) -> None:
        self.lock, self.now = threading.Lock(), Counter[str]()
        self.most_at_one = self.most = 0

    def told(self, url: str) -> Callable[[Came], None]:
        def arrived(came: Came) -> None:
            with self.lock:
                self.now[url] += 1
                self.most_at_one = max(self.most_at_one, self.now[url])
                self.most = max(self.most, self.now.total())
            time.sleep(0.1)  # so that workers that may come meanwhile do
            with self.lock:
                self.now[url] -= 1

        return arrived


def test_receivers_take_turns_and_leave_slots_to_others(
    worker: Callable[..., Any], broker_url: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four slots and six runs: one is told one message at a time, and two are told at once."""
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]
    monkeypatch.setenv("WEBHOOK_HOSTS", "127.0.0.1")  # the workers'
    by, busy = factories.actor(), Busy()
    league = desks.league(by)
    worker(broker_url, "--pool", "prefork", "--concurrency", "4")
    with ExitStack() as stack:
        receivers = [stack.enter_context(receiver()) for _ in range(3)]
        now, hooks = timezone.now(), list[Webhook]()
        for there in receivers:
            there.arrived = busy.told(there.url)
            hooks.append(registered(by, league, there.url)[0])
        Delivery.objects.bulk_create(
            Delivery(webhook=hook, kind=delivering.TEST, data={}, at=now, due_at=now)
            for _ in range(4)
            for hook in hooks
        )
        for _ in range(6):
            tasks.deliver.delay()
        waiting = Delivery.objects.exclude(status=Delivery.Status.DELIVERED)
        eventually(lambda: not waiting.exists(), "not all was delivered")
    assert [len(there.came) for there in receivers] == [4, 4, 4]
    assert busy.most_at_one == 1
    assert busy.most <= delivering.LANES
