"""Followers of logs: the rows of tournaments, and the results that matches report to desks."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.utils.translation import gettext

from league import circuits, clocks, dates, desks, policy, reporting, tables
from league.models import (
    Entry,
    Pairing,
    PairingSeat,
    Penalty,
    Round,
    Standing,
    TableMatch,
    Tournament,
)
from matches.followers import Reconciler
from matches.models import Log
from matches.prepared import Prepared
from rules.desk import standings, tiebreaks, worth
from rules.desk.acts import PenaltyGiven
from rules.desk.state import WITHOUT_POINTS, Desk, Result, State, after_round
from rules.desk.state import Round as DeskRound
from rules.replay import Timeline


class Desks(desks.DeskFollower, Reconciler):
    """Projects each tournament's log to rows, with no more than the public may know."""

    version = 7

    def project_desk(self, tournament: Tournament) -> None:
        timeline, desk = desks.timeline(tournament), desks.desk_of(tournament)
        entries = _entries(tournament, desk)
        _rounds(tournament, desk, entries)
        _penalties(tournament, timeline, entries)
        closed = _closed_at(tournament, timeline)
        if tournament.closed_at != closed:
            Tournament.objects.filter(pk=tournament.pk).update(closed_at=closed)

    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        was, now = before.head.state, after.head.state
        if isinstance(now, State):
            yield from circuits.changes(log.pk, was.desk, now.desk)

    def reconcile(self, log: Log) -> None:
        tournament = _TOURNAMENT.first(log=log.pk)
        if tournament is not None:
            tables.hold(tournament)
            tables.call_time(tournament)
            dates.settle_paired(tournament)
            if policy.is_public(tournament):
                tables.open_up(tournament.pk)
            reporting.report_late(tournament, desks.desk_of(tournament))


_TOURNAMENT = Prepared(
    lambda log: Tournament.objects.filter(pk=log).select_related("log"), log=UUID(int=0)
)


PROJECTED = ("number", "status", "checked_in", "place")


def _entries(tournament: Tournament, desk: Desk) -> dict[int, Entry]:
    """Update the rows of entrants to the desk's state and return them by number."""
    rows = list(tournament.entries.all())
    before = {row.pk: _projected(row) for row in rows}
    found = desks.numbered(tournament, desk, rows)
    places = {} if desk.held else standings.final_places(desk)
    for number, person in enumerate(desk.people, 1):
        entry = found[number]
        entry.number, entry.status, entry.checked_in = number, person.status, person.here
        entry.place = places.get(number)
    # Numbers belong to the log: after an undo a number may move to another row.
    gone = before.keys() - {entry.pk for entry in found.values()}
    if gone:
        tournament.entries.filter(pk__in=gone).update(
            number=None, status=Entry.TAKEN_BACK, checked_in=False, place=None
        )
    Entry.objects.bulk_create(entry for entry in found.values() if entry.pk not in before)
    moved = [e for e in found.values() if before.get(e.pk, _projected(e)) != _projected(e)]
    Entry.objects.bulk_update(moved, PROJECTED, 200)
    return found


def _projected(entry: Entry) -> tuple[object, ...]:
    return tuple(getattr(entry, name) for name in PROJECTED)


def _rounds(tournament: Tournament, desk: Desk, entries: Mapping[int, Entry]) -> None:
    """Rewrite the rows of published rounds that changed, and delete those of vanished rounds."""
    known = {row.number: row for row in tournament.rounds.all()}
    published = {n: each for n, each in enumerate(desk.rounds, 1) if each.published}
    digests = _digests(desk, entries)
    Round.objects.filter(tournament=tournament).exclude(number__in=published).delete()
    Standing.objects.filter(tournament=tournament).exclude(round__in=[0, *published]).delete()
    for number, each in published.items():
        hidden = 0 < desk.held <= number
        digest = digests[number - 1]
        if number in known and known[number].digest == digest:
            continue
        row = known.get(number) or Round(tournament=tournament, number=number)
        row.stage, row.by_hand, row.closed = each.stage + 1, each.by_hand, each.closed
        row.digest = digest
        row.save()
        _pairings(row, each, entries, hidden=hidden)
        order = () if hidden else standings.order_after(desk, number)
        _standings(tournament, desk, number, each.stage, order, entries)
    final = () if desk.held else desk.order
    _standings(tournament, desk, 0, max(len(desk.stages) - 1, 0), final, entries)


def _digests(desk: Desk, entries: Mapping[int, Entry]) -> list[str]:
    """Return for each round a digest of everything its rows are computed from.

    That includes earlier rounds: standings sum them up, and their results may be corrected.
    """
    people = [(str(entries[n].pk), person) for n, person in enumerate(desk.people, 1)]
    upto, found = hashlib.sha256(msgspec.json.encode(people)), []
    for number, each in enumerate(desk.rounds, 1):
        upto.update(msgspec.json.encode(each))
        digest = upto.copy()
        digest.update(msgspec.json.encode([desk.stages[each.stage], 0 < desk.held <= number]))
        found.append(digest.hexdigest())
    return found


class _Table(NamedTuple):
    """A table or bye as stored; `seats` holds entry, seat, score and place of each player."""

    table: int
    slot: str
    status: str
    changed: bool
    corrected: int
    plays_at: datetime | None
    asked_at: datetime | None
    seats: tuple[tuple[UUID, int, int | None, int | None], ...]


def _pairings(row: Round, each: DeskRound, entries: Mapping[int, Entry], *, hidden: bool) -> None:
    """Rewrite the rows of a round's tables that changed."""
    stored = _stored(row)
    wanted = list(_tables_of(each, entries, hidden=hidden))
    kept = set(wanted)
    stale = [pk for table, pk in stored.items() if table not in kept]
    if stale:
        row.pairings.filter(pk__in=stale).delete()
    new = [table for table in wanted if table not in stored]
    made = Pairing.objects.bulk_create(
        (
            Pairing(round=row, **dict(zip(_Table._fields[:-1], table, strict=False)))
            for table in new
        ),
        500,
    )
    PairingSeat.objects.bulk_create(
        (
            PairingSeat(pairing=pairing, entry_id=entry, seat=seat, score=score, place=place)
            for pairing, table in zip(made, new, strict=True)
            for entry, seat, score, place in table.seats
        ),
        500,
    )


def _stored(row: Round) -> dict[_Table, int]:
    """Return the stored tables of a round, with the ids of their rows."""
    seats: dict[int, list[Any]] = defaultdict(list)
    found = PairingSeat.objects.filter(pairing__round=row).order_by("seat")
    for pk, *seat in found.values_list("pairing", "entry", "seat", "score", "place"):
        seats[pk].append(tuple(seat))
    tables = row.pairings.values_list("pk", *_Table._fields[:-1])
    return {_Table._make((*fields, tuple(seats[pk]))): pk for pk, *fields in tables}


def _score(result: Result | None, seat: int, player: int) -> int | None:
    """Return a player's score at a table, None for who was not there."""
    if result is None or not result.scores or player in result.absent:
        return None
    return result.scores[seat - 1]


def _tables_of(each: DeskRound, entries: Mapping[int, Entry], *, hidden: bool) -> Iterable[_Table]:
    for table in each.tables:
        result = None if hidden else worth.counts(table)
        places = worth.placing(table, result) if result else ()
        seats = tuple(
            (
                entries[player].pk,
                seat,
                _score(result, seat, player),
                places[seat - 1] if places else None,
            )
            for seat, player in enumerate(table.players, 1)
        )
        status, corrected = ("", 0) if hidden else (table.status, table.corrected)
        about = (table.number, table.slot, status, table.changed, corrected)
        plays_at = clocks.moment(table.plays_at) if table.plays_at else None
        asked_at = clocks.moment(table.proposed[-1][1]) if table.proposed else None
        yield _Table(*about, plays_at, asked_at, seats)
    for player in each.byes:
        yield _Table(0, "", "bye", False, 0, None, None, ((entries[player].pk, 1, None, 1),))


def _standings(
    tournament: Tournament,
    desk: Desk,
    number: int,
    stage: int,
    order: Iterable[int],
    entries: Mapping[int, Entry],
) -> None:
    """Write an order of entrants, with points and tie-breaks if the stage counts any.

    After the close, the points are the sum over all stages that count any.
    """
    wanted = list(order)
    Standing.objects.filter(tournament=tournament, round=number).delete()
    if not wanted:
        return
    upto = after_round(desk, number) if number else desk
    counted = {row.player: row for row in _table(upto, stage)}
    points = {player: row.points for player, row in counted.items()} if number else _total(desk)
    places = standings.places_of(upto, stage, wanted) if number else standings.final_places(desk)
    Standing.objects.bulk_create(
        (
            Standing(
                tournament=tournament,
                round=number,
                stage=stage + 1,
                entry=entries[player],
                place=places[player],
                points=str(points[player]) if player in points else "",
                tiebreaks=[
                    [code, None if value.number is None else str(value.number)]
                    for code, value in counted[player].breaks.items()
                ]
                if player in counted
                else [],
            )
            for player in wanted
        ),
        500,
    )


def _total(desk: Desk) -> dict[int, Fraction]:
    """Return everybody's points, summed over all stages that count any."""
    found: dict[int, Fraction] = {}
    for index, stage in enumerate(desk.stages):
        if stage.setup.format not in WITHOUT_POINTS:
            sheet = standings.sheet_of(desk, index)
            for player in sheet.parts:
                found[player] = found.get(player, Fraction(0)) + sheet.points(player)
    return found


def _table(desk: Desk, stage: int) -> tuple[tiebreaks.Standing, ...]:
    """Return the rows of a stage's standings, none if it counts no points."""
    if not desk.stages or desk.stages[stage].setup.format in WITHOUT_POINTS:
        return ()
    return standings.standings(desk, stage)


def _penalties(tournament: Tournament, timeline: Timeline, entries: Mapping[int, Entry]) -> None:
    head = tournament.log.head_version
    history = timeline.history(head)
    ever = [(each.version, each.act) for each in history if isinstance(each.act, PenaltyGiven)]
    on_desk = timeline.at(head).state.desk.penalties
    given = {
        version: act
        for (version, act), each in zip(ever, on_desk, strict=True)
        if not each.withdrawn
    }
    tournament.penalties.exclude(version__in=given).delete()
    fresh = given.keys() - set(tournament.penalties.values_list("version", flat=True))
    times = desks.recorded_at(tournament.pk, fresh)
    Penalty.objects.bulk_create(
        Penalty(
            tournament=tournament,
            version=version,
            entry=entries[given[version].entrant],
            infraction=given[version].infraction,
            penalty=given[version].penalty,
            demerits=given[version].demerits,
            given_at=times[version],
        )
        for version in sorted(fresh)
    )


def _closed_at(tournament: Tournament, timeline: Timeline) -> datetime | None:
    head = tournament.log.head_version
    desk: Desk = timeline.at(head).state.desk
    if not desk.closed:
        return None
    closing = next(v for v in timeline.effective(head) if timeline.at(v).state.desk.closed)
    return desks.recorded_at(tournament.pk, [closing]).get(closing)


_TABLE = Prepared(
    lambda match: TableMatch.objects.filter(match=match).select_related(
        "tournament__log", "match__log"
    ),
    match=UUID(int=0),
)


class TableReports(Reconciler):
    """Reports the results of matches to the desks of their tables. Stores no rows itself."""

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        return True

    def project(self, log: Log) -> None:
        return None

    def reconcile(self, log: Log) -> None:
        found = _TABLE.first(match=log.pk)
        if found is not None:
            reporting.report_if_it_may(found)

    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        was, now = (each.ruleset.outcome(each.head.state) for each in (before, after))
        if was == now:
            return
        found = TableMatch.objects.select_related("tournament").filter(match=log.pk).first()
        if found is not None:
            yield (
                gettext(
                    "{tournament}: the result of round {round}, table {table} "
                    "would be reported again."
                ).format(tournament=found.tournament, round=found.round, table=found.table)
            )
