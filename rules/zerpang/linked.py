"""Linked movement: several pieces of a Robot at once.

ZP-R2  Cyberlink: several pieces the same number of spaces in the same direction; each space after
       the first 1 point a piece. Not together with extra-step cards.
AM3    One piece a space, and never through another.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks
from rules.zerpang.acts import LinkedMoved
from rules.zerpang.consequences import PiecePut
from rules.zerpang.maps import Space
from rules.zerpang.movement import LONGEST, later, may_not_move_now, passable
from rules.zerpang.paying import impossible_only, paid_together, payable, short, spend
from rules.zerpang.rings import take_along
from rules.zerpang.state import (
    Rule,
    Rules,
    State,
    Story,
    Table,
    at,
    class_of,
    occupants,
    owner,
    pieces_on_board,
    with_turn,
)


def along(state: State, pieces: Sequence[str], way: int, steps: int) -> list[list[Space]] | None:
    """Return the path of each linked piece, None if one leaves the board."""
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
            if not any(in_the_way(state, pieces, (way,) * steps)):
                yield (way,) * steps


def in_the_way(state: State, pieces: Sequence[str], dirs: Sequence[int]) -> Iterator[Verdict]:
    """Yield all that keeps linked pieces from moving.

    Any occupied space on a path stops all of them, unless pieces may pass others on the way.
    """
    paths = along(state, pieces, dirs[0], len(dirs))
    if paths is None:
        yield impossible("off-the-board", "ZP-R2", way=state.board.ways[dirs[0] - 1])
        return
    there, passing = occupants(state.table), state.options.passing
    for piece, path in zip(pieces, paths, strict=True):
        for space in path:
            other = there.get(space)
            passes = space != path[-1] and passable(other, piece, passing)
            if other and other not in pieces and not passes:
                yield impossible("space-occupied", "ZP-AM3", space=space, piece=other)
            if verdict := checks.closed(state, owner(piece), space):
                yield verdict


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
    verdict = checks.not_own_piece(state, act.seat, *act.pieces) or checks.not_on_board(
        state, *act.pieces
    )
    if verdict:
        return verdict
    if len(act.pieces) < 2 or list(act.pieces) != sorted(set(act.pieces)):
        return impossible("pieces-out-of-order", "ZP-R2", seat=act.seat)
    if not act.dirs or len(set(act.dirs)) > 1:
        return impossible("other-directions", "ZP-R2", seat=act.seat)
    return next(filter(impossible_only, in_the_way(state, act.pieces, act.dirs)), None)


def may_not_link(state: State, act: LinkedMoved) -> Verdict | None:
    verdict = (
        checks.other_class(state, act.seat, "robot", "ZP-R2")
        or may_not_link_now(state, act.seat)
        or next(in_the_way(state, act.pieces, act.dirs), None)
    )
    if verdict:
        return verdict
    size, further = len(act.pieces), len(act.dirs) - 1
    if further <= min(LONGEST - 1, payable(state, act.seat, size)):
        return None
    cost = further * size
    return short(state, act.seat, cost) or paid_together(state, act.seat, cost)


def decide_link(story: Story, before: State, act: LinkedMoved) -> None:
    spend(story, act.seat, (len(act.dirs) - 1) * len(act.pieces))
    ways = along(before, act.pieces, act.dirs[0], len(act.dirs)) or []
    paths: dict[str, list[Space]] = dict(zip(act.pieces, ways, strict=True))
    for piece in foremost_first(before.table, paths):
        story.add(PiecePut(seat=act.seat, piece=piece, to=paths[piece][-1]))
    for piece, path in paths.items():
        take_along(story, piece, path)


def foremost_first(table: Table, paths: Mapping[str, Sequence[Space]]) -> Iterator[str]:
    """Order linked pieces so that none is put on a space where another still stands.

    Rule: ZP-R2, AM3.
    """
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


RULES: Rules = {
    LinkedMoved: Rule(
        when="own-turn",
        offers=offers_of_link,
        cannot=cannot_link,
        may_not=may_not_link,
        decide=decide_link,
        fold=fold_link,
    ),
}
