"""Record and judge lines of notation in any game."""

from typing import Any

import rules
from rules import notation
from rules.replay import Timeline


def played(setup: Any, *lines: str) -> Timeline:
    """Record lines after a setup; each has to be legal, or marked with `!` and irregular."""
    ruleset = rules.get(setup.ruleset)
    acts = [notation.NotationLine(setup)]
    for line in lines:
        kind, mark, rest = line.partition("!")
        acts.append(notation.NotationLine(ruleset.read(kind + rest), irregular=bool(mark)))
    return notation.play(notation.Script(ruleset, tuple(acts)))


def verdict(timeline: Timeline, line: str) -> str:
    """Return the call and code of a line at the head."""
    ruleset = timeline.ruleset
    found = ruleset.judge(timeline.head.state, ruleset.read(line))
    return f"{found.call} {found.code}".rstrip()
