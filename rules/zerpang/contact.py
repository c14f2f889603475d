"""Contact: who meets whom, and whom a defender fights first.

ZP-C1  The piece that moved into contact is the aggressor.
ZP-C6  If enemies still touch after a combat a new one follows.
ZP-C8  One aggressor against several players: clockwise by defender. Several pieces of one
       defender: that defender picks the order.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from rules.chaptered import kept
from rules.fields import Ordered
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang.acts import CombatOrderChosen
from rules.zerpang.consequences import CombatOrderAsked, CombatStarted
from rules.zerpang.ratings import base_rating, chain_of
from rules.zerpang.state import (
    Fight,
    Folds,
    Force,
    Rule,
    Rules,
    State,
    Story,
    Table,
    clockwise,
    owner,
    replace,
    touching,
    with_turn,
)

# -- who meets whom -------------------------------------------------------------------


@kept
def contacts(state: State) -> Sequence[tuple[str, list[str]]]:
    """Return each piece that came to rest with the enemies it touches, which were there before it.

    Rule: ZP-T6, ZP-C1, AM7.
    """
    turn = state.table.turn
    if turn is None or not turn.arrived:
        return ()
    meets_on_entry = state.options.entry_combat != "off"
    arrived = [
        piece
        for piece in turn.arrived
        if meets_on_entry or piece in turn.moved or piece in turn.seconds
    ]
    met = [
        (piece, [foe for foe in touching(state, piece) if foe not in arrived[n:]])
        for n, piece in enumerate(arrived)
    ]
    return [(piece, foes) for piece, foes in met if foes]


def in_contact(state: State) -> bool:
    return bool(contacts(state))


def combat_due(state: State, clause: str) -> Verdict | None:
    """Object while a piece that came to rest has yet to fight an enemy that it touches."""
    met = contacts(state)
    return irregular("combat-pending", clause, piece=met[0][0]) if met else None


def next_combat(story: Story) -> bool:
    """Start the next combat, or ask a defender for its order; tell whether there was one."""
    state = story.state
    for piece, foes in contacts(state):
        seats = [s for s in clockwise(state, owner(piece)) if any(owner(f) == s for f in foes)]
        mine = sorted(foe for foe in foes if owner(foe) == seats[0])
        turn = state.table.turn
        assert turn is not None
        order = turn.order if turn.ordered_by == piece else ()
        ordered = [foe for foe in order if foe in mine]
        if len(mine) > max(1, len(ordered)):
            story.add(CombatOrderAsked(seat=seats[0], agg=piece, pieces=tuple(mine)))
        else:
            start(story, piece, (ordered or mine)[0])
        return True
    return False


def start(story: Story, piece: str, foe: str) -> None:
    state = story.state
    story.add(
        CombatStarted(
            agg=piece,
            defender=foe,
            rating_a=base_rating(state, piece, foe),
            rating_d=base_rating(state, foe, piece),
            chain_a=tuple(chain_of(state, piece)[0][1:]),
            chain_d=tuple(chain_of(state, foe)[0][1:]),
        )
    )


def is_early(table: Table, seat: Seat) -> bool:
    """Tell whether a combat began with a seat's move, and nobody has acted in it yet.

    Until then cards of movement may be played, which put it off. Rule: ZP-T1, ZP 8.
    """
    turn, fight = table.turn, table.fight
    if turn is None or turn.seat != seat or not turn.early:
        return False
    return fight.untouched if fight else bool(turn.asked)


def put_off(table: Table) -> Table:
    """Return the table back in movement, before a combat that began early."""
    table = with_turn(table, phase="movement", early=False, asked=0, asked_by="")
    return replace(table, fight=None)


def _meeting(table: Table) -> dict[str, Any]:
    """Return the changes to a turn when a combat begins."""
    turn = table.turn
    early = turn is not None and (turn.early or turn.phase == "movement")
    return {"phase": "combat", "early": early}


def fold_asked(table: Table, event: CombatOrderAsked) -> Table:
    return with_turn(table, asked=event.seat, asked_by=event.agg, **_meeting(table))


def fold_started(table: Table, event: CombatStarted) -> Table:
    fight = Fight(
        agg=Force(piece=event.agg, base=event.rating_a),
        foe=Force(piece=event.defender, base=event.rating_d),
    )
    return replace(with_turn(table, asked=0, asked_by="", **_meeting(table)), fight=fight)


# -- the order of a defender ----------------------------------------------------------


def touched(state: State) -> list[str]:
    """Return the pieces of the defender who is asked for an order."""
    turn = state.table.turn
    if turn is None or not turn.asked:
        return []
    foes = dict(contacts(state)).get(turn.asked_by, ())
    return sorted(foe for foe in foes if owner(foe) == turn.asked)


def offers_of_order(state: State, seat: Seat) -> Iterator[Offer]:
    turn = state.table.turn
    if turn and turn.asked == seat:
        pieces = tuple(touched(state))
        many = len(pieces)
        yield Offer("combat-order-chosen", seat, {"order": Ordered(pieces, most=many, least=many)})


def cannot_order(state: State, act: CombatOrderChosen) -> Verdict | None:
    turn = state.table.turn
    if turn is None or turn.asked != act.seat:
        return impossible("no-order-asked", "ZP-C8", seat=act.seat)
    if tuple(act.order) not in permutations(touched(state)):
        return impossible("not-the-pieces", "ZP-C8", seat=act.seat)
    return None


def fold_order(table: Table, act: CombatOrderChosen) -> Table:
    by = table.turn.asked_by if table.turn else ""
    return with_turn(table, order=act.order, ordered_by=by, asked=0, asked_by="")


RULES: Rules = {
    CombatOrderChosen: Rule(offers=offers_of_order, cannot=cannot_order, fold=fold_order),
}
FOLDS: Folds = {CombatOrderAsked: fold_asked, CombatStarted: fold_started}
