"""Ends of cards are parsed, written in one canonical form, or refused with the place."""

import re
from itertools import product

import pytest

from rules.zg.ends import END_PATTERN, Dot, End, EndError

DOTS = [
    colour + "+" * ap + "*" * explosive + "#" * armour + "o" * weak
    for colour, ap, explosive, armour, weak in product(
        "RGB", range(3), range(2), range(3), range(2)
    )
]


def test_an_end_is_read_dot_by_dot() -> None:
    assert End.parse("R+ G* B##o").dots == (
        Dot("R", ap=1),
        Dot("G", explosive=True),
        Dot("B", armour=2, weak=True),
    )


@pytest.mark.parametrize("dot", DOTS)
def test_every_dot_is_written_as_it_is_read(dot: str) -> None:
    text = f"{dot} R G"

    assert str(End.parse(text)) == text
    assert re.search(END_PATTERN, text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Ro#  G#o# B", "R#o G##o B"),
        ("  R*+ G+*+ Bo+", "R+* G++* B+o"),
    ],
)
def test_blazes_may_stand_in_any_order(text: str, canonical: str) -> None:
    assert str(End.parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: an end has 3 dots, this has 0"),
        ("R G", "column 4: an end has 3 dots, this has 2"),
        ("R G B R", "column 7: an end has 3 dots, this has 4"),
        ("R Y B", "column 3: 'Y' is no colour; expected R, G or B"),
        ("R G+! B", "column 5: '!' is no blaze; expected +, *, # or o"),
        ("R G +B", "column 5: '+' is no colour; expected R, G or B"),
        ("R+++ G B", "column 4: '+' is there more than 2 times"),
        ("R G B#o##", "column 9: '#' is there more than 2 times"),
        ("R** G B", "column 3: '*' is there more than 1 times"),
        ("r G B", "column 1: 'r' is no colour; expected R, G or B"),
    ],
)
def test_what_can_not_be_read_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(EndError, match=re.escape(message)):
        End.parse(text)
    assert not re.search(END_PATTERN, text)


def test_a_mirrored_end_is_read_from_the_other_side() -> None:
    assert str(End.parse("R+ G B#").mirrored()) == "B# G R+"
