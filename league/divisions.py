"""Divisions: their tables, and who moves up and down; computed only from closed desks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import pairwise, zip_longest
from uuid import UUID

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext

from league import policy, removing, seasons
from league.models import Adjustment, Division, DivisionPlayer, Season, Standing, Tournament
from matches.actors import Actor
from matches.errors import Conflict
from matches.models import Player, uuid7, withdrawn
from rules.texts import listed

UP, DOWN, PLAYS_UP, PLAYS_ON = "up", "down", "plays-up", "plays-on"
"""What happens to a row; the last two are in an undecided play-off, to go up or to stay."""


@dataclass(frozen=True)
class Ranked:
    """A row of a division; `moves` is where to, or "", disregarding inactive players.

    `points` are with the `adjustments`, oldest first.
    """

    place: int
    player: Player
    points: Fraction
    active: bool
    moves: str = ""
    adjustments: tuple[Adjustment, ...] = ()


LAST = 1 << 20
"""More than any seed that is kept."""

Tables = list[tuple[Division, list[Ranked]]]


def division_tables(season: Season, actor: Actor | None = None) -> Tables:
    """Return a season's divisions, the highest first, with their tables, in four queries.

    Nobody moves between two divisions until both have a result, as each has to keep its size.
    Play-offs take one more query. With an `actor` only tournaments count that they may see.
    """
    divisions = list(season.divisions.select_related("play_off_in__log").order_by("level"))
    members: dict[int, list[DivisionPlayer]] = {}
    for member in DivisionPlayer.objects.filter(division__in=divisions).select_related("player"):
        members.setdefault(member.division_id, []).append(member)
    adjusted: dict[int | None, list[Adjustment]] = {}
    for one in Adjustment.objects.filter(division__in=divisions):
        adjusted.setdefault(one.division_id, []).append(one)
    rows: dict[int | None, list[Standing]] = {}
    standings = _played_out(actor).filter(tournament__division__in=divisions)
    for row in standings.select_related("entry__player", "tournament"):
        rows.setdefault(row.tournament.division_id, []).append(row)
    known = {member.player_id for each in members.values() for member in each}
    found: Tables = []
    above = None
    for each, below in zip_longest(divisions, divisions[1:]):
        here = rows.get(each.pk, [])
        playing = [*members.get(each.pk, []), *_newcomers(each, here, known)]
        ranked = _ranked(playing, here, adjusted.get(each.pk, []))
        if below and below.pk not in rows:
            below = None
        found.append((each, _moved(each, ranked, above, below) if here else ranked))
        above = each if here else None
    return _decided(found, actor)


def _newcomers(
    division: Division, rows: Iterable[Standing], known: set[UUID]
) -> list[DivisionPlayer]:
    """Return those who play in a division's tournaments and are in no division of the season yet.

    They become `known`, and are seeded last.
    """
    players = {row.entry.player_id: row.entry.player for row in rows}
    new = sorted(pk for pk in players if pk is not None and pk not in known)
    known.update(new)
    return [
        DivisionPlayer(division=division, player=players[pk], seed=LAST + at)
        for at, pk in enumerate(new)
    ]


def division_table(division: Division, actor: Actor | None = None) -> list[Ranked]:
    """Return a division's table; with an `actor` from the tournaments that they may see."""
    return dict(division_tables(division.season, actor))[division]


def _played_out(actor: Actor | None) -> QuerySet[Standing]:
    """Return the final standings that count: of players, not in a tournament withdrawn since."""
    found = Standing.objects.filter(round=0, entry__player__isnull=False)
    found = found.exclude(withdrawn("tournament__log__"))
    if actor is None:
        return found
    return found.filter(tournament__in=policy.visible_tournaments(actor))


def _ranked(
    members: Sequence[DivisionPlayer], rows: Iterable[Standing], adjustments: Iterable[Adjustment]
) -> list[Ranked]:
    """Order members by the points of their closed tournaments, then best place, then seed.

    Nobody has points from a tournament that disqualified them.
    """
    adjusted: dict[UUID, tuple[Adjustment, ...]] = {member.player_id: () for member in members}
    for one in adjustments:
        if one.player_id in adjusted:
            adjusted[one.player_id] += (one,)
    points = {pk: Fraction(sum(one.points for one in theirs)) for pk, theirs in adjusted.items()}
    best: dict[UUID, int] = {}
    for row in rows:
        pk = row.entry.player_id
        if pk in points and row.entry.status != "disqualified":
            points[pk] += Fraction(row.points or 0)
            best[pk] = min(best.get(pk, row.place), row.place)
    last = len(members) + 1
    ordered = sorted(
        members,
        key=lambda m: (
            not m.active,
            -points[m.player_id],
            best.get(m.player_id, last),
            m.seed,
            m.pk,
        ),
    )
    return [
        Ranked(
            place,
            member.player,
            points[member.player_id],
            member.active,
            adjustments=adjusted[member.player_id],
        )
        for place, member in enumerate(ordered, 1)
    ]


def _moved(
    division: Division, ranked: Sequence[Ranked], above: Division | None, below: Division | None
) -> list[Ranked]:
    """Determine who of a division's rows moves up or down, or plays for it.

    Nobody moves up from the first level, nor down from the lowest.
    """
    playing = sum(row.active for row in ranked)
    up, to_up = (division.up, above.play_off) if above else (0, 0)
    down, to_stay = (division.down, division.play_off) if below else (0, 0)

    def moves(place: int) -> str:
        from_last = playing - place
        if place <= up:
            return UP
        if from_last < down:
            return DOWN
        if place <= up + to_up:
            return PLAYS_UP
        return PLAYS_ON if from_last < down + to_stay else ""

    return [replace(row, moves=moves(row.place) if row.active else "") for row in ranked]


def _decided(tables: Tables, actor: Actor | None) -> Tables:
    """Return tables with the results of play-offs: who gets the places that were played for."""
    played = _play_offs([division for division, _ in tables], actor)
    if not played:
        return tables
    moves: dict[UUID, str] = {}
    for (division, rows), (_, lower) in pairwise(tables):
        if division.play_off_in_id in played:
            stay = [row.player for row in rows if row.moves == PLAYS_ON]
            rise = [row.player for row in lower if row.moves == PLAYS_UP]
            won = _winners(stay + rise, played[division.play_off_in_id], len(stay))
            if won is not None:
                moves |= {one.pk: "" if one in won else DOWN for one in stay}
                moves |= {one.pk: UP if one in won else "" for one in rise}
    return [
        (division, [replace(row, moves=moves.get(row.player.pk, row.moves)) for row in rows])
        for division, rows in tables
    ]


def _play_offs(
    divisions: Iterable[Division], actor: Actor | None
) -> dict[UUID | None, dict[UUID | None, int]]:
    """Return the places of players in the play-offs that are over."""
    wanted = [each.play_off_in_id for each in divisions if each.play_off_in_id]
    found: dict[UUID | None, dict[UUID | None, int]] = {}
    rows = _played_out(actor).filter(tournament__in=wanted) if wanted else Standing.objects.none()
    for tournament, player, place in rows.values_list("tournament", "entry__player", "place"):
        found.setdefault(tournament, {})[player] = place
    return found


@dataclass(frozen=True)
class InPlay:
    """Who plays for the places of a division, by its table and the next one's as they stand.

    Those who would stay come first. `unfinished` are the tournaments that may still change that.
    """

    divisions: tuple[Division, Division]
    players: list[Player]
    unfinished: list[Tournament]


def in_play(tournament: Tournament, actor: Actor) -> list[InPlay]:
    """Return who plays in a tournament for the places of the divisions that it decides."""
    found = []
    for decided in tournament.decides.select_related("season"):
        for upper, lower in pairwise(division_tables(decided.season, actor)):
            if upper[0] == decided:
                rows = [*upper[1], *lower[1]]
                players = [row.player for row in rows if row.moves in (PLAYS_ON, PLAYS_UP)]
                both = (upper[0], lower[0])
                found.append(InPlay(both, players, _unfinished(both, actor)))
    return found


def _unfinished(divisions: Iterable[Division], actor: Actor) -> list[Tournament]:
    """Return the tournaments that count in divisions and are not closed."""
    there = policy.visible_tournaments(actor).filter(division__in=divisions, closed_at=None)
    return list(there.exclude(withdrawn()).order_by("starts_at", "pk"))


def _winners(
    players: Sequence[Player], places: Mapping[UUID | None, int], number: int
) -> set[Player] | None:
    """Return the first so many of those who played, None if a shared place leaves it open.

    Those who did not play come after all who did, in the order of the tables.
    """
    last = max(places.values(), default=0)
    came = {player: places.get(player.pk, last + order) for order, player in enumerate(players, 1)}
    ordered = sorted(players, key=came.__getitem__)
    first, others = ordered[:number], ordered[number:]
    if first and others and came[first[-1]] == came[others[0]]:
        return None
    return set(first)


def place(*, by: Actor, division: Division, player: Player, active: bool = True) -> None:
    """Put a player into a division, out of any other of its season; not `active`: they have left.

    Somebody new to a division comes after those who are there already. Raises: NotAllowed.
    """
    policy.require_run(by, division.season.league)
    with transaction.atomic():
        removing.lock(division.season)
        elsewhere = DivisionPlayer.objects.filter(player=player, division__season=division.season)
        elsewhere.exclude(division=division).delete()
        last = division.members.aggregate(last=Max("seed", default=0))["last"]
        division.members.update_or_create(
            player=player,
            defaults={"active": active},
            create_defaults={"active": active, "seed": last + 1},
        )


@dataclass(frozen=True)
class Move:
    """Where a player of a season plays in the next, and where they come from.

    Players in an open play-off stay where they are, which is not `decided`.
    """

    player: Player
    level: int
    seed: int
    was: int
    decided: bool = True


def plan_rollover(season: Season) -> list[Move]:
    """Return where everybody would play in the next season; deterministic.

    They move to the next level that has a division: levels may have gaps.
    """
    found: list[tuple[int, int, int, Ranked]] = []
    tables = division_tables(season)
    levels = [division.level for division, _ in tables]
    for at, (division, rows) in enumerate(tables):
        for row in rows:
            if row.active:
                level = levels[at + {UP: -1, DOWN: 1}.get(row.moves, 0)]
                found.append((level, division.level, row.place, row))
    found.sort(key=lambda each: each[:3])
    moves: list[Move] = []
    for level, was, _, row in found:
        seed = 1 + sum(move.level == level for move in moves)
        moves.append(Move(row.player, level, seed, was, row.moves not in (PLAYS_UP, PLAYS_ON)))
    return moves


def roll_over(*, by: Actor, season: Season, name: str, starts_on: date, ends_on: date) -> Season:
    """Begin the next season with this one's divisions, players moved up and down, and circuits.

    Circuits keep their rules; tournaments and finals stay with their season. Idempotent. Raises:
    NotAllowed, BadInput, Conflict, also while a play-off or a tournament that counts is open.
    """
    policy.require_run(by, season.league)
    done = Season.objects.filter(previous=season).first()
    if done is not None:
        return done
    with transaction.atomic():
        removing.lock(season)
        if done := Season.objects.filter(previous=season).first():  # created concurrently
            return done
        moves = plan_rollover(season)
        _require_closed(season, by)
        _require_decided(moves)
        fresh = seasons.open_season(
            by=by,
            league=season.league,
            name=name,
            starts_on=starts_on,
            ends_on=ends_on,
            previous=season,
        )
        for old in season.divisions.order_by("level"):
            of_old = {
                name: getattr(old, name) for name in ("level", "name", "up", "down", "play_off")
            }
            division = Division.objects.create(season=fresh, **of_old)
            DivisionPlayer.objects.bulk_create(
                DivisionPlayer(division=division, player=move.player, seed=move.seed)
                for move in moves
                if move.level == old.level
            )
        for circuit in season.circuits.all():
            circuit.pk, circuit.season, circuit.final = uuid7(), fresh, None
            circuit.save(force_insert=True)
    return fresh


def _require_closed(season: Season, by: Actor) -> None:
    """Raises: Conflict while a tournament may still change who goes up and down."""
    if unfinished := _unfinished(season.divisions.all(), by):
        text = gettext("Not closed yet, though it counts in a division: {tournaments}.")
        titles = listed([str(each) for each in unfinished])
        raise Conflict("tournament-open", text.format(tournaments=titles))


def _require_decided(moves: Iterable[Move]) -> None:
    """Raises: Conflict while it is open where somebody plays."""
    if open_ := [str(move.player) for move in moves if not move.decided]:
        text = gettext(
            "A play-off is not decided yet: {players}. Name the tournament that decides it where "
            "the division is changed, or set its play-off places to 0."
        )
        raise Conflict("play-off-open", text.format(players=listed(open_)))
