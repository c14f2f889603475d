"""Swiss: everybody plays every round, against somebody with the same score where possible.

A pairing is the one of least cost; costs are compared in this order (`Cost`):

1. fewest breaches of what is not allowed (forbidden pairs; rematches where they are never allowed);
2. fewest rematches;
3. the bye to the lowest score group with somebody eligible;
4. least sum of squared differences of points;
5. fewest repeated floats;
6. fewest third and later meetings;
7. the seed.

Only players with the fewest byes are eligible for the bye. All of it is one minimum-weight
matching, exact for any field. In a field of more than `DENSE`, it is first searched for among near
neighbours, and accepted if it costs no more than a lower bound for every pairing.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import msgspec

from rules.desk.formats import chance
from rules.desk.formats.matching import WIDEST, Barrier, Edge, barrier, least_cost

DENSE = 128
NEIGHBOURS = (12, 24, 48)  # how far down the order a pair may reach: the successive attempts
EDGE = 96  # the most players at the top, and at the bottom, among whom all pairs are considered
SHORTEST_SEED = 16


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player to be paired.

    `met`: whom they met before, once for each meeting; `byes`: how many they had; `floated`: 1 if
    they met somebody with fewer points in the previous round (or had its bye), -1 if somebody with
    more; `firsts`: how much more often they had the first seat than the second.
    """

    id: int
    points: int = 0
    met: tuple[int, ...] = ()
    byes: int = 0
    floated: int = 0
    firsts: int = 0


class Cost(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """The cost of a pair or a round; the first difference decides."""

    breaches: int = 0
    rematches: int = 0
    bye_group: int = 0
    squares: int = 0
    floats: int = 0
    again: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Cost(*(a + b for a, b in zip(mine, theirs, strict=True)))


class Pair(msgspec.Struct, frozen=True, omit_defaults=True):
    """A pair, the first seat first, and the reasons for it.

    `points` are theirs before the round; `meeting` is 1 if they never met.
    """

    players: tuple[int, int]
    points: tuple[int, int]
    cost: Cost
    meeting: int = 1

    @property
    def floats(self) -> tuple[int, int]:
        """How each player floats: 1 down, -1 up, 0 within the group."""
        down = _sign(self.points[0] - self.points[1])
        return down, -down


class Forced(msgspec.Struct, frozen=True):
    """A proof that some pairs had to be ones that should not meet: a barrier among the allowed.

    `few` and `groups` name players; 0 stands for the bye. At least `pairs` of the round are not
    among the allowed ones.
    """

    few: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    pairs: int


class Drawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round as it was paired, best table first.

    `least` is the least cost of any pairing: the same as `cost` unless this one was made by hand.
    `forced` proves why there are rematches, `no_round` why there is no legal round at all: the
    pairs whose `cost` has breaches are then the smallest relaxation.
    """

    pairs: tuple[Pair, ...]
    cost: Cost
    least: Cost
    bye: int | None = None
    forced: Forced | None = None
    no_round: Forced | None = None


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """The players to be paired, and which pairs are not allowed.

    `forbidden` pairs never meet; `no_rematches` makes a rematch just as bad.
    """

    players: tuple[Player, ...]
    forbidden: tuple[tuple[int, int], ...] = ()
    no_rematches: bool = False


def pair(field: Field, seed: int) -> Drawn:
    """Return the pairing of least cost; never fails, whatever was played before.

    Raises: ValueError for a player given twice, or points so far apart that costs overflow.
    """
    table = _Table(field, seed)
    matched = _matched(table)
    return _drawn(table, matched, least=table.total(matched))


def assess(field: Field, pairs: Iterable[tuple[int, int]], bye: int | None, seed: int) -> Drawn:
    """Return the cost of a pairing made by hand, beside the least possible.

    Raises: KeyError for a player who is not in the field.
    """
    table = _Table(field, seed)
    matched = [(table.places[one], table.places[two]) for one, two in pairs]
    if bye is not None:
        matched.append((table.places[bye], table.bye))
    least = table.total(_matched(table))
    return _drawn(table, matched, least=least, keep_seats=True)


# -- costs ---------------------------------------------------------------------------


class _Table:
    """The field as a graph: the players by points, and the bye as one more vertex."""

    def __init__(self, field: Field, seed: int) -> None:
        self.field = field
        chances = chance.numbers(seed, (player.id for player in field.players))
        if len(chances) < len(field.players):
            raise ValueError("a player is given twice")
        # In a group, a player who floated down stands first and one who floated up last: away from
        # the edge that would float them the same way again.
        self.players = sorted(
            field.players, key=lambda p: (-p.points, -p.floated, chances[p.id], p.id)
        )
        self.chances = [chances[player.id] for player in self.players]
        self.places = {player.id: place for place, player in enumerate(self.players)}
        self.bye = len(self.players)
        self.odd = len(self.players) % 2 == 1
        self.size = len(self.players) + self.odd
        self.points = [player.points for player in self.players]
        self.floated = [player.floated for player in self.players]
        self.forbidden = {frozenset(each) for each in field.forbidden}
        self.meetings = [_counted(player.met) for player in self.players]
        self.bye_groups = self._bye_groups()
        self._scale()

    def _bye_groups(self) -> dict[int, int]:
        """Return how many eligible score groups are below each player eligible for the bye."""
        if not self.odd:
            return {}
        fewest = min(player.byes for player in self.players)
        may = [i for i, player in enumerate(self.players) if player.byes == fewest]
        scores = sorted({self.players[place].points for place in may})
        return {place: scores.index(self.players[place].points) for place in may}

    def _scale(self) -> None:
        """Scale the components of a cost so that no sum of lower ones reaches a higher one."""
        pairs = len(self.players) // 2 + 1
        span = self.points[0] - self.points[-1] if self.points else 0
        meetings = max((max(met.values(), default=0) for met in self.meetings), default=0)
        most = (pairs, pairs, len(self.players), span**2 * pairs, 2 * pairs, meetings * pairs)
        weights = [1]
        for part in reversed(most):
            weights.append(weights[-1] * (part + 1))
        self.seed_bits = min(
            chance.PAIR_BITS, WIDEST - weights[-1].bit_length() - pairs.bit_length()
        )
        if self.seed_bits < SHORTEST_SEED:
            raise ValueError(f"points {span} apart are too far for {len(self.points)} players")
        shift = self.seed_bits + pairs.bit_length()
        self.weights = tuple(weight << shift for weight in reversed(weights[:-1]))
        by_name = dict(zip(Cost.__struct_fields__, self.weights, strict=True))
        self._squares, self._floats = by_name["squares"], by_name["floats"]

    def cost(self, one: int, two: int) -> Cost:
        """Return the cost of pairing two positions, or of giving one the bye."""
        if two == self.bye:
            repeated = int(self.players[one].floated > 0)
            return Cost(bye_group=self.bye_groups.get(one, self.bye), floats=repeated)
        first, second = self.players[one], self.players[two]
        met = self.meetings[one].get(second.id, 0)
        apart = first.points - second.points
        down = _sign(apart)
        breach = bool(self.forbidden) and frozenset((first.id, second.id)) in self.forbidden
        return Cost(
            breaches=int(breach or (self.field.no_rematches and met > 0)),
            rematches=int(met > 0),
            squares=apart * apart,
            floats=int(down != 0) * (int(first.floated == down) + int(second.floated == -down)),
            again=max(met - 1, 0),
        )

    def weight(self, one: int, two: int) -> int:
        """Return the cost of an edge as one number, the seed in its lowest bits."""
        if two == self.bye:
            return self.packed(self.cost(one, two)) + (self.chances[one] >> (64 - self.seed_bits))
        seeded = chance.of_pair(self.chances[one], self.chances[two], self.seed_bits)
        if self.forbidden or self.players[two].id in self.meetings[one]:
            return self.packed(self.cost(one, two)) + seeded
        apart = self.points[one] - self.points[two]
        if not apart:
            return seeded
        down = _sign(apart)
        floats = (self.floated[one] == down) + (self.floated[two] == -down)
        return seeded + self._squares * apart * apart + self._floats * floats

    def packed(self, cost: Cost) -> int:
        """Return a cost as one number that preserves its order."""
        parts = msgspec.structs.astuple(cost)
        return sum(part * weight for part, weight in zip(parts, self.weights, strict=True))

    def total(self, matched: Iterable[tuple[int, int]]) -> Cost:
        return sum((self.cost(one, two) for one, two in matched), Cost())

    def edges(self, places: Iterable[tuple[int, int]]) -> Iterator[Edge]:
        """Yield the edges between these positions, and those of the bye."""
        for one, two in places:
            yield one, two, self.weight(one, two)
        for place in self.bye_groups:
            yield place, self.bye, self.weight(place, self.bye)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _counted(met: Iterable[int]) -> Mapping[int, int]:
    counts: dict[int, int] = {}
    for other in met:
        counts[other] = counts.get(other, 0) + 1
    return counts


# -- the pairing of least cost --------------------------------------------------------


def _matched(table: _Table) -> list[tuple[int, int]]:
    """Return the pairs of positions, including the bye's."""
    count = len(table.players)
    if count > DENSE:
        for reach in NEIGHBOURS:
            found = least_cost(table.size, list(table.edges(_near(count, reach))))
            if 2 * len(found) == table.size and _is_least(table, table.total(found)):
                return found
    return least_cost(table.size, list(table.edges(_everybody(table))))


def _everybody(table: _Table) -> Iterator[tuple[int, int]]:
    return combinations(range(len(table.players)), 2)


def _near(count: int, reach: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of positions not far apart, and all pairs at the top and at the bottom."""
    edge = _edge(count)
    for one in range(count):
        last = one + reach
        if one < edge:
            last = max(last, edge - 1)
        if one >= count - edge:
            last = count - 1
        for two in range(one + 1, min(last, count - 1) + 1):
            yield one, two


def _edge(count: int) -> int:
    """Return how many make up the top, and the bottom; twice as many are left between them."""
    return min(EDGE, (count - 2) // 4)


def _is_least(table: _Table, found: Cost) -> bool:
    """Tell whether no pairing of a large field can cost less than the one found.

    Restrictions are considered only among the top and among the bottom, and dropped in between.
    Such a relaxed field has a cheapest pairing of a simple form that is cheap to find: the squares
    of differences are least between neighbours in the order of points, so the top reaches only as
    far down as it has members, the bottom as far up, and the middle pairs off in order. Its cost is
    a lower bound for every pairing of the real field.
    """
    if table.odd and (found.breaches or found.rematches or found.bye_group):
        return False
    count = len(table.players)
    foot = count - _edge(count)
    edges = list(_relaxed(table))
    if table.odd:
        takers = [i for i, group in table.bye_groups.items() if group == 0 and i >= foot]
        if not takers:
            return False
        edges += [(place, table.bye, 0) for place in takers]
    matched = least_cost(table.size, edges)
    weights = {(one, two): weight for one, two, weight in edges}
    bound = sum(weights[each] for each in matched)
    return bound == table.packed(msgspec.structs.replace(found, again=0))


def _relaxed(table: _Table) -> Iterator[Edge]:
    count = len(table.players)
    edge = _edge(count)
    foot = count - edge

    def apart(one: int, two: int) -> Edge:
        cost = Cost(squares=(table.points[one] - table.points[two]) ** 2)
        return one, two, table.packed(cost)

    for start in (0, foot):
        for one, two in combinations(range(start, start + edge), 2):
            cost = msgspec.structs.replace(table.cost(one, two), again=0)
            yield one, two, table.packed(cost)
    for one in range(edge):
        for two in range(edge, min(2 * edge, foot)):
            yield apart(one, two)
    for two in range(foot, count):
        for one in range(max(foot - edge, edge), foot):
            yield apart(one, two)
    for one in range(edge, foot - 1):
        yield apart(one, one + 1)


# -- explaining ----------------------------------------------------------------------


def _drawn(
    table: _Table, matched: Sequence[tuple[int, int]], *, least: Cost, keep_seats: bool = False
) -> Drawn:
    cost = table.total(matched)
    bye = next((table.players[one].id for one, two in matched if two == table.bye), None)
    pairs = [_pair(table, *each, keep_seats) for each in matched if table.bye not in each]
    if not keep_seats:
        pairs.sort(key=lambda p: (-max(p.points), -min(p.points), table.places[p.players[0]]))
    return Drawn(
        pairs=tuple(pairs),
        bye=bye,
        cost=cost,
        least=least,
        forced=_forced(table, "rematches") if least.rematches else None,
        no_round=_forced(table, "breaches") if least.breaches else None,
    )


def _pair(table: _Table, one: int, two: int, keep_seats: bool) -> Pair:
    """Return a pair with its seats: the first to the one who had it less often, else by seed."""
    if not keep_seats:
        had = [(table.players[each].firsts, table.chances[each]) for each in (one, two)]
        one, two = (one, two) if had[0] <= had[1] else (two, one)
    first, second = table.players[one], table.players[two]
    return Pair(
        players=(first.id, second.id),
        points=(first.points, second.points),
        cost=table.cost(one, two),
        meeting=table.meetings[one].get(second.id, 0) + 1,
    )


def _forced(table: _Table, part: str) -> Forced:
    """Return the proof that pairs with this cost cannot all be avoided."""
    allowed = [each for each in _everybody(table) if not getattr(table.cost(*each), part)]
    allowed += [(place, table.bye) for place in table.bye_groups]
    found: Barrier = barrier(table.size, allowed)
    ids = [*(player.id for player in table.players), 0]
    return Forced(
        few=tuple(ids[vertex] for vertex in found.few),
        groups=tuple(tuple(ids[vertex] for vertex in group) for group in found.groups),
        pairs=found.short // 2,
    )
