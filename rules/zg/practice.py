"""What a bot chooses from at a seat: hands, attacks, and whether the character card saves one.

ZG IMP-1  Who plays next is for the table to say, unless all have called.
ZG ATK-3  Chance picks the card it meets; that is drawn first only if no card has two known ends.
ZG ATK-4  The server spins it.
ZG ATK-11 It claims no blazes, nor a half turn or a place on the table.
ZG ATK-12 It claims no retest either; others may before it goes on.
"""

from collections.abc import Sequence

from rules.practice import Plays, preferred, values_of
from rules.ruleset import Offer, Seat
from rules.zg.acts import (
    Attacked,
    CharacterSpent,
    HandTaken,
    ImpulseCalled,
    Retested,
    SlagAccepted,
    TargetDrawn,
    TieDrawn,
    TurnPassed,
)
from rules.zg.state import State
from rules.zg.viewing import awaited

PLAYS: Plays = {
    "impulse": ((HandTaken,), (ImpulseCalled,), (TieDrawn,)),
    "pulse": ((Attacked,), (TargetDrawn,), (TurnPassed,)),
    "follow-up": ((Attacked,), (TargetDrawn,), (TurnPassed,)),
    "target": ((Attacked,),),
    "save": ((CharacterSpent, SlagAccepted),),
}
ANSWERS = (Retested, CharacterSpent)
CLAIMS = {"half_turn", "augments", "bolsters", "sneak", "high_ground", "distance"}
"""The fields of an attack that say what is on the table or on a card."""


def choices(state: State, seat: Seat, offers: Sequence[Offer]) -> Sequence[Offer]:
    """Return what a bot chooses from, none while the table waits for others."""
    waits, who = awaited(state)
    if who not in (None, seat):
        return ()
    fair = [offer for offer in offers if not _spins_by_hand(offer)]
    return [_without_claims(offer) for offer in preferred(fair, PLAYS, waits)]


def _spins_by_hand(offer: Offer) -> bool:
    """Tell whether an attack needs a spin that only people can make."""
    return offer.type == "attacked" and "server" not in values_of(offer, "spin")


def _without_claims(offer: Offer) -> Offer:
    fields = {name: field for name, field in offer.fields.items() if name not in CLAIMS}
    return Offer(offer.type, offer.seat, fields)
