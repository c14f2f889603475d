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
from rules.replay import along
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
    """An act that would have gone otherwise; `act` is as the scene's audience may see it."""

    scene: Scene
    change: Otherwise
    act: Act

    @property
    def version(self) -> int:
        return self.change.version

    @cached_property
    def told(self) -> str:
        """The act as a sentence."""
        return self._tell(self.act, self.change.states[0])

    @cached_property
    def before(self) -> Judged:
        return self._judged(0)

    @cached_property
    def after(self) -> Judged:
        return self._judged(1)

    def _judged(self, which: int) -> Judged:
        scene, ruleset, change = self.scene, self.scene.ruleset, self.change
        verdict, events = change.calls[which], change.events[which]
        why = texts.of_finding(ruleset.texts, verdict, scene.names) if verdict.code else ""
        followed = along(ruleset, change.states[which], change.act, events) if events else ()
        seen = [(ruleset.hide(event, scene.audience), state) for event, state in followed]
        shown = [(event, state) for event, state in seen if event is not None]
        told = [self._tell(event, state) for event, state in shown]
        return Judged(verdict, why, [event for event, _ in shown], told)

    def _tell(self, event: Any, state: Any) -> str:
        return self.scene.ruleset.tell(event, state, self.scene.names)


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
            yield ChangedAct(scene, change, act)
