"""Chance as an input: numbers derived from a seed and from what they are for."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

PAIR_BITS = 40


def number(seed: int, *of: int | str) -> int:
    """Return a 64-bit number derived from a seed and further keys."""
    message = ":".join(map(str, (seed, *of)))
    return int.from_bytes(hashlib.sha256(message.encode()).digest()[:8])


def numbers(seed: int, ids: Iterable[int]) -> dict[int, int]:
    """Return a number for each player."""
    return {each: number(seed, each) for each in ids}


def of_pair(one: int, two: int, bits: int = PAIR_BITS) -> int:
    """Combine two players' numbers into the low-order weight of the edge between them."""
    return (one * two >> 44) & ((1 << bits) - 1)


def shuffled(values: Sequence[T], seed: int, *of: int | str) -> list[T]:
    """Return values in an order derived from the seed and from their positions."""
    keys = [number(seed, *of, place) for place in range(len(values))]
    return [values[place] for place in sorted(range(len(values)), key=keys.__getitem__)]
