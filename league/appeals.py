"""Appeals: until when a ruling may be appealed, and which officials decide.

The desk's log has no clock: the time of a ruling is when its entry was recorded.
"""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext

from league import clocks, desks, policy
from league.models import Tournament
from league.rulings import rulings_at
from matches.actors import Actor
from matches.errors import Conflict, NotAllowed
from matches.models import Event
from rules.desk.acts import AppealRejected, ResultCorrected, Ruled, RulingAppealed
from rules.desk.state import Desk, State, open_appeals, table_of
from rules.replay import Timeline
from rules.ruleset import Act


def permit(timeline: Timeline, by: Actor, tournament: Tournament, act: Act) -> None:
    """Require an appeal to be in time, and its decision to come from another official.

    If there is no other, the official who ruled decides. Raises: Conflict, NotAllowed.
    """
    if isinstance(act, RulingAppealed):
        _require_in_time(timeline, tournament, act)
    elif isinstance(act, Ruled | ResultCorrected | AppealRejected):
        require_another(timeline, by, tournament, act.round, act.table)


def require_another(
    timeline: Timeline, by: Actor, tournament: Tournament, number: int, table: int
) -> None:
    """Raises: NotAllowed for who ruled on a table with an open appeal, if another can decide."""
    found = table_of(timeline.head.state.desk, number, table)
    is_open = found is not None and found.appeal == "open"
    if is_open and not may_decide(timeline, by, tournament, number, table):
        text = gettext("You ruled here: another official decides the appeal.")
        raise NotAllowed("own-ruling", text)


def permit_undo(timeline: Timeline, by: Actor, tournament: Tournament, to: int) -> None:
    """Require that who ruled does not make an open appeal undone by going back to a version.

    Raises: NotAllowed.
    """
    if not 1 <= to <= len(timeline.entries):
        return  # a version that does not exist is refused elsewhere
    before: Desk = timeline.at(to).state.desk
    for number, table in open_appeals(timeline.head.state.desk):
        was = table_of(before, number, table.number)
        if was is not None and was.appeal == "open":
            continue
        if not may_decide(timeline, by, tournament, number, table.number):
            text = gettext("That undoes an appeal of what you ruled: another official decides it.")
            raise NotAllowed("own-ruling", text)


def _require_in_time(timeline: Timeline, tournament: Tournament, act: RulingAppealed) -> None:
    end = until(timeline, tournament, act.round, act.table)
    if end is not None and end < timezone.now():
        text = gettext("The ruling could be appealed until {end}.")
        raise Conflict("too-late", text.format(end=clocks.format_time(end, tournament.timezone)))


def until(timeline: Timeline, tournament: Tournament, number: int, table: int) -> datetime | None:
    """Return until when the ruling at a table may be appealed; None if it may not."""
    state: State = timeline.head.state
    found = table_of(state.desk, number, table)
    ruling = _ruling(timeline, tournament, number, table)
    if found is None or found.appeal != "may" or ruling is None or ruling.recorded_at is None:
        return None
    return ruling.recorded_at + timedelta(minutes=state.setup.options.appeal_minutes)


def _ruling(timeline: Timeline, tournament: Tournament, number: int, table: int) -> Event | None:
    """Return the event of the last ruling at a table."""
    for entry in rulings_at(timeline, number, table):
        return Event.objects.filter(log=tournament.pk, version=entry.version, ordinal=0).first()
    return None


def may_decide(
    timeline: Timeline, by: Actor, tournament: Tournament, number: int, table: int
) -> bool:
    """Return whether an official may decide an appeal: against another's ruling, or if alone."""
    ruling = _ruling(timeline, tournament, number, table)
    if by.player is None or ruling is None or ruling.recorded_by != by.player.pk:
        return True
    desk = timeline.head.state.desk
    found = table_of(desk, number, table)
    entries = desks.entries_by_number(tournament, desk)
    players = found.players if found else ()
    here = [one.pk for player in players for one in entries[player].people]
    others = policy.rulers_of(tournament).exclude(pk=by.player.pk)
    return not others.exclude(pk__in=here).exists()
