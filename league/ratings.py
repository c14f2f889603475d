"""Ratings: players' strengths and their uncertainty, from every table of closed rounds.

A rating is computed from results alone, one table after the other in the order they were played, by
the Plackett–Luce model as implemented in openskill, for two or more at a table, ties included. When
a past result changes, everything after it in its pool is recomputed, and a revision records who
moved. Rated are public tournaments that are not withdrawn, at tables where every side is a player;
no byes, no forfeits, no tables lost by all, no held results.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Window
from django.db.models.functions import RowNumber
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext
from openskill.models import PlackettLuce

from league import desk_cuts, desks, policy
from league.models import (
    League,
    RatedTable,
    Rating,
    RatingPool,
    RatingRevision,
    RatingStep,
    Tournament,
)
from matches.actors import Actor
from matches.models import Log
from matches.templatetags.look import minus
from rules.desk import worth
from rules.desk.acts import RoundClosed
from rules.desk.state import Desk, State, Table
from rules.replay import Timeline

PROVISIONAL = 8
"""Below this number of tables a rating is provisional."""

LEAST_SIGMA = 1.5
"""The lower limit of sigma, so that every rating can still move."""

DIGITS = 6

Key = tuple[datetime, UUID, int, int]
"""A table to rate: when it was played, its tournament, its round and number."""
Places = tuple[tuple[str, int], ...]
"""The id and place of each player who was at a table."""
Strength = tuple[float, float]
"""mu and sigma"""


class Ratings(desks.DeskFollower):
    """Keeps ratings up to date with what was played."""

    def project_desk(self, tournament: Tournament) -> None:
        wanted = played(tournament)
        known = {_key(row): _result(row) for row in tournament.rated.all()}
        changed = [key for key in wanted.keys() | known.keys() if wanted.get(key) != known.get(key)]
        if not changed:
            return
        pool = RatingPool.objects.select_for_update().get(pk=pool_of(tournament).pk)
        since, past = min(changed), any(key in known for key in changed)
        at_end = not past and ends_before(pool, since)
        _store(pool, tournament, wanted, changed)
        if at_end:
            _rate_more(pool, tournament, since)
        else:
            _rate_again(pool, tournament, since=since, past=past)

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        """Return True if the closed rounds that the public knows are unchanged: nothing to rate."""
        if super().stands(log, timeline, since):
            return True
        before, after = (timeline.at(version).state for version in (since, log.head_version))
        return _of(before.desk) == _of(after.desk)

    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        if not isinstance(after.head.state, State):
            return
        rows = RatedTable.objects.filter(tournament=log.pk).select_related("tournament__league")
        known = {_key(row): _result(row) for row in rows}
        tournament = next((row.tournament for row in rows), None)
        if tournament is None:
            return
        tournament.log = log
        if not policy.is_public(tournament):
            return
        desk: Desk = after.head.state.desk
        found = _tables(tournament, desk)
        would = {key: found.get(key[2:], ()) for key in known}
        if would != known:
            yield from _moves(pool_of(tournament), tournament, would)


# -- what is rated ------------------------------------------------------------------------


def played(tournament: Tournament) -> dict[Key, Places]:
    """Return the tables of a tournament that are rated, as far as the public knows them."""
    if not policy.is_public(tournament):
        return {}
    cut = desk_cuts.public_cut(tournament)
    timeline = desks.timeline(tournament)
    desk: Desk = timeline.at(cut.version).state.desk
    times = _closed_at(tournament, timeline, cut.version)
    return {
        (times[number], tournament.pk, number, table): places
        for (number, table), places in _tables(tournament, desk).items()
        if number in times
    }


def _tables(tournament: Tournament, desk: Desk) -> dict[tuple[int, int], Places]:
    """Return the tables of a desk that are rated, by the numbers of their round and themselves."""
    players = _players(tournament, desk)
    return {
        (number, table.number): places
        for number, each in enumerate(desk.rounds, 1)
        if each.closed and not 0 < desk.held <= number
        for table in each.tables
        if (places := _rated(table, players))
    }


def _of(desk: Desk) -> tuple[object, ...]:
    """Return what ratings of a desk depend on: its closed rounds, held results, and entrants."""
    closed = [(number, each) for number, each in enumerate(desk.rounds, 1) if each.closed]
    return desk.held, [person.ref for person in desk.people], closed


def _players(tournament: Tournament, desk: Desk) -> dict[int, str]:
    """Return the players by number, without krewes and entrants without a player."""
    rows = tournament.entries.exclude(player=None).values_list("pk", "player")
    player_of = {pk: str(player) for pk, player in rows}
    return {
        number: player_of[pk]
        for number in range(1, len(desk.people) + 1)
        if (pk := desks.entry_id(tournament.pk, desk, number)) in player_of
    }


def _rated(table: Table, players: Mapping[int, str]) -> Places:
    """Return the places at a table, empty if it is not rated."""
    result = worth.counts(table)
    if result is None or result.lost:
        return ()
    places = worth.placing(table, result)
    there = [
        (players[player], place)
        for player, place in zip(table.players, places, strict=True)
        if player not in result.absent and player in players
    ]
    sat = len(table.players) - len(result.absent)
    return tuple(there) if len(there) == sat and sat > 1 else ()


def _closed_at(tournament: Tournament, timeline: Timeline, version: int) -> dict[int, datetime]:
    """Return when each round was closed, no round before an earlier one, even if the clock was set
    back in between; for a tournament recorded afterwards, an assumed time.
    """
    closing = {
        each.act.round: each.version
        for each in timeline.history(version)
        if isinstance(each.act, RoundClosed)
    }
    times = desks.recorded_at(tournament.pk, [1, *closing.values()])
    starts, opened = tournament.starts_at, times.get(1)
    if starts and opened and starts < opened - timedelta(days=1):
        return {number: starts + timedelta(minutes=number) for number in closing}
    numbers = sorted(number for number, each in closing.items() if each in times)
    in_order = accumulate((times[closing[number]] for number in numbers), max)
    return dict(zip(numbers, in_order, strict=True))


def pool_of(tournament: Tournament) -> RatingPool:
    """Return the pool that a tournament is rated in."""
    game = tournament.ruleset.partition("@")[0]
    return RatingPool.objects.get_or_create(league=tournament.league, game=game)[0]


# -- rating -------------------------------------------------------------------------------


def rated(tables: Iterable[Places], known: Mapping[str, Strength]) -> Iterable[dict[str, Strength]]:
    """Yield the new ratings of each table's players, one table after the other."""
    model = PlackettLuce()
    now = {player: model.create_rating(list(strength)) for player, strength in known.items()}
    for result in tables:
        teams = [[now.get(player) or model.rating()] for player, _ in result]
        after = model.rate(teams, ranks=[float(place) for _, place in result])
        moved: dict[str, Strength] = {}
        for (player, _), [mine] in zip(result, after, strict=True):
            mine.mu = round(mine.mu, DIGITS)
            mine.sigma = max(round(mine.sigma, DIGITS), LEAST_SIGMA)
            now[player] = mine
            moved[player] = mine.mu, mine.sigma
        yield moved


def expected(one: Strength, other: Strength) -> float:
    """Return the chance that one does better than the other, by their ratings alone."""
    model = PlackettLuce()
    chance, _ = model.predict_win([[model.create_rating([*each])] for each in (one, other)])
    return round(chance, DIGITS)


def _store(
    pool: RatingPool,
    tournament: Tournament,
    wanted: Mapping[Key, Places],
    changed: Iterable[Key],
) -> None:
    stale = set(changed)
    old = [row.pk for row in tournament.rated.all() if _key(row) in stale]
    RatedTable.objects.filter(pk__in=old).delete()
    RatedTable.objects.bulk_create(
        RatedTable(
            pool=pool,
            tournament=tournament,
            played_at=key[0],
            round=key[2],
            table=key[3],
            result=[list(each) for each in wanted[key]],
        )
        for key in sorted(stale)
        if key in wanted
    )


def _key(row: RatedTable) -> Key:
    return row.played_at, row.tournament_id, row.round, row.table


def _result(row: RatedTable) -> Places:
    return tuple((player, place) for player, place in row.result)


def ends_before(pool: RatingPool, key: Key) -> bool:
    """Return whether the pool's tables were all played before a new one."""
    return not pool.tables.filter(played_at__gte=key[0]).exists()


def _rate_more(pool: RatingPool, tournament: Tournament, since: Key) -> None:
    """Rate tables that are added at the end of a pool; earlier ratings stand."""
    rows = sorted(tournament.rated.filter(played_at__gte=since[0]), key=_key)
    more = Counter(player for row in rows for player, _ in _result(row))
    before = pool.ratings.filter(player__in=[UUID(player) for player in more])
    known = {str(row.player_id): row for row in before}
    found = _rate(pool, rows, {player: (row.mu, row.sigma) for player, row in known.items()})
    counts = {player: row.played for player, row in known.items()}
    _write(pool, found, more + Counter(counts))


def _rate_again(pool: RatingPool, tournament: Tournament, *, since: Key, past: bool) -> None:
    """Rate every table of a pool from `since` on; write a revision if that changes the past."""
    tables = sorted(pool.tables.all(), key=_key)
    later = [row for row in tables if _key(row) >= since]
    was = {str(row.player_id): (row.mu, row.sigma) for row in pool.ratings.all()}
    again, _ = RatingStep.objects.filter(table__in=later).delete()
    found = _rate(pool, later, _standing_before(pool, tables[: len(tables) - len(later)]))
    pool.ratings.exclude(player__in=[UUID(player) for player in found]).delete()
    steps = pool.steps.values_list("player", flat=True)
    _write(pool, found, Counter(map(str, steps)))
    if (again or past) and (changes := _changes(was, found)):
        RatingRevision.objects.create(
            pool=pool,
            tournament=tournament,
            version=tournament.log.head_version,
            tables=len(later),
            changes=changes,
        )


def _rate(
    pool: RatingPool, tables: Sequence[RatedTable], known: Mapping[str, Strength]
) -> dict[str, Strength]:
    """Store everybody's rating after each of some tables; return the final ratings."""
    found = dict(known)
    steps: list[RatingStep] = []
    for row, moved in zip(tables, rated(map(_result, tables), known), strict=True):
        found |= moved
        steps += [
            RatingStep(
                pool=pool, table=row, player_id=UUID(player), place=place, mu=mu, sigma=sigma
            )
            for player, place in _result(row)
            for mu, sigma in [moved[player]]
        ]
    RatingStep.objects.bulk_create(steps, 500)
    return found


def _standing_before(pool: RatingPool, tables: Sequence[RatedTable]) -> dict[str, Strength]:
    """Return everybody's rating after the given tables."""
    order = {row.pk: place for place, row in enumerate(tables)}
    steps = [step for step in pool.steps.all() if step.table_id in order]
    steps.sort(key=lambda step: order[step.table_id])
    return {str(step.player_id): (step.mu, step.sigma) for step in steps}


def _write(pool: RatingPool, found: Mapping[str, Strength], counts: Mapping[str, int]) -> None:
    """Store players' current ratings and numbers of tables."""
    Rating.objects.bulk_create(
        [
            Rating(
                pool=pool,
                player_id=UUID(player),
                mu=mu,
                sigma=sigma,
                shown=round(mu - 3 * sigma, DIGITS),
                played=counts[player],
                provisional=counts[player] < PROVISIONAL,
            )
            for player, (mu, sigma) in found.items()
        ],
        batch_size=500,
        update_conflicts=True,
        unique_fields=["pool", "player"],
        update_fields=["mu", "sigma", "shown", "played", "provisional"],
    )


def _changes(was: Mapping[str, Strength], now: Mapping[str, Strength]) -> list[list[Any]]:
    return [
        [player, *was.get(player, (None, None)), *now.get(player, (None, None))]
        for player in sorted(was.keys() | now.keys())
        if was.get(player) != now.get(player)
    ]


def _moves(pool: RatingPool, tournament: Tournament, would: Mapping[Key, Places]) -> Iterable[str]:
    """Describe whose rating in a pool would move if a tournament's tables had these results."""
    tables = {_key(row): _result(row) for row in pool.tables.exclude(tournament=tournament)}
    tables |= would
    found: dict[str, Strength] = {}
    for moved in rated([tables[key] for key in sorted(tables) if tables[key]], {}):
        found |= moved
    was = {str(row.player_id): row for row in pool.ratings.select_related("player")}
    for player in sorted(was, key=lambda each: was[each].player.name):
        row, now = was[player], found.get(player)
        if now is None:
            yield gettext("{name} is not rated any more.").format(name=row.player.name)
        elif now != (row.mu, row.sigma):
            before, after = map(_written, (row.shown, now[0] - 3 * now[1]))
            if before != after:
                yield gettext("{name}: rating {before} becomes {after}.").format(
                    name=row.player.name, before=before, after=after
                )


def _written(shown: float) -> str:
    """Return a rating as its reader's language writes it."""
    return minus(floatformat(round(shown, 1) + 0.0, 1))  # no negative zero


# -- reading ------------------------------------------------------------------------------


def best_first(game: str, league: League | None = None) -> QuerySet[Rating]:
    """Return the ratings of a pool, best first."""
    found = Rating.objects.filter(pool__game=game, pool__league=league)
    return found.select_related("player", "pool")


def best_of(league: League, count: int) -> dict[str, list[Rating]]:
    """Return the best ratings of each of a league's pools, by game."""
    place = Window(RowNumber(), partition_by="pool", order_by=["-shown", "pk"])
    found = Rating.objects.filter(pool__league=league).annotate(place=place)
    pools: dict[str, list[Rating]] = {}
    rows = found.filter(place__lte=count).select_related("player", "pool")
    for rating in rows.order_by("pool__game", "place"):
        pools.setdefault(rating.pool.game, []).append(rating)
    return pools


def revisions(actor: Actor, game: str, league: League | None) -> QuerySet[RatingRevision]:
    """Return the revisions of a pool, newest first; `named`: the actor may see its tournament.

    The others are of tournaments withdrawn since, or no longer public: what everybody sees of a
    rating has a revision that everybody sees.
    """
    found = RatingRevision.objects.filter(pool__game=game, pool__league=league)
    seen = policy.visible_tournaments(actor).order_by().filter(pk=OuterRef("tournament"))
    return found.annotate(named=Exists(seen)).select_related("tournament")
