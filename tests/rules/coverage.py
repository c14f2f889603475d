"""What the matches of a test covered."""

from collections import Counter
from collections.abc import Iterable

from rules.replay import Timeline
from rules.ruleset import event_type


def coverage(timelines: Iterable[Timeline]) -> dict[str, Counter[str]]:
    """Count what happened in matches: types offered and recorded, consequences, outcomes."""
    counts: dict[str, Counter[str]] = {
        name: Counter() for name in ("offers", "acts", "consequences", "outcomes")
    }
    for timeline in timelines:
        ruleset = timeline.ruleset
        for entry, moment in zip(timeline.entries, timeline.moments, strict=True):
            counts["acts"][event_type(entry.act)] += 1
            counts["consequences"].update(map(event_type, entry.consequences))
            counts["offers"].update({offer.type for offer in ruleset.options(moment.state)})
        if outcome := ruleset.outcome(timeline.head.state):
            counts["outcomes"][outcome.why] += 1
    return counts
