"""Lock characters: whoever changes what one has locks its row first."""

from uuid import UUID

from characters import policy
from characters.models import Character
from matches import people
from matches.actors import Actor


def locked(*pks: UUID) -> list[Character]:
    """Lock characters until the transaction ends, and return their current rows, by id.

    Characters that are only named, in an offer or a favour, are not locked: two requests that name
    each other's characters would deadlock.
    """
    rows = Character.objects.select_for_update(no_key=True)
    return list(rows.filter(pk__in=pks).order_by("pk"))


def owned(by: Actor, character: Character) -> Character:
    """Lock a character for its owner to change, and return its current row.

    Raises: NotAllowed, NotFound for who has given it away meanwhile, NotSignedIn for the erased.
    """
    [current] = locked(character.pk)
    policy.require_edit(by, current)
    people.require_not_erased(by.player_id)
    return current
