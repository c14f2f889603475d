"""What a worker does for leagues: retry-safe calls."""

from uuid import UUID

from celery import shared_task

from league import delivering, notices


@shared_task
def send_letters(tournament: str) -> None:
    """Tell the players of a tournament their pairings."""
    notices.send_due(UUID(tournament))


@shared_task
def send_all_letters() -> None:
    """Send what is due anywhere: a wake-up was lost, or the mail server was away."""
    notices.send_due()


@shared_task
def deliver(webhook: str | None = None) -> None:
    """Send what is due to a webhook, or to all."""
    delivering.deliver_due(UUID(webhook) if webhook else None)


@shared_task
def deliver_all() -> None:
    """Send what is due anywhere: tries again, and what a lost wake-up left; forget what is old."""
    delivering.sweep()
    delivering.deliver_due()
