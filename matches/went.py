"""How a match went: what each side had left after every entry, as a chart and in numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from matches.scene import Scene
from rules.capabilities import SupportsMaterial

WIDTH, HEIGHT, EDGE = 320, 96, 4
"""The chart, in its own units; the edge is above and below."""

Left = tuple[int, ...]
"""What each side had left, in the order of the seats."""


class Side(NamedTuple):
    """One side: the most it had, what it has now, and the way between as points of the chart."""

    seat: int
    name: str
    most: int
    now: int
    path: str


class Turning(NamedTuple):
    """An entry after which somebody had another number left than before."""

    version: int
    left: Left


@dataclass(frozen=True)
class Went:
    """The way of a match; how often the lead changed hands, and each entry that moved it."""

    sides: Sequence[Side]
    leads: int
    turnings: Sequence[Turning]


def went_of(scene: Scene) -> Went | None:
    """Return how a match went so far, by every entry, also those taken back later.

    None in a game that counts no material, or before any was lost.
    """
    game = scene.ruleset
    if not isinstance(game, SupportsMaterial):
        return None
    moments = scene.timeline.moments[: scene.last]
    turnings = turnings_of(game.material(moment.state) for moment in moments)
    if len(turnings) < 2:
        return None
    most = max(max(turning.left) for turning in turnings) or 1
    sides = [
        Side(
            side["seat"],
            side["name"],
            max(turning.left[place] for turning in turnings),
            turnings[-1].left[place],
            _path([(at, left[place]) for at, left in turnings], scene.last, most),
        )
        for place, side in enumerate(scene.sides)
    ]
    return Went(sides, _changes_of_lead(turnings), turnings)


def turnings_of(counted: Iterable[Left]) -> list[Turning]:
    """Return the entries after which another number is left, of what was counted after each.

    They begin with the first at which every side has something.
    """
    found: list[Turning] = []
    for version, left in enumerate(counted, 1):
        if left != found[-1].left if found else all(left):
            found.append(Turning(version, left))
    return found


def _changes_of_lead(turnings: Sequence[Turning]) -> int:
    """Return how often another side came to have the most, alone; while level nobody leads."""
    leaders = [left.index(max(left)) for _, left in turnings if left.count(max(left)) == 1]
    return sum(one != other for one, other in pairwise(leaders))


def _path(steps: Sequence[tuple[int, int]], last: int, most: int) -> str:
    """Return a line that keeps its height until the entry that changes it."""
    points, height = [], steps[0][1]
    for version, left in steps:
        points += [_point(version, height, last, most), _point(version, left, last, most)]
        height = left
    points.append(_point(last, height, last, most))
    return " ".join(dict.fromkeys(points))


def _point(version: int, left: int, last: int, most: int) -> str:
    x = WIDTH * (version - 1) / max(1, last - 1)
    y = HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * left / most
    return f"{x:.1f},{y:.1f}"
