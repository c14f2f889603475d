"""The effects of a test on the board: lock, slag, stun, follow-up; and how they are undone.

ZG 6.1    1 strike locks the target, 2 slag it, 3 let the attacker go on, 4 stun as well.
ZG DMG-3  A targetlock does not bank the strike.
ZG DMG-4  A follow-up with 3 strikes goes on again, until the foe is defeated.
ZG 11 Stun  The figure is marked as stunned, until a zMarshal lifts it.
ZG U1     What a stun does is unknown, and for how long: players see to the rest.
"""

from rules.chaptered import put_side
from rules.ruleset import Seat
from rules.zg.consequences import (
    CardRestored,
    CardSlagged,
    CardTested,
    FigureRaised,
    FigureStunned,
    FollowUpEarned,
    KnockbackLifted,
    LockLapsed,
    SeatReturned,
    StunLifted,
    TargetLocked,
)
from rules.zg.damage import CLAUSES, CardTest, result_of
from rules.zg.knockback import knock_by_card
from rules.zg.state import (
    Board,
    Check,
    Folds,
    FollowUp,
    Lock,
    Loss,
    State,
    Story,
    fall_of,
    replace,
    side_of,
    undecided_loss,
    with_side,
)

# -- the consequences of a test -------------------------------------------------------


def deal(story: Story, test: CardTest) -> None:
    """Count a test and do its damage."""
    tested = CardTested(
        dot_matches=test.dot_matches,
        strikes=test.strikes,
        result=test.result,
        clause=test.clause,
        dots=test.dots,
    )
    _deal(story, tested)


def deal_called(story: Story, strikes: int, dot_matches: int | None) -> None:
    """Count a test called by its strikes, and do its damage."""
    result = result_of(strikes, dot_matches)
    tested = CardTested(
        dot_matches=dot_matches, strikes=strikes, result=result, clause=CLAUSES[result]
    )
    _deal(story, tested)


def _deal(story: Story, tested: CardTested) -> None:
    story.add(tested)
    check = story.state.board.check
    if check is None:
        return
    if tested.strikes == 0:
        knock_by_card(story, check, 0, tested.dot_matches)
        return
    if tested.strikes == 1:
        _lock(story, check)
    else:
        slag(story, check.foe, check.target)
    if tested.strikes >= 4:
        story.add(FigureStunned(seat=check.foe))
    knock_by_card(story, check, tested.strikes, tested.dot_matches)
    if tested.strikes >= 3 and _may_go_on(story.state, check):
        story.add(FollowUpEarned(seat=check.seat, card=check.card, foe=check.foe, end=check.end))


def _lock(story: Story, check: Check) -> None:
    """Lock the target. If the attacker's pulses are over, the lock lapses at once."""
    side, foe = side_of(story.state, check.seat), side_of(story.state, check.foe)
    gone = foe.out or check.target in foe.slagged
    if gone or Lock(check.foe, check.target) in side.locks:
        return
    story.add(TargetLocked(seat=check.seat, foe=check.foe, target=check.target))
    if side.done or side.out or check.turn < story.state.board.turn:
        story.add(LockLapsed(seat=check.seat, foe=check.foe, target=check.target))


def slag(story: Story, seat: Seat, card: str) -> None:
    if card not in side_of(story.state, seat).slagged:
        story.add(CardSlagged(seat=seat, card=card))


def _may_go_on(state: State, check: Check) -> bool:
    """Tell whether there is a foe left to attack again, and the card to do so."""
    attacker = side_of(state, check.seat)
    return not attacker.out and check.card not in attacker.slagged and _stays(state, check.foe)


def _stays(state: State, seat: Seat) -> bool:
    """Tell whether a seat can still be attacked, or may yet save its card."""
    if side_of(state, seat).out:
        return False
    return not fall_of(state, seat) or undecided_loss(state) is not None


def undo(story: Story, check: Check) -> None:
    """Undo the effects of a test, as far as they still stand."""
    if check.slagged:
        story.add(CardRestored(seat=check.foe, card=check.target))
    if check.locked:
        story.add(LockLapsed(seat=check.seat, foe=check.foe, target=check.target))
    if check.stunned:
        story.add(StunLifted(seat=check.foe))
    if check.downed:
        story.add(FigureRaised(seat=check.foe))
    if check.thrown:
        story.add(SeatReturned(seat=check.foe))
    blow = story.state.board.blow
    if blow and blow.seat == check.foe:
        story.add(KnockbackLifted(seat=blow.seat))


# -- folds ----------------------------------------------------------------------------


def fold_tested(board: Board, event: CardTested) -> Board:
    check = board.check
    if check is None:
        return board
    check = replace(
        check,
        dot_matches=event.dot_matches,
        strikes=event.strikes,
        result=event.result,
        called=not event.dots,
    )
    return replace(board, check=check)


def fold_locked(board: Board, event: TargetLocked) -> Board:
    side, check = board.sides[event.seat - 1], board.check
    side = replace(side, locks=(*side.locks, Lock(event.foe, event.target)))
    sides = put_side(board.sides, event.seat, side)
    return replace(board, sides=sides, check=check and replace(check, locked=True))


def fold_slagged(board: Board, event: CardSlagged) -> Board:
    """Take a card out. After a ruling this may end a draw of it, its follow-up or its move."""
    gone, side = (event.seat, event.card), board.sides[event.seat - 1]
    drawn, follow_up, walk = board.drawn, board.follow_up, board.walk
    return replace(
        board,
        sides=put_side(board.sides, event.seat, replace(side, slagged=(*side.slagged, event.card))),
        walk=None if walk and (walk.seat, walk.card) == gone else walk,
        drawn=None if drawn and (drawn.foe, drawn.target) == gone else drawn,
        follow_up=None if follow_up and (follow_up.seat, follow_up.card) == gone else follow_up,
        loss=Loss(event.seat, event.card),
        check=_marked(board.check, event.seat, event.card, slagged=True),
    )


def fold_restored(board: Board, event: CardRestored) -> Board:
    slagged = tuple(card for card in board.sides[event.seat - 1].slagged if card != event.card)
    saved = board.loss == Loss(event.seat, event.card)
    return replace(
        with_side(board, event.seat, slagged=slagged),
        loss=None if saved else board.loss,
        check=_marked(board.check, event.seat, event.card, slagged=False),
    )


def _marked(check: Check | None, seat: Seat, card: str, *, slagged: bool) -> Check | None:
    if check is None or (check.foe, check.target) != (seat, card):
        return check
    return replace(check, slagged=slagged)


def fold_stunned(board: Board, event: FigureStunned) -> Board:
    """Mark a figure as stunned. The test remembers that only if it was not stunned before."""
    check, before = board.check, board.sides[event.seat - 1].stunned
    board = with_side(board, event.seat, stunned=True)
    return replace(board, check=check and replace(check, stunned=not before))


def fold_lifted(board: Board, event: StunLifted) -> Board:
    check = board.check
    if check and check.foe == event.seat:
        check = replace(check, stunned=False)
    return replace(with_side(board, event.seat, stunned=False), check=check)


def fold_follow_up(board: Board, event: FollowUpEarned) -> Board:
    """Remember the follow-up. A late one keeps the flameouts of its turn undecided."""
    late = board.check is not None and board.check.turn < board.turn
    follow_up = FollowUp(event.seat, event.card, event.foe, event.end, late)
    if not late:
        return replace(board, follow_up=follow_up)
    sides = tuple(replace(side, reprieved=bool(side.had_to_fell)) for side in board.sides)
    return replace(board, sides=sides, follow_up=follow_up)


FOLDS: Folds = {
    CardTested: fold_tested,
    TargetLocked: fold_locked,
    CardSlagged: fold_slagged,
    CardRestored: fold_restored,
    FigureStunned: fold_stunned,
    StunLifted: fold_lifted,
    FollowUpEarned: fold_follow_up,
}
