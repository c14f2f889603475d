"""Chance as an input: numbers that follow from a seed and from who they are for."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

PAIR_BITS = 40


def number(seed: int, *of: int | str) -> int:
    """Return the 64-bit number that a seed gives to somebody or something."""
    said = ":".join(map(str, (seed, *of)))
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:8])


def numbers(seed: int, ids: Iterable[int]) -> dict[int, int]:
    """Return a number of its own for each player."""
    return {each: number(seed, each) for each in ids}


def of_pair(one: int, two: int, bits: int = PAIR_BITS) -> int:
    """Return what two players' numbers make of the pair: the low-order weight of an edge."""
    return (one * two >> 44) & ((1 << bits) - 1)


def shuffled(values: Sequence[T], seed: int, *of: int | str) -> list[T]:
    """Return values in an order that follows from the seed and from their places."""
    keys = [number(seed, *of, place) for place in range(len(values))]
    return [values[place] for place in sorted(range(len(values)), key=keys.__getitem__)]
