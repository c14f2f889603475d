"""Complete matches of a game, played in a process without a database.

`python -m tests.rules.playouts GAME FIRST LAST STEP` plays the matches of those seeds and prints a
report as JSON.
"""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import rules
from rules import bots
from rules.replay import Timeline
from rules.ruleset import event_type
from tests.rules.coverage import coverage
from tests.rules.zerpang import invariants as of_zerpang
from tests.rules.zerpang import mixes
from tests.rules.zx import invariants as of_zx

GAMES = ("zg", "zx", "zerpang")
LOOKED_AT = 5  # one in this many has its offers counted at every state
TENTH = 10
"""One match of so many is played by keen bots, and of Z-G one by as many seats as it comes.

Of Zerpang! it is the other way round: one is played at random, the others to win.
"""

COUNTED = ("offers", "acts", "consequences", "outcomes", "abilities")
HOLDS: Mapping[str, Callable[[Any], list[str]]] = {
    "zx": of_zx.broken,
    "zerpang": of_zerpang.broken,
}
"""What a state of a game breaks of what has to hold after each event."""

TURNS = {"zx": 60, "zerpang": mixes.TURNS}
"""The stated limits: what is not decided by then counts as undecided."""


def play(key: str, seed: int) -> Timeline:
    """Play a match: for Z-G mostly duels by the full rulebook, for Zerpang! any mix of classes."""
    keen = seed % TENTH == 1
    if key == "zerpang":
        return mixes.play(mixes.mix_for(seed), seed, keen=not keen)
    ruleset, seats, options = rules.get(key), None, {}
    if key == "zg":
        seats, options = None if seed % TENTH == 0 else 2, {"depth": "full"}
    setup = bots.sample_setup(ruleset, seed, seats=seats, options=options)
    return bots.playout(ruleset, setup, seed, keen=keen)


def report(key: str, first: int, last: int, step: int) -> dict[str, Any]:
    """Play the matches of some seeds and return a report as plain data."""
    counts = {name: Counter[str]() for name in COUNTED}
    digests, entries, events, longest, decided = [], 0, 0, 0, 0
    for seed in range(first, last, step):
        timeline = play(key, seed)
        decided += is_decided(key, timeline)
        events += folded(timeline)
        total = hashlib.sha256("".join(e.digest for e in timeline.entries).encode())
        digests.append(total.hexdigest())
        entries, longest = entries + len(timeline), max(longest, len(timeline))
        if step > 1:
            continue
        if seed % LOOKED_AT == 0:
            looked_at = coverage([timeline])
            counts["offers"] += looked_at["offers"]
        for entry in timeline.entries:
            counts["acts"][event_type(entry.act)] += 1
            counts["consequences"].update(map(event_type, entry.consequences))
        if outcome := timeline.ruleset.outcome(timeline.head.state):
            counts["outcomes"][outcome.why] += 1
        if key == "zerpang":
            counts["abilities"] += mixes.abilities(timeline)
    return {
        "digests": digests,
        "entries": entries,
        "events": events,
        "longest": longest,
        "decided": decided,
        **counts,
    }


def is_decided(key: str, timeline: Timeline) -> bool:
    """Return whether a match ended, within the stated limit of turns if there is one."""
    state = timeline.head.state
    if timeline.ruleset.outcome(state) is None:
        return False
    return key not in TURNS or (state.turn or 0) <= TURNS[key]


def folded(timeline: Timeline) -> int:
    """Fold every entry onto the serialized state before it, and compare digests.

    The invariants are checked after each event. Returns the number of events folded.
    """
    ruleset, setup, count = timeline.ruleset, timeline.setup, 0
    holds = HOLDS.get(ruleset.key)
    for entry, moment in zip(timeline.entries[1:], timeline.moments[1:], strict=True):
        if moment.source != entry.version or not isinstance(entry.act, ruleset.acts):
            continue
        before = timeline.at(entry.base).state
        state = ruleset.load(setup, ruleset.dump(before))
        for event in entry.events:
            state = ruleset.evolve(state, event)
            wrong = holds(state) if holds else []
            assert not wrong, f"entry {entry.version}, {event_type(event)}: {', '.join(wrong)}"
        assert timeline.digest(state) == entry.digest, f"entry {entry.version} folds otherwise"
        count += len(entry.events)
    return count


if __name__ == "__main__":
    print(json.dumps(report(sys.argv[1], *map(int, sys.argv[2:]))))
