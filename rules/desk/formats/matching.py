"""Minimum-cost perfect matchings, and a checkable proof where there is none."""

from collections.abc import Iterable, Sequence
from operator import neg

import msgspec
import rustworkx

WIDEST = 126
"""The most bits the sum of costs may have: the solver counts in signed 128-bit numbers."""

Edge = tuple[int, int, int]
"""Two vertices, numbered from 0, and the cost of joining them."""


def least_cost(vertices: int, edges: Sequence[Edge]) -> list[tuple[int, int]]:
    """Return the matching of least cost among those that join the most vertices."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(range(vertices))
    graph.add_edges_from(list(edges))
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=neg)
    return sorted((min(pair), max(pair)) for pair in found)


class Barrier(msgspec.Struct, frozen=True):
    """A proof that some vertices stay unmatched in every matching (Tutte and Berge).

    Without the `few`, no edge leads from one of the `groups` to another. Each group is odd, so one
    of its members is always left over and needs one of the few: `short` of them get none.
    """

    few: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]

    @property
    def short(self) -> int:
        return len(self.groups) - len(self.few)


def barrier(vertices: int, edges: Iterable[tuple[int, int]]) -> Barrier:
    """Return the barrier of a graph; any matching leaves at least `short` vertices unmatched.

    Grows alternating trees from the vertices that a maximum matching leaves unmatched; vertices
    reached by an even path form the groups, and their other neighbours are the few.
    """
    near: list[list[int]] = [[] for _ in range(vertices)]
    pairs = list(edges)
    for one, two in pairs:
        near[one].append(two)
        near[two].append(one)
    mate = [-1] * vertices
    for one, two in least_cost(vertices, [(one, two, 0) for one, two in pairs]):
        mate[one], mate[two] = two, one
    forest = _Forest(near, mate)
    forest.grow()
    return Barrier(forest.few(), forest.groups())


class _Forest:
    """Alternating trees with their blossoms shrunk. The matching must be a maximum one."""

    def __init__(self, near: list[list[int]], mate: list[int]) -> None:
        self.near = near
        self.mate = mate
        self.up = [-1] * len(near)  # the even vertex from which an odd one was reached
        self.even = [partner < 0 for partner in mate]
        self.odd = [False] * len(near)
        self.base = list(range(len(near)))

    def root(self, vertex: int) -> int:
        """Return the base of the blossom that contains a vertex."""
        while self.base[vertex] != vertex:
            self.base[vertex] = self.base[self.base[vertex]]
            vertex = self.base[vertex]
        return vertex

    def grow(self) -> None:
        waiting = [vertex for vertex, even in enumerate(self.even) if even]
        while waiting:
            vertex = waiting.pop()
            for other in self.near[vertex]:
                if self.even[other]:
                    waiting += self._shrink(vertex, other)
                elif not self.odd[other]:
                    self.odd[other] = True
                    self.up[other] = vertex
                    self.even[self.mate[other]] = True
                    waiting.append(self.mate[other])

    def _way_up(self, vertex: int) -> list[int]:
        """Return the bases of the even vertices on the path to the tree's root."""
        way = [self.root(vertex)]
        while (partner := self.mate[way[-1]]) >= 0:
            way.append(self.root(self.up[partner]))
        return way

    def _shrink(self, one: int, two: int) -> list[int]:
        """Shrink the odd cycle closed by an edge between even vertices into one blossom.

        Returns the odd vertices on it, which can now be reached by an even path too.
        """
        if self.root(one) == self.root(two):
            return []
        ways = self._way_up(one), self._way_up(two)
        tops = set(ways[1])
        top = next((base for base in ways[0] if base in tops), None)
        if top is None:
            raise AssertionError("the matching was not a largest one")
        woken = []
        for way in ways:
            for base in way[: way.index(top)]:
                partner = self.mate[base]
                self.base[base] = top
                self.base[self.root(partner)] = top
                if not self.even[partner]:
                    self.even[partner] = True
                    woken.append(partner)
        return woken

    def groups(self) -> tuple[tuple[int, ...], ...]:
        found: dict[int, list[int]] = {}
        for vertex, even in enumerate(self.even):
            if even:
                found.setdefault(self.root(vertex), []).append(vertex)
        return tuple(tuple(group) for group in found.values())

    def few(self) -> tuple[int, ...]:
        return tuple(vertex for vertex, odd in enumerate(self.odd) if odd and not self.even[vertex])
