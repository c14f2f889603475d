"""Sheets pasted as text: what each line becomes, and that none is lost."""

import string
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from characters.models import Section
from characters.sheet import Sheet, grammar, read, write
from characters.sheet.goals import held_of, matches_wanted, wanted_by
from characters.sheet.grammar import QUALITIES
from characters.sheet.shapes import Currency, Gear, Goal, Lode, ModeDeck
from characters.sheet.shapes import Section as Part
from tests.characters.sheets import AFTER, BEFORE, MANGLED, SHEET

GEAR = [
    ("Basic", "Green", "Helmet", "found", "training match", None, 1),
    ("Superior", "Red", "Frontgear", "stolen", "Halder Voss Issue", None, 1),
    ("Superior", "Green", "Shield", "bought", "Pit Stop", 30, 1),
    ("Basic", "Green", "Feet", "bought", "Pit Stop", 15, 2),
]
GOALS = [
    "Expert Climber",
    "Nereid Lode",
    "Orpheus Lode",
    "State of the Art Green Gear (Feet, Front, Grapple, Shield, Ulster)",
]
LODE = Lode("Quartz Lode", ["Basic Guild Artifex", "Private Tutor Artifex"])


def pieces(sheet: Sheet) -> list[tuple[Any, ...]]:
    return [(g.quality, g.colour, g.type, g.method, g.from_, g.price, g.count) for g in sheet.gear]


def content(sheet: Sheet) -> dict[str, Any]:
    """Return what a sheet says, without the words it was said in."""
    told: dict[str, Any] = msgspec.to_builtins(sheet)
    for piece in told["gear"]:
        del piece["raw"]
    del told["lines"], told["questions"]
    return told


def test_a_sheet_is_read() -> None:
    sheet = read(SHEET)
    assert (sheet.name, sheet.tagline) == ("Oriel Tamsin", "Daughter of the Quarry Guild")
    assert [section.key for section in sheet.sections] == ["private", "public"]
    private = sheet.sections[0]
    assert private.text.startswith("Born on a supply barge")
    assert private.text.count("\n") == 5
    assert private.text.endswith("Keep her from the officer track.")
    deck = sheet.mode_deck
    assert (deck.primary, deck.secondary, deck.tertiary) == ("Guild", "Expert Digger", "Pride")
    assert [goal.text for goal in sheet.goals] == GOALS
    assert not any(goal.current for goal in sheet.goals)
    assert pieces(sheet) == GEAR
    assert (sheet.currency.amount, sheet.currency.opening) == (12, 72)
    assert sheet.possessions == ["Ledger / Book of debts"]
    assert sheet.lode == LODE
    assert sheet.unparsed == []
    asked = {question.code: question for question in sheet.questions}
    assert asked.keys() == {"current-goal", "opening", "stolen-from", "match"}
    assert (asked["match"].gear, asked["stolen-from"].gear) == (1, 2)
    assert asked["stolen-from"].choices == ["victim", "maker", "issue"]
    assert asked["current-goal"].choices == GOALS
    assert "c72" in asked["opening"].text


def test_what_a_sheet_lies_among_is_left_out_of_it() -> None:
    assert content(read(BEFORE + SHEET + AFTER)) | {"unparsed": []} == content(read(SHEET))


@pytest.mark.parametrize("star", ["* Nereid Lode", "Nereid Lode *", "*Nereid Lode", "Nereid Lode*"])
def test_a_star_makes_a_goal_the_current_one(star: str) -> None:
    sheet = read(SHEET.replace("Nereid Lode", star))
    assert [goal.text for goal in sheet.goals] == GOALS
    assert [goal.text for goal in sheet.goals if goal.current] == ["Nereid Lode"]
    assert "current-goal" not in {question.code for question in sheet.questions}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Basic Red Helmet", ("Basic", "Red", "Helmet", "", "", None, 1)),
        ("Basic Red Helmet (c40)", ("Basic", "Red", "Helmet", "bought", "", 40, 1)),
        ("Basic Red Feet (2 x c20 @ Inn)", ("Basic", "Red", "Feet", "bought", "Inn", 20, 2)),
        ("Basic Red Feet (C20X2 AT Inn)", ("Basic", "Red", "Feet", "bought", "Inn", 20, 2)),
        ("2 x Basic Red Feet (found)", ("Basic", "Red", "Feet", "found", "", None, 2)),
        ("State of the Art Blue Loader Claw (won, c1,200)",
         ("State of the Art", "Blue", "Loader Claw", "won", "", 1200, 1)),
        ("state-of-the-art blue Shield (traded, c5 from Ada)",
         ("State of the Art", "Blue", "Shield", "traded", "Ada", 5, 1)),
        ("Basic Red Helmet (found beneath a bench)",
         ("Basic", "Red", "Helmet", "found", "beneath a bench", None, 1)),
        ("Basic Red Feet x 2 (found)", ("Basic", "Red", "Feet", "found", "", None, 2)),
        ("Superior Ulster (gift of Ada)", ("Superior", "", "Ulster", "gift", "Ada", None, 1)),
        ("Red Shield (bought from Ada)", ("", "Red", "Shield", "bought", "Ada", None, 1)),
        ("Basic Red Helmet (who knows)", ("Basic", "Red", "Helmet", "", "who knows", None, 1)),
    ],
)  # fmt: skip
def test_a_line_of_gear(line: str, expected: tuple[Any, ...]) -> None:
    piece = grammar.gear(line)
    assert piece is not None
    assert pieces(Sheet(gear=[piece])) == [expected]


@pytest.mark.parametrize(
    "line",
    [
        "Basic Rules",
        "State of the Art Blue Gear (Feet, Front)",
        "Red sky at night",
        "Basic training was completed early, and nobody was told of it.",
        "Basic Red Feet (c20 x 1000 @ Pit Stop)",
        "",
    ],
)
def test_what_is_no_gear(line: str) -> None:
    assert grammar.gear(line) is None


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("She ran and hid from them.", True),
        ("She ran and hid there.", False),  # of five words
        ("“She ran and hid from them.”", True),
        ("Bo. 2 of the three keys of the", False),
        ("She came. Nobody saw her leave the yard that year", True),
        ("x" * 100, False),
        ("x" * 101, True),
    ],
)
def test_what_is_running_text(text: str, prose: bool) -> None:
    assert grammar.is_prose(text) == prose


PROSE = "She ran and hid from them."


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Goals", ("goals", "")),
        ("Goals (* current goal): Rest", ("goals", "Rest")),
        ("Goals Rest", None),
        (f"Goals: {PROSE}", None),
        (f"Notes: {PROSE}", ("notes", PROSE)),
        ("Notes (her own): Rest", None),
        ("Gear (worn):", None),
        ("Currency: c5", ("currency", "c5")),
        ("Currency: plenty", None),
        ("Mode Deck: Guild, Digger, Pride", ("mode-deck", "Guild, Digger, Pride")),
        ("Mode Deck: Guild, Digger, Pride, Envy", None),
        (f"Mode Deck: {PROSE}", None),
    ],
)
def test_what_follows_a_heading_on_its_line_fits_it(
    line: str, expected: tuple[str, str] | None
) -> None:
    assert grammar.heading(line) == expected


@pytest.mark.parametrize(
    "line",
    ["Basic Red Helmet (found)", "c0", "c20", "Primary – Guild", PROSE, "Born: late", "A\nB"],
)
def test_what_can_be_no_name_is_none(line: str) -> None:
    sheet = read(f"{line}\nGoals:\nRest")
    assert (sheet.name, sheet.unparsed) == ("", line.split("\n"))
    assert read(f"Bo Vance\nGoals:\nRest\n\n{line}").name == "Bo Vance"


def test_a_sheet_that_begins_with_a_heading_ends_with_no_name() -> None:
    sheet = read("Goals:\nRest\n\nBo Vance")
    assert (sheet.name, [goal.text for goal in sheet.goals]) == ("", ["Rest"])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Notes:\nTagline: a thief\nBasic Red Helmet (found)\n\nc5 credits", 2),
        ("Notes:\nTagline: a thief\nBasic Red Helmet (found)\nc5 credits", 3),
    ],
)
def test_a_text_ends_with_a_belonging_after_a_blank_line(text: str, kept: int) -> None:
    sheet = read(f"Name: Ada\n\n{text}")
    [notes] = sheet.sections
    assert notes.text.split("\n") == text.split("\n")[1 : 1 + kept]
    assert (sheet.tagline, sheet.gear) == ("", [])
    assert sheet.currency.amount == (5 if kept == 2 else None)


@pytest.mark.parametrize(
    "section",
    [
        "Goals:\n\nRest",
        "Maneuvers:\n\nLeap",
        "Mode Deck:\n\nPrimary Design Card: Guild",
        "Mode Deck: Guild",
    ],
)
def test_a_list_begins_below_its_heading_and_ends_at_a_blank_line(section: str) -> None:
    sheet = read(f"Name: Ada\n{section}\n\nA rope\nBasic Red Helmet (found)")
    assert (sheet.possessions, sheet.unparsed) == (["A rope"], [])
    listed = [*(goal.text for goal in sheet.goals), *sheet.maneuvers, sheet.mode_deck.primary]
    assert [*filter(None, listed)] == [section.rpartition("\n")[2].rpartition(": ")[2]]


@pytest.mark.parametrize(
    "section", ["Maneuvers:\nLeap", "Mode Deck:\nPrimary Design Card: Guild", "Notes:\nOne\n"]
)
def test_a_section_ends_with_a_belonging(section: str) -> None:
    sheet = read(f"Name: Ada\n{section}\nBasic Red Helmet (found)\nA rope")
    assert [piece.title for piece in sheet.gear] == ["Basic Red Helmet"]
    assert (sheet.possessions, sheet.unparsed) == (["A rope"], [])


def test_what_fits_nowhere_is_left() -> None:
    sheet = read(f"Name: Ada\nGoals:\n{'x' * 200}\n{'x' * 201}")
    assert ([goal.text for goal in sheet.goals], sheet.unparsed) == (["x" * 200], ["x" * 201])
    deck = "Primary Design Card: Guild\nPrimary Design Card: Pride"
    sheet = read(f"Name: Ada\nMode Deck:\n{deck}")
    assert (sheet.mode_deck.primary, sheet.unparsed) == ("Guild", [deck.partition("\n")[2]])


def test_three_lines_may_be_double_spaced() -> None:
    [notes] = read("Notes:\n\nOne\n\nTwo").sections
    assert notes.text == "One\nTwo"
    assert read("Basic Red Helmet (found)\n\nA rope").unparsed == ["A rope"]


def test_a_text_begins_below_its_heading() -> None:
    [notes] = read("Name: Ada\nNotes:\n\nOne\n\nTwo").sections
    assert notes.text == "One\n\nTwo"


def test_what_was_unparsed_stays_so_up_to_the_next_heading() -> None:
    sheet = read(
        "Name: Ada\n\nUnparsed:\nOne\nUnparsed:\nPrimary Design Card: Two\n\nNotes:\nThree"
    )
    assert sheet.unparsed == ["One", "Unparsed:", "Primary Design Card: Two"]
    assert [section.text for section in sheet.sections] == ["Three"]


def test_a_mark_for_what_is_no_heading_is_one_in_a_section_alone() -> None:
    sheet = read("Name: Ada\n\n\\Red\nBasic Red Helmet (found)\n\nPossessions:\n\\Blue")
    assert sheet.possessions == ["Blue", "\\Red"]


@pytest.mark.parametrize(
    ("parse", "line"),
    [
        (grammar.label, f"Name: {PROSE}"),
        (grammar.design, f"Primary Design Card: {PROSE}"),
        (grammar.money, "c5 pieces"),
        (grammar.gear, f"Basic Red {PROSE} (found)"),
        (grammar.gear, f"Basic Red Helmet (found, {'x' * 175})"),
        (grammar.gear, "Basic Helmet"),
        (grammar.gear, "Red Helmet (who knows)"),
        (grammar.gear, "0 x Basic Red Helmet"),
        (grammar.lode, "Ego Lode"),
        (grammar.lode, f"Ego Lode - {'x' * 190}"),
    ],
)
def test_what_is_no_item_of_a_sheet(parse: Callable[[str], object], line: str) -> None:
    assert parse(line) is None


def test_of_what_is_listed_as_gear_a_quality_or_a_colour_is_enough() -> None:
    sheet = read("Name: Ada\n\nGear:\nRed Shield\nBasic Feet\nA rope")
    assert [piece.title for piece in sheet.gear] == ["Red Shield", "Basic Feet"]
    assert sheet.possessions == ["A rope"]


@pytest.mark.parametrize(
    ("line", "belongs"),
    [
        ("Basic Red Helmet (found)", True),
        ("Basic Red Helmet (who knows)", False),
        ("c5 credits", True),
        ("c5", False),
        ("Ego Lode - Grim", True),
    ],
)
def test_what_can_only_be_a_belonging(line: str, belongs: bool) -> None:
    assert grammar.is_belonging(line) == belongs


def test_a_sheet_has_five_hundred_pieces_and_no_more() -> None:
    lines = ["Basic Red Feet (c1 x 99)"] * 5
    full = read("\n".join([*lines, "Basic Red Feet (c1 x 5)", "Basic Blue Claw (found, a yard)"]))
    assert sum(piece.count for piece in full.gear) == 500
    assert full.possessions == ["Basic Blue Claw (found, a yard)"]


def test_a_second_word_for_what_a_sheet_says_once_is_not_lost() -> None:
    sheet = read("Name: Ada\nTagline: a diver\nTagline: a thief\nName: Ben")
    assert (sheet.name, sheet.tagline) == ("Ada", "a diver")
    assert sheet.unparsed == ["Tagline: a thief", "Name: Ben"]


def test_artifex_without_a_name_are_as_many_as_a_lode_says() -> None:
    sheet = read("Name: Ada\n\nLode:\nEgo Lode – two artifex")
    assert sheet.lode == Lode("Ego Lode", ["Artifex", "Artifex"])
    assert grammar.lode("Ego Lode – Grim + + Tally") == Lode("Ego Lode", ["Grim", "Tally"])


def test_a_deck_and_maneuvers_may_stand_on_one_line() -> None:
    sheet = read("Name: Ada\nMode deck: Guild, Expert Digger, Pride\nManeuvers: Leap, Long Fall")
    deck = sheet.mode_deck
    assert (deck.primary, deck.secondary, deck.tertiary) == ("Guild", "Expert Digger", "Pride")
    assert sheet.maneuvers == ["Leap", "Long Fall"]
    assert sheet.unparsed == []


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("Gear:\nBasic Red Helmet (bought, c-40)\nHard currency: c-40", "3, 4"),
        ("Gear:\nBasic Red Helmet (c12.50)\nBasic Red Feet (c20 x 2 @ Inn)", "3"),
        ("Gear:\nBasic Red Helmet (found)\nc99999999999\nC4 charge", "4"),
        ("Gear:\nBasic Red Helmet (c40)\n12. Basic Red Feet (c15)\nc20\nc1,200 credits", "6"),
        ("Background, Public:\nShe owes c-40.", ""),
        ("Mode Deck:\nOne for c-40", "3"),
    ],
)
def test_where_an_amount_can_not_be_read_it_is_said(lines: str, told: str) -> None:
    asked = [each.text for each in read(f"Name: Ada\n{lines}").questions if each.code == "amount"]
    said = [f"No amount could be read on line {told}: none is counted there."]
    assert asked == (said if told else [])


@pytest.mark.parametrize(
    ("lines", "currency", "asked"),
    [
        ("c0", Currency(0, 0), []),
        ("Basic Red Feet (c5 @ Inn)", Currency(None, 5), ["c0 is left after c5 was spent, so"]),
        ("c7", Currency(7, 7), ["c7 came in, and nothing says from where."]),
        ("Red Shield (stolen)", Currency(), []),
    ],
)
def test_what_is_open_in_the_books_is_asked(
    lines: str, currency: Currency, asked: list[str]
) -> None:
    sheet = read(f"Name: Ada\n\nGear:\n{lines}")
    assert sheet.currency == currency
    told = [each.text[: len(said)] for each, said in zip(sheet.questions, asked, strict=True)]
    assert told == asked


def test_a_sheet_has_one_lode() -> None:
    sheet = read("Name: Ada\n\nGear:\nEgo Lode - Grim\nAres Lode")
    assert (sheet.lode, sheet.possessions) == (Lode("Ego Lode", ["Grim"]), ["Ares Lode"])
    second = read("Name: Ada\n\nGear:\nEgo Lode - Grim\nAres Lode - Tally")
    assert (second.lode, second.possessions) == (sheet.lode, ["Ares Lode - Tally"])
    assert read("Name: Ada\n\nLode:\nQuartz").lode == Lode("Quartz")
    assert read("Name: Ada\n\nLode:\nBasic Red Lode (found)").gear == []
    assert read(f"Name: Ada\n\nLode:\n{PROSE}").unparsed == [PROSE]
    assert read("Name: Ada\n\nPossessions:\n\\Ego Lode - Grim").possessions == ["Ego Lode - Grim"]


LONG = f"Basic Red Claw (found, {'x' * 100})"


@pytest.mark.parametrize(
    ("below", "possessions", "unparsed"),
    [
        ("A rope\n\nA yard", ["A rope"], ["A yard"]),
        ("\nA rope\nA yard\n\nBasic Red Feet (found)", ["A rope", "A yard"], []),
        (f"A rope\n{PROSE}", [], ["A rope", PROSE]),
        (f"{PROSE}\nBasic Red Feet (found)", [], [PROSE]),
        (f"{LONG}\nA rope", ["A rope"], []),
    ],
)
def test_what_lies_beside_belongings_or_between_them_is_one(
    below: str, possessions: list[str], unparsed: list[str]
) -> None:
    sheet = read(f"Name: Ada\n\nBasic Red Helmet (found)\n{below}")
    assert (sheet.possessions, sheet.unparsed) == (possessions, unparsed)


def test_of_two_goals_with_a_star_neither_is_the_current_one() -> None:
    sheet = read("Name: Ada\n\nGoals:\n* Rest\nRun *")
    assert sheet.goals == [Goal("Rest"), Goal("Run")]
    assert [question.code for question in sheet.questions] == ["current-goal"]


def test_a_sheet_of_odd_words_is_written_so_that_it_reads_the_same() -> None:
    odd = ["Gear:", "c5", "• Leap", "Basic Red Helmet", "Primary – Guild", "\\o", "Name: Bo"]
    sheet = Sheet(
        name="Ada – Ben",
        tagline="a diver",
        sections=[Part("notes", "Notes", "\n".join([*odd, "", "Basic Red Claw (found)"]))],
        mode_deck=ModeDeck("", "", "Pride"),
        maneuvers=odd,
        goals=[*map(Goal, [*odd, "*Rest", "Rest *"]), Goal("*Sleep", current=True)],
        gear=[
            Gear("Basic", "Red", "Feet", "bought", "Inn", 20, 2),
            Gear("Basic", "Red", "Feet", "found", "", None, 3),
            Gear("Basic", "Red", "Claw", "won", "Inn", 5),
            Gear("Basic", "Red", "Claw", "bought", "Ada"),
        ],
        currency=Currency(3, 48),
        possessions=odd,
        lode=Lode("Ego Lode", ["Grim"]),
        unparsed=odd,
    )
    for each in (sheet, msgspec.structs.replace(sheet, currency=Currency(None, 45))):
        assert content(read(write(each))) == content(each), write(each)
    assert read(write(Sheet(name="Ada – Ben"))).name == "Ada – Ben"


HELD = [
    ("piece", "Basic", "Red", "Frontgear"),
    ("piece", "Basic", "Red", "Feet"),
    ("piece", "State of the Art", "Blue", "Claw"),
    ("lode", "", "", "Ego Lode"),
    ("possession", "Basic", "Red", "Shield"),
]


@pytest.mark.parametrize(
    ("goal", "number", "held"),
    [
        ("Basic Red Set (Front, Feet, , Feet)", 3, [0, 1]),
        ("Own a state-of-the-art blue Claw", 1, [2]),
        ("Basic Blue Feet", 1, []),
        ("Superior Red Feet", 1, []),
        ("Basic Red Shield", 1, []),
        ("Gain the Ego Lode.", 1, [3]),
        ("Rest", 0, []),
    ],
)
def test_what_a_goal_asks_for_is_found_among_what_is_held(
    goal: str, number: int, held: list[int]
) -> None:
    wanted = wanted_by(goal)
    assert (len(wanted), held_of(wanted, HELD)) == (number, held)


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        ("Win one match", (True, 1)),
        ("PLAY A DUEL.", (False, 1)),
        ("Play 12 matches", (False, 12)),
        ("Win", None),
    ],
)
def test_how_many_matches_a_goal_asks_for(goal: str, wanted: tuple[bool, int] | None) -> None:
    assert matches_wanted(goal) == wanted


def test_a_second_character_is_left_and_asked_about() -> None:
    other = SHEET.replace("Oriel Tamsin", "Somebody Else")
    sheet = read(SHEET + "\n" + other)
    assert sheet.name == "Oriel Tamsin"
    assert content(sheet) | {"unparsed": []} == content(read(SHEET))
    assert len(sheet.unparsed) == len([line for line in other.splitlines() if line])
    assert "several" in {question.code for question in sheet.questions}


def test_of_several_characters_the_one_with_the_most_sections_is_read() -> None:
    sheet = read(
        "Name: Ada\nGoals:\nRest\n\nName: Ben\nGoals:\nRun\n\nManeuvers:\nLeap\n\nName: Cy"
    )
    assert (sheet.name, sheet.maneuvers) == ("Ben", ["Leap"])
    assert sheet.unparsed == ["Name: Ada", "Goals:", "Rest", "Name: Cy"]


def lines_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if grammar.tidy(line)]


def words(text: str) -> set[str]:
    return set("".join(c if c.isalnum() else " " for c in text.casefold()).split())


@pytest.mark.parametrize("name", MANGLED)
def test_of_a_mangled_sheet_nothing_is_lost_and_nothing_invented(name: str) -> None:
    text = MANGLED[name](SHEET)
    sheet, whole = read(text), read(SHEET)
    assert [line.number for line in sheet.lines] == [
        number for number, line in enumerate(text.splitlines(), 1) if grammar.tidy(line)
    ]
    assert all(line.became for line in sheet.lines)
    said = msgspec.json.decode(msgspec.json.encode(sheet))
    del said["lines"], said["questions"]
    kept = words(" ".join(map(str, _leaves(said))))
    marks = {"character", "background", "mode", "deck", "goals", "current", "design", "card", "c"}
    numbers = {str(number) for number in range(1, 100)}
    assert words(text) - kept - marks - numbers - {"x", "goal", "c15", "c30", "c12", "hard"} <= {
        *("private", "ooc", "public", "ic", "primary", "secondary", "tertiary", "currency", "15×2")
    }
    invented = kept - words(text) - words(" ".join(map(str, _leaves(content(whole)))))
    assert invented - {"true", "false", "none", "72", "84", "60"} == set()
    assert {goal.text for goal in sheet.goals} <= set(GOALS)
    assert set(sheet.possessions) <= {"Ledger / Book of debts"}
    assert sheet.lode in (LODE, None)
    assert {p[:2] + p[3:4] + p[5:] for p in pieces(sheet)} <= {p[:2] + p[3:4] + p[5:] for p in GEAR}
    if name not in ("no name", "cut off"):
        assert sheet.name == "Oriel Tamsin"
    if name != "cut off":
        assert len(sheet.gear) == 4
        assert sheet.currency.amount == 12
        assert sheet.lode == LODE
    assert content(read(write(sheet))) == content(sheet)


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in _leaves(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item)]
    return [value]


# -- any sheet ------------------------------------------------------------------------------

WORD = st.text(string.ascii_letters, min_size=1, max_size=9)
TEXT = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
ODD = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=40)
HOW = st.one_of(
    st.just(""),
    TEXT.map("({})".format),
    st.builds("({}, {})".format, st.sampled_from([*grammar.METHODS]), TEXT),
    st.builds("(c{} @ {})".format, st.integers(0, 9999), TEXT),
    st.builds("(c{} x {} @ {})".format, st.integers(0, 999), st.integers(1, 9), TEXT),
)
PIECE = st.builds(
    "{} {} {} {}".format,
    st.sampled_from(QUALITIES),
    st.sampled_from(["Red", "Blue"]),
    TEXT.filter(lambda text: text.casefold() not in grammar.NO_PIECE),
    HOW,
)
LINE = st.one_of(
    TEXT,
    ODD,
    PIECE,
    st.just(""),
    st.integers(0, 999).map("c{} hard currency".format),
    st.builds("{} Lode - {} + {}".format, WORD, TEXT, TEXT),
    st.builds(
        "{}: {}".format, st.sampled_from([*grammar.TITLES.values(), "Character", "Name"]), TEXT
    ),
    st.sampled_from([*grammar.TITLES.values()]).map("{}:".format),
    TEXT.map("* {}".format),
    TEXT.map("Primary Design Card: {}".format),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(LINE, max_size=25).map("\n".join))
def test_any_text_keeps_every_line_and_writes_what_it_reads(text: str) -> None:
    sheet = read(text)
    numbers = [n for n, line in enumerate(text.splitlines(), 1) if grammar.tidy(line)]
    assert [line.number for line in sheet.lines] == numbers
    again = read(write(sheet))
    assert content(again) == content(sheet), write(sheet)


@settings(max_examples=200, deadline=None)
@given(
    TEXT,
    st.lists(TEXT, max_size=4),
    st.lists(PIECE, max_size=5),
    st.integers(0, 500),
    st.lists(TEXT.filter(lambda text: "ode" not in text), max_size=3),
)
def test_a_generated_sheet_is_read_as_it_was_made(
    name: str, goals: list[str], gear: list[str], money: int, things: list[str]
) -> None:
    lines = [
        f"Character: {name}",
        "",
        "Goals:",
        *(f"\\{goal}" for goal in goals),
        "",
        "Gear:",
        *gear,
    ]
    lines += [
        "",
        "Possessions:",
        *(f"\\{thing}" for thing in things),
        f"c{money} hard EGS currency",
    ]
    sheet = read("\n".join(lines))
    assert sheet.name == name
    assert [goal.text for goal in sheet.goals] == goals
    assert len(sheet.gear) + len(sheet.unparsed) == len(gear)
    assert sheet.possessions == things
    assert sheet.currency.amount == money
    assert sheet.currency.opening == money + sheet.spent


def test_gear_writes_and_reads_by_the_grammar() -> None:
    piece = Gear("Basic", "Blue", "Feet", "bought", "zGearGo", 20, 2)
    assert "Basic Blue Feet (c20 x 2 @ zGearGo)" in write(Sheet(gear=[piece]))


@pytest.mark.parametrize("kind", [kind for kind in Section.Kind if kind != "unparsed"])
def test_what_a_sheet_calls_its_parts_is_a_heading_when_it_is_pasted(kind: Section.Kind) -> None:
    with translation.override("en"):
        assert grammar.heading(f"{kind.label}:") == (kind, "")


def test_money_below_the_goals_is_no_goal() -> None:
    sheet = read("Name: Ada\n\nGoals: Rest\nHard Currency: c99")
    assert [goal.text for goal in sheet.goals] == ["Rest"]
    assert sheet.currency.amount == 99


@pytest.mark.parametrize("heading", ["Background:", "BACKGROUNDS", "background :"])
def test_a_background_that_says_no_more_is_kept_to_its_owner(heading: str) -> None:
    sheet = read(f"Name: Ada\n\n{heading}\nBackground noise was all she knew.\n\nGoals:\nRest")
    [kept] = sheet.sections
    assert (kept.key, kept.text) == ("private", "Background noise was all she knew.")
