"""Results of games whose rules the site does not know."""

from typing import Any

import msgspec
import pytest

import rules
from rules import notation, texts
from rules.replay import Timeline
from rules.ruleset import Outcome, SetupError
from rules.score.acts import Options, ScoreOpened, ScoreSeat
from tests.rules import tables
from tests.rules.tables import verdict

RULESET = rules.get("score@1")


def opened(seats: int, **options: Any) -> ScoreOpened:
    sides = tuple(ScoreSeat(label=f"Side {seat}") for seat in range(1, seats + 1))
    return ScoreOpened(ruleset="score@1", options=Options(**options), seats=sides)


def played(seats: int, *lines: str, **options: Any) -> Timeline:
    """Record lines of notation; every one has to hold."""
    return tables.played(opened(seats, **options), *lines)


def outcome(seats: int, *lines: str, **options: Any) -> Outcome | None:
    return RULESET.outcome(played(seats, *lines, **options).head.state)


# -- one game -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "lines", "places", "winners", "why"),
    [
        pytest.param(2, ["game-won 2"], (2, 1), (2,), "by-games", id="won"),
        pytest.param(2, ["game-drawn"], (1, 1), (), "by-draw", id="draw"),
        pytest.param(2, ["all-lost"], (1, 1), (), "by-nobody", id="double loss"),
        pytest.param(1, ["game-won 1"], (1,), (1,), "by-games", id="alone and won"),
        pytest.param(1, ["all-lost"], (1,), (), "by-nobody", id="alone and lost"),
        pytest.param(
            3,
            ["points-scored 1 4", "points-scored 2 9", "points-scored 3 4", "game-closed"],
            (2, 1, 2),
            (2,),
            "by-games",
            id="points, two share second place",
        ),
        pytest.param(
            3,
            ["points-scored 1 4", "points-scored 2 4", "game-closed"],
            (1, 1, 3),
            (1, 2),
            "by-games",
            id="points, two share first place",
        ),
        pytest.param(
            4,
            ["seats-placed [3]", "seats-placed [1,4]"],
            (2, 4, 1, 2),
            (3,),
            "by-games",
            id="places, the last one is left over",
        ),
        pytest.param(4, ["all-won"], (1, 1, 1, 1), (1, 2, 3, 4), "by-games", id="all won"),
        pytest.param(
            3, ["seats-placed [1,2,3]"], (1, 1, 1), (), "by-draw", id="all share first place"
        ),
        pytest.param(
            8,
            [f"seats-placed [{seat}]" for seat in (8, 7, 6, 5, 4, 3, 2)],
            (8, 7, 6, 5, 4, 3, 2, 1),
            (8,),
            "by-games",
            id="eight placed one by one",
        ),
    ],
)
def test_a_single_game_decides_the_match(
    seats: int, lines: list[str], places: tuple[int, ...], winners: tuple[int, ...], why: str
) -> None:
    assert outcome(seats, *lines) == Outcome(places, winners, why)


def test_the_fewest_points_win_where_low_wins() -> None:
    ended = outcome(2, "points-scored 1 71", "points-scored 2 74", "game-closed", low_wins=True)

    assert ended == Outcome((1, 2), (1,), "by-games")


def test_points_may_be_taken_off() -> None:
    timeline = played(1, "points-scored 1 7", "points-scored 1 -3")

    assert timeline.head.state.score.tallies[0].points == 4


# -- best of n ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["game-won 1", "game-won 2"], None, id="one each is not decided"),
        pytest.param(
            ["game-won 1", "game-won 2", "game-won 2"],
            Outcome((2, 1), (2,), "by-games"),
            id="two of three",
        ),
        pytest.param(
            ["game-won 1", "game-won 1"], Outcome((1, 2), (1,), "by-games"), id="over early"
        ),
        pytest.param(
            ["game-won 1", "game-drawn", "game-drawn"],
            Outcome((1, 2), (1,), "by-games"),
            id="one win and two draws",
        ),
        pytest.param(
            ["game-won 1", "game-won 2", "game-drawn"],
            Outcome((1, 1), (), "by-draw"),
            id="level after three",
        ),
        pytest.param(
            ["all-lost", "all-lost", "all-lost"],
            Outcome((1, 1), (), "by-nobody"),
            id="three double losses",
        ),
        pytest.param(
            ["all-won", "all-lost", "all-won"],
            Outcome((1, 1), (1, 2), "by-games"),
            id="two of three won together",
        ),
        pytest.param(
            ["all-won", "all-lost", "all-lost"],
            Outcome((1, 1), (), "by-nobody"),
            id="two of three lost together",
        ),
        pytest.param(
            ["all-won", "all-lost", "game-drawn"],
            Outcome((1, 1), (), "by-draw"),
            id="one won and one lost together",
        ),
        pytest.param(
            ["all-won", "game-won 2"], Outcome((2, 1), (2,), "by-games"), id="one of two alone"
        ),
    ],
)
def test_most_games_of_three_win_the_match(lines: list[str], expected: Outcome | None) -> None:
    assert outcome(2, *lines, best_of=3) == expected


def test_points_of_earlier_games_are_kept_apart_and_added_up() -> None:
    lines = ("points-scored 1 5", "game-closed", "points-scored 1 4", "game-closed")
    timeline = played(2, *lines, "points-scored 1 2", best_of=5)

    tally = timeline.head.state.score.tallies[0]
    assert (tally.wins, tally.points, tally.total) == (2, 2, 9)


# -- conceding and ruling -------------------------------------------------------------


def test_the_last_one_in_wins_when_the_other_concedes() -> None:
    assert outcome(2, "conceded 1") == Outcome((2, 1), (2,), "by-concession")


@pytest.mark.parametrize(
    ("seats", "lines", "places", "winners"),
    [
        pytest.param(
            5,
            ["seats-placed [1]", "seats-placed [2]", "conceded 1", "seats-placed [3,4,5]"],
            (5, 1, 2, 2, 2),
            (2,),
            id="all who are left behind the second",
        ),
        pytest.param(
            4,
            ["seats-placed [1]", "seats-placed [2]", "conceded 1", "seats-placed [3]"],
            (4, 1, 2, 3),
            (2,),
            id="one by one",
        ),
        pytest.param(
            3,
            ["seats-placed [1]", "conceded 1", "seats-placed [3]"],
            (3, 2, 1),
            (3,),
            id="nobody placed is left",
        ),
    ],
)
def test_who_is_placed_after_another_does_not_share_their_place(
    seats: int, lines: list[str], places: tuple[int, ...], winners: tuple[int, ...]
) -> None:
    assert outcome(seats, *lines) == Outcome(places, winners, "by-games")


def test_alone_a_concession_is_a_loss() -> None:
    ended = outcome(1, "conceded 1")

    assert ended == Outcome((1,), (), "by-nobody")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        pytest.param("game-won 1", "Game 1 is over. Winners: Ann.", id="won"),
        pytest.param("game-drawn", "Game 1 is over: a draw.", id="drawn"),
        pytest.param("all-lost", "Game 1 is over: everybody lost.", id="lost by all"),
        pytest.param("all-won", "Game 1 is over. Winners: Ann and Side 2.", id="won by all"),
    ],
)
def test_of_a_game_that_nobody_won_no_winners_are_told(line: str, told: str) -> None:
    before = played(2).head.state
    events = RULESET.decide(before, RULESET.read(line))

    said = [RULESET.tell(event, before, {1: "Ann"}) for event in events]

    assert said[0] == told
    assert not any("nobody." in each for each in said if "Winners" in each)


def test_a_ruling_for_nobody_names_no_winners() -> None:
    ended = outcome(2, "ruled draw")

    assert ended is not None
    assert texts.of_outcome(RULESET.texts, ended, {}) == RULESET.texts["by-ruling.none"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        pytest.param(["game-won 2"], "Side 1 0, Side 2 1", id="without points"),
        pytest.param(["points-scored 2 7", "game-closed"], "Side 1 0, Side 2 7", id="by points"),
        pytest.param(["points-scored 2 7"], "Side 1 0, Side 2 7", id="under way"),
    ],
)
def test_a_single_game_is_never_told_level_where_somebody_won(lines: list[str], told: str) -> None:
    state = played(2, *lines).head.state

    assert RULESET.headline(state) == told
    assert [side["figure"] for side in RULESET.view(state, "public")["seats"]] == [
        int(each.split()[-1]) for each in told.split(", ")
    ]


@pytest.mark.parametrize(
    ("seats", "lines", "expected"),
    [
        pytest.param(3, ["conceded 1", "game-won 3"], Outcome((3, 2, 1), (3,), "by-games"), id="3"),
        pytest.param(
            4,
            ["conceded 1", "conceded 3", "game-won 4"],
            Outcome((3, 2, 3, 1), (4,), "by-games"),
            id="two of four",
        ),
        pytest.param(
            3, ["conceded 1", "all-won"], Outcome((3, 1, 1), (2, 3), "by-games"), id="together"
        ),
    ],
)
def test_the_others_play_on_after_a_concession(
    seats: int, lines: list[str], expected: Outcome
) -> None:
    assert outcome(seats, *lines) == expected


def test_the_place_of_who_conceded_is_given_again_where_nobody_else_has_one() -> None:
    timeline = played(4, "seats-placed [1]", "conceded 1", "seats-placed [3]")

    assert [each.place for each in timeline.head.state.score.tallies] == [1, 0, 1, 0]


def test_a_concession_may_leave_the_last_place_to_the_last_one() -> None:
    ended = outcome(3, "seats-placed [2]", "conceded 1")

    assert ended == Outcome((3, 1, 2), (2,), "by-games")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param("ruled win winners=[2]", Outcome((2, 1, 2), (2,), "by-ruling"), id="win"),
        pytest.param(
            "ruled win winners=[1,3]", Outcome((1, 3, 1), (1, 3), "by-ruling"), id="shared win"
        ),
        pytest.param("ruled draw", Outcome((1, 1, 1), (), "by-ruling"), id="draw"),
        pytest.param("ruled all-lost", Outcome((1, 1, 1), (), "by-nobody"), id="double loss"),
    ],
)
def test_an_official_decides_the_match(line: str, expected: Outcome) -> None:
    assert outcome(3, "game-won 1", line, best_of=3) == expected


# -- what may not be recorded ---------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "line", "expected"),
    [
        pytest.param([], "points-scored 4 1", "impossible no-such-seat", id="seat"),
        pytest.param([], "points-scored 0 1", "impossible no-such-seat", id="seat zero"),
        pytest.param([], "points-scored 1 10000000", "impossible too-many-points", id="points"),
        pytest.param([], "game-closed", "irregular nothing-scored", id="nothing scored"),
        pytest.param(
            ["conceded 1"], "points-scored 1 1", "irregular has-conceded", id="out, points"
        ),
        pytest.param(["conceded 1"], "game-won 1", "impossible has-conceded", id="out, won"),
        pytest.param(["conceded 1"], "conceded 1", "impossible has-conceded", id="out, again"),
        pytest.param(["conceded 1"], "seats-placed [1]", "impossible has-conceded", id="placed"),
        pytest.param([], "seats-placed []", "impossible nobody-named", id="nobody placed"),
        pytest.param([], "seats-placed [2,1]", "impossible seats-out-of-order", id="order"),
        pytest.param([], "seats-placed [1,1]", "impossible seats-out-of-order", id="twice"),
        pytest.param([], "seats-placed [9]", "impossible no-such-seat", id="placed nobody"),
        pytest.param(
            ["seats-placed [1]"], "seats-placed [1]", "impossible already-placed", id="again"
        ),
        pytest.param([], "ruled win", "impossible nobody-named", id="win of nobody"),
        pytest.param(
            [], "ruled draw winners=[1]", "impossible winners-without-win", id="winners of a draw"
        ),
        pytest.param(["ruled draw"], "game-won 1", "impossible match-over", id="over"),
    ],
)
def test_what_is_not_legal_says_why(before: list[str], line: str, expected: str) -> None:
    assert verdict(played(3, *before, best_of=3), line) == expected


def test_one_alone_can_not_draw_nor_win_together() -> None:
    assert verdict(played(1), "game-drawn") == "impossible nobody-to-draw-with"
    assert verdict(played(1), "all-won") == "impossible nobody-to-win-with"


def test_points_that_stood_after_a_concession_count() -> None:
    timeline = played(3, "conceded 1", "points-scored! 1 5")

    assert timeline.head.state.score.tallies[0].points == 5


def test_an_official_s_act_knows_no_free_text() -> None:
    with pytest.raises(notation.NotationError):
        RULESET.read('ruled draw note="he was rude"')


# -- the rest of what a ruleset offers ------------------------------------------------


@pytest.mark.parametrize("seats", [0, 9])
def test_a_match_has_one_to_eight_seats(seats: int) -> None:
    with pytest.raises(SetupError) as caught:
        RULESET.start(opened(seats))

    problem = caught.value.problem
    assert problem.code == "seat-count"
    assert texts.of_finding(RULESET.texts, problem, {}).startswith(str(seats))


def test_the_headline_counts_games_when_there_are_several() -> None:
    timeline = played(2, "game-won 1", "points-scored 2 9", best_of=5)

    assert RULESET.headline(timeline.at(2).state, {2: "Vaugn"}) == "Side 1 1, Vaugn 0"
    told = "Side 1 1, Vaugn 0 · game 2: 0\u00a0–\u00a09"
    assert RULESET.headline(timeline.head.state, {2: "Vaugn"}) == told


def test_the_headline_counts_points_of_a_single_game() -> None:
    timeline = played(2, "points-scored 2 9")

    assert RULESET.headline(timeline.head.state) == "Side 1 0, Side 2 9"


def test_an_event_is_told_with_names() -> None:
    timeline = played(2, "game-won 1")
    entry = timeline.entries[1]

    told = RULESET.tell(entry.consequences[0], timeline.at(1).state, {1: "Yowuya"})

    assert told == "Game 1 is over. Winners: Yowuya."


@pytest.mark.parametrize(
    ("points", "told"), [(1, "1 point."), (-1, "-1 point."), (0, "0 points."), (7, "7 points.")]
)
def test_one_point_is_told_as_one(points: int, told: str) -> None:
    state = played(2).head.state
    act = RULESET.read(f"points-scored 1 {points}")
    assert RULESET.tell(act, state, {1: "Ann"}) == f"Ann: {told}"


def test_everybody_sees_the_same() -> None:
    state = played(2, "game-won 1").head.state

    views = [RULESET.view(state, audience) for audience in (1, 2, "officials", "public")]

    assert all(view == views[0] for view in views)
    assert views[0]["outcome"]["winners"] == (1,)
    assert msgspec.json.encode(views[0])


def test_there_are_no_decks_to_check() -> None:
    assert RULESET.check_deck(None, Options()) == ()
