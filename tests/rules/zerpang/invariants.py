"""The invariants after every event of a match, each a sentence of section 9 of the rules."""

from typing import Any

from rules.zerpang.acts import PIECES
from rules.zerpang.drawing import hand_limit
from rules.zerpang.state import HOME, RINGS, State, gate_owner, held_by, occupants, on_board


def broken(state: State) -> list[str]:
    """Return the invariants that a state breaks."""
    return [why for why, holds in _checks(state) if not holds]


def _checks(state: State) -> Any:
    table = state.table
    standing = [where for side in table.sides for where in side.at if on_board(where)]
    yield "one piece per space", len(standing) == len(set(standing))
    yield (
        "a piece on a gate is its owner's or nobody's active",
        all(_may_stand(state, space, piece) for space, piece in occupants(table).items()),
    )
    yield "6 pieces per seat", all(len(side.at) == PIECES for side in table.sides)
    for seat, side in enumerate(table.sides, 1):
        in_base = side.at.count(HOME) + len(held_by(table, seat))
        yield "an Alien's base holds at most 6", in_base <= PIECES
        yield "no negative hand", side.hand >= 0
        yield "known cards are in the hand", len(side.known) <= side.hand
    ringed = sum(sum(side.rings) for side in table.sides)
    yield "12 rings", 0 <= len(table.ground) + ringed <= RINGS
    hands = sum(side.hand for side in table.sides)
    size = state.deck.size
    yield "every card is somewhere", table.deck + table.discard + hands == size
    yield "no negative deck", table.deck >= 0
    yield "discards are counted", sum(table.spent.values()) <= table.discard
    drew = table.drew
    if drew and table.sides[drew.seat - 1].cls == "gunslinger" and table.turn:
        due = table.turn.owes if table.turn.seat == drew.seat else 0
        fits = table.sides[drew.seat - 1].hand - due <= hand_limit(state, drew.seat)
        yield "a Gunslinger's hand is within its limit after its draw", fits


def _may_stand(state: State, space: str, piece: str) -> bool:
    owner = gate_owner(state, space)
    if not owner or owner == int(piece[0]):
        return True
    return state.table.sides[owner - 1].cls == "elf" and state.options.elf_gates == "open"
