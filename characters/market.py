"""What gear was paid for in a campaign, and the money there is, as far as a reader may know."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from msgspec import Struct

from characters import policy
from characters.books import PAID
from characters.ledger import Certainty, moving
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


class Supply(Struct):
    """The money of those characters of a campaign whose money the reader may see.

    `characters` are those the reader may know of, `shown` those with their money. What they have in
    hand, `total`, is what `came` and what came `unexplained`, less what was `spent`, and `untold`:
    what was moved by entries that the reader may not read, or between these and other characters.
    """

    characters: int
    shown: int
    total: int
    came: int
    unexplained: int
    spent: int
    untold: int


def supply_in(actor: Actor, campaign: Campaign) -> Supply:
    """Return the money of a campaign: the sum of balances that the actor may see one by one."""
    known = policy.visible_characters(actor).filter(campaign=campaign)
    shown = policy.characters_showing(actor, Section.Kind.CURRENCY).filter(campaign=campaign)
    told = _told(actor, campaign) & Q(corrects=None, corrections=None)
    from_outside, to_outside = Q(giver=None) & told, Q(taker=None) & told
    money = moving().filter(amount__isnull=False).order_by()
    held = money.filter(taker__in=shown.order_by().values("pk")).aggregate(
        all=_sum(Q()),
        came=_sum(from_outside & ~_UNEXPLAINED),
        unexplained=_sum(from_outside & _UNEXPLAINED),
    )
    gone = money.filter(giver__in=shown.order_by().values("pk")).aggregate(
        all=_sum(Q()), spent=_sum(to_outside)
    )
    total, came, unexplained = held["all"] - gone["all"], held["came"], held["unexplained"]
    return Supply(
        characters=known.count(),
        shown=shown.count(),
        total=total,
        came=came,
        unexplained=unexplained,
        spent=gone["spent"],
        untold=total - came - unexplained + gone["spent"],
    )


def _sum(of: Q) -> Sum:
    return Sum("amount", filter=of, default=0)


def _told(actor: Actor, campaign: Campaign) -> Q:
    """Return the condition of the entries of a campaign's characters that an actor may read."""
    told = Q(audience__in=policy.audiences_in(actor, campaign))
    if actor.player_id is not None:
        told |= Q(giver__owner=actor.player_id) | Q(taker__owner=actor.player_id)
    return told


_NOBODY_SAYS = Q(words=None) | Q(words__party="", words__place="", words__context="")
_UNEXPLAINED = Q(certainty__in=(Certainty.CLAIMED, Certainty.DISPUTED)) | _NOBODY_SAYS
"""Money whose origin is only claimed, as an opening balance is, or disputed, or is not told."""
