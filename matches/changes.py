"""What a correction changes, for its preview."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from matches import followers
from matches.models import Match
from matches.narration import EntryLine, EventLine, Narrator, names_of
from matches.selectors import is_open
from rules import texts
from rules.rebase import Plan, RebaseStep
from rules.replay import Timeline
from rules.ruleset import Audience, Outcome, Ruleset, Verdict


@dataclass(frozen=True)
class Change:
    """An entry that counted, and what becomes of it: `now` is None if it no longer counts.

    `why`: the sentence that says why a later act is left out, `verdict` its verdict.
    """

    was: EntryLine
    now: EntryLine | None
    verdict: Verdict | None = None
    why: str = ""

    @property
    def is_left_out(self) -> bool:
        return self.verdict is not None

    @property
    def gone(self) -> list[EventLine]:
        """Return the consequences it had and would no longer have."""
        return [line for line in self.was.consequences if line not in self._following]

    @property
    def new(self) -> list[EventLine]:
        """Return the consequences it did not have and would have."""
        return [line for line in self._following if line not in self.was.consequences]

    @property
    def _following(self) -> list[EventLine]:
        return self.now.consequences if self.now else []


@dataclass(frozen=True)
class Ending:
    """How a match stands or ended, in words and as data."""

    headline: str
    outcome: Outcome | None
    why: str = ""


@dataclass(frozen=True)
class Preview:
    """What a correction of entry `version` does to a log at version `head`.

    `corrected` is the change of the act itself, `changes` those of later acts that turn out
    differently or are left out; `same` counts the others, `hidden` those that this audience may not
    see.
    """

    head: int
    version: int
    corrected: Change
    changes: list[Change]
    same: int
    hidden: int
    before: Ending
    after: Ending
    needs_reason: bool
    followers: list[followers.Change]

    @property
    def left_out(self) -> list[Change]:
        return [change for change in self.changes if change.is_left_out]

    @property
    def differing(self) -> list[Change]:
        return [change for change in self.changes if not change.is_left_out]

    @property
    def same_end(self) -> bool:
        return self.before == self.after


def preview_of(
    match: Match, timeline: Timeline, plan: Plan, audience: Audience, *, needs_reason: bool
) -> Preview:
    """Return a plan for a match whose log is `timeline` as a preview for an audience."""
    names = names_of(match)
    was = Narrator(timeline, names, audience=audience)
    now = Narrator(plan.timeline, names, audience=audience)
    corrected, *later = plan.steps
    seen = [step for step in later if _is_seen(plan, step, audience)]
    compared = [_change(was, now, step) for step in seen]
    changes = [change for change in compared if _differs(change)]
    return Preview(
        head=len(timeline),
        version=corrected.before,
        corrected=_change(was, now, corrected),
        changes=changes,
        same=len(compared) - len(changes),
        hidden=len(later) - len(seen),
        before=ending_of(timeline.ruleset, timeline.head.state, names),
        after=ending_of(timeline.ruleset, plan.timeline.head.state, names),
        needs_reason=needs_reason,
        followers=followers.preview(match.log, timeline, plan.timeline),
    )


def _change(was: Narrator, now: Narrator, step: RebaseStep) -> Change:
    new = now.line(step.after) if step.after else None
    if step.why is None:
        return Change(was.line(step.before), new)
    why = texts.of_finding(was.timeline.ruleset.texts, step.why, was.names)
    return Change(was.line(step.before), new, step.why, why)


def _differs(change: Change) -> bool:
    was, now = change.was, change.now
    return now is None or (was.irregular, was.consequences) != (now.irregular, now.consequences)


def _is_seen(plan: Plan, step: RebaseStep, audience: Audience) -> bool:
    ruleset, entries = plan.timeline.ruleset, plan.timeline.entries
    versions = [version for version in (step.before, step.after) if version]
    return all(is_open(ruleset, entries[version - 1], audience) for version in versions)


def ending_of(ruleset: Ruleset, state: Any, names: Mapping[int, str]) -> Ending:
    """Return how a match stands or ended in a state."""
    outcome = ruleset.outcome(state)
    if outcome is None:
        return Ending(ruleset.headline(state, names), None)
    why = texts.of_ending(ruleset, state, outcome, names)
    return Ending(ruleset.headline(state, names), outcome, why)
