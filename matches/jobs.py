"""The outbox: a `Job` row says what a worker is to do; the broker only wakes one up.

A row is written in the transaction of whoever asks. A wake-up may be lost, duplicated or late: jobs
are idempotent, and a periodic sweep wakes workers for what has waited long. What each kind of job
does is registered in `JOB_KINDS`. Only the actor who asked sees a job and its progress.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, BinaryIO
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils import timezone, translation
from django.utils.translation import gettext
from kombu.exceptions import KombuError

from matches import notify, parcels, rows
from matches.actors import NOBODY, Actor, player_of
from matches.breaker import Breaker
from matches.errors import Conflict, Gone, NotFound, Refused
from matches.jobkinds import Paused, Progress, Taken, kind_of
from matches.models import FollowJob, Job, Log, Player
from matches.verifications import BY_NIGHT

MAX_ATTEMPTS = 3
TOO_LONG = timedelta(minutes=15)  # longer than a task may run: its worker has died
WAITED = timedelta(seconds=30)
OVERDUE = timedelta(seconds=10)
KEPT = timedelta(days=30)
FILES_KEPT = timedelta(days=7)
LEFT = timedelta(hours=1)  # age after which an unowned file counts as orphaned
AT_ONCE = 1000
FAULT, GIVEN_UP = "fault", "given up"  # prefixes of errors other than refusals

broker = Breaker("broker", (KombuError, OSError))


class JobFailed(Exception):
    """A job found what it checked to be wrong: why, as text, and the job's result."""

    def __init__(self, detail: str, result: Any) -> None:
        super().__init__(detail)
        self.result = result


def ask(kind: str, log: Log | None = None, about: UUID | None = None, *, by: Actor) -> Job:
    """Queue a job and wake a worker; if the actor has asked for it already, return that job.

    A signed-in actor without a player gets one, by which their jobs are found. Raises: NotFound,
    NotAllowed.
    """
    if by.is_signed_in:
        by = replace(by, player=player_of(by))
    job = Job(kind=kind, log=log, about=about, asked_by=by.player_id)
    kind_of(job).require(by, job)
    job.title = kind_of(job).title(job)[:200]
    with transaction.atomic():
        if by.player is not None:  # serialises concurrent requests of one actor
            Player.objects.select_for_update(no_key=True).get(pk=by.player.pk)
        alike = Job.objects.filter(kind=kind, log=log, about=about, asked_by=by.player_id)
        if waiting := alike.filter(done_at=None).first():
            job = waiting
        else:
            job.save()
        transaction.on_commit(partial(wake, job.pk))
    return job


def wake(pk: UUID) -> None:
    """Wake a worker for a job."""
    from matches.tasks import do_job

    send(do_job, str(pk))


def send(task: Any, *arguments: str | None) -> None:
    """Send a task to wake a worker. If the broker is down, the sweep makes up for it."""
    broker.call(lambda: task.delay(*arguments), otherwise=lambda: None)


def due(log: UUID) -> None:
    """Queue a log's followers, in the transaction that changes it; notify live readers on commit.

    There is one row per log: the first wakes a worker, which finds later entries as well.
    """
    notify.tell(log)
    if not settings.LOG_FOLLOWERS:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            queue_sql("VALUES (%s, 1, 0, %s)"),
            [rows.adapted(log), rows.adapted(timezone.now())],
        )
        asked: int = cursor.fetchone()[0]
    wake_if_first(log, asked)


def queue_sql(row: str) -> str:
    """Return the statement that queues a log's followers; `row`: log, 1, 0 and when, as SQL.

    It returns how often they have been asked for since a worker took them.
    """
    return (
        f"INSERT INTO matches_followjob (log_id, asked, attempts, created_at) {row} "
        "ON CONFLICT (log_id) DO UPDATE SET asked = matches_followjob.asked + 1 RETURNING asked"
    )


def wake_if_first(log: UUID, asked: int) -> None:
    """Wake a worker on commit, unless one was woken already: it will find this as well."""
    if asked == 1:
        transaction.on_commit(partial(wake_followers, log))


def wake_followers(log: UUID) -> None:
    """Wake a worker for a log's followers."""
    from matches.tasks import follow

    send(follow, str(log))


def wake_overdue() -> int:
    """Wake workers for logs whose followers are overdue; return for how many.

    A row from the future is overdue too: the clock was set back.
    """
    now = timezone.now()
    overdue = FollowJob.objects.filter(Q(created_at__lt=now - OVERDUE) | Q(created_at__gt=now))
    pks = list(overdue.order_by("created_at").values_list("pk", flat=True)[:AT_ONCE])
    for pk in pks:
        wake_followers(pk)
    return len(pks)


# -- doing --------------------------------------------------------------------------------


def do(pk: UUID) -> bool:
    """Do a job, or a slice of it, unless it is done or being done; return whether it is done."""
    now = timezone.now()
    free = Q(started_at=None) | Q(started_at__lt=now - TOO_LONG)
    mine = Job.objects.filter(free, pk=pk, done_at=None)
    if not mine.update(started_at=now, attempts=F("attempts") + 1):
        return False
    claim = Job.objects.filter(pk=pk, started_at=now, done_at=None)
    job = Job.objects.select_related("log").get(pk=pk)
    try:
        done = _end(claim, result=_work(job, Progress(job, claim)))
    except Paused:
        if claim.update(started_at=None, attempts=0):
            wake(pk)
        return False
    except Taken:
        done = False
    except Refused as refused:
        done = _end(claim, error=f"{refused.code}: {refused}")
    except JobFailed as failed:
        done = _end(claim, result=failed.result, error=str(failed))
    except Exception as fault:  # the sweep retries it, and gives up with this error
        given_up = timezone.now() if job.attempts >= MAX_ATTEMPTS else None
        claim.update(error=f"{FAULT}: {fault!r}"[:500], started_at=None, done_at=given_up)
        raise
    if not done:
        _clear(pk)
    return done


def _work(job: Job, progress: Progress) -> Any:
    """Do a job in the language of the actor who asked. Raises: Refused, Paused, Taken."""
    by, language = NOBODY, settings.LANGUAGE_CODE
    if job.asked_by is not None:
        player = Player.objects.select_related("user").get(pk=job.asked_by)
        by, language = Actor(player.user, player), player.language or language
    kind = kind_of(job)
    with translation.override(language):
        if job.asked_by is not None:
            kind.require(by, job)
        return kind.work(by, job, progress)


def _end(claim: QuerySet[Job], result: Any = None, error: str = "") -> bool:
    """Store how a job ended, unless another worker has it by now; return whether it was stored."""
    return bool(claim.update(done_at=timezone.now(), result=result, error=error))


def _clear(pk: UUID) -> None:
    """Delete the files of a job that nobody will continue."""
    if not Job.objects.filter(pk=pk, is_cancelled=False).exists():
        parcels.remove(pk)


def sweep() -> int:
    """Wake workers for jobs that have waited or hung for long; return for how many."""
    now = timezone.now()
    Job.objects.filter(done_at__lt=now - KEPT).exclude(BY_NIGHT).delete()
    stuck = Job.objects.filter(done_at=None, started_at__lt=now - TOO_LONG)
    stuck.filter(attempts__gte=MAX_ATTEMPTS).update(
        done_at=now, error=Concat(Value(f"{GIVEN_UP}: no worker came to the end of it. "), "error")
    )
    _sweep_files()
    old = Q(started_at=None, created_at__lt=now - WAITED) | Q(started_at__lt=now - TOO_LONG)
    waiting = Job.objects.filter(old, done_at=None).order_by("created_at")
    pks = list(waiting.values_list("pk", flat=True)[:AT_ONCE])
    for pk in pks:
        wake(pk)
    return len(pks)


def _sweep_files() -> None:
    """Delete files of long-finished jobs and files that belong to no job."""
    now, lying = timezone.now(), parcels.lying()
    fresh = Q(done_at=None) | Q(done_at__gte=now - FILES_KEPT, is_cancelled=False, error="")
    known = set(Job.objects.filter(fresh, pk__in=lying).values_list("pk", flat=True))
    for pk, written in lying.items():
        if pk not in known and written < (now - LEFT).timestamp():
            parcels.remove(pk)


# -- who asked ----------------------------------------------------------------------------


def jobs_of(by: Actor) -> QuerySet[Job]:
    """Return the jobs an actor asked for, newest first."""
    if by.player_id is None:
        return Job.objects.none()
    return Job.objects.filter(asked_by=by.player_id).select_related("log__match")


def job_for(by: Actor, pk: UUID) -> Job:
    """Return a job that an actor asked for. Raises: NotFound."""
    found = jobs_of(by).filter(pk=pk).first()
    if found is None:
        raise NotFound(gettext("There is no such job of yours."), "no-such-job")
    return found


def cancel(by: Actor, job: Job) -> None:
    """Cancel a job; one that has ended stays as it is. Raises: NotFound."""
    job_for(by, job.pk)
    mine = Job.objects.filter(pk=job.pk, done_at=None)
    mine.update(is_cancelled=True, done_at=timezone.now(), error="")
    job.refresh_from_db()
    if job.is_cancelled and job.started_at is None:
        parcels.remove(job.pk)  # a worker at it does so itself


def ask_again(by: Actor, job: Job) -> Job:
    """Queue a job like an earlier one. Raises: NotFound, NotAllowed."""
    return ask(job.kind, job.log, job.about, by=by)


def title_of(job: Job) -> str:
    """Return a job's title in the active language.

    If what it was about is gone, the title it had when it was asked for.
    """
    try:
        return kind_of(job).title(job)
    except NotFound:
        return job.title


def kept_until(job: Job) -> datetime | None:
    """Return until when the file of a job is kept; None if it has none or it has expired."""
    if job.done_at is None or job.state != Job.State.DONE or "file" not in job.result:
        return None
    until = job.done_at + FILES_KEPT
    return until if until > timezone.now() else None


def open_file(by: Actor, job: Job) -> BinaryIO:
    """Open the file that a job made. Raises: NotFound, NotAllowed, Conflict, Gone."""
    job = job_for(by, job.pk)
    if job.state != Job.State.DONE or "file" not in job.result:
        raise Conflict("no-file", gettext("This job made no file, or not yet."))
    kind_of(job).require(by, job)
    if kept_until(job) is not None:
        with suppress(FileNotFoundError):
            return parcels.packed(job.pk).open("rb")
    raise Gone("file-gone", gettext("The file is no longer kept; ask for it again."))


def why(job: Job) -> str:
    """Return why a job failed, "" for all others; faults of ours are shown to admins only."""
    if job.state != Job.State.FAILED:
        return ""
    code, _, detail = job.error.partition(": ")
    if code in (FAULT, GIVEN_UP):
        return gettext("Something went wrong here, not with what was asked.")
    return detail
