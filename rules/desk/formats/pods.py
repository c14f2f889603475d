"""Pods: tables of three to six, with as few rematches as possible.

Costs are compared in this order (`Cost`): fewest repeated pairs, least sum of squared differences
of points (over every pair at a table), then seat fairness, then the seed.

Finding the best tables is computationally hard, so it is exact only up to `EXACT` players. Beyond
that, tables are filled down the order of points, and every few neighbouring ones are then optimised
exactly until nothing improves; `Drawn.bound` is a lower bound for any seating.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

import msgspec

from rules.desk.formats import chance

EXACT = 16
REMADE = 12  # the most players at neighbouring tables that are optimised together
LEAN = 60  # seats are compared as their share of the table, in units divisible by 3 to 6


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player to be seated.

    `met`: whom they met before, once for each meeting; `byes`: how many they had; `seats`: how
    often they had seat 1, 2 … (this season, if fairness is to count over it); `lean`: how far to
    the back they sat so far, the sum of `lean_of` each seat they had.
    """

    id: int
    points: int = 0
    met: tuple[int, ...] = ()
    byes: int = 0
    seats: tuple[int, ...] = ()
    lean: int = 0


class Cost(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """The cost of a table or a round; the first difference decides.

    `seats` counts, for each player, how often they had their seat before; `leans` is the sum of
    squares of how far each player sits to one side over all their tables.
    """

    repeats: int = 0
    squares: int = 0
    seats: int = 0
    leans: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Cost(*(a + b for a, b in zip(mine, theirs, strict=True)))


class Pod(msgspec.Struct, frozen=True):
    """A table in the order of its seats, with the pairs at it that are rematches."""

    players: tuple[int, ...]
    cost: Cost
    repeated: tuple[tuple[int, int], ...] = ()


class Drawn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round, best table first. No seating has fewer repeats or squares than `bound`."""

    pods: tuple[Pod, ...]
    cost: Cost
    bound: Cost
    exact: bool
    byes: tuple[int, ...] = ()


def lean_of(seat: int, size: int) -> int:
    """Return how far a seat is from the middle of its table: negative for the front seats."""
    return (2 * seat - 1 - size) * (LEAN // size)


def sizes_for(count: int, sizes: Sequence[int] = (4, 3)) -> tuple[int, ...]:
    """Return the sizes of tables for this many players, largest first.

    `sizes` are those allowed, in order of preference: as many players as possible are seated, at as
    few tables of the later sizes as possible. The sum falls short of `count` by the byes needed.
    """
    for seated in range(count, 0, -1):
        found = _filled(seated, tuple(sizes))
        if found is not None:
            return tuple(sorted(found, reverse=True))
    return ()


@cache
def _filled(count: int, sizes: tuple[int, ...]) -> tuple[int, ...] | None:
    if count == 0:
        return ()
    if not sizes:
        return None
    first, rest = sizes[0], sizes[1:]
    for tables in range(count // first, -1, -1):
        others = _filled(count - tables * first, rest)
        if others is not None:
            return (first,) * tables + others
    return None


def seat(players: Iterable[Player], seed: int, sizes: Sequence[int] = (4, 3)) -> Drawn:
    """Return who sits with whom, and where; byes go to those who had the fewest, lowest first.

    Raises: ValueError for a player given twice.
    """
    everybody = sorted(players, key=lambda player: player.id)
    chances = chance.numbers(seed, (player.id for player in everybody))
    if len(chances) < len(everybody):
        raise ValueError("a player is given twice")
    tables = sizes_for(len(everybody), sizes)
    resting = sorted(everybody, key=lambda p: (p.byes, p.points, chances[p.id]))
    byes = tuple(player.id for player in resting[: len(everybody) - sum(tables)])
    seated = [player for player in everybody if player.id not in byes]
    seated.sort(key=lambda p: (-p.points, chances[p.id], p.id))
    return _Room(seated, chances).drawn(tables, byes)


def assess(pods: Iterable[Sequence[Player]]) -> tuple[Pod, ...]:
    """Return the cost of tables made by hand, seats as given."""
    found = []
    for players in pods:
        room = _Room(players, dict.fromkeys((player.id for player in players), 0))
        found.append(room.pod(tuple(range(len(players)))))
    return tuple(found)


Places = tuple[int, ...]
HIGH = 64  # a cost of two parts is one number, with the first part shifted by this many bits
SPARE = HIGH  # bits above the cost in fairness of all tables together
NEVER = 1 << 6 * HIGH


class _Room:
    """Players by their positions in the order of points, and the costs of tables of them."""

    def __init__(self, players: Sequence[Player], chances: Mapping[int, int]) -> None:
        self.players = players
        self.chances = [chances[player.id] for player in players]
        places = {player.id: place for place, player in enumerate(players)}
        self.met: list[set[int]] = [set() for _ in players]
        for place, player in enumerate(players):
            for other in player.met:
                if other in places:
                    self.met[place].add(places[other])
                    self.met[places[other]].add(place)
        self.apart = [[(a.points - b.points) ** 2 for b in players] for a in players]
        self.pairs = [
            [(int(two in self.met[one]) << HIGH) + apart for two, apart in enumerate(row)]
            for one, row in enumerate(self.apart)
        ]
        self.fresh = all(not any(p.seats) and not p.lean for p in players)
        self._fairest: dict[Places, tuple[int, Places]] = {}
        self._sitting: dict[tuple[int, int, int], int] = {}

    def meeting(self, places: Places) -> int:
        """Return the count of repeated pairs and the sum of squared differences as one number."""
        return sum(self.pairs[one][two] for one, two in combinations(places, 2))

    def sitting(self, place: int, number: int, size: int) -> int:
        """Return the cost of a player having a seat, numbered from 0, as one number."""
        key = place, number, size
        cost = self._sitting.get(key)
        if cost is None:
            player = self.players[place]
            had = player.seats[number] if number < len(player.seats) else 0
            cost = (had << HIGH) + (player.lean + lean_of(number + 1, size)) ** 2
            self._sitting[key] = cost
        return cost

    def fairest(self, places: Places) -> tuple[int, Places]:
        """Return the cost of the fairest order of seats, the seed in its lowest bits, and it."""
        found = self._fairest.get(places)
        if found is None:
            cost, order = self._fairest_order(places)
            pairs = combinations(places, 2)
            seeded = sum(chance.of_pair(self.chances[a], self.chances[b]) for a, b in pairs)
            found = self._fairest[places] = (cost << HIGH) + seeded, order
        return found

    def _fairest_order(self, places: Places) -> tuple[int, Places]:
        """Seat one after the other; of all ways to seat the same players keep the best."""
        size = len(places)
        by_seed = sorted(places, key=self.chances.__getitem__)
        if self.fresh:
            return _fresh_cost(size), tuple(by_seed)
        best: dict[int, tuple[int, Places]] = {0: (0, ())}
        for number in range(size):
            seats = [(1 << p, self.sitting(p, number, size), p) for p in by_seed]
            longer: dict[int, tuple[int, Places]] = {}
            for seated, (cost, order) in best.items():
                for bit, more, place in seats:
                    if seated & bit:
                        continue
                    before = longer.get(seated | bit)
                    if before is None or cost + more < before[0]:
                        longer[seated | bit] = cost + more, (*order, place)
            best = longer
        return best[_bits(places)]

    def cost(self, places: Places) -> Cost:
        """Return the cost of a table with its players in this order."""
        low = (1 << HIGH) - 1
        meeting = self.meeting(places)
        sitting = sum(self.sitting(p, i, len(places)) for i, p in enumerate(places))
        return Cost(meeting >> HIGH, meeting & low, sitting >> HIGH, sitting & low)

    def drawn(self, tables: tuple[int, ...], byes: tuple[int, ...]) -> Drawn:
        everybody = tuple(range(len(self.players)))
        exact = len(everybody) <= EXACT
        tabled = _divided(self, everybody, tables) if exact else self._neighbours(tables)
        pods = tuple(self.pod(self.fairest(each)[1]) for each in sorted(tabled, key=_rank))
        cost = sum((pod.cost for pod in pods), Cost())
        bound = cost if exact else self._bound(tables)
        return Drawn(pods=pods, cost=cost, bound=bound, exact=exact, byes=byes)

    def pod(self, order: Places) -> Pod:
        repeated = tuple(
            (self.players[one].id, self.players[two].id)
            for one, two in combinations(order, 2)
            if two in self.met[one]
        )
        return Pod(tuple(self.players[place].id for place in order), self.cost(order), repeated)

    # -- beyond the exact limit ------------------------------------------------------

    def _neighbours(self, tables: tuple[int, ...]) -> list[Places]:
        """Start down the order of points; optimise neighbouring tables until nothing improves."""
        pods: list[Places] = []
        start = 0
        for size in tables:
            pods.append(tuple(range(start, start + size)))
            start += size
        settled: set[tuple[Places, ...]] = set()
        better = True
        while better:
            better = False
            pods.sort(key=_rank)
            for i in range(len(pods) - 1):
                better = self._remade(pods, i, settled) or better
        return pods

    def _remade(self, pods: list[Places], first: int, settled: set[tuple[Places, ...]]) -> bool:
        """Optimise as many tables from here on as allowed; tell whether that was an improvement.

        `settled` are those tried before without any.
        """
        last = first + 2
        while last < len(pods) and sum(map(len, pods[first : last + 1])) <= REMADE:
            last += 1
        before = tuple(pods[first:last])
        if before in settled:
            return False
        places = tuple(sorted(place for pod in before for place in pod))
        after = _divided(self, places, tuple(len(pod) for pod in before))
        settled.add(tuple(sorted(after, key=_rank)))
        settled.add(before)
        if self._total(after) >= self._total(before):
            return False
        pods[first:last] = sorted(after, key=_rank)
        return True

    def _total(self, pods: Iterable[Places]) -> tuple[int, int]:
        return sum(map(self.meeting, pods)), sum(self.fairest(pod)[0] for pod in pods)

    def _bound(self, tables: tuple[int, ...]) -> Cost:
        """Return a lower bound for the cost of any seating.

        Everybody sits with at least as many others as the smallest table has: at best with those
        they never met, and at best with those nearest in points. Each pair is counted from both
        sides.
        """
        others = min(tables) - 1
        repeats = squares = 0
        for place, met in enumerate(self.met):
            repeats += max(0, others - (len(self.players) - 1 - len(met)))
            near = sorted(apart for two, apart in enumerate(self.apart[place]) if two != place)
            squares += sum(near[:others])
        return Cost(repeats=-(-repeats // 2), squares=-(-squares // 2))


@cache
def _fresh_cost(size: int) -> int:
    """Return the cost of a table whose players never sat before, in whatever order."""
    return sum(lean_of(seat, size) ** 2 for seat in range(1, size + 1))


def _rank(pod: Places) -> tuple[int, int]:
    """Return a sort key for tables by their players' positions, whatever their sizes."""
    return sum(pod) * LEAN // len(pod), pod[0]


def _divided(room: _Room, places: Places, tables: Places) -> list[Places]:
    """Return the best way to divide players among tables of these sizes.

    Meetings come first; fairness takes longer to compute, so only for the tables that occur in a
    division with the fewest meetings.
    """
    sizes = tuple(sorted(tables))
    seats = [table for size in set(sizes) for table in combinations(places, size)]
    by_bits = {_bits(table): table for table in seats}
    meetings = {bits: room.meeting(table) for bits, table in by_bits.items()}
    least = _Division(meetings, sizes)
    costs = {
        bits: (meetings[bits] << 2 * HIGH + SPARE) + room.fairest(by_bits[bits])[0]
        for bits in least.tables_of_best(_bits(places))
    }
    return [by_bits[bits] for bits in _Division(costs, sizes).best(_bits(places))]


def _bits(places: Places) -> int:
    """Return positions as a bit mask."""
    return sum(1 << place for place in places)


class _Division:
    """The cheapest division of players among tables, given the cost of each table.

    Players are the bits of a number. The first player left is tried at each table in turn, the
    cheapest first; those then left over are divided in the best way, computed once for each set of
    players. A table is skipped if its cost plus the least for the other tables is too high.
    """

    def __init__(self, costs: Mapping[int, int], sizes: Places) -> None:
        self.sizes = sizes
        self.costs = costs
        self._at: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for bits, cost in costs.items():
            self._at[bits & -bits, bits.bit_count()].append((cost, bits))
        for tables in self._at.values():
            tables.sort()
        self._cheapest = {
            size: min((c for bits, c in costs.items() if bits.bit_count() == size), default=0)
            for size in set(sizes)
        }
        self._found: dict[tuple[int, Places], tuple[int, int]] = {}

    def best(self, left: int) -> Iterator[int]:
        """Yield the tables of a cheapest division."""
        sizes = self.sizes
        while left:
            table = self._least(left, sizes)[1]
            yield table
            left ^= table
            sizes = _without(sizes, table.bit_count())

    def tables_of_best(self, everybody: int) -> set[int]:
        """Return the tables that occur in any cheapest division."""
        if all(cost == self._cheapest[bits.bit_count()] for bits, cost in self.costs.items()):
            return set(self.costs)
        found: set[int] = set()
        seen: set[tuple[int, Places]] = set()
        ahead = [(everybody, self.sizes)]
        while ahead and len(found) < len(self.costs):
            left, sizes = ahead.pop()
            least = self._least(left, sizes)[0]
            for cost, table, rest in self._next(left, sizes):
                others = left ^ table
                if cost + self._floor(rest) <= least and cost + self._cost(others, rest) == least:
                    found.add(table)
                    if others and (others, rest) not in seen:
                        seen.add((others, rest))
                        ahead.append((others, rest))
        return found

    def _cost(self, left: int, sizes: Places) -> int:
        if len(sizes) < 2:
            return self.costs.get(left, NEVER) if left else 0
        return self._least(left, sizes)[0]

    def _least(self, left: int, sizes: Places) -> tuple[int, int]:
        """Return the least cost of the players left at tables of these sizes, and a first table."""
        key = left, sizes
        found = self._found.get(key)
        if found is None:
            found = NEVER, 0
            for size in set(sizes):
                rest = _without(sizes, size)
                floor = self._floor(rest)
                for cost, table in self._at[left & -left, size]:
                    if cost + floor >= found[0]:
                        break
                    if table & left == table:
                        found = min(found, (cost + self._cost(left ^ table, rest), table))
            self._found[key] = found
        return found

    def _next(self, left: int, sizes: Places) -> Iterator[tuple[int, int, Places]]:
        for size in set(sizes):
            rest = _without(sizes, size)
            for cost, table in self._at[left & -left, size]:
                if table & left == table:
                    yield cost, table, rest

    def _floor(self, sizes: Places) -> int:
        return sum(self._cheapest[size] for size in sizes)


@cache
def _without(sizes: Places, size: int) -> Places:
    """Return the sizes with one of them removed."""
    at = sizes.index(size)
    return sizes[:at] + sizes[at + 1 :]
