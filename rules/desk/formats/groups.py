"""Groups, and how their best advance to play-offs."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from rules.desk.formats.bracket import size_for


def divide(seeds: Sequence[int], count: int) -> tuple[tuple[int, ...], ...]:
    """Return `count` groups of equal strength: the seeds are dealt out in a snake."""
    groups: list[list[int]] = [[] for _ in range(count)]
    for place, seed in enumerate(seeds):
        lap, step = divmod(place, count)
        groups[count - 1 - step if lap % 2 else step].append(seed)
    return tuple(tuple(group) for group in groups)


def advance(
    standings: Sequence[Sequence[int]], count: int, within: Callable[[Sequence[int]], Iterable[int]]
) -> tuple[int, ...]:
    """Return the `count` who advance, in the order of their seeds in the play-offs.

    `standings` of each group, best first. First the winners, then the seconds …; `within` orders
    those of equal place.
    """
    found: list[int] = []
    for place in range(max(map(len, standings), default=0)):
        found += within([group[place] for group in standings if len(group) > place])
    return tuple(found[:count])


def kept_apart(
    seeds: Sequence[int], group_of: Mapping[int, int], place_of: Mapping[int, int]
) -> tuple[int, ...]:
    """Reorder seeds as little as possible, so that no two of a group meet in the first round.

    A seed may be swapped only with another that finished in the same place of its group. Where it
    is impossible, as many as possible are kept apart.
    """
    order = list(seeds)
    size = size_for(len(order))

    def clashes() -> int:
        return sum(
            group_of[order[i]] == group_of[order[size - 1 - i]]
            for i in range(size // 2)
            if size - 1 - i < len(order)
        )

    left = clashes()
    for i in range(len(order) - 1, -1, -1):
        for j in range(i - 1, -1, -1):
            if not left:
                return tuple(order)
            if place_of[order[i]] != place_of[order[j]]:
                continue
            order[i], order[j] = order[j], order[i]
            if (now := clashes()) < left:
                left = now
            else:
                order[i], order[j] = order[j], order[i]
    return tuple(order)
