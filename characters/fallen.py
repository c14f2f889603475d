"""The fallen of a campaign: gear that its characters lost for good, with its service in matches."""

from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from msgspec import Struct

from characters import career, policy
from characters.ledger import moving
from characters.models import Audience, Campaign, GearItem, LedgerEntry, Section
from characters.shown import day_of
from matches.actors import Actor


class Fallen(Struct):
    """A piece lost for good: by whom, and what it did in matches, as far as the actor may know.

    `lost_on`: the day it was lost. `name`: of the character.
    """

    item: str  # its serial
    title: str
    character: UUID
    name: str
    lost_on: date
    record: career.CareerRecord


def losses_in(actor: Actor, campaign: Campaign) -> QuerySet[Any]:
    """Return the entries by which gear of a campaign was lost for good, newest first, for `fallen`.

    Only of gear that the actor may see, as everyone may know it or their own books tell it. What
    was undone, or came back since, is not lost.
    """
    told = Q(audience=Audience.PUBLIC)
    if actor.player is not None:
        told |= Q(giver__owner=actor.player)
    stands = moving().filter(corrects=None, corrections=None)
    since = stands.filter(item=OuterRef("item"), pk__gt=OuterRef("pk"))
    lost = stands.filter(
        told,
        method=LedgerEntry.Method.DESTROYED,
        item__kind=GearItem.Kind.PIECE,
        giver__campaign=campaign,
        giver__in=policy.characters_showing(actor, Section.Kind.GEAR),
    )
    found = lost.exclude(Exists(since)).select_related("item", "giver")
    return career.with_records(actor, found).order_by("-pk")


def fallen(loss: Any) -> Fallen:
    """Return what an entry of `losses_in` tells as lost."""
    return Fallen(
        item=loss.item.serial,
        title=str(loss.item),
        character=loss.giver_id,
        name=loss.giver.name,
        lost_on=day_of(loss),
        record=career.record_in(loss),
    )
