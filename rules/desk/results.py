"""The consequences of an act: pairings, settled results, cuts, standings."""

from collections.abc import Sequence

import msgspec

from rules.desk.acts import (
    AppealGranted,
    CutDrawn,
    CutMade,
    DisputeOpened,
    Disqualified,
    Dropped,
    Entered,
    EntrantNumbered,
    MovedUp,
    PairingChanged,
    PairingWeighed,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultSettled,
    RoundClosed,
    RoundDrawn,
    RoundPaired,
    Ruled,
    StandingsWritten,
    TimeAgreed,
    TimeProposed,
    TournamentClosed,
    Waitlisted,
)
from rules.desk.formats import groups
from rules.desk.pairing import Proposal, assess, left_out, propose, tables_for
from rules.desk.standings import final_order, groups_of, order_of
from rules.desk.state import (
    Desk,
    Result,
    State,
    entrants,
    is_in,
    round_at,
    stage_at,
    swapped,
    table_of,
    waiting_list,
)
from rules.ruleset import Act, Consequence


def decide(state: State, act: Act) -> tuple[Consequence, ...]:
    desk = state.desk
    match act:
        case Entered() | Waitlisted():
            return (EntrantNumbered(len(desk.people) + 1),)
        case Dropped(entrant=entrant) | Disqualified(entrant=entrant):
            return _moved_up(state, entrant)
        case RoundPaired():
            return _paired(desk, act)
        case PairingChanged():
            return _weighed(desk, act)
        case TimeProposed():
            return _agreed(desk, act)
        case ResultReported():
            return _reported(desk, act)
        case ResultConfirmed():
            return (ResultSettled(act.round, act.table),)
        case Ruled():
            return (ResultSettled(act.round, act.table), *_granted(desk, act))
        case ResultCorrected():
            return _granted(desk, act)
        case ResultDisputed():
            return (DisputeOpened(act.round, act.table),)
        case RoundClosed():
            return (StandingsWritten(order_of(desk, round_at(desk, act.round).stage)),)
        case CutMade(size=size):
            return (CutDrawn(cut_of(desk, size)),)
        case TournamentClosed():
            only = state.setup.options.confirmed_only
            return (StandingsWritten(final_order(desk, confirmed_only=only)),)
    return ()


def _moved_up(state: State, entrant: int) -> tuple[Consequence, ...]:
    """Give a place that becomes free before the first stage to the first on the waiting list."""
    desk, cap = state.desk, state.setup.options.cap
    waiting = [each for each in waiting_list(desk) if each != entrant]
    left = len(entrants(desk, "in")) - is_in(desk, entrant)
    if desk.stages or not waiting or not is_in(desk, entrant) or (cap and left >= cap):
        return ()
    return (MovedUp(waiting[0]),)


def _paired(desk: Desk, act: RoundPaired) -> tuple[Consequence, ...]:
    number = len(desk.rounds) + 1
    if act.pairings or act.byes:
        cost, proposal = assess(desk, act.seed, act.pairings, act.byes)
        drawn = RoundDrawn(
            round=number,
            pairings=act.pairings,
            tables=tables_for(desk, act.pairings),
            byes=act.byes,
            cost=cost,
            least=proposal.least,
        )
        return drawn, _weighing(desk, act.pairings, cost, proposal)
    proposal = propose(desk, act.seed)
    drawn = RoundDrawn(
        round=number,
        pairings=proposal.pairings,
        tables=tables_for(desk, proposal.pairings),
        byes=proposal.byes,
        slots=proposal.slots,
        cost=proposal.cost,
        least=proposal.least,
        breaches=proposal.breaches,
    )
    return (drawn, proposal.forced) if proposal.forced else (drawn,)


def _weighed(desk: Desk, act: PairingChanged) -> tuple[Consequence, ...]:
    """Return the cost of the round after a change, beside the machine's pairing."""
    before = msgspec.structs.replace(desk, rounds=desk.rounds[:-1])
    changed = swapped(desk, act).rounds[-1]
    pairings = [table.players for table in changed.tables]
    cost, proposal = assess(before, changed.seed, pairings, changed.byes)
    return (_weighing(before, pairings, cost, proposal),)


def _weighing(
    before: Desk,
    pairings: Sequence[tuple[int, ...]],
    cost: tuple[int, ...],
    proposal: Proposal,
) -> PairingWeighed:
    left = left_out(before, pairings, proposal)
    return PairingWeighed(cost, proposal.least, proposal.pairings, proposal.byes, left)


def _agreed(desk: Desk, act: TimeProposed) -> tuple[Consequence, ...]:
    """Agree on a time set by the desk, or proposed by everybody at the table."""
    table = table_of(desk, act.round, act.table)
    proposed = {} if table is None else {**dict(table.proposed), act.by: act.at}
    others = () if table is None or act.by == 0 else table.players
    if any(proposed.get(player) != act.at for player in others):
        return ()
    return (TimeAgreed(act.round, act.table, act.at),)


def _reported(desk: Desk, act: ResultReported) -> tuple[Consequence, ...]:
    """Settle a report by the desk or two matching ones; different ones open a dispute."""
    table = table_of(desk, act.round, act.table)
    result = result_of(desk, act)
    if act.by == 0:
        return (ResultSettled(act.round, act.table),)
    if table is None or table.status != "reported" or table.by == act.by:
        return ()
    if table.result == result:
        return (ResultSettled(act.round, act.table),)
    return (DisputeOpened(act.round, act.table),)


def _granted(desk: Desk, act: Ruled | ResultCorrected) -> tuple[Consequence, ...]:
    """Return the granting of an appeal if there is an open one where an official rules."""
    table = table_of(desk, act.round, act.table)
    is_open = table is not None and table.appeal == "open"
    return (AppealGranted(act.round, act.table),) if is_open else ()


def cut_of(desk: Desk, size: int) -> tuple[int, ...]:
    """Return the best of the last stage who are still in, as seeds of the next."""
    index = len(desk.stages) - 1
    ranked = order_of(desk, index)
    order = [player for player in ranked if is_in(desk, player)][:size]
    divided = groups_of(desk.stages[index])
    if len(divided) < 2:
        return tuple(order)
    group_of = {player: i for i, group in enumerate(divided) for player in group}
    tables = [[player for player in ranked if group_of[player] == i] for i in range(len(divided))]
    place_of = {player: place for table in tables for place, player in enumerate(table)}
    return groups.kept_apart(order, group_of, place_of)


def result_of(desk: Desk, act: ResultReported | Ruled | ResultCorrected) -> Result:
    """Return the result that an act states; what is left is compared. Rule: ZX-X3."""
    if len(act.left) != 2:
        return Result(act.scores, act.drawn, act.absent, act.lost)
    one, two = act.left
    if one != two:
        return Result(scores=(1, 0) if one > two else (0, 1), left=act.left)
    setup = stage_at(desk, act.round).setup
    if setup.time_up == "draw":
        return Result(scores=(0, 0), left=act.left)
    return Result(lost=True, left=act.left)
