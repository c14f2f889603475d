"""Tables: offers to say when they are played and call officials, results, rulings; and refusals.

Results are reported, confirmed, disputed, ruled on and corrected.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from rules.desk.acts import (
    AppealRejected,
    CallAnswered,
    OfficialCalled,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    Ruled,
    RulingAppealed,
    TimeProposed,
)
from rules.desk.limits import MAX_DRAWN, MAX_LEFT, MAX_SCORE, MAX_TIME, NOTE, REASON, Offers, Reason
from rules.desk.state import (
    BRACKETS,
    Desk,
    Stage,
    State,
    Table,
    round_at,
    stage_at,
    table_of,
)
from rules.fields import Choice, Field, Range, RangeList, Subset
from rules.ruleset import Act, Offer, Verdict, impossible, irregular


@cache
def score_rows(best_of: int, decided: bool) -> tuple[tuple[int, int], ...]:
    """Return the possible games won by two players; `decided` if there has to be a winner."""
    need = best_of // 2 + 1
    return tuple(
        (one, two)
        for one in range(need + 1)
        for two in range(need + 1)
        if one + two <= best_of and not (decided and one == two)
    )


def _asked(state: State, act: Act | None) -> Iterator[tuple[int, Table]]:
    """Yield published tables with their rounds' numbers; for an act, only the one it names."""
    desk = state.desk
    if act is not None:
        number: int = getattr(act, "round", 0)
        table = table_of(desk, number, getattr(act, "table", 0))
        if table is not None and round_at(desk, number).published:
            yield number, table
        return
    for number, each in enumerate(desk.rounds, 1):
        if each.published:
            yield from ((number, table) for table in each.tables)


def _results(kind: str, desk: Desk, number: int, table: Table, **more: Field) -> Offers:
    """Yield the possible results of a table, each with more fields.

    Once time is called, what two players have left may be compared. Rule: ZX-X3.
    """
    where, stage = _at(number, table, **more), stage_at(desk, number)
    decided = stage.setup.format in BRACKETS
    if len(table.players) == 2:
        scores = Choice(score_rows(stage.setup.best_of, decided))
        yield Offer(kind, None, where | {"scores": scores, "drawn": Range(0, MAX_DRAWN)})
        absent = Subset(table.players, most=1 if decided else 2, least=1)
        yield Offer(kind, None, where | {"absent": absent})
    else:
        size = len(table.players)
        scored = RangeList(0, MAX_SCORE, most=size, least=size)
        absent = Subset(table.players, most=size)
        yield Offer(kind, None, where | {"scores": scored, "absent": absent})
    if round_at(desk, number).timed and compares(stage, table):
        left = RangeList(0, MAX_LEFT, most=2, least=2)
        yield Offer(kind, None, where | {"left": left})
    if not decided:
        by: dict[str, Field] = {"by": Choice((0,))} if "by" in where else {}
        yield Offer(kind, None, where | {"lost": Choice((True,))} | by)


def compares(stage: Stage, table: Table) -> bool:
    """Tell whether a table is decided by what is left at time: single games outside brackets."""
    setup = stage.setup
    single = setup.best_of == 1 and setup.format not in BRACKETS
    return bool(setup.time_up) and single and len(table.players) == 2


def _at(number: int, table: Table, **more: Field) -> dict[str, Field]:
    return {"round": Choice((number,)), "table": Choice((table.number,)), **more}


def time_proposed(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        if table.status == "open":
            at, by = Range(1, MAX_TIME), Choice((0, *table.players))
            yield Offer("time-proposed", None, _at(number, table, at=at, by=by))


def reported(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        if table.status in ("open", "reported"):
            by = Choice((0, *table.players))
            yield from _results("result-reported", state.desk, number, table, by=by)


def confirmed(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        if table.status == "reported":
            others = tuple(p for p in table.players if p != table.by)
            yield Offer("result-confirmed", None, _at(number, table, by=Choice((0, *others))))


def disputed(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        over = round_at(state.desk, number).closed or table.appeal  # a ruling is appealed instead
        fresh = table.status == "settled" and not over
        if table.status == "reported" or fresh:
            by = Choice((0, *table.players))
            yield Offer("result-disputed", None, _at(number, table, by=by, note=NOTE))


def ruled(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        if table.status != "settled":
            yield from _results("ruled", state.desk, number, table, note=REASON)


def corrected(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        if table.status == "settled":
            yield from _results("result-corrected", state.desk, number, table, note=REASON)


def official_called(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        if not (table.called or round_at(state.desk, number).closed):
            yield Offer("official-called", None, _at(number, table, by=Choice(table.players)))


def call_answered(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        if table.called:
            yield Offer("call-answered", None, _at(number, table, by=Choice((0, *table.players))))


def appealed(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        if table.appeal == "may":
            by = Choice(table.players)
            yield Offer("ruling-appealed", None, _at(number, table, by=by, note=REASON))


def appeal_rejected(state: State, act: Act | None) -> Offers:
    for number, table in _asked(state, act):
        if table.appeal == "open":
            yield Offer("appeal-rejected", None, _at(number, table, note=REASON))


# -- refusals -----------------------------------------------------------------------


def _at_its_table(why: Callable[[State, Table, Any], Verdict | None]) -> Reason:
    """Make a refusal of a table one of an act, which first checks round, table and reporter."""

    def say(state: State, act: Any) -> Verdict | None:
        desk = state.desk
        if not 1 <= act.round <= len(desk.rounds):
            return impossible("no-such-round", round=act.round)
        table = table_of(desk, act.round, act.table)
        if table is None:
            return impossible("no-such-table", round=act.round, table=act.table)
        if not round_at(desk, act.round).published:
            return impossible("not-published", round=act.round)
        by: int = getattr(act, "by", 0)
        if by and by not in table.players:
            return impossible("not-at-the-table", entrant=by, table=act.table)
        return why(state, table, act)

    return say


@_at_its_table
def not_proposed(state: State, table: Table, act: TimeProposed) -> Verdict | None:
    return None if table.status == "open" else _settled_already(table)


@_at_its_table
def not_reported(state: State, table: Table, act: ResultReported) -> Verdict:
    if table.status in ("settled", "disputed"):
        return _settled_already(table)
    return _no_such_result(state.desk, table, act)


@_at_its_table
def not_confirmed(state: State, table: Table, act: ResultConfirmed) -> Verdict:
    if table.status == "reported" and act.by == table.by:
        return impossible("own-report", entrant=act.by)
    return impossible("nothing-reported", table=table.number)


@_at_its_table
def not_disputed(state: State, table: Table, act: ResultDisputed) -> Verdict:
    if table.appeal:
        return impossible("is-ruled", table=table.number)
    return impossible("nothing-reported", table=table.number)


@_at_its_table
def not_ruled(state: State, table: Table, act: Ruled) -> Verdict:
    if table.status == "settled":
        return _settled_already(table)
    return _no_such_result(state.desk, table, act)


@_at_its_table
def not_corrected(state: State, table: Table, act: ResultCorrected) -> Verdict:
    if table.status != "settled":
        return impossible("not-settled", table=table.number)
    return _no_such_result(state.desk, table, act)


@_at_its_table
def not_called(state: State, table: Table, act: OfficialCalled) -> Verdict | None:
    if table.called:
        return impossible("called-already", table=table.number)
    if round_at(state.desk, act.round).closed:
        return impossible("round-is-closed", round=act.round)
    return None


@_at_its_table
def not_answered(state: State, table: Table, act: CallAnswered) -> Verdict | None:
    return None if table.called else impossible("nobody-called", table=table.number)


@_at_its_table
def not_appealed(state: State, table: Table, act: RulingAppealed) -> Verdict | None:
    if table.appeal != "may":
        return impossible("nothing-to-appeal", table=table.number)
    return None


@_at_its_table
def not_rejected(state: State, table: Table, act: AppealRejected) -> Verdict | None:
    if table.appeal != "open":
        return impossible("no-appeal", table=table.number)
    return None


def _settled_already(table: Table) -> Verdict:
    return impossible("settled-already", table=table.number, status=table.status)


def _no_such_result(
    desk: Desk, table: Table, act: ResultReported | Ruled | ResultCorrected
) -> Verdict:
    """Return what is wrong with the result itself."""
    scores, lost = act.scores, act.lost
    timed = round_at(desk, act.round).timed
    stage = stage_at(desk, act.round)
    if act.left and not compares(stage, table):
        return impossible("nothing-compared", "ZX-X3", table=table.number)
    if act.left and not timed:
        return impossible("time-not-called", "ZX-X3", round=act.round)
    if isinstance(act, ResultReported) and lost and act.by:
        return impossible("lost-by-the-desk", "ZX-X5", table=table.number)
    decided = stage.setup.format in BRACKETS
    plain = len(scores) == 2 == len(table.players) and not (act.absent or lost or act.left)
    if plain and all(0 <= games <= MAX_DRAWN for games in (*scores, act.drawn)):
        if decided and scores[0] == scores[1]:
            return impossible("needs-a-winner")
        return irregular("too-many-games", "", best_of=stage.setup.best_of)
    return impossible("no-such-result", table=table.number)
