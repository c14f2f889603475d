"""A log under other options: what would have changed, act by act."""

from typing import Any

import msgspec

from rules.replay import Timeline, of_log
from rules.ruleset import Act, Consequence, Event, Verdict


class Otherwise(msgspec.Struct, frozen=True, gc=False):
    """An act that other options would have treated otherwise: before and after, as they say.

    `calls`: the verdicts; `events`: the consequences; those of an act that then could not have
    been are empty.
    """

    version: int
    act: Act
    calls: tuple[Verdict, Verdict]
    events: tuple[tuple[Consequence, ...], tuple[Consequence, ...]]


class Readjudged(msgspec.Struct, frozen=True, gc=False):
    """A log under other options: what would have changed, the state it would have come to, and
    how many acts were asked."""

    changes: tuple[Otherwise, ...]
    state: Any
    asked: int


def readjudicate(timeline: Timeline, options: Any, version: int | None = None) -> Readjudged:
    """Judge and decide the acts that count at a version (the head when None) under other options.

    An act that then would be impossible is left out; what comes after goes on without it.
    Raises: SetupError for options the setup can not be played with.
    """
    ruleset = timeline.ruleset
    state = ruleset.start(msgspec.structs.replace(timeline.setup, options=options))
    changes = []
    asked = 0
    for each in timeline.effective(version)[1:]:
        entry = timeline.entries[each - 1]
        if of_log(type(entry.act)):
            continue
        asked += 1
        was = ruleset.judge(timeline.at(entry.on or each - 1).state, entry.act)
        now = ruleset.judge(state, entry.act)
        drawn: tuple[Consequence, ...] = ()
        if now.call != "impossible":
            drawn = ruleset.decide(state, entry.act)
            events: tuple[Event, ...] = (entry.act, *drawn)
            for event in events:
                state = ruleset.evolve(state, event)
        if was != now or drawn != entry.consequences:
            pair = entry.consequences, drawn
            changes.append(Otherwise(each, entry.act, (was, now), pair))
    return Readjudged(tuple(changes), state, asked)
