"""Powerups as a card prints them, and the time windows of a turn.

ZG POW-0  Every powerup is Extra, in addition to an attack, or Replace, in place of one. Scan is
          Extra.
ZG GEN-7  The steps of the Basic Rules are time windows: 1 Setup, 2 Start, 3 Impulse, 4 Move,
          5 Attack, 6 Damage, 7 Next pulse, 8 Next player, 9 New turn, 10 Victory.
ZG ATK-6  What belongs to step 6 needs a match (Deadshot!!).

A card may print both: "Burst (Replace, Time 5)". What it does not print is unknown, and open.
"""

import re
from functools import cache
from typing import Literal

import msgspec

from rules.ruleset import Seat, Verdict, irregular
from rules.zg.cards import name_of
from rules.zg.order import under_way
from rules.zg.state import State

Kind = Literal["", "extra", "replace"]

SETUP, START, IMPULSE, MOVE, DAMAGE = 1, 2, 3, 4, 6
STEPS = range(1, 11)

BY_THE_CORE = ("z-g", "z-g2", "knockback")
"""Powerups the core applies by itself, unless one comes in place of an attack."""

NAMED = ("Scan", "Zone", "Retest", "Augment", "Bolster", "Knockback")
"""Powerups attested by name, for cards nobody has read.

Rule: ZG 11 Scan, Zone, Retest, Augment, Knockback.
"""

OF_BOTH = ("bolster", "retest")
"""Powerups by which the player attacked answers, in the foe's pulse. Rule: ZG ATK-11, ATK-12."""

ATTESTED: dict[str, Kind] = {"scan": "extra"}

_PRINTED = re.compile(
    r"(?P<name>[^()]+?)"
    r"(?: \((?P<kind>Extra|Replace)?(?:, )?(?:Time (?P<time>\d{1,2}))?\))?",
    re.IGNORECASE,
)


class Powerup(msgspec.Struct, frozen=True):
    """A powerup as printed on a card; `kind` is "" and `time` None if not printed."""

    name: str
    kind: Kind
    time: int | None


@cache
def read(printed: str) -> Powerup | None:
    """Read a powerup as printed: "Scan", "Burst (Replace, Time 5)"; None if it has no meaning."""
    found = _PRINTED.fullmatch(printed)
    if found is None or found[0].endswith(("()", ", )")) or "(, " in found[0]:
        return None
    name, kind, time = found["name"].casefold(), (found["kind"] or "").casefold(), found["time"]
    if time is not None and int(time) not in STEPS:
        return None
    known: Kind = "extra" if kind == "extra" else "replace" if kind else ATTESTED.get(name, "")
    return Powerup(name, known, None if time is None else int(time))


def kind_of(printed: str) -> Kind:
    powerup = read(printed)
    return powerup.kind if powerup else ""


def is_by_the_core(printed: str) -> bool:
    """Tell whether the core applies a powerup by itself. Rule: ZG POW-0."""
    return name_of(printed) in BY_THE_CORE and kind_of(printed) != "replace"


def time_of(printed: str) -> int | None:
    powerup = read(printed)
    return powerup.time if powerup else None


def untimely(state: State, seat: Seat, time: int | None) -> Verdict | None:
    """Object to an act of another step than the present one, as far as that is known."""
    board = state.board
    if time in (SETUP, START, IMPULSE) and (
        board.current or under_way(board) or (time == SETUP and board.turn > 1)
    ):
        return irregular("not-its-time", "ZG GEN-7", time=time)
    if time == MOVE and board.current not in (0, seat):
        return irregular("not-its-time", "ZG GEN-7", time=time)
    return _without_a_match(state) if time == DAMAGE else None


def _without_a_match(state: State) -> Verdict | None:
    """Object to what belongs to a test's damage if there is none. Rule: ZG ATK-6."""
    check = state.board.check
    if check is None:
        return irregular("no-test-for-it", "ZG ATK-6")
    return irregular("needs-a-match", "ZG ATK-6") if check.dot_matches == 0 else None
