"""The clock of a round: when its time is up, with what was paused and what was given more.

The desk's log has no clock: it says what happened, its entries when. Minutes are the tournament's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from league import desks
from league.models import Tournament
from matches.models import Event
from rules.desk.acts import ClockPaused, ClockResumed, RoundPublished
from rules.desk.state import Desk, Table, open_round
from rules.replay import Timeline
from rules.ruleset import Act


@dataclass(frozen=True)
class Timer:
    """The time of the open round: `ends`, if it goes on now where it is `paused` since a moment."""

    ends: datetime
    paused: datetime | None = None

    @property
    def left(self) -> timedelta:
        """How much of it is left, never less than nothing."""
        return max(self.ends - (self.paused or timezone.now()), timedelta())

    @property
    def told_left(self) -> str:
        """How much is left as a clock has it: 12:05."""
        seconds = int(self.left.total_seconds())
        return f"{seconds // 60}:{seconds % 60:02d}"

    def at(self, table: Table) -> "Timer":
        """Return the time of a table, with the minutes it has to itself."""
        return Timer(self.ends + timedelta(minutes=table.extra), self.paused)


def timer_of(tournament: Tournament, desk: Desk, at: int) -> Timer | None:
    """Return the clock of the open round as of a version; None without one, or once time is up."""
    number, minutes = open_round(desk), tournament.round_minutes
    if not number or not minutes or desk.closed:
        return None
    each = desk.rounds[number - 1]
    if not each.published or each.timed:
        return None
    acts = _turns(desks.timeline(tournament), at, number)
    rows = Event.objects.filter(log=tournament.pk, version__in=[v for v, _ in acts], ordinal=0)
    times = {version: when for version, when in rows.values_list("version", "recorded_at") if when}
    return _told(acts, times, timedelta(minutes=minutes + each.extra))


def _turns(folded: Timeline, at: int, number: int) -> list[tuple[int, Act]]:
    """Return the acts that started, stopped and went on with a round's clock, in order."""
    found: list[tuple[int, Act]] = []
    for version in reversed(folded.effective(at)):
        act = folded.entries[version - 1].act
        if isinstance(act, RoundPublished | ClockPaused | ClockResumed) and act.round == number:
            found.insert(0, (version, act))
            if isinstance(act, RoundPublished):
                break
    return found


def _told(
    acts: Sequence[tuple[int, Act]], times: Mapping[int, datetime], lasts: timedelta
) -> Timer | None:
    ends = paused = None
    for version, act in acts:
        when = times.get(version)
        if when is None:
            return None
        if isinstance(act, RoundPublished):
            ends = when + lasts
        elif isinstance(act, ClockPaused):
            paused = when
        elif ends is not None and paused is not None:
            ends, paused = ends + (when - paused), None
    return Timer(ends, paused) if ends is not None else None
