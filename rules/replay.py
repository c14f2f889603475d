"""Fold a log: the one mechanism behind replay, undo, redo, "as at" and "as it happened".

An entry is an act with its consequences. It extends the state of the version before it, or of the
version named in `on`. A taking back is an entry like any other: its state is the state as at the
version it returns to.

Three acts belong to every log and never reach a ruleset's `judge`: `opened` starts it, `taken-back`
moves along it, `seed-revealed` ends its server draws. They have no consequences.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec

from rules import fair
from rules.capabilities import SupportsPlay
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
    pinned_name,
)

Play = Callable[[Any, Act], tuple[tuple[Consequence, ...], Any]]


@cache
def of_log(kind: type[Act]) -> bool:
    """Tell whether a type of act belongs to every log, whatever the game."""
    return issubclass(kind, Opened | TakenBack | SeedRevealed)


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An act with all its consequences, in order. `digest` is that of the state after it.

    `irregular` is the code of the rule it broke, if it stands against the rules. `repeats` is the
    version of the entry whose act this one records again after a correction.
    """

    version: int
    act: Act
    consequences: tuple[Consequence, ...] = ()
    on: int | None = None
    digest: str = ""
    irregular: str = ""
    repeats: int | None = None

    @property
    def base(self) -> int:
        """The version whose state it extends; 0 for the first."""
        return self.on or self.version - 1

    @property
    def events(self) -> tuple[Event, ...]:
        """The act and its consequences, in order."""
        return (self.act, *self.consequences)


class Moment(msgspec.Struct, frozen=True, gc=False):
    """The state after an entry.

    `source`: the version of the entry that produced this state, older than `version` after a taking
    back. `draws`: the number of the next server draw, counted from 0 along the effective history;
    `revealed`: whether the seed of those draws has been revealed, which no taking back undoes.
    """

    version: int
    state: Any
    source: int
    draws: int = 0
    revealed: bool = False


class ActRefusedError(ValueError):
    """An act that cannot become an entry: impossible, or irregular and not allowed to stand."""

    def __init__(self, act: Act, verdict: Verdict) -> None:
        super().__init__(f"{event_type(act)} is {verdict.call}: {verdict.code}")
        self.act = act
        self.verdict = verdict


def setup_digest(setup: Opened) -> bytes:
    """Return the SHA-256 of the setup's canonical bytes."""
    return hashlib.sha256(msgspec.json.encode(setup)).digest()


def step(ruleset: Ruleset, moments: Sequence[Moment], entry: Entry, state: Any = None) -> Moment:
    """Fold one stored entry; `moments` are those of all earlier versions, from version 1.

    `state` is the state after the entry, if it is already known.
    """
    act = entry.act
    if of_log(type(act)):
        return _step_of_log(ruleset, moments, entry, act)
    base = moments[entry.base - 1]
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
    base = moments[entry.base - 1]
    if isinstance(act, TakenBack):
        is_out = base.revealed or moments[-1].revealed
        return msgspec.structs.replace(base, version=entry.version, revealed=is_out)
    return Moment(entry.version, base.state, entry.version, base.draws, revealed=True)


def first_draw(moments: Sequence[Moment], entry: Entry) -> int:
    """Return the number of an entry's first server draw; a repeated act keeps its original one."""
    return moments[(entry.repeats or entry.version) - 2].draws


def draws_kept(moments: Sequence[Moment], entry: Entry, base: Moment) -> int:
    """Return the number of the next draw after an entry that repeats another."""
    first, after = first_draw(moments, entry), moments[(entry.repeats or entry.version) - 1].draws
    return max(base.draws, after) if after > first else base.draws


class Timeline:
    """A folded log: its entries, and the state at every version."""

    def __init__(self, ruleset: Ruleset, entries: Iterable[Entry] = ()) -> None:
        self.ruleset = ruleset
        self.entries: list[Entry] = []
        self.moments: list[Moment] = []
        self._digested: Any = None  # the SHA-256 object after the setup digest
        for entry in entries:
            self.append(entry)

    def __len__(self) -> int:
        """Return the version at the head; counted by `moments`, which grow last."""
        return len(self.moments)

    @property
    def setup(self) -> Any:
        """The act that opened the log."""
        return self.entries[0].act

    @property
    def head(self) -> Moment:
        """The moment at the head. Raises: IndexError before the first entry."""
        return self.moments[-1]

    def at(self, version: int) -> Moment:
        """Return the moment as at a version. Raises: IndexError for an unknown version."""
        if version < 1:
            raise IndexError(version)
        return self.moments[version - 1]

    def append(self, entry: Entry) -> Moment:
        """Fold and append the next entry, and return the moment after it.

        Raises: ValueError unless it is the next version.
        """
        if entry.version != len(self.entries) + 1:
            raise ValueError(f"version {entry.version} cannot follow version {len(self)}")
        return self.add(entry, step(self.ruleset, self.moments, entry))

    def add(self, entry: Entry, moment: Moment) -> Moment:
        """Append the next entry and its moment, as returned by `entry_after`, without a fold."""
        self.entries.append(entry)
        self.moments.append(moment)
        return moment

    def effective(self, version: int | None = None) -> tuple[int, ...]:
        """Return the versions effective at a version (default: the head), oldest first.

        Takings back are not among them; the history continues from where they returned to.
        """
        return tuple(entry.version for entry in self.history(version))

    def history(self, version: int | None = None) -> list[Entry]:
        """Return the entries effective at a version (default: the head), oldest first."""
        return list(self.backwards(version))[::-1]

    def since(self, entry: int, version: int | None = None) -> tuple[int, ...] | None:
        """Return the versions after an entry effective at a version (default: the head), in order.

        None if the entry is not part of that history.
        """
        later: list[int] = []
        for each in self.backwards(version):
            if each.version <= entry:
                return tuple(reversed(later)) if each.version == entry else None
            later.append(each.version)
        return None

    def redo(self, version: int | None = None) -> int | None:
        """Return the version that a redo at a version (default: the head) leads to.

        None unless the entry there is a taking back with something left to restore.
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
        """Return the consecutive takings back that end at a version."""
        first = version
        while first > 0 and isinstance(self.entries[first - 1].act, TakenBack):
            first -= 1
        return range(first + 1, version + 1)

    def backwards(self, version: int | None = None) -> Iterator[Entry]:
        """Yield the entries effective at a version (default: the head), newest first."""
        source = (self.head if version is None else self.at(version)).source
        while source:
            entry = self.entries[source - 1]
            yield entry
            source = self.moments[entry.base - 1].source if entry.base else 0

    def copy(self) -> "Timeline":
        """Return an independent copy of this log."""
        other = Timeline(self.ruleset)
        other.entries, other.moments = self.entries.copy(), self.moments.copy()
        other._digested = self._digested
        return other

    def digest(self, state: Any) -> str:
        """Return the digest of a state of this log: SHA-256(setup digest ‖ dump) as hex."""
        if self._digested is None:
            self._digested = hashlib.sha256(setup_digest(state.setup))
        digested = self._digested.copy()
        digested.update(self.ruleset.dump(state))
        found: str = digested.hexdigest()
        return found


def judge(ruleset: Ruleset, timeline: Timeline, act: Act) -> Verdict:
    """Judge an act at the head of a log. Never raises."""
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
    assert isinstance(act, TakenBack)  # there is no other type
    if not 1 <= act.to <= len(timeline):
        return impossible("no-such-version", to=act.to, head=len(timeline))
    if timeline.at(act.to).source == timeline.head.source:
        return impossible("already-there", to=act.to)
    return LEGAL


def _judge_opened(ruleset: Ruleset, timeline: Timeline, act: Opened) -> Verdict:
    if timeline.moments:
        return impossible("already-opened")
    name = pinned_name(ruleset)
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


def _played(
    ruleset: Ruleset, moment: Moment | None, act: Act
) -> tuple[tuple[Consequence, ...], Any]:
    """Return the consequences of an act that stands, and the state after them if it is known."""
    if moment is None or of_log(type(act)):
        return (), None
    return play_of(ruleset)(moment.state, act)


@lru_cache(maxsize=64)
def play_of(ruleset: Ruleset) -> Play:
    """Return a function that decides an act and folds it: the ruleset's own, or step by step."""
    if isinstance(ruleset, SupportsPlay):
        return ruleset.play

    def play(state: Any, act: Act) -> tuple[tuple[Consequence, ...], Any]:
        consequences = ruleset.decide(state, act)
        state = ruleset.evolve(state, act)
        for event in consequences:
            state = ruleset.evolve(state, event)
        return consequences, state

    return play


def along(
    ruleset: Ruleset, state: Any, act: Act, consequences: Iterable[Consequence]
) -> Iterator[tuple[Consequence, Any]]:
    """Yield each consequence of an act with the state it falls on; `state`: before the act."""
    state = ruleset.evolve(state, act)
    for event in consequences:
        yield event, state
        state = ruleset.evolve(state, event)


def entry_after(
    ruleset: Ruleset,
    timeline: Timeline,
    act: Act,
    *,
    irregular: bool = False,
    repeats: int | None = None,
) -> tuple[Entry, Moment]:
    """Return an act as the next entry of a log, judged and decided, and the moment after it.

    `irregular` lets an act stand against the rules; `repeats` names the entry it records again.
    The timeline itself is not changed: pass the result to `Timeline.add`.

    Raises: ActRefusedError.
    """
    verdict = judge(ruleset, timeline, act)
    if verdict.call == "impossible" or (verdict.call == "irregular" and not irregular):
        raise ActRefusedError(act, verdict)
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
