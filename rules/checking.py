"""Check a log: decide every act again and find the first entry that a replay contradicts."""

from collections.abc import Callable, Sequence

import msgspec

from rules import fair
from rules.encoding import verdict_text
from rules.replay import Entry, Moment, Play, Timeline, draws_kept, judge, of_log, play_of, step
from rules.ruleset import Act, Consequence, Draw, Opened, Ruleset, SeedRevealed, TakenBack, Verdict


class Divergence(msgspec.Struct, frozen=True, gc=False):
    """The first entry that a replay contradicts.

    `what`: `version`, `on`, `repeats`, `verdict`, `consequences`, `digest` or `draw`; `stored` is
    the value in the log, `found` that of the replay.
    """

    version: int
    what: str
    stored: str
    found: str

    def __str__(self) -> str:
        return f"entry {self.version}: {self.what} is {self.stored}, replay gives {self.found}"


def check(
    ruleset: Ruleset, entries: Sequence[Entry], seed: bytes | None = None
) -> Divergence | None:
    """Decide every act again and return the first entry that differs, or None."""
    return replayed(ruleset, entries, seed)[1]


def replayed(
    ruleset: Ruleset,
    entries: Sequence[Entry],
    seed: bytes | None = None,
    seen: Callable[[int], object] | None = None,
) -> tuple[Timeline, Divergence | None]:
    """Decide every act again; return the log as far as it holds, and the first entry that differs.

    `seen` is called with the version of each entry that holds.

    Compares version, `on`, `repeats`, verdict, consequences and digest, and every server draw if
    the seed is known; by default it is taken from `seed-revealed`. The draws of a repeated act are
    compared with those of the original instead of the seed.
    """
    timeline = Timeline(ruleset)
    repeatable, play = Repeatable(timeline), play_of(ruleset)
    seed = seed or revealed_seed(entries)
    head: Moment | None = None
    for entry in entries:
        if head is None or of_log(type(entry.act)):
            checked, follows = _check_of_log(timeline, repeatable, entry), True
        else:
            checked = _check_act(timeline, repeatable, play, head, entry, seed)
            follows = bool(repeatable.left)
        if not isinstance(checked, Moment):
            return timeline, checked
        digest = timeline.digest(checked.state)
        if digest != entry.digest:
            return timeline, Divergence(entry.version, "digest", entry.digest, digest)
        head = timeline.add(entry, checked)
        if follows:
            repeatable.follow(entry)
        if seen is not None:
            seen(entry.version)
    return timeline, None


def _out_of_place(timeline: Timeline, repeatable: "Repeatable", entry: Entry) -> Divergence | None:
    """Compare an entry's place in the log: its version, `on` and `repeats`."""
    version = entry.version
    if version != len(timeline.entries) + 1:
        return Divergence(version, "version", str(version), str(len(timeline) + 1))
    on = entry.act.to if isinstance(entry.act, TakenBack) else None
    if entry.on != on:
        return Divergence(version, "on", str(entry.on), str(on))
    if entry.repeats is not None and (why := repeatable.wrong(entry.act, entry.repeats)):
        return Divergence(version, "repeats", str(entry.repeats), why)
    return None


def _check_of_log(
    timeline: Timeline, repeatable: "Repeatable", entry: Entry
) -> Divergence | Moment:
    """Judge an act again that belongs to every log, or that comes before one is open.

    Return what differs, or the moment after it.
    """
    if found := _out_of_place(timeline, repeatable, entry):
        return found
    verdict = judge(timeline.ruleset, timeline, entry.act)
    if verdict.code != entry.irregular or verdict.call == "impossible":
        return _other_verdict(entry, verdict)
    if entry.consequences:
        return _other_consequences(entry, ())
    return step(timeline.ruleset, timeline.moments, entry)


def _check_act(
    timeline: Timeline,
    repeatable: "Repeatable",
    play: Play,
    head: Moment,
    entry: Entry,
    seed: bytes | None,
) -> Divergence | Moment:
    """Judge and decide an act of the game again; return what differs, or the moment after it."""
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
        draws = draws_kept(timeline.moments, entry, head)
    elif drawn := ruleset.draws(state, act):
        if seed and (found := _check_draws(head, entry, drawn, seed)):
            return found
        draws += len(drawn)
    return Moment(version, after, version, draws, head.revealed)


def _other_verdict(entry: Entry, verdict: Verdict) -> Divergence:
    found = f"{verdict.call} {verdict.code}".rstrip()
    return Divergence(entry.version, "verdict", verdict_text(entry.irregular), found)


def _other_consequences(entry: Entry, found: tuple[Consequence, ...]) -> Divergence:
    return Divergence(entry.version, "consequences", _text(entry.consequences), _text(found))


def _check_draws(
    head: Moment, entry: Entry, drawn: Sequence[Draw], seed: bytes
) -> Divergence | None:
    """Compare the server draws of an entry with those computed from the seed."""
    log = head.state.setup.log
    for field, found in fair.fallen(drawn, seed=seed, log=log, n=head.draws).items():
        stored = getattr(entry.act, field)
        if stored != found:
            return Divergence(entry.version, "draw", f"{field}={stored}", str(found))
    return None


class Repeatable:
    """Which entries an act may repeat, while a log is read entry by entry.

    A correction is a taking back, the new act unless one was struck out, and then later acts that
    were effective before it, in their order, each at most once; always the entry in which the act
    was first recorded.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.left: dict[int, int] = {}
        """Entries set aside by a correction, each with its index; only they may be repeated."""
        self._next = 0
        self._may_replace = False

    def follow(self, entry: Entry) -> None:
        """Continue with an entry just added to the timeline."""
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
        """Return what the next entry should repeat instead; empty if it may repeat this one."""
        if repeats is None:
            return ""
        if self.left.get(repeats, -1) < self._next:
            open_ = [str(each) for each, place in self.left.items() if place >= self._next]
            return f"one of {', '.join(open_[:20])}" if open_ else "none"
        return "" if self._timeline.entries[repeats - 1].act == act else "another act there"

    def _leave(self, version: int) -> None:
        """Note the entries that a taking back sets aside; the first one is the corrected act."""
        source = self._timeline.at(version).source
        later = self._timeline.since(source, version - 1) or ()
        entries = [self._timeline.entries[each - 1] for each in later[1:]]
        again = [each for each in entries if not isinstance(each.act, SeedRevealed)]
        self.left = {each.repeats or each.version: n for n, each in enumerate(again)}
        self._next, self._may_replace = 0, True


def revealed_seed(entries: Sequence[Entry]) -> bytes | None:
    """Return the seed that a log reveals, if it matches the log's commitment."""
    opened = entries[0].act if entries else None
    if not isinstance(opened, Opened):
        return None
    for entry in reversed(entries):  # in most logs the last act reveals it
        act = entry.act
        if isinstance(act, SeedRevealed) and fair.keeps(opened.commitment, act.seed):
            return fair.seed_bytes(act.seed)
    return None


def _text(consequences: tuple[Consequence, ...]) -> str:
    return msgspec.json.encode(consequences).decode()
