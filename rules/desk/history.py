"""Where in a desk's log its rounds were paired, and the state of the desk then."""

from rules.desk.acts import RoundPaired
from rules.desk.state import Desk
from rules.replay import Timeline


def paired_from(found: Timeline, version: int | None = None) -> tuple[int, ...]:
    """Return the versions that the rounds were paired from, as at a version (default: the head)."""
    paired = (each for each in found.history(version) if isinstance(each.act, RoundPaired))
    return tuple(each.base for each in paired)


def desks_paired(found: Timeline, version: int | None = None) -> tuple[Desk, ...]:
    """Return the desk at the time each round was paired, as at a version (default: the head).

    Later entries, drops and corrections are not in it.
    """
    return tuple(found.at(each).state.desk for each in paired_from(found, version))
