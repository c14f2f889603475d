"""The state of the desk after an act or a consequence."""

from collections.abc import Callable
from typing import Any

import msgspec

from rules.desk.acts import (
    Announced,
    AppealGranted,
    AppealRejected,
    ByeGranted,
    CallAnswered,
    CheckedIn,
    ClockPaused,
    ClockResumed,
    CutDrawn,
    DisputeOpened,
    Disqualified,
    Dropped,
    Entered,
    MovedUp,
    OfficialCalled,
    PairAllowed,
    PairForbidden,
    PairingChanged,
    PenaltyGiven,
    PenaltyWithdrawn,
    ResultCorrected,
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
    TimeAgreed,
    TimeCalled,
    TimeExtended,
    TimeProposed,
    TournamentClosed,
    Unannounced,
    Waitlisted,
)
from rules.desk.formats import chance
from rules.desk.people import is_full
from rules.desk.results import result_of
from rules.desk.standings import order_of
from rules.desk.state import (
    Desk,
    Granted,
    Penalty,
    Person,
    Round,
    Stage,
    State,
    Table,
    available,
    round_at,
    swapped,
    table_of,
    takes_more,
    with_person,
    with_round,
    with_stage,
    with_table,
)
from rules.ruleset import Event


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


def _proposed(state: State, event: TimeProposed) -> Desk:
    """Keep a player's newest proposal; that of the time agreed already withdraws it."""
    table = table_of(state.desk, event.round, event.table)
    if table is None:
        return state.desk
    others = tuple(each for each in table.proposed if each[0] != event.by)
    fresh = () if event.at == table.plays_at else ((event.by, event.at),)
    return with_table(state.desk, event.round, event.table, proposed=(*others, *fresh))


def _agreed(state: State, event: TimeAgreed) -> Desk:
    return with_table(state.desk, event.round, event.table, plays_at=event.at, proposed=())


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
        msgspec.structs.replace(table, status="settled", claim=None, called=0)
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
    TimeProposed: _proposed,
    TimeAgreed: _agreed,
    ResultReported: _reported_after,
    ResultSettled: lambda s, e: with_table(s.desk, e.round, e.table, status="settled"),
    DisputeOpened: lambda s, e: with_table(s.desk, e.round, e.table, status="disputed"),
    Ruled: _ruled,
    ResultCorrected: _corrected,
    OfficialCalled: lambda s, e: with_table(s.desk, e.round, e.table, called=e.by),
    CallAnswered: lambda s, e: with_table(s.desk, e.round, e.table, called=0),
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
