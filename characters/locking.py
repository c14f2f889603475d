"""Lock characters: whoever changes what one has locks its row first."""

from uuid import UUID

from characters.models import Character


def locked(*pks: UUID) -> list[Character]:
    """Lock characters until the transaction ends, and return their current rows, by id.

    Characters that are only named, in an offer or a favour, are not locked: two requests that name
    each other's characters would deadlock.
    """
    rows = Character.objects.select_for_update(no_key=True)
    return list(rows.filter(pk__in=pks).order_by("pk"))
