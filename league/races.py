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
    """A player's points after each tournament, starting from zero; `style` counts from 1.

    Points given or taken by organisers count from the last tournament that had closed by then.
    """

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
    """Return the race up to the last played tournament, None while nobody has points.

    The axis reaches below zero if somebody drawn had less.
    """
    count = max((number for number, each in enumerate(endings, 1) if each.came), default=0)
    played = endings[:count]
    tables = [circuits.table_from(circuit, played, upto) for upto in range(count + 1)]
    rows = tables[-1]
    if max((row.points for row in rows), default=0) <= 0:
        return None
    drawn = rows if everybody else rows[:LEADERS]
    after = [{row.player.pk: row.points for row in table} for table in tables]
    totals = [tuple(points.get(row.player.pk, 0) for points in after) for row in drawn]
    least, most = min(map(min, totals)), max(map(max, totals))
    lines = []
    for row, each in zip(drawn, totals, strict=True):
        marks = tuple((_x(n, count), _y(total, least, most)) for n, total in enumerate(each))
        style = 1 + (row.place - 1) % LEADERS
        lines.append(Line(row.player, row.place, style, each, marks))
    step = _step(most - least)
    up = range(-(-least // step) * step, most + 1, step)
    return Race(
        tuple(lines),
        tuple(Tick(_x(n, count), n) for n in range(0, count + 1, _step(count))),
        tuple(Tick(_y(number, least, most), number) for number in up),
        tuple(row.player for row in rows[len(drawn) :]),
    )


def _step(most: int) -> int:
    """Return the smallest round step that divides an axis into few ticks."""
    steps = (int(base * 10**power) for power in range(12) for base in (1, 2, 5))
    return next(step for step in steps if most // step <= TICKS)


def _x(number: int, count: int) -> int:
    return LEFT + number * (WIDE - LEFT - RIGHT) // count


def _y(points: int, least: int, most: int) -> int:
    return HIGH - FOOT - (points - least) * (HIGH - FOOT - TOP) // (most - least)
