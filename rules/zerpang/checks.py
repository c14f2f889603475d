"""Checks used by several chapters. Each returns a verdict, or None if there is no objection."""

from rules.ruleset import Seat, Verdict, impossible, irregular
from rules.zerpang.acts import PHASES, Phase
from rules.zerpang.state import (
    State,
    at,
    class_of,
    closed_to,
    gate_owner,
    is_active,
    on_board,
    owner,
    piece_on,
)


def not_playing(state: State, seat: Seat) -> Verdict | None:
    """Refuse a seat that does not exist or is out of the match."""
    sides = state.table.sides
    if not 1 <= seat <= len(sides):
        return impossible("no-such-seat", seat=seat, seats=len(sides))
    return impossible("seat-out", seat=seat) if sides[seat - 1].out else None


def not_own_piece(state: State, seat: Seat, *pieces: str) -> Verdict | None:
    for piece in pieces:
        if owner(piece) != seat:
            return impossible("not-own-piece", "ZP-A5", seat=seat, piece=piece)
    return None


def no_such_piece(state: State, *pieces: str) -> Verdict | None:
    for piece in pieces:
        if not 1 <= owner(piece) <= len(state.table.sides):
            return impossible("no-such-piece", "ZP-S1", piece=piece)
    return None


def not_on_board(state: State, *pieces: str) -> Verdict | None:
    if verdict := no_such_piece(state, *pieces):
        return verdict
    for piece in pieces:
        if not on_board(at(state.table, piece)):
            return impossible("not-on-board", "ZP-T3", piece=piece)
    return None


def no_such_space(state: State, *spaces: str) -> Verdict | None:
    for space in spaces:
        if space not in state.board.near:
            return impossible("no-such-space", "ZP 3", space=space)
    return None


def occupied(state: State, space: str, *leaving: str) -> Verdict | None:
    """Refuse a space with a piece on it that is not about to leave. Rule: AM3."""
    piece = piece_on(state.table, space)
    if piece is None or piece in leaving:
        return None
    return impossible("space-occupied", "ZP-AM3", space=space, piece=piece)


def closed(state: State, seat: Seat, space: str) -> Verdict | None:
    """Object to a gate of another active seat. Rule: ZP-T4, AM8, AM9."""
    if space not in state.board.gate_of or space not in closed_to(state, seat):
        return None
    return irregular("gate-closed", "ZP-T4", space=space, foe=gate_owner(state, space))


def other_class(state: State, seat: Seat, cls: str, clause: str) -> Verdict | None:
    """Object to an ability of another class than the seat's."""
    if class_of(state, seat) == cls:
        return None
    return irregular("other-class", clause, seat=seat, cls=cls)


def not_your_turn(state: State, seat: Seat) -> Verdict | None:
    if is_active(state, seat):
        return None
    turn = state.table.turn
    return irregular("not-your-turn", "ZP-S6", seat=seat, foe=turn.seat if turn else 0)


def combat_pending(state: State) -> Verdict | None:
    """Object while a combat is not settled. Rule: ZP-T6."""
    if fight := state.table.fight:
        return irregular("combat-pending", "ZP-T6", piece=fight.agg.piece)
    turn = state.table.turn
    if turn and turn.asked:
        return irregular("combat-pending", "ZP-C8", piece=turn.asked_by)
    return None


def discard_due(state: State) -> Verdict | None:
    """Object while a Gunslinger holds more cards than it may. Rule: ZP-G2."""
    turn = state.table.turn
    if turn is None or not turn.owes:
        return None
    return irregular("hand-over-limit", "ZP-G2", seat=turn.seat, n=turn.owes)


def not_ready(state: State, seat: Seat) -> Verdict | None:
    """Object if a seat cannot continue a turn of its own now."""
    turn = state.table.turn
    if turn and turn.seat == seat and not (turn.owes or turn.asked or state.table.fight):
        return None
    return not_your_turn(state, seat) or discard_due(state) or combat_pending(state)


def past(state: State, phase: Phase) -> Verdict | None:
    """Object once the turn has passed a phase. Rule: ZP-T1."""
    turn = state.table.turn
    if turn is None or PHASES.index(turn.phase) <= PHASES.index(phase):
        return None
    return irregular("wrong-phase", "ZP-T1", phase=phase, now=turn.phase)


def untimely(state: State, seat: Seat, phase: Phase) -> Verdict | None:
    """Object if a seat cannot do something of a phase of its turn now."""
    return not_ready(state, seat) or past(state, phase)


def replaced(state: State, phase: Phase) -> Verdict | None:
    """Object if an ability was used instead of a phase. Rule: ZP-T8."""
    turn = state.table.turn
    if turn is None or not turn.replaced:
        return None
    if turn.replaced == "salvage" or phase == "movement":
        return irregular("phase-replaced", "ZP-T8", phase=phase)
    return None
