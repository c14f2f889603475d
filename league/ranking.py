"""Standings as seen at a cut: their rows, and what changed them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import msgspec
from django.utils.formats import number_format

from league import desks
from league.desk_cuts import Cut
from league.desk_reads import hides_seeds, shown_desk
from league.models import Tournament
from rules.desk import clinch, previews, standings, worth
from rules.desk.state import WITHOUT_POINTS, Desk, after_round, is_annulled, rounds_of
from rules.desk.tiebreaks import Value

MAX_CAUSES = 200
SIX = Fraction(10**6)
WORTH = {"full": 0, "half": 1, "loss": 2}
"""Which column a granted bye counts in: wins, draws or losses; `zero` in none."""


class Row(NamedTuple):
    """A row of a stage's standings. `breaks` by code, in order; empty if no points are counted.

    `before`: the number of rounds before the stage, since terms count the stage's rounds from 1.
    `stage`: for those who missed this stage's cut, the index of the earlier stage that gave them
    their place. `group` counts from 1 in a stage with groups; tie-breaks are those of the group's
    own table. `annulled`: their results in the stage count for nobody. `left`: dropped or
    disqualified, "" for who is in.
    """

    place: int
    entrant: int
    points: Fraction | None
    breaks: Mapping[str, Value]
    record: tuple[int, int, int]
    moved: int = 0
    provisional: bool = False
    before: int = 0
    stage: int | None = None
    group: int = 0
    annulled: bool = False
    left: str = ""


def table(
    tournament: Tournament,
    cut: Cut,
    stage: int,
    at: int | None = None,
    after: int | None = None,
    tiebreaks: tuple[str, ...] = (),
) -> list[Row]:
    """Return a stage's standings, best first, at a version and optionally after a round.

    Empty for a stage whose seeds are held back, since its order would reveal them. With `tiebreaks`
    they are what the standings would be if these broke ties, not the stage's own.
    """
    desk, stage, only = _as_of(tournament, cut, stage, at, after)
    return rows_of(_broken_by(desk, stage, tiebreaks) if tiebreaks else desk, stage, only)


def _broken_by(desk: Desk, index: int, tiebreaks: tuple[str, ...]) -> Desk:
    """Return a desk as if other tie-breaks had been set for a stage."""
    change = msgspec.structs.replace
    stages = [
        change(each, setup=change(each.setup, tiebreaks=tiebreaks)) if place == index else each
        for place, each in enumerate(desk.stages)
    ]
    return change(desk, stages=tuple(stages))


def below(
    tournament: Tournament, cut: Cut, stage: int, at: int | None = None, after: int | None = None
) -> list[Row]:
    """Return the rows of those who missed the cut to a stage, placed as in the stage before."""
    desk, stage, only = _as_of(tournament, cut, stage, at, after)
    if not 0 < stage < len(desk.stages):
        return []
    rows = {row.entrant: (each, row) for each in range(stage) for row in rows_of(desk, each, only)}
    return [
        row._replace(place=place, stage=each, moved=0, breaks={}, group=0)
        for player, place in standings.places_below(desk, stage).items()
        for each, row in [rows[player]]
    ]


def _as_of(
    tournament: Tournament, cut: Cut, stage: int, at: int | None, after: int | None
) -> tuple[Desk, int, bool]:
    """Return the desk to compute a stage's rows from; without the stage if its seeds are held."""
    desk = shown_desk(tournament, cut, at)
    if hides_seeds(desk, cut, stage):
        desk = msgspec.structs.replace(desk, stages=desk.stages[:stage])
    setup = desks.state_at(tournament, at or cut.version).setup
    if after is not None:
        desk = after_round(desk, after)
    return desk, stage, setup.options.confirmed_only


def rows_of(desk: Desk, stage: int, confirmed_only: bool = False) -> list[Row]:
    """Return the rows of a desk's stage; `moved` is the change since the round before."""
    if not 0 <= stage < len(desk.stages):
        return []
    order = standings.order_of(desk, stage, confirmed_only=confirmed_only)
    counted = {}
    if desk.stages[stage].setup.format not in WITHOUT_POINTS:
        sheets = standings.standings(desk, stage, confirmed_only=confirmed_only)
        counted = {row.player: row for row in sheets}
    before = next((number - 1 for number, _ in rounds_of(desk, stage)), 0)
    places = standings.places_of(desk, stage, order)
    was = _places_before(desk, stage)
    open_tables = _unsettled(desk)
    records = _records(desk, stage, confirmed_only)
    groups = _groups(desk, stage)
    found = []
    for player, place in places.items():
        row, status = counted.get(player), desk.people[player - 1].status
        found.append(
            Row(
                place,
                player,
                row.points if row else None,
                row.breaks if row else {},
                tuple(records.get(player, (0, 0, 0))),  # type: ignore[arg-type]  # three
                was.get(player, place) - place,
                player in open_tables,
                before,
                group=groups.get(player, 0),
                annulled=player in desk.stages[stage].annulled,
                left="" if status == "in" else status,
            )
        )
    return found


def _groups(desk: Desk, stage: int) -> dict[int, int]:
    """Return everybody's group, counted from 1, in a stage that has groups."""
    fields = standings.groups_of(desk.stages[stage])
    if len(fields) == 1:
        return {}
    return {player: number for number, field in enumerate(fields, 1) for player in field}


def _places_before(desk: Desk, stage: int) -> dict[int, int]:
    """Return the places after the round before the last."""
    rounds = rounds_of(desk, stage)
    closed = [number for number, each in rounds if each.order]
    before = closed[-1:] if len(closed) < len(rounds) else closed[-2:-1]
    for number in before:
        order = standings.order_after(desk, number)
        return standings.places_of(after_round(desk, number), stage, order)
    return {}


def _unsettled(desk: Desk) -> set[int]:
    """Return the players at tables of the last round whose result is not settled."""
    if not desk.rounds:
        return set()
    tables = [each for each in desk.rounds[-1].tables if each.status in ("reported", "disputed")]
    return {player for each in tables for player in each.players}


def _records(desk: Desk, stage: int, confirmed_only: bool) -> dict[int, list[int]]:
    """Return everybody's wins, draws and losses in a stage.

    A bye is a win, a granted one counts as what it is worth; sitting out and what is annulled count
    as nothing.
    """
    found = {player: [0, 0, 0] for player in desk.stages[stage].players}
    for number, each in rounds_of(desk, stage):
        for player in {*each.byes} - standings.rests(desk, number):
            found.setdefault(player, [0, 0, 0])[0] += 1
        seated = {*each.byes, *(player for one in each.tables for player in one.players)}
        for player in found.keys() - seated:
            granted = standings.granted_to(desk, player, number)
            if granted and granted.worth in WORTH:
                found[player][WORTH[granted.worth]] += 1
        for one in each.tables:
            result = worth.counts(one, confirmed_only=confirmed_only)
            if result is None or is_annulled(desk.stages[stage], one.players):
                continue
            places = worth.placing(one, result)
            for player, place in zip(one.players, places, strict=True):
                lost = result.lost or place > 1 or player in result.absent
                kind = 2 if lost else 1 if places.count(1) > 1 else 0
                found.setdefault(player, [0, 0, 0])[kind] += 1
    return found


MAX_CALLED = 128
"""In larger fields this is not computed: the page requests it after each result."""


@lru_cache(maxsize=32)
def calls(desk: Desk, stage: int, size: int) -> Mapping[int, clinch.Call]:
    """Return who is safe, live or out for a cut to `size`, for fields of at most `MAX_CALLED`."""
    if len(desk.stages[stage].players) > MAX_CALLED:
        return {}
    return {each.entrant: each.call(size) for each in clinch.reach(desk, stage)}


MAX_CONTESTED = 4096
"""Beyond so many players times disputed tables this is not computed."""


def contested(desk: Desk, stage: int) -> tuple[previews.Contested, ...]:
    """Return the disputed tables of a stage, each with the places that depend on it."""
    work = len(previews.disputed(desk, stage)) * len(desk.stages[stage].players)
    return _contested(desk, stage) if 0 < work <= MAX_CONTESTED else ()


_contested = lru_cache(maxsize=32)(previews.contested)


def points(number: Fraction) -> str:
    """Format points in the reader's locale, with at most two decimals."""
    return str(number_format(int(number) if number.denominator == 1 else round(float(number), 2)))


def six(number: Fraction | None) -> str:
    """Format a number with six decimals, rounded half up; "" for None."""
    if number is None:
        return ""
    scaled = int(abs(number) * SIX + Fraction(1, 2))
    sign = "-" if number < 0 else ""
    return f"{sign}{scaled // 10**6}.{scaled % 10**6:06d}"


# -- what moved a table -------------------------------------------------------------------


class Cause(NamedTuple):
    """An entry that changed the standings, in words, and whom it moved: name, from, to."""

    version: int
    text: str
    moved: Sequence[tuple[str, int, int]]


def causes(tournament: Tournament, cut: Cut, stage: int, since: int, upto: int) -> list[Cause]:
    """Return the entries between two versions that changed a stage's places, oldest first."""
    folded = desks.timeline(tournament)
    changes: list[Cause] = []
    rows = list(tournament.entries.select_related(*desks.WHO))
    before = _places_at(tournament, cut, stage, since)
    for version in range(since + 1, upto + 1)[-MAX_CAUSES:]:
        if version in cut.hidden:
            continue
        now = _places_at(tournament, cut, stage, version)
        if now == before:
            continue
        names = desks.names_at(tournament, version, rows)
        moved = [
            (names[player], before.get(player, 0), place)
            for player, place in now.items()
            if before.get(player, 0) != place
        ]
        changes.append(Cause(version, desks.describe_entry(folded, version, names), moved))
        before = now
    return changes


def _places_at(tournament: Tournament, cut: Cut, stage: int, version: int) -> dict[int, int]:
    desk, stage, _ = _as_of(tournament, cut, stage, version, None)
    return standings.places_of(desk, stage) if stage < len(desk.stages) else {}
