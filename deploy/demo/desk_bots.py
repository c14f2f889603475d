"""A tournament run by bots: they enter, sit down, report, and decide who wins.

Ids are derived from what is recorded, so a second run, even after an interrupted one, records only
what is missing.
"""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid5

from deploy.demo import ownership
from league import desks, services
from league.models import Tournament
from league.starting import start_of
from matches.actors import Actor
from rules import bots
from rules.desk.stages import may_pair
from rules.desk.state import BRACKETS, Desk, Table, open_round, round_at, round_under_way

Play = Callable[[Actor, Tournament, int, Table], None]
"""Plays a table of a round at its match, which then reports."""


def drive(
    by: Actor,
    cup: Tournament,
    players: Sequence[Actor],
    upto: int = 0,
    *,
    lists: Sequence[str] = (),
    gear: Sequence[Any] = (),
    play: Play | None = None,
) -> None:
    """Record what is due until the tournament is closed, or `upto` tables of it are settled.

    One in which people recorded is left alone. Players bring one of the deck `lists` or of the
    decks `gear`, if there are any. Tables are played by `play`; without it results are reported at
    once.
    """
    pick = bots.Stream(f"season {cup.title}")
    while not (desk := desk_of(cup)).closed and not ownership.is_theirs(cup):
        settled = sum(table.status == "settled" for each in desk.rounds for table in each.tables)
        if upto and settled >= upto:
            return
        act_id = uuid5(cup.pk, f"season {cup.log.head_version}")
        number = len(desk.people)
        if number < len(players):
            services.enter(
                tournament=cup,
                by=by,
                act_id=act_id,
                player=players[number].player,
                text=_turn(lists, number),
                deck=_turn(gear, number),
            )
        elif play is not None and (found := open_table(desk)):
            play(by, cup, len(desk.rounds), found)
        elif may_pair(desk):
            services.pair(tournament=cup, by=by, act_id=act_id, seed=len(desk.rounds) + 1)
        else:
            act = _due(cup, desk, pick)
            services.record(tournament=cup, by=by, act_id=act_id, act=act)


def _turn(brought: Sequence[Any], number: int) -> Any:
    """Return what a player brings, in turn; None if there is nothing to bring."""
    return brought[number % len(brought)] if brought else None


def open_table(desk: Desk) -> Table | None:
    """Return a table without a result of the published round under way."""
    number = round_under_way(desk)
    tables = round_at(desk, number).tables if number else ()
    return next((table for table in tables if table.status == "open"), None)


def _due(cup: Tournament, desk: Desk, pick: bots.Stream) -> dict[str, Any]:
    """Return the next act at a desk at which everybody has entered."""
    number = open_round(desk)
    if not number:
        return _next_stage(cup, desk)
    if not round_under_way(desk):
        return {"type": "round-published", "round": number}
    table = open_table(desk)
    if table is None:
        return {"type": "round-closed", "round": number}
    stage = desk.stages[round_at(desk, number).stage]
    scores = _result(table, pick, decided=stage.setup.format in BRACKETS)
    return {"type": "result-reported", "round": number, "table": table.number, "scores": scores}


def _next_stage(cup: Tournament, desk: Desk) -> dict[str, Any]:
    plan = cup.plans.order_by("order")[len(desk.stages) :].first()
    if plan is None:
        return {"type": "tournament-closed"}
    if plan.cut and desk.stages and not desk.stages[-1].cut:
        return {"type": "cut-made", "size": plan.cut}
    return start_of(plan, len(desk.stages) + 1)


def _result(table: Table, pick: bots.Stream, *, decided: bool) -> list[int]:
    """Return a result chosen by bots: two play best of three, more share places."""
    if len(table.players) > 2:
        places = range(len(table.players))
        return bots.some_of(places, len(places), pick)
    if not decided and pick(8) == 0:
        return [1, 1]
    return [[2, 0], [2, 1], [1, 2], [0, 2]][pick(4)]


def desk_of(cup: Tournament) -> Desk:
    """Return a tournament's desk as it stands now."""
    cup.log.refresh_from_db()
    return desks.desk_of(cup)
