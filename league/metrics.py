"""The outboxes of leagues, for monitoring."""

from django.db.models.functions import Coalesce, Greatest

from league import delivering, notices, post, reminders
from league.models import Delivery
from matches.metrics import Outbox


def outboxes() -> dict[str, Outbox]:
    """Return the outboxes by name. A message's wait counts from when its webhook stops resting."""
    awake = Greatest("due_at", Coalesce("webhook__resting_until", "due_at"))
    return {
        "letters": Outbox(notices.due(), "due_at", post.given_up(notices.news())),
        "reminders": Outbox(reminders.due(), "due_at", post.given_up(reminders.news())),
        "webhooks": Outbox(
            delivering.ready(), awake, Delivery.objects.filter(status=Delivery.Status.DEAD)
        ),
    }
