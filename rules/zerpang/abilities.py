"""Abilities of a class in the place of movement: leaps, balloons, another's piece.

ZP-T8  An ability replaces the phase: nothing else of it may be or have been done.
ZP-N2  Leap: 2 points; from an own gate to any open space but great houses. Its rating is 0 until
       the Ninja's next turn begins.
ZP-P2  Scoundrel: 2 points; another's piece, first space free, each further one 2. Not the same
       piece two turns running, not one on its owner's goal.
ZP-L2  Balloons: 2 points; an own piece to any free space where it enters combat.
"""

from collections.abc import Iterator

from rules.chaptered import kept
from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks
from rules.zerpang.acts import ForeignPieceMoved, PieceBallooned, PieceLeapt
from rules.zerpang.maps import Space
from rules.zerpang.movement import LONGEST, later, may_not_move_now, no_way, off_the_way, walk_for
from rules.zerpang.paying import paid_together, payable, short, spend
from rules.zerpang.rings import take_along
from rules.zerpang.state import (
    Rule,
    Rules,
    State,
    Story,
    Table,
    at,
    class_of,
    closed_to,
    gates_of,
    occupants,
    owner,
    pieces_on_board,
    playing,
    put,
    side_of,
    touching_at,
    with_side,
    with_turn,
)

ABILITY = 2
FURTHER = 2


# -- in the place of movement ---------------------------------------------------------


def may_not_replace(state: State, seat: Seat) -> Verdict | None:
    """Object if an ability cannot replace movement now. Rule: ZP-T8."""
    turn = state.table.turn
    if verdict := may_not_move_now(state, seat):
        return verdict
    if turn and (turn.moved or "movement" in turn.special):
        return irregular("phase-replaced", "ZP-T8", phase="movement")
    return None


def cannot_jump(state: State, act: PieceLeapt | PieceBallooned) -> Verdict | None:
    return (
        checks.not_own_piece(state, act.seat, act.piece)
        or checks.not_on_board(state, act.piece)
        or checks.no_such_space(state, act.to)
        or checks.occupied(state, act.to, act.piece)
    )


def fold_jump(table: Table, act: PieceLeapt | PieceBallooned) -> Table:
    table = put(table, act.piece, act.to)
    if isinstance(act, PieceLeapt):
        table = with_side(table, act.seat, dazed=int(act.piece[2]))
    return replaced_by(table, act.piece)


def replaced_by(table: Table, piece: str) -> Table:
    """Return the table after an ability moved a piece instead of movement."""
    turn = table.turn
    if turn is None:
        return table
    arrived = (*(each for each in turn.arrived if each != piece), piece)
    moved = (*turn.moved, piece)
    return with_turn(
        table, replaced="movement", moved=moved, arrived=arrived, acted=True, phase=later(table)
    )


def decide_jump(story: Story, before: State, act: PieceLeapt | PieceBallooned) -> None:
    spend(story, act.seat, ABILITY)
    take_along(story, act.piece, (act.to,))


@kept
def open_spaces(state: State, seat: Seat) -> tuple[Space, ...]:
    """Return the spaces a seat's piece may be put on. Rule: AM8."""
    there, shut = occupants(state.table), closed_to(state, seat)
    open_ = [space for space in state.board.near if space not in there and space not in shut]
    return tuple(open_)


def offers_of_leap(state: State, seat: Seat) -> Iterator[Offer]:
    if class_of(state, seat) != "ninja" or may_not_replace(state, seat):
        return
    gates = gates_of(state, seat)
    pieces = tuple(p for p in pieces_on_board(state.table, seat) if at(state.table, p) in gates)
    if not pieces or short(state, seat, ABILITY):
        return
    houses = state.board.great_houses
    spaces = tuple(space for space in open_spaces(state, seat) if space not in houses)
    yield Offer("piece-leapt", seat, {"piece": Choice(pieces), "to": Choice(spaces)})


def may_not_leap(state: State, act: PieceLeapt) -> Verdict | None:
    verdict = (
        checks.other_class(state, act.seat, "ninja", "ZP-N2")
        or may_not_replace(state, act.seat)
        or checks.closed(state, act.seat, act.to)
    )
    if verdict:
        return verdict
    here = at(state.table, act.piece)
    if here not in gates_of(state, act.seat):
        return irregular("gate-not-own", "ZP-N2", space=here, seat=act.seat)
    if here == act.to:
        return irregular("stays", "ZP-N2", piece=act.piece)
    if act.to in state.board.great_houses:
        return irregular("great-house-forbidden", "ZP-N2", space=act.to)
    return short(state, act.seat, ABILITY)


def offers_of_balloon(state: State, seat: Seat) -> Iterator[Offer]:
    if class_of(state, seat) != "alien" or may_not_replace(state, seat):
        return
    pieces = pieces_on_board(state.table, seat)
    if not pieces or short(state, seat, ABILITY):
        return
    spaces = tuple(space for space in open_spaces(state, seat) if touching_at(state, seat, space))
    if spaces:
        yield Offer("piece-ballooned", seat, {"piece": Choice(pieces), "to": Choice(spaces)})


def may_not_balloon(state: State, act: PieceBallooned) -> Verdict | None:
    verdict = (
        checks.other_class(state, act.seat, "alien", "ZP-L2")
        or may_not_replace(state, act.seat)
        or checks.closed(state, act.seat, act.to)
    )
    if verdict:
        return verdict
    if at(state.table, act.piece) == act.to:
        return irregular("stays", "ZP-L2", piece=act.piece)
    if not touching_at(state, act.seat, act.to):
        return irregular("no-contact", "ZP-L2", space=act.to)
    return short(state, act.seat, ABILITY)


# -- another's piece ------------------------------------------------------------------


GOALS = {"ninja": ("great_houses",), "pirate": ("xs",), "gunslinger": ("great_houses", "xs")}


def on_goal(state: State, piece: str) -> bool:
    """Tell whether a piece stands on a goal of its owner. Rule: ZP-P2."""
    goals = GOALS.get(class_of(state, owner(piece)), ())
    return any(at(state.table, piece) in getattr(state.board, goal) for goal in goals)


def offers_of_trick(state: State, seat: Seat) -> Iterator[Offer]:
    if class_of(state, seat) != "pirate" or may_not_replace(state, seat):
        return
    if short(state, seat, ABILITY):
        return
    most = 1 + further_paid(state, seat)
    side = side_of(state, seat)
    others = [other for other in playing(state) if other != seat]
    for piece in (each for other in others for each in pieces_on_board(state.table, other)):
        if piece == side.tricked_last or on_goal(state, piece):
            continue
        if walk := walk_for(state, piece, most):
            yield Offer("foreign-piece-moved", seat, {"piece": Choice((piece,)), "path": walk})


def cannot_trick(state: State, act: ForeignPieceMoved) -> Verdict | None:
    if verdict := checks.not_on_board(state, act.piece):
        return verdict
    if owner(act.piece) == act.seat:
        return impossible("own-piece", "ZP-P2", piece=act.piece)
    return no_way(state, act.piece, act.path)


def may_not_trick(state: State, act: ForeignPieceMoved) -> Verdict | None:
    verdict = checks.other_class(state, act.seat, "pirate", "ZP-P2") or may_not_replace(
        state, act.seat
    )
    if verdict:
        return verdict
    if act.piece == side_of(state, act.seat).tricked_last:
        return irregular("same-piece-again", "ZP-P2", piece=act.piece)
    if on_goal(state, act.piece):
        return irregular("on-goal", "ZP-P2", piece=act.piece)
    if verdict := off_the_way(state, act.piece, act.path):
        return verdict
    if len(act.path) > LONGEST:
        return irregular("path-too-long", "ZP-T3", n=len(act.path), most=LONGEST)
    if len(act.path) <= 1 + further_paid(state, act.seat):
        return None
    cost = ABILITY + FURTHER * (len(act.path) - 1)
    return short(state, act.seat, cost) or paid_together(state, act.seat, cost)


def further_paid(state: State, seat: Seat) -> int:
    """Return the further spaces of a trick that are covered by what is laid down. Rule: AM5."""
    return payable(state, seat, FURTHER) - ABILITY // FURTHER


def decide_trick(story: Story, before: State, act: ForeignPieceMoved) -> None:
    spend(story, act.seat, ABILITY + FURTHER * (len(act.path) - 1))
    take_along(story, act.piece, act.path)


def fold_trick(table: Table, act: ForeignPieceMoved) -> Table:
    table = with_side(put(table, act.piece, act.path[-1]), act.seat, tricked=act.piece)
    return replaced_by(table, act.piece)


RULES: Rules = {
    PieceLeapt: Rule(
        when="own-turn",
        offers=offers_of_leap,
        cannot=cannot_jump,
        may_not=may_not_leap,
        decide=decide_jump,
        fold=fold_jump,
    ),
    PieceBallooned: Rule(
        when="own-turn",
        offers=offers_of_balloon,
        cannot=cannot_jump,
        may_not=may_not_balloon,
        decide=decide_jump,
        fold=fold_jump,
    ),
    ForeignPieceMoved: Rule(
        when="own-turn",
        offers=offers_of_trick,
        cannot=cannot_trick,
        may_not=may_not_trick,
        decide=decide_trick,
        fold=fold_trick,
    ),
}
