"""Defeat: how a combat ends, and where the loser's piece goes.

ZP-C5  The loser's fighter goes to its home base. Cards played are discarded.
ZP-L3  A piece the Alien defeats goes into the Alien's base while that holds fewer than 6.
ZP-L4  Losing a combat to the owner sends all its abducted pieces home.
"""

from typing import Literal

from rules.ruleset import Seat
from rules.zerpang.acts import PIECES, Role
from rules.zerpang.consequences import (
    BaseFull,
    CombatEnded,
    PieceAbducted,
    PieceDefeated,
    PieceSentHome,
    PiecesReleased,
)
from rules.zerpang.paying import NOTHING_LAID
from rules.zerpang.rings import infectious, leave_one, lose_one
from rules.zerpang.state import (
    HELD,
    HOME,
    OTHER,
    Folds,
    State,
    Story,
    Table,
    at,
    class_of,
    held_by,
    keep,
    owner,
    put,
    replace,
    side_of,
    with_turn,
)


def end(story: Story, winner: Role, *, abducts: bool = True) -> None:
    """End the combat: the other side's fighter is defeated. An Alien `abducts` it if it may."""
    fight = story.table.fight
    assert fight is not None
    ended(story, winner)
    lost, won = fight.force(OTHER[winner]), fight.force(winner)
    infected = infectious(story.state, lost.piece, won.piece)
    release_after(story, won.seat, lost.seat)
    defeat(story, lost.piece, won.seat, abducts=abducts)
    if infected:
        leave_one(story, _space_of(story, lost.piece))


def ended(story: Story, winner: Role | Literal[""] = "") -> None:
    fight = story.table.fight
    assert fight is not None
    story.add(CombatEnded(rating_a=fight.agg.rating, rating_d=fight.foe.rating, winner=winner))


def _space_of(story: Story, piece: str) -> str:
    """Return the space on which a piece was just defeated."""
    found = [e for e in story.events if isinstance(e, PieceDefeated) and e.piece == piece]
    return found[-1].space


def defeat(story: Story, piece: str, foe: Seat = 0, *, abducts: bool = True) -> None:
    """Take a piece off the board: home, or into the base of the Alien that defeated it."""
    seat = owner(piece)
    space = at(story.table, piece)
    story.add(PieceDefeated(seat=seat, piece=piece, space=space, foe=foe))
    lose_one(story, piece)
    if abducts and foe and class_of(story.state, foe) == "alien":
        if room(story.state, foe):
            story.add(PieceAbducted(seat=seat, piece=piece, foe=foe))
            return
        story.add(BaseFull(seat=foe))
    send_home(story, piece)


def send_home(story: Story, piece: str) -> None:
    """Put a piece into its own base; a full Alien's base first releases a foreign piece.

    The rulebook says that such a base never holds more than six, own ones included (ZP-L3), but not
    what makes room for an own one.
    """
    seat = owner(piece)
    if class_of(story.state, seat) == "alien" and not room(story.state, seat):
        held = held_by(story.table, seat)[-1]
        story.add(PiecesReleased(seat=owner(held), foe=seat, pieces=(held,)))
    story.add(PieceSentHome(seat=seat, piece=piece))


def room(state: State, alien: Seat) -> int:
    """Return how many more pieces fit into an Alien's base. Rule: ZP-L3."""
    own = side_of(state, alien).at.count(HOME)
    return PIECES - own - len(held_by(state.table, alien))


def release_after(story: Story, winner: Seat, loser: Seat) -> None:
    """Return to the winner its pieces held by the Alien it beat. Rule: ZP-L4."""
    held = tuple(p for p in held_by(story.table, loser) if owner(p) == winner)
    if held:
        story.add(PiecesReleased(seat=winner, foe=loser, pieces=held))


# -- folds ----------------------------------------------------------------------------


def fold_ended(table: Table, event: CombatEnded) -> Table:
    """Close the combat. What was laid down and not used is lost. Rule: ZP-C5."""
    sides = tuple(replace(side, **NOTHING_LAID) if side.purse else side for side in table.sides)
    return replace(with_turn(table, early=False), sides=sides, fight=None)


def fold_defeated(table: Table, event: PieceDefeated) -> Table:
    return replace(table, fallen=(*table.fallen, event.piece))


def fold_home(table: Table, event: PieceSentHome) -> Table:
    return gone(put(table, event.piece, HOME), event.piece)


def fold_abducted(table: Table, event: PieceAbducted) -> Table:
    return gone(put(table, event.piece, f"{HELD}{event.foe}"), event.piece)


def gone(table: Table, piece: str) -> Table:
    """Return the table without a piece that left the board among those that came to rest."""
    turn = table.turn
    if turn is None or piece not in turn.arrived:
        return table
    return with_turn(table, arrived=tuple(each for each in turn.arrived if each != piece))


def fold_released(table: Table, event: PiecesReleased) -> Table:
    for piece in event.pieces:
        table = put(table, piece, HOME)
    return table


FOLDS: Folds = {
    CombatEnded: fold_ended,
    PieceDefeated: fold_defeated,
    PieceSentHome: fold_home,
    PieceAbducted: fold_abducted,
    PiecesReleased: fold_released,
    BaseFull: keep,
}
