"""Automatic consequences after every act: victory, combats, skipped and ended turns."""

from rules.zerpang import victory
from rules.zerpang.consequences import PhaseBegan, TurnSkipped
from rules.zerpang.contact import next_combat, touched
from rules.zerpang.defeat import ended
from rules.zerpang.movement import reach, walk_for
from rules.zerpang.state import (
    Folds,
    State,
    Story,
    Table,
    Turn,
    at,
    on_board,
    pieces_on_board,
    playing,
    side_of,
    with_turn,
)
from rules.zerpang.turns import begin_next, end_turn


def follow(story: Story) -> None:
    """Add all automatic consequences, until the table waits for a seat."""
    if story.table.depth == "score":
        left = playing(story.state)
        if story.table.outcome is None and (end := victory.alone(story.state, left)):
            story.add(end)
        return
    while _step(story):
        pass


def _step(story: Story) -> bool:
    """Add the next automatic consequence; tell whether there was one."""
    state = story.state
    turn = state.table.turn
    if state.table.outcome:
        return False
    if end := victory.end(state):
        story.add(end)
        return False
    if turn is None:
        return False
    side = side_of(state, turn.seat)
    if side.skips and _has_not_begun(turn):
        return _pass_on(story, turn)
    if state.table.fight:
        return _part(story)
    if turn.asked:
        return _drop_question(story, turn)
    if side.out:
        return _meet(story, turn) or _pass_on(story, turn)
    if turn.drawn and not turn.owes:
        end_turn(story)
        return True
    return _meet(story, turn)


def _has_not_begun(turn: Turn) -> bool:
    """Tell whether a turn can still be skipped. Rule: AM24."""
    return turn.phase == "entrance" and not turn.acted and not turn.drawn


def _pass_on(story: Story, turn: Turn) -> bool:
    if not side_of(story.state, turn.seat).out:
        story.add(TurnSkipped(seat=turn.seat))
    begin_next(story, turn.seat, turn.no)
    return True


def _part(story: Story) -> bool:
    """End a combat whose fighters are no longer adjacent."""
    table = story.table
    fight = table.fight
    assert fight is not None
    one, other = at(table, fight.agg.piece), at(table, fight.foe.piece)
    if on_board(one) and on_board(other) and story.state.board.touch(one, other):
        return False
    ended(story)
    return True


def _drop_question(story: Story, turn: Turn) -> bool:
    """Stop asking for an order if there is no longer a choice."""
    if len(touched(story.state)) > 1:
        return False
    story.add(PhaseBegan(seat=turn.seat, phase="combat"))
    return True


def _meet(story: Story, turn: Turn) -> bool:
    """Start a combat once movement is over. Rule: ZP-T6."""
    state = story.state
    fights_now = turn.phase == "combat" or (turn.moved and not _second_to_come(state, turn))
    return bool(fights_now) and not turn.drawn and next_combat(story)


def _second_to_come(state: State, turn: Turn) -> bool:
    """Tell whether a second piece may still move by a card."""
    if not turn.second:
        return False
    for piece in pieces_on_board(state.table, turn.seat):
        most = reach(state, turn.seat, piece)
        if most and walk_for(state, piece, most):
            return True
    return False


def fold_began(table: Table, event: PhaseBegan) -> Table:
    return with_turn(table, phase=event.phase, asked=0, asked_by="")


FOLDS: Folds = {PhaseBegan: fold_began}
