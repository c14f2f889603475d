"""Luck: what each side was to expect of its draws, by exact odds, beside what came."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from matches.scene import Scene
from rules.ruleset import Chance, Reckons, SeedRevealed, TakenBack

WIDTH, HEIGHT, EDGE = 320, 120, 8
"""The chart, in its own units."""


@dataclass
class Side:
    """One side's luck: how many draws, what was to be expected of them, what came.

    `path`: how far ahead it was after each draw of the match, as points of the chart.
    """

    seat: int
    name: str
    draws: int = 0
    expected: Fraction = Fraction()
    came: int = 0
    ahead: list[Fraction] = field(default_factory=lambda: [Fraction()])
    path: str = ""

    @property
    def luck(self) -> Fraction:
        return self.came - self.expected


@dataclass(frozen=True)
class Luck:
    """The luck of a match; `draws` counts those reckoned, `zero` is the chart's line of none."""

    sides: list[Side]
    draws: int
    zero: float
    most: Fraction


def luck_of(scene: Scene) -> Luck | None:
    """Return the luck of a match that is over; None before, or in a game without odds."""
    if not scene.over or scene.held_back or not isinstance(scene.ruleset, Reckons):
        return None
    sides = {side["seat"]: Side(side["seat"], side["name"]) for side in scene.sides}
    draws = 0
    for chance in _chances(scene):
        draws += 1
        side = sides[chance.seat]
        side.draws, side.came = side.draws + 1, side.came + chance.came
        side.expected += chance.expected
        for each in sides.values():
            each.ahead.append(each.luck)
    if not draws:
        return None
    most = max([Fraction(1), *(abs(ahead) for side in sides.values() for ahead in side.ahead)])
    for side in sides.values():
        side.path = " ".join(_point(n, ahead, draws, most) for n, ahead in enumerate(side.ahead))
    return Luck(list(sides.values()), draws, HEIGHT / 2, most)


def _chances(scene: Scene) -> Iterator[Chance]:
    timeline, ruleset = scene.timeline, scene.ruleset
    assert isinstance(ruleset, Reckons)
    for version in timeline.effective(scene.version)[1:]:
        entry = timeline.entries[version - 1]
        if isinstance(entry.act, TakenBack | SeedRevealed):
            continue
        before = timeline.at(entry.on or version - 1).state
        if chance := ruleset.chance_of(before, entry.act, entry.consequences):
            yield chance


def _point(n: int, ahead: Fraction, draws: int, most: Fraction) -> str:
    x = EDGE + (WIDTH - 2 * EDGE) * n / draws
    y = HEIGHT / 2 - float(ahead / most) * (HEIGHT / 2 - EDGE)
    return f"{x:.1f},{y:.1f}"
