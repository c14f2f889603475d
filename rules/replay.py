"""Fold a log: the one mechanism behind replay, undo, redo, "as at" and "as it happened".

An entry is an act with its consequences. It extends the state of the version before it, or
of the version it names in `on`. Taking back is an entry like any other: its state is the
state as at the version it goes back to.

Three acts belong to every log and never reach a ruleset's `judge`: `opened` starts it,
`taken-back` moves along it, `seed-revealed` ends its server draws. They have no consequences.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec

from rules import fair
from rules.capabilities import Plays
from rules.ruleset import (
    LEGAL,
    Act,
    Consequence,
    Event,
    Opened,
    Ruleset,
    SeedRevealed,
    SetupError,
    TakenBack,
    Verdict,
    event_type,
    impossible,
)

Play = Callable[[Any, Act], tuple[tuple[Consequence, ...], Any]]


@cache
def of_log(kind: type[Act]) -> bool:
    """Tell whether a type of act belongs to every log, whatever the game."""
    return issubclass(kind, Opened | TakenBack | SeedRevealed)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An act with all its consequences, in order. `digest` is that of the state after it.

    `irregular` is the code of the rule it broke, when it stood against the rules. `repeats` is
    the version of the entry whose act this one records again, after a correction before it.
    """

    version: int
    act: Act
    consequences: tuple[Consequence, ...] = ()
    on: int | None = None
    digest: str = ""
    irregular: str = ""
    repeats: int | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """The act and its consequences, in order."""
        return (self.act, *self.consequences)


class Moment(msgspec.Struct, frozen=True, gc=False):
    """The state after an entry.

    `source`: the version of the entry that made this state: an older one than `version` after a
    taking back.
    `draws`: the number of the next server draw, counted from 0 along its effective history;
    `revealed`: whether the seed of those draws is out, which nothing takes back.
    """

    version: int
    state: Any
    source: int
    draws: int = 0
    revealed: bool = False


class RefusedError(ValueError):
    """An act that can not become an entry: impossible, or irregular and not let stand."""

    def __init__(self, act: Act, verdict: Verdict) -> None:
        super().__init__(f"{event_type(act)} is {verdict.call}: {verdict.code}")
        self.act = act
        self.verdict = verdict


def setup_digest(setup: Opened) -> bytes:
    """Return the SHA-256 of the setup's canonical bytes."""
    return hashlib.sha256(msgspec.json.encode(setup)).digest()


def state_digest(ruleset: Ruleset, state: Any, setup: bytes | None = None) -> str:
    """Return SHA-256(setup digest ‖ dump) as hex. Pass `setup` when it is already known."""
    setup = setup or setup_digest(state.setup)
    return hashlib.sha256(setup + ruleset.dump(state)).hexdigest()


def step(ruleset: Ruleset, moments: Sequence[Moment], entry: Entry, state: Any = None) -> Moment:
    """Fold one stored entry; `moments` are those of all versions before it, from version 1.

    `state` is the one after it, where that is known already.
    """
    act = entry.act
    if of_log(type(act)):
        return _step_of_log(ruleset, moments, entry, act)
    base = moments[(entry.on or entry.version - 1) - 1]
    if state is None:
        evolve = ruleset.evolve
        state = evolve(base.state, act)
        for consequence in entry.consequences:
            state = evolve(state, consequence)
    if entry.repeats is None:
        draws = base.draws + len(ruleset.draws(base.state, act))
    else:
        draws = draws_kept(moments, entry, base)
    return Moment(entry.version, state, entry.version, draws, base.revealed)


def _step_of_log(ruleset: Ruleset, moments: Sequence[Moment], entry: Entry, act: Act) -> Moment:
    """Fold an act that belongs to every log."""
    if isinstance(act, Opened):
        return Moment(entry.version, ruleset.start(act), source=entry.version)
    base = moments[(entry.on or entry.version - 1) - 1]
    if isinstance(act, TakenBack):
        is_out = base.revealed or moments[-1].revealed
        return msgspec.structs.replace(base, version=entry.version, revealed=is_out)
    return Moment(entry.version, base.state, entry.version, base.draws, revealed=True)


def first_draw(moments: Sequence[Moment], entry: Entry) -> int:
    """Return the number of an entry's first server draw; a repeated act keeps those it had."""
    return moments[(entry.repeats or entry.version) - 2].draws


def draws_kept(moments: Sequence[Moment], entry: Entry, base: Moment) -> int:
    """Return the number of the next draw after an entry that repeats another."""
    first, after = first_draw(moments, entry), moments[(entry.repeats or entry.version) - 1].draws
    return max(base.draws, after) if after > first else base.draws


class Timeline:
    """A log folded: its entries, and the state at every version."""

    def __init__(self, ruleset: Ruleset, entries: Iterable[Entry] = ()) -> None:
        self.ruleset = ruleset
        self.entries: list[Entry] = []
        self.moments: list[Moment] = []
        self._digested: Any = None  # a hash that has read the setup's digest
        for entry in entries:
            self.append(entry)

    def __len__(self) -> int:
        """Return the version at the head: `moments` grow last, so each one has its entry."""
        return len(self.moments)

    @property
    def setup(self) -> Any:
        """The act that opened the log."""
        return self.entries[0].act

    @property
    def head(self) -> Moment:
        """The state now. Raises: IndexError before the first entry."""
        return self.moments[-1]

    def at(self, version: int) -> Moment:
        """Return the state as it was believed at a version. Raises: IndexError when unknown."""
        if version < 1:
            raise IndexError(version)
        return self.moments[version - 1]

    def append(self, entry: Entry) -> Moment:
        """Fold the next entry on and return the moment after it.

        Raises: ValueError unless it is the next version.
        """
        if entry.version != len(self.entries) + 1:
            raise ValueError(f"version {entry.version} cannot follow version {len(self)}")
        return self.add(entry, step(self.ruleset, self.moments, entry))

    def add(self, entry: Entry, moment: Moment) -> Moment:
        """Add the next entry with the moment after it, as `entry_after` returns them: no fold."""
        self.entries.append(entry)
        self.moments.append(moment)
        return moment

    def effective(self, version: int | None = None) -> tuple[int, ...]:
        """Return what still counts at a version (the head when None), oldest first.

        Takings back are not among them: they lead to what they went back to.
        """
        return tuple(self.backwards(version))[::-1]

    def since(self, entry: int, version: int | None = None) -> tuple[int, ...] | None:
        """Return what counts at a version (the head when None) after an entry, oldest first.

        None when that entry is no part of that history.
        """
        later: list[int] = []
        for each in self.backwards(version):
            if each <= entry:
                return tuple(reversed(later)) if each == entry else None
            later.append(each)
        return None

    def redo(self, version: int | None = None) -> int | None:
        """Return what going forth again at a version (the head when None) leads to.

        None unless the entry there is a taking back with something left to bring back.
        """
        left: list[int] = []
        for at in self._run(len(self) if version is None else version):
            source, before = self.moments[at - 1].source, self.moments[at - 2].source
            if source in left:
                del left[left.index(source) :]
            else:
                left.append(before)
        return left[-1] if left else None

    def _run(self, version: int) -> range:
        """Return the takings back in a row that end at a version."""
        first = version
        while first > 0 and isinstance(self.entries[first - 1].act, TakenBack):
            first -= 1
        return range(first + 1, version + 1)

    def backwards(self, version: int | None = None) -> Iterator[int]:
        """Yield what counts at a version (the head when None), newest first."""
        source = (self.head if version is None else self.at(version)).source
        while source:
            yield source
            before = self.entries[source - 1].on or source - 1
            source = self.moments[before - 1].source if before else 0

    def copy(self) -> "Timeline":
        """Return the same log, to be gone on with apart from this one."""
        other = Timeline(self.ruleset)
        other.entries, other.moments = self.entries.copy(), self.moments.copy()
        other._digested = self._digested
        return other

    def digest(self, state: Any) -> str:
        """Return the digest of a state of this log."""
        if self._digested is None:
            self._digested = hashlib.sha256(setup_digest(state.setup))
        digested = self._digested.copy()
        digested.update(self.ruleset.dump(state))
        found: str = digested.hexdigest()
        return found


def judge(ruleset: Ruleset, timeline: Timeline, act: Act) -> Verdict:
    """Say what the rules say of an act at the head of a log. Never raises."""
    if of_log(type(act)):
        return _judge_of_log(ruleset, timeline, act)
    if not timeline.moments:
        return impossible("not-opened")
    return ruleset.judge(timeline.head.state, act)


def _judge_of_log(ruleset: Ruleset, timeline: Timeline, act: Act) -> Verdict:
    """Judge an act that belongs to every log."""
    if isinstance(act, Opened):
        return _judge_opened(ruleset, timeline, act)
    if not timeline.moments:
        return impossible("not-opened")
    if isinstance(act, SeedRevealed):
        return _judge_reveal(ruleset, timeline.head, act.seed)
    assert isinstance(act, TakenBack)  # there is no other
    if not 1 <= act.to <= len(timeline):
        return impossible("no-such-version", to=act.to, head=len(timeline))
    if timeline.at(act.to).source == timeline.head.source:
        return impossible("already-there", to=act.to)
    return LEGAL


def _judge_opened(ruleset: Ruleset, timeline: Timeline, act: Opened) -> Verdict:
    if timeline.moments:
        return impossible("already-opened")
    name = f"{ruleset.key}@{ruleset.version}"
    if act.ruleset != name:
        return impossible("other-ruleset", ruleset=act.ruleset, expected=name)
    try:
        ruleset.start(act)
    except SetupError as error:
        problem = error.problem
        return Verdict("impossible", problem.code, problem.clause, problem.params)
    return LEGAL


def _judge_reveal(ruleset: Ruleset, head: Moment, seed: str) -> Verdict:
    if ruleset.outcome(head.state) is None:
        return impossible("match-under-way")
    if head.revealed:
        return impossible("already-revealed")
    commitment = head.state.setup.commitment
    if not commitment:
        return impossible("no-commitment")
    if not fair.keeps(commitment, seed):
        return impossible("wrong-seed")
    return LEGAL


def decide(ruleset: Ruleset, moment: Moment | None, act: Act) -> tuple[Consequence, ...]:
    """Return the consequences of an act that stands at a moment (None before the first)."""
    if moment is None or of_log(type(act)):
        return ()
    return ruleset.decide(moment.state, act)


def _played(
    ruleset: Ruleset, moment: Moment | None, act: Act
) -> tuple[tuple[Consequence, ...], Any]:
    """Return the consequences of an act that stands, and the state after them where it is known."""
    if moment is None or of_log(type(act)):
        return (), None
    return play_of(ruleset)(moment.state, act)


@lru_cache(maxsize=64)
def play_of(ruleset: Ruleset) -> Play:
    """Return how a ruleset decides an act, with the state after it: whole, or bit by bit."""
    if isinstance(ruleset, Plays):
        return ruleset.play

    def play(state: Any, act: Act) -> tuple[tuple[Consequence, ...], Any]:
        consequences = ruleset.decide(state, act)
        state = ruleset.evolve(state, act)
        for event in consequences:
            state = ruleset.evolve(state, event)
        return consequences, state

    return play


def entry_after(
    ruleset: Ruleset,
    timeline: Timeline,
    act: Act,
    *,
    irregular: bool = False,
    repeats: int | None = None,
) -> tuple[Entry, Moment]:
    """Return an act as the next entry of a log, judged and decided, and the moment after it.

    `irregular` lets an act stand that is against the rules; `repeats` names the entry it
    records again. The timeline is left as it is: `Timeline.add` takes what is returned.

    Raises: RefusedError.
    """
    verdict = judge(ruleset, timeline, act)
    if verdict.call == "impossible" or (verdict.call == "irregular" and not irregular):
        raise RefusedError(act, verdict)
    head = timeline.head if timeline.moments else None
    consequences, after = _played(ruleset, head, act)
    entry = Entry(
        version=len(timeline) + 1,
        act=act,
        consequences=consequences,
        on=act.to if isinstance(act, TakenBack) else None,
        irregular=verdict.code if verdict.call == "irregular" else "",
        repeats=repeats,
    )
    moment = step(ruleset, timeline.moments, entry, after)
    return msgspec.structs.replace(entry, digest=timeline.digest(moment.state)), moment
