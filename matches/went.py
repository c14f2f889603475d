"""How a match went: what each side had left after every entry, as a chart and in numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from matches.scene import Scene
from rules.capabilities import CountsMaterial

WIDTH, HEIGHT, EDGE = 320, 96, 4
"""The chart, in its own units; the edge is above and below."""

Left = tuple[int, ...]
"""What each side had left, in the order of the seats."""


class Side(NamedTuple):
    """One side: what it had at first and has now, and all between as points of the chart."""

    seat: int
    name: str
    first: int
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
    """Return how a match went so far; None in a game that counts no material, or before any was
    lost. Every entry counts as it was believed then, also one that was taken back later.
    """
    if not isinstance(scene.ruleset, CountsMaterial):
        return None
    turnings = list(_turnings(scene, scene.ruleset))
    if len(turnings) < 2:
        return None
    most = max(max(turning.left) for turning in turnings) or 1
    sides = [
        Side(
            side["seat"],
            side["name"],
            turnings[0].left[place],
            turnings[-1].left[place],
            _path([(at, left[place]) for at, left in turnings], scene.last, most),
        )
        for place, side in enumerate(scene.sides)
    ]
    return Went(sides, _changes_of_lead(turnings), turnings)


def _turnings(scene: Scene, game: CountsMaterial) -> Iterator[Turning]:
    before: Left = ()
    for version, moment in enumerate(scene.timeline.moments[: scene.last], 1):
        left = game.material(moment.state)
        if left != before:
            yield Turning(version, left)
        before = left


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
