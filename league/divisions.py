"""Divisions: their tables, and who goes up and down; computed from closed desks alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from league import policy, seasons
from league.models import Division, DivisionPlayer, Season, Standing
from matches.actors import Actor
from matches.models import Player, uuid7


@dataclass(frozen=True)
class Ranked:
    """A row of a division: `moves` is up, down or nothing, once inactive players are left out."""

    place: int
    player: Player
    points: Fraction
    active: bool
    moves: str = ""


def division_tables(
    season: Season, actor: Actor | None = None
) -> list[tuple[Division, list[Ranked]]]:
    """Return a season's divisions, the highest first, each with its table; in three queries.

    For an `actor` only the tournaments count that they may see.
    """
    divisions = list(season.divisions.order_by("level"))
    members: dict[int, list[DivisionPlayer]] = {}
    for member in DivisionPlayer.objects.filter(division__in=divisions).select_related("player"):
        members.setdefault(member.division_id, []).append(member)
    rows: dict[int | None, list[Standing]] = {}
    standings = _played_out(actor).filter(tournament__division__in=divisions)
    for row in standings.select_related("entry", "tournament"):
        rows.setdefault(row.tournament.division_id, []).append(row)
    return [
        (
            each,
            _division_table(
                each, members.get(each.pk, []), rows.get(each.pk, []), lowest=each == divisions[-1]
            ),
        )
        for each in divisions
    ]


def _played_out(actor: Actor | None) -> QuerySet[Standing]:
    found = Standing.objects.filter(round=0)
    if actor is None:
        return found
    return found.filter(tournament__in=policy.visible_tournaments(actor))


def division_table(division: Division, actor: Actor | None = None) -> list[Ranked]:
    """Return a division's table; for an `actor` of the tournaments that they may see."""
    rows = _played_out(actor).filter(tournament__division=division).select_related("entry")
    members = list(division.members.select_related("player"))
    lower = Division.objects.filter(season=division.season_id, level__gt=division.level)
    return _division_table(division, members, rows, lowest=not lower.exists())


def _division_table(
    division: Division,
    members: Sequence[DivisionPlayer],
    rows: Iterable[Standing],
    *,
    lowest: bool,
) -> list[Ranked]:
    """Order members by the points of their closed tournaments, best place, then the seed.

    Nobody goes up from the first level, nor down from the lowest.
    """
    points: dict[UUID, Fraction] = {member.player_id: Fraction(0) for member in members}
    best: dict[UUID, int] = {}
    for row in rows:
        pk = row.entry.player_id
        if pk in points:
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
    playing = sum(member.active for member in members)
    top = division.level == 1
    found = []
    for place, member in enumerate(ordered, 1):
        moves = ""
        if member.active and place <= division.up and not top:
            moves = "up"
        elif member.active and place > playing - division.down and not lowest:
            moves = "down"
        found.append(Ranked(place, member.player, points[member.player_id], member.active, moves))
    return found


@dataclass(frozen=True)
class Move:
    """Where a player of one season plays in the next, and from where they come."""

    player: Player
    level: int
    seed: int
    was: int


def plan_rollover(season: Season) -> list[Move]:
    """Return who would play where in the next season; the same whenever it is asked."""
    found: list[tuple[int, int, int, Player]] = []
    tables = division_tables(season)
    lowest = max((division.level for division, _ in tables), default=1)
    for division, rows in tables:
        for row in rows:
            if row.active:
                level = division.level + {"up": -1, "down": 1}.get(row.moves, 0)
                found.append((min(max(level, 1), lowest), division.level, row.place, row.player))
    found.sort(key=lambda each: each[:3])
    moves: list[Move] = []
    for level, was, _, player in found:
        seed = 1 + sum(move.level == level for move in moves)
        moves.append(Move(player, level, seed, was))
    return moves


def roll_over(*, by: Actor, season: Season, name: str, starts_on: date, ends_on: date) -> Season:
    """Begin the next season with the divisions of this one, moved up and down, and its circuits.

    Of a circuit its rules go on; its tournaments and final are those of their season.

    Run twice it gives the season it made first. Raises: NotAllowed, BadInput, Conflict.
    """
    policy.require_run(by, season.league)
    done = Season.objects.filter(previous=season).first()
    if done is not None:
        return done
    moves = plan_rollover(season)
    with transaction.atomic():
        Season.objects.select_for_update().get(pk=season.pk)
        if done := Season.objects.filter(previous=season).first():  # a moment ago
            return done
        fresh = seasons.open_season(
            by=by,
            league=season.league,
            name=name,
            starts_on=starts_on,
            ends_on=ends_on,
            previous=season,
        )
        for old in season.divisions.order_by("level"):
            division = Division.objects.create(
                season=fresh, level=old.level, name=old.name, up=old.up, down=old.down
            )
            DivisionPlayer.objects.bulk_create(
                DivisionPlayer(division=division, player=move.player, seed=move.seed)
                for move in moves
                if move.level == old.level
            )
        for circuit in season.circuits.all():
            circuit.pk, circuit.season, circuit.final = uuid7(), fresh, None
            circuit.save(force_insert=True)
    return fresh
