"""A match as it is shown: one of its moments, through the eyes of an audience."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import rules
from matches import cuts, selectors
from matches.errors import NotFound
from matches.models import Match
from matches.narration import Chapter, Line, Narrator, names_of, narrator
from matches.policy import Actor
from rules import texts
from rules.replay import Timeline
from rules.ruleset import (
    Audience,
    Consequence,
    Offer,
    Outcome,
    Ruleset,
    SeedRevealed,
    TakenBack,
    event_type,
)

MOST_LINES = 200  # of the log, on one page


@dataclass(frozen=True)
class Track:
    """Where turns and pulses begin along a log, and which entries were taken back."""

    turns: list[int]
    pulses: list[int]
    undone: list[int]


def track_of(timeline: Timeline, last: int) -> Track:
    """Return the track of a log's first `last` entries; a game may know no turns or pulses."""
    states = [moment.state for moment in timeline.moments[:last]]
    turns = [getattr(state, "turn", None) for state in states]
    pulses = [(getattr(state, "turn", None), getattr(state, "pulse", None)) for state in states]
    acts = {e.version for e in timeline.entries[:last] if not isinstance(e.act, TakenBack)}
    undone = sorted(acts - set(timeline.effective(last)))
    return Track(_changes(turns), _changes(pulses), undone)


def _changes(values: Sequence[Any]) -> list[int]:
    """Return the versions, from 1, whose value is another than the one before; always the first."""
    return [n for n, value in enumerate(values, 1) if n == 1 or value != values[n - 2]]


@dataclass(frozen=True)
class Scene:
    """One moment of a match. `last` is the newest version this audience is shown.

    `eyes`: whose they are, where one asked for those of another.
    """

    match: Match
    audience: Audience
    version: int
    last: int
    eyes: Audience | None = None

    @cached_property
    def ruleset(self) -> Ruleset:
        return rules.get(self.match.log.ruleset)

    @cached_property
    def timeline(self) -> Timeline:
        return selectors.timeline(self.match)

    @cached_property
    def state(self) -> Any:
        return self.timeline.at(self.version).state

    @property
    def digest(self) -> str:
        return self.timeline.entries[self.version - 1].digest

    @cached_property
    def view(self) -> dict[str, Any]:
        """The board as plain data, as the ruleset lets this audience see it."""
        return self.ruleset.view(self.state, self.audience)

    @cached_property
    def names(self) -> Mapping[int, str]:
        return names_of(self.match)

    @cached_property
    def sides(self) -> list[dict[str, Any]]:
        """The sides of the board, each with the `name` of who sits there."""
        sides = self.view["seats"]
        return [side | {"name": self.names.get(side["seat"], side["label"])} for side in sides]

    @cached_property
    def headline(self) -> str:
        return self.ruleset.headline(self.state, self.names)

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.ruleset.outcome(self.state)

    @property
    def why(self) -> str:
        """How the match ended, in words."""
        if self.outcome is None:
            return ""
        winners = {"winners": self.outcome.winners}
        return texts.sentence(self.ruleset.texts, self.outcome.why, winners, self.names)

    @property
    def winners(self) -> list[str]:
        return [self.names[seat] for seat in self.outcome.winners] if self.outcome else []

    @property
    def live(self) -> bool:
        return self.outcome is None and self.version == self.last

    @property
    def ended(self) -> bool:
        return self.outcome is not None

    @cached_property
    def over(self) -> bool:
        """Whether the match had ended at the newest entry this audience is shown."""
        return self.ruleset.outcome(self.timeline.at(self.last).state) is not None

    @property
    def held_back(self) -> bool:
        """Whether this audience is not shown all there is."""
        return self.last < self.match.log.head_version

    @property
    def past(self) -> bool:
        return self.version < self.last

    @property
    def earlier(self) -> int | None:
        return self.version - 1 if self.version > 1 else None

    @property
    def later(self) -> int | None:
        return self.version + 1 if self.past else None

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        return selectors.offers(self.timeline, self.state, self.audience)

    @cached_property
    def narrator(self) -> Narrator:
        return narrator(self.match, self.timeline, self.audience)

    @cached_property
    def line(self) -> Line:
        """The entry that made this moment, told; a seed revealed after the end does not count."""
        version = self.version
        while isinstance(self.timeline.entries[version - 1].act, SeedRevealed):
            version -= 1
        return self.narrator.line(version)

    @cached_property
    def since(self) -> int:
        """The first entry the log shows; what is older is a link away."""
        return max(1, self.version - MOST_LINES + 1)

    @cached_property
    def chapters(self) -> list[Chapter]:
        """The log up to this moment, by turn."""
        return self.narrator.chapters(range(self.since, self.version + 1), self.version)

    @property
    def spins(self) -> bool:
        """Whether anything is spun or drawn in this game."""
        return any("spin" in kind.__struct_fields__ for kind in self.ruleset.acts)

    @property
    def tag(self) -> str:
        """What an answer about the newest entry is known by."""
        log, entry = self.match.log, self.timeline.entries[self.last - 1]
        return selectors.tag(
            self.last, log.head_hash if self.last == log.head_version else entry.digest
        )

    def changes(self, after: int) -> list[Chapter]:
        """The log's lines that read differently since a version, by turn."""
        changed = self.narrator.changed(min(after, self.version), self.version)
        return self.narrator.chapters([v for v in changed if v >= self.since], self.version)

    @cached_property
    def track(self) -> Track:
        """The way along the whole log, up to the newest entry this audience is shown."""
        return track_of(self.timeline, self.last)

    @cached_property
    def consequences(self) -> Mapping[str, list[tuple[int, Consequence]]]:
        """The consequences that count at this moment, by type, each with its version."""
        found: dict[str, list[tuple[int, Consequence]]] = {}
        for version in self.timeline.effective(self.version):
            for consequence in self.timeline.entries[version - 1].consequences:
                found.setdefault(event_type(consequence), []).append((version, consequence))
        return found

    @cached_property
    def undo(self) -> Line | None:
        """The act that taking back would take back, None before the first."""
        return self.narrator.line(self._recorded[-1]) if len(self._recorded) > 1 else None

    @cached_property
    def undo_to(self) -> int:
        """The version that taking back goes back to."""
        return self._recorded[-2]

    @cached_property
    def _recorded(self) -> list[int]:
        """The versions that count, without what the site added: that goes back with its act."""
        entries = self.timeline.entries
        history = self.timeline.effective(self.version)
        return [v for v in history if not isinstance(entries[v - 1].act, SeedRevealed)]


def scene_of(
    actor: Actor, match: Match, at: int | None = None, as_: Audience | None = None
) -> Scene:
    """Return a match as an actor may see it now, or at a version, or with other eyes.

    With the public's eyes it ends where the public is held back.
    Raises: NotFound, NotAllowed.
    """
    last, audience = selectors.cut(actor, match, as_=as_)
    if as_ == "public":
        last = cuts.public_version(match.log)
    if not last:
        raise NotFound("Nothing of this match is public yet.", "no-such-entry")
    if at is not None and not 1 <= at <= last:
        raise NotFound(f"There is no entry {at}: the log has 1 to {last}.", "no-such-entry")
    return Scene(match, audience, at or last, last, as_)
