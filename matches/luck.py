"""Luck: the results of each side's draws beside what exact odds predict."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from django.core.cache import cache

from matches import selectors
from matches.actors import Actor
from matches.memory import load_all
from matches.models import Match, Player
from matches.scene import Scene, scene_of
from rules.capabilities import Chance, SupportsLuck
from rules.ruleset import SeedRevealed, TakenBack

WIDTH, HEIGHT, EDGE = 320, 120, 8
"""Size and margin of the chart, in its own units."""
KEPT = 24 * 3600  # seconds

Kept = tuple[int, int, Fraction, int]
"""A seat of a match: the number of its draws, their expected result, the actual one."""


@dataclass
class Side:
    """One side's luck: the number of its draws, their expected result, the actual one.

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
    """The luck of a match; `draws` counts those with odds, `zero` is the chart's zero line."""

    sides: list[Side]
    draws: int
    zero: float
    most: Fraction


def luck_of(scene: Scene) -> Luck | None:
    """Return the luck of a match that is over, as far as it is shown; None before that.

    None also in a game without odds, and to readers with results off.
    """
    if not scene.over or scene.results_off or not isinstance(scene.ruleset, SupportsLuck):
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


class Sum(NamedTuple):
    """A player's luck over several matches: expected strikes and actual ones."""

    matches: int
    draws: int
    expected: Fraction
    came: int

    @property
    def luck(self) -> Fraction:
        return self.came - self.expected


def luck_over(actor: Actor, player: Player, matches: Iterable[Match]) -> Sum | None:
    """Return a player's luck over matches an actor may see; None if none has odds.

    Cached by what is shown of each log, as a log that ended seldom changes.
    """
    matches = list(matches)
    known = cache.get_many([_key(actor, match) for match in matches])
    load_all(match.log for match in matches if _key(actor, match) not in known)
    found = Sum(0, 0, Fraction(), 0)
    for match in matches:
        numbers = {seat.number for seat in match.seats.all() if seat.player_id == player.pk}
        for number, draws, expected, came in _kept(actor, match, known):
            if number in numbers:
                found = Sum(
                    found.matches + 1,
                    found.draws + draws,
                    found.expected + expected,
                    found.came + came,
                )
    return found if found.draws else None


def _key(actor: Actor, match: Match) -> str:
    return f"luck-{match.pk}-{match.log.head_hash}-{selectors.shown_version(actor, match)}"


def _kept(actor: Actor, match: Match, known: Mapping[str, list[Kept]]) -> list[Kept]:
    """Return the luck of each seat of a match as plain numbers, as far as it is shown."""
    if not selectors.shown_version(actor, match):
        return []
    sides = known.get(_key(actor, match))
    if sides is None:
        luck = luck_of(scene_of(actor, match))
        sides = [(s.seat, s.draws, s.expected, s.came) for s in luck.sides] if luck else []
        cache.set(_key(actor, match), sides, KEPT)
    return sides


def _chances(scene: Scene) -> Iterator[Chance]:
    timeline, ruleset = scene.timeline, scene.ruleset
    assert isinstance(ruleset, SupportsLuck)
    for entry in timeline.history(scene.version)[1:]:
        if isinstance(entry.act, TakenBack | SeedRevealed):
            continue
        before = timeline.at(entry.base).state
        if chance := ruleset.chance_of(before, entry.act, entry.consequences):
            yield chance


def _point(n: int, ahead: Fraction, draws: int, most: Fraction) -> str:
    x = EDGE + (WIDTH - 2 * EDGE) * n / draws
    y = HEIGHT / 2 - float(ahead / most) * (HEIGHT / 2 - EDGE)
    return f"{x:.1f},{y:.1f}"
