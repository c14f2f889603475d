"""The countdown of a slow seat as the logger shows it, in a game that has one.

The log has no clock: a countdown runs since the entry that started it was recorded.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from matches.forms.acts import FormGroup, OfferForm
from matches.scene import Scene
from rules.capabilities import Countdown, SupportsCountdown
from rules.ruleset import Act, event_type


@dataclass(frozen=True)
class RunningCountdown:
    """A countdown under way: the form that records that it is over, and the seconds until then."""

    form: OfferForm
    left: int


@dataclass(frozen=True)
class CountdownDisplay:
    """The countdowns under way, or the form that starts one for the seat that is awaited."""

    running: list[RunningCountdown]
    start: OfferForm | None


def countdown_of(scene: Scene, groups: Sequence[FormGroup]) -> CountdownDisplay | None:
    """Return the countdown of a match among the forms of its offers, None for a game without."""
    if not isinstance(scene.ruleset, SupportsCountdown):
        return None
    countdown = scene.ruleset.countdown(scene.state)
    running = [
        RunningCountdown(form, _seconds_left(scene, countdown, form.seat))
        for form in _forms_of(groups, countdown.expired)
    ]
    starts = (f for f in _forms_of(groups, countdown.started) if f.seat == countdown.awaited)
    return CountdownDisplay(running, next(starts, None))


def _forms_of(groups: Sequence[FormGroup], act: type[Act]) -> list[OfferForm]:
    return [form for group in groups if group.type == event_type(act) for form in group.forms]


def _seconds_left(scene: Scene, countdown: Countdown, seat: int | None) -> int:
    """Return how many seconds a seat has left, 0 if nobody knows when its countdown started."""
    for entry in scene.timeline.backwards(scene.version):
        act = entry.act
        if isinstance(act, countdown.started) and getattr(act, "seat", None) == seat:
            at = scene.narrator.line(entry.version).recorded_at
            gone = int((timezone.now() - at).total_seconds()) if at else countdown.seconds
            return max(0, countdown.seconds - gone)
    return 0
