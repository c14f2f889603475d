"""Results of matches at tables, reported to the desk."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import uuid5

import msgspec
from django.utils.translation import gettext

from league import desks
from league.models import TableMatch, Tournament
from league.tables import counting, key_of, matches_of, seated
from matches import log as logs
from matches.errors import Conflict, Impossible
from matches.log import Request
from matches.memory import load_all as load_logs
from matches.models import Log, Match
from rules.desk.acts import ResultCorrected, ResultReported, RoundPublished, Ruled
from rules.desk.state import (
    Desk,
    Result,
    Stage,
    Table,
    open_round,
    round_at,
    stage_at,
    table_of,
)
from rules.desk.worth import wins_needed
from rules.replay import Timeline
from rules.ruleset import LOST_BY_ALL, Outcome

WHY = "The match at the table was corrected."


# -- what matches say ---------------------------------------------------------------------


class Played(NamedTuple):
    """The result of a table's matches; `match` is the last one, `at` the versions of all."""

    result: Result
    match: Match
    at: str


def result_of_matches(
    tournament: Tournament, desk: Desk, number: int, table: Table, matches: Iterable[TableMatch]
) -> Played | None:
    """Return the result that a table's matches add up to, None while they go on."""
    stage = stage_at(desk, number)
    wins = dict.fromkeys(table.players, 0)
    drawn, last, versions = 0, None, list[str]()
    for each in counting(matches):
        outcome, version = _outcome(each.match)
        if outcome is None:
            return None
        versions.append(str(version))
        last = Played(Result(), each.match, " ".join(versions))
        order = seated(table.players, each.game)
        many = len(table.players) > 2
        if outcome.why == LOST_BY_ALL and (many or wins_needed(stage) == 1):
            return last._replace(result=Result(lost=True))
        if many:
            return last._replace(result=_of_many(outcome))
        if len(outcome.winners) == 1:
            winner = order[outcome.winners[0] - 1]
            wins[winner] += wins_needed(stage) if _is_whole(tournament) else 1
        else:
            drawn += 1
    if last is None or not _is_decided(stage, list(wins.values()), drawn, _is_whole(tournament)):
        return None
    return last._replace(result=Result(scores=tuple(wins.values()), drawn=drawn))


def _outcome(match: Match) -> tuple[Outcome | None, int]:
    found = logs.load(match.log)
    head = found.at(match.log.head_version)
    outcome: Outcome | None = found.ruleset.outcome(head.state)
    return outcome, match.log.head_version


def _is_whole(tournament: Tournament) -> bool:
    """Return whether one match holds all games of a table: its options say the best of how many."""
    options: dict[str, Any] = msgspec.json.decode(tournament.options)
    return int(options.get("best_of", 1)) > 1


def _is_decided(stage: Stage, wins: Sequence[int], drawn: int, whole: bool) -> bool:
    need, played = wins_needed(stage), sum(wins) + drawn
    return max(wins) >= need or played >= stage.setup.best_of or (whole and played > 0)


def _of_many(outcome: Outcome) -> Result:
    """Return places as scores: a better place scores higher, equal places the same."""
    return Result(scores=tuple(len(outcome.places) - place for place in outcome.places))


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
    table = table_of(desk, table_match.round, table_match.table)
    if table is None or key_of(table.players) != table_match.players:
        return False
    matches = matches_of(tournament, table_match.round, table)
    played = result_of_matches(tournament, desk, table_match.round, table, matches)
    if played is None or desk.closed:
        return False
    act = act_for(desk, table_match, table, played)
    if act is None:
        return False
    act_id, since = uuid5(played.match.pk, played.at), _published(tournament, table_match.round)
    if (logs.version_of(tournament.log, act_id) or since) < since:
        act_id = uuid5(act_id, str(since))
    request = Request(act_id, act, None, note=WHY if isinstance(act, ResultCorrected) else "")
    logs.append_by_itself(tournament.log, request, lambda head: _still_so(head, table_match, table))
    result = msgspec.to_builtins(played.result)
    TableMatch.objects.filter(
        tournament=tournament,
        round=table_match.round,
        table=table_match.table,
        players=table_match.players,
    ).update(reported=result)
    return True


def report_late(tournament: Tournament, desk: Desk) -> None:
    """Report results of matches that ended while their table was undone or swapped out.

    Likewise the results of a round that was undone since and is published again.
    """
    number = open_round(desk)
    if not number or not round_at(desk, number).published:
        return
    ended = tournament.matches.filter(round=number, match__log__status=Log.Status.ENDED)
    waiting = {each.number for each in round_at(desk, number).tables if each.status == "open"}
    for each in ended.select_related("tournament__log", "match__log"):
        undone_alone = each.reported is not None and _was_told(tournament, each)
        if each.table in waiting and not undone_alone:
            report_if_it_may(each)


def _was_told(tournament: Tournament, table_match: TableMatch) -> bool:
    """Return whether a table had a result since its round was published.

    Then only that result was undone.
    """
    since, head = _published(tournament, table_match.round), tournament.log.head_version
    acts = (each.act for each in desks.timeline(tournament).entries[since:head])
    settled = {(act.round, act.table) for act in acts if isinstance(act, ResultReported | Ruled)}
    return (table_match.round, table_match.table) in settled


def _published(tournament: Tournament, number: int) -> int:
    """Return the version at which a round that counts was published, 0 for none."""
    found = desks.timeline(tournament)
    history = ((v, found.entries[v - 1].act) for v in found.backwards(tournament.log.head_version))
    published = (v for v, act in history if isinstance(act, RoundPublished) and act.round == number)
    return next(published, 0)


def report_if_it_may(table_match: TableMatch) -> None:
    """Report, unless the desk has another result: then the console shows both."""
    with suppress(Conflict, Impossible):
        report(table_match)


def act_for(
    desk: Desk, table_match: TableMatch, table: Table, played: Played
) -> ResultReported | ResultCorrected | None:
    """Return the act that records the result of a table's matches, None for nothing to record."""
    result = played.result
    number, place = table_match.round, table_match.table
    if table.status in ("open", "reported"):
        if table.status == "reported" and is_same(table.result, result) and table.by == 0:
            return None
        return ResultReported(
            round=number,
            table=place,
            scores=result.scores,
            drawn=result.drawn,
            lost=result.lost,
        )
    before = msgspec.json.encode(table.result) if table.result else b""
    mine = table_match.reported is not None and before == _encoded(table_match.reported)
    if table.status != "settled" or is_same(table.result, result) or not mine:
        return None
    if round_at(desk, table_match.round).stage < len(desk.stages) - 1:
        return None  # a later stage is under way: the console lists it
    return ResultCorrected(
        round=number,
        table=place,
        note="",
        scores=result.scores,
        drawn=result.drawn,
        lost=result.lost,
    )


def is_same(reported: Result | None, played: Result) -> bool:
    """Return whether a result equals that of the matches, which do not know what was `left`."""
    return reported is not None and msgspec.structs.replace(reported, left=()) == played


def _encoded(data: Any) -> bytes:
    return msgspec.json.encode(msgspec.convert(data, Result))


def _still_so(head: Timeline, table_match: TableMatch, table: Table) -> None:
    """Raises: Conflict if the table's result changed meanwhile."""
    now = table_of(head.head.state.desk, table_match.round, table_match.table)
    if now != table:
        raise Conflict("moved-on", gettext("The table has a result already."))


class Differs(NamedTuple):
    """A table whose matches contradict the desk; `said` is their result, None if they have none."""

    round: int
    table: Table
    said: Result | None


def differing(tournament: Tournament, desk: Desk, **where: int) -> Iterator[Differs]:
    """Yield settled tables whose matches contradict their result, for an official to check.

    Includes results based on a match that was withdrawn later. `round` and `table` restrict it to
    one table.
    """
    found: dict[tuple[int, int, str], list[TableMatch]] = {}
    for each in tournament.matches.filter(**where).select_related("match__log"):
        found.setdefault((each.round, each.table, each.players), []).append(each)
    load_logs(each.match.log for matches in found.values() for each in counting(matches))
    for (number, at, players), matches in found.items():
        table = table_of(desk, number, at)
        if table is None or table.status != "settled" or key_of(table.players) != players:
            continue
        played = result_of_matches(tournament, desk, number, table, matches)
        if played is not None and not is_same(table.result, played.result):
            yield Differs(number, table, played.result)
        elif played is None and _was_withdrawn(table, matches):
            yield Differs(number, table, None)


def _was_withdrawn(table: Table, matches: Sequence[TableMatch]) -> bool:
    """Return whether a match that a table's result is based on was withdrawn."""
    reported = [
        msgspec.convert(each.reported, Result) for each in matches if each.reported is not None
    ]
    return len(counting(matches)) < len(matches) and table.result in reported
