"""Rounds: the offers of acts that pair, publish, time and close them, or hold their results back.

An announcement is offered here too: it may be made, and taken down, at any time.
"""

from collections.abc import Callable

from rules.desk.limits import AHEAD, MOST_MINUTES, REASON, SEEDS, Maker, Offers
from rules.desk.pairing import swiss_field, swiss_round
from rules.desk.stages import may_pair
from rules.desk.standings import bracket_of, stale_tables
from rules.desk.state import BRACKETS, Desk, State, done, open_round, table_of
from rules.ruleset import Act, Choice, Field, Offer, Range


def has_legal_round(desk: Desk) -> bool:
    """Tell whether a round can be paired without a pair that is not to meet."""
    setup = desk.stages[-1].setup
    if setup.format != "swiss" or not (desk.forbidden or setup.no_rematches):
        return True
    return swiss_round(swiss_field(desk), 0).no_round is None


def paired(state: State, act: Act | None) -> Offers:
    if may_pair(state.desk) and has_legal_round(state.desk):
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


def _of_open_round(kind: str, allowed: Callable[[State, int], bool]) -> Maker:
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


def _running(state: State, number: int) -> bool:
    return _untimed(state, number) and not state.desk.rounds[number - 1].paused


def _paused(state: State, number: int) -> bool:
    return state.desk.rounds[number - 1].paused


def _complete(state: State, number: int) -> bool:
    each = state.desk.rounds[number - 1]
    only = state.setup.options.confirmed_only
    return each.published and done(each, confirmed_only=only) == len(each.tables)


published = _of_open_round("round-published", _unpublished)
timed = _of_open_round("time-called", _untimed)
paused = _of_open_round("clock-paused", _running)
resumed = _of_open_round("clock-resumed", _paused)
closed = _of_open_round("round-closed", _complete)


def extended(state: State, act: Act | None) -> Offers:
    number = open_round(state.desk)
    if number and _untimed(state, number):
        tables = state.desk.rounds[number - 1].tables
        waiting = sorted(table.number for table in tables if table.status == "open")
        fields: dict[str, Field] = {
            "round": Choice((number,)),
            "minutes": Range(1, MOST_MINUTES),
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
