"""The targets of specialties: the pieces, spaces and seats they name.

ZP-A5  A card only touches own pieces unless it says otherwise.
AM23   A second piece is put beside an own piece, out of reach of enemies.
AM24   At most one skip is pending for each player.
"""

from collections.abc import Iterator, Mapping

from rules.fields import Choice, Field
from rules.ruleset import Seat, Verdict, impossible, irregular
from rules.zerpang import checks
from rules.zerpang.acts import SpecialPlayed
from rules.zerpang.cards import Face
from rules.zerpang.ratings import chain_of
from rules.zerpang.state import (
    OTHER,
    State,
    at,
    closed_to,
    fight_of,
    gates_of,
    occupants,
    open_gates,
    owner,
    pieces_on_board,
    playing,
    side_of,
    touching_at,
)

NEEDS: Mapping[str, tuple[str, ...]] = {
    "connect_any": ("piece",),
    "step_out": ("to",),
    "step_out_end": ("to",),
    "second_adjacent": ("piece", "to"),
    "defeat_to_gate": ("piece", "to"),
    "intercept_draw": ("foe",),
    "skip_turn": ("foe",),
}
"""What each key has to name, and nothing else."""


def fallen_of(state: State, seat: Seat) -> tuple[str, ...]:
    return tuple(piece for piece in state.table.fallen if owner(piece) == seat)


def targets(state: State, seat: Seat, face: Face) -> Iterator[dict[str, Field]]:
    """Yield the possible targets of a specialty now, as the fields of an offer."""
    key = face.key
    fight = state.table.fight
    if key == "connect_any" and fight:
        if pieces := connectable(state, seat):
            yield {"piece": Choice(pieces)}
    elif key in ("step_out", "step_out_end") and fight:
        if spaces := retreats(state, seat, key):
            yield {"to": Choice(spaces)}
    elif key == "second_adjacent":
        for piece in second_pieces(state, seat):
            if spaces := beside(state, piece):
                yield {"piece": Choice((piece,)), "to": Choice(spaces)}
    elif key == "defeat_to_gate":
        pieces, gates = fallen_of(state, seat), open_gates(state, seat)
        yield {"piece": Choice(pieces), "to": Choice(gates)}
    elif key == "intercept_draw" and state.table.drew:
        yield {"foe": Choice((state.table.drew.seat,))}
    elif key == "skip_turn":
        if foes := skippable(state, seat):
            yield {"foe": Choice(foes)}
    else:
        yield {}


def connectable(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the own pieces anywhere that do not yet count as connected."""
    mine = fight_of(state.table, seat)
    if mine is None:
        return ()
    fight, role = mine
    force = fight.force(role)
    counted = {*chain_of(state, force.piece)[0], *force.linked}
    return tuple(p for p in pieces_on_board(state.table, seat) if p not in counted)


def retreats(state: State, seat: Seat, key: str) -> tuple[str, ...]:
    """Return the spaces a fighter may step to, out of reach of other enemies."""
    mine = fight_of(state.table, seat)
    if mine is None:
        return ()
    fight, role = mine
    here, there = at(state.table, fight.force(role).piece), occupants(state.table)
    return tuple(
        space
        for space in state.board.near[here]
        if space not in there and not _no_retreat(state, seat, key, space)
    )


def _no_retreat(state: State, seat: Seat, key: str, space: str) -> Verdict | None:
    mine = fight_of(state.table, seat)
    if mine is None:
        return None
    fight, role = mine
    piece = fight.force(role).piece
    if space not in state.board.near[at(state.table, piece)]:
        return irregular("not-adjacent", "ZP-T3", space=piece, to=space)
    if verdict := checks.closed(state, seat, space):
        return verdict
    foe = fight.force(OTHER[role]).piece
    met = [each for each in touching_at(state, seat, space) if each != foe or key != "step_out"]
    return irregular("retreat-contact", f"ZP 8 {key}", space=space, piece=met[0]) if met else None


def second_pieces(state: State, seat: Seat) -> list[str]:
    """Return the pieces that may be put somewhere besides the one that moves."""
    turn = state.table.turn
    moved = {*turn.moved, *turn.seconds} if turn else set()
    return [piece for piece in pieces_on_board(state.table, seat) if piece not in moved]


def beside(state: State, piece: str) -> tuple[str, ...]:
    """Return the open spaces that touch another own piece and no enemy. Rule: AM23."""
    seat, near = owner(piece), state.board.near
    there, shut = occupants(state.table), closed_to(state, owner(piece))
    own = [at(state.table, p) for p in pieces_on_board(state.table, seat) if p != piece]
    reached = {space for place in own for space in near[place]}
    return tuple(
        space
        for space in near
        if space in reached
        and space not in there
        and space not in shut
        and not touching_at(state, seat, space)
    )


def skippable(state: State, seat: Seat) -> tuple[Seat, ...]:
    stacking = state.options.keelhaul == "stacking"
    return tuple(
        foe for foe in playing(state) if foe != seat and (stacking or not side_of(state, foe).skips)
    )


def no_target(state: State, act: SpecialPlayed, face: Face) -> Verdict | None:
    """Refuse a target that a specialty cannot have at all."""
    given = {"piece": bool(act.piece), "to": bool(act.to), "foe": bool(act.foe)}
    named = tuple(name for name in ("piece", "to", "foe") if given[name])
    if named != NEEDS.get(face.key, ()) or (act.more and not face.more):
        return impossible("special-unclear", f"ZP 8 {face.key}", card=act.card, key=face.key)
    if act.foe and (verdict := checks.not_playing(state, act.foe)):
        return verdict
    if act.foe == act.seat:
        return impossible("aimed-at-itself", f"ZP 8 {face.key}", seat=act.seat)
    if act.to and (verdict := checks.no_such_space(state, act.to)):
        return verdict
    if not act.piece:
        return checks.occupied(state, act.to) if act.to else None
    if verdict := checks.not_own_piece(state, act.seat, act.piece):
        return verdict
    if face.key == "defeat_to_gate":
        if act.piece not in state.table.fallen:
            return impossible("not-defeated", "ZP 8 defeat_to_gate", piece=act.piece)
    elif verdict := checks.not_on_board(state, act.piece):
        return verdict
    return checks.occupied(state, act.to) if act.to else None


def wrong_target(state: State, act: SpecialPlayed, face: Face) -> Verdict | None:
    """Object to a target that a specialty may not have."""
    match face.key:
        case "step_out" | "step_out_end":
            return _no_retreat(state, act.seat, face.key, act.to)
        case "connect_any" if act.piece not in connectable(state, act.seat):
            return irregular("connected-already", "ZP 8 connect_any", piece=act.piece)
        case "second_adjacent":
            return _wrong_second(state, act)
        case "defeat_to_gate" if act.to not in gates_of(state, act.seat):
            return irregular("gate-not-own", "ZP 8 defeat_to_gate", space=act.to, seat=act.seat)
        case "skip_turn" if act.foe not in skippable(state, act.seat):
            return irregular("skip-pending", "ZP-AM24", foe=act.foe)
        case "intercept_draw" if state.table.drew and act.foe != state.table.drew.seat:
            return irregular("no-drawer", "ZP 8 intercept_draw", foe=act.foe)
    return None


def _wrong_second(state: State, act: SpecialPlayed) -> Verdict | None:
    if act.piece not in second_pieces(state, act.seat):
        return irregular("moved-already", "ZP 8 second_adjacent", piece=act.piece)
    if verdict := checks.closed(state, act.seat, act.to):
        return verdict
    if met := touching_at(state, act.seat, act.to):
        return irregular("retreat-contact", "ZP-AM23", space=act.to, piece=met[0])
    if act.to not in beside(state, act.piece):
        return irregular("not-beside", "ZP-AM23", space=act.to, piece=act.piece)
    return None
