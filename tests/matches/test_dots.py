"""Dots drawn from text: shape, letter and colour each identify the dot."""

import re

import pytest

from matches.templatetags.dots import CELL, LETTERS, SHIELDING, dots, spoken
from matches.templatetags.look import icon


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("R G B", "red, green, blue"),
        ("R+ G* B#", "red armour-piercing, green explosive, blue armour"),
        ("B##o", "blue double armour and weak point"),
        ("R++*", "red double armour-piercing and explosive"),
        ("?", "not known yet"),
    ],
)
def test_dots_are_said_in_words(text: str, says: str) -> None:
    assert spoken(text) == says


def test_a_drawing_says_itself() -> None:
    assert 'role="img" aria-label="red, green explosive"' in dots("R G*")


def test_a_decorative_drawing_is_silent() -> None:
    assert 'aria-hidden="true"' in dots("R", "", True)


@pytest.mark.parametrize(
    ("letter", "shape"), [("R", "a11 11"), ("G", "13 13-13 13"), ("B", "h20v20")]
)
def test_every_colour_has_a_shape_and_its_letter(letter: str, shape: str) -> None:
    drawing = dots(letter)
    assert shape in drawing
    assert LETTERS[letter][1] in drawing


def test_a_mark_is_drawn_as_often_as_it_counts() -> None:
    line = SHIELDING["#"][1]
    assert [dots(row).count(line) for row in ("R#", "R##", "R# G##")] == [1, 2, 3]


def test_what_is_drawn_alike_is_one_line_and_letters_lie_on_top() -> None:
    drawing = dots("R+ R G+")
    assert re.findall('class="([^"]+)"', drawing) == [
        "dots ", "dot-r", "blaze", "dot-g", "dot-letter",
    ]  # fmt: skip


def test_many_marks_of_a_dot_stay_within_its_cell() -> None:
    left = [float(x) for x in re.findall(r"M([\d.]+) 48", dots("B##o"))]
    assert 'transform="scale(0.75)"' in dots("B##o")
    assert left and all(0 <= x * 0.75 <= CELL - 9 for x in left)


def test_no_text_gets_out_of_its_drawing() -> None:
    drawing = dots('<script>alert(1)</script> "x', '"><b>')
    assert "<script" not in drawing
    assert "<b>" not in drawing


def test_an_icon_with_a_label_says_it() -> None:
    assert 'aria-label="Live"' in icon("eye", "Live")
    assert "aria-hidden" in icon("eye")
