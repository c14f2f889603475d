"""Movement: along a path, one piece and by a card a second.

ZP-T3  One own piece on the board: the first space free, each further space 1 point.
ZP-T4  Gates of other active players are closed to one's pieces.
ZP-T5  Great houses and the buried treasure may be entered by anybody.
AM3    One piece a space, and never through another.
"""

from collections.abc import Iterator, Sequence

from rules.fields import Choice, Walk
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks
from rules.zerpang.acts import Phase, PieceMoved
from rules.zerpang.consequences import SecondStepGained, StepsGained
from rules.zerpang.maps import Space
from rules.zerpang.paying import paid_together, payable, short, spend
from rules.zerpang.rings import free_spaces, take_along
from rules.zerpang.state import (
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Table,
    at,
    closed_to,
    occupants,
    owner,
    piece_on,
    pieces_on_board,
    put,
    with_turn,
)

LONGEST = 12
"""The longest possible walk; nobody pays for more."""


# -- where a piece may move -----------------------------------------------------------


def walk_for(state: State, piece: str, most: int) -> Walk | None:
    """Return the walks open to a piece, None if it cannot move. Rule: ZP-T3, ZP-T4, AM3."""
    table, near = state.table, state.board.near
    there, shut = occupants(table), closed_to(state, owner(piece))
    start = at(table, piece)
    passing = state.options.passing
    rows: dict[Space, tuple[Space, ...]] = {}
    ends: set[Space] = set()
    edge: list[Space] = [start]
    for _ in range(min(most, LONGEST)):
        onward: list[Space] = []
        for space in edge:
            rows[space] = tuple(
                other
                for other in near[space]
                if other not in shut and passable(there.get(other), piece, passing)
            )
            for other in rows[space]:
                if other not in rows and other not in onward:
                    onward.append(other)
                if there.get(other, piece) == piece:
                    ends.add(other)
        edge = onward
    if not ends:
        return None
    last = tuple(space for space in near if space in ends)
    return Walk(
        start, tuple((space, *row) for space, row in rows.items() if row), last, min(most, LONGEST)
    )


def passable(other: str | None, piece: str, passing: str) -> bool:
    if other is None or other == piece or passing == "any":
        return True
    return passing == "own" and owner(other) == owner(piece)


def no_way(state: State, piece: str, path: Sequence[Space]) -> Verdict | None:
    """Refuse an empty path, or one that ends on another piece."""
    if not path:
        return impossible("no-path", "ZP-T3", piece=piece)
    if verdict := checks.no_such_space(state, *path):
        return verdict
    return checks.occupied(state, path[-1], piece)


def off_the_way(state: State, piece: str, path: Sequence[Space]) -> Verdict | None:
    """Object to steps between spaces that do not touch, onto closed gates, through pieces."""
    table, passing = state.table, state.options.passing
    here = at(table, piece)
    for space in path:
        if space not in state.board.near[here]:
            return irregular("not-adjacent", "ZP-T3", space=here, to=space)
        if verdict := checks.closed(state, owner(piece), space):
            return verdict
        other = piece_on(table, space)
        if other and not passable(other, piece, passing):
            return irregular("way-blocked", "ZP-AM3", space=space, piece=other)
        here = space
    return None


# -- one piece ------------------------------------------------------------------------


def reach(state: State, seat: Seat, piece: str) -> int:
    """Return how far a piece may move now, 0 if it may not."""
    turn = state.table.turn
    if turn is None or piece in turn.moved:
        return 0
    if turn.second_moved:
        return turn.second if piece == turn.second_moved else 0
    if piece in turn.seconds:
        return 0
    if turn.moved:
        return turn.second
    return free_spaces(state, piece) + turn.steps + payable(state, seat)


def need(state: State, act: PieceMoved) -> int:
    """Return the points a move costs."""
    turn = state.table.turn
    if turn is None or turn.moved:
        return 0
    return max(0, len(act.path) - free_spaces(state, act.piece) - turn.steps)


def offers_of_move(state: State, seat: Seat) -> Iterator[Offer]:
    if may_not_move_now(state, seat):
        return
    for piece in pieces_on_board(state.table, seat):
        most = reach(state, seat, piece)
        if most and (walk := walk_for(state, piece, most)):
            yield Offer("piece-moved", seat, {"piece": Choice((piece,)), "path": walk})


def may_not_move_now(state: State, seat: Seat) -> Verdict | None:
    return checks.untimely(state, seat, "movement") or checks.replaced(state, "movement")


def cannot_move(state: State, act: PieceMoved) -> Verdict | None:
    return (
        checks.not_own_piece(state, act.seat, act.piece)
        or checks.not_on_board(state, act.piece)
        or no_way(state, act.piece, act.path)
    )


def may_not_move(state: State, act: PieceMoved) -> Verdict | None:
    if verdict := may_not_move_now(state, act.seat) or off_the_way(state, act.piece, act.path):
        return verdict
    most = reach(state, act.seat, act.piece)
    turn = state.table.turn
    if turn and (turn.moved and not turn.second):
        return irregular("one-piece-moves", "ZP-T3", seat=act.seat)
    if not most and turn and turn.second_moved and act.piece not in turn.moved:
        return irregular("other-second", "ZP 8 second_step", piece=turn.second_moved)
    if not most:
        return irregular("moved-already", "ZP-T3", piece=act.piece)
    if len(act.path) > LONGEST:
        return irregular("path-too-long", "ZP-T3", n=len(act.path), most=LONGEST)
    if len(act.path) > most and turn and turn.moved:
        return irregular("second-steps", "ZP 8 second_step", n=len(act.path), most=most)
    if len(act.path) > most:
        cost = need(state, act)
        return short(state, act.seat, cost) or paid_together(state, act.seat, cost)
    return None


def decide_move(story: Story, before: State, act: PieceMoved) -> None:
    spend(story, act.seat, need(before, act))
    take_along(story, act.piece, act.path)


def fold_move(table: Table, act: PieceMoved) -> Table:
    turn = table.turn
    table = put(table, act.piece, act.path[-1])
    if turn is None:
        return table
    arrived = (*(each for each in turn.arrived if each != act.piece), act.piece)
    if turn.moved:
        seconds = (*(each for each in turn.seconds if each != act.piece), act.piece)
        return with_turn(
            table,
            seconds=seconds,
            second_moved=act.piece if turn.second else turn.second_moved,
            second=0,
            arrived=arrived,
            acted=True,
        )
    moved = (act.piece,)
    return with_turn(table, moved=moved, arrived=arrived, acted=True, phase=later(table))


def later(table: Table) -> Phase:
    """Return the phase a move belongs to: movement, unless a later one has begun."""
    turn = table.turn
    return "movement" if turn is None or turn.phase == "entrance" else turn.phase


# -- folds ----------------------------------------------------------------------------


def fold_steps(table: Table, event: StepsGained) -> Table:
    turn = table.turn
    return with_turn(table, steps=turn.steps + event.n) if turn else table


def fold_second(table: Table, event: SecondStepGained) -> Table:
    turn = table.turn
    return with_turn(table, second=turn.second + 1) if turn else table


RULES: Rules = {
    PieceMoved: Rule(
        when="own-turn",
        offers=offers_of_move,
        cannot=cannot_move,
        may_not=may_not_move,
        decide=decide_move,
        fold=fold_move,
    ),
}
FOLDS: Folds = {StepsGained: fold_steps, SecondStepGained: fold_second}
