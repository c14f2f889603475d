"""The race of a circuit: its leaders' points after each tournament, as lines of a chart.

Lines differ by colour, dashes and marker, each of which suffices alone; there are six styles, which
repeat.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from league import circuits
from league.models import Circuit
from matches.models import Player

LEADERS = 6
"""How many lines are drawn unless all are requested; also the number of styles."""
WIDE, HIGH = 320, 180
LEFT, RIGHT, TOP, FOOT = 38, 12, 22, 36
TICKS = 5

Point = tuple[int, int]


@dataclass(frozen=True)
class Line:
    """A player's points after each tournament, starting from zero; `style` counts from 1."""

    player: Player
    place: int
    style: int
    totals: tuple[int, ...]
    marks: tuple[Point, ...]

    @property
    def path(self) -> str:
        return " ".join(f"{x},{y}" for x, y in self.marks)


@dataclass(frozen=True)
class Tick:
    """A number on an axis, and its position."""

    at: int
    number: int


@dataclass(frozen=True)
class Race:
    """Lines, best first, with both axes; `others` are players in the table without a line."""

    lines: tuple[Line, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    others: tuple[Player, ...]

    wide, high = WIDE, HIGH
    left, right, top, foot = LEFT, WIDE - RIGHT, TOP, HIGH - FOOT


def of(
    circuit: Circuit, endings: Sequence[circuits.Ending], *, everybody: bool = False
) -> Race | None:
    """Return the race up to the last played tournament, None while nobody has points."""
    count = max((number for number, each in enumerate(endings, 1) if each.came), default=0)
    tables = [circuits.table_from(circuit, endings[:upto]) for upto in range(count + 1)]
    rows = tables[-1]
    most = max((row.points for row in rows), default=0)
    if not most:
        return None
    drawn = rows if everybody else rows[:LEADERS]
    up = tuple(range(0, most + 1, _step(most)))
    after = [{row.player.pk: row.points for row in table} for table in tables]
    lines = []
    for row in drawn:
        totals = tuple(points.get(row.player.pk, 0) for points in after)
        marks = tuple((_x(n, count), _y(total, most)) for n, total in enumerate(totals))
        style = 1 + (row.place - 1) % LEADERS
        lines.append(Line(row.player, row.place, style, totals, marks))
    return Race(
        tuple(lines),
        tuple(Tick(_x(n, count), n) for n in range(0, count + 1, _step(count))),
        tuple(Tick(_y(number, most), number) for number in up),
        tuple(row.player for row in rows[len(drawn) :]),
    )


def _step(most: int) -> int:
    """Return the smallest round step that divides an axis into few ticks."""
    steps = (int(base * 10**power) for power in range(12) for base in (1, 2, 5))
    return next(step for step in steps if most // step <= TICKS)


def _x(number: int, count: int) -> int:
    return LEFT + number * (WIDE - LEFT - RIGHT) // count


def _y(points: int, most: int) -> int:
    return HIGH - FOOT - points * (HIGH - FOOT - TOP) // most
