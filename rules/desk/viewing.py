"""What an audience sees of a desk."""

from typing import Any

import msgspec

from rules.desk.pairing import planned_rounds
from rules.desk.standings import stale_tables
from rules.desk.state import Desk, Round, State, Table, keeps_seeds, seated
from rules.desk.telling import called
from rules.ruleset import Audience


def view(state: State, audience: Audience) -> dict[str, Any]:
    """Return everything except penalties, unpublished pairings and held results.

    A round that is held back shows who meets whom but not the results; a later stage shows the
    players named in its rounds, but not their seeds. Officials see everything.
    """
    desk = state.desk
    insider = audience == "officials"
    held = 0 if insider else desk.held
    shown = {
        "options": msgspec.to_builtins(state.setup.options),
        "entrants": [
            {**msgspec.to_builtins(person), "entrant": n, "label": called(desk, n)}
            for n, person in enumerate(desk.people, 1)
        ],
        "stages": [_stage(desk, index, hidden=held > 0) for index in range(len(desk.stages))],
        "rounds": [
            _round(number, each, hidden=0 < held <= number)
            for number, each in enumerate(desk.rounds, 1)
            if insider or each.published
        ],
        "forbidden": [list(pair) for pair in desk.forbidden],
        "held": desk.held,
        "closed": desk.closed,
        "order": [] if held else list(desk.order),
    }
    if insider:
        shown["penalties"] = msgspec.to_builtins(desk.penalties)
    return shown


def _stage(desk: Desk, index: int, *, hidden: bool) -> dict[str, Any]:
    """Return a stage as it is shown, without what results tell about it if they are hidden."""
    stage = desk.stages[index]
    unseeded = hidden and keeps_seeds(desk, index)
    return {
        **msgspec.to_builtins(stage.setup),
        "players": seated(desk, index) if unseeded else list(stage.players),
        "cut": [] if hidden else list(stage.cut),
        "annulled": list(stage.annulled),
        "planned": planned_rounds(stage),
        "stale": [] if hidden else [list(each) for each in stale_tables(desk, index)],
    }


def _round(number: int, each: Round, *, hidden: bool) -> dict[str, Any]:
    """Return a round as it is shown, without its results if they are hidden."""
    return {
        "round": number,
        "stage": each.stage + 1,
        "seed": each.seed,
        "byes": list(each.byes),
        "by_hand": each.by_hand,
        "published": each.published,
        "timed": each.timed,
        "paused": each.paused,
        "extra": each.extra,
        "closed": each.closed,
        "order": [] if hidden else list(each.order),
        "tables": [_table(table, hidden=hidden) for table in each.tables],
    }


def _table(table: Table, *, hidden: bool) -> dict[str, Any]:
    shown = {
        "table": table.number,
        "players": list(table.players),
        "slot": table.slot,
        "changed": table.changed,
        "extra": table.extra,
        "called": table.called,
        "plays_at": table.plays_at,
        "proposed": [list(each) for each in table.proposed],
    }
    if hidden:
        return shown
    return shown | {
        "status": table.status,
        "result": msgspec.to_builtins(table.result),
        "by": table.by,
        "claim": msgspec.to_builtins(table.claim),
        "corrected": table.corrected,
        "appeal": table.appeal,
    }
