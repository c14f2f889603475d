"""What bots play with, and how well a seat stands."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from rules.ruleset import Pick, Plain, Seat
from rules.zerpang import maps
from rules.zerpang.acts import Options, ZerpangOpened, ZerpangSeat
from rules.zerpang.entrance import cost
from rules.zerpang.paying import worth
from rules.zerpang.setup import SEATS
from rules.zerpang.state import (
    HOME,
    State,
    at,
    class_of,
    clockwise,
    held_by,
    is_active,
    on_board,
    owner,
    pieces_on_board,
    side_of,
    uploads,
)

BOT_WEIGHTS: Mapping[str, int] = {
    "class-taken": 300,
    "base-taken": 300,
    "first-seat-picked": 2000,
    "piece-entered": 500,
    "piece-moved": 700,
    "linked-moved": 300,
    "piece-leapt": 200,
    "piece-ballooned": 200,
    "foreign-piece-moved": 150,
    "points-paid": 160,
    "special-played": 120,
    "special-negated": 60,
    "phase-entered": 15,
    "phase-replaced": 20,
    "combat-order-chosen": 1000,
    "combat-played": 150,
    "combat-passed": 250,
    "combat-conceded": 10,
    "assist-played": 12,
    "assist-refused": 10,
    "piece-uploaded": 3000,
    "piece-released": 20,
    "cards-drawn": 300,
    "card-discarded": 1000,
    "card-seen": 9,
    "clock-read": 12,
    "won-called": 60,
    "conceded": 7,
    "ruled": 6,
    "options-changed": 1,
}


def sample_setup(
    pick: Pick, seats: int | None = None, options: Mapping[str, Any] | None = None
) -> ZerpangOpened:
    """Return a setup that could be played, now and then with another reading of the rules."""
    count = seats or SEATS[pick(len(SEATS))]
    chosen = _sample_options(pick) | dict(options or {})
    return ZerpangOpened(
        ruleset="zerpang@1",
        options=msgspec.convert(chosen, Options),
        seats=tuple(ZerpangSeat(label=f"Side {seat}") for seat in range(1, count + 1)),
    )


def _sample_options(pick: Pick) -> dict[str, Any]:
    readings = [
        part
        for part in msgspec.inspect.type_info(Options).fields  # type: ignore[attr-defined]
        if isinstance(part.type, msgspec.inspect.LiteralType) and part.name != "depth"
    ]
    found: dict[str, Any] = {"deck": ("demo-99", "demo-99", "demo-99", "booklet")[pick(4)]}
    for part in readings:
        values = [value for value in part.type.values if value != part.default]
        if pick(6) == 0:
            found[part.encode_name] = values[pick(len(values))]
    found["depth"] = "score" if pick(8) == 0 else "full"
    found["gunslinger_hand"] = 4 + (pick(4) == 0)
    return found


def sample_value(shape: str, pick: Pick) -> Plain:
    return ""


# -- how well a seat stands -----------------------------------------------------------

WON = 100_000
NEAR = 14  # a goal is worth so much less than this for each step it is away
STEP = 5  # what a step nearer is worth, beside a card in hand
PRESENT = 20
LEAD = 15  # what it is worth to be ahead in a combat
MANY = 9  # more cards than that are worth nothing


def prospects(state: State, seat: Seat) -> int:
    """Return how well a seat stands, more for better: what its class wants, then cards."""
    table = state.table
    if table.outcome:
        return WON if seat in table.outcome.winners else -WON
    cls = class_of(state, seat)
    if table.turn is None or not cls:
        return 0
    side = side_of(state, seat)
    total = STEP * AIMS[cls](state, seat) + PRESENT * len(pieces_on_board(table, seat))
    total += min(side.hand, MANY)
    if is_active(state, seat):
        total += 2 * min(worth(state, seat), max(2, cost(state, seat)))
    return total + _in_combat(state, seat) - _threat(state, seat)


def _in_combat(state: State, seat: Seat) -> int:
    fight = state.table.fight
    role = fight.role_of(seat) if fight else None
    if fight is None or role is None:
        return 0
    mine, other = (fight.agg, fight.foe) if role == "agg" else (fight.foe, fight.agg)
    ahead = mine.rating > other.rating or (mine.rating == other.rating and role == "def")
    return LEAD if ahead else -LEAD


def _threat(state: State, seat: Seat) -> int:
    """Return how near the others are: half of what the best of them has."""
    aims = [
        AIMS[class_of(state, other)](state, other)
        for other in clockwise(state, seat)[1:]
        if not side_of(state, other).out
    ]
    return STEP * max(aims, default=0) // 2


@lru_cache(maxsize=8)
def _steps(name: str, fingerprint: str) -> dict[str, dict[str, int]]:
    board = maps.board(name)
    return {space: maps.distances(board, space) for space in board.near}


def _far(state: State, piece: str, goal: str) -> int:
    board = state.board
    return _steps(board.id, board.fingerprint)[at(state.table, piece)][goal]


def _cover(state: State, seat: Seat, goals: Sequence[str]) -> int:
    """Return how well a seat's pieces cover some spaces, the nearest piece for each."""
    left = pieces_on_board(state.table, seat)
    total = 0
    for goal in goals:
        if not left:
            break
        best = min(left, key=lambda piece: _far(state, piece, goal))
        left.remove(best)
        away = _far(state, best, goal)
        total += NEAR - away + (30 if not away else 0)
    return total


def _best_cover(state: State, seat: Seat, groups: Sequence[Sequence[str]]) -> int:
    return max(_cover(state, seat, group) for group in groups)


def _ninja(state: State, seat: Seat) -> int:
    board = state.board
    six = len(state.table.sides) == 2
    groups = (board.great_houses,) if six else board.triangles["great_house"]
    return _best_cover(state, seat, groups)


def _pirate(state: State, seat: Seat) -> int:
    six = len(state.table.sides) == 2
    groups = (state.board.xs,) if six else state.board.triangles["x"]
    return _best_cover(state, seat, groups)


def _gunslinger(state: State, seat: Seat) -> int:
    return _best_cover(state, seat, state.board.lines)


def _robot(state: State, seat: Seat) -> int:
    return 60 * uploads(state.table, seat) + _cover(state, seat, state.board.treasure)


def _zombie(state: State, seat: Seat) -> int:
    side = side_of(state, seat)
    best = sorted((min(each, 2) for each in side.rings), reverse=True)[:3]
    near = _cover(state, seat, tuple(dict.fromkeys(state.table.ground))[:2])
    return 40 * sum(best) + 5 * len(state.table.ground) + near + _hunt(state, seat)


def _alien(state: State, seat: Seat) -> int:
    held = held_by(state.table, seat)
    free = side_of(state, seat).at.count(HOME)
    return (
        50 * len(held)
        + 40 * len({owner(piece) for piece in held})
        - 10 * max(0, free - 2)
        + _hunt(state, seat)
    )


def _hunt(state: State, seat: Seat) -> int:
    """Return how near a seat is to the nearest enemy."""
    mine = pieces_on_board(state.table, seat)
    theirs = [
        where
        for other, side in enumerate(state.table.sides, 1)
        if other != seat
        for where in side.at
        if on_board(where)
    ]
    away = [_far(state, piece, where) for piece in mine for where in theirs]
    return NEAR - min(away) if away else 0


def _elf(state: State, seat: Seat) -> int:
    return 0


AIMS = {
    "ninja": _ninja,
    "pirate": _pirate,
    "zombie": _zombie,
    "robot": _robot,
    "gunslinger": _gunslinger,
    "alien": _alien,
    "elf": _elf,
}
