"""The clock of a round: when its time is up, with what was paused and what was given more.

The desk's log has no clock: it says what happened, its entries when. Minutes are the tournament's.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from django.utils import timezone

from league import desks
from league.models import Tournament
from matches.models import Event
from rules.desk.acts import (
    ClockPaused,
    ClockResumed,
    RoundClosed,
    RoundPublished,
    TimeCalled,
    TournamentClosed,
)
from rules.desk.state import Desk, Table, open_round, round_at
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
    current = round_at(desk, number)
    if not current.published or current.timed:
        return None
    acts = _turns(desks.timeline(tournament), at).get(number, [])
    times = _times(tournament, acts)
    return _told(acts, times, timedelta(minutes=minutes + current.extra))


def timer_at(
    tournament: Tournament, desk: Desk, at: int, number: int, table: Table
) -> Timer | None:
    """Return the clock of a table of a round; None once it is told, and as `timer_of` has none."""
    if table.status != "open" or open_round(desk) != number:
        return None
    timer = timer_of(tournament, desk, at)
    return timer.at(table) if timer else None


def waits(tournament: Tournament, at: int) -> dict[int, timedelta]:
    """Return for how long the clock of each round was paused as of a version, till now if it is."""
    turns = _turns(desks.timeline(tournament), at).items()
    paused = {number: acts for number, acts in turns if _is_ever_paused(acts)}
    if not paused:
        return {}
    times, now = _times(tournament, chain.from_iterable(paused.values())), timezone.now()
    found = {n: _waited(acts, times) for n, acts in paused.items() if _are_timed(acts, times)}
    return {n: waited + (now - (since or now)) for n, (waited, since) in found.items()}


Turn = tuple[int, Act]
TURNS = (RoundPublished, ClockPaused, ClockResumed, TimeCalled, RoundClosed, TournamentClosed)


def _turns(folded: Timeline, at: int) -> dict[int, list[Turn]]:
    """Return the acts that start, stop, go on with and end the clock of each round, in order."""
    found: dict[int, list[Turn]] = defaultdict(list)
    number = 0
    for version in folded.effective(at):
        act = folded.entries[version - 1].act
        if isinstance(act, TURNS):
            number = getattr(act, "round", number)  # a tournament that is closed ends the last
            found[number].append((version, act))
    return found


def _times(tournament: Tournament, acts: Iterable[Turn]) -> dict[int, datetime]:
    rows = Event.objects.filter(log=tournament.pk, version__in=[v for v, _ in acts], ordinal=0)
    return {version: when for version, when in rows.values_list("version", "recorded_at") if when}


def _is_ever_paused(acts: Sequence[Turn]) -> bool:
    return any(isinstance(act, ClockPaused) for _, act in acts)


def _are_timed(acts: Sequence[Turn], times: Mapping[int, datetime]) -> bool:
    """Tell whether it is known of all acts when they were recorded."""
    return all(version in times for version, _ in acts)


def _told(acts: Sequence[Turn], times: Mapping[int, datetime], lasts: timedelta) -> Timer | None:
    if not acts or not _are_timed(acts, times):
        return None
    waited, paused = _waited(acts, times)
    return Timer(times[acts[0][0]] + lasts + waited, paused)


def _waited(
    acts: Sequence[Turn], times: Mapping[int, datetime]
) -> tuple[timedelta, datetime | None]:
    """Return for how long a clock was paused and went on again, and since when it is paused."""
    waited, since = timedelta(), None
    for version, act in acts:
        when = times[version]
        if isinstance(act, ClockPaused):
            since = when
        elif since is not None:
            waited, since = waited + (when - since), None
    return waited, since
