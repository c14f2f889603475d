"""Safe, live or out: the best and the worst place each player can still reach.

The bounds hold as things stand: whoever is in plays on, nobody enters or returns, no results are
annulled, and every match to come is won or drawn. Future pairings may be any at all. An `exact`
bound is reached in some course of events; any other bound cannot be passed in any, so that a call
of safe or out is certain, while a player called live may already be either. Nothing is estimated.

- With every pairing known and few results missing, all of them are tried, tie-breaks included, and
  those that are reported, as that nobody came.
- In a small field with rounds to come, all pairings and results are tried by points; players level
  in points may end up on either side.
- In a large field the bound is a count of the points that are left to win.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import lcm, prod
from typing import Literal

import msgspec

from rules.desk.acts import Entrant
from rules.desk.formats import bracket, multi_round_robin, round_robin
from rules.desk.pairing import planned_rounds
from rules.desk.reporting import score_rows
from rules.desk.standings import bracket_of, groups_of, ladder_of, order_of, pod_rounds, sheet_of
from rules.desk.state import (
    BRACKETS,
    Desk,
    Result,
    Table,
    is_annulled,
    is_in,
    made_by_hand,
    open_round,
    rounds_of,
    sizes_of,
    with_round,
    with_table,
)
from rules.desk.worth import table_points

Call = Literal["safe", "live", "out"]

COURSES = 2500
"""The most courses of events, times players, that are tried with their tie-breaks."""

SMALL, ROUNDS = 8, 2
"""The most players, and the most rounds to come, that are tried by points."""


class Reach(msgspec.Struct, frozen=True):
    """The best and the worst place a player can still reach among those who are in."""

    entrant: Entrant
    best: int
    worst: int
    exact: bool = False

    def call(self, size: int) -> Call:
        """Return what this means for a cut of the given size."""
        if self.worst <= size:
            return "safe"
        return "out" if self.best > size else "live"


def reach(desk: Desk, index: int) -> tuple[Reach, ...]:
    """Return what everybody in a stage can still reach, in their present order."""
    told = {table.players: table.result for _, table in _open(desk, index) if table.result}
    desk, stage = _certain(desk, index), desk.stages[index]
    order = _order_in(desk, index)
    if _left(desk, index) == 0 and not _open(desk, index):
        final = _order_in(_closed(desk), index)
        return tuple(Reach(each, place, place, True) for place, each in enumerate(final, 1))
    if stage.setup.format in BRACKETS:
        return _in_bracket(desk, index, order)
    if stage.setup.format == "pod-elimination":
        return _in_pod_cut(desk, index, order)
    if stage.setup.format == "ladder":
        return _on_ladder(desk, index, order)
    if tried := _every_course(desk, index, told):
        return tuple(Reach(each, *tried[each], True) for each in order)
    groups = groups_of(stage)
    still = [[player for player in group if is_in(desk, player)] for group in groups]
    found = {
        each.entrant: each for group in still if group for each in _by_points(desk, index, group)
    }
    if len(groups) > 1:
        sizes = [(len(one), len(other)) for one, other in zip(groups, still, strict=True)]
        found = {
            player: _among_groups(sizes, number, found[player])
            for number, group in enumerate(still)
            for player in group
        }
    return tuple(found[each] for each in order)


def _order_in(desk: Desk, index: int) -> list[Entrant]:
    """Return the order of a stage without those who have left."""
    return [player for player in order_of(desk, index) if is_in(desk, player)]


def _closed(desk: Desk) -> Desk:
    """Return the desk with its round closed: absence from it counts in tie-breaks only then."""
    number = open_round(desk)
    return with_round(desk, number, closed=True) if number else desk


def _certain(desk: Desk, index: int) -> Desk:
    """Return the desk without results that are reported but not settled: these may change."""
    for number, table in _open(desk, index):
        if table.result is not None:
            desk = with_table(desk, number, table.number, status="open", result=None, claim=None)
    return desk


def _left(desk: Desk, index: int) -> int:
    """Return how many rounds are still to be paired."""
    stage = desk.stages[index]
    if stage.ended or stage.cut or index + 1 < len(desk.stages) or desk.closed:
        return 0
    if stage.setup.format in BRACKETS:
        return len(bracket_of(desk, index)[1].ready)
    return max(planned_rounds(stage) - len(rounds_of(desk, index)), 0)


def _open(desk: Desk, index: int) -> list[tuple[int, Table]]:
    """Return the tables whose result is still open and will count, with their rounds' numbers."""
    stage = desk.stages[index]
    return [
        (number, table)
        for number, each in rounds_of(desk, index)
        if not each.closed
        for table in each.tables
        if table.status != "settled" and not is_annulled(stage, table.players)
    ]


# -- every course of events, tie-breaks included -------------------------------------


def _every_course(
    desk: Desk, index: int, told: Mapping[tuple[Entrant, ...], Result]
) -> dict[Entrant, tuple[int, int]]:
    """Return everybody's best and worst place over all possible results of the open tables.

    `told`: the results that are reported, by players. Empty when there are too many possibilities,
    or pairings are missing too.
    """
    open_tables = _open(desk, index)
    stage = desk.stages[index]
    usual = list(_results(stage.setup.best_of))
    seats = [table.players for _, table in open_tables]
    results = [{*usual, told.get(each, usual[0])} for each in seats]
    two = all(len(each) == 2 for each in seats)
    work = len(stage.players) * prod(map(len, results))
    if _left(desk, index) or not two or work > COURSES:
        return {}
    found: dict[Entrant, tuple[int, int]] = {}
    for course in product(*results):
        after = _closed(desk)
        for (number, table), result in zip(open_tables, course, strict=True):
            after = with_table(after, number, table.number, status="settled", result=result)
        for place, player in enumerate(_order_in(after, index), 1):
            best, worst = found.get(player, (place, place))
            found[player] = min(best, place), max(worst, place)
    return found


def _results(best_of: int) -> Iterator[Result]:
    """Yield every possible result of a best-of-`best_of` match."""
    for one, two in score_rows(best_of, decided=False):
        for drawn in range(best_of - one - two + 1):
            if one + two + drawn:
                yield Result((one, two), drawn)


# -- by points ------------------------------------------------------------------------


class _Course(msgspec.Struct, frozen=True):
    """What is left to win, in the unit of the stage's points times `unit`.

    First the `known` tables that are not yet played; then `free` rounds among the players of
    `field`. A table of two gives `win` and `loss`, or `draw` twice; a larger one shares out
    `places`, or `short` if it has fewer seats than `size`. `granted`: byes were granted ahead, so
    not everybody is at a table. `sits`: at how many of the known tables each player sits; `budget`:
    the least and the most points that all get together.
    """

    known: tuple[tuple[Entrant, ...], ...]
    free: int
    field: tuple[Entrant, ...]
    win: int
    draw: int
    loss: int
    bye: int
    places: tuple[int, ...] = ()
    short: tuple[int, ...] = ()
    size: int = 2
    granted: bool = False
    sits: Mapping[Entrant, int] = {}
    budget: tuple[int, int] = (0, 0)

    @property
    def top(self) -> int:
        """The most points a round can bring."""
        return max(self.win, self.draw, self.loss, self.bye, *self.places, *self.short)

    @property
    def low(self) -> int:
        nothing = (0,) if self.granted else ()
        return min(self.win, self.draw, self.loss, self.bye, *self.places, *self.short, *nothing)

    @property
    def usual(self) -> bool:
        return self.win >= self.bye >= self.loss and self.win >= self.draw >= self.loss

    @property
    def sizes(self) -> tuple[int, ...]:
        """The table sizes that may differ in their total points."""
        return (self.size, self.size - 1) if self.short != self.places else (self.size,)

    def at_table(self, players: int) -> tuple[int, int]:
        """Return the least and the most points that all at one table get together."""
        if self.places:
            total = sum((self.short if players < self.size else self.places)[:players])
            return total, total
        won = self.win + (players - 1) * self.loss
        level = [n * self.draw + (players - n) * self.loss for n in range(2, players + 1)]
        return min(won, *level), max(won, *level)

    def least(self) -> int:
        """Return the least points that all get together; at a table with others these may win."""
        if self.granted:
            return 0
        among = [table for table in self.known if {*table} <= {*self.field}]
        free = len(self.field) // self.size * min(self.at_table(size)[0] for size in self.sizes)
        return sum(self.at_table(len(table))[0] for table in among) + self.free * free

    def most(self) -> int:
        """Return the most points that all get together, with tables as small as they can be."""
        most = max(self.at_table(size)[1] for size in self.sizes)
        free = len(self.field) // 2 * most + self.top
        if self.granted:
            free = len(self.field) * self.top
        return sum(self.at_table(len(table))[1] for table in self.known) + self.free * free

    def gains(self, player: Entrant) -> int:
        """Return the most points a player can still get."""
        return self.matches(player) * self.top

    def matches(self, player: Entrant) -> int:
        return self.sits.get(player, 0) + self.free


def _by_points(desk: Desk, index: int, group: Sequence[Entrant]) -> list[Reach]:
    """Return what everybody in a group can reach, with those level in points on either side."""
    course, points = _course(desk, index, group)
    return [_reach_by_points(course, points, player) for player in group]


def _course(desk: Desk, index: int, group: Sequence[Entrant]) -> tuple[_Course, dict[Entrant, int]]:
    stage = desk.stages[index]
    setup = stage.setup
    sheet = sheet_of(desk, index)
    unit = 2 if setup.halves else 1
    exact = {player: sheet.points(player) * unit for player in group}
    scale = lcm(*(each.denominator for each in exact.values()))
    known, byes, free = _to_come(desk, index, group)
    size = max(sizes_of(stage)) if setup.format in ("pods", "multi-round-robin") else 2
    places, short = (
        tuple(each * scale for each in table_points(stage, seats)) for seats in (size, size - 1)
    )
    course = _Course(
        known=known,
        free=free,
        field=tuple(group),
        win=setup.win * scale,
        draw=setup.draw * scale,
        loss=setup.loss * scale,
        bye=setup.bye * scale,
        places=places + (0,) * (size - len(places)) if places else (),
        short=short + (0,) * (size - len(short)) if short else (),
        size=size,
        granted=_are_granted(desk, group),
        sits=Counter(player for table in known for player in table),
    )
    course = msgspec.structs.replace(course, budget=(course.least(), course.most()))
    points = {player: int(each * scale) for player, each in exact.items()}
    return course, {player: had + byes[player] * course.bye for player, had in points.items()}


def _are_granted(desk: Desk, group: Sequence[Entrant]) -> bool:
    """Tell whether byes were granted in rounds to come."""
    byes = (bye for each in group for bye in desk.people[each - 1].byes)
    return any(bye.round > len(desk.rounds) for bye in byes)


def _to_come(
    desk: Desk, index: int, group: Sequence[Entrant]
) -> tuple[tuple[tuple[Entrant, ...], ...], Counter[Entrant], int]:
    """Return the known tables and byes, and the number of rounds that are not known.

    In a round robin all are known, unless byes were granted in them; who is left alone at a table
    has the bye, who rests has none.
    """
    among = set(group)
    known = [table.players for _, table in _open(desk, index) if among & {*table.players}]
    byes: Counter[Entrant] = Counter()
    left = _left(desk, index)
    is_scheduled = desk.stages[index].setup.format in ("round-robin", "multi-round-robin")
    if not is_scheduled or not left or _are_granted(desk, group):
        return tuple(known), byes, left
    for table in _scheduled(desk, index, among):
        there = tuple(player for player in table if player in among)
        if len(there) > 1:
            known.append(there)
        else:
            byes.update(there)
    return tuple(known), byes, 0


def _scheduled(desk: Desk, index: int, among: set[Entrant]) -> Iterator[tuple[Entrant, ...]]:
    """Yield the tables of a round robin's rounds to come, in the group of these players."""
    stage, played = desk.stages[index], len(rounds_of(desk, index))
    if stage.setup.format == "multi-round-robin":
        for each in multi_round_robin.rounds(stage.players, sizes_of(stage)[0])[played:]:
            yield from each.tables
        return
    members = next(each for each in groups_of(stage) if among & {*each})
    for pairing in round_robin.rounds(members, max(stage.setup.legs, 1))[played:]:
        yield from (pair for pair in pairing.pairs if not is_annulled(stage, pair))


def _reach_by_points(course: _Course, points: Mapping[Entrant, int], player: Entrant) -> Reach:
    """Return the bounds of a player's places.

    At worst they get the least from every round while as many others as possible come level or
    pass; at best they get the most while as few as possible stay ahead.
    """
    had = points[player]
    others = {each: points[each] for each in points if each != player}
    if (found := _tried(course, others, player, had)) is not None:
        return Reach(player, 1 + found[0], 1 + found[1])
    low = had + course.matches(player) * course.low
    high = had + course.gains(player)
    needs = {each: low - points[each] for each in others}
    rooms = {each: high - points[each] for each in others}
    fewest = _at_least(course, rooms, course.gains(player))
    return Reach(player, 1 + fewest, 1 + _at_most(course, needs))


def _at_most(course: _Course, needs: Mapping[Entrant, int]) -> int:
    """Return an upper bound on how many can get what they need from the same pool of points."""
    budget = course.budget[1]
    can = sorted(max(need, 0) for each, need in needs.items() if need <= course.gains(each))
    found = 0
    for need in can:
        budget -= need
        found += budget >= 0
    return found


def _at_least(course: _Course, rooms: Mapping[Entrant, int], mine: int) -> int:
    """Return a lower bound on how many pass; `rooms` is what each may get without passing.

    All points have to go somewhere: `mine` to the player in question, those who have passed take
    all they can, the others what they have room for; what is left then pushes more of them past.
    """
    spilled = course.budget[0] - mine
    past = 0
    spare: list[int] = []
    for each, room in rooms.items():
        most = course.gains(each)
        past += room < 0
        taken = most if room < 0 else min(room, most)
        spilled -= taken
        spare.append(most - taken)
    for more in sorted(spare, reverse=True):
        if spilled <= 0:
            break
        spilled -= more
        past += 1
    return past


# -- all pairings and results of a small field ------------------------------------------


def _tried(
    course: _Course, others: Mapping[Entrant, int], player: Entrant, had: int
) -> tuple[int, int] | None:
    """Return the fewest who stay ahead and the most who come level, None if too many to try."""
    small = len(others) < SMALL and course.free <= ROUNDS and len(course.known) <= SMALL
    if not small or course.size > 2 or course.granted or not course.usual:
        return None
    mine = course.matches(player)
    low, high = had + mine * course.loss, had + mine * course.win
    prizes = course.win, course.draw, course.loss, course.bye
    odd = len(course.field) % 2 == 1
    counted: list[int] = []
    for wins, line in ((True, high), (False, low)):
        best = min if wins else max
        options = []
        for gains in _known_gains(course, player, wins=wins):
            left = tuple(sorted(line - theirs - gains[each] for each, theirs in others.items()))
            options.append(_count(left, course.free, prizes, odd, wins))
        counted.append(best(options))
    return counted[0], counted[1]


def _known_gains(course: _Course, player: Entrant, *, wins: bool) -> Iterator[Counter[Entrant]]:
    """Yield the possible gains at the known tables, the player winning or losing all of theirs."""
    ways = []
    for one, two in course.known:
        ends = [(course.win, course.loss), (course.draw, course.draw), (course.loss, course.win)]
        if player in (one, two):
            ends = [ends[0 if (player == one) == wins else 2]]
        ways.append([((one, a), (two, b)) for a, b in ends])
    for chosen in product(*ways):
        gains: Counter[Entrant] = Counter()
        for each, points in (end for table in chosen for end in table):
            gains[each] += points
        yield gains


@lru_cache(maxsize=50_000)
def _count(
    left: tuple[int, ...], rounds: int, prizes: tuple[int, int, int, int], odd: bool, wins: bool
) -> int:
    """Return the fewest others who pass a line, or the most who reach it.

    `left` is how far each is below it. In each round the player in question wins, or loses, and the
    others share what is left in every possible way.
    """
    if not rounds:
        return sum(each < 0 for each in left) if wins else sum(each <= 0 for each in left)
    after = {
        tuple(sorted(each - prizes[prize] for each, prize in zip(left, shared, strict=True)))
        for shared in _shares(len(left), odd, wins)
    }
    found = (_count(each, rounds - 1, prizes, odd, wins) for each in after)
    return min(found) if wins else max(found)


WIN, DRAW, LOSS, BYE = range(4)


@lru_cache(maxsize=64)
def _shares(others: int, odd: bool, wins: bool) -> tuple[tuple[int, ...], ...]:
    """Return every possible round for the others, one of whom meets the player in question.

    With an odd number, one of them or the player in question has the bye.
    """
    met = -1 if wins else 1
    return tuple(
        shared
        for shared in product((WIN, DRAW, LOSS, BYE), repeat=others)
        if shared.count(DRAW) % 2 == 0
        and (shared.count(BYE), shared.count(WIN) - shared.count(LOSS))
        in ((int(odd), met), (0, 0 if odd else met))
    )


# -- where places are not by points -----------------------------------------------------


def _in_bracket(desk: Desk, index: int, order: Sequence[Entrant]) -> tuple[Reach, ...]:
    """Return the places after winning all remaining matches, and after losing them all.

    Those who left keep their places in the bracket, but none among the others.
    """
    laid_out, standing = bracket_of(desk, index)
    ends = {each: bracket.reach(laid_out, standing, each) for each in desk.stages[index].players}
    gone = [end for each, end in ends.items() if each not in order]
    is_certain = all(best == worst for best, worst in gone)
    found = []
    for player in order:
        best, worst = ends[player]
        shared = max(sum(slot.places[1] == worst for slot in laid_out.slots), 1)
        ahead = sum(theirs < best for theirs, _ in gone)
        out = sum(theirs <= worst for _, theirs in gone)
        last = worst + shared - 1 - out
        found.append(Reach(player, best - ahead, last, is_certain and shared == 1))
    return tuple(found)


def _in_pod_cut(desk: Desk, index: int, order: Sequence[Entrant]) -> tuple[Reach, ...]:
    """Return the places of a pod cut: those still in may come anywhere among themselves."""
    rounds = pod_rounds(desk, index)
    if _open(desk, index):
        rounds = rounds[: len(rounds_of(desk, index))]
    still = {*rounds[-1].straight, *(player for pod in rounds[-1].pods for player in pod)}
    inside = [player for player in order if player in still]
    return tuple(
        Reach(player, 1, len(inside))
        if player in still
        else Reach(player, len(inside) + 1, len(order))
        for player in order
    )


def _on_ladder(desk: Desk, index: int, order: Sequence[Entrant]) -> tuple[Reach, ...]:
    """Return the places on a ladder: a round of neighbours moves nobody by more than one.

    A table under way may be made by hand, between any two: its winner may climb to the place of the
    other, past all between them. Once a round was made by hand, so may be those to come.
    """
    left = _left(desk, index)
    if left and any(made_by_hand(each) for _, each in rounds_of(desk, index)):
        left = len(order)
    rungs = ladder_of(desk, index)
    at = {player: rung for rung, player in enumerate(rungs)}
    above = {player: sum(at[each] < at[player] for each in order) for player in rungs}
    pairs = [sorted(map(at.__getitem__, table.players)) for _, table in _open(desk, index)]
    found = []
    for place, player in enumerate(order, 1):
        aims = [above[rungs[high]] + 1 for high, low in pairs if low == at[player]]
        passed = sum(high <= at[player] < low for high, low in pairs)
        best = max(min((place, *aims)) - left, 1)
        found.append(Reach(player, best, min(place + passed + left, len(order))))
    return tuple(found)


def _among_groups(sizes: Sequence[tuple[int, int]], number: int, mine: Reach) -> Reach:
    """Convert a place within a group to one among all: first all winners, then all seconds …

    `sizes`: for each group, how many it has and how many of them are in. Players who left keep
    their places; the order among those with the same place in their groups is not yet known.
    """
    others = [*sizes[:number], *sizes[number + 1 :]]
    gone = sizes[number][0] - sizes[number][1]
    ahead = sum(max(min(size, mine.best - 1) - (size - left), 0) for size, left in others)
    level = sum(min(left, mine.worst + gone) for _, left in others)
    return Reach(mine.entrant, mine.best + ahead, mine.worst + level)
