"""Infection rings.

ZP-Z2  After a combat with a Zombie or a carrier one ring is left on the space of the defeated.
ZP-Z3  Another player's piece that crosses a ring takes it: a carrier, worth 0 against a Zombie.
ZP-Z4  A Zombie that crosses a ring takes it: 1 ring = 2 points, 2 = 3, 3 = 3 and two free
       spaces, not one.
ZP-Z5  A defeated Zombie or carrier loses one ring.
ZP-Z6  Each ring in play lowers the entrance cost by 1.
"""

from collections.abc import Iterable

from rules.ruleset import Seat
from rules.zerpang.consequences import RingLeft, RingLost, RingTaken
from rules.zerpang.state import (
    RINGS,
    Folds,
    State,
    Story,
    Table,
    class_of,
    owner,
    replace,
    ring_supply,
    rings_on,
    with_rings,
)

LIMIT = 3


def take_along(story: Story, piece: str, path: Iterable[str]) -> None:
    """Let a piece take the rings on the spaces it crosses, as many as it may. Rule: AM15."""
    unlimited = story.state.options.rings_held == "unlimited"
    for space in path:
        while space in story.table.ground and (unlimited or rings_on(story.table, piece) < LIMIT):
            story.add(RingTaken(seat=owner(piece), piece=piece, space=space))


def lose_one(story: Story, piece: str) -> None:
    """Let a defeated piece lose a ring. Rule: ZP-Z5."""
    if rings_on(story.table, piece):
        story.add(RingLost(seat=owner(piece), piece=piece))


def leave_one(story: Story, space: str) -> None:
    """Leave a ring where a piece was defeated, if any is left. Rule: ZP-Z2, AM13."""
    if ring_supply(story.table):
        story.add(RingLeft(space=space))


def infectious(state: State, *pieces: str) -> bool:
    """Tell whether a combat between pieces leaves a ring. Rule: ZP-Z2, AM14."""
    zombie = any(class_of(state, owner(piece)) == "zombie" for piece in pieces)
    carried = any(rings_on(state.table, piece) for piece in pieces)
    return zombie or (carried and state.options.rings_from == "any")


def points_of(state: State, piece: str) -> int:
    """Return what a Zombie's piece counts. Rule: ZP-Z4."""
    return (1, 2, 3, 3)[min(rings_on(state.table, piece), LIMIT)]


def free_spaces(state: State, piece: str) -> int:
    """Return how many spaces of a move are free. Rule: ZP-T3, ZP-Z4."""
    zombie = class_of(state, owner(piece)) == "zombie"
    return 2 if zombie and rings_on(state.table, piece) >= LIMIT else 1


def discount(state: State, seat: Seat) -> int:
    """Return how much rings in play lower the cost of an entrance. Rule: ZP-Z6, AM17."""
    if class_of(state, seat) != "zombie" and state.options.outbreak == "zombies":
        return 0
    return RINGS - ring_supply(state.table)


def fold_taken(table: Table, event: RingTaken) -> Table:
    ground = list(table.ground)
    ground.remove(event.space)
    return with_rings(replace(table, ground=tuple(ground)), event.piece, 1)


def fold_left(table: Table, event: RingLeft) -> Table:
    return replace(table, ground=tuple(sorted((*table.ground, event.space))))


def fold_lost(table: Table, event: RingLost) -> Table:
    return with_rings(table, event.piece, -1)


FOLDS: Folds = {RingTaken: fold_taken, RingLeft: fold_left, RingLost: fold_lost}
