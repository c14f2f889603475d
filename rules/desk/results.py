"""The consequences of an act, and the state of the desk after it."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from rules.desk.acts import (
    Announced,
    AppealGranted,
    AppealRejected,
    ByeGranted,
    CheckedIn,
    ClockPaused,
    ClockResumed,
    CutDrawn,
    CutMade,
    DisputeOpened,
    Disqualified,
    Dropped,
    Entered,
    EntrantNumbered,
    MovedUp,
    PairAllowed,
    PairForbidden,
    PairingChanged,
    PairingWeighed,
    PenaltyGiven,
    PenaltyWithdrawn,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultsAnnulled,
    ResultSettled,
    ResultsHeld,
    ResultsShown,
    Returned,
    RoundClosed,
    RoundDrawn,
    RoundPaired,
    RoundPublished,
    Ruled,
    RulingAppealed,
    StageEnded,
    StageStarted,
    StandingsWritten,
    TableFixed,
    TimeCalled,
    TimeExtended,
    TournamentClosed,
    Unannounced,
    Waitlisted,
)
from rules.desk.formats import chance, groups
from rules.desk.pairing import Proposal, assess, left_out, propose, tables_for
from rules.desk.people import is_full
from rules.desk.standings import final_order, group_lists, order_of
from rules.desk.state import (
    Desk,
    Granted,
    Penalty,
    Person,
    Result,
    Round,
    Stage,
    State,
    Table,
    available,
    entrants,
    is_in,
    open_round,
    round_at,
    stage_at,
    table_of,
    takes_more,
    waiting_list,
    with_person,
    with_round,
    with_stage,
    with_table,
)
from rules.ruleset import Act, Consequence, Event


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
            return (StandingsWritten(final_order(desk)),)
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
    divided = group_lists(desk, index)
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


# -- the state after an event -------------------------------------------------------


def evolve(state: State, event: Event) -> State:
    change = CHANGES.get(type(event))
    if change is None:
        return state
    return State(state.setup, change(state, event))


def _entered(state: State, event: Entered) -> Desk:
    desk = _with_newcomer(state.desk, event, waiting=False)
    return _joined(desk, len(desk.people))


def _waitlisted(state: State, event: Waitlisted) -> Desk:
    return _with_newcomer(state.desk, event, waiting=True)


def _with_newcomer(desk: Desk, event: Entered | Waitlisted, *, waiting: bool) -> Desk:
    person = Person(
        label=event.label,
        ref=event.ref,
        rating=event.rating,
        status="waiting" if waiting else "in",
        seats=event.seats,
        lean=event.lean,
    )
    return msgspec.structs.replace(desk, people=(*desk.people, person))


def _joined(desk: Desk, entrant: int) -> Desk:
    """Add a late entrant to a stage that takes them."""
    if not takes_more(desk) or entrant in desk.stages[-1].players:
        return desk
    stage = desk.stages[-1]
    late = stage.late + bool(desk.rounds and stage.setup.accelerated)
    return with_stage(desk, players=(*stage.players, entrant), late=late)


def _left(state: State, event: Dropped | Disqualified, status: str) -> Desk:
    """Let an entrant go; byes granted in rounds not paired yet are void."""
    desk = state.desk
    byes = desk.people[event.entrant - 1].byes
    kept = tuple(each for each in byes if each.round <= len(desk.rounds))
    return with_person(desk, event.entrant, status=status, byes=kept)


def _moved_up_after(state: State, event: MovedUp) -> Desk:
    return with_person(state.desk, event.entrant, status="in")


def _extended(state: State, event: TimeExtended) -> Desk:
    desk = state.desk
    table = table_of(desk, event.round, event.table)
    if table is not None:
        return with_table(desk, event.round, event.table, extra=table.extra + event.minutes)
    extra = round_at(desk, event.round).extra + event.minutes
    return with_round(desk, event.round, extra=extra)


def _returned(state: State, event: Returned) -> Desk:
    """Let an entrant back in; before the first stage they wait if their place is taken."""
    if is_full(state) and not state.desk.stages:
        behind = len(state.desk.people)
        return with_person(state.desk, event.entrant, status="waiting", behind=behind)
    return _joined(with_person(state.desk, event.entrant, status="in"), event.entrant)


def _annulled(state: State, event: ResultsAnnulled) -> Desk:
    return with_stage(state.desk, annulled=(*state.desk.stages[-1].annulled, event.entrant))


def _forbidden(state: State, event: PairForbidden) -> Desk:
    pairs = state.desk.forbidden
    if event.entrants in pairs:
        return state.desk
    return msgspec.structs.replace(state.desk, forbidden=(*pairs, event.entrants))


def _allowed(state: State, event: PairAllowed) -> Desk:
    pairs = tuple(pair for pair in state.desk.forbidden if pair != event.entrants)
    return msgspec.structs.replace(state.desk, forbidden=pairs)


def _bye_granted(state: State, event: ByeGranted) -> Desk:
    byes = state.desk.people[event.entrant - 1].byes
    others = tuple(each for each in byes if each.round != event.round)
    granted = (*others, Granted(event.round, event.worth))
    return with_person(state.desk, event.entrant, byes=granted)


def _penalty(state: State, event: PenaltyGiven) -> Desk:
    given = Penalty(
        event.entrant, event.infraction, event.penalty, event.demerits, len(state.desk.rounds)
    )
    return msgspec.structs.replace(state.desk, penalties=(*state.desk.penalties, given))


def _penalty_withdrawn(state: State, event: PenaltyWithdrawn) -> Desk:
    given = list(state.desk.penalties)
    given[event.number - 1] = msgspec.structs.replace(given[event.number - 1], withdrawn=True)
    return msgspec.structs.replace(state.desk, penalties=tuple(given))


def _stage_started(state: State, event: StageStarted) -> Desk:
    players = event.players or _seeded(state, event)
    stage = Stage(msgspec.structs.replace(event, players=()), players)
    return msgspec.structs.replace(state.desk, stages=(*state.desk.stages, stage))


def _seeded(state: State, event: StageStarted) -> tuple[int, ...]:
    """Return the players, best seed first, as the stage's seeding has it. A cut keeps its order."""
    desk, chosen = state.desk, available(state)
    match event.seeding:
        case "rating":
            return tuple(sorted(chosen, key=lambda n: (-desk.people[n - 1].rating, n)))
        case "drawn":
            return tuple(chance.shuffled(chosen, event.seed, "seeds"))
        case "standing" if desk.stages and not desk.stages[-1].cut:
            order = order_of(desk, len(desk.stages) - 1)
            last = len(order)
            return tuple(sorted(chosen, key=lambda n: order.index(n) if n in order else last))
    return chosen


def _round_paired(state: State, event: RoundPaired) -> Desk:
    by_hand = bool(event.pairings or event.byes)
    paired = Round(stage=len(state.desk.stages) - 1, seed=event.seed, tables=(), by_hand=by_hand)
    return msgspec.structs.replace(state.desk, rounds=(*state.desk.rounds, paired))


def _round_drawn(state: State, event: RoundDrawn) -> Desk:
    slots = event.slots or ("",) * len(event.pairings)
    tables = tuple(
        Table(number, players, slot)
        for number, players, slot in zip(event.tables, event.pairings, slots, strict=True)
    )
    return with_round(state.desk, event.round, tables=tables, byes=event.byes)


def swapped(desk: Desk, event: PairingChanged) -> Desk:
    """Put an entrant on a seat; whoever sat there takes their place, if they had one."""
    number = open_round(desk)
    there = table_of(desk, number, event.table)
    if there is None:
        return desk
    out = there.players[event.seat_number - 1]
    changes = {out: event.entrant, event.entrant: out}

    def moved(table: Table) -> Table:
        players = tuple(changes.get(player, player) for player in table.players)
        if players == table.players:
            return table
        return msgspec.structs.replace(table, players=players, changed=True)

    current = round_at(desk, number)
    byes = tuple(changes.get(player, player) for player in current.byes)
    return with_round(desk, number, tables=tuple(map(moved, current.tables)), byes=byes)


def _reported_after(state: State, event: ResultReported) -> Desk:
    """Record a report; keep the first one beside a differing second."""
    desk, result = state.desk, result_of(state.desk, event)
    table = table_of(desk, event.round, event.table)
    if table is None:
        return desk
    if table.status == "reported" and event.by not in (0, table.by):
        return with_table(desk, event.round, event.table, claim=result)
    return with_table(
        desk, event.round, event.table, status="reported", result=result, by=event.by, claim=None
    )


def _ruled(state: State, event: Ruled) -> Desk:
    result = result_of(state.desk, event)
    desk = with_table(state.desk, event.round, event.table, result=result, claim=None)
    return _appealable(state, desk, event)


def _appealable(state: State, desk: Desk, event: Ruled | ResultCorrected) -> Desk:
    """Allow a ruling to be appealed, if the tournament has appeals and it had none before."""
    table = table_of(desk, event.round, event.table)
    if table is None or table.appeal or not state.setup.options.appeal_minutes:
        return desk
    return with_table(desk, event.round, event.table, appeal="may")


def _corrected(state: State, event: ResultCorrected) -> Desk:
    table = table_of(state.desk, event.round, event.table)
    times = table.corrected + 1 if table else 1
    result = result_of(state.desk, event)
    desk = with_table(state.desk, event.round, event.table, result=result, corrected=times)
    return _appealable(state, desk, event)


def _standings_written(state: State, event: StandingsWritten) -> Desk:
    if state.desk.closed:
        return msgspec.structs.replace(state.desk, order=event.entrants)
    return with_round(state.desk, len(state.desk.rounds), order=event.entrants)


def _round_closed(state: State, event: RoundClosed) -> Desk:
    tables = tuple(
        msgspec.structs.replace(table, status="settled", claim=None)
        for table in round_at(state.desk, event.round).tables
    )
    return with_round(state.desk, event.round, closed=True, tables=tables)


CHANGES: dict[type[Event], Callable[[State, Any], Desk]] = {
    Entered: _entered,
    Waitlisted: _waitlisted,
    MovedUp: _moved_up_after,
    CheckedIn: lambda s, e: with_person(s.desk, e.entrant, here=True),
    Dropped: lambda s, e: _left(s, e, "dropped"),
    Returned: _returned,
    Disqualified: lambda s, e: _left(s, e, "disqualified"),
    ResultsAnnulled: _annulled,
    PairForbidden: _forbidden,
    PairAllowed: _allowed,
    TableFixed: lambda s, e: with_person(s.desk, e.entrant, table=e.table),
    ByeGranted: _bye_granted,
    PenaltyGiven: _penalty,
    PenaltyWithdrawn: _penalty_withdrawn,
    StageStarted: _stage_started,
    RoundPaired: _round_paired,
    RoundDrawn: _round_drawn,
    PairingChanged: lambda s, e: swapped(s.desk, e),
    RoundPublished: lambda s, e: with_round(s.desk, e.round, published=True),
    ClockPaused: lambda s, e: with_round(s.desk, e.round, paused=True),
    ClockResumed: lambda s, e: with_round(s.desk, e.round, paused=False),
    TimeExtended: _extended,
    TimeCalled: lambda s, e: with_round(s.desk, e.round, timed=True),
    RoundClosed: _round_closed,
    ResultReported: _reported_after,
    ResultSettled: lambda s, e: with_table(s.desk, e.round, e.table, status="settled"),
    DisputeOpened: lambda s, e: with_table(s.desk, e.round, e.table, status="disputed"),
    Ruled: _ruled,
    ResultCorrected: _corrected,
    RulingAppealed: lambda s, e: with_table(s.desk, e.round, e.table, appeal="open"),
    AppealRejected: lambda s, e: with_table(s.desk, e.round, e.table, appeal="rejected"),
    AppealGranted: lambda s, e: with_table(s.desk, e.round, e.table, appeal="granted"),
    StageEnded: lambda s, e: with_stage(s.desk, ended=True),
    CutDrawn: lambda s, e: with_stage(s.desk, cut=e.entrants),
    StandingsWritten: _standings_written,
    ResultsHeld: lambda s, e: msgspec.structs.replace(s.desk, held=e.round),
    ResultsShown: lambda s, e: msgspec.structs.replace(s.desk, held=0),
    Announced: lambda s, e: msgspec.structs.replace(s.desk, announced=s.desk.announced + 1),
    Unannounced: lambda s, e: msgspec.structs.replace(
        s.desk, unannounced=(*s.desk.unannounced, e.announcement)
    ),
    TournamentClosed: lambda s, e: msgspec.structs.replace(s.desk, closed=True),
}
