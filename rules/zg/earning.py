"""Earning Mode cards by doing something for the first time.

ZG MOD-5  Interacting with an Arena card in a manner not yet used draws a Mode card.
ZG MOD-6  So does carrying out a tactic, it seems: option `tactics_earn`.
ZG TAC-8  The tactics of chapter 8 are those that may earn one.
ZG ARN-2  Only the first of each seat, Arena card and interaction draws.
"""

from rules.ruleset import Seat
from rules.zg.consequences import ModeEarned, Tactic
from rules.zg.state import Board, Folds, Story, modes_of, side_of, with_side


def earn(story: Story, seat: Seat, tactic: Tactic) -> None:
    """Let a seat draw a Mode card for a tactic that has not earned it one before."""
    state = story.state
    side = side_of(state, seat)
    if state.board.depth != "full" or tactic in side.tactics:
        return
    if tactic != "arena" and not state.options.tactics_earn:
        return
    if len(modes_of(state, seat)) > len(side.panel) + side.earned:
        story.add(ModeEarned(seat=seat, why=tactic))


def fold_earned(board: Board, event: ModeEarned) -> Board:
    side = board.sides[event.seat - 1]
    tactics = side.tactics if event.why == "arena" else (*side.tactics, event.why)
    return with_side(board, event.seat, earned=side.earned + 1, tactics=tactics)


FOLDS: Folds = {ModeEarned: fold_earned}
