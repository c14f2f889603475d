"""Minimum-cost matchings compared with all matchings, and proofs that anyone can check."""

from collections.abc import Iterable, Iterator, Sequence

import pytest

from rules.bots import Stream
from rules.desk.formats.matching import Barrier, Edge, barrier, least_cost


def every_matching(vertices: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield each way to join some of the vertices in pairs."""
    if not vertices:
        yield []
        return
    first, *rest = vertices
    yield from every_matching(rest)
    for other in rest:
        for more in every_matching([vertex for vertex in rest if vertex != other]):
            yield [(first, other), *more]


def random_graph(seed: int, vertices: int, percent: int) -> list[Edge]:
    pick = Stream(f"graph {seed}")
    pairs = [(one, two) for one in range(vertices) for two in range(one + 1, vertices)]
    return [(one, two, pick(2**100)) for one, two in pairs if pick(100) < percent]


def holds(proof: Barrier, edges: Iterable[tuple[int, int]]) -> bool:
    """Check a barrier against the edges of its graph, without knowing how it was found."""
    group_of = {vertex: i for i, group in enumerate(proof.groups) for vertex in group}
    few = set(proof.few)
    if few & group_of.keys() or any(len(group) % 2 == 0 for group in proof.groups):
        return False
    return all(
        one in few or two in few or group_of.get(one) == group_of.get(two) for one, two in edges
    )


@pytest.mark.parametrize("percent", [15, 30, 60])
def test_a_matching_is_the_largest_and_then_the_cheapest(percent: int) -> None:
    for seed in range(40):
        edges = random_graph(seed, 7, percent)
        costs = {(one, two): cost for one, two, cost in edges}
        possible = [m for m in every_matching(range(7)) if all(pair in costs for pair in m)]
        best = min(possible, key=lambda m: (-len(m), sum(costs[pair] for pair in m)))

        assert least_cost(7, edges) == best


@pytest.mark.parametrize("percent", [5, 15, 25, 40])
def test_a_barrier_proves_how_many_stay_alone(percent: int) -> None:
    alone = 0
    for seed in range(60):
        vertices = 5 + seed % 30
        edges = [(one, two) for one, two, _ in random_graph(seed, vertices, percent)]
        joined = 2 * len(least_cost(vertices, [(one, two, 0) for one, two in edges]))

        proof = barrier(vertices, edges)

        assert holds(proof, edges)
        assert proof.short == vertices - joined
        alone += proof.short > 0
    print(f"{alone} of 60 graphs with {percent} in 100 edges leave somebody alone")
    assert alone


@pytest.mark.parametrize(
    "proof",
    [
        pytest.param(Barrier((), ((0, 1),)), id="an even group"),
        pytest.param(Barrier((0,), ((0,),)), id="in both"),
        pytest.param(Barrier((), ((0,), (1,))), id="an edge between groups"),
        pytest.param(Barrier((), ((0,),)), id="an edge out of a group"),
    ],
)
def test_a_wrong_barrier_does_not_hold(proof: Barrier) -> None:
    assert not holds(proof, [(0, 1)])
