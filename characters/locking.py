"""Locking characters: whoever changes what one has takes its row first."""

from uuid import UUID

from characters.models import Character


def locked(*pks: UUID) -> list[Character]:
    """Return characters as they are now, by id; until the transaction ends nobody else locks them.

    Who only names one, in an offer or a favour, does not wait: two who did so of each other at once
    would wait for each other, and one be refused.
    """
    rows = Character.objects.select_for_update(no_key=True)
    return list(rows.filter(pk__in=pks).order_by("pk"))
