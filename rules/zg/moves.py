"""Moves: how far a card takes a figure, and what Z-G leaves of it after an attack.

ZG MOV-5  The move comes before the attack. With Z-G all of it may come after instead; Z-G2 splits
          it.
ZG 11 Z-G2  It splits a move around the attack.
ZG MOV-6  What is left has to be taken before the next pulse.
ZG TAC-6  Dash: the second footgear of one colour in a turn has 3 more Move.
"""

from rules.ruleset import Seat
from rules.zg.acts import Attacked, StrikesCalled
from rules.zg.consequences import MoveLeft
from rules.zg.state import Board, Folds, State, Story, Walk, replace, side_of

DASH = 3
FEET = "footgear"


def full_move(state: State, seat: Seat, card: str) -> int | None:
    """Return a card's Move with a dash; None when nobody has read it."""
    move = state.gear[seat - 1][card].move
    return None if move is None else move + DASH * dashes(state, seat, card)


def dashes(state: State, seat: Seat, card: str) -> bool:
    """Tell whether other footgear of its colour was played this turn. Rule: ZG TAC-6."""
    gear, mine = state.gear[seat - 1], state.gear[seat - 1][card]
    if mine.slot.casefold() != FEET or not mine.colour:
        return False
    others = [gear[name] for name in side_of(state, seat).played if name != card]
    return any(each.slot.casefold() == FEET and each.colour == mine.colour for each in others)


def tell_what_is_left(story: Story, before: State, act: Attacked | StrikesCalled) -> None:
    """Say how much of a Z-G card's Move may be taken after its attack. Rule: ZG MOV-5."""
    card = before.gear[act.seat - 1][act.card]
    if before.board.depth != "full" or not card.flies:
        return
    move = full_move(before, act.seat, act.card)
    if move is None:
        return
    left = _left_of(before.board.walk, act.seat, act.card, move, splits=card.has("z-g2"))
    if left > 0 and not side_of(story.state, act.seat).out:
        risen = risen_by(before.board.walk, act.seat, act.card)
        story.add(MoveLeft(seat=act.seat, card=act.card, cards=left, risen=risen))


def risen_by(walk: Walk | None, seat: Seat, card: str) -> int:
    """Return how many free vertical cards a card has taken this pulse.

    Rule: ZG 11 Z-G.
    """
    return walk.risen if walk and (walk.seat, walk.card) == (seat, card) else 0


def _left_of(walk: Walk | None, seat: Seat, card: str, move: int, *, splits: bool) -> int:
    """Return what an attack leaves of a Move: all of it, the rest where a move may be split, none
    after any other."""
    if walk is None or (walk.seat, walk.card) != (seat, card):
        return move
    if walk.attacked:
        return walk.left
    return move - walk.spent if splits or not walk.spent else 0


def fold_left(board: Board, event: MoveLeft) -> Board:
    return replace(board, walk=_rest(event))


def _rest(event: MoveLeft) -> Walk:
    return Walk(event.seat, event.card, attacked=True, left=event.cards, risen=event.risen)


FOLDS: Folds = {MoveLeft: fold_left}
