"""Impulse: which seat plays its pulses next.

ZG IMP-1  The highest impulse goes first, then the next highest, and so on.
ZG IMP-2  Ties are drawn for on the table.
ZG IMP-4  Impulse is compared every turn.
ZG GEN-8  In a turn every seat plays three pulses.

Where the hands' numbers are not called, any seat yet to play may be next. Nobody has to say
so: a seat that begins its pulses is next. When one seat alone is left, it is; once every seat
has called, the highest is. Who says a tied seat is next tells how the tie was drawn.
"""

from rules.ruleset import Offer, Seat, Verdict, irregular
from rules.zg import checks
from rules.zg.acts import ImpulseWon
from rules.zg.consequences import PulsesEnded, TurnBegan
from rules.zg.order import first_of, taking_over, yet_to_play
from rules.zg.state import (
    Board,
    Folds,
    Offers,
    Rule,
    Rules,
    State,
    fresh,
    replace,
    with_nothing_open,
    with_side,
)


def offers(state: State, seat: Seat) -> Offers:
    objection = may_not(state, ImpulseWon(seat=seat))
    return () if objection else (Offer("impulse-won", seat, {}),)


def may_not(state: State, act: ImpulseWon) -> Verdict | None:
    current = state.board.current
    if current == act.seat:
        return irregular("impulse-is-won", "ZG IMP-1", seat=act.seat)
    verdict = checks.untimely(state, act.seat)
    return None if verdict and verdict.code == "impulse-is-tied" else verdict


def fold(board: Board, act: ImpulseWon) -> Board:
    return with_nothing_open(board, sides=board.sides, current=taking_over(board, act.seat))


def fold_pulses_ended(board: Board, event: PulsesEnded) -> Board:
    return pass_on(with_side(board, event.seat, done=True, clock=False, locks=()))


def fold_turn_began(board: Board, event: TurnBegan) -> Board:
    sides = tuple(fresh(side, last=side.played) for side in board.sides)
    return replace(board, sides=sides, turn=event.turn, current=0)


def pass_on(board: Board) -> Board:
    """Settle whose pulses are next once the current seat has none left, nor a move to finish."""
    moving = board.walk.seat if board.walk and board.walk.waits else 0
    left = yet_to_play(board)
    if board.current and (board.current in left or board.current == moving):
        return board
    first = first_of(board, left)
    return replace(board, current=first[0] if len(first) == 1 else 0)


RULES: Rules = {ImpulseWon: Rule(cannot=checks.actor_not_in_play, may_not=may_not, fold=fold)}
FOLDS: Folds = {PulsesEnded: fold_pulses_ended, TurnBegan: fold_turn_began}
