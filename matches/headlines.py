"""Headlines of matches as the public knows them while something is held back, for lists.

The headline at the head is in the row of the log, written with every append.
"""

from datetime import datetime

from matches import cuts
from matches import log as logs
from matches.followers import Follower
from matches.models import Event, Headline, Log
from rules.replay import Timeline


class Headlines(Follower):
    """Keeps the headline at the public version of each log whose head is not public."""

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        """Nothing is kept for a log that is public at its head."""
        return log.public_version is None

    def project(self, log: Log) -> None:
        last = cuts.public_version(log)
        Headline.objects.filter(log=log).delete()
        if 0 < last < log.head_version:
            line_at(log, last).save(force_insert=True)


def line_at(log: Log, version: int) -> Headline:
    """Return the headline of a log at a version, as an unsaved row."""
    timeline = logs.load(log)
    ruleset, state = timeline.ruleset, timeline.at(version).state
    over = ruleset.outcome(state) is not None
    return Headline(
        log=log,
        version=version,
        **logs.headlines(ruleset, state),
        status=Log.Status.ENDED if over else Log.Status.OPEN,
        ended_at=_ended_at(log, timeline, version) if over else None,
    )


def _ended_at(log: Log, timeline: Timeline, version: int) -> datetime | None:
    """Return when the entry that ended the match was recorded, as believed at a version."""
    history = timeline.effective(version)
    outcome = timeline.ruleset.outcome
    end = next(each for each in history if outcome(timeline.at(each).state) is not None)
    return Event.objects.values_list("recorded_at", flat=True).get(log=log, version=end, ordinal=0)
