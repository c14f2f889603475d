"""Qualification from a circuit: safe, live or out, from results so far and events to come.

A total is the sum of somebody's best `counted` results. Each place of an event to come goes to
one, with the points its table gives: nobody shares a place of these. Who does not take part gets
none. Who is level in points may stand on either side. As in `clinch`, a bound is never an
estimate: who is called safe or out is so whatever happens.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from rules.desk.clinch import Reach

TRIED, EVENTS = 4, 2
"""So many who can still come level, in so many events, at most are tried one way after another."""


def total(results: Iterable[int], counted: int) -> int:
    """Return the sum of the best results, of all of them when `counted` is 0."""
    best = sorted(results, reverse=True)
    return sum(best[:counted] if counted else best)


def reach(
    results: Mapping[int, Sequence[int]], to_come: Sequence[Sequence[int]], counted: int = 0
) -> tuple[Reach, ...]:
    """Return the best and the worst place everybody can still have, best first as they stand.

    `results` of everybody so far; `to_come` holds the points for the first place, the second …
    of each event to come.
    """
    standing = {who: total(had, counted) for who, had in results.items()}
    order = sorted(standing, key=lambda who: (-standing[who], who))
    return tuple(_reach(who, results, standing, to_come, counted) for who in order)


def _reach(
    who: int,
    results: Mapping[int, Sequence[int]],
    standing: Mapping[int, int],
    to_come: Sequence[Sequence[int]],
    counted: int,
) -> Reach:
    most = total([*results[who], *(max(table, default=0) for table in to_come)], counted)
    ahead = sum(points > most for other, points in standing.items() if other != who)
    others = {other: had for other, had in results.items() if other != who}
    level, exact = _most_level(others, standing[who], to_come, counted)
    return Reach(who, 1 + ahead, 1 + level, exact)


def _most_level(
    others: Mapping[int, Sequence[int]], line: int, to_come: Sequence[Sequence[int]], counted: int
) -> tuple[int, bool]:
    """Return how many others can have so many points at once, and whether it was all tried."""
    there = [who for who, had in others.items() if total(had, counted) >= line]
    tables = [sorted((each for each in table if each > 0), reverse=True) for table in to_come]
    can = [
        who
        for who, had in others.items()
        if who not in there
        and total([*had, *(table[0] for table in tables if table)], counted) >= line
    ]
    if len(tables) == 1:
        return len(there) + _places(others, can, line, tables[0], counted), True
    if len(can) > TRIED or len(tables) > EVENTS:
        return len(there) + _by_points(others, can, line, tables, counted), False
    for size in range(len(can), 0, -1):
        for chosen in combinations(can, size):
            if _all_level([others[who] for who in chosen], line, tables, counted):
                return len(there) + size, True
    return len(there), True


def _places(
    others: Mapping[int, Sequence[int]],
    can: Sequence[int],
    line: int,
    table: Sequence[int],
    counted: int,
) -> int:
    """Return how many can come level by one event: the least place that does goes to each."""
    enough = sorted(
        min(points for points in table if total([*others[who], points], counted) >= line)
        for who in can
    )
    found = 0
    for points in sorted(table):
        found += found < len(enough) and points >= enough[found]
    return found


def _by_points(
    others: Mapping[int, Sequence[int]],
    can: Sequence[int],
    line: int,
    tables: Sequence[Sequence[int]],
    counted: int,
) -> int:
    """Return how many might come level if all points to come could be shared out at will."""
    left = sum(map(sum, tables))
    found = 0
    for need in sorted(line - total(others[who], counted) for who in can):
        left -= need
        found += left >= 0
    return found


def _all_level(
    chosen: Sequence[Sequence[int]], line: int, tables: Sequence[Sequence[int]], counted: int
) -> bool:
    """Tell whether all of these can come level, nobody sharing a place."""
    if not chosen:
        return True
    first, *rest = chosen
    for taken in _enough(first, line, tables, counted):
        left = [
            table if points is None else _without(table, points)
            for table, points in zip(tables, taken, strict=True)
        ]
        if _all_level(rest, line, left, counted):
            return True
    return False


def _without(table: Sequence[int], points: int) -> list[int]:
    left = list(table)
    left.remove(points)
    return left


def _enough(
    had: Sequence[int], line: int, tables: Sequence[Sequence[int]], counted: int
) -> list[tuple[int | None, ...]]:
    """Return the least somebody may take of each event to be level, None for no part in it."""
    ways: list[tuple[int | None, ...]] = [()]
    for table in tables:
        choices = [None, *sorted(set(table))]
        ways = [(*way, points) for way in ways for points in choices]
    enough = [way for way in ways if total([*had, *(p for p in way if p)], counted) >= line]
    return [way for way in enough if not any(_less(other, way) for other in enough)]


def _less(one: tuple[int | None, ...], two: tuple[int | None, ...]) -> bool:
    """Tell whether one way takes no more of any event than another, and is not the same."""
    return one != two and all((a or 0) <= (b or 0) for a, b in zip(one, two, strict=True))
