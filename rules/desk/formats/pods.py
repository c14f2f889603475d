"""Pods: tables of three to six, in which as few as can be meet again.

Costs are compared in this order (`Cost`): fewest repeated pairs, least sum of squared
differences of points (over every pair at a table), then seat fairness, then the seed.

To find the best tables is hard for any computer, so it is exact up to `EXACT` players. Beyond,
tables are made down the order of points and every few neighbouring ones are then remade exactly
until nothing gets better; `Drawn.bound` says how far below no pairing can be.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

import msgspec

from rules.desk.formats import chance

EXACT = 16
REMADE = 12  # players at the neighbouring tables that are remade as a whole
LEAN = 60  # seats are compared as their share of the table, in parts that 3 to 6 divide


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody to be seated.

    `met`: whom they met before, once for each meeting; `byes`: how many they had; `seats`: how
    often they had seat 1, 2 … (this season, if fairness is to count over it); `lean`: how far
    to the back they sat so far, the sum of `lean_of` each seat they had.
    """

    id: int
    points: int = 0
    met: tuple[int, ...] = ()
    byes: int = 0
    seats: tuple[int, ...] = ()
    lean: int = 0


class Cost(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """What a table or a round costs; the first difference decides.

    `seats` counts, for each player, how often they had their seat before; `leans` is the sum
    of squares of how far each sits to one side over all their tables.
    """

    repeats: int = 0
    squares: int = 0
    seats: int = 0
    leans: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        mine, theirs = msgspec.structs.astuple(self), msgspec.structs.astuple(other)
        return Cost(*(a + b for a, b in zip(mine, theirs, strict=True)))


class Pod(msgspec.Struct, frozen=True):
    """A table in the order of its seats, with the pairs at it who met before."""

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
    """Return how far a seat is from the middle of its table: below zero for the first ones."""
    return (2 * seat - 1 - size) * (LEAN // size)


def sizes_for(count: int, sizes: Sequence[int] = (4, 3)) -> tuple[int, ...]:
    """Return the sizes of tables for so many players, largest first.

    `sizes` are those allowed, the preferred first: as many sit at tables as can, at as few
    tables of the later sizes as can be. The sum falls short of `count` by the byes needed.
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
    """Return tables made by hand with what they cost, seats as given."""
    found = []
    for players in pods:
        room = _Room(players, dict.fromkeys((player.id for player in players), 0))
        found.append(room.pod(tuple(range(len(players)))))
    return tuple(found)


Places = tuple[int, ...]
HIGH = 64  # a cost of two parts is one number, the first part shifted so far


class _Room:
    """Players by their places in the order of points, and what tables of them cost."""

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

    def meeting(self, places: Places) -> int:
        """Return how many pairs repeat, and the sum of squared differences, as one number."""
        return sum(self.pairs[one][two] for one, two in combinations(places, 2))

    def sitting(self, place: int, number: int, size: int) -> int:
        """Return what it costs that somebody has a seat, numbered from 0, as one number."""
        player = self.players[place]
        had = player.seats[number] if number < len(player.seats) else 0
        return (had << HIGH) + (player.lean + lean_of(number + 1, size)) ** 2

    def fairest(self, places: Places) -> tuple[int, Places]:
        """Return the fairest order to sit in, and its cost with the seed in its lowest bits."""
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
        by_seed = sorted(places, key=lambda place: self.chances[place])
        if self.fresh:
            return sum(self.sitting(p, i, size) for i, p in enumerate(by_seed)), tuple(by_seed)
        best: dict[frozenset[int], tuple[int, Places]] = {frozenset(): (0, ())}
        for number in range(size):
            costs = {place: self.sitting(place, number, size) for place in by_seed}
            longer: dict[frozenset[int], tuple[int, Places]] = {}
            for seated, (cost, order) in best.items():
                for place in by_seed:
                    if place not in seated:
                        option = cost + costs[place], (*order, place)
                        now = seated | {place}
                        if now not in longer or option[0] < longer[now][0]:
                            longer[now] = option
            best = longer
        return best[frozenset(places)]

    def cost(self, places: Places) -> Cost:
        """Return what a table costs with its players in this order."""
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

    # -- beyond the exact ---------------------------------------------------------------

    def _neighbours(self, tables: tuple[int, ...]) -> list[Places]:
        """Start down the order of points; remake neighbouring tables until nothing gets better."""
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
        """Remake as many tables from here on as may be; tell whether that was any better.

        `settled` are those that were remade before, to no avail.
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
        """Return what no seating can cost less than.

        Everybody sits with as many others as the smallest table has: at best with those they
        never met, and at best with those nearest in points. Each pair is counted from both
        its sides.
        """
        others = min(tables) - 1
        repeats = squares = 0
        for place, met in enumerate(self.met):
            repeats += max(0, others - (len(self.players) - 1 - len(met)))
            near = sorted(apart for two, apart in enumerate(self.apart[place]) if two != place)
            squares += sum(near[:others])
        return Cost(repeats=-(-repeats // 2), squares=-(-squares // 2))


def _rank(pod: Places) -> tuple[int, int]:
    """Order tables by where their players stand, whatever their sizes."""
    return sum(pod) * LEAN // len(pod), pod[0]


def _divided(room: _Room, places: Places, tables: tuple[int, ...]) -> list[Places]:
    """Return the best way to divide so many players among tables of these sizes."""
    return _Division(room).fairest(places, tuple(sorted(tables)))[1]


class _Division:
    """Ways to divide players among tables.

    The first player left sits with each possible company in turn; what is left then is divided
    the best way, which is worked out once for each set of players. Meetings are settled first;
    fairness is looked at only among the ways that are best in these.
    """

    def __init__(self, room: _Room) -> None:
        self.room = room
        self._meeting: dict[Places, int] = {}
        self._least: dict[tuple[Places, Places], int] = {}
        self._fairest: dict[tuple[Places, Places], tuple[int, list[Places]]] = {}

    def meeting(self, table: Places) -> int:
        cost = self._meeting.get(table)
        if cost is None:
            cost = self._meeting[table] = self.room.meeting(table)
        return cost

    def least(self, left: Places, tables: Places) -> int:
        """Return the least that meetings cost."""
        if not left:
            return 0
        key = left, tables
        cost = self._least.get(key)
        if cost is None:
            cost = self._least[key] = min(
                self.meeting(table) + self.least(others, rest)
                for table, others, rest in _companies(left, tables)
            )
        return cost

    def fairest(self, left: Places, tables: Places) -> tuple[int, list[Places]]:
        """Return the fairest of the ways that cost the least, with its cost."""
        if not left:
            return 0, []
        key = left, tables
        if key not in self._fairest:
            least = self.least(left, tables)
            options = []
            for table, others, rest in _companies(left, tables):
                if self.meeting(table) + self.least(others, rest) == least:
                    cost, divided = self.fairest(others, rest)
                    options.append((self.room.fairest(table)[0] + cost, [table, *divided]))
            self._fairest[key] = min(options)
        return self._fairest[key]


def _companies(left: Places, tables: Places) -> Iterator[tuple[Places, Places, Places]]:
    """Yield each table the first player may sit at, who is left then, and the tables left."""
    first, others = left[0], left[1:]
    for i, size in enumerate(tables):
        if size in tables[:i]:
            continue
        rest = tables[:i] + tables[i + 1 :]
        for company in combinations(others, size - 1):
            taken = set(company)
            yield (first, *company), tuple(p for p in others if p not in taken), rest
