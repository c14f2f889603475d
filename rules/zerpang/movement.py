"""Movement: along a path, together, or by a class ability in the place of it.

ZP-T3  One own piece on the board: the first space free, each further space 1 point.
ZP-T4  Gates of other active players are closed to one's pieces.
ZP-T5  Great houses and the buried treasure may be entered by anybody.
ZP-T8  An ability replaces the phase: nothing else of it may be or have been done.
ZP-N2  Leap: 2 points; from an own gate to any open space but great houses. Its rating is 0 until
       the Ninja's next turn begins.
ZP-P2  Scoundrel: 2 points; another's piece, first space free, each further one 2. Not the same
       piece two turns running, not one on its owner's goal.
ZP-L2  Balloons: 2 points; an own piece to any free space where it enters combat.
ZP-R2  Cyberlink: several pieces the same number of spaces in the same direction; each space after
       the first 1 point a piece. Not together with extra-step cards.
AM3    One piece a space, and never through another.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from rules.chaptered import kept
from rules.fields import Choice, Walk
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks
from rules.zerpang.acts import (
    ForeignPieceMoved,
    LinkedMoved,
    Phase,
    PieceBallooned,
    PieceLeapt,
    PieceMoved,
)
from rules.zerpang.consequences import PiecePut, SecondStepGained, StepsGained
from rules.zerpang.maps import Space
from rules.zerpang.paying import impossible_only, payable, short, spend, underpaid, worth
from rules.zerpang.rings import free_spaces, take_along
from rules.zerpang.state import (
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Table,
    at,
    class_of,
    closed_to,
    gates_of,
    occupants,
    owner,
    piece_on,
    pieces_on_board,
    playing,
    put,
    side_of,
    touching_at,
    with_side,
    with_turn,
)

ABILITY = 2
FURTHER = 2
LONGEST = 12
"""No walk is longer: nobody pays for more."""


# -- where a piece may go -------------------------------------------------------------


def ways(state: State, piece: str, most: int) -> Walk | None:
    """Return the walks open to a piece, None when it can not move. Rule: ZP-T3, ZP-T4, AM3."""
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
                if other not in shut and _passable(there.get(other), piece, passing)
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


def _passable(other: str | None, piece: str, passing: str) -> bool:
    if other is None or other == piece or passing == "any":
        return True
    return passing == "own" and owner(other) == owner(piece)


def no_way(state: State, piece: str, path: Sequence[Space]) -> Verdict | None:
    """Refuse a path that is none, or that ends on another piece."""
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
        if other and not _passable(other, piece, passing):
            return irregular("way-blocked", "ZP-T3", space=space, piece=other)
        here = space
    return None


# -- one piece ------------------------------------------------------------------------


def reach(state: State, seat: Seat, piece: str) -> int:
    """Return how far a piece may move now, 0 when it may not."""
    turn = state.table.turn
    if turn is None or piece in turn.moved:
        return 0
    if turn.second_moved:
        return turn.second if piece == turn.second_moved else 0
    if piece in turn.seconds:
        return 0
    if turn.moved:
        return turn.second
    return 1 + free_spaces(state, piece) + turn.steps + payable(state, seat)


def need(state: State, act: PieceMoved) -> int:
    """Return the points a move costs."""
    turn = state.table.turn
    if turn is None or turn.moved:
        return 0
    free = 1 + free_spaces(state, act.piece) + turn.steps
    return max(0, len(act.path) - free)


def offers_of_move(state: State, seat: Seat) -> Iterator[Offer]:
    if may_not_move_now(state, seat):
        return
    for piece in pieces_on_board(state.table, seat):
        most = reach(state, seat, piece)
        if most and (walk := ways(state, piece, most)):
            yield Offer("piece-moved", seat, {"piece": Choice((piece,)), "path": walk})


def may_not_move_now(state: State, seat: Seat) -> Verdict | None:
    return checks.untimely(state, seat, "movement") or checks.replaced(state, "movement")


def cannot_move(state: State, act: PieceMoved) -> Verdict | None:
    return (
        checks.no_turn(state, act.seat)
        or checks.not_own_piece(state, act.seat, act.piece)
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
        return irregular("other-second", "ZP 8", piece=turn.second_moved)
    if not most:
        return irregular("moved-already", "ZP-T3", piece=act.piece)
    if len(act.path) > LONGEST:
        return irregular("path-too-long", "ZP-T3", n=len(act.path), most=LONGEST)
    if len(act.path) > most and turn and turn.moved:
        return irregular("second-steps", "ZP 8", n=len(act.path), most=most)
    if len(act.path) > most:
        cost = need(state, act)
        return short(state, act.seat, cost) or underpaid(state, act.seat, cost, "ZP-T3")
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


# -- several at once ------------------------------------------------------------------


def along(state: State, pieces: Sequence[str], way: int, steps: int) -> list[list[Space]] | None:
    """Return the path of each linked piece, None when one leaves the board."""
    paths = []
    for piece in pieces:
        here, path = at(state.table, piece), []
        for _ in range(steps):
            ahead = state.board.ahead[here]
            here = ahead[way - 1] if way <= len(ahead) else ""
            if not here:
                return None
            path.append(here)
        paths.append(path)
    return paths


def offers_of_link(state: State, seat: Seat) -> Iterator[Offer]:
    if class_of(state, seat) != "robot" or may_not_link_now(state, seat):
        return
    present = pieces_on_board(state.table, seat)
    for size in range(2, len(present) + 1):
        most = min(LONGEST, 1 + payable(state, seat, size))
        for pieces in combinations(present, size):
            dirs = tuple(_free_ways(state, pieces, most))
            if dirs:
                yield Offer(
                    "linked-moved", seat, {"pieces": Choice((pieces,)), "dirs": Choice(dirs)}
                )


def _free_ways(state: State, pieces: Sequence[str], most: int) -> Iterator[tuple[int, ...]]:
    for way in range(1, 7):
        for steps in range(1, most + 1):
            if not in_the_way(state, pieces, (way,) * steps):
                yield (way,) * steps


def in_the_way(state: State, pieces: Sequence[str], dirs: Sequence[int]) -> Verdict | None:
    """Say what keeps linked pieces from moving. Any cell taken on a path stops all of them, but
    where pieces pass others those on the way."""
    paths = along(state, pieces, dirs[0], len(dirs))
    if paths is None:
        return impossible("off-the-board", "ZP-R2", way=state.board.ways[dirs[0] - 1])
    there, passing = occupants(state.table), state.options.passing
    for piece, path in zip(pieces, paths, strict=True):
        for space in path:
            other = there.get(space)
            passes = space != path[-1] and _passable(other, piece, passing)
            if other and other not in pieces and not passes:
                return impossible("space-occupied", "ZP-R2", space=space, piece=other)
            if verdict := checks.closed(state, owner(piece), space):
                return verdict
    return None


def may_not_link_now(state: State, seat: Seat) -> Verdict | None:
    turn = state.table.turn
    if verdict := may_not_move_now(state, seat):
        return verdict
    if turn and turn.moved:
        return irregular("one-piece-moves", "ZP-T3", seat=seat)
    if turn and turn.steps:
        return irregular("linked-with-cards", "ZP-R2", seat=seat)
    return None


def cannot_link(state: State, act: LinkedMoved) -> Verdict | None:
    verdict = (
        checks.no_turn(state, act.seat)
        or checks.not_own_piece(state, act.seat, *act.pieces)
        or checks.not_on_board(state, *act.pieces)
    )
    if verdict:
        return verdict
    if len(act.pieces) < 2 or list(act.pieces) != sorted(set(act.pieces)):
        return impossible("pieces-out-of-order", "ZP-R2", seat=act.seat)
    if not act.dirs or len(set(act.dirs)) > 1:
        return impossible("other-directions", "ZP-R2", seat=act.seat)
    return impossible_only(in_the_way(state, act.pieces, act.dirs))


def may_not_link(state: State, act: LinkedMoved) -> Verdict | None:
    if class_of(state, act.seat) != "robot":
        return irregular("other-class", "ZP-R2", seat=act.seat, cls="robot")
    if verdict := may_not_link_now(state, act.seat) or in_the_way(state, act.pieces, act.dirs):
        return verdict
    size, further = len(act.pieces), len(act.dirs) - 1
    if further <= min(LONGEST - 1, payable(state, act.seat, size)):
        return None
    cost = further * size
    return short(state, act.seat, cost) or underpaid(state, act.seat, cost, "ZP-R2")


def decide_link(story: Story, before: State, act: LinkedMoved) -> None:
    spend(story, act.seat, (len(act.dirs) - 1) * len(act.pieces))
    ways = along(before, act.pieces, act.dirs[0], len(act.dirs)) or []
    paths: dict[str, list[Space]] = dict(zip(act.pieces, ways, strict=True))
    for piece in foremost_first(before.table, paths):
        story.add(PiecePut(seat=act.seat, piece=piece, to=paths[piece][-1]))
    for piece, path in paths.items():
        take_along(story, piece, path)


def foremost_first(table: Table, paths: Mapping[str, Sequence[Space]]) -> Iterator[str]:
    """Yield linked pieces so that none is put where one still stands. Rule: ZP-R2, AM3."""
    left = list(paths)
    while left:
        stood_on = {at(table, piece) for piece in left}
        first = next((piece for piece in left if paths[piece][-1] not in stood_on), left[0])
        left.remove(first)
        yield first


def fold_link(table: Table, act: LinkedMoved) -> Table:
    turn = table.turn
    if turn is None:
        return table
    arrived = (*(each for each in turn.arrived if each not in act.pieces), *act.pieces)
    return with_turn(table, moved=act.pieces, arrived=arrived, acted=True, phase=later(table))


# -- abilities in the place of movement ------------------------------------------------


def may_not_replace(state: State, seat: Seat) -> Verdict | None:
    """Object when an ability can not take the place of movement now. Rule: ZP-T8."""
    turn = state.table.turn
    if verdict := may_not_move_now(state, seat):
        return verdict
    if turn and (turn.moved or "movement" in turn.special):
        return irregular("phase-replaced", "ZP-T8", phase="movement")
    return None


def wrong_class(state: State, seat: Seat, cls: str, clause: str) -> Verdict | None:
    if class_of(state, seat) == cls:
        return None
    return irregular("other-class", clause, seat=seat, cls=cls)


def cannot_jump(state: State, act: PieceLeapt | PieceBallooned) -> Verdict | None:
    return (
        checks.no_turn(state, act.seat)
        or checks.not_own_piece(state, act.seat, act.piece)
        or checks.not_on_board(state, act.piece)
        or checks.no_such_space(state, act.to)
        or checks.occupied(state, act.to, act.piece)
    )


def fold_jump(table: Table, act: PieceLeapt | PieceBallooned) -> Table:
    table = put(table, act.piece, act.to)
    if isinstance(act, PieceLeapt):
        table = with_side(table, act.seat, dazed=int(act.piece[2]))
    return replaced_by(table, act.piece)


def replaced_by(table: Table, piece: str) -> Table:
    """Return the table once an ability moved a piece in the place of movement."""
    turn = table.turn
    if turn is None:
        return table
    arrived = (*(each for each in turn.arrived if each != piece), piece)
    moved = (*turn.moved, piece)
    return with_turn(
        table, replaced="movement", moved=moved, arrived=arrived, acted=True, phase=later(table)
    )


def decide_jump(story: Story, before: State, act: PieceLeapt | PieceBallooned) -> None:
    spend(story, act.seat, ABILITY)
    take_along(story, act.piece, (act.to,))


@kept
def open_spaces(state: State, seat: Seat) -> tuple[Space, ...]:
    """Return the spaces a seat's piece may be put on. Rule: AM8."""
    there, shut = occupants(state.table), closed_to(state, seat)
    open_ = [space for space in state.board.near if space not in there and space not in shut]
    return tuple(open_)


def offers_of_leap(state: State, seat: Seat) -> Iterator[Offer]:
    if class_of(state, seat) != "ninja" or may_not_replace(state, seat):
        return
    gates = gates_of(state, seat)
    pieces = tuple(p for p in pieces_on_board(state.table, seat) if at(state.table, p) in gates)
    if not pieces or short(state, seat, ABILITY):
        return
    houses = state.board.great_houses
    spaces = tuple(space for space in open_spaces(state, seat) if space not in houses)
    yield Offer("piece-leapt", seat, {"piece": Choice(pieces), "to": Choice(spaces)})


def may_not_leap(state: State, act: PieceLeapt) -> Verdict | None:
    verdict = (
        wrong_class(state, act.seat, "ninja", "ZP-N2")
        or may_not_replace(state, act.seat)
        or checks.closed(state, act.seat, act.to)
    )
    if verdict:
        return verdict
    here = at(state.table, act.piece)
    if here not in gates_of(state, act.seat):
        return irregular("gate-not-own", "ZP-N2", space=here, seat=act.seat)
    if here == act.to:
        return irregular("stays", "ZP-N2", piece=act.piece)
    if act.to in state.board.great_houses:
        return irregular("great-house-forbidden", "ZP-N2", space=act.to)
    return short(state, act.seat, ABILITY)


def offers_of_balloon(state: State, seat: Seat) -> Iterator[Offer]:
    if class_of(state, seat) != "alien" or may_not_replace(state, seat):
        return
    pieces = pieces_on_board(state.table, seat)
    if not pieces or short(state, seat, ABILITY):
        return
    spaces = tuple(space for space in open_spaces(state, seat) if touching_at(state, seat, space))
    if spaces:
        yield Offer("piece-ballooned", seat, {"piece": Choice(pieces), "to": Choice(spaces)})


def may_not_balloon(state: State, act: PieceBallooned) -> Verdict | None:
    verdict = (
        wrong_class(state, act.seat, "alien", "ZP-L2")
        or may_not_replace(state, act.seat)
        or checks.closed(state, act.seat, act.to)
    )
    if verdict:
        return verdict
    if at(state.table, act.piece) == act.to:
        return irregular("stays", "ZP-L2", piece=act.piece)
    if not touching_at(state, act.seat, act.to):
        return irregular("no-contact", "ZP-L2", space=act.to)
    return short(state, act.seat, ABILITY)


# -- another's piece ------------------------------------------------------------------

GOALS = {"ninja": ("great_houses",), "pirate": ("xs",), "gunslinger": ("great_houses", "xs")}


def on_goal(state: State, piece: str) -> bool:
    """Tell whether a piece stands where its owner wants it. Rule: ZP-P2."""
    goals = GOALS.get(class_of(state, owner(piece)), ())
    return any(at(state.table, piece) in getattr(state.board, goal) for goal in goals)


def offers_of_trick(state: State, seat: Seat) -> Iterator[Offer]:
    if class_of(state, seat) != "pirate" or may_not_replace(state, seat):
        return
    if short(state, seat, ABILITY):
        return
    most = 1 + (worth(state, seat) - ABILITY) // FURTHER
    side = side_of(state, seat)
    others = [other for other in playing(state) if other != seat]
    for piece in (each for other in others for each in pieces_on_board(state.table, other)):
        if piece == side.tricked_last or on_goal(state, piece):
            continue
        if walk := ways(state, piece, max(1, most)):
            yield Offer("foreign-piece-moved", seat, {"piece": Choice((piece,)), "path": walk})


def cannot_trick(state: State, act: ForeignPieceMoved) -> Verdict | None:
    if verdict := checks.no_turn(state, act.seat) or checks.not_on_board(state, act.piece):
        return verdict
    if owner(act.piece) == act.seat:
        return impossible("own-piece", "ZP-P2", piece=act.piece)
    return no_way(state, act.piece, act.path)


def may_not_trick(state: State, act: ForeignPieceMoved) -> Verdict | None:
    verdict = wrong_class(state, act.seat, "pirate", "ZP-P2") or may_not_replace(state, act.seat)
    if verdict:
        return verdict
    if act.piece == side_of(state, act.seat).tricked_last:
        return irregular("same-piece-again", "ZP-P2", piece=act.piece)
    if on_goal(state, act.piece):
        return irregular("on-goal", "ZP-P2", piece=act.piece)
    if verdict := off_the_way(state, act.piece, act.path):
        return verdict
    if len(act.path) > LONGEST:
        return irregular("path-too-long", "ZP-T3", n=len(act.path), most=LONGEST)
    return short(state, act.seat, ABILITY + FURTHER * (len(act.path) - 1))


def decide_trick(story: Story, before: State, act: ForeignPieceMoved) -> None:
    spend(story, act.seat, ABILITY + FURTHER * (len(act.path) - 1))
    take_along(story, act.piece, act.path)


def fold_trick(table: Table, act: ForeignPieceMoved) -> Table:
    table = with_side(put(table, act.piece, act.path[-1]), act.seat, tricked=act.piece)
    return replaced_by(table, act.piece)


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
    LinkedMoved: Rule(
        when="own-turn",
        offers=offers_of_link,
        cannot=cannot_link,
        may_not=may_not_link,
        decide=decide_link,
        fold=fold_link,
    ),
    PieceLeapt: Rule(
        when="own-turn",
        offers=offers_of_leap,
        cannot=cannot_jump,
        may_not=may_not_leap,
        decide=decide_jump,
        fold=fold_jump,
    ),
    PieceBallooned: Rule(
        when="own-turn",
        offers=offers_of_balloon,
        cannot=cannot_jump,
        may_not=may_not_balloon,
        decide=decide_jump,
        fold=fold_jump,
    ),
    ForeignPieceMoved: Rule(
        when="own-turn",
        offers=offers_of_trick,
        cannot=cannot_trick,
        may_not=may_not_trick,
        decide=decide_trick,
        fold=fold_trick,
    ),
}
FOLDS: Folds = {StepsGained: fold_steps, SecondStepGained: fold_second}
