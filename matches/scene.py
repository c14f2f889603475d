"""A match as it is shown: one of its moments, as an audience sees it."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.http import urlencode
from django.utils.translation import gettext

import rules
from matches import cuts, selectors
from matches import log as logs
from matches.actors import Actor
from matches.errors import NotFound
from matches.models import Match
from matches.narration import Chapter, EntryLine, Narrator, names_of, narrator
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

MAX_LINES = 200  # of the log, on one page


@dataclass(frozen=True)
class Track:
    """Where turns and pulses begin along a log, and which entries were taken back."""

    turns: list[int]
    pulses: list[int]
    undone: list[int]


def track_of(timeline: Timeline, last: int) -> Track:
    """Return the track of a log's first `last` entries; a game may have no turns or pulses."""
    states = [moment.state for moment in timeline.moments[:last]]
    turns = [getattr(state, "turn", None) for state in states]
    pulses = [(getattr(state, "turn", None), getattr(state, "pulse", None)) for state in states]
    acts = {e.version for e in timeline.entries[:last] if not isinstance(e.act, TakenBack)}
    undone = sorted(acts - set(timeline.effective(last)))
    known = any(pulse is not None for _, pulse in pulses)
    return Track(_changes(turns), _changes(pulses) if known else [], undone)


def _changes(values: Sequence[Any]) -> list[int]:
    """Return the versions, from 1, whose value differs from the one before; always the first."""
    return [n for n, value in enumerate(values, 1) if n == 1 or value != values[n - 2]]


@dataclass(frozen=True)
class Scene:
    """One moment of a match. `last` is the newest version this audience is shown.

    `eyes`: the audience, if another than the actor's own was asked for. As it `happened`: entries
    that no longer count are left out; otherwise as it was believed then. `held_back`: there may be
    more than `last`, now or later; nothing here tells whether there is. With `results_off` the
    reader steps from moment to moment, and `last` is where they are.
    """

    match: Match
    audience: Audience
    version: int
    last: int
    eyes: Audience | None = None
    happened: bool = False
    held_back: bool = False
    results_off: bool = False

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
        """The sides of the board, each with the `name` of the player there."""
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
        return texts.of_ending(self.ruleset, self.state, self.outcome, self.names)

    @property
    def winners(self) -> list[str]:
        return [self.names[seat] for seat in self.outcome.winners] if self.outcome else []

    @property
    def live(self) -> bool:
        return self.outcome is None and not (self.past or self.results_off)

    @property
    def ended(self) -> bool:
        return self.outcome is not None

    @cached_property
    def over(self) -> bool:
        """Whether the match had ended at `last`."""
        return self.ruleset.outcome(self.timeline.at(self.last).state) is not None

    @cached_property
    def story(self) -> selectors.Happened:
        """What counts: as it happened, else as it was believed at this moment."""
        return selectors.happened(self.match, self.last if self.happened else self.version)

    @cached_property
    def _moments(self) -> Sequence[int]:
        """The versions that can be shown."""
        return sorted(self.story.counts) if self.happened else range(1, self.last + 1)

    @property
    def past(self) -> bool:
        return self.version < self._moments[-1]

    @property
    def earlier(self) -> int | None:
        at = bisect_left(self._moments, self.version)
        return self._moments[at - 1] if at else None

    @property
    def later(self) -> int | None:
        return self._moments[bisect_right(self._moments, self.version)] if self.past else None

    @property
    def next_act(self) -> int | None:
        """The moment after this one, for a reader with results off; None at the last."""
        more = self.results_off and self.version < cuts.public_version(self.match.log)
        return self.version + 1 if more else None

    @property
    def imported(self) -> int:
        """How many of the shown entries came in a file, which may name anybody as recorder."""
        return min(self.match.log.imported_version, self.last)

    @property
    def query_suffix(self) -> str:
        """The query parameters that links to other moments keep."""
        return "".join(f"&{name}={value}" for name, value in self._parameters(self.happened))

    @property
    def query(self) -> str:
        """The query of a link to the newest moment."""
        return self.query_suffix.replace("&", "?", 1)

    @property
    def other_telling(self) -> str:
        """The query of this moment told the other way: as it happened, or as it was believed."""
        at = [("at", self.version)] if self.past else []
        return "?" + urlencode([*at, *self._parameters(not self.happened)])

    def _parameters(self, happened: bool) -> list[tuple[str, Any]]:
        eyes = [("as", self.eyes)] if self.eyes else []
        return [*eyes, ("happened", 1)] if happened else eyes

    @property
    def differs(self) -> bool:
        """Whether what happened differs from what was recorded."""
        return bool(self.track.undone)

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        return selectors.offers(self.timeline, self.state, self.audience)

    @cached_property
    def narrator(self) -> Narrator:
        return narrator(self.match, self.timeline, self.audience)

    @cached_property
    def line(self) -> EntryLine:
        """The line of the entry that made this moment, other than a seed revealed after the end."""
        version = self.version
        while isinstance(self.timeline.entries[version - 1].act, SeedRevealed):
            version -= 1
        return self.narrator.line(version)

    @cached_property
    def since(self) -> int:
        """The first entry of the log that is shown; older ones are a link away."""
        if self.happened:
            return self._shown[-MAX_LINES:][0]
        return max(1, self.version - MAX_LINES + 1)

    @property
    def _shown(self) -> list[int]:
        return [version for version in self._moments if version <= self.version]

    @cached_property
    def chapters(self) -> list[Chapter]:
        """The log up to this moment, by turn."""
        versions = [version for version in self._shown if version >= self.since]
        return self._by_turn(versions)

    def _by_turn(self, versions: Sequence[int]) -> list[Chapter]:
        story = self.story
        return self.narrator.chapters(
            versions, story.upto, story.replaced, in_a_row=not self.happened
        )

    @property
    def spins(self) -> bool:
        """Whether this game has spins or draws."""
        return any("spin" in kind.__struct_fields__ for kind in self.ruleset.acts)

    @property
    def tag(self) -> str:
        """The ETag of an answer about the newest entry."""
        return selectors.tag(self.match, self.last, logs.hash_at(self.match.log, self.last))

    def changes(self, after: int) -> list[Chapter]:
        """Return the lines of the log that read differently since a version, by turn."""
        changed = self.narrator.changed(min(after, self.version), self.version)
        return self._by_turn([version for version in changed if version >= self.since])

    @cached_property
    def track(self) -> Track:
        """The track of the whole log, up to the newest entry this audience is shown."""
        return track_of(self.timeline, self.last)

    @cached_property
    def consequences(self) -> Mapping[str, list[tuple[int, Consequence]]]:
        """The consequences that count at this moment, by type, each with its version."""
        found: dict[str, list[tuple[int, Consequence]]] = {}
        for entry in self.timeline.history(self.version):
            for consequence in entry.consequences:
                found.setdefault(event_type(consequence), []).append((entry.version, consequence))
        return found


def scene_of(
    actor: Actor,
    match: Match,
    at: int | None = None,
    as_: Audience | None = None,
    *,
    happened: bool = False,
) -> Scene:
    """Return a match as an actor may see it now, or at a version, or as another audience.

    The public's view ends where the public is held back. As it `happened`: at the entry that now
    counts in place of that version. Raises: NotFound, NotAllowed.
    """
    _, audience = selectors.cut(actor, match, as_=as_)
    last = selectors.shown_version(actor, match, at)
    if as_ == "public":
        last = min(last, cuts.public_version(match.log))
    if not last:
        raise NotFound(gettext("Nothing of this match is public yet."), "no-such-entry")
    if at is not None and not 1 <= at <= last:
        raise selectors.no_such_entry(at, last)
    version = at or last
    if happened:
        version = selectors.happened(match, last).at(version)
    held_back = selectors.held_back(actor, match) or (
        as_ == "public" and match.log.public_version is not None
    )
    results_off = actor.results_off and selectors.held_back(actor, match)
    return Scene(match, audience, version, last, as_, happened, held_back, results_off)
