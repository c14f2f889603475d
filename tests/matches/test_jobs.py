"""The outbox: what is asked for is done once, whatever becomes of a wake-up."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from celery.schedules import crontab
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from deploy.celery import app
from matches import errors, jobs, services, tasks
from matches.models import Event, Job, Match
from matches.policy import NOBODY
from tests import database, factories
from tests.waiting import eventually

pytestmark = pytest.mark.django_db


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The jobs workers were woken for; none of them is there."""
    calls: list[str] = []
    monkeypatch.setattr(tasks.do_job, "delay", calls.append)
    return calls


def ask(match: Match) -> Job:
    return services.request_verify(match=match, by=factories.opener_of(match))


def test_a_worker_is_woken_once_the_row_is_there(
    woken: list[str], django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    match = factories.played(1)
    with django_capture_on_commit_callbacks(execute=True):
        job = ask(match)
        assert woken == []
    assert woken == [str(job.pk)]


@pytest.mark.django_db(transaction=True)
def test_nobody_is_woken_for_what_was_rolled_back(woken: list[str]) -> None:
    match = factories.played(1)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        ask(match)
        1 / 0  # noqa: B018 - whatever goes wrong
    assert (woken, Job.objects.count()) == ([], 0)


def test_what_waits_already_is_not_asked_for_twice(woken: list[str]) -> None:
    match = factories.played(1)
    assert ask(match) == ask(match)
    assert Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "error", [OperationalError(), ConnectionRefusedError(), OSError()], ids=repr
)
def test_a_broker_that_is_away_is_no_harm(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def away(pk: str) -> None:
        raise error

    monkeypatch.setattr(tasks.do_job, "delay", away)
    assert ask(factories.played(1)).done_at is None


def test_a_job_is_done_and_its_result_kept(woken: list[str]) -> None:
    match = factories.played(3)
    job = ask(match)
    tasks.do_job(str(job.pk))
    job.refresh_from_db()
    assert (job.result["ok"], job.result["entries"], job.error) == (True, 4, "")
    assert jobs.last_verification(match.log) == job


def test_the_result_names_the_bad_entry(woken: list[str]) -> None:
    match = factories.played(3)
    database.unprotect()
    Event.objects.filter(log=match.log, version=3).update(verdict="irregular")
    job = ask(match)
    jobs.do(job.pk)
    job.refresh_from_db()
    assert (job.result["ok"], job.result["first_bad"]) == (False, 3)


def test_a_job_is_done_once_however_often_a_worker_is_woken(woken: list[str]) -> None:
    job = ask(factories.played(1))
    assert [jobs.do(job.pk) for _ in range(3)] == [True, False, False]
    job.refresh_from_db()
    assert job.attempts == 1


def test_a_job_that_is_not_there_is_no_harm() -> None:
    assert not jobs.do(uuid4())


def test_the_sweep_wakes_for_what_has_waited(woken: list[str]) -> None:
    old, new = ask(factories.played(1)), ask(factories.played(1))
    Job.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(minutes=1))
    woken.clear()
    assert jobs.sweep() == 1
    assert (woken, new.done_at) == ([str(old.pk)], None)


def test_a_job_whose_worker_died_is_done_by_another(woken: list[str]) -> None:
    job = ask(factories.played(1))
    died = timezone.now() - jobs.TOO_LONG - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(started_at=died, attempts=1)
    jobs.sweep()
    assert woken == [str(job.pk)]
    assert jobs.do(job.pk)


def test_a_job_that_kills_its_workers_is_given_up(woken: list[str]) -> None:
    job = ask(factories.played(1))
    died = timezone.now() - jobs.TOO_LONG - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(started_at=died, attempts=jobs.MOST_ATTEMPTS)
    assert jobs.sweep() == 0
    job.refresh_from_db()
    assert (job.done_at is None, job.error[:8]) == (False, "given up")


def test_a_fault_is_kept_and_tried_again(woken: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **options: object) -> None:
        raise ZeroDivisionError("no entry to divide by")

    job = ask(factories.played(1))
    monkeypatch.setattr("matches.verify.verify", fail)
    with pytest.raises(ZeroDivisionError):
        jobs.do(job.pk)
    job.refresh_from_db()
    assert (job.done_at, "no entry to divide by" in job.error) == (None, True)


def test_by_night_every_log_is_verified(woken: list[str]) -> None:
    matches = [factories.played(1) for _ in range(3)]
    ask(matches[0])
    tasks.verify_all()
    assert Job.objects.filter(kind=jobs.VERIFY).count() == 3


def test_old_jobs_are_cleared_away(woken: list[str]) -> None:
    job = ask(factories.played(1))
    Job.objects.filter(pk=job.pk).update(done_at=timezone.now() - timedelta(days=31))
    tasks.sweep()
    assert not Job.objects.exists()


def test_the_timetable_names_real_tasks() -> None:
    app.loader.import_default_modules()
    times = settings.CELERY_BEAT_SCHEDULE
    assert {entry["task"] for entry in times.values()} <= set(app.tasks)
    assert isinstance(times["verify-all"]["schedule"], crontab)


def test_who_sees_nothing_asks_for_nothing() -> None:
    match = factories.match(visibility="table")
    with pytest.raises(errors.NotFound):
        services.request_verify(match=match, by=factories.actor())
    with pytest.raises(errors.NotAllowed):
        services.request_verify(match=factories.match(), by=NOBODY)


# -- by real workers --------------------------------------------------------------------------


def wait_until_done(job: Job) -> None:
    eventually(lambda: job.refresh_from_db() or job.done_at, "no worker did the job")


@pytest.mark.parametrize(
    "broker",
    [
        pytest.param("filesystem", id="filesystem"),
        pytest.param("broker_url", id="broker", marks=pytest.mark.broker),
    ],
)
def test_a_real_worker_verifies_a_log_on_request(
    broker: str, worker: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    worker(*([] if broker == "filesystem" else [request.getfixturevalue(broker)]))
    job = ask(factories.played(3))
    wait_until_done(job)
    assert job.result["ok"]
    assert job.result["entries"] == 4


def test_a_real_worker_does_by_sweep_what_no_broker_told_it(
    worker: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = factories.played(1)
    with monkeypatch.context() as lost:
        lost.setattr(tasks.do_job, "delay", lambda pk: None)
        job = ask(match)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=1))
    worker()
    tasks.sweep.delay()
    wait_until_done(job)
    assert job.result["ok"]
