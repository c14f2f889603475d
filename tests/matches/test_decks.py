"""Ways to bring a deck: samples, blanks, JSON, or a table of text."""

import pytest

import rules
from matches import decks
from matches.errors import BadInput

GAME = rules.get("zg")

TABLE = """
name | slot | colour | impulse | a | b
Rim Helm | Helmet | red | 6 | R+ G B | G R# B
Dust Shield | Shield
"""


def test_a_table_holds_a_card_a_line() -> None:
    first, second = decks.read(GAME, TABLE)["cards"]
    assert first == {
        "name": "Rim Helm",
        "slot": "Helmet",
        "colour": "red",
        "impulse": 6,
        "a": "R+ G B",
        "b": "G R# B",
    }
    assert second == {"name": "Dust Shield", "slot": "Shield"}


@pytest.mark.parametrize("sign", ["|", "\t", ";", ","])
def test_columns_may_be_parted_by_any_usual_sign(sign: str) -> None:
    text = f"name{sign}slot\nRim Helm{sign}Helmet"
    assert decks.read(GAME, text)["cards"] == [{"name": "Rim Helm", "slot": "Helmet"}]


def test_a_table_typed_without_columns_has_the_usual_ones() -> None:
    usual = decks.usual_columns(GAME)
    bare = "Rim Helm | Helmet | red | R+ G B | G R# B\nDust Shield | Shield"
    headed = f"{' | '.join(usual)}\n{bare}"
    assert decks.read(GAME, bare, columns=usual) == decks.read(GAME, headed)
    assert decks.read(GAME, TABLE, columns=usual) == decks.read(GAME, TABLE)


def test_several_powerups_stand_in_one_cell() -> None:
    text = "name | powerups\nRim Feet | Z-G, Retest"
    assert decks.read(GAME, text)["cards"] == [{"name": "Rim Feet", "powerups": ["Z-G", "Retest"]}]


@pytest.mark.parametrize("text", ['[{"name": "x"}]', ' {"cards": [{"name": "x"}]}'])
def test_json_is_taken_as_it_is(text: str) -> None:
    assert decks.read(GAME, text) == {"cards": [{"name": "x"}]}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "line 1"),
        ("name | wings\nx | y", "line 1"),
        ("name | name\nx | y", "line 1"),
        ("name | slot\nx | y | z", "line 2"),
        ("name | impulse\nx | 6\ny | six", "line 3"),
        ("name | impulse\nx | ²", "line 2"),
        ("\nname | impulse\n\n\nx | six", "line 5"),
        ("\n\nname | wings\nx | y", "line 3"),
        ("name | impulse\nx | " + "9" * 30, "line 2"),
        ("x" * 100_001, "deck"),
    ],
    ids=[
        "empty",
        "unknown",
        "twice",
        "too many cells",
        "no number",
        "odd digit",
        "after blank lines",
        "headed late",
        "huge",
        "too long",
    ],
)
def test_an_unreadable_line_is_named(text: str, where: str) -> None:
    with pytest.raises(BadInput) as refused:
        decks.read(GAME, text)
    assert refused.value.where == where


def test_a_program_may_put_every_cell_in_quotes_and_leave_rows_empty() -> None:
    text = '"Name","Slot"\r\n"Rim Helm","Helmet"\r\n"",""\r\n"The ""Rim""","Claw"\r\n'
    assert decks.read(GAME, text)["cards"] == [
        {"name": "Rim Helm", "slot": "Helmet"},
        {"name": 'The "Rim"', "slot": "Claw"},
    ]


def test_a_cell_of_two_lines_is_not_made_one_of_them() -> None:
    assert decks.read(GAME, 'name,slot\n"Rim\nHelm",Helmet')["cards"][0]["name"] == "Rim\nHelm"


@pytest.mark.parametrize("text", ["{", '{"a": NaN}', "[" * 100_000])
def test_bad_json_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        decks.read(GAME, text)


def test_json_is_as_long_as_it_has_characters() -> None:
    name = "ö" * (decks.LIMIT - 13)
    assert decks.read(GAME, f'[{{"name":"{name}"}}]') == {"cards": [{"name": name}]}


def test_a_game_without_cards_has_no_decks() -> None:
    assert not decks.takes_cards(rules.get("score"))
    assert decks.samples(rules.get("score")) == {}


@pytest.mark.parametrize("cell", ["x" * 140_000, '"Rim Claw | Claw\nRim Feet | Feet', '"Rim" Claw'])
def test_a_cell_that_cannot_be_read_is_named_with_its_line(cell: str) -> None:
    text = f"name|slot\nRim Helm|Helmet\n{cell}|Shield\nRim Ulster|Ulster"
    with pytest.raises(BadInput) as refused:
        decks.read(GAME, text, 1_000_000)
    assert (refused.value.code, refused.value.where) == ("bad-row", "line 3")


@pytest.mark.parametrize("text", ["name | slot\nRim Helm | Helmet", '[{"name": "Rim Helm"}]'])
def test_a_byte_order_mark_is_not_part_of_the_text(text: str) -> None:
    assert decks.read(GAME, f"\ufeff{text}") == decks.read(GAME, text)
