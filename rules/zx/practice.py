"""What a bot chooses from at a seat: it plays all it can, attacks all it beats, and passes.

ZX-Z5  It has no cards on the table: chance deals it a hand, which it notes for itself.
ZX-B4  In a battle it only passes: what a text does is for people to say, so it plays no events.
ZX-B6  It attacks no Z/X that would stay.
ZX-B11 Nor does it send its own to the trash.
"""

from collections.abc import Callable, Sequence

from rules.bots import some_of
from rules.practice import Plays, preferred, values_of
from rules.ruleset import Offer, Pick, Seat, narrowed
from rules.zx.acts import (
    BattleDeclared,
    BattlePassed,
    ChargeTrimmed,
    HandKept,
    HandTrimmed,
    IgnitionEnded,
    IgnitionStarted,
    LifeRecovered,
    LifeRecoveryDeclined,
    LifeRevealed,
    ReloadPaid,
    ResourcePassed,
    ResourcePlaced,
    StartResourcesPlaced,
    TopCardRevealed,
    TurnEnded,
    VoidBringerDeclined,
    VoidBringerUsed,
    ZxPlayed,
)
from rules.zx.state import State, in_dark, knows_hand, power_of, side_of, unit_at
from rules.zx.waiting import awaited

PLAYS: Plays = {
    "hand": ((HandKept,),),
    "resources": ((StartResourcesPlaced,),),
    "reload": ((ReloadPaid,),),
    "charge": ((ChargeTrimmed,),),
    "keyword": ((LifeRecovered, VoidBringerUsed), (LifeRecoveryDeclined, VoidBringerDeclined)),
    "life": ((LifeRevealed,),),
    "reveal": ((TopCardRevealed,),),
    "battle": ((BattlePassed,),),
    "trim": ((HandTrimmed,),),
    "resource": ((ResourcePlaced,), (ResourcePassed,)),
    "ignition": ((IgnitionStarted, IgnitionEnded),),
    "main": ((ZxPlayed,), (BattleDeclared,), (TurnEnded,)),
}


def choices(state: State, seat: Seat, offers: Sequence[Offer], pick: Pick) -> Sequence[Offer]:
    """Return what a bot chooses from, none while the table waits for others."""
    waits, who = awaited(state)
    if who not in (0, seat) or waits not in PLAYS:
        return ()
    for offer in offers:
        if offer.type == "hand-noted" and not knows_hand(side_of(state, seat)):
            return [narrowed(offer, "cards", [_dealt(state, seat, pick)])]
    sensible = [_sensible(state, offer) for offer in offers]
    return preferred([offer for offer in sensible if offer], PLAYS, waits)


def _dealt(state: State, seat: Seat, pick: Pick) -> tuple[str, ...]:
    """Return a seat's hand with the cards that chance adds to those it knows of."""
    side = side_of(state, seat)
    left = tuple(in_dark(state, seat).elements())
    return tuple(sorted((*side.known, *some_of(left, side.hand - len(side.known), pick))))


def _sensible(state: State, offer: Offer) -> Offer | None:
    """Return an offer without what would only hurt its seat, None if nothing is left of it."""
    match offer.type:
        case "zx-played":
            return _only(offer, "square", lambda square: not unit_at(state.board, square))
        case "void-bringer-used":
            return _only(offer, "square", lambda square: _seat_on(state, square) != offer.seat)
        case "battle-declared":
            (attacker,) = values_of(offer, "square")
            return _only(offer, "target", lambda target: _beats(state, attacker, target))
    return offer


def _only(offer: Offer, field: str, fits: Callable[[str], bool]) -> Offer | None:
    left = [value for value in values_of(offer, field) if fits(value)]
    return narrowed(offer, field, left) if left else None


def _seat_on(state: State, square: str) -> Seat:
    unit = unit_at(state.board, square)
    return unit.seat if unit else 0


def _beats(state: State, attacker: str, target: str) -> bool:
    """Tell whether an attack does damage that counts, as far as the powers are known."""
    mine, its = unit_at(state.board, attacker), target != "player" and unit_at(state.board, target)
    if not mine or not its:
        return True
    power, against = power_of(state, mine), power_of(state, its)
    return power is None or against is None or power + its.damage >= against
