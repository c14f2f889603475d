"""Matches at tables: opened from a pairing, reporting to the desk."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from uuid import UUID, uuid5

import msgspec
from django.db import IntegrityError, transaction
from django.utils.translation import gettext

import rules
from league import desks, policy, registering, titles
from league.happenings import Happenings
from league.models import TableMatch, Tournament
from league.publishing import Publications
from league.ratings import Ratings
from matches import cuts, followers, services
from matches import log as logs
from matches.actors import Actor
from matches.errors import Conflict, Impossible, NotAllowed, NotFound
from matches.log import Request
from matches.memory import load_all as load_logs
from matches.models import Event, Log, Match, Player
from rules.capabilities import SupportsFloorRules
from rules.desk.acts import ResultCorrected, ResultReported, RoundPublished, Ruled, TimeCalled
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


def key_of(players: Sequence[int]) -> str:
    """Return the entrants of a table as text, in seat order."""
    return "-".join(map(str, players))


def seated(players: Sequence[int], game: int) -> tuple[int, ...]:
    """Return the entrants in seat order for a game: two swap seats from game to game."""
    turned = len(players) == 2 and game % 2 == 0
    return tuple(reversed(players)) if turned else tuple(players)


def matches_of(tournament: Tournament, number: int, table: Table) -> list[TableMatch]:
    """Return the matches opened for a table's entrants, in order, including withdrawn ones."""
    found = tournament.matches.select_related("match__log").filter(
        round=number, table=table.number, players=key_of(table.players)
    )
    return list(found)


def counting(matches: Iterable[TableMatch]) -> list[TableMatch]:
    """Return the matches not withdrawn, which alone make up the result."""
    return [each for each in matches if not each.match.log.is_withdrawn]


def next_game(matches: Sequence[TableMatch]) -> int:
    """Return an unused number for a table's next game.

    Its parity decides who sits where: seats alternate over the games that count.
    """
    last = max((each.game for each in matches), default=0)
    return last + 1 + (last + len(counting(matches))) % 2


# -- opening ------------------------------------------------------------------------------


def open_table(*, tournament: Tournament, by: Actor, number: int, table: int) -> Match:
    """Open the next match of a table, or return the one under way there.

    The table's entrants and officials may. If it is opened twice concurrently, one is kept. The
    match has no owner: whoever rules the tournament manages it. Raises: NotFound, NotAllowed,
    Conflict if the table is decided or the game has no such number of seats.
    """
    policy.require_see(by, tournament)
    desk = desks.desk_of(tournament)
    found = table_of(desk, number, table)
    if found is None or not round_at(desk, number).published:
        raise NotFound(
            gettext("There is no table {table} in round {number}.").format(
                table=table, number=number
            ),
            "no-such-table",
        )
    mine = desks.number_for(by, tournament, desk)
    if mine not in found.players and not policy.is_official(by, tournament):
        raise NotAllowed(
            "not-allowed",
            gettext("Only those who sit at this table, and officials, can open its match."),
        )
    opened = matches_of(tournament, number, found)
    counted = counting(opened)
    if counted and counted[-1].match.log.status == Log.Status.OPEN:
        return counted[-1].match
    if found.status in ("settled", "disputed"):
        raise Conflict(
            "settled-already",
            gettext("Table {table}: {status}.").format(
                table=table, status=titles.STATUS[found.status]
            ),
        )
    return _open(tournament, by, desk, number, found, next_game(opened))


def _open(
    tournament: Tournament, by: Actor, desk: Desk, number: int, table: Table, game: int
) -> Match:
    ruleset = rules.get(tournament.ruleset)
    if len(table.players) not in ruleset.seats:
        raise Conflict(
            "no-such-match",
            gettext("{name} does not seat {players}.").format(
                name=ruleset.name, players=len(table.players)
            ),
        )
    order = seated(table.players, game)
    entries = desks.entries_by_number(tournament, desk)
    venue = tournament.venue
    where = titles.PLACE.format(venue=venue.name, table=table.number) if venue else ""
    try:
        with transaction.atomic():
            visibility = _visibility(locked(tournament.pk))
            match = services.open_match(
                by=by,
                ruleset=tournament.ruleset,
                options=msgspec.json.decode(tournament.options),
                seats=[
                    services.SeatRequest(
                        player=entries[each].player or _captain(entries[each].krewe),
                        deck=registering.deck_for_table(entries[each]),
                        ref=_ref(entries[each]),
                    )
                    for each in order
                ],
                title=titles.TITLE.format(
                    tournament=tournament.title[:80], round=number, table=table.number
                ),
                place=where,
                sanctioned=True,
                visibility=visibility,
                held=0 < desk.held <= number,
                own=False,
            )
            TableMatch.objects.create(
                tournament=tournament,
                round=number,
                table=table.number,
                players=key_of(table.players),
                game=game,
                match=match,
            )
    except IntegrityError:  # opened concurrently by somebody else
        return matches_of(tournament, number, table)[-1].match
    tournament.log.refresh_from_db()
    _hold(match, desks.desk_of(tournament), number)  # results may have been held or shown meanwhile
    return match


def _visibility(tournament: Tournament) -> str:
    """Return who sees its matches: everyone only if everyone sees the tournament."""
    return "public" if policy.is_public(tournament) else "table"


def _captain(krewe: Any) -> Player | None:
    return krewe.captain if krewe is not None else None


def _ref(entry: Any) -> str:
    """Return the opaque reference of who is fielded in the match's log: the character's id."""
    return str(entry.character_id) if entry.character_id else ""


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
    request = Request(
        act_id,
        act,
        None,
        note=WHY if isinstance(act, ResultCorrected) else "",
    )
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


# -- time is up -------------------------------------------------------------------------------


def call_time(tournament: Tournament) -> None:
    """Tell the matches of the open round that time was called, if their game has a rule for it.

    Only matches running at the time of the call. The act id is derived from the call, so this is
    idempotent; if interrupted, the follower finishes it. An act recorded meanwhile goes first.
    """
    ruleset, call = rules.get(tournament.ruleset), _call_of(tournament)
    if call is None or not isinstance(ruleset, SupportsFloorRules):
        return
    version, number = call
    called_at = Event.objects.filter(log=tournament.pk, version=version, ordinal=0)
    on = tournament.matches.filter(
        round=number,
        match__log__status=Log.Status.OPEN,
        match__started_at__lte=called_at.values("recorded_at"),
    )
    for each in on.select_related("match__log"):
        log = each.match.log
        act = ruleset.time_called(logs.load(log).head.state)
        if act is not None:
            with suppress(Conflict, Impossible):  # ended, or called at the table, meanwhile
                logs.append_by_itself(log, Request(uuid5(tournament.pk, str(version)), act, None))


def _call_of(tournament: Tournament) -> tuple[int, int] | None:
    """Return the version of the call of time and its round; None unless that round is open."""
    desk, found = desks.desk_of(tournament), desks.timeline(tournament)
    number = open_round(desk)
    if not number or not round_at(desk, number).timed:
        return None
    history = found.backwards(tournament.log.head_version)
    return next(v for v in history if isinstance(found.entries[v - 1].act, TimeCalled)), number


# -- seen or not --------------------------------------------------------------------------


def locked(pk: UUID) -> Tournament:
    """Return a tournament, locked so that its visibility cannot change until the transaction ends.

    Lock order: take it before the log of any match.
    """
    found = Tournament.objects.select_for_update(no_key=True, of=("self",))
    return found.select_related("log").get(pk=pk)


def show_as_it(tournament: Tournament) -> None:
    """Make its matches as visible as the tournament, and update ratings, webhooks and the feed.

    Runs in the caller's transaction, which has locked it. Hiding takes effect when the transaction
    commits; showing follows a moment later, one match at a time. If that is interrupted, the desk's
    follower, which is due from now on, shows the rest.
    """
    if policy.is_public(tournament):
        transaction.on_commit(lambda: open_up(tournament.pk), robust=True)
    else:
        cuts.keep_to_tables(tournament.matches.values_list("match", flat=True))
    followers.again(Ratings, [tournament.pk])
    followers.again(Happenings, [tournament.pk])
    followers.again(Publications, [tournament.pk])


def open_up(pk: UUID) -> None:
    """Show the matches of a tournament to everyone, if everyone sees it.

    Matches that an official keeps back by hand stay hidden. Each is changed in a transaction of its
    own, since that takes positions in the feed, for which everybody who records has to wait.
    """
    closed = TableMatch.objects.filter(
        tournament=pk, match__visibility=Match.Visibility.TABLE, match__kept_back=False
    )
    for each in closed.select_related("match__log"):
        with transaction.atomic():
            if not policy.is_public(locked(pk)):
                return
            cuts.change(each.match, visibility=Match.Visibility.PUBLIC, by_hand=False)


# -- results held back --------------------------------------------------------------------


def hold(tournament: Tournament) -> None:
    """Hold the matches of rounds whose results are held back, and release the others.

    Matches that an official holds by hand stay held.
    """
    desk = desks.desk_of(tournament)
    for each in tournament.matches.select_related("match__log"):
        _hold(each.match, desk, each.round)


def _hold(match: Match, desk: Desk, number: int) -> None:
    wanted = 0 < desk.held <= number
    if match.log.held != wanted and (wanted or not match.kept_back):
        cuts.change(match, held=wanted, by_hand=False)
