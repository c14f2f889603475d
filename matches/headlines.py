"""Headlines of matches as the public knows them while something is held back, for lists.

The headline at the head is in the row of the log, written with every append.
"""

from datetime import datetime

from matches import cuts
from matches import log as logs
from matches.corrections import corrected_at
from matches.followers import Follower
from matches.memory import loaded
from matches.models import Headline, Log
from rules.replay import Timeline
from rules.ruleset import SeedRevealed


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
        ended_at=ended_at(log, version) if over else None,
    )


def ended_at(log: Log, version: int) -> datetime | None:
    """Return since when a match that is over at a version had been over then, as its row said.

    A correction counts as a whole, and so does an end with the seed that it reveals: what stood
    between their entries reopened nothing.
    """
    known = loaded(log)
    timeline, corrected = known.timeline, corrected_at(log)
    since = version
    for each in range(version - 1, 0, -1):
        following = timeline.entries[each]
        if each in corrected or following.repeats or isinstance(following.act, SeedRevealed):
            continue
        if timeline.ruleset.outcome(timeline.at(each).state) is None:
            break
        since = each
    return known.recorded()[since - 1][1]
