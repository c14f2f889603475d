"""Judge a log under other options: what would have changed, act by act."""

from typing import Any

import msgspec

from rules.replay import Timeline, of_log, play_of
from rules.ruleset import Act, Consequence, Verdict


class Otherwise(msgspec.Struct, frozen=True, gc=False):
    """An act that would have gone differently under other options: each field has (before, after).

    `states`: what it was judged in; `calls`: the verdicts; `events`: the consequences, empty for an
    act that would have been impossible.
    """

    version: int
    act: Act
    states: tuple[Any, Any]
    calls: tuple[Verdict, Verdict]
    events: tuple[tuple[Consequence, ...], tuple[Consequence, ...]]


class Readjudged(msgspec.Struct, frozen=True, gc=False):
    """The result of judging a log under other options.

    `changes`: the acts that would have gone differently; `state`: the final state; `asked`: how
    many acts were judged.
    """

    changes: tuple[Otherwise, ...]
    state: Any
    asked: int


def readjudicate(timeline: Timeline, options: Any, version: int | None = None) -> Readjudged:
    """Judge and decide the acts effective at a version (default: the head) under other options.

    An act that would be impossible is left out, and later acts go on without it.
    Raises: SetupError for options that the setup cannot be played with.
    """
    ruleset, play = timeline.ruleset, play_of(timeline.ruleset)
    state = ruleset.start(msgspec.structs.replace(timeline.setup, options=options))
    changes = []
    judged = 0
    for entry in timeline.history(version):
        if of_log(type(entry.act)):
            continue
        judged += 1
        states = timeline.at(entry.base).state, state
        was, now = (ruleset.judge(one, entry.act) for one in states)
        drawn: tuple[Consequence, ...] = ()
        if now.call != "impossible":
            drawn, state = play(state, entry.act)
        if was != now or drawn != entry.consequences:
            pair = entry.consequences, drawn
            changes.append(Otherwise(entry.version, entry.act, states, (was, now), pair))
    return Readjudged(tuple(changes), state, judged)
