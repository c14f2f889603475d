"""Matches played by bots with every mix of classes; `python -m … 1000` prints the figures.

TURNS is the stated limit: a match not decided by then counts as undecided. A match of bots that
play to win stops after LIMIT entries.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import msgspec

from rules import bots
from rules.replay import Timeline, entry_after
from rules.ruleset import TakenBack, event_type
from rules.zerpang.acts import COLOURS, Options
from rules.zerpang.consequences import SpecialOpened
from rules.zerpang.effects import EFFECTS
from rules.zerpang.state import LOYAL
from rules.zerpang.victory import WHY
from tests.rules.zerpang.abilities import ABILITIES, shown
from tests.rules.zerpang.invariants import broken
from tests.rules.zerpang.table import RULESET, read

LIMIT = 2000
TURNS = 300
OTHERS = ("zombie", "robot", "gunslinger", "alien", "elf")


def mixes() -> Iterator[tuple[str, ...]]:
    """Yield every mix of classes for 2 to 6 seats, at most two Ninjas and two Pirates."""
    for seats in range(2, 7):
        for many in range(1, min(seats, 4) + 1):
            if seats == 2 and many < 2:
                continue
            for loyal in combinations_with_replacement(LOYAL, many):
                if max(Counter(loyal).values()) <= 2:
                    for others in combinations(OTHERS, seats - many):
                        yield (*loyal, *others)


MIXES = tuple(mixes())
SPREAD = 37  # distance between the mixes of consecutive seeds


def mix_for(seed: int) -> tuple[str, ...]:
    """Return the mix for a seed; any hundred consecutive seeds cover a good part of all mixes."""
    return MIXES[SPREAD * seed % len(MIXES)]


def begun(classes: tuple[str, ...], seed: int) -> Timeline:
    """Return a match after its setup: classes, bases by seat, and the starting seat."""
    setup = bots.sample_setup(RULESET, seed, seats=len(classes))
    options = msgspec.structs.replace(setup.options, depth="full", deck="demo-99")
    timeline = Timeline(RULESET)
    lines = [f"class-taken {n} {cls}" for n, cls in enumerate(classes, 1)]
    lines += [f"base-taken {n} B{n} {COLOURS[n - 1]}" for n in range(1, len(classes) + 1)]
    lines.append(f"first-seat-picked {1 + seed % len(classes)}")
    acts = [msgspec.structs.replace(setup, options=plain(options)), *map(read, lines)]
    for act in acts:
        timeline.add(*entry_after(RULESET, timeline, act))
    return timeline


def plain(options: Options) -> Options:
    """Return readings under which an Elf still needs a clock."""
    return msgspec.structs.replace(options, elf_win="time")


def play(classes: tuple[str, ...], seed: int, limit: int = LIMIT, *, keen: bool = True) -> Timeline:
    """Play a match of a mix to its end, or for at most `limit` entries."""
    timeline, pick = begun(classes, seed), bots.Stream(f"mix {seed}")
    choose = bots.keen_act if keen else bots.random_act
    while len(timeline) < limit:
        act = choose(RULESET, timeline.head.state, pick)
        if act is None:
            break
        timeline.add(*entry_after(RULESET, timeline, act))
    return timeline


def unsound(timeline: Timeline) -> list[str]:
    """Return the invariants broken by events of a match, each with its entry."""
    found = []
    for entry in timeline.entries[1:]:
        if isinstance(entry.act, TakenBack) or event_type(entry.act) == "seed-revealed":
            continue
        state = timeline.at(entry.base).state
        for event in entry.events:
            state = RULESET.evolve(state, event)
            found += [f"{entry.version}, {event_type(event)}: {why}" for why in broken(state)]
    return found


def decided(timeline: Timeline) -> bool:
    """Tell whether a match ended within the stated limit."""
    state = timeline.head.state
    return RULESET.outcome(state) is not None and (state.turn or 0) <= TURNS


def abilities(timeline: Timeline) -> Counter[str]:
    """Count the abilities of classes that were used in a match."""
    found = Counter[str]()
    for entry in timeline.entries[1:]:
        if isinstance(entry.act, RULESET.acts):
            found.update(shown(timeline.at(entry.base).state, entry))
    return found


def figures(matches: int) -> str:
    """Play `matches` matches over all mixes and return a report."""
    ends, seen, able, wrong = Counter[str](), Counter[str](), Counter[str](), 0
    entries, turns = 0, []
    for seed in range(matches):
        timeline = play(mix_for(seed), seed)
        outcome = RULESET.outcome(timeline.head.state)
        ends[outcome.why if outcome and decided(timeline) else "undecided"] += 1
        able += abilities(timeline)
        for entry in timeline.entries:
            seen.update(map(event_type, entry.events))
            seen.update(event.key for event in entry.events if isinstance(event, SpecialOpened))
        wrong += bool(unsound(timeline))
        entries += len(timeline)
        turns.append(timeline.head.state.turn or 0)
    kinds = {*map(event_type, RULESET.acts), *map(event_type, RULESET.consequences), *EFFECTS}
    lines = [
        f"{matches} matches over {len(MIXES)} mixes: {1 - ends['undecided'] / matches:.1%} decided "
        f"within {TURNS} turns; half within {sorted(turns)[matches // 2]}, "
        f"{entries // matches} entries each",
        "ends: " + _counted(ends, *WHY.values()),
        "abilities: " + _counted(able, *ABILITIES),
        f"broken: {wrong}; never seen: {', '.join(sorted(kinds - set(seen))) or 'nothing'}",
    ]
    return "\n".join(lines)


def _counted(counts: Counter[str], *names: str) -> str:
    told = dict.fromkeys((*names, *counts))
    return ", ".join(f"{name} {counts[name]}" for name in told)


if __name__ == "__main__":
    print(figures(int(sys.argv[1])))
