"""What gear was paid for in a campaign, as everybody may read it in the books of its characters."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Min, Q, QuerySet
from msgspec import Struct

from characters import policy
from characters.books import PAID
from characters.ledger import moving
from characters.models import Audience, Campaign, GearItem, LedgerEntry, Section
from characters.shown import day_of, words_of
from matches.actors import Actor


class Sale(Struct):
    """A piece that a character bought or sold: for how much, and from or to whom if it is told.

    `bought`: it came; else it was sold. `sold_on`: the day. `name`: of the character.
    """

    item: str  # its serial
    title: str
    price: int
    bought: bool
    character: UUID
    name: str
    party: str
    sold_on: date


class Price(Struct):
    """What a piece of some quality went for, in any colour."""

    what: str
    times: int
    low: int
    high: int


def sales_in(actor: Actor, campaign: Campaign) -> QuerySet[LedgerEntry]:
    """Return the entries by which gear of a campaign was paid for, newest first, for `sale`.

    Only those for everyone, of characters whose gear the actor may see. What was undone is left
    out; a cover story has no price.
    """
    shown = policy.characters_showing(actor, Section.Kind.GEAR).filter(campaign=campaign)
    found = moving().filter(
        Q(taker__in=shown) | Q(taker=None, giver__in=shown),
        audience=Audience.PUBLIC,
        method__in=PAID,
        price__gt=0,
        item__kind=GearItem.Kind.PIECE,
        corrects=None,
        corrections=None,
    )
    return found.select_related("item", "giver", "taker", "words").order_by("-pk")


def sale(entry: LedgerEntry) -> Sale:
    """Return what an entry of `sales_in` tells."""
    character: Any = entry.taker or entry.giver
    piece: Any = entry.item
    return Sale(
        item=piece.serial,
        title=str(piece),
        price=entry.price or 0,
        bought=entry.taker is not None,
        character=character.pk,
        name=character.name,
        party=words_of(entry)["party"],
        sold_on=day_of(entry),
    )


def prices(sales: QuerySet[LedgerEntry], most: int) -> list[Price]:
    """Return what was sold most often, with its lowest and highest price."""
    kinds = sales.order_by().values("item__quality", "item__name")
    found = kinds.annotate(times=Count("pk"), low=Min("price"), high=Max("price"))
    rows = found.order_by("-times", "item__name", "item__quality")[:most]
    return [Price(_called(row), row["times"], row["low"], row["high"]) for row in rows]


def _called(row: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (row["item__quality"], row["item__name"])))
