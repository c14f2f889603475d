"""Random histories with corrections, computed by `rules.rebase` and by a naive oracle.

The oracle has no log. It keeps the effective acts in a list, edits the list when an act is
corrected, and replays it from the setup; acts that became impossible drop out. It shares only the
ruleset with the code under test.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from rules import bots, checking, notation, rebase, replay
from rules.conformance.generator import generated_act, words_of
from rules.rebase import Plan
from rules.replay import ActRefusedError, Timeline, entry_after
from rules.ruleset import Act, Consequence, Ruleset, SeedRevealed, TakenBack

MAX_STEPS = 24


class Played(msgspec.Struct, frozen=True):
    """An act as the oracle plays it: with the code of the broken rule, and its consequences."""

    act: Act
    irregular: str
    consequences: tuple[Consequence, ...]


def play(ruleset: Ruleset, setup: Any, acts: list[Act]) -> tuple[Any, list[Played]]:
    """Play acts from the setup; return the state and the acts that were possible."""
    state, played = ruleset.start(setup), []
    for act in acts:
        verdict = ruleset.judge(state, act)
        if verdict.call == "impossible":
            continue
        consequences = ruleset.decide(state, act)
        for event in (act, *consequences):
            state = ruleset.evolve(state, event)
        played.append(Played(act, verdict.code, consequences))
    return state, played


class History:
    """A match with many undos and corrections, and the oracle's list of acts."""

    def __init__(self, ruleset: Ruleset, seed: str) -> None:
        self.ruleset = ruleset
        self.pick = bots.Stream(seed)
        self.secret = bots.secret_of(seed)
        self.setup = bots.sample_setup(ruleset, seed)
        self.timeline = Timeline(ruleset)
        self.timeline.add(*entry_after(ruleset, self.timeline, self.setup))
        self.acts: list[Act] = []
        self.covered: Counter[str] = Counter()

    @property
    def is_over(self) -> bool:
        return self.ruleset.outcome(self.timeline.head.state) is not None

    def run(self) -> Counter[str]:
        """Take a number of steps, check each, and return what was covered."""
        for _ in range(4 + self.pick(MAX_STEPS)):
            kind = self.pick(100)
            if kind < 12 and self.acts:
                self.take_back()
            elif kind < 32 and self.acts:
                self.correct()
            else:
                self.record()
            self.check()
        self.check_whole()
        return self.covered

    # -- steps --

    def record(self) -> None:
        if act := self._act(self.timeline.head, wild=self.pick(100) < 15):
            entry, moment = entry_after(self.ruleset, self.timeline, act, irregular=True)
            self.timeline.add(entry, moment)
            self.acts.append(act)
            self.covered["irregular" if entry.irregular else "legal"] += 1
        if self.is_over and not self.timeline.head.revealed:
            reveal = SeedRevealed(seed=self.secret.hex())
            self.timeline.add(*entry_after(self.ruleset, self.timeline, reveal))
            self.covered["seed revealed"] += 1

    def take_back(self) -> None:
        keep = self.pick(len(self.acts))
        to = self._counting[keep]
        act = TakenBack(to=to)
        self.timeline.add(*entry_after(self.ruleset, self.timeline, act))
        del self.acts[keep:]
        self.covered["taken back"] += 1

    def correct(self) -> None:
        place = self.pick(len(self.acts))
        version = self._counting[place + 1]
        before = self.timeline.at(version - 1)
        new = None if self.pick(3) == 0 else self._act(before, wild=self.pick(2) == 0)
        recorded = list(self.timeline.entries)
        try:
            plan = rebase.rebase(self.timeline, version, new, irregular=True, draw=self._draw)
        except ActRefusedError as refused:
            assert refused.act == new
            self.covered["refused"] += 1
            return
        assert self.timeline.entries == recorded, "planning changes nothing"
        self._cover(plan)
        edited = [*self.acts[:place], *([] if new is None else [new]), *self.acts[place + 1 :]]
        for entry in plan.entries:
            self.timeline.append(entry)
        self.acts = [each.act for each in play(self.ruleset, self.setup, edited)[1]]

    def _cover(self, plan: Plan) -> None:
        was = {v: self.timeline.entries[v - 1].irregular for v in self._counting}
        self.covered["struck" if plan.steps[0].after is None else "replaced"] += 1
        for step in plan.steps[1:]:
            if step.after is None:
                self.covered["left out"] += 1
                continue
            now = plan.timeline.entries[step.after - 1].irregular
            self.covered["repeated"] += 1
            self.covered["turned irregular"] += bool(now and not was[step.before])
            self.covered["turned legal"] += bool(was[step.before] and not now)
        ended = self.ruleset.outcome(plan.timeline.head.state) is not None
        self.covered["end undone"] += self.is_over and not ended
        self.covered["end made"] += ended and not self.is_over

    def _act(self, moment: replay.Moment, *, wild: bool) -> Act | None:
        """Return an act that is possible at a moment; a legal one unless `wild`."""
        state = moment.state
        act = bots.random_act(self.ruleset, state, self.pick)
        if wild:
            offers, words = self.ruleset.options(state), words_of(state)
            act = generated_act(self.ruleset, offers, words, self.pick)
        if act is None or self._refused_by_the_log(state, act):
            return None
        act = self._draw(moment, act)
        return None if self.ruleset.judge(state, act).call == "impossible" else act

    def _refused_by_the_log(self, state: Any, act: Act) -> bool:
        foretold = self.timeline.head.revealed and bool(self.ruleset.draws(state, act))
        return foretold or not 1 <= getattr(act, "seat", 1) <= len(self.setup.seats)

    def _draw(self, moment: replay.Moment, act: Act) -> Act:
        return bots.drawn(self.ruleset, moment, act, self.secret)

    @property
    def _counting(self) -> list[int]:
        """Return the versions of the setup and of the effective entries, oldest first."""
        entries = self.timeline.entries
        history = self.timeline.effective()
        return [v for v in history if not isinstance(entries[v - 1].act, SeedRevealed)]

    # -- checks --

    def check(self) -> None:
        """Compare the log's effective history with the oracle's list."""
        state, played = play(self.ruleset, self.setup, self.acts)
        told = [self.timeline.entries[version - 1] for version in self._counting[1:]]
        assert [Played(e.act, e.irregular, e.consequences) for e in told] == played
        assert self.ruleset.dump(self.timeline.head.state) == self.ruleset.dump(state)
        assert self.ruleset.outcome(self.timeline.head.state) == self.ruleset.outcome(state)

    def check_whole(self) -> None:
        """Verify the log, read its notation back, and check that past views are unchanged."""
        entries = self.timeline.entries
        assert checking.check(self.ruleset, entries, self.secret) is None
        text = notation.write_match(self.ruleset, entries, digests=True)
        again = notation.play(notation.read_match(text, lambda name: self.ruleset))
        assert again.entries == entries
        for moment, view in zip(self.timeline.moments, self._views(), strict=True):
            assert self.view(moment.state) == view
        self.covered["histories"] += 1
        self.covered["draws"] += self.timeline.head.draws

    def _views(self) -> Iterator[bytes]:
        """Yield the view after each entry as it was when that entry was the head."""
        timeline = Timeline(self.ruleset)
        for entry in self.timeline.entries:
            yield self.view(timeline.append(entry).state)

    def view(self, state: Any) -> bytes:
        seats = range(1, len(self.setup.seats) + 1)
        views = [self.ruleset.view(state, eyes) for eyes in (*seats, "officials", "public")]
        return msgspec.json.encode(views)


def histories(ruleset: Ruleset, count: int, name: str = "history") -> Counter[str]:
    """Run `count` histories of a ruleset and return what they covered."""
    covered: Counter[str] = Counter()
    for number in range(count):
        covered += History(ruleset, f"{name} {number}").run()
    return covered
