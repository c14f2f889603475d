"""Whole matches by the whole rulebook, in a process that knows no database.

`python -m tests.rules.playouts FIRST LAST STEP WILD` prints as JSON what the matches of those seeds
came to.
"""

import hashlib
import json
import sys
from collections import Counter
from typing import Any

import rules
from rules import bots
from rules.conformance.cases import wild_match
from rules.replay import Timeline
from rules.ruleset import Ruleset

GAME = "zg"
LOOKED_AT = 5  # one in so many has its offers counted at every state
MANY_SEATS = 10  # one in so many sits down as it comes; the others are duels

COUNTED = ("offers", "acts", "consequences", "outcomes", "irregular")


def play(ruleset: Ruleset, seed: int) -> Timeline:
    seats = None if seed % MANY_SEATS == 0 else 2
    setup = bots.sample_setup(ruleset, seed, seats=seats, options={"depth": "full"})
    return bots.playout(ruleset, setup, seed, keen=seed % MANY_SEATS == 1)


def report(first: int, last: int, step: int, wild: int) -> dict[str, Any]:
    """Play the matches of some seeds and return what they came to, as plain data.

    One in so many, `wild`, is also played with acts against the rules; none for 0.
    """
    ruleset = rules.get(GAME)
    counts = {name: Counter[str]() for name in COUNTED}
    digests, entries, longest = [], 0, 0
    for seed in range(first, last, step):
        timeline = play(ruleset, seed)
        assert ruleset.outcome(timeline.head.state) is not None, f"seed {seed} does not end"
        folded(timeline)
        total = hashlib.sha256("".join(e.digest for e in timeline.entries).encode())
        digests.append(total.hexdigest())
        entries, longest = entries + len(timeline), max(longest, len(timeline))
        played = [timeline]
        if wild and seed % wild == 0:
            played.append(wild_match(ruleset, f"wild {seed}"))
            counts["irregular"].update(e.irregular for e in played[1].entries if e.irregular)
        if step == 1 and seed % LOOKED_AT == 0:
            for name, found in bots.coverage(played).items():
                counts[name] += found
    return {"digests": digests, "entries": entries, "longest": longest, **counts}


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
    print(json.dumps(report(*map(int, sys.argv[1:]))))
