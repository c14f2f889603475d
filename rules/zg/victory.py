"""Victory: who is defeated, and who has won.

ZG DMG-6  A seat is defeated when its Ulster is slagged or fewer than 3 zGear cards are left. Who
          is left alone has won.
ZG LEA-7  A krewe wins together, when only it is left (U14).
ZG LEA-11 Seats also fall by conceding or by a ruling.
ZG TAC-7  Those who burn out in one turn fall together; when nobody else is left, all have lost.

Defeat follows from the slag heap: a card given back brings its seat back.
"""

from collections.abc import Sequence

from rules.ruleset import LOST_BY_ALL, Consequence, Offer, Outcome, Seat
from rules.zg import checks
from rules.zg.acts import DEPTHS, Conceded
from rules.zg.consequences import Fall, MatchLost, MatchWon, SeatDefeated, SeatReturned, Why
from rules.zg.impulse import pass_on
from rules.zg.order import yet_to_play
from rules.zg.pulse import next_burnt, next_end
from rules.zg.state import (
    Board,
    Check,
    Folds,
    Offers,
    Rule,
    Rules,
    State,
    Story,
    fall_of,
    foes,
    mates,
    replace,
    seats_of,
    side_of,
    standing,
    undecided_loss,
    with_side,
)

WHY: dict[Fall, Why] = {
    "ulster": "by-ulster",
    "gear": "by-gear",
    "edge": "by-edge",
    "flameout": "by-flameout",
    "conceded": "by-concession",
    "ruling": "by-ruling",
}

CLAUSES: dict[str, str] = {
    "by-ulster": "ZG DMG-6",
    "by-gear": "ZG DMG-6",
    "by-edge": "ZG SET-5",
    "by-flameout": "ZG TAC-7",
    LOST_BY_ALL: "ZG TAC-7",
}

SAID: tuple[Why, ...] = ("by-award", "by-call")
"""Victories by somebody's word, not by who is left."""


# -- automatic consequences -----------------------------------------------------------


def follow(story: Story, before: State) -> None:
    """Add all automatic consequences: defeats, victory, ended pulses, the next turn.

    While a seat may still save the card that would defeat it, the table waits. Until then a slagged
    card stays open as a loss; without an open loss no seat falls.
    """
    waited = before.board.loss is not None
    while event := _next_event(story.state, waited=waited):
        story.add(event)


def _next_event(state: State, *, waited: bool) -> Consequence | None:
    board = state.board
    if board.fallen and (end := _next_victory(state)):
        return end
    if board.loss and undecided_loss(state):
        return None
    if board.fallen and (back := _next_return(state)):
        return back
    if (waited or board.loss) and (defeat := _next_defeat(state)):
        return defeat
    return None if board.outcome else next_end(state)


def return_seats(story: Story, check: Check) -> None:
    """Bring back the seats whose defeat no longer stands while a test is decided anew.

    So do those who burnt out in its turn: their flameouts are judged again after it.
    """
    while event := _next_return(story.state):
        story.add(event)
    for seat in story.state.board.fallen:
        if side_of(story.state, seat).burnt == check.turn:
            story.add(SeatReturned(seat=seat))


def _next_return(state: State) -> SeatReturned | None:
    for seat in state.board.fallen:
        if side_of(state, seat).out in ("ulster", "gear") and not fall_of(state, seat):
            return SeatReturned(seat=seat)
    return None


def _next_defeat(state: State) -> SeatDefeated | None:
    for seat, side in enumerate(state.board.sides, 1):
        if side.slagged and not side.out and (fall := fall_of(state, seat)):
            return SeatDefeated(seat=seat, why=fall)
    return None


def _next_victory(state: State) -> MatchWon | MatchLost | None:
    board = state.board
    if board.outcome:
        return None
    left = standing(board)
    if left and foes(board, left[0]):
        return None
    last = board.sides[board.fallen[-1] - 1].out or "ruling"
    over = all(side.out or side.done for side in board.sides)
    if last == "flameout" and next_burnt(board, over=over):
        return None
    return match_won(state, left[0], WHY[last]) if left else MatchLost(places=_places(board))


def match_won(state: State, winner: Seat, why: Why) -> MatchWon:
    """Return a victory: the winner's side first, then who stands, then the fallen, last first.

    A krewe stands as long as one of its seats does, and falls with its last.
    """
    side = tuple(seat for seat in seats_of(state) if mates(state.board, winner, seat))
    places = _places(state.board, side)
    return MatchWon(winner=winner, places=places, why=why, winners=side if len(side) > 1 else ())


def _places(board: Board, winners: Sequence[Seat] = ()) -> tuple[int, ...]:
    behind = [
        0 if seat in winners else _behind(board, seat) for seat in range(1, len(board.sides) + 1)
    ]
    return tuple(1 + sum(other < mine for other in behind) for mine in behind)


def _behind(board: Board, seat: Seat) -> int:
    """Return how far behind the winner a seat's side is.

    1 while it stands, more the sooner its last seat fell.
    """
    side = [other for other in range(1, len(board.sides) + 1) if mates(board, seat, other)]
    if any(not board.sides[other - 1].out for other in side):
        return 1
    return 1 + len(board.fallen) - max(_fell_as(board, other) for other in side)


def _fell_as(board: Board, seat: Seat) -> int:
    """Return how many fell before a seat; those who burnt out in one turn fell together."""
    turn = board.sides[seat - 1].burnt
    together = [other for other in board.fallen if turn and board.sides[other - 1].burnt == turn]
    return board.fallen.index(together[0] if together else seat)


# -- conceding ------------------------------------------------------------------------


def offers(state: State, seat: Seat) -> Offers:
    return (Offer("conceded", seat, {}),)


def decide_concession(story: Story, before: State, act: Conceded) -> None:
    story.add(SeatDefeated(seat=act.seat, why="conceded"))


# -- folds ----------------------------------------------------------------------------


def fold_defeated(board: Board, event: SeatDefeated) -> Board:
    """Take a seat out, and close whatever was open between it and others."""
    seat, follow_up, drawn = event.seat, board.follow_up, board.drawn
    walk, blow = board.walk, board.blow
    burnt = 0
    if event.why == "flameout":
        burnt = board.turn if board.sides[seat - 1].must_fell else board.turn - 1
    thrown = event.why == "edge" and blow is not None and blow.seat == seat
    return pass_on(
        replace(
            with_side(board, seat, out=event.why, burnt=burnt, clock=False, locks=()),
            fallen=(*board.fallen, seat),
            follow_up=None if follow_up and seat in (follow_up.seat, follow_up.foe) else follow_up,
            drawn=None if drawn and seat in (drawn.seat, drawn.foe) else drawn,
            walk=None if walk and walk.seat == seat else walk,
            blow=None if blow and blow.seat == seat else blow,
            check=_marked(board.check, seat, thrown=thrown),
        )
    )


def _marked(check: Check | None, seat: Seat, *, thrown: bool) -> Check | None:
    """Mark on the last test whether it knocked its target off the table."""
    return check if check is None or check.foe != seat else replace(check, thrown=thrown)


def fold_returned(board: Board, event: SeatReturned) -> Board:
    return _with_order(
        replace(
            with_side(board, event.seat, out="", burnt=0),
            check=_marked(board.check, event.seat, thrown=False),
            fallen=tuple(seat for seat in board.fallen if seat != event.seat),
            outcome=board.outcome if board.outcome and board.outcome.why in SAID else None,
        )
    )


def _with_order(board: Board) -> Board:
    """Settle anew whose pulses are next, now that a seat is back.

    A seat that came to be next because the other was out, and has not begun, is so no longer; who
    has begun goes on. Rule: ZG IMP-1.
    """
    current = board.current
    if current and (board.sides[current - 1].pulses or board.drawn):
        return board
    begun = [seat for seat in yet_to_play(board) if board.sides[seat - 1].pulses]
    return pass_on(replace(board, current=begun[0] if begun else 0))


def fold_won(board: Board, event: MatchWon) -> Board:
    clause = CLAUSES.get(event.why, "ZG LEA-11")
    return replace(
        board, outcome=Outcome(event.places, event.winners or (event.winner,), event.why, clause)
    )


def fold_lost(board: Board, event: MatchLost) -> Board:
    return replace(board, outcome=Outcome(event.places, (), LOST_BY_ALL, CLAUSES[LOST_BY_ALL]))


RULES: Rules = {
    Conceded: Rule(cannot=checks.actor_not_in_play, decide=decide_concession, depths=DEPTHS)
}
FOLDS: Folds = {
    SeatDefeated: fold_defeated,
    SeatReturned: fold_returned,
    MatchWon: fold_won,
    MatchLost: fold_lost,
}
