"""Celery tasks of leagues, all safe to retry."""

from uuid import UUID

from celery import shared_task

from league import delivering, notices, reminders, scheduling


@shared_task
def send_letters(tournament: str) -> None:
    """Send the due letters of a tournament's pairings."""
    notices.send_due(UUID(tournament))


@shared_task
def send_all_letters() -> None:
    """Send all due letters: after a lost wake-up, or when the mail server was down."""
    notices.send_due()


@shared_task
def deliver() -> None:
    """Send due messages to webhooks."""
    delivering.deliver_due()


@shared_task
def deliver_all() -> None:
    """Send all due messages, for retries and lost wake-ups; delete old ones."""
    delivering.sweep()
    delivering.deliver_due()


@shared_task(time_limit=300)
def pair_scheduled(date: int) -> None:
    """Pair and publish a round whose time has come."""
    scheduling.pair(date)


@shared_task(time_limit=60)
def pair_all_scheduled() -> None:
    """Start a task for every round whose time has come."""
    for pk in scheduling.due().order_by("pairs_at").values_list("pk", flat=True):
        pair_scheduled.delay(pk)


@shared_task(time_limit=300)
def send_reminders() -> None:
    """Remind players of what is near, and organisers of what could not be paired."""
    reminders.write_all()
    reminders.send_due()
