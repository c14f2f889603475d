"""Tasks of the worker; all may be retried."""

import logging
from uuid import UUID

from celery import shared_task

from matches import cuts, followers, heads, jobs, verifications

logger = logging.getLogger(__name__)


@shared_task(soft_time_limit=540)  # seconds; leaves a minute to store the timeout
def do_job(pk: str) -> None:
    """Do one job of the outbox, or a slice of it."""
    jobs.do(UUID(pk))


@shared_task
def sweep() -> None:
    """Wake workers for jobs whose wake-up was lost."""
    jobs.sweep()


@shared_task
def verify_all() -> None:
    """Queue the night's verifications; report what is wrong with the heads kept outside."""
    verifications.ask_for_all()
    jobs.sweep()
    for flaw in heads.read().flaws:
        logger.error("heads kept outside: %s", flaw)
    for head in heads.gone():
        logger.error("log %s is gone: the signed heads know %s entries", head.log, head.version)


@shared_task
def follow(log: str) -> None:
    """Bring a log's followers to its head, later if one was followed a moment ago."""
    later = followers.rest(UUID(log))
    if later > 0:
        follow.apply_async((log,), countdown=later)
    else:
        followers.work(UUID(log))


@shared_task
def wake_overdue() -> None:
    """Publish entries whose delay has passed; wake workers for overdue followers."""
    cuts.move_all()
    jobs.wake_overdue()


@shared_task
def catch_up() -> None:
    """Queue logs that a new follower, or a new version of one, has not projected."""
    followers.catch_up()


@shared_task
def write_heads() -> None:
    """Write the signed heads that moved; report a directory or a key that is not the worker's."""
    try:
        written = heads.write()
    except (OSError, ValueError) as error:
        logger.error("no heads were written: %s; see docs/security.md", error)
    else:
        for log in written.refused:
            logger.error("log %s is not what an older file of heads says", log)
