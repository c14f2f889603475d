"""Where in a desk's log its rounds were paired, and the state of the desk then."""

from rules.desk.acts import RoundPaired
from rules.desk.state import Desk
from rules.replay import Timeline


def paired_from(found: Timeline, version: int | None = None) -> tuple[int, ...]:
    """Return the versions that the rounds were paired from, as at a version (default: the head)."""
    entries = (found.entries[each - 1] for each in found.effective(version))
    return tuple(e.on or e.version - 1 for e in entries if isinstance(e.act, RoundPaired))


def desks_paired(found: Timeline, version: int | None = None) -> tuple[Desk, ...]:
    """Return the desk at the time each round was paired, as at a version (default: the head).

    Later entries, drops and corrections are not in it.
    """
    return tuple(found.at(each).state.desk for each in paired_from(found, version))
