"""Gear as cards: slots, blanks in known words alone, Mode cards and the cost of a deck."""

import msgspec
import pytest

from rules.zg import pieces, setup
from rules.zg.acts import Options
from rules.zg.cards import Deck


@pytest.mark.parametrize(
    ("kind", "slot"),
    [
        ("Helmet", "Helmet"),
        ("Feet", "Footgear"),
        ("Front", "Frontgear"),
        ("frontgear", "Frontgear"),
        ("Loader Claw", "Claw"),
        ("Reflex Ulster", "Ulster"),
        ("Grapple", ""),
        ("", ""),
    ],
)
def test_a_type_goes_into_its_slot(kind: str, slot: str) -> None:
    assert pieces.slot_of(kind) == slot


def test_a_blank_is_called_by_known_words_alone() -> None:
    known = pieces.blank_piece("Loader Claw", "state of the art", "BLUE")
    assert known == {
        "name": "State of the Art Blue Claw",
        "slot": "Claw",
        "quality": "State of the Art",
        "colour": "Blue",
    }
    said = msgspec.json.encode(pieces.blank_piece("Aunt Ilse's thing", "her own", "mauve"))
    assert msgspec.json.decode(said) == {"name": "Gear"}


def test_a_mode_card_is_a_known_one_or_its_place() -> None:
    assert pieces.mode_card("ambition (c40)", "Tertiary design") == {"name": "Ambition", "cost": 40}
    assert pieces.mode_card("Aunt Ilse ¢5", "Maneuver 2") == {"name": "Maneuver 2", "cost": 5}
    assert pieces.mode_card("Consortium", "Primary design") == {"name": "Consortium"}


def test_a_deck_costs_what_is_known_against_its_class() -> None:
    deck = msgspec.convert(
        {
            "cards": [{"name": "Feet", "cost": 20}, {"name": "Feet", "cost": 20}, {"name": "Gear"}],
            "modes": ["Heart", {"name": "Ambition", "cost": 30}],
        },
        Deck,
    )
    assert setup.cost_of(deck, Options(deck_class="standard")) == setup.Cost(70, 2, 600)
    assert setup.cost_of(deck, Options()).most is None
    assert pieces.names_in(deck) == ("Feet", "Feet 2", "Gear")
