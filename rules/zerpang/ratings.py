"""Combat ratings.

ZP-C2  One for each own piece in an unbroken chain of touching own pieces that includes the fighter.
ZP-C3  A fighter on its own gate adds 5.
ZP-N2  A piece that leapt has rating 0.
ZP-Z2  Rings on spaces add to the rating of connected Zombies, and chains run through them (AM16).
ZP-Z3  A carrier is worth 0 against a Zombie.
ZP-Z4  A Zombie's piece with rings counts 2 or 3.
"""

from collections.abc import Sequence

from rules.zerpang.maps import Space
from rules.zerpang.rings import points_of
from rules.zerpang.state import (
    State,
    at,
    class_of,
    gates_of,
    number,
    occupants,
    owner,
    rings_on,
    side_of,
)

GATE = 5


def chain_of(state: State, piece: str) -> tuple[list[str], list[Space]]:
    """Return the pieces connected to a piece, itself first, and the ringed spaces that count."""
    seat, near = owner(piece), state.board.near
    there, ground = occupants(state.table), set(state.table.ground)
    zombie = class_of(state, seat) == "zombie"
    through = zombie and state.options.rings_in_chain == "through"
    found, ringed, open_ = [piece], [], [at(state.table, piece)]
    seen = set(open_)
    while open_:
        for space in near[open_.pop(0)]:
            if space in seen:
                continue
            other = there.get(space)
            if other and owner(other) == seat:
                found.append(other)
                open_.append(space)
                seen.add(space)
            elif zombie and space in ground:
                ringed.append(space)
                seen.add(space)
                if through and not other:
                    open_.append(space)
    return found, ringed


def points(state: State, piece: str, foe: str) -> int:
    """Return what a piece counts in a combat against the owner of another."""
    seat = owner(piece)
    if side_of(state, seat).dazed == number(piece):
        return 0
    if class_of(state, seat) == "zombie":
        return points_of(state, piece)
    if rings_on(state.table, piece) and class_of(state, owner(foe)) == "zombie":
        return 0
    return 1


def gate_bonus(state: State, piece: str) -> int:
    return GATE if at(state.table, piece) in gates_of(state, owner(piece)) else 0


def base_rating(
    state: State, piece: str, foe: str, linked: Sequence[str] = (), *, duel: bool = False
) -> int:
    """Return the initial rating of a fighter, with its gate, its chain and the `linked` pieces."""
    if duel:
        return points(state, piece, foe) + gate_bonus(state, piece)
    chain, ringed = chain_of(state, piece)
    counted = [*chain, *(each for each in linked if each not in chain)]
    lying = sum(state.table.ground.count(space) for space in ringed)
    return sum(points(state, each, foe) for each in counted) + lying + gate_bonus(state, piece)
