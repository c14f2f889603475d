"""Trades between characters of different owners: an offer and its acceptance.

Each function takes the actor (`by`), checks the policy and writes through `ledger.post`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from characters import ledger, policy, shown
from characters.books import HANDED, items_by
from characters.ledger import LedgerAct, LedgerLine, Method
from characters.locking import locked, owned
from characters.models import Audience, Character, GearItem, LedgerEntry, Move, Trade
from characters.offers import require_open, settle
from matches import once
from matches.actors import Actor
from matches.errors import BadInput, Conflict, Impossible, NotAllowed
from matches.policy import require_make

MAX_OPEN = 20  # offers of one character to another


@dataclass(frozen=True)
class TradeOffer:
    """What one character gives (`gives`, `pays`) and wants in return (`wants`, `asks`)."""

    gives: Sequence[str] = ()
    wants: Sequence[str] = ()
    pays: int = 0
    asks: int = 0
    method: str = Method.TRADED
    audience: str = Audience.PUBLIC


def offer(
    *, by: Actor, character: Character, to: Character, what: TradeOffer, act_id: UUID | None = None
) -> Trade:
    """Offer a trade, a gift or a loan to another character; nothing moves until it is accepted.

    Idempotent by `act_id`.
    """
    policy.require_edit(by, character)
    policy.require_see(by, to)
    if to == character:
        raise BadInput("same-character", gettext("That is the same character."), "$.to")
    if what.method not in HANDED or what.audience not in policy.NARROWING:
        raise BadInput(
            "bad-method",
            gettext("There is no such way: {method}.").format(method=what.method),
            "$.method",
        )
    gives, wants = items_by(what.gives, "$.gives"), items_by(what.wants, "$.wants")
    if not (gives or wants or what.pays or what.asks):
        raise BadInput("nothing", gettext("Say what changes hands."), "$")

    def keep(trade: Trade) -> None:
        _require_played(to)
        _require_holds(character, gives, ledger.items_of(character), "$.gives")
        _require_holds(to, wants, _items_shown(to, by), "$.wants")
        if what.pays > ledger.balance(character):
            raise Impossible(
                "overspent",
                gettext("{character} does not have c{pays}.").format(
                    character=character, pays=what.pays
                ),
                where="$.pays",
            )
        owned(by, character)
        _require_few(character, to)
        trade.save(force_insert=True)

    return once.make(
        Trade,
        require_make(by).pk,
        act_id,
        keep=keep,
        by=character,
        to=to,
        gives=gives,
        wants=wants,
        pays=what.pays,
        asks=what.asks,
        method=what.method,
        audience=what.audience,
    )


def _require_played(to: Character) -> None:
    if to.owner.user_id is None:
        raise Impossible(
            "nobody-there",
            gettext("Nobody who could answer plays {character}.").format(character=to),
            where="$.to",
        )


def _require_few(character: Character, to: Character) -> None:
    waiting = Trade.objects.filter(by=character, to=to, status=Trade.Status.OFFERED)
    if waiting.count() >= MAX_OPEN:
        raise Impossible(
            "too-many-offers",
            gettext("{MAX_OPEN} offers to {character} wait already; take one back first.").format(
                MAX_OPEN=MAX_OPEN, character=to
            ),
        )


def _items_shown(character: Character, by: Actor) -> list[GearItem]:
    """Return the items of a character visible to an actor: asking for others would reveal them."""
    eyes = policy.eyes_of(by, character)
    visible = shown.visible_items(character, eyes, shown.parts_of(character, eyes))
    return list(GearItem.objects.filter(serial__in=[each.serial for each in visible]))


def _require_holds(
    character: Character, items: Sequence[GearItem], held: Sequence[GearItem], where: str
) -> None:
    for number, item in enumerate(items):
        if item not in held:
            raise Impossible(
                "not-held",
                gettext("{character} does not hold {serial}.").format(
                    character=character, serial=item.serial
                ),
                where=f"{where}[{number}]",
            )


def accept(*, by: Actor, trade: Trade) -> list[LedgerEntry]:
    """Accept an offer: everything changes hands at once, or nothing does. Idempotent."""
    if not policy.may_answer(by, trade):
        raise NotAllowed("not-allowed", gettext("Only those it was offered to can accept it."))
    with transaction.atomic():
        offered = _locked(trade)
        if offered.status == Trade.Status.ACCEPTED:
            return list(LedgerEntry.objects.filter(act_id=trade.pk).order_by("ordinal"))
        require_open(offered)
        _require_same_owners(offered)
        entries = ledger.post(
            LedgerAct(trade.pk, by.player_id, offered.audience), list(_handed(offered))
        )
        settle(offered, Trade.Status.ACCEPTED)
    return entries


def _handed(trade: Trade) -> Iterator[LedgerLine]:
    method = trade.method
    for item in trade.gives.order_by("pk"):
        yield LedgerLine(method, item=item, giver=trade.by, taker=trade.to)
    for item in trade.wants.order_by("pk"):
        yield LedgerLine(method, item=item, giver=trade.to, taker=trade.by)
    if trade.pays:
        yield LedgerLine(method, amount=trade.pays, giver=trade.by, taker=trade.to)
    if trade.asks:
        yield LedgerLine(method, amount=trade.asks, giver=trade.to, taker=trade.by)


def decline(*, by: Actor, trade: Trade) -> None:
    """Decline an offer, or withdraw one's own."""
    if policy.may_answer(by, trade):
        status = Trade.Status.DECLINED
    elif policy.is_owner(by, trade.by):
        status = Trade.Status.WITHDRAWN
    else:
        raise NotAllowed("not-allowed", gettext("This offer is between others."))
    with transaction.atomic():
        offered = _locked(trade)
        require_open(offered)
        settle(offered, status)


def withdraw_all(character: Character) -> None:
    """Withdraw all open offers by and to a character, which were agreed with its former owner."""
    waiting = Trade.objects.filter(
        Q(by=character) | Q(to=character), status=Trade.Status.OFFERED
    ).select_for_update()
    for trade in waiting.order_by("pk"):
        settle(trade, Trade.Status.WITHDRAWN)


def _locked(trade: Trade) -> Trade:
    """Lock the rows involved, always in the same order: characters, then their offer."""
    locked(trade.by_id, trade.to_id)
    return Trade.objects.select_for_update().get(pk=trade.pk)


def _require_same_owners(trade: Trade) -> None:
    """Require that neither side changed hands since; older moves did not withdraw offers."""
    given = Move.objects.filter(
        character__in=[trade.by_id, trade.to_id],
        campaign=None,
        status=Move.Status.ACCEPTED,
        settled_at__gte=trade.offered_at,
    )
    if given.exists():
        raise Conflict("another-owner", gettext("It has gone to another player since."))
