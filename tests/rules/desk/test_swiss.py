"""Swiss pairings compared with an oracle that tries every pairing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import msgspec
import pytest

from rules.bots import Stream
from rules.desk.formats import swiss
from rules.desk.formats.swiss import Cost, Drawn, Field, Player, assess, pair
from tests.rules.desk.histories import after

BYE = 0


def every_pairing(ids: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield each way to pair everybody, one of an odd number with the bye."""
    if not ids:
        yield []
        return
    first, *rest = [*ids, BYE] if len(ids) % 2 else ids
    for other in rest:
        left = [each for each in rest if each != other]
        for more in every_pairing(left):
            yield [(first, other), *more]


def told_cost(field: Field, pairing: Iterable[tuple[int, int]]) -> tuple[int, ...] | None:
    """Return the cost of a pairing in the stated order; None when the bye may not go there.

    Written apart from the code under test.
    """
    players = {player.id: player for player in field.players}
    fewest = min(player.byes for player in players.values())
    scores = sorted({player.points for player in players.values() if player.byes == fewest})
    breaches = rematches = group = squares = floats = again = 0
    for one, two in pairing:
        if BYE in (one, two):
            player = players[one or two]
            if player.byes > fewest:
                return None
            group += scores.index(player.points)
            floats += player.floated == 1
            continue
        a, b = players[one], players[two]
        met = sum(1 for other in a.met if other == b.id)
        forbidden = (one, two) in field.forbidden or (two, one) in field.forbidden
        breaches += 1 if forbidden or (field.no_rematches and met) else 0
        rematches += 1 if met else 0
        again += met - 1 if met > 1 else 0
        squares += (a.points - b.points) ** 2
        upper, lower = (a, b) if a.points > b.points else (b, a)
        if upper.points != lower.points:
            floats += (upper.floated == 1) + (lower.floated == -1)
    return breaches, rematches, group, squares, floats, again


def least_of_all(field: Field) -> tuple[int, ...]:
    ids = [player.id for player in field.players]
    found = [told_cost(field, pairing) for pairing in every_pairing(ids)]
    return min(cost for cost in found if cost is not None)


def random_field(seed: str, most: int, *, wild: bool = False) -> Field:
    """Return a field as it may stand after some rounds; a wild one has odd rules as well."""
    pick = Stream(seed)
    count = 1 + pick(most)
    ids = [10 + 3 * i for i in range(count)]
    met: dict[int, list[int]] = {each: [] for each in ids}
    density = pick(100)
    for one, two in combinations(ids, 2):
        for _ in range(1 + (pick(6) == 0)):
            if pick(100) < density:
                met[one].append(two)
                met[two].append(one)
    players = tuple(
        Player(
            id=each,
            points=pick(4) * 3 + pick(2),
            met=tuple(met[each]),
            byes=int(pick(3) == 0),
            floated=pick(3) - 1,
            firsts=pick(5) - 2,
        )
        for each in ids
    )
    pairs = list(combinations(ids, 2))
    forbidden = tuple(each for each in pairs if wild and pick(5) == 0)
    return Field(players, forbidden, no_rematches=wild and pick(3) == 0)


def paired_with(drawn: Drawn) -> dict[int, int]:
    met = {one: two for each in drawn.pairs for one, two in (each.players, each.players[::-1])}
    return met if drawn.bye is None else met | {drawn.bye: BYE}


@pytest.mark.parametrize("wild", [False, True], ids=["as played", "wild"])
def test_a_pairing_costs_the_least_of_all_pairings(wild: bool) -> None:
    seen: Counter[str] = Counter()
    for seed in range(260):
        field = random_field(f"oracle {seed} {wild}", 8 if seed % 13 else 10, wild=wild)
        drawn = pair(field, seed)
        least = least_of_all(field)

        assert msgspec.structs.astuple(drawn.cost) == least, field
        assert drawn.least == drawn.cost
        pairs = [each.players for each in drawn.pairs]
        byes = [(drawn.bye, BYE)] if drawn.bye is not None else []
        assert told_cost(field, [*pairs, *byes]) == least
        for name, part in zip(Cost.__struct_fields__, least, strict=True):
            seen[name] += part > 0
        seen["a bye"] += drawn.bye is not None
    print(dict(seen))
    assert all(seen[name] for name in Cost.__struct_fields__ if wild or name != "breaches")


def test_the_same_seed_gives_the_same_pairing_in_whatever_order_the_players_come() -> None:
    for seed in range(40):
        field = random_field(f"order {seed}", 16)
        turned = msgspec.structs.replace(field, players=field.players[::-1])

        assert pair(field, seed) == pair(turned, seed)


def test_another_seed_gives_another_pairing() -> None:
    field = Field(tuple(Player(id=i) for i in range(1, 17)))

    assert len({pair(field, seed).pairs for seed in range(20)}) == 20


def test_a_large_field_costs_no_more_than_when_everybody_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The bound never passes what is not the least, and passes most."""
    looked = Counter[bool]()
    is_least = swiss._is_least

    def counted(table: Any, found: Cost) -> bool:
        passed = is_least(table, found)
        looked[passed] += 1
        return passed

    monkeypatch.setattr(swiss, "_is_least", counted)
    for seed in range(50):
        field = _after_rounds(16 + seed % 30, 1 + seed % 7, f"large {seed}")
        monkeypatch.setattr(swiss, "DENSE", 1000)
        exact = pair(field, seed).cost
        monkeypatch.setattr(swiss, "DENSE", 12)
        monkeypatch.setattr(swiss, "NEIGHBOURS", (3, 8))

        found = pair(field, seed).cost

        assert msgspec.structs.replace(found, again=0) == msgspec.structs.replace(exact, again=0)
    print(f"bound passed {looked[True]} pairings and sent {looked[False]} on")
    assert looked[True] > looked[False] > 0


def _after_rounds(count: int, rounds: int, seed: str) -> Field:
    pick = Stream(seed)
    players = {i: Player(id=i) for i in range(1, count + 1)}
    for number in range(rounds):
        drawn = pair(Field(tuple(players.values())), number)
        players = after(players, drawn, pick)
        if pick(3) == 0:
            del players[pick.choice(list(players))]
    return Field(tuple(players.values()))


def test_whole_tournaments_keep_what_a_swiss_promises() -> None:
    """Nobody twice, no second bye while another is without, no rematch without its proof."""
    rounds, forced, byes = 0, 0, 0
    for seed in range(60):
        pick = Stream(f"tournament {seed}")
        players = {i: Player(id=i) for i in range(1, 3 + pick(30))}
        for number in range(1 + pick(9)):
            field = Field(tuple(players.values()))
            drawn = pair(field, number)
            met = paired_with(drawn)
            rounds += 1

            assert met.keys() - {BYE} == players.keys()
            assert (drawn.bye is not None) == (len(players) % 2 == 1)
            if drawn.bye is not None:
                byes += 1
                assert players[drawn.bye].byes == min(p.byes for p in players.values())
            if drawn.cost.rematches:
                forced += 1
                _assert_proved(field, drawn)
            else:
                assert drawn.forced is None
            players = after(players, drawn, pick)
            if pick(3) == 0 and len(players) > 1:
                del players[pick.choice(list(players))]
            if pick(4) == 0:
                players[100 + number] = Player(id=100 + number)
    print(f"{rounds} rounds, {byes} byes, {forced} with a rematch, each proved")
    assert forced
    assert byes


def _assert_proved(field: Field, drawn: Drawn) -> None:
    """Check a proof from the field alone: no fresh pair joins two of its groups."""
    proof = drawn.forced
    assert proof is not None
    fewest = min(player.byes for player in field.players)
    group_of = {each: i for i, group in enumerate(proof.groups) for each in group}
    assert all(len(group) % 2 for group in proof.groups)
    assert not group_of.keys() & set(proof.few)
    for one, two in combinations(field.players, 2):
        if two.id not in one.met and not {one.id, two.id} & set(proof.few):
            assert group_of.get(one.id) == group_of.get(two.id)
    if drawn.bye is not None and BYE not in proof.few:
        takers = {p.id for p in field.players if p.byes == fewest} - set(proof.few)
        assert all(group_of.get(each) == group_of.get(BYE) for each in takers)
    assert 2 * proof.pairs <= len(proof.groups) - len(proof.few)
    assert proof.pairs == drawn.cost.rematches


def test_everybody_has_met_everybody() -> None:
    players = tuple(Player(id=i, met=tuple({1, 2, 3, 4} - {i})) for i in (1, 2, 3, 4))

    drawn = pair(Field(players), 7)

    assert drawn.cost == Cost(rematches=2)
    assert drawn.forced is not None
    assert drawn.forced.groups == ((1,), (2,), (3,), (4,)) or len(drawn.forced.groups) == 4
    assert drawn.forced.pairs == 2
    assert [each.meeting for each in drawn.pairs] == [2, 2]


def test_no_legal_round_is_said_with_its_proof_and_the_smallest_relaxation() -> None:
    """Three club mates and one guest: two of the three have to meet."""
    players = tuple(Player(id=i) for i in (1, 2, 3, 4))
    drawn = pair(Field(players, forbidden=((1, 2), (2, 3), (1, 3))), 1)

    assert drawn.cost.breaches == 1
    assert drawn.no_round is not None
    assert drawn.no_round.few == (4,)
    assert sorted(drawn.no_round.groups) == [(1,), (2,), (3,)]
    assert drawn.no_round.pairs == 1
    broken = [each.players for each in drawn.pairs if each.cost.breaches]
    assert len(broken) == 1


def test_a_rematch_is_a_breach_where_it_is_never_allowed() -> None:
    players = (Player(id=1, met=(2,)), Player(id=2, met=(1,)))

    assert pair(Field(players), 1).no_round is None
    assert pair(Field(players, no_rematches=True), 1).no_round is not None


@pytest.mark.parametrize(
    ("players", "bye"),
    [
        pytest.param((), None, id="nobody"),
        pytest.param((Player(id=5),), 5, id="alone"),
        pytest.param((Player(id=5, byes=3),), 5, id="alone with byes"),
        pytest.param(
            (Player(id=1, points=3), Player(id=2), Player(id=3, byes=1)), 2, id="lowest eligible"
        ),
        pytest.param(
            (Player(id=1, points=3), Player(id=2, points=1, byes=1), Player(id=3, byes=1)),
            1,
            id="the only one without",
        ),
        pytest.param(
            (Player(id=1, points=6, byes=1), Player(id=2, byes=1), Player(id=3, byes=2)),
            2,
            id="fewest, when all had one",
        ),
    ],
)
def test_the_bye_goes_to_the_lowest_who_had_the_fewest(
    players: tuple[Player, ...], bye: int | None
) -> None:
    assert pair(Field(players), 3).bye == bye


def test_the_first_seat_goes_to_who_had_it_less_often() -> None:
    for often, seldom in ((1, 2), (2, 1)):
        players = (Player(id=often, firsts=1), Player(id=seldom, firsts=-1))

        assert pair(Field(players), 1).pairs[0].players == (seldom, often)


def test_a_pairing_by_hand_shows_what_it_costs_beside_the_least() -> None:
    field = Field(tuple(Player(id=i, points=points) for i, points in enumerate((6, 6, 3, 3), 1)))

    drawn = assess(field, [(1, 4), (3, 2)], None, 1)

    assert [each.players for each in drawn.pairs] == [(1, 4), (3, 2)]
    assert drawn.cost == Cost(squares=18)
    assert drawn.least == Cost()


@pytest.mark.parametrize(
    "players",
    [
        pytest.param((Player(id=1), Player(id=1)), id="twice"),
        pytest.param((Player(id=1), Player(id=2, points=2**60)), id="too far apart"),
    ],
)
def test_a_field_that_means_nothing_is_refused(players: tuple[Player, ...]) -> None:
    with pytest.raises(ValueError, match=r"twice|too far"):
        pair(Field(players), 1)


def test_edges_weigh_as_the_costs_they_stand_for() -> None:
    """The quick way to weigh an edge and the one that explains it are the same."""
    for seed in range(40):
        table = swiss._Table(random_field(f"weight {seed}", 12, wild=seed % 2 == 1), seed)
        for one, two in swiss._everybody(table):
            packed = table.packed(table.cost(one, two))
            assert 0 <= table.weight(one, two) - packed < 1 << table.seed_bits
