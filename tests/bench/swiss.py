"""Pairing: Swiss rounds compared with bare matchings of the same players, and pods.

Measured in CPU time: everything is one thread that never waits.
"""

from collections.abc import Iterator
from time import process_time
from typing import Any

import msgspec

from rules.bots import Stream
from rules.desk.formats import pods, swiss
from rules.desk.formats.matching import least_cost
from tests.bench.figure import Figure, Work, median_rate, median_rates

ROUNDS = 5
NEAR = 24
DENSE = 1024  # above this the dense matching takes minutes
GOALS = {64: 0, 256: 200, 1024: 5_000, 4096: 60_000}
"""What a round of so many players may take, in milliseconds."""


def figures() -> Iterator[Figure]:
    for count, goal in GOALS.items():
        field = _field(count)
        works = [lambda field=field: len(swiss.pair(field, 1).pairs) * 2, _bare_matching(field)]
        if count <= DENSE:
            works.append(_bare_matching(field, count))
        rate, bare, *dense = median_rates(
            *works, repeats=1 if count > 256 else 5, clock=process_time
        )
        name = f"Swiss round of {count:,}, exact, after {ROUNDS} rounds"
        told = f"{rate / bare:.2f} × one of {NEAR} neighbours each"
        beside = "a dense rustworkx matching" if dense else ""
        yield Figure(name, rate, "players/s", sum(dense), beside, told=told)
        yield Figure(f"that round of {count:,} takes", count / rate * 1000, "ms", most=goal)
    seated = [
        pods.Player(id=p.id, points=p.points, met=p.met, seats=(p.id % 2,)) for p in field.players
    ]
    for count in (16, 64):
        name = f"pods of {count}, {'exact' if count <= pods.EXACT else 'bounded'}"
        some = seated[:count]
        rate = median_rate(lambda some=some: len(pods.seat(some, 1).pods) * 4, process_time)
        yield Figure(name, rate, "players/s")


def _field(count: int) -> Any:
    """Return a field after some rounds with random results."""
    pick = Stream(f"bench {count}")
    players = {i: swiss.Player(id=i) for i in range(1, count + 1)}
    for number in range(ROUNDS):
        drawn = swiss.pair(swiss.Field(tuple(players.values())), number)
        for pair in drawn.pairs:
            won = pick(2)
            for i, (one, two) in enumerate((pair.players, pair.players[::-1])):
                before = players[one]
                players[one] = msgspec.structs.replace(
                    before,
                    points=before.points + 3 * (i == won),
                    met=(*before.met, two),
                    floated=pair.floats[i],
                )
    return swiss.Field(tuple(players.values()))


def _bare_matching(field: Any, near: int = NEAR) -> Work:
    """Match the same players with the squares of their differences as the only weights."""
    points = sorted((player.points for player in field.players), reverse=True)
    edges = [
        (one, two, (points[one] - points[two]) ** 2)
        for one in range(len(points))
        for two in range(one + 1, min(one + 1 + near, len(points)))
    ]
    return lambda: len(least_cost(len(points), edges)) * 2
