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
from rules.ruleset import (
    LEGAL,
    Act,
    Consequence,
    Draw,
    Event,
    Opened,
    Plays,
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

    `place`: the entry that made this state; another one than `version` after a taking back.
    `draws`: the number of the next server draw, counted from 0 along its effective history;
    `revealed`: whether the seed of those draws is out, which nothing takes back.
    """

    version: int
    state: Any
    place: int
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
        draws = _draws_kept(moments, entry, base)
    return Moment(entry.version, state, entry.version, draws, base.revealed)


def _step_of_log(ruleset: Ruleset, moments: Sequence[Moment], entry: Entry, act: Act) -> Moment:
    """Fold an act that belongs to every log."""
    if isinstance(act, Opened):
        return Moment(entry.version, ruleset.start(act), place=entry.version)
    base = moments[(entry.on or entry.version - 1) - 1]
    if isinstance(act, TakenBack):
        is_out = base.revealed or moments[-1].revealed
        return msgspec.structs.replace(base, version=entry.version, revealed=is_out)
    return Moment(entry.version, base.state, entry.version, base.draws, revealed=True)


def first_draw(moments: Sequence[Moment], entry: Entry) -> int:
    """Return the number of an entry's first server draw; a repeated act keeps those it had."""
    return moments[(entry.repeats or entry.version) - 2].draws


def _draws_kept(moments: Sequence[Moment], entry: Entry, base: Moment) -> int:
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
        return len(self.entries)

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

    def append(self, entry: Entry, state: Any = None) -> Moment:
        """Fold a stored entry on; `state` is the one after it, where that is known already.

        Raises: ValueError unless it is the next version.
        """
        if entry.version != len(self.entries) + 1:
            raise ValueError(f"version {entry.version} can not follow version {len(self)}")
        return self.add(entry, step(self.ruleset, self.moments, entry, state))

    def add(self, entry: Entry, moment: Moment) -> Moment:
        """Add a stored entry, the next one, whose moment is known."""
        self.entries.append(entry)
        self.moments.append(moment)
        return moment

    def effective(self, version: int | None = None) -> tuple[int, ...]:
        """Return what still counts at a version (the head when None), oldest first.

        Takings back are not among them: they lead to what they went back to.
        """
        return tuple(self.backwards(version))[::-1]

    def since(self, place: int, version: int | None = None) -> tuple[int, ...] | None:
        """Return what counts at a version (the head when None) after a place, oldest first.

        None when the entry at that place is no part of that history.
        """
        later: list[int] = []
        for each in self.backwards(version):
            if each <= place:
                return tuple(reversed(later)) if each == place else None
            later.append(each)
        return None

    def redo(self, version: int | None = None) -> int | None:
        """Return what going forth again at a version (the head when None) leads to.

        None unless the entry there is a taking back with something left to bring back.
        """
        left: list[int] = []
        for at in self._run(len(self) if version is None else version):
            place, before = self.moments[at - 1].place, self.moments[at - 2].place
            if place in left:
                del left[left.index(place) :]
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
        place = (self.head if version is None else self.at(version)).place
        while place:
            yield place
            before = self.entries[place - 1].on or place - 1
            place = self.moments[before - 1].place if before else 0

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
    if timeline.at(act.to).place == timeline.head.place:
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
    return _play_of(ruleset)(moment.state, act)


@lru_cache(maxsize=64)
def _play_of(ruleset: Ruleset) -> Play:
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
) -> Entry:
    """Return an act as the next entry of a log: judged, with consequences and digest.

    `irregular` lets an act stand that is against the rules; `repeats` names the entry it
    records again. The timeline is left as it is.

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
    state = step(ruleset, timeline.moments, entry, after).state
    return msgspec.structs.replace(entry, digest=timeline.digest(state))


# -- proof ----------------------------------------------------------------------------


class Divergence(msgspec.Struct, frozen=True, gc=False):
    """The first entry that a replay does not bear out.

    `what`: `version`, `on`, `repeats`, `verdict`, `consequences`, `digest` or `draw`; `stored`
    is what the log says, `found` what the rules make of it.
    """

    version: int
    what: str
    stored: str
    found: str

    def __str__(self) -> str:
        return f"entry {self.version}: {self.what} is {self.stored}, replay gives {self.found}"


def check(
    ruleset: Ruleset,
    entries: Sequence[Entry],
    seed: bytes | None = None,
    seen: Callable[[int], object] = lambda version: None,
) -> Divergence | None:
    """Decide every act again and return the first entry that differs, or None.

    `seen` is told the version of each entry that holds.

    Compares version, `on`, `repeats`, verdict, consequences and digest, and every server draw
    once the seed is known: it is taken from `seed-revealed` when not given. A repeated act is
    compared with the one it repeats instead of the seed.
    """
    timeline = Timeline(ruleset)
    repeatable, play = Repeatable(timeline), _play_of(ruleset)
    seed = seed or _revealed_seed(entries)
    head: Moment | None = None
    for entry in entries:
        if head is None or of_log(type(entry.act)):
            if found := _check_of_log(timeline, repeatable, entry):
                return found
            head = timeline.append(entry)
            repeatable.follow(entry)
        else:
            checked = _check_act(timeline, repeatable, play, head, entry, seed)
            if isinstance(checked, Divergence):
                return checked
            head = timeline.add(entry, checked)
            if repeatable.left:
                repeatable.follow(entry)
        digest = timeline.digest(head.state)
        if digest != entry.digest:
            return Divergence(entry.version, "digest", entry.digest, digest)
        seen(entry.version)
    return None


def _out_of_place(timeline: Timeline, repeatable: "Repeatable", entry: Entry) -> Divergence | None:
    """Compare where an entry says it stands: its version, `on` and `repeats`."""
    version = entry.version
    if version != len(timeline.entries) + 1:
        return Divergence(version, "version", str(version), str(len(timeline) + 1))
    on = entry.act.to if isinstance(entry.act, TakenBack) else None
    if entry.on != on:
        return Divergence(version, "on", str(entry.on), str(on))
    if entry.repeats is not None and (why := repeatable.wrong(entry.act, entry.repeats)):
        return Divergence(version, "repeats", str(entry.repeats), why)
    return None


def _check_of_log(timeline: Timeline, repeatable: "Repeatable", entry: Entry) -> Divergence | None:
    """Judge an act again that belongs to every log, or that comes before one is open."""
    if found := _out_of_place(timeline, repeatable, entry):
        return found
    verdict = judge(timeline.ruleset, timeline, entry.act)
    if verdict.code != entry.irregular or verdict.call == "impossible":
        return _other_verdict(entry, verdict)
    return _other_consequences(entry, ()) if entry.consequences else None


def _check_act(
    timeline: Timeline,
    repeatable: "Repeatable",
    play: Play,
    head: Moment,
    entry: Entry,
    seed: bytes | None,
) -> Divergence | Moment:
    """Judge and decide an act of the game again; return what differs, or the state after it."""
    ruleset, state, act, version = timeline.ruleset, head.state, entry.act, entry.version
    goes_on = version == head.version + 1 and entry.on is None and entry.repeats is None
    if not goes_on and (found := _out_of_place(timeline, repeatable, entry)):
        return found
    verdict = ruleset.judge(state, act)
    if verdict.code != entry.irregular or verdict.call == "impossible":
        return _other_verdict(entry, verdict)
    consequences, after = play(state, act)
    if consequences != entry.consequences:
        return _other_consequences(entry, consequences)
    draws = head.draws
    if entry.repeats is not None:
        draws = _draws_kept(timeline.moments, entry, head)
    elif drawn := ruleset.draws(state, act):
        if seed and (found := _check_draws(head, entry, drawn, seed)):
            return found
        draws += len(drawn)
    return Moment(version, after, version, draws, head.revealed)


def _other_verdict(entry: Entry, verdict: Verdict) -> Divergence:
    stored = f"irregular {entry.irregular}" if entry.irregular else "legal"
    return Divergence(entry.version, "verdict", stored, f"{verdict.call} {verdict.code}".rstrip())


def _other_consequences(entry: Entry, found: tuple[Consequence, ...]) -> Divergence:
    return Divergence(entry.version, "consequences", _text(entry.consequences), _text(found))


def _check_draws(
    head: Moment, entry: Entry, drawn: Sequence[Draw], seed: bytes
) -> Divergence | None:
    """Compare the server draws of an entry with those the seed gives."""
    log = head.state.setup.log
    for field, found in fair.fallen(drawn, seed=seed, log=log, n=head.draws).items():
        stored = getattr(entry.act, field)
        if stored != found:
            return Divergence(entry.version, "draw", f"{field}={stored}", str(found))
    return None


class Repeatable:
    """Which entries an act may name as the one it repeats, while a log is read entry by entry.

    A correction is a taking back, the new act unless one was struck out, and then later acts
    that counted before it, in their order, at most once each; always the entry in which the
    act was recorded first.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.left: dict[int, int] = {}
        """Entries left aside, each with its place among them: nothing may be repeated without."""
        self._next = 0
        self._may_replace = False

    def follow(self, entry: Entry) -> None:
        """Go on by an entry just added to the timeline."""
        if isinstance(entry.act, TakenBack):
            self._leave(entry.version)
        elif entry.repeats is not None:
            self._next = self.left[entry.repeats] + 1
            self._may_replace = False
        elif self._may_replace and not isinstance(entry.act, SeedRevealed):
            self._may_replace = False
        elif self.left:
            self.left = {}

    def wrong(self, act: Act, repeats: int | None) -> str:
        """Say what the next entry should name instead; empty when it may repeat this one."""
        if repeats is None:
            return ""
        if self.left.get(repeats, -1) < self._next:
            open_ = [str(each) for each, place in self.left.items() if place >= self._next]
            return f"one of {', '.join(open_[:20])}" if open_ else "none"
        return "" if self._timeline.entries[repeats - 1].act == act else "another act there"

    def _leave(self, version: int) -> None:
        """Take note of what a taking back left aside; its first act is the corrected one."""
        place = self._timeline.at(version).place
        later = self._timeline.since(place, version - 1) or ()
        entries = [self._timeline.entries[each - 1] for each in later[1:]]
        again = [each for each in entries if not isinstance(each.act, SeedRevealed)]
        self.left = {each.repeats or each.version: n for n, each in enumerate(again)}
        self._next, self._may_replace = 0, True


def _revealed_seed(entries: Sequence[Entry]) -> bytes | None:
    """Return the seed that a log reveals, when it is the one the log promised."""
    opened = entries[0].act if entries else None
    if not isinstance(opened, Opened):
        return None
    seeds = [entry.act.seed for entry in entries if isinstance(entry.act, SeedRevealed)]
    kept = [seed for seed in seeds if fair.keeps(opened.commitment, seed)]
    return fair.seed_bytes(kept[0]) if kept else None


def _text(consequences: tuple[Consequence, ...]) -> str:
    return msgspec.json.encode(consequences).decode()


# -- under other options --------------------------------------------------------------


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
