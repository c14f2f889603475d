"""Cuts: the best of one stage, who advance to the next."""

from collections.abc import Sequence

import msgspec

from rules.desk.formats.groups import divide

CUTS = range(2, 65)
POD_CUTS = (4, 7, 10, 13, 16, 40)


class PodRound(msgspec.Struct, frozen=True):
    """A round of a pod cut: who advances without playing, and the tables whose winners follow."""

    straight: tuple[int, ...]
    pods: tuple[tuple[int, ...], ...]


def pod_plan(size: int) -> tuple[tuple[int, int], ...]:
    """Return, for each round of a pod cut, how many advance directly and the number of tables.

    A round leaves four for the final table, or 16 for another such round: b + 4w players with b + w
    = 4, that is 4, 7, 10, 13 or 16; 40 are 8 and 8 tables.

    Raises: ValueError for a size that does not work out.
    """
    if size == 40:
        return ((8, 8), *pod_plan(16))
    if size not in POD_CUTS:
        raise ValueError(f"a pod cut has {', '.join(map(str, POD_CUTS))} players, not {size}")
    if size == 4:
        return ((0, 1),)
    pods = (size - 4) // 3
    return ((4 - pods, pods), (0, 1))


def pod_round(players: Sequence[int], straight: int, pods: int) -> PodRound:
    """Return one round: the best seeds advance, the others are dealt to tables in a snake."""
    return PodRound(tuple(players[:straight]), divide(players[straight:], pods))


def next_players(seeds: Sequence[int], last: PodRound, winners: Sequence[int]) -> tuple[int, ...]:
    """Return the players of the next round, in the order of their seeds."""
    through = {*last.straight, *winners}
    return tuple(seed for seed in seeds if seed in through)
