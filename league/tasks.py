"""What a worker does for leagues: retry-safe calls."""

from uuid import UUID

from celery import shared_task

from league import notices


@shared_task
def send_letters(tournament: str) -> None:
    """Tell the players of a tournament their pairings."""
    notices.send_due(UUID(tournament))


@shared_task
def send_all_letters() -> None:
    """Send what is due anywhere: a wake-up was lost, or the mail server was away."""
    notices.send_due()
