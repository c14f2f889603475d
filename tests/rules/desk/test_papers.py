"""Import and export of report files and tables of text."""

from fractions import Fraction
from typing import Any

import pytest

from rules.desk import lists, retold, trf
from rules.desk.acts import StageStarted
from rules.desk.lists import ListError
from rules.desk.retold import Meeting, Newcomer, Retold, RoundRecord
from rules.desk.standings import order_of, sheet_of
from rules.desk.trf import TrfError
from tests.rules.desk.table import desk_of, played, played_out
from tests.rules.desk.test_retold import at_a_desk


def line(number: int, name: str, rating: str, points: str, place: int, *rounds: str) -> str:
    """Return a player's line with its columns counted from 1 as the rule has them."""
    row = [" "] * 89
    for column, text in (
        (1, "001"),
        (5, f"{number:4d}"),
        (15, name),
        (49, f"{rating:>4}"),
        (81, f"{points:>4}"),
        (86, f"{place:4d}"),
    ):
        row[column - 1 : column - 1 + len(text)] = text
    return "".join(row) + "".join(rounds)


FOUR = "\n".join(
    [
        "012 Four in a row",
        line(1, "Ada", "2000", "2.0", 1, "     2 w 1", "     3 b =", "     4 w ="),
        line(2, "Bo", "1900", "1.0", 4, "     1 b 0", "  0000 - H", "     3 w ="),
        line(3, "Cy", "", "1.5", 2, "     4 w -", "     1 w =", "     2 b ="),
        line(4, "Di", "1700", "2.5", 3, "     3 b +", "  0000 - U", "     1 b ="),
    ]
)


def test_a_report_file_is_read_column_by_column() -> None:
    told = trf.read(FOUR)

    assert told.title == "Four in a row"
    assert told.players[0] == Newcomer("1", name="Ada", rating=2000)
    assert told.rounds == (
        RoundRecord((Meeting(("1", "2"), (1, 0)), Meeting(("3", "4"), absent=("3",)))),
        RoundRecord((Meeting(("3", "1"), (0, 0), 1),), ("4",), (("2", "half"),)),
        RoundRecord((Meeting(("1", "4"), (0, 0), 1), Meeting(("2", "3"), (0, 0), 1))),
    )


def test_a_report_file_stands_at_the_desk_with_its_points() -> None:
    desk = desk_of(at_a_desk(trf.read(FOUR))[0])

    points = {player: sheet_of(desk, 0).points(player) for player in (1, 2, 3, 4)}
    assert points == {1: 2, 2: 1, 3: 1, 4: Fraction(5, 2)}


def test_what_is_written_is_read_back() -> None:
    chess = {"win": 2, "draw": 1, "bye": 2, "halves": True}
    for seed in range(4):
        played = played_out(7, {"format": "swiss", "rounds": 4, **chess}, f"trf {seed}")
        desk = desk_of(played)
        told = retold.as_published(desk, 0)
        sheet = sheet_of(desk, 0)
        names = {str(number): f"Number {number}" for number in range(1, 8)}

        text = trf.write(
            told,
            {key: name.replace(" ", "\n") for key, name in names.items()},  # stays in its line
            {str(player): sheet.points(player) for player in sheet.parts},
            [str(player) for player in order_of(desk, 0)],
        )

        again = trf.read(text)
        assert [each.name for each in again.players] == list(names.values())
        assert max(len(row) for row in text.splitlines() if row[:3] == "001") == 89 + 4 * 10
        there = desk_of(at_a_desk(again)[0])
        assert {p: sheet_of(there, 0).points(p) for p in sheet.parts} == {
            p: sheet.points(p) for p in sheet.parts
        }


@pytest.mark.parametrize("kind", ["swiss", "round-robin", "double-elimination"])
def test_a_file_of_ours_is_read_with_no_difference(kind: str) -> None:
    rounds = {"rounds": 3} if kind == "swiss" else {}
    breaks = {"tiebreaks": ("de", "sb", "win")} if kind == "round-robin" else {}
    desk = desk_of(played_out(5, {"format": kind, **rounds, **breaks}, "trf"))
    sheet = sheet_of(desk, 0)
    points = {str(player): sheet.points(player) for player in sheet.parts}

    text = trf.write(retold.as_published(desk, 0), {}, points, [str(p) for p in order_of(desk, 0)])

    again = trf.read(text)
    there = desk_of(at_a_desk(again)[0])
    assert retold.differences(there, again, trf.published(text)) == []


OF_2026 = "\n".join(
    [
        "### NNNN SMM NNNN",
        "142 3",
        "162  W 3.0    D 1.0    L 0.0    A 0.0    P 2.5",
        FOUR,
        "212 PTS,BH/C1,DE,SB",
    ]
)


def test_points_and_tie_breaks_of_2026_are_read() -> None:
    stage = trf.read(OF_2026).stage

    assert (stage.win, stage.draw, stage.loss, stage.bye, stage.halves) == (6, 2, 0, 5, True)
    assert stage.tiebreaks == ("bh-c1", "de", "sb")
    assert {row.number for row in trf.published(OF_2026)} == {1, 2, 3, 4}


def test_a_bye_is_worth_a_win_if_no_line_says_otherwise() -> None:
    assert trf.read("162  W 3.0\n" + FOUR).stage.bye == 6


def test_a_tie_break_named_twice_breaks_ties_once() -> None:
    assert trf.read(OF_2026 + "\n202 BH,SB,BH").stage.tiebreaks == ("bh", "sb")


def test_an_empty_line_of_points_says_nothing() -> None:
    assert trf.read("162\n" + FOUR).stage == trf.read(FOUR).stage
    assert trf.read("XXS WW=3\n162\n" + FOUR).stage.win == 6


@pytest.mark.parametrize("codes", ["BH,XYZ,SB", ",".join(trf.TIEBREAK_OF)])
def test_places_by_tie_breaks_that_are_not_all_known_are_not_compared(codes: str) -> None:
    text = OF_2026 + f"\n202 {codes}"
    assert {row.number for row in trf.published(text)} == {0}
    assert trf.read(text).stage.tiebreaks[0] == "bh"


@pytest.mark.parametrize("codes", ["BH", "DE,SB", "BH/C1,DE,PS/C1", "WIN,BH,SB,PS"])
def test_the_tie_breaks_of_fide_go_out_and_in(codes: str) -> None:
    chess: dict[str, Any] = {"win": 2, "draw": 1, "bye": 2, "halves": True}
    chess["tiebreaks"] = tuple(trf.TIEBREAK_OF[code] for code in codes.split(","))
    desk = desk_of(played_out(9, {"format": "swiss", "rounds": 4, **chess}, "trf 2026"))
    sheet, told = sheet_of(desk, 0), retold.as_published(desk, 0)
    points = {str(player): sheet.points(player) for player in sheet.parts}

    text = trf.write(told, {}, points, [str(player) for player in order_of(desk, 0)])

    assert f"\n202 {codes}\n212 PTS,{codes}\n" in text
    assert "\n162  W 1.0    D 0.5    L 0.0    P 1.0\n" in text
    again = trf.read(text)
    assert again.stage.tiebreaks == told.stage.tiebreaks
    there = desk_of(at_a_desk(again)[0])
    assert all(row.number for row in trf.published(text))
    assert retold.differences(there, again, trf.published(text)) == []


def test_tie_breaks_that_are_not_all_of_fide_stay_out() -> None:
    stage = StageStarted(format="swiss", tiebreaks=("bh", "omw"))
    assert "\n202 " not in trf.write(Retold(stage, (Newcomer("1"),), ()), {}, {}, [])


@pytest.mark.parametrize("halves", [False, True])
def test_points_of_a_stage_are_in_its_file(halves: bool) -> None:
    stage = StageStarted(format="swiss", win=5, draw=2, loss=1, bye=3, halves=halves)
    told = Retold(stage, (Newcomer("1", name="Ada"),), (RoundRecord((), ("1",)),))

    again = trf.read(trf.write(told, {}, {"1": Fraction(3)}, ["1"])).stage

    unit = 1 if halves else 2
    worths = (again.win, again.draw, again.loss, again.bye)
    assert worths == tuple(each * unit for each in (5, 2, 1, 3))
    absence = "    A 0.5" if halves else "    A 1.0"
    assert absence in trf.write(told, {}, {}, [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: no player's line"),
        ("012 X\n001    1 Foo", "line 2: no name is there"),
        ("XXS WW=x\n" + line(1, "Ada", "", "", 1), "line 1: 'WW=x' are not points"),
        ("162  W 3.0    Q 1.0\n" + line(1, "Ada", "", "", 1), "line 1: 'Q 1.0' are not points"),
        ("162  W50.5\n" + line(1, "Ada", "", "", 1), "line 1: 50.5 are more points than 50"),
        ("XXS WW=99\n" + line(1, "Ada", "", "", 1), "line 1: 99.0 are more points than 50"),
        ("162  W 3.3\n" + line(1, "Ada", "", "", 1), "line 1: 'W 3.3' are not points"),
        ("XXS WW=3 BW=2\n" + line(1, "Ada", "", "", 1), "'BW=2' is not worth what its like are"),
        (line(1, "Ada", "x", "", 1), "line 1: '   x' is not a rating"),
        (line(0, "Ada", "", "", 1), "line 1: '   0' is not a start number"),
        (
            "\n".join(line(number, "Ada", "", "", 1) for number in (2, 1, 1)),
            "start number 1 is there twice",
        ),
        (line(1, "Ada", "", "", 1, "     2 w 1"), "against 2, who does not say so"),
        (
            "\n".join(line(n, "Ada", "", "", 1, f"     {foe} w 1") for n, foe in ((1, 2), (2, 3))),
            "against 2, who does not say so",
        ),
        (line(1, "Ada", "", "", 1, "     1 w 1"), "against 1, who does not say so"),
        (line(1, "Ada", "", "", 1, "     2 w ?"), "'?' is no result"),
        (line(1, "Ada", "", "", 1, "  0000 w 1"), "nobody is named"),
        (
            line(1, "Ada", "", "", 1, "     2 w 1") + "\n" + line(2, "Bo", "", "", 1, "     1 b 1"),
            "round 1 ended 1 here, and 1 by line of 2",
        ),
        (
            line(1, "Ada", "", "", 1, "     2 w 0") + "\n" + line(2, "Bo", "", "", 1, "     1 b ="),
            "round 1 ended 0 here, and = by line of 2",
        ),
    ],
)
def test_a_report_file_that_means_nothing_says_where(text: str, problem: str) -> None:
    with pytest.raises(TrfError, match="line") as told:
        trf.read(text)
    assert problem in str(told.value)


def test_points_that_would_move_the_columns_are_no_report_file() -> None:
    told = Retold(StageStarted(format="swiss"), (Newcomer("1"),), ())
    with pytest.raises(ValueError, match="below 100"):
        trf.write(told, {}, {"1": Fraction(100)}, [])
    with pytest.raises(ValueError, match="below 100"):
        trf.write(Retold(StageStarted(format="swiss", win=100), told.players, ()), {}, {}, [])


@pytest.mark.parametrize(
    ("stage", "name"),
    [
        (StageStarted(format="swiss"), "Swiss-System"),
        (StageStarted(format="round-robin", legs=2), "Double Round-Robin"),
    ],
)
def test_a_report_file_names_the_format(stage: StageStarted, name: str) -> None:
    text = trf.write(Retold(stage, (Newcomer("1"),), ()), {}, {}, [])
    assert f"092 Individual: {name}\n" in text


def test_a_table_of_more_is_no_report_file() -> None:
    told = Retold(
        StageStarted(format="pods"), (Newcomer("1"),), (RoundRecord((Meeting(("1", "2", "3")),)),)
    )

    with pytest.raises(ValueError, match="two at a table"):
        trf.write(told, {}, {}, [])
    with pytest.raises(ValueError, match="two at a table"):
        lists.write_results(told, {})


# -- tables of text -------------------------------------------------------------------

SWISS = StageStarted(format="swiss", best_of=3)


def _read(text: str) -> tuple[Newcomer, ...]:
    return tuple(each for _, each in lists.entry_rows(text))


def test_entries_are_read_and_written() -> None:
    players = _read("\ufeffName,Rating\nAda,2000\n\nBo,\n'=1+1,3\n'@b,\n'+1,\n'-1,\n")

    assert players == (
        Newcomer("Ada", name="Ada", rating=2000),
        Newcomer("Bo", name="Bo"),
        Newcomer("=1+1", name="=1+1", rating=3),
        *(Newcomer(name, name=name) for name in ("@b", "+1", "-1")),
    )
    text = lists.write_entries((each, "in") for each in players)
    assert text == (
        "name,rating,status\nAda,2000,in\nBo,,in\n'=1+1,3,in\n'@b,,in\n'+1,,in\n'-1,,in\n"
    )
    assert _read(text) == players


def test_results_are_read_and_written() -> None:
    told = Retold(
        SWISS,
        tuple(Newcomer(name, name=name) for name in ("Ada", "Bo", "Cy", "Di")),
        (
            RoundRecord((Meeting(("Ada", "Bo"), (2, 1)),), ("Cy",), (("Di", "half"),)),
            RoundRecord(
                (Meeting(("Cy", "Ada"), absent=("Cy",)),), (), (("Bo", "loss"), ("Di", "zero"))
            ),
            RoundRecord((Meeting(("Bo", "Cy"), (1, 1), 1),), ("Ada",)),
            RoundRecord(
                (Meeting(("Di", "Ada"), lost=True), Meeting(("Bo", "Cy"), absent=("Bo", "Cy")))
            ),
        ),
    )

    text = lists.write_results(told, {})

    assert lists.read_results(text, SWISS) == told
    assert told == lists.read_results(text.replace("\n", "\r"), SWISS)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "row 1: the column round is missing"),
        ("round,first\n1,Ada\n1,Bo", "row 1: the column second is missing"),
        ("round,first,second\nx,Ada,", "row 2: 'x' is no round"),
        ("round,first,second\n0,Ada,", "row 2: a round is from 1"),
        ("round,first,second\n1,Ada,Ada", "row 2: two have to be named"),
        ("round,first,second\n2,Ada,Bo", "row 1: a round is missing"),
        ("round,first,second\n1,Ada,Bo\n1,Ada,Cy", "named twice in round 1"),
        ("round,first,second,absent\n1,Ada,Bo,Cy", "row 2: Cy does not sit there"),
        ("round,first,second,absent\n1,Ada,,Bo", "row 2: Bo is no bye: there are full, half, "),
        ("round,first,second\n1," + "x" * 140_000, "row 2: a cell is far too long"),
    ],
)
def test_results_that_mean_nothing_say_where(text: str, problem: str) -> None:
    with pytest.raises(ListError) as told:
        lists.read_results(text, SWISS)
    assert problem in str(told.value)
    assert len(told.value.problems) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("rating\n3", "row 1: the column name is missing"),
        ("name\nAda\nAda", "row 3: Ada is there twice"),
        ("Ada,Bo\nCy\nDi", "row 1: the column name is missing"),
        ("name,rating\n,3", "row 2: nobody is named"),
        ("name,rating\nAda,²", "row 2: '²' is no rating"),
        ("name,rating\nAda,1234567", "row 2: '1234567' is no rating"),
        ("name,ratnig\nAda,3", "row 1: ratnig is no column of this list: there are name, rating"),
        ("name,rating;club\nAda,3", "row 1: rating;club is no column of this list"),
        ("name,rating,Rating\nAda,3,4", "row 1: the column rating is there twice"),
        ('name,rating\nAda,3\n"Bo,4\nCy,5\n', "row 3: a cell is far too long, or a quote does not"),
    ],
)
def test_entries_that_mean_nothing_say_where(text: str, problem: str) -> None:
    with pytest.raises(ListError) as told:
        lists.entry_rows(text)
    assert problem in str(told.value)


def test_semicolons_separate_cells_where_the_heads_have_them() -> None:
    told = _read("name;rating\nBo, the second;1200\n")
    assert told == (Newcomer("Bo, the second", name="Bo, the second", rating=1200),)
    (line,) = lists.result_rows("round;first;second;won;lost\n1;Ada;Bo;2;1\n")
    assert line.names == ("Ada", "Bo")


def test_tabs_separate_cells_copied_from_a_spreadsheet() -> None:
    told = _read("name\trating\nBo; the, second\t1200\n")
    assert told == (Newcomer("Bo; the, second", name="Bo; the, second", rating=1200),)
    assert [each.name for each in _read("Ada\t\nBo\n")] == ["Ada", "Bo"]


def test_points_of_a_report_file_that_are_none_are_refused() -> None:
    with pytest.raises(TrfError, match="are not points"):
        trf.published(line(1, "Ada", "2000", "two", 1))


@pytest.mark.parametrize("head", ["", "name\n", "Name\n", "Namen\n", "Spieler\n", "\ufeffnames\n"])
def test_one_column_is_a_list_of_names_with_or_without_a_head(head: str) -> None:
    rows = lists.entry_rows(f"{head}Ada\nBo\n\nCy\n")
    first = 2 if head else 1
    assert [(row, each.name) for row, each in rows] == [
        (first, "Ada"),
        (first + 1, "Bo"),
        (first + 3, "Cy"),
    ]


@pytest.mark.parametrize("name", ["🐉 Bo", "★", "(Ada)", "'Bo'", "-1", "محمد"])
def test_a_list_of_names_without_a_head_may_begin_with_any_of_them(name: str) -> None:
    assert [each.name for _, each in lists.entry_rows(f"{name}\nBo\n")] == [name, "Bo"]


@pytest.mark.parametrize("text", ['{"name": 1}', "[1]", "<html>"])
def test_a_file_of_another_kind_is_no_list_of_names(text: str) -> None:
    with pytest.raises(lists.ListError, match="row 1: the column name is missing"):
        lists.entry_rows(text)


def test_a_name_that_is_twice_on_a_list_without_a_head_is_found_in_its_row() -> None:
    with pytest.raises(lists.ListError, match="row 2: Ada is there twice"):
        lists.entry_rows("Ada\nAda")


def test_who_had_a_bye_coming_and_a_table_all_the_same_is_written_at_the_table() -> None:
    """A bracket seats everybody; so may a pairing by hand. The bye is worth nothing then."""
    stage = "stage-started single-elimination"
    timeline = played("enter 2", stage, "bye-granted 2 1 worth=half", "play 1")
    desk = desk_of(timeline)
    points = {"1": Fraction(1), "2": Fraction(0)}
    told = trf.read(trf.write(retold.as_published(desk, 0), {}, points, ["1", "2"]))
    assert told.rounds == (RoundRecord((Meeting(("1", "2"), (1, 0)),)),)
