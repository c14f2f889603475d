"""Rulings by officials: which of them may rule on what.

Officials settle nothing at their own table. Organisers may rule there nevertheless, since a small
cup has nobody else; pages then show it (`league/decided.py`).
"""

from collections.abc import Iterator

from django.utils.translation import gettext

from league import desks, policy
from league.models import Tournament
from matches.actors import Actor
from matches.errors import Conflict, NotAllowed
from rules.desk.acts import (
    AppealRejected,
    Disqualified,
    Dropped,
    PairingChanged,
    PenaltyGiven,
    PenaltyWithdrawn,
    ResultCorrected,
    Returned,
    Ruled,
    RulingAppealed,
)
from rules.desk.state import Desk, disqualifying, is_disqualified, open_round, round_at, table_of
from rules.replay import Entry, Timeline
from rules.ruleset import Act

RULINGS = (Ruled, ResultCorrected)
OF_ENTRANTS = (Dropped, Disqualified, PenaltyGiven, PairingChanged)


def rulings_at(
    timeline: Timeline, number: int, table: int, version: int | None = None
) -> Iterator[Entry]:
    """Yield the rulings on a table as at a version (default: the head), newest first."""
    for entry in timeline.backwards(version):
        act = entry.act
        if isinstance(act, RULINGS) and (act.round, act.table) == (number, table):
            yield entry


def require_anothers(
    by: Actor, tournament: Tournament, desk: Desk, number: int, table: int
) -> None:
    """Raises: NotAllowed for a ruling on a table at which the judge plays."""
    if policy.is_organiser(by, tournament):
        return
    found = table_of(desk, number, table)
    mine = desks.number_for(by, tournament, desk)
    if mine and found is not None and mine in found.players:
        text = gettext("You play at this table: an organiser or another official rules there.")
        raise NotAllowed("own-table", text)


def require_no_foe(
    by: Actor,
    tournament: Tournament,
    desk: Desk,
    act: Dropped | Disqualified | PenaltyGiven | PairingChanged,
) -> None:
    """Raises: NotAllowed for what a judge who plays decides about their foe, or whom to meet."""
    pairs = act.table if isinstance(act, PairingChanged) else 0
    if not pairs and act.entrant == desks.number_for(by, tournament, desk):
        return  # about themself, as every player may drop
    number = open_round(desk)
    for table in round_at(desk, number).tables if number else ():
        if act.entrant in table.players or table.number == pairs:
            require_anothers(by, tournament, desk, number, table.number)


def require_not_own(
    by: Actor, tournament: Tournament, desk: Desk, act: PenaltyWithdrawn | Returned
) -> None:
    """Raises: NotAllowed for a judge's own penalty or disqualification."""
    mine = desks.number_for(by, tournament, desk)
    if isinstance(act, PenaltyWithdrawn):
        decided = act.number in own_penalties(by, tournament, desk)
    else:
        decided = act.entrant == mine and is_disqualified(desk, mine)
    if decided and not policy.is_organiser(by, tournament):
        raise NotAllowed("own-table", _about_you())


def require_no_penalty(desk: Desk, act: Returned) -> None:
    """Raises: Conflict for the return of somebody whom a penalty on record disqualified."""
    number = disqualifying(desk, act.entrant) if is_disqualified(desk, act.entrant) else 0
    if number:
        text = gettext("Penalty {number} disqualified them: withdraw it first.")
        raise Conflict("penalty-stands", text.format(number=number))


def own_penalties(actor: Actor, tournament: Tournament, desk: Desk) -> frozenset[int]:
    """Return the numbers of the penalties that were given to somebody, withdrawn or not."""
    mine = desks.number_for(actor, tournament, desk)
    return frozenset(n for n, each in enumerate(desk.penalties, 1) if each.entrant == mine)


def _about_you() -> str:
    return gettext("That was decided about you: an organiser or another official has to undo it.")


def require_may_undo(timeline: Timeline, by: Actor, tournament: Tournament, to: int) -> None:
    """Forbid judges to undo what judges do not record, or decisions about themselves.

    The same goes for entries that would count again. Raises: NotAllowed.
    """
    if policy.is_organiser(by, tournament) or not 1 <= to <= len(timeline.entries):
        return  # a version that does not exist is refused elsewhere
    for version in sorted(set(timeline.effective()) ^ set(timeline.effective(to))):
        act = timeline.entries[version - 1].act
        if not policy.may_act(by, tournament, act):
            text = gettext(
                "That goes back beyond what a zMarshal may record: only an organiser can undo it."
            )
            raise NotAllowed("not-allowed", text)
        if _is_of(by, tournament, timeline.at(version).state.desk, act):
            raise NotAllowed("own-table", _about_you())


def _is_of(by: Actor, tournament: Tournament, desk: Desk, act: Act) -> bool:
    """Return whether an act concerns the actor: a result at their table, or their penalty."""
    mine = desks.number_for(by, tournament, desk)
    if isinstance(act, PenaltyGiven | Disqualified):
        return bool(mine) and act.entrant == mine
    if not mine or not isinstance(act, (*policy.SCORES, *RULINGS, RulingAppealed, AppealRejected)):
        return False
    found = table_of(desk, act.round, act.table)  # type: ignore[attr-defined]  # all of them have both
    return found is not None and mine in found.players
