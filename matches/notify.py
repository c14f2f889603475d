"""Notifies live readers that a log has changed, by its id alone, on commit.

It is only a wake-up: a reader then reads the log as a poll would, and a lost notification is made
up for by the next look at the feed's head.
"""

from uuid import UUID

from django.conf import settings
from django.db import connection

from matches.models import Event, FeedHead, Publication

CHANNEL = "zgxl_log"


def tell(log: UUID) -> None:
    """Notify, when this transaction commits, that a log has changed."""
    if settings.STREAMS and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(log)])


def position() -> int:
    """Return the position of the feed's head."""
    return FeedHead.objects.values_list("position", flat=True).get()


def changed(after: int, upto: int) -> set[UUID]:
    """Return the logs with an entry recorded or made public between two positions of the feed."""
    recorded = Event.objects.filter(ordinal=0, position__gt=after, position__lte=upto)
    shown = Publication.objects.filter(end__gt=after, position__lte=upto)
    return {*recorded.values_list("log_id", flat=True), *shown.values_list("log_id", flat=True)}
