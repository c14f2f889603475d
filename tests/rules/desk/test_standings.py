"""Standings: cuts, knock-outs, groups, and players who rest or left."""

import json
from collections.abc import Callable
from fractions import Fraction

import pytest

from rules.desk import standings as ranking
from rules.desk.pairing import pod_players
from rules.desk.stages import may_pair
from rules.desk.standings import (
    final_places,
    groups_of,
    order_after,
    order_of,
    places_below,
    places_of,
    sheet_of,
    standings,
    still_playing,
)
from rules.desk.tiebreaks import TIEBREAKS
from rules.desk.worth import win_of
from rules.replay import Timeline
from tests.rules.desk.table import (
    KNOCKOUT,
    PAIR_KNOCKOUT,
    SWISS,
    desk_of,
    more,
    played,
    verdict,
)


def test_the_best_of_a_swiss_play_on_in_the_order_of_the_cut() -> None:
    desk = played("enter 8", SWISS, "play 1", "play 2", "play 3")

    assert verdict(desk, "cut-made 1") == "impossible no-such-cut"
    more(desk, "cut-made 4", "stage-started single-elimination")

    cut = order_of(desk_of(desk), 0)[:4]
    assert desk_of(desk).stages[1].players == cut
    more(desk, "play 1", "play 2", "tournament-closed")
    assert desk_of(desk).order[0] == 1
    assert sorted(desk_of(desk).order) == list(range(1, 9))


def test_after_a_cut_only_those_who_made_it_still_play() -> None:
    assert still_playing(desk_of(played("enter 4", f"{SWISS} rounds=1", "play 1"))) == {1, 2, 3, 4}
    timeline = played("enter 4", f"{SWISS} rounds=1", "play 1", "cut-made 2")
    assert still_playing(desk_of(timeline)) == {*desk_of(timeline).stages[0].cut}


def test_nobody_is_ranked_for_a_round_whose_results_come_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = desk_of(played("enter 4", SWISS, "play 1", "round-paired swiss 2", "round-published 2"))
    assert order_after(desk, 1) == desk.rounds[0].order
    late = desk_of(played("enter 4", SWISS, "play 1", "entered"))
    assert order_after(late, 1) == late.rounds[0].order

    monkeypatch.setattr(ranking, "order_of", None)
    assert order_after(desk, 2) == ()


def test_players_knocked_out_in_the_same_round_share_a_place() -> None:
    timeline = played("enter 6", "stage-started swiss rounds=1", "play 1", "cut-made 4")
    more(timeline, KNOCKOUT, "play 1")
    assert list(places_of(desk_of(timeline), 1).values()) == [1, 2, 3, 3]
    more(timeline, "play 1", "tournament-closed")
    places = final_places(desk_of(timeline))
    assert tuple(places) == desk_of(timeline).order
    assert list(places.values()) == [1, 2, 3, 3, 5, 6]

    third = played("enter 4", f"{KNOCKOUT} third-place=true", "play 1", "play 1")
    assert list(places_of(desk_of(third), 0).values()) == [1, 2, 3, 4]
    pods = played("enter 10", "stage-started pod-elimination", "play 1")
    assert list(places_of(desk_of(pods), 0).values()) == [1, 2, 3, 4, 5, 5, 7, 7, 9, 9]


@pytest.mark.parametrize(
    ("entrants", "stage", "rounds", "places"),
    [
        (4, KNOCKOUT, 1, [1, 1, 3, 3]),
        (4, f"{KNOCKOUT} third-place=true", 1, [1, 1, 3, 3]),
        (4, "stage-started double-elimination", 2, [1, 1, 1, 4]),
        (10, "stage-started pod-elimination", 1, [1, 1, 1, 1, 5, 5, 7, 7, 9, 9]),
    ],
)
def test_nobody_won_a_final_that_was_not_played(
    entrants: int, stage: str, rounds: int, places: list[int]
) -> None:
    timeline = played(f"enter {entrants}", stage, *["play 1"] * rounds, "stage-ended NOTE")
    assert list(places_of(desk_of(timeline), 0).values()) == places
    more(timeline, "tournament-closed")
    assert list(final_places(desk_of(timeline)).values()) == places
    shared = timeline.ruleset.headline(timeline.head.state)
    assert shared.endswith(f"Entrant {places.count(1)} share the first place")


def test_who_plays_for_the_third_place_is_behind_the_final() -> None:
    timeline = played("enter 4", f"{KNOCKOUT} third-place=true", "play 1", f"{PAIR_KNOCKOUT} 1")
    more(timeline, "round-published 2", "result-reported 2 1 scores=[1,0]")

    assert places_of(desk_of(timeline), 0) == {1: 1, 2: 2, 3: 3, 4: 4}


@pytest.mark.parametrize(
    ("entrants", "stage", "each"),
    [(5, "round-robin", 4), (5, "round-robin groups=2", 0), (7, "multi-round-robin sizes=[4]", 4)],
)
def test_a_rest_in_a_round_robin_gives_neither_a_point_nor_a_win(
    entrants: int, stage: str, each: int
) -> None:
    timeline = played(f"enter {entrants}", f"stage-started {stage}")
    while may_pair(desk_of(timeline)):
        more(timeline, "play 1")
        sheet = sheet_of(desk_of(timeline), 0)
        tables = [table for one in desk_of(timeline).rounds for table in one.tables]
        for player, parts in sheet.parts.items():
            assert len(parts) == sum(player in table.players for table in tables)
            assert {part.kind for part in parts} <= {"played"}
    assert not each or {len(parts) for parts in sheet.parts.values()} == {each}


@pytest.mark.parametrize(
    ("act", "part"),
    [
        ("dropped 1", ("won-by-forfeit", (1,))),
        ("bye-granted 1 2 worth=half", ("bye", ())),  # excused: nobody forfeits
    ],
)
def test_a_player_whose_opponent_left_a_round_robin_has_won_by_forfeit(
    act: str, part: tuple[str, tuple[int, ...]]
) -> None:
    timeline = played("enter 3", "stage-started round-robin", "play 1", act, "play 1")

    parts = sheet_of(desk_of(timeline), 0).parts
    won = [[(p.kind, p.foes) for p in parts[player] if p.round == 2] for player in (2, 3)]
    assert not desk_of(timeline).rounds[1].tables
    assert sorted(won) == [[], [part]]  # the other one rests in this round


def test_a_win_over_who_left_counts_like_one_over_the_board() -> None:
    """1 and 2 won against 3 and drew; 1 beat 4 before 4 left with nothing, 2 did not have to."""
    timeline = played("enter 4", 'stage-started round-robin tiebreaks=["de","sb"]', "play 1")
    more(timeline, "dropped 4", "round-paired round-robin 1", "round-published 2")
    more(timeline, "result-reported 2 1 scores=[0,0]", "round-closed 2", "play 1")

    rows = {row.player: row for row in standings(desk_of(timeline), 0)}
    assert [(rows[each].points, rows[each].breaks["sb"].number) for each in (1, 2)] == [
        (7, 3 + Fraction(7, 2)), (7, 3 + Fraction(7, 2)),
    ]  # fmt: skip


def test_who_left_level_with_a_later_opponent_is_behind_them() -> None:
    """1 left after two wins; 3 won once and by forfeit against 1."""
    timeline = played("enter 4", 'stage-started round-robin tiebreaks=["de"]', "play 1", "play 1")
    more(timeline, "dropped 1", "round-paired round-robin 1", "round-published 3")
    more(timeline, "result-reported 3 1 scores=[0,1]", "round-closed 3")

    rows = {row.player: row for row in standings(desk_of(timeline), 0)}
    assert rows[1].points == rows[3].points == 6
    assert (rows[3].breaks["de"].number, rows[1].breaks["de"].number) == (1, 0)


@pytest.mark.parametrize("table", ["1,3", "3,1"])
def test_the_lower_climbs_on_a_ladder_wherever_they_sit(table: str) -> None:
    paired = f"round-paired! ladder 1 pairings=[[{table}],[4,2]] note=NOTE"
    timeline = played("enter 4", "stage-started ladder", paired, "round-published 1")
    scores = {"1,3": "0,1", "3,1": "1,0"}[table]
    more(timeline, f"result-reported 1 1 scores=[{scores}]", "result-reported 1 2 scores=[0,1]")

    assert order_of(desk_of(timeline), 0) == (3, 1, 2, 4)


def test_a_player_waiting_on_a_ladder_has_not_won() -> None:
    parts = sheet_of(desk_of(played("enter 3", "stage-started ladder", "play 1")), 0).parts

    assert sorted(len(each) for each in parts.values()) == [0, 1, 1]


def in_groups(entrants: int, groups: int, winner: Callable[[tuple[int, ...]], int]) -> Timeline:
    """Play round robins by `winner`, who wins each table; 0 for a draw."""
    timeline = played(
        f"enter {entrants}", f'stage-started round-robin groups={groups} tiebreaks=["de","sb"]'
    )
    for number in (1, 2, 3):
        more(timeline, "round-paired round-robin 1", f"round-published {number}")
        for table in desk_of(timeline).rounds[-1].tables:
            won = winner(tuple(sorted(table.players)))
            scores = f"[{int(table.players[0] == won)},{int(table.players[1] == won)}]"
            more(timeline, f"result-reported {number} {table.number} scores={scores}")
        more(timeline, f"round-closed {number}")
    return timeline


def test_the_best_second_of_the_groups_goes_on() -> None:
    """Of 1, 6 and 7 the first won twice and the others drew: other seconds won once."""
    timeline = in_groups(9, 3, lambda two: 0 if two == (6, 7) else two[0])
    assert groups_of(desk_of(timeline).stages[0]) == ((1, 6, 7), (2, 5, 8), (3, 4, 9))

    more(timeline, "cut-made 4")

    assert {*desk_of(timeline).stages[0].cut} in ({1, 2, 3, 4}, {1, 2, 3, 5})


def test_of_groups_of_unequal_size_points_a_match_are_compared() -> None:
    """3 and 4 won two of three and drew one: 7 points. 1 and 2 won both that they had: 6."""
    timeline = in_groups(10, 3, lambda two: 0 if two == (3, 4) else two[0])
    assert [len(group) for group in groups_of(desk_of(timeline).stages[0])] == [3, 3, 4]

    assert {*order_of(desk_of(timeline), 0)[:2]} == {1, 2}


def test_tie_breaks_of_a_group_are_those_among_its_own() -> None:
    """1 and 4 have two wins each, and who of them beat the other is first."""
    won = {(1, 4): 4, (4, 5): 5, (5, 8): 8}
    timeline = in_groups(8, 2, lambda two: won.get(two, two[0]))

    rows = {row.player: row for row in standings(desk_of(timeline), 0)}

    assert [rows[player].breaks["de"].number for player in (4, 1)] == [1, 0]
    assert rows[4].place < rows[1].place
    assert len(rows[4].breaks["lot"].tied) == 1


def test_a_match_more_in_a_larger_group_is_one_more_to_divide_by() -> None:
    """2 and 3 drew and won twice: 7 of three matches. 1 and 4 drew and won once: 4 of two."""
    timeline = in_groups(7, 2, lambda two: 0 if two in ((1, 4), (2, 3)) else two[0])
    assert groups_of(desk_of(timeline).stages[0]) == ((1, 4, 5), (2, 3, 6, 7))

    first, second, third, fourth, *_ = order_of(desk_of(timeline), 0)

    assert ({first, third}, {second, fourth}) == ({2, 3}, {1, 4})


def test_groups_go_into_play_offs_with_groups_kept_apart() -> None:
    lines = ["enter 8", "stage-started round-robin groups=2", "play 1", "play 2", "play 3"]

    desk = played(
        *lines,
        "cut-made 4",
        KNOCKOUT,
        f"{PAIR_KNOCKOUT} 1",
    )

    group_of = {1: 0, 4: 0, 5: 0, 8: 0, 2: 1, 3: 1, 6: 1, 7: 1}
    for table in desk_of(desk).rounds[-1].tables:
        assert len({group_of[player] for player in table.players}) == 2


def test_no_second_is_seeded_behind_a_third_of_a_group_when_a_winner_has_left() -> None:
    for seed in range(8):
        timeline = played("enter 12", f"stage-started round-robin groups=4 seed={seed}")
        more(timeline, *["play 1"] * 3, "dropped 1", "cut-made 8")
        thirds = [player > 8 for player in desk_of(timeline).stages[0].cut]
        assert thirds == [*[False] * 7, True]


def test_a_disqualified_player_is_ranked_last() -> None:
    desk = played("enter 4", f"{SWISS} rounds=1", "play 1", "disqualified 1", "tournament-closed")

    assert desk_of(desk).order[-1] == 1


@pytest.mark.parametrize(
    ("entrants", "stage", "places"),
    [
        (4, KNOCKOUT, {2: 1, 3: 2, 4: 2, 1: 4}),
        (4, "stage-started double-elimination", {2: 1, 3: 2, 4: 3, 1: 4}),
        (4, "stage-started ladder", {2: 1, 3: 2, 4: 3, 1: 4}),
        (7, "stage-started pod-elimination", {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 1: 7}),
    ],
)
def test_a_disqualified_player_is_last_before_the_close_too(
    entrants: int, stage: str, places: dict[int, int]
) -> None:
    timeline = played(f"enter {entrants}", stage)
    while may_pair(desk_of(timeline)):
        more(timeline, "play 1")
    more(timeline, "disqualified 1")

    assert places_of(desk_of(timeline), 0) == places


def test_who_missed_the_cut_comes_before_who_is_disqualified_after_it() -> None:
    timeline = played("enter 6", f"{SWISS} rounds=1", "play 1", "cut-made 4", KNOCKOUT, "play 1")
    more(timeline, "play 1", "disqualified 4")
    desk = desk_of(timeline)
    before = places_of(desk, 1) | places_below(desk, 1)

    more(timeline, "tournament-closed")

    assert before == final_places(desk_of(timeline))


def test_around_an_empty_seat_the_others_close_up() -> None:
    """Of 4, 2, 3, 1 the second does not come, so the fourth is the last of three."""
    timeline = played("enter 4", 'stage-started pods tiebreaks=["seats","lean"]')
    more(timeline, "round-paired pods 1", "round-published 1")
    seated = desk_of(timeline).rounds[0].tables[0].players
    more(timeline, f"result-reported 1 1 scores=[3,2,0,1] absent=[{seated[1]}]", "round-closed 1")

    rows = {row.player: row for row in standings(desk_of(timeline), 0)}
    there = [rows[player].breaks for player in (seated[0], seated[2], seated[3])]
    assert [each["lean"].number for each in there] == [Fraction(n, 6) for n in (1, 3, 5)]
    assert [each["seats"].number for each in there] == [1, 1, 1]
    had = {player.id: player.seats[:4] for player in pod_players(desk_of(timeline))}
    assert [had[player] for player in seated] == [
        (1, 0, 0, 0), (), (0, 1, 0, 0), (0, 0, 1, 0),
    ]  # fmt: skip


def test_at_tables_with_points_by_place_a_win_is_the_first_place() -> None:
    timeline = played(
        "enter 8", 'stage-started pods rounds=1 table-points=[10,6,3,1] tiebreaks=["mw","win"]'
    )
    rows = {row.player: row for row in standings(desk_of(more(timeline, "play 1")), 0)}

    winners = [player for player, row in rows.items() if row.points == 10]
    assert len(winners) == 2
    assert {rows[player].breaks["win"].number for player in winners} == {1}
    assert sum(row.breaks["win"].number or 0 for row in rows.values()) == 2
    assert {row.breaks["mw"].number for row in rows.values()} == {
        1, Fraction(6, 10), Fraction(1, 3),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("short", "points"), [("", {1: 21, 2: 17, 3: 13}), ("short-points=[6,2]", {1: 19, 2: 13, 3: 7})]
)
def test_a_table_of_two_left_by_a_drop_has_points_by_place_too(
    short: str, points: dict[int, int]
) -> None:
    """The lower number wins: of three seats 1, 2, 3 have 7, 5, 3, then two places each."""
    timeline = played(
        "enter 4",
        f"stage-started multi-round-robin sizes=[3] table-points=[7,5,3] {short}".strip(),
        "play 1",
        "dropped 4",
        *("play 2", "play 3", "play 4"),
    )

    rows = standings(desk_of(timeline), 0)
    assert {row.player: row.points for row in rows if row.player != 4} == points


def test_who_comes_alone_to_a_table_of_two_has_the_first_place() -> None:
    timeline = played(
        "enter 4",
        "stage-started multi-round-robin sizes=[3] table-points=[7,5,3]",
        *("play 1", "dropped 4", "round-paired multi-round-robin 2", "round-published 2"),
        "result-reported 2 1 absent=[2]",
        "round-closed 2",
    )

    rows = {row.player: row.points for row in standings(desk_of(timeline), 0)}
    assert (rows[2], rows[3]) == (5, 3 + 7)


@pytest.mark.parametrize("first", range(0, len(TIEBREAKS), 8))
def test_who_meets_somebody_of_another_group_by_hand_is_ranked_in_their_own(first: int) -> None:
    """Of the groups 1, 4, 5 and 2, 3, 6 the second meets 4, and 1 the third, by every tie-break."""
    codes = json.dumps([*TIEBREAKS][first : first + 8], separators=(",", ":"))
    timeline = played("enter 6", f"stage-started round-robin groups=2 tiebreaks={codes}", "play 1")
    more(timeline, "round-paired round-robin 2", "pairing-changed 1 1 2 NOTE", "round-published 2")
    results = [f"result-reported 2 {number} scores=[1,0]" for number in (1, 2)]
    more(timeline, *results, "round-closed 2")
    desk = desk_of(timeline)
    assert [table.players for table in desk.rounds[1].tables] == [(2, 4), (1, 3)]

    rows = standings(desk, 0)
    assert [row.points for row in rows] == [3, 3, 3, 3, 0, 0]
    places = {row.player: row.place for row in rows}
    for group in groups_of(desk.stages[0]):
        assert [(places[player] - 1) // 2 for player in sorted(group, key=places.get)] == [0, 1, 2]
    faced = {
        term.who
        for row in rows
        for value in row.breaks.values()
        for term in value.terms
        if row.player == 2
    }
    assert faced <= {0, 4}
    more(timeline, "play 3", "cut-made 4")


def test_who_comes_alone_to_a_larger_table_wins_by_forfeit_as_at_one_of_two() -> None:
    """As a bye does, it counts in no strength of schedule, and puts them behind for the next."""
    timeline = played("enter 8", 'stage-started pods tiebreaks=["sos","win","won","seats"]')
    more(timeline, "round-paired pods 1", "round-published 1")
    one, other = (table.players for table in desk_of(timeline).rounds[0].tables)
    more(
        timeline,
        f"result-reported 1 1 scores=[9,0,0,0] absent={list(one[1:])}".replace(", ", ","),
        "result-reported 1 2 scores=[3,2,1,0]",
        "round-closed 1",
    )
    desk = desk_of(timeline)
    row = next(row for row in standings(desk, 0) if row.player == one[0])
    assert row.points == 3
    assert [row.breaks[code].number for code in ("sos", "win", "won", "seats")] == [None, 1, 0, 0]
    assert TIEBREAKS["ppg"].of(sheet_of(desk, 0), one[0], one).number is None
    had = {player.id: player for player in pod_players(desk)}
    assert [had[player].byes for player in (*one, *other)] == [1, *[0] * 7]
    assert not any(had[one[0]].seats)


def test_a_table_with_fewer_seats_may_have_points_of_its_own() -> None:
    timeline = played(
        "enter 7", "stage-started pods rounds=1 table-points=[7,5,3,1] short-points=[6,4,1]"
    )
    points = {row.player: row.points for row in standings(desk_of(more(timeline, "play 1")), 0)}

    tables = [table.players for table in desk_of(timeline).rounds[0].tables]
    assert sorted(sorted(points[player] for player in table) for table in tables) == [
        [1, 3, 5, 7], [1, 4, 6],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("short", "win"), [("", 7), ("short-points=[6]", 7), ("short-points=[9]", 9)]
)
def test_a_win_is_worth_the_most_that_a_first_place_may_be(short: str, win: int) -> None:
    desk = desk_of(played("enter 7", f"stage-started pods table-points=[7,5] {short}".strip()))
    assert win_of(desk.stages[0]) == win


@pytest.mark.parametrize("line", ["result-reported 1 1 absent=[1]", "bye-granted 3 1 worth=loss"])
def test_a_loss_is_worth_its_points_to_who_did_not_come_too(line: str) -> None:
    timeline = played("enter 2", f"{SWISS} rounds=2 loss=1", "round-paired swiss 1")
    more(timeline, "round-published 1", "entered", line)
    sheet = sheet_of(desk_of(timeline), 0)
    assert (sheet.points(1), sheet.points(3)) == ((1, 0) if "absent" in line else (0, 1))
