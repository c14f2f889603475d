"""What a bot chooses from at a seat, from its class to the discards at the end of its turn.

ZP-S6  Who begins is for the table to say.
ZP 13  It has no cards on the table: chance deals it its hand, which it records for itself.
"""

from collections.abc import Sequence

from rules.practice import Plays, of_kinds, preferred, values_of
from rules.ruleset import Offer, Pick, Seat, narrowed
from rules.zerpang.acts import (
    BaseTaken,
    CardDiscarded,
    CardsDrawn,
    CardSeen,
    ClassTaken,
    CombatOrderChosen,
    CombatPassed,
    CombatPlayed,
    ForeignPieceMoved,
    LinkedMoved,
    PhaseEntered,
    PhaseReplaced,
    PieceBallooned,
    PieceEntered,
    PieceLeapt,
    PieceMoved,
    PieceUploaded,
    PointsPaid,
    SpecialNegated,
    SpecialPlayed,
)
from rules.zerpang.state import State, side_of
from rules.zerpang.viewing import awaited

TURN = (
    PieceEntered,
    PieceMoved,
    LinkedMoved,
    PieceLeapt,
    PieceBallooned,
    ForeignPieceMoved,
    PieceUploaded,
    PointsPaid,
    SpecialPlayed,
    PhaseEntered,
    PhaseReplaced,
    CardsDrawn,
)
FIGHT = (CombatPlayed, CombatPassed, PointsPaid, SpecialPlayed)
PLAYS: Plays = {
    "setup": ((ClassTaken,), (BaseTaken,)),
    "order": ((CombatOrderChosen,),),
    "entrance": (TURN,),
    "movement": (TURN,),
    "combat": (FIGHT + TURN,),
    "draw": (TURN,),
    "discard": ((CardDiscarded,),),
}
ANSWERS = (SpecialNegated,)


def choices(state: State, seat: Seat, offers: Sequence[Offer], pick: Pick) -> Sequence[Offer]:
    """Return what a bot chooses from, none while the table waits for others."""
    waits, who = awaited(state)
    if who not in (None, seat):
        return ()
    unseen = of_kinds(offers, (CardSeen,)) if waits in PLAYS else ()
    return [_dealt(state, offer, pick) for offer in unseen] or preferred(offers, PLAYS, waits)


def _dealt(state: State, offer: Offer, pick: Pick) -> Offer:
    """Return the offer to record a card, left with one that chance deals by its copies."""
    cards, known = state.deck.cards, side_of(state, offer.seat or 0).known
    left = [
        name
        for name in values_of(offer, "card")
        for _ in range(
            max(1, cards[name].copies - state.table.spent.get(name, 0) - known.count(name))
        )
    ]
    return narrowed(offer, "card", [left[pick(len(left))]])
