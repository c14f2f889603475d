"""Tie-breaks computed by hand on small crosstables."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from rules.bots import Stream
from rules.desk.tiebreaks import (
    HALF,
    TIEBREAKS,
    MatchWin,
    OpponentsMatchWin,
    RoundPart,
    Sheet,
    TieBreak,
    Value,
    expected,
    placement_points,
    rank,
)
from rules.desk.tiebreaks.kinds import Cut

BYES: dict[str, tuple[Any, Fraction]] = {
    "bye": ("bye", Fraction(1)),
    "full": ("full-bye", Fraction(1)),
    "half": ("half-bye", HALF),
    "zero": ("zero-bye", Fraction(0)),
    ".": ("absent", Fraction(0)),
}


def sheet_of(table: str, win: int = 1, draw: Fraction | int = HALF, **more: Any) -> Sheet:
    """Read a crosstable: a line a player, a word a round.

    `2w1` beat 2 with white, `3b=` drew with 3, `+4` won by forfeit, `-4` lost so; `bye` was
    given, `half` and `zero` were asked for, `.` is not there. `2w1:2-1-0` says the games. Who has
    a `rest` did nothing.
    """
    parts = {}
    for line in table.strip().splitlines():
        number, *words = line.split()
        parts[int(number)] = [
            part_of(word, i, win, draw) for i, word in enumerate(words, 1) if word != "rest"
        ]
    return Sheet(parts, win=win, draw=draw, **more)


def part_of(word: str, number: int, win: int, draw: Fraction | int) -> RoundPart:
    word, _, said = word.partition(":")
    won, lost, drawn = (int(each) for each in said.split("-")) if said else (0, 0, 0)
    worth = {Fraction(1): Fraction(win), HALF: Fraction(draw), Fraction(0): Fraction(0)}
    more: dict[str, Any] = {"round": number, "games": (won, lost, drawn)}
    if word in BYES:
        kind, result = BYES[word]
        return RoundPart(kind=kind, result=result, points=worth[result], **more)
    if word[0] in "+-":
        result = Fraction(int(word[0] == "+"))
        kind = "won-by-forfeit" if result else "lost-by-forfeit"
        foes = (int(word[1:]),)
        return RoundPart(kind=kind, result=result, points=worth[result], foes=foes, **more)
    result = {"1": Fraction(1), "=": HALF, "0": Fraction(0)}[word[-1]]
    seat = 1 if word[-2] == "w" else 2
    foes = (int(word[:-2]),)
    return RoundPart(result=result, points=worth[result], foes=foes, seat=seat, **more)


def number(sheet: Sheet, code: str, player: int, *tied: int) -> Fraction | None:
    return TIEBREAKS[code].of(sheet, player, tied or (player,)).number


CHESS = sheet_of(
    """
    1  2w1  3b=   4b1
    2  1b0  half  -5
    3  4w=  1w=   zero
    4  3b=  5b0   1w0
    5  bye  4w1   +2
    """,
    ratings={1: 2000, 2: 1900, 3: 1800, 4: 1700, 5: 1600},
)
"""Scores 2 1/2, 1/2, 1, 1/2, 3.

For others, 3 counts 1 1/2: the bye in the last round is a draw. So do the half points of 2,
after which came only a forfeit."""

GIVEN = sheet_of(
    """
    1  full  2w1
    2  half  1b0
    """
)

AWAY = sheet_of("1 zero 2w1 .\n2 bye 1b0 bye")

WORTH_LESS = Sheet({1: [RoundPart(round=1, kind="bye", result=Fraction(1), points=Fraction(1))]})

MIXED = sheet_of("1 2w1 3b0\n2 1b0 3b1\n3 2w0 1w1", ratings={1: 1700, 2: 1900})
"""3 has no rating."""

CARDS = sheet_of(
    """
    1  2w1:2-1-0  3b=:1-1-1  bye:2-0-0
    2  1b0:1-2-0  bye:2-0-0  3w1:2-0-0
    3  bye:2-0-0  1w=:1-1-1  2b0:0-2-0
    """,
    win=3,
    draw=1,
)
"""Points 7, 6, 4."""

DROPPED = sheet_of(
    """
    1  2w1:2-0-0  3w1:2-1-0  4w1:2-0-0
    2  1b0:0-2-0  4b1:2-0-0  3b1:2-0-0
    3  4w1:2-0-0  1b0:1-2-0  2w0:0-2-0
    4  3b0:0-2-0  2w0:0-2-0  1b0:0-2-0
    5  bye:2-0-0  .          .
    """,
    win=3,
    draw=1,
)

UNRATED = sheet_of(
    """
    1  2w1  3b0
    2  1b0  4w1
    3  4w1  1w1
    4  3b0  2b0
    """,
    ratings={1: 1900, 4: 1700},
)
"""2 and 3 have no rating: they count for nobody."""

GONE = sheet_of(
    """
    1  2w0  3w1
    2  1b1  .
    3  bye  1b0
    """,
    win=3,
    draw=1,
)

ALIKE = sheet_of("1 2w1 3b0\n2 1b0 3w1\n3 2b0 1w1")

LEAGUE = sheet_of(
    """
    1  4w1  3b0  2w1
    2  3w1  4b1  1b0
    3  2b0  1w1  4w0
    4  1b0  2w0  3b1
    """,
    round_robin=True,
)
"""Everybody met everybody: 1 and 2 have 2, 3 and 4 have 1."""

ODD = sheet_of(
    """
    1  rest  3w1   5w1   2w1   4w1
    2  5w1   rest  4w1   1b0   3b0
    3  4b0   1b0   rest  5w1   2w1
    4  3w1   5b0   2b0   rest  1b0
    5  2b0   4w1   1b0   3b0   rest
    """,
    round_robin=True,
)
"""Five in five rounds of which everybody rests in one: 4, 2, 2, 1 and 1 of four."""


@pytest.mark.parametrize(
    ("sheet", "code", "numbers"),
    [
        pytest.param(CHESS, "bh", "5/2 7/2 4 7 5/2", id="Buchholz"),
        pytest.param(CHESS, "bh@2024", "5/2 7/2 4 7 13/2", id="Buchholz of 2024: no cap"),
        pytest.param(CHESS, "bh-c1", "2 3 3 11/2 2", id="cut: unplayed by choice goes first"),
        pytest.param(CHESS, "bh-c2", "3/2 5/2 5/2 3 3/2", id="cut two"),
        pytest.param(CHESS, "bh-m1", "1/2 1/2 1/2 5/2 1/2", id="median"),
        pytest.param(CHESS, "bh-m2", "0 0 0 0 0", id="median of two: nothing left"),
        pytest.param(ODD, "bh-m2", "0 0 0 0 0", id="median of two of four"),
        pytest.param(AWAY, "bh", "4 9/2", id="unplayed by choice counts as drawn only at the end"),
        pytest.param(CHESS, "mm", "2 1 3/2 4 2", id="modified median: above half, below"),
        pytest.param(ALIKE, "mm", "0 0 0", id="modified median: half"),
        pytest.param(CHESS, "aob", "29/6 5/2 19/4 3 7", id="average of opponents'"),
        pytest.param(CHESS, "fb", "7/2 11/2 4 6 7/2", id="Fore"),
        pytest.param(CHESS, "sb", "7/4 1/4 3/2 3/4 5/2", id="Sonneborn-Berger"),
        pytest.param(CHESS, "sb@2024", "7/4 1/4 3/2 3/4 13/2", id="Sonneborn-Berger of 2024"),
        pytest.param(CHESS, "sb-c1", "5/4 1/4 5/4 0 2", id="cut: unplayed unless it is less"),
        pytest.param(CHESS, "bh-c1@2024", "2 3 3 11/2 6", id="cut, of 2024"),
        pytest.param(CHESS, "bh-c2@2024", "3/2 5/2 5/2 3 3", id="cut two, of 2024"),
        pytest.param(CHESS, "bh-m1@2024", "1/2 1/2 1/2 5/2 3", id="median of 2024"),
        pytest.param(CHESS, "bh-m2@2024", "0 0 0 0 0", id="median of two, of 2024"),
        pytest.param(CHESS, "aob@2024", "29/6 5/2 19/4 13/3 7", id="average, of 2024"),
        pytest.param(CHESS, "fb@2024", "7/2 11/2 4 6 9/2", id="Fore of 2024"),
        pytest.param(CHESS, "sb-c1@2024", "5/4 1/4 5/4 0 6", id="Sonneborn-Berger cut, of 2024"),
        pytest.param(CHESS, "ps", "5 1 5/2 3/2 6", id="progressive"),
        pytest.param(CHESS, "ps-c1", "4 1 2 1 5", id="progressive, cut"),
        pytest.param(CHESS, "win", "2 0 0 0 3", id="wins"),
        pytest.param(GIVEN, "win", "2 0", id="wins that were given"),
        pytest.param(WORTH_LESS, "win", "0", id="a bye that is worth less than a win is none"),
        pytest.param(CHESS, "won", "2 0 0 0 1", id="won over the board"),
        pytest.param(CHESS, "bpg", "2 1 0 2 0", id="games with black"),
        pytest.param(CHESS, "bwg", "1 0 0 0 0", id="wins with black"),
        pytest.param(CHESS, "aro", "1800 2000 1850 1800 1700", id="average rating"),
        pytest.param(CHESS, "aro-c1", "1850 - 2000 1900 -", id="average rating, cut"),
        pytest.param(CHESS, "tpr", "2073 1200 1850 1527 2500", id="performance"),
        pytest.param(CHESS, "apro", "1526 2073 1800 2141 1527", id="average performance"),
        pytest.param(UNRATED, "aro", "- 1800 1800 -", id="average of who has a rating"),
        pytest.param(UNRATED, "aro-c1", "- 1900 1900 -", id="cut of who has a rating"),
        pytest.param(UNRATED, "tpr", "- 1800 2600 -", id="performance against who has a rating"),
        pytest.param(MIXED, "tpr", "2700 900 1800", id="performance, one of two has a rating"),
        pytest.param(UNRATED, "apro", "2200 - - 2200", id="average performance of who has one"),
        pytest.param(LEAGUE, "ks", "1 0 1 0", id="Koya"),
        pytest.param(ODD, "ks", "2 0 1 1 0", id="Koya, with a rest in each round"),
        pytest.param(ODD, "ps", "10 8 3 5 4", id="progressive, of who rests"),
        pytest.param(ODD, "ps-c1", "10 7 3 4 4", id="progressive of who rests, cut"),
        pytest.param(LEAGUE, "sb", "3 2 2 1", id="Sonneborn-Berger of a league"),
        pytest.param(CARDS, "mw", "7/9 2/3 4/9", id="match wins, byes and all"),
        pytest.param(CARDS, "omw", "5/9 11/18 13/18", id="opponents' match wins"),
        pytest.param(CARDS, "oomw", "2/3 23/36 7/12", id="opponents' opponents'"),
        pytest.param(CARDS, "gw", "2/3 5/7 10/21", id="game wins"),
        pytest.param(CARDS, "ogw", "25/42 4/7 29/42", id="opponents' game wins"),
        pytest.param(CARDS, "sos", "1 5/4 7/4", id="strength of schedule"),
        pytest.param(CARDS, "xsos", "3/2 11/8 9/8", id="extended strength"),
        pytest.param(CARDS, "ppm", "7/3 2 4/3", id="points a match"),
        pytest.param(CARDS, "ppg", "2 3/2 1/2", id="points a game"),
        pytest.param(CARDS, "ds", "3 3 4", id="draw strength"),
        pytest.param(CARDS, "wins-sos", "1/4 1/4 1/2", id="wins strength"),
        pytest.param(CARDS, "games", "3 3 0", id="game difference"),
        pytest.param(CARDS, "median", "0 0 0", id="median of two"),
        pytest.param(DROPPED, "mw", "1 2/3 1/3 1/3 1", id="at least a third; until the drop"),
        pytest.param(DROPPED, "mw-quarter", "1 2/3 1/3 1/4 1", id="at least a quarter"),
        pytest.param(DROPPED, "mw-bare", "1 2/3 1/3 0 1", id="no floor"),
        pytest.param(DROPPED, "mw-drops", "1 2/3 1/3 1/4 3/4", id="who left at most 3/4"),
        pytest.param(GONE, "omw-drops", "5/8 1/2 1/2", id="of who left at most 3/4"),
        pytest.param(GONE, "oomw-drops", "1/2 5/8 5/8", id="theirs of who left"),
        pytest.param(DROPPED, "mw-rounds", "1 2/3 1/3 1/3 1/3", id="by rounds"),
        pytest.param(DROPPED, "omw", "4/9 5/9 2/3 2/3 -", id="nobody faced is no number"),
        pytest.param(GONE, "omw", "3/4 1/2 1/2", id="until the drop, of those faced"),
        pytest.param(GONE, "omw-rounds", "1/2 1/2 1/2", id="by rounds, of those faced"),
        pytest.param(DROPPED, "omw-quarter", "5/12 19/36 23/36 2/3 -", id="of a quarter"),
        pytest.param(DROPPED, "omw-bare", "1/3 4/9 5/9 2/3 -", id="of none"),
        pytest.param(DROPPED, "oomw-quarter", "11/18 31/54 29/54 19/36 -", id="theirs"),
        pytest.param(DROPPED, "gw", "6/7 2/3 3/7 0 1", id="own game wins have no floor"),
        pytest.param(DROPPED, "gw-third", "6/7 2/3 3/7 1/3 1", id="or one"),
        pytest.param(DROPPED, "median", "3 3 6 6 0", id="the middle of three"),
    ],
)  # fmt: skip
def test_a_crosstable_worked_out_by_hand(sheet: Sheet, code: str, numbers: str) -> None:
    found = [number(sheet, code, player) for player in sheet.parts]

    assert found == [None if each == "-" else Fraction(each) for each in numbers.split()]


def test_the_published_example_of_match_win_percentages() -> None:
    """Eight opponents; 1-3-0 and dropped is raised to a third, exactly."""
    records = {
        2: (12, 8),
        3: (21, 8),
        4: (3, 4),
        5: (10, 7),
        6: (18, 8),
        7: (16, 8),
        8: (13, 8),
        9: (19, 8),
    }
    parts = {1: [RoundPart(round=i, foes=(foe,)) for i, foe in enumerate(records, 1)]}
    for player, (points, rounds) in records.items():
        first = RoundPart(round=1, kind="bye", points=Fraction(points))
        parts[player] = [first, *(RoundPart(round=i, kind="bye") for i in range(2, rounds + 1))]
    sheet = Sheet(parts)

    assert MatchWin().number(sheet, 4) == Fraction(1, 3)
    assert MatchWin().number(sheet, 7) == Fraction(16, 24)
    assert f"{float(OpponentsMatchWin().number(sheet, 1) or 0):.6f}" == "0.616815"
    old = OpponentsMatchWin(Fraction(33, 100))
    assert f"{float(old.number(sheet, 1) or 0):.6f}" == "0.616399"


# -- direct encounters ----------------------------------------------------------------

SPLIT = sheet_of(
    """
    1  2w1  3b1  4w0
    2  1b0  4w1  3b1
    3  4w1  1w0  2w0
    4  3b0  2b0  1b1
    """
)

AHEAD = sheet_of(
    """
    1  2w1  3b1  4w=
    2  1b0  4b0  .
    3  4w=  1w0  .
    4  3b=  2w1  1b=
    """
)
"""1 is half a point ahead of 4, and both have met everybody; 2 and 3 have not met."""


@pytest.mark.parametrize(
    ("sheet", "code", "tied", "numbers"),
    [
        pytest.param(LEAGUE, "de", (1, 2), "1 0", id="the winner of the two"),
        pytest.param(LEAGUE, "de", (3, 4), "0 1", id="the other two"),
        pytest.param(SPLIT, "de", (1, 2, 3, 4), "3 2 1 0", id="those left equal start again"),
        pytest.param(SPLIT, "de-continue", (1, 2, 3, 4), "3 3 1 1", id="or go on"),
        pytest.param(CHESS, "de", (2, 4), "1 1", id="never met"),
        pytest.param(AHEAD, "de", (1, 2, 3, 4), "3 2 2 2", id="the leader cannot be caught"),
        pytest.param(DROPPED, "de", (1, 2, 5), "2 2 2", id="the leader might be caught"),
        pytest.param(CARDS, "wbw", (2, 3), "3 0", id="who beat whom"),
        pytest.param(CARDS, "wbw", (1, 2, 3), "0 0 0", id="only between two"),
    ],
)
def test_a_direct_encounter(sheet: Sheet, code: str, tied: tuple[int, ...], numbers: str) -> None:
    found = [number(sheet, code, player, *tied) for player in tied]

    assert found == [Fraction(each) for each in numbers.split()]


def test_a_leader_nobody_can_catch_is_first_though_not_all_met() -> None:
    sheet = sheet_of("1 2w1 3w1\n2 1b0 .\n3 . 1b0")

    assert [number(sheet, "de", player, 1, 2, 3) for player in (1, 2, 3)] == [2, 1, 1]


# -- tables of three and more ---------------------------------------------------------

FIRST_OF_THREE = RoundPart(
    round=1,
    points=Fraction(5),
    result=Fraction(1),
    foes=(2, 3),
    seat=1,
    place=1,
    size=3,
    score=Fraction(6),
    best=Fraction(6),
)
FOURTH_OF_FIVE = RoundPart(
    round=2,
    points=Fraction(1),
    result=Fraction(1, 4),
    foes=(2, 3, 4, 5),
    seat=1,
    place=4,
    size=5,
    score=Fraction(3),
    best=Fraction(12),
)
PODS = Sheet({1: [FIRST_OF_THREE, FOURTH_OF_FIVE]})
"""First of three, then fourth of five, always in the first seat."""


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("beaten", "1/2"),
        ("place", "5/8"),
        ("share", "5/8"),
        ("seats", "2"),
        ("lean", "2/15"),
        ("firsts", "1"),
        ("seconds", "0"),
        ("thirds", "0"),
        ("battle", "9"),
        ("ppg", "3"),
    ],
)
def test_tables_of_three_and_five(code: str, value: str) -> None:
    assert number(PODS, code, 1) == Fraction(value)


def test_who_ties_shares_the_points_of_the_tied_places() -> None:
    assert placement_points((10, 6, 3, 1), (1, 2, 2, 4)) == (10, Fraction(9, 2), Fraction(9, 2), 1)
    assert placement_points((5, 1), (1, 2, 3)) == (5, 1, 0)


# -- all of them ----------------------------------------------------------------------


@pytest.mark.parametrize("code", TIEBREAKS)
def test_every_number_opens_into_its_terms(code: str) -> None:
    """What is shown adds up to what is ranked by."""
    tiebreak = TIEBREAKS[code]
    assert tiebreak.name
    assert tiebreak.clause
    for sheet in (CHESS, CARDS, DROPPED, LEAGUE, SPLIT, *map(by_chance, range(8))):
        for player in sheet.parts:
            _assert_opens(tiebreak.of(sheet, player, (player,)), code)


def _assert_opens(value: Value, code: str) -> None:
    if value.number is None or code in PLACES:
        return
    counted = [term for term in value.terms if term.counted]
    total = sum(term.value for term in counted)
    if value.how == "mean":
        total = total / len(counted)
    elif value.how == "share":
        total = max(value.floor, total / sum(term.of for term in counted))
        total = min(value.cap or total, total)
    assert abs(total - value.number) <= (HALF if code in ROUNDED else 0)


PLACES = ("de", "de-continue")  # say who comes before whom; their terms are the encounters
ROUNDED = ("aro", "aro-c1", "apro")


def test_a_capped_dummy_and_a_cut_say_so() -> None:
    told = {term.round: term.why for term in TIEBREAKS["bh"].of(CHESS, 5, (5,)).terms}
    cut = {term.round: term.why for term in TIEBREAKS["bh-c1"].of(CHESS, 3, (3,)).terms}

    assert told == {1: "capped", 2: "", 3: "capped"}
    assert cut == {1: "", 2: "", 3: "cut"}


@pytest.mark.parametrize(
    ("share", "difference"),
    [
        ("1", 800),
        ("0", -800),
        ("1/2", 0),
        ("3/4", 193),
        ("1/4", -193),
        ("2/3", 125),
        ("1/200", -677),
    ],
)
def test_what_a_share_of_the_points_stands_for(share: str, difference: int) -> None:
    assert expected(Fraction(share)) == difference


def test_ranking_goes_tie_by_tie_and_ends_by_lot() -> None:
    sheet = sheet_of("1 2w1\n2 1b0\n3 4w1\n4 3b0", win=3, draw=1)
    rows = rank(sheet, ["omw", "gw"])

    assert {row.player for row in rows[:2]} == {1, 3}
    assert [row.place for row in rows] == [1, 2, 3, 4]
    assert list(rows[0].breaks) == ["omw", "gw", "lot"]
    orders = {tuple(row.player for row in rank(sheet_with_seed(sheet, s), [])) for s in range(20)}
    assert len(orders) == 4


@pytest.mark.parametrize("seed", range(8))
def test_ranking_tells_what_a_plain_one_tells(seed: int) -> None:
    """Every number is made when it is looked at, and is the one the tie was broken by."""
    sheet, pick = by_chance(seed), Stream(f"codes {seed}")
    codes = sorted(TIEBREAKS, key=lambda code: (pick(100), code))
    found = [
        (row.player, [(code, value.number, value.terms) for code, value in row.breaks.items()])
        for row in rank(sheet, codes)
    ]
    equal: dict[Fraction, list[int]] = {}
    for player in sheet.parts:
        equal.setdefault(-sheet.points(player), []).append(player)
    plain = [row for points in sorted(equal) for row in plainly(sheet, equal[points], codes)]

    assert found == plain


def plainly(
    sheet: Sheet, tied: list[int], codes: list[str]
) -> list[tuple[int, list[tuple[str, Fraction | None, Any]]]]:
    """Rank as it is said: tell apart by the first, then go on with whom it leaves equal."""
    if not codes:
        return [(player, []) for player in tied]
    by = TIEBREAKS[codes[0]]
    values = {player: by.of(sheet, player, tied) for player in tied}
    groups: dict[tuple[bool, Fraction], list[int]] = {}
    for player in tied:
        number = values[player].number
        key = (number is None, (number or Fraction(0)) * (1 if by.low_wins else -1))
        groups.setdefault(key, []).append(player)
    return [
        (player, [(codes[0], values[player].number, values[player].terms), *rest])
        for key in sorted(groups)
        for player, rest in plainly(sheet, groups[key], codes[1:])
    ]


def by_chance(seed: int) -> Sheet:
    """Return a Swiss of 16 over four rounds, with draws, byes of all kinds and forfeits."""
    pick = Stream(f"sheet {seed}")
    words: dict[int, list[str]] = {player: [] for player in range(1, 17)}
    for number in range(1, 5):
        for one in words:
            two = (one - 1 ^ number) + 1
            if one < two:
                told = pick.choice(["w1 b0", "w= b=", "w0 b1", "+ -", "bye .", "half zero"])
                for player, foe, word in zip((one, two), (two, one), told.split(), strict=True):
                    words[player].append(met(word, foe))
    table = "\n".join(f"{player} {' '.join(each)}" for player, each in words.items())
    ratings = {player: 1500 + 10 * player for player in words}
    return sheet_of(table, win=3, draw=1, ratings=ratings, seed=seed)


def met(word: str, foe: int) -> str:
    """Write an opponent into a word of a crosstable."""
    if word in BYES:
        return word
    return f"{word}{foe}" if word in "+-" else f"{foe}{word}:{1 + (word[1] == '1')}-1-0"


def sheet_with_seed(sheet: Sheet, seed: int) -> Sheet:
    return Sheet(sheet.parts, win=3, draw=1, seed=seed)


def test_a_tie_break_may_rank_the_lower_number_first() -> None:
    sheet = Sheet({1: [RoundPart(round=1, seat=1)], 2: [RoundPart(round=1, kind="bye")]})

    assert [row.player for row in rank(sheet, ["seats"])] == [2, 1]


def test_who_has_no_number_is_behind_who_has_none_to_boast_of() -> None:
    """1 met nobody, and 2 beat one who won nothing: the lot decides nothing."""
    sheets = [sheet_of("1 bye\n2 3w1\n3 2b0", seed=seed) for seed in range(9)]

    assert {rank(sheet, ["wins-sos"])[0].player for sheet in sheets} == {2}


def test_of_equal_values_the_one_unplayed_by_choice_is_left_out() -> None:
    parts = [*CHESS.wholes[1][:1], CHESS.wholes[3][2]]

    assert Cut(1, 0).out(parts, (1, 1), (1, 1)) == [1]


def test_a_disqualified_player_comes_last() -> None:
    assert [row.player for row in rank(CARDS, ["omw"], last={1: 1})] == [2, 3, 1]


def test_a_tie_break_without_a_number_can_not_be_had() -> None:
    with pytest.raises(TypeError, match="abstract"):
        TieBreak()


def test_a_part_is_plain_data() -> None:
    assert msgspec.structs.asdict(RoundPart(round=1))["kind"] == "played"
