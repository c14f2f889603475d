"""Rounds: offers to pair, publish, time and close them or to hold back results; and refusals.

Announcements are offered here too: they may be made, and taken down, at any time.
"""

from collections.abc import Callable

from rules.desk.acts import (
    ClockPaused,
    ClockResumed,
    RoundClosed,
    RoundPaired,
    RoundPublished,
    TimeCalled,
    TimeExtended,
    Unannounced,
)
from rules.desk.limits import AHEAD, MAX_MINUTES, REASON, SEEDS, Maker, Offers
from rules.desk.pairing import lacking, propose, swiss_field, swiss_round
from rules.desk.stages import may_pair
from rules.desk.standings import bracket_of, stale_tables
from rules.desk.state import (
    BRACKETS,
    KNOCKOUTS,
    Desk,
    Round,
    State,
    is_in,
    open_round,
    round_at,
    table_of,
)
from rules.desk.worth import uncounted
from rules.fields import Choice, Field, Range
from rules.ruleset import Act, Offer, Verdict, impossible, irregular


def unpairable(desk: Desk) -> Verdict | None:
    """Return why the machine pairs no round now, None if it can."""
    return too_few(desk) if may_pair(desk) else impossible("nothing-to-pair")


def too_few(desk: Desk) -> Verdict | None:
    """Return the refusal of a round with too few for any table: all would have byes."""
    there, least = lacking(desk)
    return impossible("too-few-there", there=there, least=least) if there < least else None


def has_legal_round(desk: Desk) -> bool:
    """Tell whether a round can be paired without a forbidden pair."""
    setup = desk.stages[-1].setup
    if setup.format != "swiss" or not (desk.forbidden or setup.no_rematches):
        return True
    return swiss_round(swiss_field(desk), 0).no_round is None


def paired(state: State, act: Act | None) -> Offers:
    if not unpairable(state.desk) and has_legal_round(state.desk):
        method = Choice((state.desk.stages[-1].setup.format,))
        yield Offer("round-paired", None, {"method": method, "seed": SEEDS})


def pairing_changed(state: State, act: Act | None) -> Offers:
    desk = state.desk
    number = open_round(desk)
    if not number:
        return
    stage = desk.stages[-1]
    if stage.setup.format in BRACKETS:
        yield from _seats_mended(desk, number)
        return
    current = round_at(desk, number)
    tables = [table for table in current.tables if table.status == "open"]
    movable = sorted([*(p for t in tables for p in t.players), *current.byes])
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
    """Yield the changes that update a bracket's open pairings to its present results."""
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


def _of_open_round(kind: str, allowed: Callable[[State, Round], bool]) -> Maker:
    def make(state: State, act: Act | None) -> Offers:
        number = open_round(state.desk)
        if number and allowed(state, round_at(state.desk, number)):
            yield Offer(kind, None, {"round": Choice((number,))})

    return make


def _is_unpublished(state: State, current: Round) -> bool:
    return not current.published


def _is_untimed(state: State, current: Round) -> bool:
    return current.published and not current.timed


def _is_running(state: State, current: Round) -> bool:
    return _is_untimed(state, current) and not current.paused


def _is_paused(state: State, current: Round) -> bool:
    return current.paused


def _is_complete(state: State, current: Round) -> bool:
    only = state.setup.options.confirmed_only
    return current.published and not uncounted(current, confirmed_only=only)


published = _of_open_round("round-published", _is_unpublished)
timed = _of_open_round("time-called", _is_untimed)
paused = _of_open_round("clock-paused", _is_running)
resumed = _of_open_round("clock-resumed", _is_paused)
closed = _of_open_round("round-closed", _is_complete)


def extended(state: State, act: Act | None) -> Offers:
    number = open_round(state.desk)
    if number and _is_untimed(state, current := round_at(state.desk, number)):
        waiting = sorted(table.number for table in current.tables if table.status == "open")
        fields: dict[str, Field] = {
            "round": Choice((number,)),
            "minutes": Range(1, MAX_MINUTES),
            "table": Choice((0, *waiting)),
        }
        yield Offer("time-extended", None, fields)


def held(state: State, act: Act | None) -> Offers:
    if not state.desk.held:
        rounds = Range(1, len(state.desk.rounds) + AHEAD)
        yield Offer("results-held", None, {"round": rounds})


def shown(state: State, act: Act | None) -> Offers:
    if state.desk.held:
        yield Offer("results-shown", None, {})


def announced(state: State, act: Act | None) -> Offers:
    yield Offer("announced", None, {"note": REASON})


def unannounced(state: State, act: Act | None) -> Offers:
    desk = state.desk
    standing = tuple(n for n in range(1, desk.announced + 1) if n not in desk.unannounced)
    if standing:
        yield Offer("unannounced", None, {"announcement": Choice(standing)})


# -- refusals -----------------------------------------------------------------------


def not_paired(state: State, act: RoundPaired) -> Verdict:
    desk = state.desk
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
        if not act.note:
            return impossible("missing-reason")
        return irregular("paired-by-hand", "")
    if few := too_few(desk):
        return few
    if not has_legal_round(desk):
        return irregular("no-legal-round", "", pairs=len(propose(desk, act.seed).breaches))
    return impossible("out-of-range", field="note")


def _problem_by_hand(desk: Desk, act: RoundPaired) -> str:
    """Return the code of what is wrong with pairings made by hand; "" if nothing is."""
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


def not_changed(state: State, act: Act) -> Verdict | None:
    return None if open_round(state.desk) else impossible("no-open-round")


OfRound = RoundPublished | TimeCalled | RoundClosed | ClockPaused | ClockResumed | TimeExtended


def not_of_round(state: State, act: OfRound) -> Verdict:
    desk = state.desk
    number = open_round(desk)
    if not 1 <= act.round <= len(desk.rounds):
        return impossible("no-such-round", round=act.round)
    if act.round != number:
        return impossible("round-is-closed", round=act.round)
    current = round_at(desk, number)
    if isinstance(act, RoundPublished):
        return impossible("published-already", round=number)
    if not current.published:
        return impossible("not-published", round=number)
    if isinstance(act, ClockResumed):
        return impossible("clock-runs", round=number)
    if current.timed and not isinstance(act, RoundClosed):
        return impossible("time-is-called", round=number)
    if isinstance(act, ClockPaused):
        return impossible("paused-already", round=number)
    return impossible("results-missing", round=number)


def not_extended(state: State, act: TimeExtended) -> Verdict:
    number = open_round(state.desk)
    if act.round != number or not any(extended(state, act)):
        return not_of_round(state, act)
    table = table_of(state.desk, number, act.table)
    if act.table and table is None:
        return impossible("no-such-table", round=number, table=act.table)
    if table is not None and table.status != "open":
        return impossible("settled-already", table=act.table, status=table.status)
    return impossible("out-of-range", field="minutes")


def not_held(state: State, act: Act) -> Verdict | None:
    held_from = state.desk.held
    return impossible("held-already", round=held_from) if held_from else None


def not_shown(state: State, act: Act) -> Verdict:
    return impossible("not-held")


def nothing_announced(state: State, act: Unannounced) -> Verdict:
    return impossible("not-announced", announcement=act.announcement)
