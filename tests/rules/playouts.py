"""Whole matches of a game, in a process that knows no database.

`python -m tests.rules.playouts GAME FIRST LAST STEP` prints as JSON what the matches of those
seeds came to.
"""

import hashlib
import json
import sys
from collections import Counter
from typing import Any

import rules
from rules import bots
from rules.replay import Timeline
from tests.rules.zerpang import mixes

GAMES = ("zg", "zx", "zerpang")
LOOKED_AT = 5  # one in so many has its offers counted at every state
TENTH = 10
"""One match of so many is played by keen bots, and of Z-G one by as many seats as it comes."""

COUNTED = ("offers", "acts", "consequences", "outcomes")


def play(key: str, seed: int) -> Timeline:
    """Play a match: of Z-G mostly duels by the whole rulebook, of Zerpang! any mix of classes."""
    keen = seed % TENTH == 1
    if key == "zerpang":
        return mixes.play(mixes.mix_for(seed), seed, keen=keen)
    ruleset, seats, options = rules.get(key), None, {}
    if key == "zg":
        seats, options = None if seed % TENTH == 0 else 2, {"depth": "full"}
    setup = bots.sample_setup(ruleset, seed, seats=seats, options=options)
    return bots.playout(ruleset, setup, seed, keen=keen)


def report(key: str, first: int, last: int, step: int) -> dict[str, Any]:
    """Play the matches of some seeds and return what they came to, as plain data."""
    counts = {name: Counter[str]() for name in COUNTED}
    digests, entries, longest, decided = [], 0, 0, 0
    for seed in range(first, last, step):
        timeline = play(key, seed)
        decided += timeline.ruleset.outcome(timeline.head.state) is not None
        folded(timeline)
        total = hashlib.sha256("".join(e.digest for e in timeline.entries).encode())
        digests.append(total.hexdigest())
        entries, longest = entries + len(timeline), max(longest, len(timeline))
        if step == 1 and seed % LOOKED_AT == 0:
            for name, found in bots.coverage([timeline]).items():
                counts[name] += found
    return {
        "digests": digests,
        "entries": entries,
        "longest": longest,
        "decided": decided,
        **counts,
    }


def folded(timeline: Timeline) -> None:
    """Fold every entry onto the state before it as it was written down, and compare digests."""
    ruleset, setup = timeline.ruleset, timeline.setup
    for entry, moment in zip(timeline.entries[1:], timeline.moments[1:], strict=True):
        if moment.place != entry.version or not isinstance(entry.act, ruleset.acts):
            continue
        before = timeline.at(entry.on or entry.version - 1).state
        state = ruleset.load(setup, ruleset.dump(before))
        for event in entry.events:
            state = ruleset.evolve(state, event)
        assert timeline.digest(state) == entry.digest, f"entry {entry.version} folds otherwise"


if __name__ == "__main__":
    print(json.dumps(report(sys.argv[1], *map(int, sys.argv[2:]))))
