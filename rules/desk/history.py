"""Where in a desk's log its rounds were paired, and what the desk was like then."""

from rules.desk.acts import RoundPaired
from rules.desk.state import Desk
from rules.replay import Timeline


def paired_from(found: Timeline, version: int | None = None) -> tuple[int, ...]:
    """Return the version that each round of a version (the head when None) was paired from."""
    entries = (found.entries[each - 1] for each in found.effective(version))
    return tuple(e.on or e.version - 1 for e in entries if isinstance(e.act, RoundPaired))


def desks_paired(found: Timeline, version: int | None = None) -> tuple[Desk, ...]:
    """Return the desk as it was when each round of a version (the head when None) was paired.

    Who came and went since, and what was corrected, is not in it.
    """
    return tuple(found.at(each).state.desk for each in paired_from(found, version))
