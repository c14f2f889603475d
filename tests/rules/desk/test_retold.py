"""Tournaments played elsewhere, recorded again at a desk of ours."""

import msgspec
import pytest

from rules.checking import check
from rules.desk import retold
from rules.desk.acts import RoundPaired
from rules.desk.retold import PublishedRow, Retold, Weighed
from rules.desk.standings import standings
from rules.replay import Timeline, entry_after
from tests.rules.desk.table import NOTE, RULESET, desk_of, opened, played_out

PUBLISHED = {
    "title": "Five on a Sunday",
    "rules": {"own_gwp_floor": "1/3"},
    "rounds": [
        [["A", "B", 2, 1, 0], ["C", "D", 1, 1, 0], ["E", None, 2, 0, 0]],
        [["A", "E", 2, 0, 0], ["C", "F", 3, 0, 0], ["B", None, 0, 2, 0]],
        [["A", "C", 0, 0, 3], ["B", "E", 2, 0, 0], ["F", None, 2, 0, 0]],
    ],
    "expected_standings": [],
}
"""D is gone after the first round and F comes for the second; B is late for the second.

Points: A 7, C 5, B 3, E 3, F 3, D 1. A played 7 games and won 4, lost 1, drew 3 in the last
round: 15 of 24. Those A met have 3 of 9 (B), 3 of 9 (E) and 5 of 9 (C): 11/27. Those C met have
1 of 3 (D), 3 of 6 (F) and 7 of 9 (A): 29/54.
"""

ROWS = (
    PublishedRow(1, "A", 7, omw=0.4074074, gw=0.625),
    PublishedRow(2, "C", 5, omw=0.537037),
    PublishedRow(3, "B", 3, omw=0.5555556),
    PublishedRow(4, "F", 3, omw=0.5555556, gw=0.4),
    PublishedRow(5, "E", 3, omw=0.5555556, gw=0.3333333),
    PublishedRow(6, "D", 1, omw=0.5555556),
)


def at_a_desk(told: Retold) -> tuple[Timeline, list[Weighed]]:
    """Record a tournament as it was told, and weigh its rounds."""
    timeline = Timeline(RULESET)
    timeline.add(*entry_after(RULESET, timeline, opened()))
    weighed = []
    for step in retold.acts(told):
        act = msgspec.structs.replace(step.act, note=NOTE) if step.reason else step.act
        before = desk_of(timeline)
        timeline.add(*entry_after(RULESET, timeline, act, irregular=True))
        if isinstance(act, RoundPaired):
            weighed.append(retold.weigh(before, desk_of(timeline)))
    return timeline, weighed


def told_here() -> Retold:
    return retold.read_published(msgspec.json.encode(PUBLISHED))[0]


def test_a_published_tournament_stands_at_the_desk_as_it_was_played() -> None:
    timeline, weighed = at_a_desk(told_here())
    desk = desk_of(timeline)

    assert retold.differences(desk, told_here(), ROWS) == []
    assert check(RULESET, timeline.entries) is None
    assert desk.closed
    assert [person.status for person in desk.people] == ["in", "in", "in", "dropped", "in", "in"]
    assert [each.published.squares for each in weighed] == [0, 1, 13]
    assert all(each.ours <= each.published for each in weighed)


def test_a_result_beyond_the_games_of_a_match_stands_marked() -> None:
    timeline, _ = at_a_desk(told_here())

    assert "too-many-games" in {entry.irregular for entry in timeline.entries}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (PublishedRow(2, "A", 7), "A: place 1, published 2"),
        (PublishedRow(1, "A", 8), "A: points 7, published 8"),
        (PublishedRow(1, "A", 7, omw=0.407408), "A: 0.407407, published 0.407408"),
    ],
)
def test_deviations_from_the_published_pairings_are_reported(row: PublishedRow, said: str) -> None:
    timeline, _ = at_a_desk(told_here())
    rows = (row, *ROWS[1:])

    assert said in retold.differences(desk_of(timeline), told_here(), rows)


def test_a_player_who_is_not_listed_is_refused() -> None:
    told = told_here()

    with pytest.raises(KeyError, match="A"):
        list(retold.acts(msgspec.structs.replace(told, players=told.players[1:])))


@pytest.mark.parametrize("seed", range(3))
def test_a_stage_told_elsewhere_and_here_again_stands_the_same(seed: int) -> None:
    fields = {"format": "swiss", "rounds": 4, "best_of": 3, "tiebreaks": ["omw", "gw"]}
    desk = desk_of(played_out(9, fields, f"retold {seed}"))

    again, _ = at_a_desk(retold.as_published(desk, 0))

    there = [(row.player, row.points, row.breaks["omw"].number) for row in standings(desk, 0)]
    here = [
        (row.player, row.points, row.breaks["omw"].number) for row in standings(desk_of(again), 0)
    ]
    assert here == there
