"""Every spin and draw of a match, from the site's seed or made at the table."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from matches.evenness import as_uneven
from matches.scene import Scene
from rules import fair
from rules.replay import Timeline
from rules.ruleset import Act, Audience, Draw, SeedRevealed

MAX_VALUES = 6  # counted separately in a tally


@dataclass(frozen=True)
class Fall:
    """One spin or draw. `n`: its number among the site's draws, None if made at the table.

    `index`: the result as an index into `values`; `agrees`: whether the seed gives the same, None
    while that is not known; `who`: the side that spun.
    """

    version: int
    act: str
    purpose: str
    values: tuple[Any, ...]
    index: int
    source: str
    n: int | None
    undone: bool
    agrees: bool | None
    who: str = ""

    @property
    def result(self) -> Any:
        return self.values[self.index]

    @property
    def choices(self) -> str:
        """The possible results as JSON, for the page's own count."""
        return msgspec.json.encode(self.values).decode()


@dataclass(frozen=True)
class Tally:
    """How often each result came up among all spins for one purpose from one source.

    `by_side`: the counts of each side, where they are told apart.
    """

    purpose: str
    source: str
    counts: dict[Any, int]
    by_side: dict[str, dict[Any, int]] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def as_uneven(self) -> int | None:
        """How many of 100 fair runs are at least as uneven; None if too few draws to say."""
        return as_uneven(tuple(self.counts.values()))


@dataclass(frozen=True)
class Fairness:
    """The commitment of a match's draws, the seed once revealed, and the results."""

    log: str
    commitment: str
    seed: str
    falls: Sequence[Fall]

    @property
    def kept(self) -> bool:
        """Whether the seed is the one that was committed to."""
        return bool(self.seed) and fair.keeps(self.commitment, self.seed)

    @property
    def drawn(self) -> list[Fall]:
        """The site's draws."""
        return [fall for fall in self.falls if fall.n is not None]

    @property
    def differing(self) -> int:
        return sum(fall.agrees is False for fall in self.falls)

    @property
    def tallies(self) -> list[Tally]:
        """Tallies of the draws that still count and have a fixed, small set of results."""
        kinds: dict[tuple[str, str], list[Fall]] = {}
        for fall in self.falls:
            if not fall.undone:
                kinds.setdefault((fall.purpose, fall.source), []).append(fall)
        return [
            Tally(*kind, _counted(falls), _by_side(falls))
            for kind, falls in kinds.items()
            if alike(falls)
        ]


def alike(draws: Sequence[Fall | Draw]) -> bool:
    """Tell whether draws always have the same small set of results, so that they can be counted."""
    values = {frozenset(each.values) for each in draws}
    return len(values) == 1 and len(draws[0].values) <= MAX_VALUES


def _by_side(falls: Sequence[Fall]) -> dict[str, dict[Any, int]]:
    """Return the counts of each side that spun, if more than one did."""
    sides = sorted({fall.who for fall in falls if fall.who})
    if len(sides) < 2:
        return {}
    return {who: _counted([fall for fall in falls if fall.who == who]) for who in sides}


def _counted(falls: Sequence[Fall]) -> dict[Any, int]:
    counts = Counter(fall.result for fall in falls)
    return {value: counts[value] for value in sorted(falls[0].values)}


def fairness(scene: Scene) -> Fairness:
    """Return the draws of a match, as far as this audience is shown it."""
    setup = scene.timeline.setup
    acts = [entry.act for entry in scene.timeline.entries[: scene.last]]
    seed = next((act.seed for act in reversed(acts) if isinstance(act, SeedRevealed)), "")
    return Fairness(setup.log, setup.commitment, seed, list(_falls(scene, seed)))


@dataclass(frozen=True)
class Spin:
    """One spin or draw as an act holds it. `n`: its number among the site's, None at the table.

    `seat`: the seat that spun, 0 for the table.
    """

    version: int
    seat: int
    draw: Draw
    index: int
    n: int | None

    @property
    def source(self) -> str:
        return "table" if self.n is None else "site"


def spins(timeline: Timeline, last: int, eyes: Audience, *, after: int = 1) -> Iterator[Spin]:
    """Yield every spin after version `after` and up to `last` that an audience may see.

    Includes those that were taken back.
    """
    ruleset = timeline.ruleset
    for entry in timeline.entries[after:last]:
        act = entry.act
        if not hasattr(act, "spin") or ruleset.hide(act, eyes) != act:
            continue
        before = timeline.at(entry.base)
        drawn = ruleset.draws(before.state, act)
        spun = drawn or ruleset.draws(before.state, msgspec.structs.replace(act, spin="server"))
        for place, draw in enumerate(spun):
            index = _index(draw, act)
            if index is not None:
                n = before.draws + place if drawn else None
                yield Spin(entry.version, getattr(act, "seat", None) or 0, draw, index, n)


def _falls(scene: Scene, seed: str) -> Iterator[Fall]:
    timeline = scene.timeline
    counts = set(timeline.effective(scene.last))
    key = fair.seed_bytes(seed) or b""
    for spin in spins(timeline, scene.last, scene.audience):
        draw, index = spin.draw, spin.index
        yield Fall(
            version=spin.version,
            act=scene.narrator.text(spin.version),
            purpose=draw.purpose,
            values=draw.values,
            index=index,
            source=spin.source,
            n=spin.n,
            undone=spin.version not in counts,
            agrees=_agrees(key, timeline.setup.log, spin.n, draw, index) if key else None,
            who=scene.names.get(spin.seat, ""),
        )


def _index(draw: Draw, act: Act) -> int | None:
    """Return the index of a draw's result among its values, None if it is not one of them."""
    result = getattr(act, draw.field)
    return draw.values.index(result) if result in draw.values else None


def _agrees(seed: bytes, log: str, n: int | None, draw: Draw, index: int) -> bool | None:
    if n is None:
        return None
    return fair.draw(seed, log, n, draw.purpose, len(draw.values)) == index
