"""Correct an older act of a log by rebase: the acts after it are judged again.

A correction appends a taking back to the state before the act, the new act (none if it is struck
out), and each later act that was still effective, with fresh consequences. A repeated act is the
same act, with the draws it was recorded with; it may now be against the rules, or no longer so. An
act that has become impossible is left out. A seed once revealed stays revealed and is not revealed
again.
"""

from collections.abc import Callable, Container, Iterable, Iterator

import msgspec

from rules import replay
from rules.replay import ActRefusedError, Entry, Moment, Timeline
from rules.ruleset import Act, Opened, SeedRevealed, TakenBack, Verdict

Draw = Callable[[Moment, Act], Act]
"""Returns an act with the server draws that it asks for at a moment filled in."""


class RebaseStep(msgspec.Struct, frozen=True):
    """What becomes of an effective entry: `before` → `after`, None if it has no successor.

    `why`: the verdict because of which a later act is left out.
    """

    before: int
    after: int | None
    why: Verdict | None = None


class Plan(msgspec.Struct, frozen=True):
    """A correction as it will be recorded: the entries to append, and what becomes of each act.

    `timeline` is the log including them; the first step is that of the corrected act.
    """

    timeline: Timeline
    entries: tuple[Entry, ...]
    steps: tuple[RebaseStep, ...]

    @property
    def left_out(self) -> tuple[RebaseStep, ...]:
        """The later acts that have become impossible."""
        return tuple(step for step in self.steps[1:] if step.after is None)


def correctable(timeline: Timeline, version: int) -> bool:
    """Tell whether an entry holds an act of the game that is still effective."""
    act = timeline.entries[version - 1].act
    return version in timeline.effective() and not isinstance(
        act, Opened | TakenBack | SeedRevealed
    )


def rebase(
    timeline: Timeline,
    version: int,
    act: Act | None,
    *,
    note: str = "",
    irregular: bool = False,
    draw: Draw | None = None,
) -> Plan:
    """Return the plan to replace an entry's act by a new one, or to strike it out (None).

    `note`: the salted hash of the reason; `irregular` lets the new act stand against the rules;
    `draw` makes the server draws it asks for. The timeline itself is not changed.
    Raises: ActRefusedError for the new act, ValueError for an entry that is not `correctable`.
    """
    if not correctable(timeline, version):
        raise ValueError(f"entry {version} cannot be corrected")
    fresh = timeline.copy()
    source = timeline.at(version - 1).source
    _append(fresh, TakenBack(to=source, note=note))
    if act is not None:
        drawn = draw(fresh.head, act) if draw else act
        _append(fresh, drawn, irregular=irregular)
    steps = [RebaseStep(version, len(fresh) if act is not None else None)]
    steps += [_again(fresh, later) for later in _later(timeline, version)]
    return Plan(fresh, tuple(fresh.entries[len(timeline) :]), tuple(steps))


def _later(timeline: Timeline, version: int) -> list[Entry]:
    later = (timeline.entries[each - 1] for each in timeline.since(version) or ())
    return [entry for entry in later if not isinstance(entry.act, SeedRevealed)]


def _again(fresh: Timeline, entry: Entry) -> RebaseStep:
    """Record an act again, or report why it has become impossible."""
    origin = entry.repeats or entry.version
    try:
        _append(fresh, entry.act, irregular=True, repeats=origin)
    except ActRefusedError as refused:
        return RebaseStep(entry.version, None, refused.verdict)
    return RebaseStep(entry.version, len(fresh))


def _append(
    fresh: Timeline, act: Act, *, irregular: bool = False, repeats: int | None = None
) -> None:
    ruleset = fresh.ruleset
    fresh.add(*replay.entry_after(ruleset, fresh, act, irregular=irregular, repeats=repeats))


# -- what became of an entry ----------------------------------------------------------


def replacements(
    timeline: Timeline, upto: int, corrections: Container[int]
) -> Iterator[tuple[int, int]]:
    """Yield every corrected entry with the one that replaced it, up to a version.

    `corrections` are takings back known to begin a correction; others are recognised by the
    repeated acts that follow. An act struck out has no replacement.
    """
    entries = timeline.entries[:upto]
    for back, new, *after in (entries[at : at + 3] for at in range(len(entries) - 1)):
        if not isinstance(back.act, TakenBack) or new.repeats is not None:
            continue
        if isinstance(new.act, TakenBack | SeedRevealed):
            continue
        if back.version in corrections or any(each.repeats is not None for each in after):
            left = timeline.since(timeline.at(back.version).source, back.version - 1)
            if left:
                yield left[0], new.version


def successors(
    timeline: Timeline, upto: int, replaced: Iterable[tuple[int, int]]
) -> dict[int, int]:
    """Return, for the entries up to a version, the effective entry that now stands for each.

    An effective entry stands for itself; an act recorded again is represented by its latest
    repetition; a corrected one by its replacement (`replacements`). Entries that were taken back,
    struck out or left out are missing.
    """
    origins = [entry.repeats or entry.version for entry in timeline.entries[:upto]]
    stands = {origins[version - 1]: version for version in timeline.effective(upto)}
    for old, new in sorted(replaced, reverse=True):
        if origins[new - 1] in stands:
            stands.setdefault(origins[old - 1], stands[origins[new - 1]])
    return {n: stands[origin] for n, origin in enumerate(origins, 1) if origin in stands}
