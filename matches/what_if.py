"""A match judged again under other options: what would have gone otherwise, act by act."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
from django.utils.translation import gettext

from matches import canonical
from matches.changes import Ending, ending_of
from matches.errors import Conflict, Impossible
from matches.scene import Scene
from rules import otherwise, texts
from rules.otherwise import Otherwise
from rules.ruleset import Act, Event, SetupError, Verdict


@dataclass(frozen=True)
class Judged:
    """How an act was judged, and what followed; `why` and `told` are both in sentences."""

    verdict: Verdict
    why: str
    consequences: Sequence[Event]
    told: Sequence[str]

    @property
    def sentences(self) -> list[str]:
        return [*filter(None, [self.why]), *self.told]


@dataclass(frozen=True)
class ChangedAct:
    """An act that would have gone otherwise, as the scene's audience may see it."""

    scene: Scene
    change: Otherwise

    @property
    def version(self) -> int:
        return self.change.version

    @property
    def act(self) -> Act:
        return self.change.act

    @cached_property
    def told(self) -> str:
        """The act as a sentence."""
        return self._tell(self.act)

    @cached_property
    def before(self) -> Judged:
        return self._judged(0)

    @cached_property
    def after(self) -> Judged:
        return self._judged(1)

    def _judged(self, which: int) -> Judged:
        scene, verdict = self.scene, self.change.calls[which]
        hide, audience = scene.ruleset.hide, scene.audience
        seen = [hide(event, audience) for event in self.change.events[which]]
        events = [event for event in seen if event is not None]
        why = texts.of_finding(scene.ruleset.texts, verdict, scene.names) if verdict.code else ""
        return Judged(verdict, why, events, [self._tell(event) for event in events])

    def _tell(self, event: Any) -> str:
        return self.scene.ruleset.tell(event, self._state, self.scene.names)

    @cached_property
    def _state(self) -> Any:
        timeline = self.scene.timeline
        entry = timeline.entries[self.version - 1]
        return timeline.at(entry.on or self.version - 1).state


@dataclass(frozen=True)
class WhatIf:
    """What other options would have changed, of `asked` acts, and how the match would stand."""

    asked: int
    changes: Sequence[ChangedAct]
    before: Ending
    after: Ending


def may_be_asked(scene: Scene) -> bool:
    """Tell whether a match is over, as far as its reader may know."""
    return scene.over and not scene.results_off


def what_if(scene: Scene, options: Mapping[str, Any]) -> WhatIf:
    """Judge the acts of a match again; options that are not named keep their values.

    Nothing is recorded. Raises: Conflict while the match goes on; BadInput; Impossible for options
    that it cannot be played with.
    """
    if not may_be_asked(scene):
        raise Conflict("match-under-way", gettext("This can be asked once the match is over."))
    own = msgspec.to_builtins(scene.state.setup.options)
    wanted = canonical.convert({**own, **options}, scene.ruleset.options_type, "$.options")
    try:
        found = otherwise.readjudicate(scene.timeline, wanted, scene.version)
    except SetupError as error:
        verdict = Verdict("impossible", **msgspec.structs.asdict(error.problem))
        text = texts.of_finding(scene.ruleset.texts, verdict, scene.names)
        raise Impossible.of(verdict, text, "$.options") from None
    ends = [ending_of(scene.ruleset, each, scene.names) for each in (scene.state, found.state)]
    return WhatIf(found.asked, list(_seen(scene, found.changes)), *ends)


def _seen(scene: Scene, changes: Sequence[Otherwise]) -> Iterator[ChangedAct]:
    """Yield the acts that the scene's audience may see."""
    for change in changes:
        act = scene.ruleset.hide(change.act, scene.audience)
        if isinstance(act, Act):
            yield ChangedAct(scene, msgspec.structs.replace(change, act=act))
