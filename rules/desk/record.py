"""What may be recorded now, and why anything else may not."""

from collections.abc import Callable, Iterator
from functools import cache

import msgspec

from rules.desk.acts import (
    Announced,
    ByeGranted,
    CheckedIn,
    CutMade,
    Disqualified,
    Dropped,
    Entered,
    Format,
    PairAllowed,
    PairForbidden,
    PairingChanged,
    PenaltyGiven,
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
    TableFixed,
    TimeCalled,
    TournamentClosed,
    Waitlisted,
)
from rules.desk.formats import cuts, multi_round_robin
from rules.desk.pairing import counts_for, is_over, propose, swiss_field, swiss_round
from rules.desk.standings import bracket_of, stale_tables
from rules.desk.state import (
    BRACKETS,
    KNOCKOUTS,
    Desk,
    Stage,
    State,
    Table,
    available,
    done,
    entrants,
    is_in,
    left_outside,
    open_round,
    table_of,
)
from rules.desk.tiebreaks import TIEBREAKS
from rules.ruleset import (
    Act,
    Choice,
    Field,
    Free,
    Offer,
    Ordered,
    Range,
    Row,
    Subset,
    Verdict,
    admits,
    event_type,
    impossible,
    irregular,
)

MOST_PEOPLE = 4096
MOST_RATING = 4000
MOST_POINTS = 100
MOST_SCORE = 9999
MOST_DRAWN = 9
MOST_LEFT = 99
MOST_LEAN = 10**6
AHEAD = 30  # rounds a bye may be asked for in advance
SEEDS = Range(0, 2**31 - 1)
REASON = Free("note", filled=True)
NOTE = Free("note")
AFTERWARDS = (ResultsShown,)
"""Acts that are recorded of a closed tournament too."""

Offers = Iterator[Offer]


def offers(state: State) -> Offers:
    """Yield everything that is legal now, in a fixed order."""
    for kind in AFTERWARDS if state.desk.closed else OFFERS:
        yield from OFFERS[kind](state, None)


def offers_like(state: State, act: Act) -> Offers:
    """Yield the offers an act might be covered by."""
    if not state.desk.closed or isinstance(act, AFTERWARDS):
        yield from OFFERS[type(act)](state, act)


# -- who takes part -------------------------------------------------------------------


def is_full(state: State) -> bool:
    cap = state.setup.options.cap
    return 0 < cap <= len(entrants(state.desk, "in"))


def _newcomer(kind: str) -> Offer:
    fields: dict[str, Field] = {
        "label": Free("label"),
        "ref": Free("ref"),
        "rating": Range(0, MOST_RATING),
        "seats": Row(0, MOST_SCORE, most=6),
        "lean": Range(-MOST_LEAN, MOST_LEAN),
    }
    return Offer(kind, None, fields)


def _entered(state: State, act: Act | None) -> Offers:
    if not is_full(state) and len(state.desk.people) < MOST_PEOPLE:
        yield _newcomer("entered")


def _waitlisted(state: State, act: Act | None) -> Offers:
    if is_full(state) and len(state.desk.people) < MOST_PEOPLE:
        yield _newcomer("waitlisted")


def _of_entrants(kind: str, chosen: tuple[int, ...], **fields: Field) -> Offers:
    if chosen:
        yield Offer(kind, None, {"entrant": Choice(chosen), **fields})


def _checked_in(state: State, act: Act | None) -> Offers:
    desk = state.desk
    waiting = tuple(n for n in entrants(desk, "in") if not desk.people[n - 1].here)
    yield from _of_entrants("checked-in", waiting)


def _dropped(state: State, act: Act | None) -> Offers:
    yield from _of_entrants("dropped", entrants(state.desk, "in", "waiting"))


def _returned(state: State, act: Act | None) -> Offers:
    back = (*entrants(state.desk, "dropped"), *left_outside(state.desk))
    yield from _of_entrants("returned", tuple(sorted(back)))


def _disqualified(state: State, act: Act | None) -> Offers:
    chosen = entrants(state.desk, "in", "waiting", "dropped")
    yield from _of_entrants("disqualified", chosen, note=NOTE)


def _pair_forbidden(state: State, act: Act | None) -> Offers:
    chosen = entrants(state.desk, "in")
    if len(chosen) > 1:
        yield Offer("pair-forbidden", None, {"entrants": Subset(chosen, most=2, least=2)})


def _pair_allowed(state: State, act: Act | None) -> Offers:
    if state.desk.forbidden:
        yield Offer("pair-allowed", None, {"entrants": Choice(state.desk.forbidden)})


def _table_fixed(state: State, act: Act | None) -> Offers:
    chosen = entrants(state.desk, "in")
    yield from _of_entrants("table-fixed", chosen, table=Range(0, MOST_SCORE))


def _bye_granted(state: State, act: Act | None) -> Offers:
    next_round = len(state.desk.rounds) + 1
    yield from _of_entrants(
        "bye-granted",
        entrants(state.desk, "in"),
        round=Range(next_round, next_round + AHEAD),
        worth=Choice(("full", "half", "zero", "loss")),
    )


def _penalty_given(state: State, act: Act | None) -> Offers:
    yield from _of_entrants(
        "penalty-given",
        entrants(state.desk, "in", "waiting", "dropped", "disqualified"),
        infraction=Choice(("play", "slow-play", "late", "deck", "conduct", "cheating")),
        penalty=Choice(("caution", "warning", "game-loss", "match-loss", "disqualification")),
        demerits=Range(0, MOST_POINTS),
        note=NOTE,
    )


# -- stages and rounds ----------------------------------------------------------------


def between_rounds(desk: Desk) -> bool:
    return not open_round(desk)


def may_start(desk: Desk) -> bool:
    """Tell whether a stage may start: the one before is over."""
    return between_rounds(desk) and (not desk.stages or is_over(desk))


TIE_ORDER = Ordered(tuple(TIEBREAKS), most=8)
POINTS = Range(0, MOST_POINTS)
YES_NO = Choice((False, True))
COMMON: dict[str, Field] = {
    "seeding": Choice(("entered", "rating", "standing", "drawn")),
    "seed": SEEDS,
}
BY_GAMES: dict[str, Field] = {"best_of": Range(1, 9)}
BY_CLOCK: dict[str, Field] = {"time_up": Choice(("", "lost", "draw"))}
BY_POINTS: dict[str, Field] = {
    "win": POINTS,
    "draw": POINTS,
    "loss": POINTS,
    "bye": POINTS,
    "halves": YES_NO,
    "tiebreaks": TIE_ORDER,
}
BY_PLACES: dict[str, Field] = {"table_points": Row(0, MOST_POINTS, most=6)}


ROUNDS: dict[str, Field] = {"rounds": Range(0, AHEAD)}
STAGES: dict[Format, dict[str, Field]] = {
    "swiss": ROUNDS
    | BY_GAMES
    | BY_POINTS
    | BY_CLOCK
    | {"no_rematches": YES_NO, "accelerated": Range(0, AHEAD)}
    | COMMON,
    "round-robin": BY_GAMES
    | BY_POINTS
    | BY_CLOCK
    | {"legs": Range(1, 4), "groups": Range(1, 16)}
    | COMMON,
    "single-elimination": BY_GAMES | {"third_place": YES_NO} | COMMON,
    "double-elimination": BY_GAMES | {"no_reset": YES_NO} | COMMON,
    "ladder": ROUNDS | BY_GAMES | BY_POINTS | BY_CLOCK | COMMON,
    "pods": ROUNDS | BY_POINTS | BY_PLACES | {"sizes": Ordered((3, 4, 5, 6), most=4)} | COMMON,
}
"""What may be said of a stage, for the formats that any number can play."""


def _stage_started(state: State, act: Act | None) -> Offers:
    if not may_start(state.desk):
        return
    chosen = available(state)
    if len(chosen) > 1:
        for name, fields in STAGES.items():
            yield _stage(name, fields | {"players": Ordered(chosen, most=len(chosen))})
    yield from _sized_stages(chosen)


def _stage(name: str, fields: dict[str, Field]) -> Offer:
    return Offer("stage-started", None, {"format": Choice((name,)), **fields})


def _sized_stages(chosen: tuple[int, ...]) -> Offers:
    """Yield the formats that take certain numbers only, for all there are and for fewer."""
    for size in cuts.POD_CUTS:
        for players in _exactly(chosen, size):
            yield _stage("pod-elimination", COMMON | players)
    for design in multi_round_robin.designs():
        for players in _exactly(chosen, design.players):
            yield _stage("multi-round-robin", _of_seats(design.seats) | players)


def _of_seats(*seats: int) -> dict[str, Field]:
    sizes = {"sizes": Choice(tuple((each,) for each in seats))}
    return BY_POINTS | BY_PLACES | sizes | COMMON


def planned(setup: StageStarted) -> Iterator[tuple[str, Field | None]]:
    """Yield the fields of a stage to come that none of its format can have, whoever plays it.

    Each with what it may be; None for what its format does not know.
    """
    match setup.format:
        case "pod-elimination":
            fields = COMMON
        case "multi-round-robin":
            fields = _of_seats(*sorted({each.seats for each in multi_round_robin.designs()}))
        case _:
            fields = STAGES[setup.format]
    for field in msgspec.structs.fields(setup):
        value = getattr(setup, field.name)
        if field.name in fields:
            if not admits(fields[field.name], value):
                yield field.name, fields[field.name]
        elif value != field.default and field.name not in ("format", "players"):
            yield field.name, None


def _exactly(chosen: tuple[int, ...], size: int) -> Iterator[dict[str, Field]]:
    if len(chosen) == size:
        yield {}
    if len(chosen) >= size:
        yield {"players": Ordered(chosen, most=size, least=size)}


def may_pair(desk: Desk) -> bool:
    return bool(desk.stages) and between_rounds(desk) and not is_over(desk)


def has_legal_round(desk: Desk) -> bool:
    """Tell whether a round can be paired without a pair that is not to meet."""
    setup = desk.stages[-1].setup
    if setup.format != "swiss" or not (desk.forbidden or setup.no_rematches):
        return True
    return swiss_round(swiss_field(desk), 0).no_round is None


def _round_paired(state: State, act: Act | None) -> Offers:
    if may_pair(state.desk) and has_legal_round(state.desk):
        method = Choice((state.desk.stages[-1].setup.format,))
        yield Offer("round-paired", None, {"method": method, "seed": SEEDS})


def _pairing_changed(state: State, act: Act | None) -> Offers:
    desk = state.desk
    number = open_round(desk)
    if not number:
        return
    stage = desk.stages[-1]
    if stage.setup.format in BRACKETS:
        yield from _seats_mended(desk, number)
        return
    tables = [table for table in desk.rounds[number - 1].tables if table.status == "open"]
    movable = sorted([*(p for t in tables for p in t.players), *desk.rounds[number - 1].byes])
    for size in sorted({len(table.players) for table in tables}):
        numbers = tuple(table.number for table in tables if len(table.players) == size)
        fields: dict[str, Field] = {
            "table": Choice(numbers),
            "seat_number": Range(1, size),
            "entrant": Choice(tuple(movable)),
            "note": REASON,
        }
        yield Offer("pairing-changed", None, fields)


def _seats_mended(desk: Desk, number: int) -> Offers:
    """Yield the changes that make a bracket's open pairings what its results now give."""
    index = len(desk.stages) - 1
    seated = bracket_of(desk, index)[1].players
    for where, table_number in stale_tables(desk, index):
        table = table_of(desk, where, table_number)
        if where != number or table is None or table.status != "open":
            continue
        right = tuple(p for p in seated.get(table.slot, ()) if p and p not in table.players)
        for seat, player in enumerate(table.players, 1):
            if right and player not in seated[table.slot]:
                fields: dict[str, Field] = {
                    "table": Choice((table_number,)),
                    "seat_number": Choice((seat,)),
                    "entrant": Choice(right),
                    "note": REASON,
                }
                yield Offer("pairing-changed", None, fields)


def _of_open_round(kind: str, allowed: Callable[[State, int], bool]) -> "Maker":
    def make(state: State, act: Act | None) -> Offers:
        number = open_round(state.desk)
        if number and allowed(state, number):
            yield Offer(kind, None, {"round": Choice((number,))})

    return make


def _unpublished(state: State, number: int) -> bool:
    return not state.desk.rounds[number - 1].published


def _untimed(state: State, number: int) -> bool:
    each = state.desk.rounds[number - 1]
    return each.published and not each.timed


def _complete(state: State, number: int) -> bool:
    each = state.desk.rounds[number - 1]
    only = state.setup.options.confirmed_only
    return each.published and done(each, confirmed_only=only) == len(each.tables)


def _stage_ended(state: State, act: Act | None) -> Offers:
    if may_pair(state.desk):
        yield Offer("stage-ended", None, {"note": REASON})


def _cut_made(state: State, act: Act | None) -> Offers:
    desk = state.desk
    if not desk.stages or not may_start(desk):
        return
    stage = desk.stages[-1]
    still_in = [player for player in stage.players if is_in(desk, player)]
    most = min(len(still_in), cuts.CUTS[-1])
    if stage.setup.format not in KNOCKOUTS and most > 1:
        yield Offer("cut-made", None, {"size": Range(2, most)})


def _results_held(state: State, act: Act | None) -> Offers:
    if not state.desk.held:
        rounds = Range(1, len(state.desk.rounds) + AHEAD)
        yield Offer("results-held", None, {"round": rounds})


def _results_shown(state: State, act: Act | None) -> Offers:
    if state.desk.held:
        yield Offer("results-shown", None, {})


def _announced(state: State, act: Act | None) -> Offers:
    yield Offer("announced", None, {"note": REASON})


def _tournament_closed(state: State, act: Act | None) -> Offers:
    if state.desk.stages and may_start(state.desk):
        yield Offer("tournament-closed", None, {})


# -- results --------------------------------------------------------------------------


@cache
def score_rows(best_of: int, decided: bool) -> tuple[tuple[int, int], ...]:
    """Return the games two may have won; `decided` when somebody has to win."""
    need = best_of // 2 + 1
    return tuple(
        (one, two)
        for one in range(need + 1)
        for two in range(need + 1)
        if one + two <= best_of and not (decided and one == two)
    )


def _asked(state: State, act: Act | None) -> Iterator[tuple[int, Table, Stage]]:
    """Yield the tables to look at with the numbers of their rounds: those an act names."""
    desk = state.desk
    named: int = getattr(act, "round", 0)
    for number in [named] if act is not None else range(1, len(desk.rounds) + 1):
        if not 1 <= number <= len(desk.rounds) or not desk.rounds[number - 1].published:
            continue
        each = desk.rounds[number - 1]
        tables = each.tables
        if act is not None:
            table = table_of(desk, number, getattr(act, "table", 0))
            tables = (table,) if table else ()
        for table in tables:
            yield number, table, desk.stages[each.stage]


def _results(
    kind: str, number: int, table: Table, stage: Stage, more: dict[str, Field], *, timed: bool
) -> Offers:
    """Yield the results a table may have, each with more fields.

    Once time is called what two have left may be compared. Rule: ZX-X3.
    """
    where: dict[str, Field] = {"round": Choice((number,)), "table": Choice((table.number,))}
    where |= more
    decided = stage.setup.format in BRACKETS
    if len(table.players) == 2:
        scores = Choice(score_rows(stage.setup.best_of, decided))
        yield Offer(kind, None, where | {"scores": scores, "drawn": Range(0, MOST_DRAWN)})
        absent = Subset(table.players, most=1 if decided else 2, least=1)
        yield Offer(kind, None, where | {"absent": absent})
    else:
        size = len(table.players)
        scored = Row(0, MOST_SCORE, most=size, least=size)
        absent = Subset(table.players, most=size)
        yield Offer(kind, None, where | {"scores": scored, "absent": absent})
    if timed and compares(stage, table):
        left = Row(0, MOST_LEFT, most=2, least=2)
        yield Offer(kind, None, where | {"left": left})
    if not decided:
        by: dict[str, Field] = {"by": Choice((0,))} if "by" in where else {}
        yield Offer(kind, None, where | {"lost": Choice((True,))} | by)


def compares(stage: Stage, table: Table) -> bool:
    """Tell whether time decides a table by what two have left: in single games, in no bracket."""
    setup = stage.setup
    single = setup.best_of == 1 and setup.format not in BRACKETS
    return bool(setup.time_up) and single and len(table.players) == 2


def _is_timed(state: State, number: int) -> bool:
    return state.desk.rounds[number - 1].timed


def _result_reported(state: State, act: Act | None) -> Offers:
    for number, table, stage in _asked(state, act):
        if table.status in ("open", "reported"):
            by: dict[str, Field] = {"by": Choice((0, *table.players))}
            timed = _is_timed(state, number)
            yield from _results("result-reported", number, table, stage, by, timed=timed)


def _result_confirmed(state: State, act: Act | None) -> Offers:
    for number, table, _ in _asked(state, act):
        if table.status == "reported":
            others = tuple(p for p in table.players if p != table.by)
            yield Offer("result-confirmed", None, _at(number, table) | {"by": Choice((0, *others))})


def _result_disputed(state: State, act: Act | None) -> Offers:
    for number, table, _ in _asked(state, act):
        fresh = table.status == "settled" and not state.desk.rounds[number - 1].closed
        if table.status == "reported" or fresh:
            by: dict[str, Field] = {"by": Choice((0, *table.players)), "note": NOTE}
            yield Offer("result-disputed", None, _at(number, table) | by)


def _at(number: int, table: Table) -> dict[str, Field]:
    return {"round": Choice((number,)), "table": Choice((table.number,))}


def _ruled(state: State, act: Act | None) -> Offers:
    for number, table, stage in _asked(state, act):
        if table.status != "settled":
            timed = _is_timed(state, number)
            yield from _results("ruled", number, table, stage, {"note": REASON}, timed=timed)


def _result_corrected(state: State, act: Act | None) -> Offers:
    for number, table, stage in _asked(state, act):
        if table.status == "settled":
            timed = _is_timed(state, number)
            more: dict[str, Field] = {"note": REASON}
            yield from _results("result-corrected", number, table, stage, more, timed=timed)


Maker = Callable[[State, Act | None], Offers]

OFFERS: dict[type[Act], Maker] = {
    Entered: _entered,
    Waitlisted: _waitlisted,
    CheckedIn: _checked_in,
    Dropped: _dropped,
    Returned: _returned,
    Disqualified: _disqualified,
    PairForbidden: _pair_forbidden,
    PairAllowed: _pair_allowed,
    TableFixed: _table_fixed,
    ByeGranted: _bye_granted,
    PenaltyGiven: _penalty_given,
    StageStarted: _stage_started,
    RoundPaired: _round_paired,
    PairingChanged: _pairing_changed,
    RoundPublished: _of_open_round("round-published", _unpublished),
    ResultReported: _result_reported,
    ResultConfirmed: _result_confirmed,
    ResultDisputed: _result_disputed,
    Ruled: _ruled,
    ResultCorrected: _result_corrected,
    TimeCalled: _of_open_round("time-called", _untimed),
    RoundClosed: _of_open_round("round-closed", _complete),
    StageEnded: _stage_ended,
    CutMade: _cut_made,
    ResultsHeld: _results_held,
    ResultsShown: _results_shown,
    Announced: _announced,
    TournamentClosed: _tournament_closed,
}


# -- why not --------------------------------------------------------------------------


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
        case Entered() if is_full(state) and 0 <= act.rating <= MOST_RATING:
            return _over_the_cap(desk)
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
        case RoundPublished() | TimeCalled() | RoundClosed():
            return _reason_of_round(desk, act)
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


def _over_the_cap(desk: Desk) -> Verdict:
    if len(desk.people) >= MOST_PEOPLE:
        return impossible("too-many", most=MOST_PEOPLE)
    return irregular("full", "", entrants=len(entrants(desk, "in")))


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
    """Say what keeps pairings made by hand from meaning anything; "" when they do."""
    stage = desk.stages[-1]
    if stage.setup.format in KNOCKOUTS:
        return "a bracket pairs itself"
    named = [*(player for table in act.pairings for player in table), *act.byes]
    if len(set(named)) < len(named):
        return "somebody is named twice"
    if any(player not in stage.players or not is_in(desk, player) for player in named):
        return "somebody is not in this stage"
    most = 6 if stage.setup.format in ("pods", "multi-round-robin") else 2
    if any(not 2 <= len(table) <= most for table in act.pairings):
        return f"a table has 2 to {most}" if most > 2 else "a table has 2"
    return ""


def _reason_of_round(desk: Desk, act: RoundPublished | TimeCalled | RoundClosed) -> Verdict:
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
    if isinstance(act, TimeCalled):
        return impossible("time-is-called", round=number)
    return impossible("results-missing", round=number)


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
        for field in msgspec.structs.fields(act):
            value = getattr(act, field.name)
            if field.name in offer.fields:
                if not admits(offer.fields[field.name], value):
                    return impossible("out-of-range", field=field.name)
            elif field.required or value != field.default:
                return impossible("out-of-range", field=field.name)
    return impossible("not-now", act=event_type(act))
