"""Dots drawn from text: shape, letter and colour each say which dot it is."""

import pytest

from matches.templatetags.dots import dots, spoken
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
    ("letter", "shape"), [("R", "<circle"), ("G", "27 24 14 37"), ("B", "h20v20")]
)
def test_every_colour_has_a_shape_and_its_letter(letter: str, shape: str) -> None:
    drawing = dots(letter)
    assert shape in drawing
    assert f">{letter}</text>" in drawing


def test_a_mark_is_drawn_as_often_as_it_counts() -> None:
    assert dots("R##").count('class="blaze"') == 2


def test_no_text_gets_out_of_its_drawing() -> None:
    drawing = dots('<script>alert(1)</script> "x', '"><b>')
    assert "<script" not in drawing
    assert "<b>" not in drawing


def test_an_icon_with_a_label_says_it() -> None:
    assert 'aria-label="Live"' in icon("live", "Live")
    assert "aria-hidden" in icon("live")
