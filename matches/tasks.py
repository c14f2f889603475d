"""What a worker does: retry-safe calls."""

import logging
from uuid import UUID

from celery import shared_task

from matches import cuts, followers, heads, jobs, verifications

logger = logging.getLogger(__name__)


@shared_task(soft_time_limit=540)  # seconds: a minute to write down that it took too long
def do_job(pk: str) -> None:
    """Do one job of the outbox, or a slice of it."""
    jobs.do(UUID(pk))


@shared_task
def sweep() -> None:
    """Wake workers for jobs whose wake-up was lost."""
    jobs.sweep()


@shared_task
def verify_all() -> None:
    """Have the logs of a night verified; say what is wrong with the heads kept outside."""
    verifications.ask_for_all()
    jobs.sweep()
    for flaw in heads.read().flaws:
        logger.error("heads kept outside: %s", flaw)
    for head in heads.gone():
        logger.error("log %s is gone: the signed heads know %s entries", head.log, head.version)


@shared_task
def follow(log: str) -> None:
    """Bring a log's followers to its head; one that was followed a moment ago comes later."""
    later = followers.rest(UUID(log))
    if later > 0:
        follow.apply_async((log,), countdown=later)
    else:
        followers.work(UUID(log))


@shared_task
def wake_overdue() -> None:
    """Publish what was delayed long enough; wake workers for followers that wait for long."""
    cuts.move_all()
    jobs.wake_overdue()


@shared_task
def catch_up() -> None:
    """Have logs followed that a new follower, or a new version of one, has not seen."""
    followers.catch_up()


@shared_task
def write_heads() -> None:
    """Write the signed heads that moved; a directory closed to the worker is said, not hidden."""
    try:
        written = heads.write()
    except OSError as error:
        logger.error("no heads were written: %s; see docs/security.md", error)
    else:
        for log in written.refused:
            logger.error("log %s is not what an older file of heads says", log)
