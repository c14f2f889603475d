"""The outbox: a requested job is done once, whatever happens to a wake-up."""

import time
from collections.abc import Callable
from datetime import timedelta
from inspect import signature
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from celery.schedules import crontab
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

import rules
from deploy.celery import app
from matches import actors, errors, heads, jobs, services, tasks, verifications
from matches.actors import NOBODY
from matches.breaker import Breaker
from matches.models import Event, Job, Log, Match
from tests import database, factories
from tests.api.client import Api
from tests.waiting import eventually

pytestmark = pytest.mark.django_db


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


def test_a_pending_job_is_not_requested_twice(woken: list[str]) -> None:
    match = factories.played(1)
    assert ask(match) == ask(match)
    assert Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "error", [OperationalError(), ConnectionRefusedError(), OSError()], ids=repr
)
def test_an_unreachable_broker_does_no_harm(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def away(pk: str) -> None:
        raise error

    monkeypatch.setattr(jobs, "broker", Breaker("broker", jobs.broker.errors))
    monkeypatch.setattr(tasks.do_job, "delay", away)
    assert ask(factories.played(1)).done_at is None


def test_a_job_is_done_and_its_result_kept(woken: list[str]) -> None:
    match = factories.played(3)
    job = ask(match)
    tasks.do_job(str(job.pk))
    job.refresh_from_db()
    assert (job.result["ok"], job.result["entries"], job.error) == (True, 4, "")
    assert verifications.last_of(match.log) == job


def spoil(match: Match) -> None:
    """Change what is stored of a match, which its head does not tell."""
    database.unprotect()
    Event.objects.filter(log=match.log, version=3).update(verdict="irregular")


def test_a_flaw_is_named_in_the_result_the_log_and_the_admin(
    woken: list[str], caplog: pytest.LogCaptureFixture, client: Client
) -> None:
    match, good = factories.played(3), factories.played(1)
    spoil(match)
    for each in (match, good):
        tasks.do_job(str(ask(each).pk))
    job = Job.objects.get(log=match.log)
    assert (job.done_at is None, job.result["ok"], job.result["first_bad"]) == (False, False, 3)
    assert job.error.startswith("entry 3, hash: ")
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert f"log {match.pk} does not hold: entry 3, hash: " in caplog.text
    assert [each.log_id for each in verifications.flawed()] == [match.pk]

    page = client.get(f"/matches/{match.code}/verify/").content.decode()
    assert "It does not hold" in page and "could not be finished" not in page
    assert "check not done" not in client.get(f"/matches/{match.code}/").content.decode()
    client.force_login(User.objects.create_superuser("root"))
    listed = client.get(reverse("admin:matches_job_changelist")).content.decode()
    assert (listed.count("icon-no.svg"), listed.count("icon-yes.svg")) == (1, 1)
    assert "entry 3, hash: " in listed


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
    Job.objects.filter(pk=job.pk).update(started_at=died, attempts=jobs.MAX_ATTEMPTS)
    assert jobs.sweep() == 0
    job.refresh_from_db()
    assert (job.done_at is None, job.error[:8]) == (False, "given up")


def test_an_error_is_stored_and_the_job_retried(
    woken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object, **options: object) -> None:
        raise ZeroDivisionError("no entry to divide by")

    job = ask(factories.played(1))
    monkeypatch.setattr("matches.verify.verify", fail)
    with pytest.raises(ZeroDivisionError):
        jobs.do(job.pk)
    job.refresh_from_db()
    assert (job.done_at, "no entry to divide by" in job.error) == (None, True)


def night() -> set[UUID | None]:
    """Have a night's verifications done and return of which logs they were."""
    tasks.verify_all()
    asked = list(Job.objects.filter(verifications.BY_NIGHT, done_at=None))
    for job in asked:
        jobs.do(job.pk)
    return {job.log_id for job in asked}


def test_the_nightly_run_verifies_changed_logs_and_a_part_of_the_rest(
    woken: list[str], settings: Any
) -> None:
    settings.VERIFY_NIGHTS = 2
    matches = [factories.played(1) for _ in range(5)]
    logs = {match.pk for match in matches}
    assert night() == logs
    second, third = night(), night()
    assert (len(second), len(third), second | third) == (3, 3, logs)

    moved = matches[0]
    for _ in range(3):
        factories.record(moved)
        assert moved.pk in night()
    assert Job.objects.count() == len(logs)  # of each log the newest is kept


def test_a_log_of_a_draft_that_changed_is_unverified_and_no_alarm(
    woken: list[str],
    caplog: pytest.LogCaptureFixture,
    client: Client,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    match = factories.played(3)
    monkeypatch.setattr(type(rules.get("score")), "dump", lambda *_: b"[]")
    tasks.do_job(str(ask(match).pk))
    assert verifications.flawed().count() == 1  # the same rules decided it: it was altered

    Log.objects.update(rules_digest="of before")
    caplog.clear()
    job = ask(match)
    tasks.do_job(str(job.pk))
    job.refresh_from_db()
    told = [job.result[name] for name in ("ok", "unverified", "first_bad", "problem")]
    assert told == [False, True, 1, "digest"]
    assert not verifications.flawed().exists()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    settings.VERIFY_NIGHTS = 30
    factories.played(1)
    Log.objects.update(rules_digest="of before")
    night()
    assert [len(night()), len(night())] == [1, 1]  # each in its turn
    page = client.get(f"/matches/{match.code}/verify/").content.decode()
    assert "the rules are a draft, and have changed since" in page
    assert "It does not hold" not in page
    assert ">unverified<" in client.get(f"/matches/{match.code}/").content.decode()
    call_command("verify", match.code)
    assert "1 unverified" in capsys.readouterr().out

    spoil(match)
    with pytest.raises(CommandError):
        call_command("verify", match.code)
    Event.objects.filter(log=match.log, version=3).update(verdict="legal")
    monkeypatch.undo()
    call_command("verify", match.code)
    match.log.refresh_from_db()
    assert match.log.rules_digest == rules.fingerprint()


def test_a_log_that_fails_verification_is_verified_every_night(
    woken: list[str], settings: Any
) -> None:
    matches = [factories.played(3) for _ in range(3)]
    assert len(night()) == 3
    spoil(matches[0])
    settings.VERIFY_NIGHTS = 1
    assert len(night()) == 3
    settings.VERIFY_NIGHTS = 30
    assert all(matches[0].pk in night() for _ in range(3))
    assert verifications.flawed().count() == 1
    Event.objects.filter(log=matches[0].log, version=3).update(verdict="legal")
    jobs.do(ask(matches[0]).pk)
    assert not verifications.flawed().exists()


def test_the_nightly_run_requests_no_pending_job_again(
    woken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "AT_ONCE", 2)
    matches = [factories.played(1) for _ in range(5)]
    ask(matches[0])
    assert [verifications.ask_for_all(), verifications.ask_for_all()] == [4, 0]
    assert Job.objects.values("log").distinct().count() == 5


def test_the_nightly_run_reports_faults_of_the_outside_heads(
    woken: list[str], caplog: pytest.LogCaptureFixture, settings: Any, tmp_path: Path
) -> None:
    settings.HEADS_DIR, settings.HEADS_KEY_FILE = tmp_path / "heads", tmp_path / "key"
    match = factories.match()
    heads.write()
    heads.write()
    next(settings.HEADS_DIR.glob("000001*")).unlink()
    factories.record(match)
    heads.write(whole=True)
    database.unprotect()
    log = match.log_id
    match.delete()
    Event.objects.filter(log=log).delete()
    Log.objects.filter(pk=log).delete()
    tasks.verify_all()
    assert "heads kept outside: file 000001 is missing" in caplog.text
    assert f"log {log} is gone: the signed heads know 2 entries" in caplog.text


def test_old_jobs_are_cleared_away_but_what_a_night_found(woken: list[str]) -> None:
    job = Job.objects.create(kind="verify", log=factories.played(1).log)
    ask(factories.played(1))
    Job.objects.create(kind="another")
    Job.objects.update(done_at=timezone.now() - timedelta(days=31))
    tasks.sweep()
    assert Job.objects.get() == job


def test_the_timetable_names_real_tasks() -> None:
    app.loader.import_default_modules()
    times = settings.CELERY_BEAT_SCHEDULE
    alone = {
        name
        for name, task in app.tasks.items()
        if not (name.startswith("celery.") or signature(task.run).parameters)
    }
    woken = {"league.tasks.deliver"}  # by each message
    assert {entry["task"] for entry in times.values()} == alone - woken
    assert isinstance(times["verify-all"]["schedule"], crontab)


def test_someone_who_cannot_see_a_match_cannot_request_a_check() -> None:
    match = factories.match(visibility="table")
    with pytest.raises(errors.NotFound):
        services.request_verify(match=match, by=factories.actor())
    with pytest.raises(errors.NotAllowed):
        services.request_verify(match=factories.match(), by=NOBODY)


def test_a_user_created_without_a_player_can_read_their_job() -> None:
    root = User.objects.create_superuser("root")
    answer = Api(actors.actor_for(root)).post(f"matches/{factories.played(1).code}/verify/", {})
    assert answer.status_code == 202
    told = Api(actors.actor_for(root)).get(f"jobs/{answer.json()['id']}/")
    assert (told.status_code, told.json()["id"]) == (200, answer.json()["id"])


# -- by real workers --------------------------------------------------------------------------


def wait_until_done(job: Job) -> None:
    eventually(lambda: job.refresh_from_db() or job.done_at, "no worker did the job")


@pytest.mark.parametrize(
    "broker",
    [  # each with the engine it is served beside
        pytest.param("filesystem", id="filesystem", marks=pytest.mark.sqlite),
        pytest.param("broker_url", id="broker", marks=[pytest.mark.broker, pytest.mark.postgresql]),
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


@pytest.mark.broker
@pytest.mark.postgresql
def test_a_worker_may_wait_longer_for_work_than_for_an_answer(
    worker: Callable[..., Any], broker_url: str
) -> None:
    running = worker(broker_url)
    time.sleep(2.5)  # a second is what an answer of the broker may take
    wait_until_done(ask(factories.played(1)))
    assert "connection" not in running.log.read_text().partition("ready.")[2].lower()


@pytest.mark.sqlite
def test_a_real_worker_sweeps_up_jobs_the_broker_lost(
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
