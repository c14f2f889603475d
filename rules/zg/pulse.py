"""Pulses: what uses one up, and how a seat's pulses and a turn end.

ZG MOV-1  A pulse moves, then attacks; either may be left out.
ZG GEN-8  Three pulses a seat and turn, one action card each.
ZG GEN-5  A slow seat may be put on the clock; so may one still picking cards.
ZG U13    When it runs out the pulses not yet played are lost.
ZG DMG-1  The card played is shuffled back, as the target card is (U8).
ZG DMG-5  A targetlock is remembered until the attacker has played this turn.
ZG TAC-7  A flameout without a foe defeated by the end of the turn forfeits the match; all that
          burn out in one turn do so together. A retest of its last test decides anew, after the
          follow-up which that may earn.
ZG ATK-6  A retest is claimed before the next action: an act of play closes the last test.
"""

from collections.abc import Sequence

from rules.capabilities import Countdown
from rules.chaptered import put_side
from rules.fields import Choice
from rules.ruleset import Consequence, Offer, Seat, Verdict, irregular
from rules.zg import checks
from rules.zg.acts import CountdownExpired, CountdownStarted, Moved, TurnPassed
from rules.zg.consequences import LockLapsed, PulsesEnded, PulsesLost, SeatDefeated, TurnBegan
from rules.zg.order import taking_over
from rules.zg.state import (
    PULSES,
    Board,
    Check,
    Folds,
    Lock,
    Offers,
    PulseMove,
    Rule,
    Rules,
    State,
    Story,
    moving_card,
    playable,
    replace,
    side_of,
    standing,
    with_nothing_open,
    with_side,
)

ONE_MINUTE = 60  # seconds


def offers(state: State, seat: Seat) -> Offers:
    found = []
    cards = _movable(state, seat)
    if cards:
        found.append(Offer("moved", seat, {"card": Choice(cards)}))
    if cards or not may_not_pass(state, TurnPassed(seat=seat)):
        found.append(Offer("turn-passed", seat, {}))
    if side_of(state, seat).clock:
        found.append(Offer("countdown-expired", seat, {}))
    elif not may_not_start(state, CountdownStarted(seat=seat)):
        found.append(Offer("countdown-started", seat, {}))
    return found


def _movable(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards a pulse may be moved with: any unseen one, or only that under way."""
    if not checks.untimely(state, seat):
        return ("", *playable(state, seat))
    moving = moving_card(state.board, seat)
    return (moving,) if moving and not may_not_move(state, Moved(seat=seat, card=moving)) else ()


def play(
    board: Board,
    seat: Seat,
    card: str,
    *,
    check: Check | None = None,
    walk: PulseMove | None = None,
    follow_up: bool = False,
) -> Board:
    """Count an act of play: a pulse, unless it is a follow-up or belongs to the current pulse.

    It closes whatever was open.
    """
    sides, current = board.sides, board.current
    if not follow_up and not (card and card == moving_card(board, seat)):
        side = sides[seat - 1]
        if not card or card not in side.played:
            played, again = (*side.played, card) if card else side.played, side.again
        else:
            played, again = side.played, (*side.again, card) if side.must_fell else side.again
        side = replace(side, pulses=side.pulses + 1, played=played, again=again)
        sides = put_side(sides, seat, side)
        current = taking_over(board, seat)
    return with_nothing_open(board, sides=sides, current=current, check=check, walk=walk)


# -- moved, passed --------------------------------------------------------------------


def cannot_move(state: State, act: Moved) -> Verdict | None:
    verdict = checks.not_in_play(state, act.seat)
    if verdict or not act.card:
        return verdict
    return checks.no_such_card(state, act.seat, act.card)


def may_not_move(state: State, act: Moved) -> Verdict | None:
    return (
        checks.untimely(state, act.seat, act.card)
        or checks.slagged(state, act.seat, act.card)
        or checks.played(state, act.seat, act.card)
    )


def fold_moved(board: Board, act: Moved) -> Board:
    return play(board, act.seat, act.card)


def may_not_pass(state: State, act: TurnPassed) -> Verdict | None:
    """A follow-up or the rest of a move may be given up as well as a pulse."""
    if verdict := checks.undecided(state) or checks.drawn(state):
        return verdict
    follow_up, walk = state.board.follow_up, state.board.walk
    follows = follow_up is not None and follow_up.seat == act.seat
    if follows and side_of(state, act.seat).done:
        return None
    moves = walk is not None and walk.seat == act.seat
    if state.board.current == act.seat and (follows or moves):
        return None
    return checks.no_pulse(state, act.seat)


def fold_passed(board: Board, act: TurnPassed) -> Board:
    side = board.sides[act.seat - 1]
    sides = put_side(board.sides, act.seat, replace(side, pulses=side.most))
    return with_nothing_open(board, sides=sides, current=taking_over(board, act.seat))


# -- the clock ------------------------------------------------------------------------


def countdown(awaited: Seat | None) -> Countdown:
    return Countdown(CountdownStarted, CountdownExpired, ONE_MINUTE, awaited)


def may_not_start(state: State, act: CountdownStarted) -> Verdict | None:
    side = side_of(state, act.seat)
    if side.clock:
        return irregular("countdown-runs", "ZG GEN-5", seat=act.seat)
    if side.done:
        return irregular("no-pulse-left", "ZG GEN-8", seat=act.seat)
    return None


def fold_started(board: Board, act: CountdownStarted) -> Board:
    return with_side(board, act.seat, clock=True)


def may_not_expire(state: State, act: CountdownExpired) -> Verdict | None:
    if side_of(state, act.seat).clock:
        return None
    return irregular("no-countdown", "ZG GEN-5", seat=act.seat)


def decide_expired(story: Story, before: State, act: CountdownExpired) -> None:
    side = side_of(before, act.seat)
    left = side.most - side.pulses
    if left > 0:
        story.add(PulsesLost(seat=act.seat, pulses=left))


def fold_expired(board: Board, act: CountdownExpired) -> Board:
    """Stop the clock.

    The seat also loses a drawn target, an earned follow-up and a move under way.
    """
    drawn, follow_up, walk = board.drawn, board.follow_up, board.walk
    return replace(
        with_side(board, act.seat, clock=False),
        drawn=None if drawn and drawn.seat == act.seat else drawn,
        follow_up=None if follow_up and follow_up.seat == act.seat else follow_up,
        walk=None if walk and walk.seat == act.seat else walk,
    )


def fold_lost(board: Board, event: PulsesLost) -> Board:
    most = board.sides[event.seat - 1].most
    return with_side(board, event.seat, pulses=most, late=event.pulses == most)


# -- the end of a seat's pulses, and of the turn --------------------------------------


def next_end(state: State) -> Consequence | None:
    """Return what ends now by itself: a lock, a seat's pulses, the turn."""
    board, over, reprieved = state.board, True, False
    for seat, side in enumerate(board.sides, 1):
        reprieved = reprieved or side.reprieved
        if side.out or side.done:
            continue
        over = False
        if side.pulses < PULSES or side.pulses < side.most:
            continue
        follow_up, walk = board.follow_up, board.walk
        if (follow_up and follow_up.seat == seat) or (walk and walk.waits and walk.seat == seat):
            continue
        for lock in side.locks:
            if lock.target not in side_of(state, lock.foe).slagged:
                return LockLapsed(seat=seat, foe=lock.foe, target=lock.target)
        return PulsesEnded(seat=seat)
    if over and board.follow_up:
        return None
    judged = over or board.check or reprieved
    burnt = next_burnt(board, over=over) if judged else None
    return burnt or (TurnBegan(turn=board.turn + 1) if over else None)


def next_burnt(board: Board, *, over: bool) -> SeatDefeated | None:
    """Return the next seat to be defeated by its own flameout, once the turn is `over`.

    Until the next act of play the last test of the turn before may be decided otherwise, and with
    it the flameouts of that turn; a follow-up that earns comes first. Rule: ZG TAC-7, ATK-6, DMG-4.
    """
    undecided = board.check is not None and board.check.turn == board.turn - 1
    if board.follow_up and board.follow_up.late:
        return None
    for seat in standing(board):
        side = board.sides[seat - 1]
        now = over and side.must_fell
        before = (undecided or side.reprieved) and side.had_to_fell
        if (now and not _fell(board, now)) or (before and not _fell(board, before)):
            return SeatDefeated(seat=seat, why="flameout")
    return None


def _fell(board: Board, foes: Sequence[Seat]) -> bool:
    """Tell whether any of a flameout's foes is defeated.

    One that burns out at the same time does not count: both forfeit. Rule: ZG TAC-7.
    """
    return any(board.sides[foe - 1].out not in ("", "flameout") for foe in foes)


def fold_lapsed(board: Board, event: LockLapsed) -> Board:
    gone = Lock(event.foe, event.target)
    side, check = board.sides[event.seat - 1], board.check
    side = replace(side, locks=tuple([lock for lock in side.locks if lock != gone]))
    if check and (check.seat, check.foe, check.target) == (event.seat, event.foe, event.target):
        check = replace(check, locked=False)
    return replace(board, sides=put_side(board.sides, event.seat, side), check=check)


RULES: Rules = {
    Moved: Rule(cannot=cannot_move, may_not=may_not_move, fold=fold_moved),
    TurnPassed: Rule(cannot=checks.actor_not_in_play, may_not=may_not_pass, fold=fold_passed),
    CountdownStarted: Rule(
        cannot=checks.actor_not_in_play, may_not=may_not_start, fold=fold_started
    ),
    CountdownExpired: Rule(
        cannot=checks.actor_not_in_play,
        may_not=may_not_expire,
        decide=decide_expired,
        fold=fold_expired,
    ),
}
FOLDS: Folds = {PulsesLost: fold_lost, LockLapsed: fold_lapsed}
