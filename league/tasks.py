"""What a worker does for leagues: retry-safe calls."""

from uuid import UUID

from celery import shared_task

from league import delivering, notices, reminders, scheduling


@shared_task
def send_letters(tournament: str) -> None:
    """Tell the players of a tournament their pairings."""
    notices.send_due(UUID(tournament))


@shared_task
def send_all_letters() -> None:
    """Send what is due anywhere: a wake-up was lost, or the mail server was away."""
    notices.send_due()


@shared_task
def deliver() -> None:
    """Send what is due to webhooks."""
    delivering.deliver_due()


@shared_task
def deliver_all() -> None:
    """Send what is due anywhere: tries again, and what a lost wake-up left; forget what is old."""
    delivering.sweep()
    delivering.deliver_due()


@shared_task(time_limit=300)
def pair_scheduled(date: int) -> None:
    """Pair and publish a round whose time has come."""
    scheduling.pair(date)


@shared_task(time_limit=60)
def pair_all_scheduled() -> None:
    """Have every round paired whose time has come, each by itself."""
    for pk in scheduling.due().order_by("pairs_at").values_list("pk", flat=True):
        pair_scheduled.delay(pk)


@shared_task(time_limit=300)
def send_reminders() -> None:
    """Remind players of what is near, and organisers of what could not be paired."""
    reminders.write_all()
    reminders.send_due()
