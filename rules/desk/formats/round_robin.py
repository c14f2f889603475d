"""Round robin: everybody meets everybody, by the Berger tables.

Rule: FIDE C.05, annex 1 (Berger tables).
"""

from collections.abc import Sequence

import msgspec


class Round(msgspec.Struct, frozen=True, omit_defaults=True):
    """One round: who meets whom, the first seat first, and who has the bye."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


def rounds(players: Sequence[int], legs: int = 1) -> tuple[Round, ...]:
    """Return the rounds in which everybody meets everybody once per leg.

    Seats are swapped in every second leg. `players` in the order of their numbers in the tables.
    """
    numbers = list(range(1, len(players) + 1))
    first = [_round(numbers, number, players) for number in range(1, _length(len(players)) + 1)]
    found = []
    for leg in range(legs):
        found += [_turned(each) for each in first] if leg % 2 else first
    return tuple(found)


def _length(count: int) -> int:
    return max(count + count % 2 - 1, 0)


def _round(numbers: Sequence[int], number: int, players: Sequence[int]) -> Round:
    """Return one round of the tables.

    The last number stays put; the others stand in a circle and meet across from the one it meets.
    """
    even = len(numbers) + len(numbers) % 2
    circle = even - 1
    middle = (number + 1) // 2 if number % 2 else (even + number) // 2
    pairs = [(middle, even) if number % 2 else (even, middle)]
    for step in range(1, even // 2):
        white, black = (middle + step - 1) % circle + 1, (middle - step - 1) % circle + 1
        pairs.append((white, black))
    if even == len(numbers):
        return Round(tuple((players[a - 1], players[b - 1]) for a, b in pairs))
    return Round(
        tuple((players[a - 1], players[b - 1]) for a, b in pairs[1:]), bye=players[middle - 1]
    )


def _turned(each: Round) -> Round:
    return Round(tuple((two, one) for one, two in each.pairs), each.bye)
