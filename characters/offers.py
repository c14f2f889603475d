"""Settle an offer, once: a trade between characters, or a move of a character."""

from django.utils import timezone
from django.utils.translation import gettext

from characters.models import Answerable
from matches.errors import Conflict

Status = Answerable.Status


def require_open(offer: Answerable) -> None:
    """Require that an offer awaits its answer. Raises: Conflict."""
    if offer.status != Status.OFFERED:
        status = offer.get_status_display().lower()
        raise Conflict("not-offered", gettext("The offer was {status}.").format(status=status))


def settle(offer: Answerable, status: Answerable.Status) -> None:
    offer.status, offer.settled_at = status, timezone.now()
    offer.save(update_fields=["status", "settled_at"])
