"""Round robins compared with the printed Berger tables; everybody meets everybody."""

from collections import Counter

import pytest

from rules.desk.formats.round_robin import rounds

BERGER = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
}


@pytest.mark.parametrize("count", BERGER)
def test_rounds_are_those_of_the_printed_tables(count: int) -> None:
    found = [" ".join(f"{a}-{b}" for a, b in each.pairs) for each in rounds(range(1, count + 1))]

    assert found == BERGER[count]


@pytest.mark.parametrize("count", [*range(2, 21), 31, 32])
def test_everybody_meets_everybody_once_and_rests_once_at_most(count: int) -> None:
    table = rounds(range(1, count + 1))
    met = Counter(frozenset(pair) for each in table for pair in each.pairs)
    firsts = Counter(pair[0] for each in table for pair in each.pairs)

    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {1}
    assert sorted(each.bye for each in table if each.bye) == (
        list(range(1, count + 1)) if count % 2 else []
    )
    for each in table:
        seated = [player for pair in each.pairs for player in pair]
        assert len(seated) == len(set(seated))
    assert max(firsts.values()) - min(firsts[i] for i in range(1, count + 1)) <= 1


def test_a_second_leg_turns_the_seats() -> None:
    table = rounds([7, 8, 9], legs=2)

    assert len(table) == 6
    assert table[3].pairs == tuple((b, a) for a, b in table[0].pairs)


@pytest.mark.parametrize("count", [0, 1])
def test_with_one_player_or_none_there_is_nobody_to_meet(count: int) -> None:
    assert [each.pairs for each in rounds(range(count))] in ([], [()])
