"""The behaviour of a released ruleset, as digests that must match `rules/versions.lock`.

`python -m tests.rules.versions zg@1` locks a ruleset: it prints the lines to add there.
"""

import argparse
import hashlib
from collections.abc import Iterable
from pathlib import Path

import rules
from rules import bots, notation
from rules.replay import Timeline
from rules.ruleset import Ruleset

GOLDEN = sorted((Path(__file__).parents[1] / "golden").rglob("*.zgxl"))
PLAYOUTS = 1000
KEEN = 10
"""One play-out in so many is played to win."""


def behaviour(ruleset: Ruleset, playouts: int = PLAYOUTS) -> dict[str, str]:
    """Return a digest over a ruleset's golden matches, and one over `playouts` play-outs."""
    return {
        "golden": _digest(_golden(ruleset)),
        "playouts": _digest(_playout(ruleset, seed) for seed in range(playouts)),
    }


def _golden(ruleset: Ruleset) -> list[Timeline]:
    scripts = (notation.read_match(file.read_text("utf-8"), rules.get) for file in GOLDEN)
    return [notation.play(each) for each in scripts if each.ruleset.key == ruleset.key]


def _playout(ruleset: Ruleset, seed: int) -> Timeline:
    setup = bots.sample_setup(ruleset, seed)
    return bots.playout(ruleset, setup, seed, keen=seed % KEEN == 0)


def _digest(timelines: Iterable[Timeline]) -> str:
    """Return the digest over all entries, each a digest of the state it led to."""
    total = hashlib.sha256()
    for timeline in timelines:
        for entry in timeline.entries:
            total.update(entry.digest.encode())
    return total.hexdigest()


def lines(name: str, behaves: dict[str, str]) -> str:
    return "\n".join([f'["{name}"]', *(f'{key} = "{value}"' for key, value in behaves.items())])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="tests.rules.versions", description=__doc__)
    parser.add_argument("ruleset", choices=rules.RULESETS, help="its key and version")
    name = parser.parse_args().ruleset
    print(lines(name, behaviour(rules.get(name))))
