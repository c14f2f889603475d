"""The schedule of periodic tasks, and a clock that is set."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from celery.beat import PersistentScheduler
from django.conf import settings
from django.utils import timezone

from deploy.beat import Scheduler


class Clock:
    """A clock that can be set, by which a schedule of one task, every 15 seconds, goes."""

    def __init__(self, kind: type[PersistentScheduler], schedule: Path) -> None:
        self.now, self.sent = timezone.now(), 0
        app = Celery("clock", broker="memory://", set_as_current=False)
        app.conf.beat_schedule = {"often": {"task": "often", "schedule": 15.0}}
        self.beat = kind(app, schedule_filename=str(schedule))
        self.beat.apply_entry = self.send

    def send(self, *args: Any, **kwargs: Any) -> None:
        self.sent += 1

    def run(self, seconds: float) -> int:
        """Let time pass as the beat does; return how often the task was sent."""
        before, end = self.sent, self.now + timedelta(seconds=seconds)
        while self.now < end:
            self.now += timedelta(seconds=max(self.beat.tick(), 0.5))
        return self.sent - before


@pytest.fixture
def clock(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Callable[[type[PersistentScheduler]], Clock]]:
    made: list[Clock] = []

    def now(app: Celery) -> datetime:
        return made[0].now if made else timezone.now()

    def make(kind: type[PersistentScheduler]) -> Clock:
        made.append(Clock(kind, tmp_path / "beat"))
        return made[0]

    monkeypatch.setattr(Celery, "now", now)
    yield make
    made[0].beat.close()


@pytest.mark.parametrize("step", [-timedelta(minutes=10), timedelta(days=1), timedelta(0)])
def test_what_is_due_now_and_then_stays_so_whatever_the_clock_is_set_to(
    clock: Callable[[type[PersistentScheduler]], Clock], step: timedelta
) -> None:
    ours = clock(Scheduler)
    assert ours.run(60) >= 3
    ours.now += step
    assert 3 <= ours.run(60) <= 6


def test_celery_s_own_schedule_would_wait_for_the_clock(
    clock: Callable[[type[PersistentScheduler]], Clock],
) -> None:
    theirs = clock(PersistentScheduler)
    assert theirs.run(60) >= 3
    theirs.now -= timedelta(minutes=10)
    assert theirs.run(60) == 0


def test_the_site_goes_by_it() -> None:
    assert settings.CELERY_BEAT_SCHEDULER == "deploy.beat:Scheduler"
