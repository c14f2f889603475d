"""What chance did in a match: every spin and draw, from the site's seed or told by the table."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import msgspec

from matches.scene import Scene
from rules import fair
from rules.ruleset import Act, Draw, SeedRevealed

MOST_VALUES = 6  # that a tally tells apart


@dataclass(frozen=True)
class Fall:
    """One spin or draw. `n`: its number among the site's draws, None when the table spun.

    `index`: which of `values` it was; `agrees`: whether the seed gives the same, None while
    it is not known.
    """

    version: int
    act: str
    purpose: str
    values: tuple[Any, ...]
    index: int
    n: int | None
    undone: bool
    agrees: bool | None

    @property
    def result(self) -> Any:
        return self.values[self.index]

    @property
    def choices(self) -> str:
        """The possible results as JSON, for the page to count into."""
        return msgspec.json.encode(self.values).decode()


@dataclass(frozen=True)
class Tally:
    """How often each result came up among all spins for one purpose from one source."""

    purpose: str
    source: str
    counts: dict[Any, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def as_uneven(self) -> int | None:
        """In how many of 100 such rows a fair coin falls at least as unevenly; None for no coin."""
        if len(self.counts) != 2:
            return None
        most = max(self.counts.values())
        ways = sum(comb(self.total, heads) for heads in range(most, self.total + 1))
        return min(100, (200 * ways) >> self.total)


@dataclass(frozen=True)
class Fairness:
    """The promise of a match's draws, the seed once it is out, and what fell."""

    log: str
    commitment: str
    seed: str
    falls: Sequence[Fall]

    @property
    def kept(self) -> bool:
        """Whether the seed is the one that was promised."""
        return bool(self.seed) and fair.keeps(self.commitment, self.seed)

    @property
    def drawn(self) -> list[Fall]:
        """What the site drew."""
        return [fall for fall in self.falls if fall.n is not None]

    @property
    def differing(self) -> int:
        return sum(fall.agrees is False for fall in self.falls)

    @property
    def tallies(self) -> list[Tally]:
        """Tallies of what still counts, where the possible results are always the same few."""
        kinds: dict[tuple[str, str], list[Fall]] = {}
        for fall in self.falls:
            if not fall.undone:
                source = "table" if fall.n is None else "site"
                kinds.setdefault((fall.purpose, source), []).append(fall)
        return [Tally(*kind, _counted(falls)) for kind, falls in kinds.items() if _alike(falls)]


def _alike(falls: Sequence[Fall]) -> bool:
    values = {frozenset(fall.values) for fall in falls}
    return len(values) == 1 and len(falls[0].values) <= MOST_VALUES


def _counted(falls: Sequence[Fall]) -> dict[Any, int]:
    counts = Counter(fall.result for fall in falls)
    return {value: counts[value] for value in sorted(falls[0].values)}


def fairness(scene: Scene) -> Fairness:
    """Return what chance did in a match, as far as this audience is shown it."""
    setup = scene.timeline.setup
    acts = [entry.act for entry in scene.timeline.entries[: scene.last]]
    seed = next((act.seed for act in reversed(acts) if isinstance(act, SeedRevealed)), "")
    return Fairness(setup.log, setup.commitment, seed, list(_falls(scene, seed)))


def _falls(scene: Scene, seed: str) -> Iterator[Fall]:
    timeline, ruleset = scene.timeline, scene.ruleset
    counts = set(timeline.effective(scene.last))
    key = fair.seed_bytes(seed) or b""
    for entry in timeline.entries[1 : scene.last]:
        act = entry.act
        if not hasattr(act, "spin") or ruleset.hide(act, scene.audience) != act:
            continue
        before = timeline.at(entry.on or entry.version - 1)
        drawn = ruleset.draws(before.state, act)
        spun = drawn or ruleset.draws(before.state, msgspec.structs.replace(act, spin="server"))
        for place, draw in enumerate(spun):
            index = _index(draw, act)
            if index is None:
                continue
            n = before.draws + place if drawn else None
            agrees = _agrees(key, timeline.setup.log, n, draw, index) if key else None
            text = scene.narrator.text(entry.version)
            undone = entry.version not in counts
            yield Fall(entry.version, text, draw.purpose, draw.values, index, n, undone, agrees)


def _index(draw: Draw, act: Act) -> int | None:
    """Return which of its values a draw gave, None when the act holds another."""
    result = getattr(act, draw.field)
    return draw.values.index(result) if result in draw.values else None


def _agrees(seed: bytes, log: str, n: int | None, draw: Draw, index: int) -> bool | None:
    if n is None:
        return None
    return fair.draw(seed, log, n, draw.purpose, len(draw.values)) == index
