"""The clock of a round: when its time is up, allowing for pauses and extra minutes.

The desk's log has no clock: acts say what happened, and the times are those its entries were
recorded at. The length of a round is the tournament's setting.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from django.utils import timezone

from league import desks
from league.models import Tournament
from rules.desk.acts import (
    ClockPaused,
    ClockResumed,
    RoundClosed,
    RoundPublished,
    TimeCalled,
    TournamentClosed,
)
from rules.desk.state import Desk, Table, open_round, round_at, round_under_way
from rules.replay import Timeline
from rules.ruleset import Act


@dataclass(frozen=True)
class Timer:
    """The open round's clock: when it `ends` (if resumed now, while `paused`)."""

    ends: datetime
    paused: datetime | None = None

    @property
    def left(self) -> timedelta:
        """Return how much time is left, at least zero."""
        return max(self.ends - (self.paused or timezone.now()), timedelta())

    @property
    def left_text(self) -> str:
        """Return how much time is left as on a clock: 12:05."""
        seconds = int(self.left.total_seconds())
        return f"{seconds // 60}:{seconds % 60:02d}"

    def at(self, table: Table) -> "Timer":
        """Return the clock of a table, with its own extra minutes."""
        return Timer(self.ends + timedelta(minutes=table.extra), self.paused)


def timer_of(tournament: Tournament, desk: Desk, at: int) -> Timer | None:
    """Return the open round's clock as of a version; None if it has none, or time was called."""
    number, minutes = round_under_way(desk), tournament.round_minutes
    if not number or not minutes or desk.closed:
        return None
    current = round_at(desk, number)
    if current.timed:
        return None
    acts = _turns(desks.timeline(tournament), at).get(number, [])
    times = _times(tournament, acts)
    return timer_from(acts, times, timedelta(minutes=minutes + current.extra))


def timer_at(
    tournament: Tournament, desk: Desk, at: int, number: int, table: Table
) -> Timer | None:
    """Return the clock of a round's table; None once it has a result, or without a clock."""
    if table.status != "open" or open_round(desk) != number:
        return None
    timer = timer_of(tournament, desk, at)
    return timer.at(table) if timer else None


def waits(tournament: Tournament, at: int) -> dict[int, timedelta]:
    """Return how long each round's clock was paused as of a version, up to now if it still is."""
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
    """Return the acts that start, pause, resume and end each round's clock, in order."""
    found: dict[int, list[Turn]] = defaultdict(list)
    number = 0
    for entry in folded.history(at):
        if isinstance(entry.act, TURNS):
            # closing the tournament ends the last round's clock
            number = getattr(entry.act, "round", number)
            found[number].append((entry.version, entry.act))
    return found


def _times(tournament: Tournament, acts: Iterable[Turn]) -> dict[int, datetime]:
    return desks.recorded_at(tournament.pk, [version for version, _ in acts])


def _is_ever_paused(acts: Sequence[Turn]) -> bool:
    return any(isinstance(act, ClockPaused) for _, act in acts)


def _are_timed(acts: Sequence[Turn], times: Mapping[int, datetime]) -> bool:
    """Return whether the times of all acts are known."""
    return all(version in times for version, _ in acts)


def timer_from(
    acts: Sequence[Turn], times: Mapping[int, datetime], lasts: timedelta
) -> Timer | None:
    """Return a round's clock from the acts that moved it and when these were recorded."""
    if not acts or not _are_timed(acts, times):
        return None
    waited, paused = _waited(acts, times)
    return Timer(times[acts[0][0]] + lasts + waited, paused)


def _waited(
    acts: Sequence[Turn], times: Mapping[int, datetime]
) -> tuple[timedelta, datetime | None]:
    """Return how long a clock was paused in all, and since when it is paused now."""
    waited, since = timedelta(), None
    for version, act in acts:
        when = times[version]
        if isinstance(act, ClockPaused):
            since = when
        elif since is not None:
            waited, since = waited + (when - since), None
    return waited, since
