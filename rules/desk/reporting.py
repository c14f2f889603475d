"""Results: the offers of acts that report, confirm, dispute, rule on and correct one."""

from collections.abc import Iterator
from functools import cache

from rules.desk.limits import MOST_DRAWN, MOST_LEFT, MOST_SCORE, NOTE, REASON, Offers
from rules.desk.state import BRACKETS, Stage, State, Table, table_of
from rules.ruleset import Act, Choice, Field, Offer, Range, Row, Subset


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


def reported(state: State, act: Act | None) -> Offers:
    for number, table, stage in _asked(state, act):
        if table.status in ("open", "reported"):
            by: dict[str, Field] = {"by": Choice((0, *table.players))}
            timed = _is_timed(state, number)
            yield from _results("result-reported", number, table, stage, by, timed=timed)


def confirmed(state: State, act: Act | None) -> Offers:
    for number, table, _ in _asked(state, act):
        if table.status == "reported":
            others = tuple(p for p in table.players if p != table.by)
            yield Offer("result-confirmed", None, _at(number, table) | {"by": Choice((0, *others))})


def disputed(state: State, act: Act | None) -> Offers:
    for number, table, _ in _asked(state, act):
        fresh = table.status == "settled" and not state.desk.rounds[number - 1].closed
        if table.status == "reported" or fresh:
            by: dict[str, Field] = {"by": Choice((0, *table.players)), "note": NOTE}
            yield Offer("result-disputed", None, _at(number, table) | by)


def _at(number: int, table: Table) -> dict[str, Field]:
    return {"round": Choice((number,)), "table": Choice((table.number,))}


def ruled(state: State, act: Act | None) -> Offers:
    for number, table, stage in _asked(state, act):
        if table.status != "settled":
            timed = _is_timed(state, number)
            yield from _results("ruled", number, table, stage, {"note": REASON}, timed=timed)


def corrected(state: State, act: Act | None) -> Offers:
    for number, table, stage in _asked(state, act):
        if table.status == "settled":
            timed = _is_timed(state, number)
            more: dict[str, Field] = {"note": REASON}
            yield from _results("result-corrected", number, table, stage, more, timed=timed)
