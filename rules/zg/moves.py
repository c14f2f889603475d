"""Moves: how far a card takes a figure, and what Z-G leaves of it after an attack.

ZG MOV-5  The move comes before the attack. With Z-G all of it may come after instead; Z-G2 splits
          it.
ZG 11 Z-G2  It splits a move around the attack.
ZG MOV-6  What is left has to be taken before the next pulse. For a card nobody has read that is
          whatever the table says, and nobody waits for it.
ZG TAC-6  Dash: the second footgear of one colour in a turn has 3 more Move.
"""

from rules.ruleset import Seat
from rules.zg.acts import Attacked, CoverCalled, PowerupUsed, StrikesCalled, TerrainAttacked
from rules.zg.cards import Card
from rules.zg.consequences import MoveLeft
from rules.zg.state import Board, Folds, PulseMove, State, Story, replace, side_of

DASH = 3
FEET = "footgear"

Meeting = Attacked | CoverCalled | StrikesCalled
"""An attack by a card on a target card."""

Attack = Meeting | TerrainAttacked | PowerupUsed
"""What a card does in the attack of its pulse, or instead of it."""


def is_follow_up(board: Board, act: Attack) -> bool:
    """Tell whether an attack is one that its card has earned on the same foe."""
    earned = board.follow_up
    if earned is None or not isinstance(act, Meeting):
        return False
    return (earned.seat, earned.card, earned.foe) == (act.seat, act.card, act.foe)


def full_move(state: State, seat: Seat, card: str) -> int | None:
    """Return a card's Move, with a dash if it may be one; None if nobody has read it."""
    move = state.gear[seat - 1][card].move
    return move if move is None or dashes(state, seat, card) is False else move + DASH


def dashes(state: State, seat: Seat, card: str) -> bool | None:
    """Tell whether other footgear of its colour was played this turn, None if unknown.

    Rule: ZG TAC-6.
    """
    gear, side = state.gear[seat - 1], side_of(state, seat)
    if gear[card].slot and gear[card].slot.casefold() != FEET:
        return False
    pairs = {_are_pair(gear[card], gear[name]) for name in side.played if name != card}
    if True in pairs:
        return True
    unseen = side.pulses > len(side.played) + len(side.again)
    return None if unseen or None in pairs else False


def _are_pair(card: Card, other: Card) -> bool | None:
    """Tell whether two cards are footgear of one colour, None if either does not say."""
    alike = True
    for mine, theirs in ((card.slot, other.slot), (card.colour, other.colour)):
        if mine and theirs and mine.casefold() != theirs.casefold():
            return False
        alike = alike and bool(mine and theirs)
    return alike or None


def tell_what_is_left(story: Story, before: State, act: Attack) -> None:
    """Add how much of a Z-G card's Move may be taken after its attack. Rule: ZG MOV-5."""
    card = before.gear[act.seat - 1][act.card]
    if before.board.depth != "full" or card.flies is False:
        return
    left = _left_of(before, act, card)
    if left != 0 and not side_of(story.state, act.seat).out:
        walk = walk_of(before.board, act.seat, act.card)
        story.add(
            MoveLeft(seat=act.seat, card=act.card, cards=left, risen=walk.risen, crept=walk.crept)
        )


def walk_of(board: Board, seat: Seat, card: str) -> PulseMove:
    """Return what a card has moved in this pulse so far. Rule: ZG 11 Z-G, Z-G2."""
    walk = board.walk
    return walk if walk and (walk.seat, walk.card) == (seat, card) else PulseMove(seat, card)


def _left_of(state: State, act: Attack, card: Card) -> int | None:
    """Return how much Move an attack leaves, None if nobody has read the card or its text adds.

    With Z-G that is all of it, or the rest if the move may be split; any other card has none left.
    A follow-up leaves what the attack before it left.
    """
    seat = act.seat
    walk = walk_of(state.board, seat, card.name)
    if walk.attacked:
        return walk.left
    if is_follow_up(state.board, act):
        return 0
    if not card.flies:
        return None
    if (walk.spent or walk.risen) and not card.has("z-g2"):
        return 0
    move = None if "too-far" in card.exceptions else full_move(state, seat, card.name)
    return None if move is None else max(0, move - walk.spent)


def fold_left(board: Board, event: MoveLeft) -> Board:
    rest = PulseMove(
        event.seat,
        event.card,
        attacked=True,
        left=event.cards,
        risen=event.risen,
        crept=event.crept,
    )
    return replace(board, walk=rest)


FOLDS: Folds = {MoveLeft: fold_left}
