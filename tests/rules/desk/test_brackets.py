"""Brackets of any size, laid out and played to the end."""

from collections import Counter
from collections.abc import Callable

import pytest

from rules.bots import Stream
from rules.desk.formats import double_elimination, single_elimination
from rules.desk.formats.bracket import Bracket, Met, Standing, met, resolve, seed_order

SIZES = [*range(2, 40), 63, 64, 65, 100, 127, 128, 129, 200, 256, 257, 300]
LAYOUTS: dict[str, Callable[[int], Bracket]] = {
    "single": single_elimination.lay_out,
    "single with third place": lambda n: single_elimination.lay_out(n, third_place=True),
    "double": double_elimination.lay_out,
    "double without reset": lambda n: double_elimination.lay_out(n, reset=False),
}
EVERY_LAYOUT = pytest.mark.parametrize("lay_out", LAYOUTS.values(), ids=LAYOUTS)


def played(bracket: Bracket, seed: str, favourite: bool = False) -> tuple[dict[Met, int], Standing]:
    """Play a bracket to its end, wave by wave; the favourite is the better seed."""
    pick = Stream(seed)
    players = list(range(1, bracket.seeds + 1))
    winners: dict[Met, int] = {}
    standing = resolve(bracket, players, winners)
    while standing.ready:
        for name in standing.ready:
            pair = [each for each in standing.players[name] if each is not None]
            assert len(pair) == 2
            winners[met(name, pair)] = min(pair) if favourite else pick.choice(pair)
        standing = resolve(bracket, players, winners)
    return winners, standing


def told(*lines: str) -> dict[Met, int]:
    """Return results said as "W1.1: 4 beat 1"."""
    found = {}
    for name, line in (each.split(": ") for each in lines):
        winner, loser = map(int, line.split(" beat "))
        found[met(name, (winner, loser))] = winner
    return found


def test_seeds_stand_so_that_the_best_meet_last() -> None:
    assert seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


@EVERY_LAYOUT
def test_any_field_is_played_to_the_end_with_every_place_decided(
    lay_out: Callable[[int], Bracket],
) -> None:
    for count in SIZES:
        bracket = lay_out(count)
        winners, standing = played(bracket, f"bracket {count}")

        assert standing.over
        assert sorted(standing.places) == list(range(1, count + 1))
        assert min(standing.places.values()) == 1
        shared = Counter(standing.places.values())
        better = 0
        for place in sorted(shared):
            assert place == better + 1, "places count those before them"
            better += shared[place]
        assert {name for name, _ in winners} | set(standing.idle) == {
            slot.name for slot in bracket.slots
        }


@EVERY_LAYOUT
def test_the_best_seeds_have_the_byes_and_no_bye_meets_a_bye(
    lay_out: Callable[[int], Bracket],
) -> None:
    for count in SIZES:
        bracket = lay_out(count)
        first = {
            source.number
            for slot in bracket.slots
            if slot.wave == 1
            for source in slot.takes
            if source.what == "seed"
        }
        byes = (1 << (count - 1).bit_length()) - count
        assert first == set(range(byes + 1, count + 1))


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 100])
def test_the_number_of_matches_in_a_bracket(count: int) -> None:
    assert len(single_elimination.lay_out(count).slots) == count - 1
    third = len(single_elimination.lay_out(count, third_place=True).slots)
    assert third == count - 1 + (count > 3)
    assert len(double_elimination.lay_out(count, reset=False).slots) == 2 * count - 2
    assert len(double_elimination.lay_out(count).slots) == 2 * count - 1


@pytest.mark.parametrize("lay_out", [single_elimination.lay_out, double_elimination.lay_out])
def test_who_is_alone_has_won(lay_out: Callable[[int], Bracket]) -> None:
    assert resolve(lay_out(1), [7], {}).places == {7: 1}


def test_everybody_out_of_a_double_elimination_lost_twice() -> None:
    for count in SIZES[:40]:
        bracket = double_elimination.lay_out(count)
        winners, standing = played(bracket, f"twice {count}")
        losses: Counter[int] = Counter()
        for (_, pair), winner in winners.items():
            losses.update(pair - {winner})
        champion = next(each for each, place in standing.places.items() if place == 1)

        assert all(losses[each] == 2 for each in standing.places if each != champion)
        assert losses[champion] == (0 if standing.idle else 1)


@pytest.mark.parametrize(("count", "rounds"), [(8, 2), (16, 3), (32, 4), (64, 6), (128, 7)])
def test_losers_meet_again_as_late_as_may_be(count: int, rounds: int) -> None:
    """Nobody meets the same twice in so many rounds of the losers' side."""
    bracket = double_elimination.lay_out(count)
    early = tuple(f"L{number}." for number in range(1, rounds + 1))
    for seed in range(12):
        _, standing = played(bracket, f"late {seed}")
        met = Counter(
            frozenset(standing.players[slot.name])
            for slot in bracket.slots
            if slot.name.startswith(("W", *early))
        )
        assert max(met.values()) == 1


def test_the_better_seed_always_winning_leaves_seeds_in_their_places() -> None:
    _, standing = played(single_elimination.lay_out(8, third_place=True), "", favourite=True)

    assert standing.places == {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 5, 8: 5}


def test_a_reset_is_played_only_after_the_first_loss() -> None:
    bracket = double_elimination.lay_out(2)
    kept = resolve(bracket, [1, 2], told("W1.1: 1 beat 2", "F1.1: 1 beat 2"))
    lost = resolve(bracket, [1, 2], told("W1.1: 1 beat 2", "F1.1: 2 beat 1"))
    twice = told("W1.1: 1 beat 2", "F1.1: 2 beat 1", "F2.1: 2 beat 1")
    won = resolve(bracket, [1, 2], twice)

    assert (kept.ready, kept.idle, kept.places) == ((), ("F2.1",), {1: 1, 2: 2})
    assert (lost.ready, lost.places) == (("F2.1",), {})
    assert won.places == {2: 1, 1: 2}


@pytest.mark.parametrize("final", ["W2.1: 1 beat 2", "W2.1: 2 beat 1"])
def test_a_result_of_other_players_does_not_count(final: str) -> None:
    """A corrected result further down leaves the one above open, whoever won there."""
    bracket = single_elimination.lay_out(4)

    standing = resolve(bracket, [1, 2, 3, 4], told("W1.1: 4 beat 1", "W1.2: 2 beat 3", final))

    assert standing.players["W2.1"] == (4, 2)
    assert standing.ready == ("W2.1",)


def test_a_player_who_is_out_loses_the_remaining_matches() -> None:
    bracket = single_elimination.lay_out(4)

    standing = resolve(bracket, [1, 2, 3, 4], told("W1.1: 4 beat 1"), out=[2, 4])

    assert standing.places == {3: 1, 4: 2, 2: 3, 1: 3}
    assert standing.over
