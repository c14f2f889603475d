"""What a worker does: retry-safe calls."""

from uuid import UUID

from celery import shared_task

from matches import jobs


@shared_task
def do_job(pk: str) -> None:
    """Do one job of the outbox."""
    jobs.do(UUID(pk))


@shared_task
def sweep() -> None:
    """Wake workers for jobs whose wake-up was lost."""
    jobs.sweep()


@shared_task
def verify_all() -> None:
    """Have every log verified."""
    jobs.ask_for_all()
    jobs.sweep()
