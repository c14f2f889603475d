"""Pods compared with an oracle that tries every seating."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import msgspec
import pytest

from rules.bots import Stream
from rules.desk.formats.pods import Cost, Player, assess, lean_of, seat, sizes_for


def every_division(ids: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    if not ids:
        yield []
        return
    first, *others = ids
    for size in set(sizes):
        rest = list(sizes)
        rest.remove(size)
        for company in combinations(others, size - 1):
            left = [each for each in others if each not in company]
            for more in every_division(left, rest):
                yield [(first, *company), *more]


def least_of_all(players: Sequence[Player], sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the least cost of any seating, worked out apart from the code under test."""
    by_id = {player.id: player for player in players}

    def sitting(order: Sequence[int]) -> tuple[int, int]:
        had = leans = 0
        for number, each in enumerate(order, 1):
            seats = by_id[each].seats
            had += seats[number - 1] if number <= len(seats) else 0
            leans += (by_id[each].lean + lean_of(number, len(order))) ** 2
        return had, leans

    best: dict[tuple[int, ...], tuple[int, ...]] = {}

    def cost(table: tuple[int, ...]) -> tuple[int, ...]:
        if table not in best:
            pairs = [(by_id[a], by_id[b]) for a, b in combinations(table, 2)]
            fairest = min(map(sitting, permutations(table)))
            best[table] = (
                sum(b.id in a.met for a, b in pairs),
                sum((a.points - b.points) ** 2 for a, b in pairs),
                *fairest,
            )
        return best[table]

    return min(
        tuple(sum(column) for column in zip(*map(cost, division), strict=True))
        for division in every_division(sorted(by_id), sizes)
    )


def random_players(seed: str, count: int) -> list[Player]:
    pick = Stream(seed)
    ids = [5 + 2 * i for i in range(count)]
    met: dict[int, list[int]] = {each: [] for each in ids}
    density = pick(80)
    for one, two in combinations(ids, 2):
        if pick(100) < density:
            met[one].append(two)
            met[two].append(one)
    return [
        Player(
            id=each,
            points=pick(5),
            met=tuple(met[each]),
            byes=pick(2),
            seats=tuple(pick(3) for _ in range(4)),
            lean=pick(5) * 15 - 30,
        )
        for each in ids
    ]


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(6, (3,)), (7, (4, 3)), (8, (4, 3)), (9, (3,)), (9, (5, 4)), (10, (4, 3)), (11, (6, 5))],
)
def test_a_seating_costs_the_least_of_all(count: int, sizes: tuple[int, ...]) -> None:
    repeated = 0
    for seed in range(2 if max(sizes) > 5 else 5):
        players = random_players(f"pods {seed} {count}", count)
        drawn = seat(players, seed, sizes)
        least = least_of_all(players, [len(pod.players) for pod in drawn.pods])

        assert drawn.exact
        assert msgspec.structs.astuple(drawn.cost) == least
        assert drawn.bound == drawn.cost
        repeated += drawn.cost.repeats
    print(f"{count} players at {sizes}: {repeated} repeated pairs could not be avoided")


def test_twelve_players_cost_the_least_of_all() -> None:
    for seed in range(2):
        players = random_players(f"twelve {seed}", 12)

        drawn = seat(players, seed)

        assert msgspec.structs.astuple(drawn.cost) == least_of_all(players, (4, 4, 4))


def test_of_many_players_no_three_neighbouring_tables_can_be_better() -> None:
    for seed in range(1, 4):
        players = random_players(f"many {seed}", 20)
        by_id = {player.id: player for player in players}

        drawn = seat(players, seed)

        assert not drawn.exact
        for first in range(3):
            near = drawn.pods[first : first + 3]
            again = seat([by_id[each] for pod in near for each in pod.players], seed)
            assert sum((pod.cost for pod in near), Cost()) <= again.cost


@pytest.mark.parametrize(
    ("count", "size", "repeats"),
    [(8, 4, 4), (12, 4, 3), (12, 6, 12), (16, 4, 0), (9, 3, 0), (6, 3, 2)],
)
def test_as_few_meet_again_in_a_second_round_as_can_be(count: int, size: int, repeats: int) -> None:
    """The pigeonhole numbers: t tables of k, and k > t, repeat some pair."""
    first = seat([Player(id=i) for i in range(1, count + 1)], 1, (size,))
    company = {each: pod.players for pod in first.pods for each in pod.players}
    again = [Player(id=each, met=tuple(o for o in company[each] if o != each)) for each in company]

    assert seat(again, 2, (size,)).cost.repeats == repeats


def test_whole_evenings_keep_what_pods_promise() -> None:
    """Everybody sits once, nobody rests twice before all rested, seats stay even."""
    spreads: Counter[int] = Counter()
    for seed in range(4):
        pick = Stream(f"evening {seed}")
        players = {i: Player(id=i) for i in range(1, 9 + pick(12))}
        for number in range(4):
            drawn = seat(players.values(), number)
            seated = [each for pod in drawn.pods for each in pod.players]

            assert sorted([*seated, *drawn.byes]) == sorted(players)
            assert drawn.cost >= drawn.bound
            assert all(len(pod.players) in (3, 4) for pod in drawn.pods)
            for pod in drawn.pods:
                for i, each in enumerate(pod.players):
                    before = players[each]
                    seats = list(before.seats) + [0] * (4 - len(before.seats))
                    seats[i] += 1
                    players[each] = msgspec.structs.replace(
                        before,
                        points=before.points + pick(4),
                        met=(*before.met, *(o for o in pod.players if o != each)),
                        seats=tuple(seats),
                        lean=before.lean + lean_of(i + 1, len(pod.players)),
                    )
        spreads.update(max(p.seats) - min(p.seats) for p in players.values())
    print(f"after four rounds, how much oftener one seat than another: {dict(spreads)}")
    assert max(spreads) <= 2


def test_the_same_seed_gives_the_same_seating_in_whatever_order_the_players_come() -> None:
    for count in (11, 20):
        players = random_players("order", count)

        assert seat(players, 4) == seat(players[::-1], 4)


def test_another_seed_gives_another_seating() -> None:
    players = [Player(id=i) for i in range(1, 13)]

    assert len({seat(players, seed).pods for seed in range(10)}) == 10


@pytest.mark.parametrize(
    ("count", "sizes", "tables"),
    [
        (0, (4, 3), ()),
        (2, (4, 3), ()),
        (5, (4, 3), (4,)),
        (5, (4, 3, 5), (5,)),
        (6, (4, 3), (3, 3)),
        (7, (4, 3), (4, 3)),
        (9, (4, 3), (3, 3, 3)),
        (10, (4, 3, 5), (4, 3, 3)),
        (10, (5, 4, 3), (5, 5)),
        (13, (4,), (4, 4, 4)),
        (17, (4, 3), (4, 4, 3, 3, 3)),
        (16, (6, 5), (6, 5, 5)),
    ],
)
def test_sizes_of_tables(count: int, sizes: tuple[int, ...], tables: tuple[int, ...]) -> None:
    assert sizes_for(count, sizes) == tables


def test_fours_and_threes_seat_everybody_but_one_two_and_five() -> None:
    assert [n for n in range(1, 200) if sum(sizes_for(n)) != n] == [1, 2, 5]


def test_byes_go_to_those_who_had_the_fewest_lowest_first() -> None:
    players = [Player(id=i, points=i, byes=int(i == 1)) for i in range(1, 6)]

    assert seat(players, 1).byes == (2,)


def test_a_table_by_hand_says_what_it_costs() -> None:
    pod = assess([[Player(id=1, points=2, met=(2,)), Player(id=2, met=(1,)), Player(id=3)]])[0]

    assert pod.players == (1, 2, 3)
    assert pod.repeated == ((1, 2),)
    assert (pod.cost.repeats, pod.cost.squares) == (1, 8)
    with pytest.raises(ValueError, match="twice"):
        seat([Player(id=1), Player(id=1)], 1)
