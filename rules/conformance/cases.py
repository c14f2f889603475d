"""The cases a ruleset is tested with, and how much of it they cover.

Matches played by the offers alone; wild matches, in which acts against the rules stand; and acts
generated at every state of both.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rules import bots, texts
from rules.conformance.generator import generated_act, words_of
from rules.replay import Timeline, entry_after, judge
from rules.ruleset import Act, Audience, Offer, Ruleset, Verdict, event_type

CODES = ("verdicts", "problems", "outcomes")
"""The tables of a text file that hold codes."""
LONGEST = 60
"""How many entries a wild match has at the most."""


@dataclass(frozen=True)
class Try:
    """An act generated at a state, and the offers there."""

    state: Any
    offers: tuple[Offer, ...]
    act: Act


@dataclass
class Cases:
    """The cases a ruleset is tested with. Made once and shared by all laws."""

    ruleset: Ruleset
    played: list[Timeline] = field(default_factory=list)
    wild: list[Timeline] = field(default_factory=list)
    tries: list[Try] = field(default_factory=list)

    @property
    def timelines(self) -> list[Timeline]:
        return self.played + self.wild

    def states(self) -> Iterator[Any]:
        for timeline in self.timelines:
            for moment in timeline.moments:
                yield moment.state

    def judged(self) -> Iterator[tuple[Try, Verdict]]:
        for each in self.tries:
            yield each, self.ruleset.judge(each.state, each.act)

    def audiences(self, state: Any) -> list[Audience]:
        return [*range(1, len(state.setup.seats) + 1), "officials", "public"]


def cases_for(ruleset: Ruleset, *, matches: int = 12, wild: int = 12, acts: int = 6) -> Cases:
    """Play matches of a ruleset and generate acts at their states; the same every time."""
    cases = Cases(ruleset)
    pick = bots.Stream("cases")
    for seed in range(matches):
        cases.played.append(bots.playout(ruleset, bots.sample_setup(ruleset, seed), seed))
    for seed in range(wild):
        cases.wild.append(wild_match(ruleset, f"wild {seed}"))
    for state in cases.states():
        offers, words = ruleset.options(state), words_of(state)
        for _ in range(acts):
            cases.tries.append(Try(state, offers, generated_act(ruleset, offers, words, pick)))
    return cases


def wild_match(ruleset: Ruleset, seed: str) -> Timeline:
    """Play a match in which acts against the rules stand as often as possible."""
    pick = bots.Stream(seed)
    secret = bots.secret_of(seed)
    timeline = Timeline(ruleset)
    timeline.add(*entry_after(ruleset, timeline, bots.sample_setup(ruleset, seed)))
    while len(timeline) < LONGEST:
        state = timeline.head.state
        offers, words = ruleset.options(state), words_of(state)
        if not offers:
            break
        act = bots.random_act(ruleset, state, pick)
        assert act is not None
        for _ in range(8):
            other = generated_act(ruleset, offers, words, pick)
            if ruleset.judge(state, other).call == "irregular":
                act = other
                break
        act = bots.drawn(ruleset, timeline.head, act, secret)
        if judge(ruleset, timeline, act).call == "impossible":
            continue
        timeline.add(*entry_after(ruleset, timeline, act, irregular=True))
    return timeline


# -- coverage -------------------------------------------------------------------------


def codes_reached(cases: Cases) -> Counter[str]:
    """Count the codes of verdicts and outcomes, and the types of events, that occurred."""
    reached = Counter(verdict.code or "legal" for _, verdict in cases.judged())
    for timeline in cases.timelines:
        for entry in timeline.entries:
            reached.update(event_type(event) for event in entry.events)
        if outcome := cases.ruleset.outcome(timeline.head.state):
            reached[outcome.why] += 1
    return reached


def own_codes(ruleset: Ruleset) -> set[str]:
    """Return the codes in a ruleset's text file: verdicts, problems and outcomes."""
    package = type(ruleset).__module__.rpartition(".")[0]
    try:
        tables = texts.tables(package)
    except FileNotFoundError:
        return set()
    return {code for name in CODES for code in tables.get(name, ())}
