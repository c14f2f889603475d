"""Seats and decks: what a match can start from, and the problems of a deck."""

from typing import Any

import pytest

from rules import texts
from rules.ruleset import Problem, SetupError
from rules.zg.acts import Options
from rules.zg.cards import BLANK_DECK, Card, Deck, ModeCard
from rules.zg.samples import starters
from tests.rules.zg.table import CARDS, DECK, RULESET, opened

STARTER = starters()["Ensign"]


def starting(*decks: Deck | None) -> Problem:
    """Return what keeps a match from starting."""
    with pytest.raises(SetupError) as refused:
        RULESET.start(opened(*decks))
    problem = refused.value.problem
    assert texts.of_finding(RULESET.texts, problem, {})
    return problem


@pytest.mark.parametrize("seats", range(2, 9))
def test_two_to_eight_sit_down(seats: int) -> None:
    state = RULESET.start(opened(*[DECK] * seats))

    assert len(state.board.sides) == seats


@pytest.mark.parametrize("seats", [1, 9])
def test_fewer_or_more_cannot_sit_down(seats: int) -> None:
    problem = starting(*[DECK] * seats)

    assert (problem.code, problem.params) == ("seat-count", {"seats": seats})


def test_three_cards_are_enough_and_two_are_not() -> None:
    RULESET.start(opened(DECK, Deck(cards=CARDS[:3])))

    problem = starting(DECK, Deck(cards=CARDS[:2]))

    assert (problem.code, problem.params) == ("too-few-cards", {"seat": 2, "cards": 2, "least": 3})


def test_dots_that_can_not_be_read_are_named_with_their_place() -> None:
    bad = Deck(cards=(*CARDS, Card(name="Odd", slot="Claw", a="R G", b="R G B")))

    problem = starting(DECK, bad)

    assert problem.code == "bad-end"
    assert problem.params == {
        "seat": 2,
        "card": "Odd",
        "end": "a",
        "problem": "column 4: an end has 3 dots, this has 2",
    }


# -- checking a deck ------------------------------------------------------------------


def problems(deck: Deck | None, **options: Any) -> list[str]:
    found = RULESET.check_deck(deck, Options(**options))
    for problem in found:
        assert texts.of_finding(RULESET.texts, problem, {})
    return [problem.code for problem in found]


def deck(*cards: Card, **rest: Any) -> Deck:
    return Deck(cards=cards, **rest)


def priced(cost: int | None) -> Deck:
    """Return a deck of nine cards, all for nothing but the first."""
    cards = [Card(name=c.name, slot=c.slot, cost=0) for c in CARDS[1:]]
    return deck(Card(name="Miss", slot="Helmet", cost=cost), *cards)


@pytest.mark.parametrize("name", list(starters()))
def test_a_starter_figure_is_legal_in_the_starter_class(name: str) -> None:
    assert problems(starters()[name], deck_class="starter") == []


def test_no_deck_and_blanks_are_legal() -> None:
    assert problems(None) == []
    assert problems(BLANK_DECK) == []


ULSTER = CARDS[-1]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (deck(*CARDS[:2]), "too-few-cards"),
        (deck(*CARDS, Card(name="Odd", slot="Claw", b="R G Y")), "bad-end"),
        (deck(*CARDS, Card(name=" Odd", slot="Claw")), "bad-name"),
        (deck(*CARDS, Card(name="Odd\tone", slot="Claw")), "bad-name"),
        (deck(*CARDS, Card(name="Odd", slot="Tail")), "unknown-slot"),
        (deck(*CARDS, Card(name="Odd")), "no-slot"),
        (deck(*CARDS[:-1]), "no-ulster"),
        (deck(*CARDS, ULSTER), "many-ulsters"),
        (deck(*CARDS, character="Ada", modes=("Wits",)), "character-and-modes"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_with_a_deck_is_named(wrong: Deck, code: str) -> None:
    assert code in problems(wrong)


def test_all_problems_are_named_at_once() -> None:
    wrong = deck(Card(name="Odd ", slot="Tail", a="R"), character="Ada", modes=("Wits",))

    assert problems(wrong) == [
        "too-few-cards",
        "bad-end",
        "bad-name",
        "unknown-slot",
        "no-ulster",
        "character-and-modes",
    ]


def test_slots_are_known_in_any_case() -> None:
    assert problems(deck(*CARDS[:-1], Card(name="U", slot="ulster"))) == []


@pytest.mark.parametrize(
    ("cost", "deck_class", "expected"),
    [
        (300, "starter", []),
        (301, "starter", ["too-costly"]),
        (None, "starter", ["cost-unknown"]),
        (600, "standard", ["no-mode-deck"]),
        (601, "standard", ["too-costly", "no-mode-deck"]),
        (9999, "open", []),
    ],
)
def test_a_class_has_its_price(cost: int | None, deck_class: str, expected: list[str]) -> None:
    assert problems(priced(cost), deck_class=deck_class) == expected


def test_the_standard_class_counts_modes_and_wants_no_character_card() -> None:
    modes = (ModeCard(name="Wits", cost=300), ModeCard(name="Solon", cost=301))
    with_modes = Deck(cards=priced(0).cards, modes=modes)
    with_character = Deck(cards=priced(0).cards, character="Ada")

    assert problems(with_modes, deck_class="standard") == ["too-costly"]
    assert problems(with_character, deck_class="standard") == [
        "character-in-standard",
        "no-mode-deck",
    ]
    assert problems(Deck(cards=priced(0).cards, modes=("Wits",)), deck_class="standard") == [
        "cost-unknown"
    ]
