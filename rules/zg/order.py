"""The order of play: who may play next, and who is tied for it.

ZG GEN-8  In a turn every seat plays three pulses.
ZG IMP-1  Called numbers are compared high to low.
ZG IMP-2  Tied players each draw a card and compare its impulse, again on a further tie.
"""

from rules.ruleset import Seat
from rules.zg.state import PULSES, Board, Side


def yet_to_play(board: Board) -> list[Seat]:
    """Return the seats with pulses left this turn."""
    return [
        seat
        for seat, side in enumerate(board.sides, 1)
        if not side.out and not side.done and (side.pulses < PULSES or side.pulses < side.most)
    ]


def under_way(board: Board) -> bool:
    """Tell whether anything of this turn was played; pulses lost to the clock were not."""
    return any((side.pulses or side.done) and not side.late for side in board.sides)


def leaders(board: Board) -> list[Seat]:
    """Return the seats that may play next: once every impulse is called, the highest or tied."""
    return first_of(board, yet_to_play(board))


def first_of(board: Board, left: list[Seat]) -> list[Seat]:
    """Return those of some seats who called highest, or all of them unless everyone has called.

    Numbers are compared high to low, then those of tie cards, as far as all of them have drawn.
    Rule: ZG IMP-1, IMP-2.
    """
    if len(left) < 2:
        return left
    sides = {seat: board.sides[seat - 1] for seat in left}
    called = [side.called for side in sides.values()]
    if not all(called):
        return left
    highest, drawn = max(called), 0
    tied = [seat for seat in left if sides[seat].called == highest]
    while len(tied) > 1 and all(len(sides[seat].ties) > drawn for seat in tied):
        best = max(sides[seat].ties[drawn] for seat in tied)
        tied = [seat for seat in tied if sides[seat].ties[drawn] == best]
        drawn += 1
    return tied


def tied_with(board: Board, seat: Seat) -> list[Seat]:
    """Return the seats that share a seat's place in the order, whichever it is, until they draw.

    Known once all seats yet to play have called. Rule: ZG IMP-2.
    """
    waiting = [other for other in yet_to_play(board) if other != board.current]
    if seat not in waiting or not all(board.sides[other - 1].called for other in waiting):
        return []
    mine = board.sides[seat - 1]
    return [other for other in waiting if other != seat and _is_tied(mine, board.sides[other - 1])]


def _is_tied(side: Side, other: Side) -> bool:
    """Tell whether two sides called the same, and drew the same as far as both have drawn."""
    pairs = zip(side.ties, other.ties, strict=False)
    return side.called == other.called and all(mine == theirs for mine, theirs in pairs)


def draws_for_tie(board: Board, seat: Seat) -> bool:
    """Tell whether a seat is next to draw a card: no seat tied with it has drawn fewer."""
    tied, drawn = tied_with(board, seat), len(board.sides[seat - 1].ties)
    return bool(tied) and all(len(board.sides[other - 1].ties) >= drawn for other in tied)


def taking_over(board: Board, seat: Seat) -> Seat:
    """Return whose pulses are current once a seat acts; a seat that is done does not take over."""
    return board.current if board.sides[seat - 1].done else seat
