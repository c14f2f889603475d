"""How close a seat is to the win of its class.

ZP-W1  Ninjas and Pirates (ZP-W2) stand where their goals are, Gunslingers (ZP-W5) on a line.
ZP-W3  A Zombie looks for combats and takes up the rings they leave.
ZP-W4  A Robot walks to the treasure and uploads.
ZP-W6  An Alien looks for combats it wins, with a base that has room.
ZP-W7  An Elf has the clock read.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from rules.chaptered import kept
from rules.ruleset import Seat
from rules.zerpang import maps
from rules.zerpang.acts import PIECES
from rules.zerpang.drawing import zones_held
from rules.zerpang.state import (
    HOME,
    State,
    class_of,
    held_by,
    on_board,
    owner,
    pieces_on_board,
    side_of,
    uploads,
)
from rules.zerpang.victory import CONDITIONS

WON = 100_000
NEAR = 14
"""The value of a goal minus one for each step it is away."""

THERE = 12  # the additional value of standing on a goal
ZONE = 2  # the value of one more card to draw


def aim(state: State, seat: Seat) -> int:
    """Return how close a seat is to the win of its class, and to cards that help."""
    cls = class_of(state, seat)
    if CONDITIONS[cls](state, seat):
        return WON
    return AIMS[cls](state, seat) + ZONE * zones_held(state, seat)


aim_now = kept(aim)
"""The same for a state that is asked about again and again."""


@lru_cache(maxsize=8)
def _steps(name: str, fingerprint: str) -> dict[str, dict[str, int]]:
    board = maps.board(name)
    return {space: maps.distances(board, space) for space in board.near}


def steps_of(state: State) -> dict[str, dict[str, int]]:
    """Return how many steps each space of the board is from each."""
    board = state.board
    return _steps(board.id, board.fingerprint)


def cover(state: State, seat: Seat, goals: Sequence[str]) -> int:
    """Return how well a seat's pieces cover some spaces, using the nearest piece for each."""
    far = steps_of(state)
    left = [where for where in side_of(state, seat).at if on_board(where)]
    total = 0
    for goal in goals:
        if not left:
            break
        best = min(left, key=far[goal].__getitem__)
        left.remove(best)
        total += NEAR - far[goal][best] or 1
        total += THERE * (best == goal)
    return total


def goals_of(state: State, seat: Seat) -> Sequence[Sequence[str]]:
    """Return the groups of spaces, one of which a seat wants to hold completely."""
    cls = class_of(state, seat)
    if cls == "robot":
        return (state.board.treasure,)
    return state.board.rows_of(cls, duel=len(state.table.sides) == 2)


def _stand(state: State, seat: Seat) -> int:
    return max((cover(state, seat, group) for group in goals_of(state, seat)), default=0)


def _robot(state: State, seat: Seat) -> int:
    goal = steps_of(state)[state.board.treasure[0]]
    walked = sum(NEAR - goal[where] for where in side_of(state, seat).at if on_board(where))
    return 40 * uploads(state.table, seat) + walked + _stand(state, seat)


def _zombie(state: State, seat: Seat) -> int:
    side = side_of(state, seat)
    best = sorted((min(each, 2) for each in side.rings), reverse=True)[:3]
    lying = tuple(dict.fromkeys(state.table.ground))
    return 40 * sum(best) + (_nearest(state, seat, lying) if lying else _hunt(state, seat))


def _alien(state: State, seat: Seat) -> int:
    held = held_by(state.table, seat)
    crowd = max(0, side_of(state, seat).at.count(HOME) - (PIECES - 4))
    rivals = len({owner(piece) for piece in held})
    return 30 * len(held) + 30 * rivals - 10 * crowd + _hunt(state, seat)


def _hunt(state: State, seat: Seat) -> int:
    """Return how near a seat is to the nearest enemy."""
    sides = enumerate(state.table.sides, 1)
    theirs = [where for n, side in sides if n != seat for where in side.at if on_board(where)]
    return _nearest(state, seat, theirs)


def _nearest(state: State, seat: Seat, spaces: Sequence[str]) -> int:
    far = steps_of(state)
    mine = [where for where in side_of(state, seat).at if on_board(where)]
    return NEAR - min((far[space][where] for space in spaces for where in mine), default=NEAR)


def _elf(state: State, seat: Seat) -> int:
    return 0


AIMS: Mapping[str, Callable[[State, Seat], int]] = {
    "ninja": _stand,
    "pirate": _stand,
    "gunslinger": _stand,
    "robot": _robot,
    "zombie": _zombie,
    "alien": _alien,
    "elf": _elf,
}
WANTED = {"ninja": 3, "pirate": 3, "gunslinger": 4, "robot": 3, "zombie": 4, "alien": 4, "elf": 0}
"""How many pieces a class wants on the board."""


def more_wanted(state: State, seat: Seat) -> int:
    """Return how many more pieces a seat wants on the board."""
    cls = class_of(state, seat)
    groups = goals_of(state, seat)
    most = len(groups[0]) if groups and cls != "robot" else WANTED[cls]
    left = PIECES - uploads(state.table, seat)
    return min(most, left) - len(pieces_on_board(state.table, seat))
