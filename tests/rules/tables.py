"""Record and judge lines of notation in any game."""

from typing import Any

import rules
from rules import notation
from rules.replay import Timeline
from rules.ruleset import Act, Ruleset, Verdict, covers


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
    found = judged(ruleset, timeline.head.state, ruleset.read(line))
    return f"{found.call} {found.code}".rstrip()


def judged(ruleset: Ruleset, state: Any, act: Act) -> Verdict:
    """Judge an act, which must be legal exactly when an offer covers it."""
    found = ruleset.judge(state, act)
    offered = any(covers(offer, act) for offer in ruleset.options(state))
    assert offered == (found.call == "legal"), f"{act} is {found}, and offered: {offered}"
    return found
