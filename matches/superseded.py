"""What became of entries that no longer count, and which entries replaced them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.utils.translation import gettext_lazy

from rules import texts
from rules.replay import Entry, Timeline
from rules.ruleset import SeedRevealed, TakenBack

Kind = Literal["taken back", "corrected", "recorded again", "left out"]
TOLD: Mapping[Kind, Any] = {
    "taken back": gettext_lazy("taken back"),
    "corrected": gettext_lazy("corrected"),
    "recorded again": gettext_lazy("recorded again"),
    "left out": gettext_lazy("left out"),
}


@dataclass(frozen=True)
class Fate:
    """Why an entry no longer counts: `by` is the taking back, `now` what replaced it then.

    `why`: the sentence that says why it was left out.
    """

    kind: Kind
    by: int
    now: int | None = None
    why: str = ""

    @property
    def text(self) -> str:
        return str(TOLD[self.kind])


@dataclass(frozen=True)
class Fates:
    """A log's entries that no longer count, by version, and the entries that replace others."""

    of: Mapping[int, Fate] = field(default_factory=dict)
    in_place_of: Mapping[int, int] = field(default_factory=dict)


def counting(timeline: Timeline, upto: int) -> set[int]:
    """Return the versions that count at a version: a seed that is out is never taken back."""
    entries = timeline.entries[:upto]
    out = (entry.version for entry in entries if isinstance(entry.act, SeedRevealed))
    return {*timeline.effective(upto), *out}


def fates_of(
    timeline: Timeline, upto: int, replaced: Mapping[int, int], names: Mapping[int, str]
) -> Fates:
    """Return what became of the entries up to a version; `replaced` as `rebase.replacements`.

    `names`: who sits in which seat.
    """
    found: dict[int, Fate] = {}
    counts: set[int] = set()
    for entry in timeline.entries[:upto]:
        if not isinstance(entry.act, TakenBack):
            counts.add(entry.version)
            continue
        now = counting(timeline, entry.version)
        gone = sorted(counts - now)
        found |= _fates(timeline, entry.version, upto, gone, replaced, names)
        counts = now
    of = {version: fate for version, fate in found.items() if version not in counts}
    again = {e.version: e.repeats for e in timeline.entries[:upto] if e.repeats is not None}
    return Fates(of, again | {new: old for old, new in replaced.items()})


def _fates(
    timeline: Timeline,
    back: int,
    upto: int,
    gone: list[int],
    replaced: Mapping[int, int],
    names: Mapping[int, str],
) -> dict[int, Fate]:
    """Return what a taking back, with the correction it may begin, made of the entries `gone`."""
    first, *later = gone or [0]
    new = back + 1 if replaced.get(first) == back + 1 else None
    start = back if new is None else new
    again = {entry.repeats: entry for entry in _repeated(timeline, start, upto)}
    if new is None and not again:
        return {version: Fate("taken back", back) for version in gone}
    found = {first: Fate("corrected" if new else "taken back", back, new)}
    reached = start
    for version in later:
        entry = timeline.entries[version - 1]
        repeated = again.get(entry.repeats or version)
        if repeated is not None:
            reached = repeated.version
            found[version] = Fate("recorded again", back, reached)
        else:
            why = _impossible(timeline, reached, entry, names)
            found[version] = Fate("left out", back, why=why)
    return found


def _repeated(timeline: Timeline, start: int, upto: int) -> Iterator[Entry]:
    """Yield the entries right after one that repeat others."""
    for entry in timeline.entries[start:upto]:
        if entry.repeats is None:
            return
        yield entry


def _impossible(timeline: Timeline, reached: int, entry: Entry, names: Mapping[int, str]) -> str:
    """Return why an act could not be repeated after an entry."""
    ruleset = timeline.ruleset
    verdict = ruleset.judge(timeline.at(reached).state, entry.act)
    return texts.of_finding(ruleset.texts, verdict, names) if verdict.code else ""
