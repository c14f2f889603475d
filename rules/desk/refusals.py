"""Why what no offer covers may not be recorded."""

from rules.desk.acts import (
    Announced,
    CheckedIn,
    ClockPaused,
    ClockResumed,
    CutMade,
    Disqualified,
    Dropped,
    Entered,
    PairAllowed,
    PairForbidden,
    PairingChanged,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultsHeld,
    ResultsShown,
    Returned,
    RoundClosed,
    RoundPaired,
    RoundPublished,
    Ruled,
    StageEnded,
    StageStarted,
    TimeCalled,
    TimeExtended,
    TournamentClosed,
    Unannounced,
    Waitlisted,
)
from rules.desk.limits import MOST_DRAWN, MOST_PEOPLE, MOST_RATING, SEEDS
from rules.desk.pairing import counts_for, propose
from rules.desk.people import is_full
from rules.desk.record import offers_like
from rules.desk.reporting import compares
from rules.desk.rounds import has_legal_round
from rules.desk.stages import may_pair, may_start
from rules.desk.state import (
    BRACKETS,
    KNOCKOUTS,
    Desk,
    Stage,
    State,
    Table,
    available,
    entrants,
    is_in,
    open_round,
    table_of,
)
from rules.ruleset import Act, Verdict, event_type, first_unfit, impossible, irregular


def reason(state: State, act: Act) -> Verdict:
    """Say why an act that no offer covers is not legal."""
    desk = state.desk
    if desk.closed:
        return impossible("desk-closed")
    for number in _named(act):
        if not 1 <= number <= len(desk.people):
            return impossible("no-such-entrant", entrant=number, entrants=len(desk.people))
    if getattr(act, "note", "-") == "" and isinstance(
        act, PairingChanged | ResultCorrected | Ruled | StageEnded | Announced
    ):
        return impossible("reason-missing")
    match act:
        case Entered() | Waitlisted() if len(desk.people) >= MOST_PEOPLE:
            return impossible("too-many", most=MOST_PEOPLE)
        case Entered() if is_full(state) and 0 <= act.rating <= MOST_RATING:
            return irregular("full", "", entrants=len(entrants(desk, "in")))
        case Waitlisted() if not is_full(state):
            return impossible("not-full")
        case CheckedIn(entrant=entrant) if is_in(desk, entrant):
            return impossible("checked-in-already", entrant=entrant)
        case (
            CheckedIn(entrant=entrant)
            | Dropped(entrant=entrant)
            | Returned(entrant=entrant)
            | (Disqualified(entrant=entrant))
        ):
            status = desk.people[entrant - 1].status
            return impossible("other-status", entrant=entrant, status=status)
        case PairForbidden() | PairAllowed():
            return impossible("not-such-a-pair")
        case StageStarted() if not may_start(desk):
            return impossible("stage-under-way")
        case StageStarted() if len(available(state)) < 2:
            return impossible("too-few", entrants=len(available(state)))
        case StageStarted() if wrong := _wrong_count(state, act):
            return wrong
        case StageEnded():
            return impossible("nothing-to-pair")
        case RoundPaired():
            return _reason_of_pairing(desk, act)
        case PairingChanged() if not open_round(desk):
            return impossible("no-open-round")
        case RoundPublished() | TimeCalled() | RoundClosed() | ClockPaused() | ClockResumed():
            return _reason_of_round(desk, act)
        case TimeExtended():
            return _reason_of_extension(state, act)
        case Unannounced(announcement=announcement):
            return impossible("not-announced", announcement=announcement)
        case CutMade() if not desk.stages or not may_start(desk):
            return impossible("stage-under-way")
        case CutMade():
            return impossible("no-such-cut", size=act.size)
        case ResultsHeld() if desk.held:
            return impossible("held-already", round=desk.held)
        case ResultsShown():
            return impossible("not-held")
        case TournamentClosed():
            return irregular("not-played-out", "")
        case ResultReported() | ResultConfirmed() | ResultDisputed() | Ruled() | ResultCorrected():
            return _reason_of_result(desk, act)
    return _out_of_range(state, act)


def _wrong_count(state: State, act: StageStarted) -> Verdict | None:
    """Say which numbers play a format, where so many as there are do not."""
    counts = counts_for(act.format, act.sizes)
    there = len(act.players or available(state))
    if not counts or there in counts:
        return None
    told = ", ".join(map(str, counts))
    if act.format == "pod-elimination":
        return impossible("no-pod-cut", counts=told, entrants=there)
    return impossible("no-design", counts=told, seats=act.sizes[0], entrants=there)


def _named(act: Act) -> tuple[int, ...]:
    """Return the entrants an act names outright."""
    one = getattr(act, "entrant", None)
    found = () if one is None else (one,)
    return (*found, *getattr(act, "entrants", ()))


def _reason_of_pairing(desk: Desk, act: RoundPaired) -> Verdict:
    if not may_pair(desk):
        return impossible("nothing-to-pair")
    setup = desk.stages[-1].setup
    if act.method != setup.format:
        return impossible("other-method", method=act.method, expected=setup.format)
    if not SEEDS.low <= act.seed <= SEEDS.high:
        return impossible("out-of-range", field="seed")
    if act.pairings or act.byes:
        if problem := _problem_by_hand(desk, act):
            return impossible("bad-pairings", why=problem)
        return irregular("paired-by-hand", "")
    if not has_legal_round(desk):
        return irregular("no-legal-round", "", pairs=len(propose(desk, act.seed).breaches))
    return impossible("out-of-range", field="note")


def _problem_by_hand(desk: Desk, act: RoundPaired) -> str:
    """Return why pairings made by hand mean nothing, as a code; "" when they do."""
    stage = desk.stages[-1]
    if stage.setup.format in KNOCKOUTS:
        return "pairs-itself"
    named = [*(player for table in act.pairings for player in table), *act.byes]
    if len(set(named)) < len(named):
        return "named-twice"
    if any(player not in stage.players or not is_in(desk, player) for player in named):
        return "not-in-stage"
    most = 6 if stage.setup.format in ("pods", "multi-round-robin") else 2
    if any(not 2 <= len(table) <= most for table in act.pairings):
        return "two-to-six" if most > 2 else "two"
    return ""


OfRound = RoundPublished | TimeCalled | RoundClosed | ClockPaused | ClockResumed | TimeExtended


def _reason_of_round(desk: Desk, act: OfRound) -> Verdict:
    number = open_round(desk)
    if not 1 <= act.round <= len(desk.rounds):
        return impossible("no-such-round", round=act.round)
    if act.round != number:
        return impossible("round-is-closed", round=act.round)
    published = desk.rounds[number - 1].published
    if isinstance(act, RoundPublished):
        return impossible("published-already", round=number)
    if not published:
        return impossible("not-published", round=number)
    if isinstance(act, ClockResumed):
        return impossible("clock-runs", round=number)
    if desk.rounds[number - 1].timed and not isinstance(act, RoundClosed):
        return impossible("time-is-called", round=number)
    if isinstance(act, ClockPaused):
        return impossible("paused-already", round=number)
    return impossible("results-missing", round=number)


def _reason_of_extension(state: State, act: TimeExtended) -> Verdict:
    number = open_round(state.desk)
    if act.round != number or not any(offers_like(state, act)):
        return _reason_of_round(state.desk, act)
    table = table_of(state.desk, number, act.table)
    if act.table and table is None:
        return impossible("no-such-table", round=number, table=act.table)
    if table is not None and table.status != "open":
        return impossible("settled-already", table=act.table, status=table.status)
    return impossible("out-of-range", field="minutes")


def _reason_of_result(desk: Desk, act: Act) -> Verdict:
    number: int = getattr(act, "round", 0)
    table_number: int = getattr(act, "table", 0)
    if not 1 <= number <= len(desk.rounds):
        return impossible("no-such-round", round=number)
    table = table_of(desk, number, table_number)
    if table is None:
        return impossible("no-such-table", round=number, table=table_number)
    if not desk.rounds[number - 1].published:
        return impossible("not-published", round=number)
    by: int = getattr(act, "by", 0)
    if by and by not in table.players:
        return impossible("not-at-the-table", entrant=by, table=table_number)
    match act:
        case ResultReported() if table.status in ("settled", "disputed"):
            return impossible("settled-already", table=table_number, status=table.status)
        case ResultConfirmed(by=by) if table.status == "reported" and by == table.by:
            return impossible("own-report", entrant=by)
        case ResultConfirmed() | ResultDisputed():
            return impossible("nothing-reported", table=table_number)
        case Ruled() if table.status == "settled":
            return impossible("settled-already", table=table_number, status=table.status)
        case ResultCorrected() if table.status != "settled":
            return impossible("not-settled", table=table_number)
        case ResultReported() | Ruled() | ResultCorrected():
            each = desk.rounds[number - 1]
            return _reason_of_scores(desk.stages[each.stage], table, act, timed=each.timed)
    return impossible("no-such-act", act=event_type(act))


def _reason_of_scores(
    stage: Stage, table: Table, act: ResultReported | Ruled | ResultCorrected, *, timed: bool
) -> Verdict:
    """Say what is wrong with the result itself."""
    scores, lost = act.scores, act.lost
    if act.left and not compares(stage, table):
        return impossible("nothing-compared", "ZX-X3", table=table.number)
    if act.left and not timed:
        return impossible("time-not-called", "ZX-X3", round=act.round)
    if isinstance(act, ResultReported) and lost and act.by:
        return impossible("lost-by-the-desk", "ZX-X5", table=table.number)
    decided = stage.setup.format in BRACKETS
    plain = len(scores) == 2 == len(table.players) and not (act.absent or lost or act.left)
    if (
        plain
        and all(0 <= score <= MOST_DRAWN for score in scores)
        and (0 <= act.drawn <= MOST_DRAWN)
    ):
        if decided and scores[0] == scores[1]:
            return impossible("needs-a-winner")
        return irregular("too-many-games", "", best_of=stage.setup.best_of)
    return impossible("no-such-result", table=table.number)


def _out_of_range(state: State, act: Act) -> Verdict:
    """Name the first field that the nearest offer does not hold."""
    for offer in offers_like(state, act):
        if field := first_unfit(offer, act):
            return impossible("out-of-range", field=field)
    return impossible("not-now", act=event_type(act))
