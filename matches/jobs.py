"""The outbox: a `Job` row says what a worker is to do; the broker only wakes one up.

A row is written in the transaction of whoever asks. A wake-up may be lost, doubled or late:
doing a job twice does it once, and a beat sweep wakes what has waited for long.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Q, Value
from django.db.models.functions import Concat
from django.utils import timezone
from kombu.exceptions import KombuError

from matches import rows, verify, waking
from matches.errors import Refused
from matches.models import FollowJob, Job, Log
from matches.prepared import Prepared

VERIFY = "verify"
MOST_ATTEMPTS = 3
TOO_LONG = timedelta(minutes=15)  # more than a task may run: its worker is gone
WAITED = timedelta(seconds=30)
OVERDUE = timedelta(seconds=10)
KEPT = timedelta(days=30)
AT_ONCE = 1000

logger = logging.getLogger(__name__)


def ask(kind: str, log: Log, by: UUID | None = None) -> Job:
    """Write down work to be done and wake a worker; what waits already is not doubled."""
    with transaction.atomic():
        waiting = Job.objects.filter(kind=kind, log=log, started_at=None, done_at=None).first()
        job = waiting or Job.objects.create(kind=kind, log=log, asked_by=by)
        transaction.on_commit(partial(wake, job.pk))
    return job


def wake(pk: UUID) -> None:
    """Wake a worker for a job. A broker that is away is no harm: the sweep comes by."""
    from matches.tasks import do_job

    try:
        do_job.delay(str(pk))
    except (KombuError, OSError) as error:
        logger.warning("no worker woken for job %s: %s", pk, error)


def due(log: UUID) -> None:
    """Write down, in the transaction of whoever changed a log, that its followers are due.

    Those who follow it live are told when it is committed.

    There is one row for a log: the first wakes a worker, who finds what came after it too.
    """
    waking.tell(log)
    if not settings.LOG_FOLLOWERS:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO matches_followjob (log_id, asked, attempts, created_at) "
            "VALUES (%s, 1, 0, %s) "
            "ON CONFLICT (log_id) DO UPDATE SET asked = matches_followjob.asked + 1 "
            "RETURNING asked",
            [rows.adapted(log), rows.adapted(timezone.now())],
        )
        first = cursor.fetchone()[0] == 1
    if first:
        transaction.on_commit(partial(wake_followers, log))


def wake_followers(log: UUID) -> None:
    """Wake a worker for a log's followers. A broker that is away is no harm here either."""
    from matches.tasks import follow

    try:
        follow.delay(str(log))
    except (KombuError, OSError) as error:
        logger.warning("no worker woken for the followers of log %s: %s", log, error)


def wake_overdue() -> int:
    """Wake workers for logs whose followers have been due for long; return for how many."""
    overdue = FollowJob.objects.filter(created_at__lt=timezone.now() - OVERDUE)
    pks = list(overdue.order_by("created_at").values_list("pk", flat=True)[:AT_ONCE])
    for pk in pks:
        wake_followers(pk)
    return len(pks)


def do(pk: UUID) -> bool:
    """Do a job, unless it is done or being done; tell whether it was done here."""
    now = timezone.now()
    free = Q(started_at=None) | Q(started_at__lt=now - TOO_LONG)
    mine = Job.objects.filter(free, pk=pk, done_at=None)
    if not mine.update(started_at=now, attempts=F("attempts") + 1):
        return False
    job = Job.objects.select_related("log").get(pk=pk)
    try:
        result, error = _KINDS[job.kind](job), ""
    except Refused as refused:
        result, error = None, f"{refused.code}: {refused}"
    except Exception as fault:  # the sweep tries again, and gives up with this
        Job.objects.filter(pk=pk).update(error=repr(fault)[:500])
        raise
    done = Job.objects.filter(pk=pk, started_at=now)
    return bool(done.update(done_at=timezone.now(), result=result, error=error))


def sweep() -> int:
    """Wake workers for what has waited or hung for long; return for how many."""
    now = timezone.now()
    Job.objects.filter(done_at__lt=now - KEPT).delete()
    stuck = Job.objects.filter(done_at=None, started_at__lt=now - TOO_LONG)
    stuck.filter(attempts__gte=MOST_ATTEMPTS).update(
        done_at=now, error=Concat(Value("given up: no worker came to the end of it. "), "error")
    )
    old = Q(started_at=None, created_at__lt=now - WAITED) | Q(started_at__lt=now - TOO_LONG)
    waiting = Job.objects.filter(old, done_at=None).order_by("created_at")
    pks = list(waiting.values_list("pk", flat=True)[:AT_ONCE])
    for pk in pks:
        wake(pk)
    return len(pks)


def ask_for_all() -> int:
    """Write down a verification for every log; the sweep wakes the workers."""
    logs = Log.objects.exclude(jobs__in=Job.objects.filter(kind=VERIFY, done_at=None))
    asked = Job.objects.bulk_create(
        (Job(kind=VERIFY, log_id=pk) for pk in logs.values_list("pk", flat=True)), 500
    )
    return len(asked)


_NEWEST_VERIFICATION = Prepared(
    lambda log: Job.objects.filter(kind=VERIFY, log=log).order_by("-created_at", "-id")[:1],
    log=UUID(int=0),
)


def last_verification(log: Log) -> Job | None:
    """Return the newest verification of a log, done or under way."""
    return _NEWEST_VERIFICATION.first(log=log.pk)


def _verify(job: Job) -> Any:
    assert job.log is not None  # this kind is always asked with a log
    return msgspec.to_builtins(verify.verify(job.log))


_KINDS: dict[str, Callable[[Job], Any]] = {VERIFY: _verify}
