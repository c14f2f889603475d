"""Other ways to pair the next round beside ours, with the cost of each.

Nothing here is recorded. Each way gives a whole round, and all are weighed by the same costs.
"""

from collections.abc import Callable, Sequence

import msgspec

from rules.desk.acts import Entrant
from rules.desk.formats import chance, swiss
from rules.desk.formats.swiss import Cost, Drawn, Field, Player
from rules.desk.pairing import swiss_field
from rules.desk.state import Desk

Pairs = list[tuple[int, int]]


class Shadow(msgspec.Struct, frozen=True):
    """A round as one way pairs it. `floats` is how many pairs have unequal scores."""

    way: str
    pairings: tuple[tuple[Entrant, ...], ...]
    byes: tuple[Entrant, ...]
    cost: Cost
    floats: int


def shadows(desk: Desk, seed: int) -> tuple[Shadow, ...]:
    """Return the next Swiss round of a desk by every way, ours first.

    Raises: ValueError for a stage that is not a Swiss.
    """
    if desk.stages[-1].setup.format != "swiss":
        raise ValueError("only a Swiss is paired in other ways")
    field = swiss_field(desk)
    found = [_shadow("least cost", swiss.pair(field, seed))]
    for way, work in WAYS.items():
        order = in_order(field, seed)
        bye = order.pop(_resting(order)).id if len(order) % 2 else None
        pairs = work(order)
        found.append(_shadow(way, swiss.assess(field, pairs, bye, seed)))
    return tuple(found)


def in_order(field: Field, seed: int) -> list[Player]:
    """Return the players to be paired by points, and those of equal points by the seed."""
    lots = chance.numbers(seed, (player.id for player in field.players))
    return sorted(field.players, key=lambda p: (-p.points, lots[p.id], p.id))


def _resting(order: Sequence[Player]) -> int:
    """Return the position of the player who gets the bye: the last of those with the fewest."""
    fewest = min(player.byes for player in order)
    return max(i for i, player in enumerate(order) if player.byes == fewest)


def _shadow(way: str, drawn: Drawn) -> Shadow:
    return Shadow(
        way=way,
        pairings=tuple(pair.players for pair in drawn.pairs),
        byes=() if drawn.bye is None else (drawn.bye,),
        cost=drawn.cost,
        floats=sum(pair.points[0] != pair.points[1] for pair in drawn.pairs),
    )


def neighbours(order: Sequence[Player]) -> Pairs:
    """Pair the first with the next player they did not meet, and so on down."""
    left, pairs = list(order), Pairs()
    while left:
        one = left.pop(0)
        two = next((other for other in left if other.id not in one.met), left[0])
        left.remove(two)
        pairs.append((one.id, two.id))
    return pairs


def halves(order: Sequence[Player]) -> Pairs:
    """Pair the better half of each score group with the other half; one left over goes down."""
    pairs, over = Pairs(), list[Player]()
    for score in sorted({player.points for player in order}, reverse=True):
        group = over + [player for player in order if player.points == score]
        over = [group.pop()] if len(group) % 2 else []
        middle = len(group) // 2
        lower = group[middle:]
        for one in group[:middle]:
            two = next((other for other in lower if other.id not in one.met), lower[0])
            lower.remove(two)
            pairs.append((one.id, two.id))
    return pairs


WAYS: dict[str, Callable[[Sequence[Player]], Pairs]] = {
    "neighbours": neighbours,
    "halves": halves,
}
"""Other ways by name: those of greedy programs."""
