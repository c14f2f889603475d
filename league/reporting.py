"""Results of matches at tables, reported to the desk."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import uuid5

import msgspec
from django.utils.translation import gettext

from league import desks
from league.models import TableMatch, Tournament
from league.played import PlayedTable, played_at, read_ends, table_with
from matches import log as logs
from matches.errors import Conflict, Impossible
from matches.log import Request
from matches.models import Log
from rules.desk.acts import ResultCorrected, ResultReported, RoundPublished, Ruled
from rules.desk.state import (
    Desk,
    Result,
    Table,
    round_at,
    round_under_way,
    table_of,
)
from rules.replay import Timeline

WHY = "The match at the table was corrected."


# -- reporting ----------------------------------------------------------------------------


def report(table_match: TableMatch) -> bool:
    """Report the result of a table's matches to the desk if it differs; return whether it did.

    A result reported by matches before is corrected; one that an official ruled stands. The act id
    is derived from the last match's log and the versions of all, so this is idempotent; if the
    round was undone and published again, it is recorded once more.
    """
    tournament = table_match.tournament
    tournament.log.refresh_from_db()
    desk = desks.desk_of(tournament)
    number = table_match.round
    table = table_with(tournament, desk, number, table_match.table, table_match.players)
    if table is None:
        return False
    at = played_at(tournament, desk, number, table)
    played = at.result
    if played is None or desk.closed:
        return False
    act = act_for(at, played.result)
    if act is None:
        return False
    act_id, since = uuid5(played.match.pk, played.at), _published(tournament, number)
    if (logs.version_of(tournament.log, act_id) or since) < since:
        act_id = uuid5(act_id, str(since))
    request = Request(act_id, act, None, note=WHY if isinstance(act, ResultCorrected) else "")
    logs.append_by_itself(
        tournament.log, request, lambda timeline: _still_so(timeline, table_match, table)
    )
    result = msgspec.to_builtins(played.result)
    TableMatch.objects.filter(
        tournament=tournament,
        round=number,
        table=table_match.table,
        players=table_match.players,
    ).update(reported=result)
    return True


def report_late(tournament: Tournament, desk: Desk) -> None:
    """Report results of matches that ended while their table was undone or swapped out.

    Likewise the results of a round that was undone since and is published again. A table whose
    result alone was undone is left to people.
    """
    number = round_under_way(desk)
    tables = round_at(desk, number).tables if number else ()
    waiting = [each.number for each in tables if each.status == "open"]
    if not waiting:
        return
    over = {"table__in": waiting, "match__log__status": Log.Status.ENDED}
    ended = tournament.matches.filter(round=number, **over)
    found = list(ended.select_related("tournament__log", "match__log"))
    told = _told(tournament, number) if found else frozenset()
    for each in found:
        if each.reported is None or each.table not in told:
            report_if_it_may(each)


def _told(tournament: Tournament, number: int) -> frozenset[int]:
    """Return the tables of a round that had a result since it was published."""
    since, head = _published(tournament, number), tournament.log.head_version
    acts = (each.act for each in desks.timeline(tournament).entries[since:head])
    results = (act for act in acts if isinstance(act, ResultReported | Ruled))
    return frozenset(act.table for act in results if act.round == number)


def _published(tournament: Tournament, number: int) -> int:
    """Return the version at which a round that counts was published, 0 for none."""
    for entry in desks.timeline(tournament).backwards(tournament.log.head_version):
        if isinstance(entry.act, RoundPublished) and entry.act.round == number:
            return entry.version
    return 0


def report_if_it_may(table_match: TableMatch) -> None:
    """Report, unless the desk has another result: then the console shows both."""
    with suppress(Conflict, Impossible):
        report(table_match)


def act_for(at: PlayedTable, result: Result) -> ResultReported | ResultCorrected | None:
    """Return the act that records the result of a table's matches, None for nothing to record."""
    table, desk = at.table, at.desk
    fields: dict[str, Any] = {
        "round": at.round,
        "table": table.number,
        "scores": result.scores,
        "drawn": result.drawn,
        "lost": result.lost,
    }
    if table.status in ("open", "reported"):
        if table.status == "reported" and is_same(table.result, result) and table.by == 0:
            return None
        return ResultReported(**fields)
    if table.status != "settled" or is_same(table.result, result) or not at.is_reported:
        return None
    if round_at(desk, at.round).stage < len(desk.stages) - 1:
        return None  # a later stage is under way: the console lists it
    return ResultCorrected(note="", **fields)


def is_same(reported: Result | None, played: Result) -> bool:
    """Return whether a result equals that of the matches, which do not know what was `left`."""
    return reported is not None and msgspec.structs.replace(reported, left=()) == played


def _still_so(timeline: Timeline, table_match: TableMatch, table: Table) -> None:
    """Raises: Conflict if the table's result changed meanwhile."""
    now = table_of(timeline.head.state.desk, table_match.round, table_match.table)
    if now != table:
        raise Conflict("moved-on", gettext("The table has a result already."))


class Differs(NamedTuple):
    """A table whose matches contradict the desk; `said` is their result, None if they have none."""

    round: int
    table: Table
    said: Result | None


def differing(tournament: Tournament, desk: Desk, **where: int) -> Iterator[Differs]:
    """Yield settled tables whose matches contradict their result, for an official to check.

    Includes results that matches reported which add up to none any more, because one was withdrawn,
    taken back or corrected. `round` and `table` restrict it to one table.
    """
    found: dict[tuple[int, int, str], list[TableMatch]] = {}
    for each in tournament.matches.filter(**where).select_related("match__log"):
        found.setdefault((each.round, each.table, each.players), []).append(each)
    settled = [
        PlayedTable(tournament, desk, key[0], table, matches)
        for key, matches in found.items()
        if (table := table_with(tournament, desk, *key)) and table.status == "settled"
    ]
    read_ends(each.match for at in settled for each in at.counting)
    for at in settled:
        if at.result is not None and not is_same(at.table.result, at.result.result):
            yield Differs(at.round, at.table, at.result.result)
        elif at.result is None and at.is_reported:
            yield Differs(at.round, at.table, None)
