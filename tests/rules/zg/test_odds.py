"""Odds: every case counted, compared with a second count by hand and dice."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from random import Random
from typing import Any

import pytest

from rules import tools
from rules.zg import odds, samples
from rules.zg.acts import BASIC, Options
from rules.zg.cards import gear_of
from rules.zg.ends import End
from rules.zg.state import State
from tests.rules.zg.naive import naive_compare
from tests.rules.zg.table import RULESET, played

ODDS, BEST_END = RULESET.tools["odds"], RULESET.tools["best-end"]


def asked(**plain: Any) -> dict[str, Any]:
    return tools.call(ODDS, plain)


def test_three_colours_each_as_likely_match_as_told() -> None:
    every = [f"{a} {b} {c}" for a in "RGB" for b in "RGB" for c in "RGB"]
    found = asked(attack="R G B", deck=",".join(every))

    chances = {row["dot_matches"]: row["chance"] for row in found["dot_matches"]}
    assert chances == {0: "8/27", 1: "4/9", 2: "2/9", 3: "1/27"}
    assert found["expected"] == "1"
    assert [row["percent"] for row in found["dot_matches"]] == [29.6, 44.4, 22.2, 3.7]


def test_of_two_ends_that_strike_as_much_the_one_more_likely_to_slag_is_better() -> None:
    sure = odds.Odds({}, {1: Fraction(1)}, {}, Fraction())
    bold = odds.Odds({}, {0: Fraction(1, 2), 2: Fraction(1, 2)}, {}, Fraction())

    assert odds.best_end({"a": sure, "b": bold}) == "b"
    assert odds.best_end({"a": bold, "b": bold}) == "a"
    most = odds.Odds({}, {0: Fraction(2, 3), 4: Fraction(1, 3)}, {}, Fraction())
    assert odds.best_end({"a": bold, "b": most}) == "b"


def test_a_half_known_card_counts_half_as_unknown() -> None:
    found = asked(attack="R G B", deck={"cards": [{"name": "Blank", "a": "R G B"}]})

    assert found["unknown"] == {"chance": "1/2", "percent": 50.0}
    assert found["results"] == [
        {"result": "slag-again", "chance": "1/2", "percent": 50.0, "text": "slagged, attack again"}
    ]


def test_a_retest_turns_a_bad_spin_half_the_time() -> None:
    deck = "R R R / G R G"  # one strike, or none

    def expected(who: str) -> str:
        return str(asked(attack="R G B", deck=deck, retest=who)["expected"])

    assert [expected(who) for who in ("none", "attacker", "foe")] == ["1/2", "3/4", "1/4"]


def test_slagged_cards_are_drawn_no_more() -> None:
    names = list(gear_of(samples.starters()["Merc"]))
    last = asked(attack="R G B", deck="Merc", without=tuple(names[1:]))
    card = samples.starters()["Merc"].cards[0]

    assert last == asked(attack="R G B", deck=f"{card.a} / {card.b}")


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ({"deck": "R G"}, "deck, column"),
        ({"deck": "Nobody"}, "nor a sample deck; those: Ensign, Merc"),
        ({"deck": "R G B / R G B / R G B"}, "has 3 ends"),
        ({"deck": {"cards": []}}, "no card is left"),
        ({"deck": "Merc", "without": ("Nothing",)}, "no card 'Nothing'"),
        ({"deck": "R G B", "without": ("Merc",)}, "no names"),
        ({"deck": "R G B", "augments": 4}, "<= 3"),
        ({"deck": "R G B", "attack": "X"}, "attack, column 1"),
    ],
)
def test_odds_that_cannot_be_computed_are_refused_with_the_place(
    plain: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        asked(**{"attack": "R G B", **plain})


def test_the_best_end_is_the_one_that_strikes_more() -> None:
    found = tools.call(BEST_END, {"card": "R G B / R+ G B", "deck": "R#o G# B"})

    assert found["best"] == "b"
    assert found["b"] == asked(attack="R+ G B", deck="R#o G# B")
    same = tools.call(BEST_END, {"card": "R G B / R G B", "deck": "Merc"})
    assert same["best"] == "a"
    with pytest.raises(ValueError, match="two ends"):
        tools.call(BEST_END, {"card": "R G B", "deck": "Merc"})


# -- a second counting ----------------------------------------------------------------


def counted(
    attack: str, deck: list[list[str]], *, augments: int, bolsters: int, retest: str, adding: bool
) -> Counter[int]:
    """Play every draw, spin and spin again, one after the other; return strikes in 4ths."""

    def strikes(target: str) -> int:
        return min(
            max(
                naive_compare(attack, target, card_tests=adding, augments=a, bolsters=b)[1]
                for a in combinations_with_replacement((1, 2, 3), augments)
            )
            for b in combinations_with_replacement((1, 2, 3), bolsters)
        )

    found: Counter[int] = Counter()
    for card in deck:
        came = [strikes(end) for end in card]
        for first in came:
            again = {"attacker": first < max(came), "foe": first > min(came)}.get(retest, False)
            for second in came:
                found[second if again else first] += 1
    return found


def test_odds_agree_with_a_second_counting(record_property: Any) -> None:
    dice, cases = Random(7), 0
    for _ in range(400):
        deck = [[_end(dice), _end(dice)] for _ in range(dice.randint(1, 3))]
        attack = _end(dice)
        asking: dict[str, Any] = {
            "augments": dice.randint(0, 2),
            "bolsters": dice.randint(0, 1),
            "retest": dice.choice(["none", "attacker", "foe"]),
        }
        adding = dice.random() < 0.5
        found = odds.odds(
            End.parse(attack),
            [[End.parse(end) for end in card] for card in deck],
            Options(strikes="card_tests") if adding else BASIC,
            **asking,
        )
        second = counted(attack, deck, adding=adding, **asking)
        whole = 4 * len(deck)
        assert found.strikes == {n: Fraction(c, whole) for n, c in sorted(second.items())}
        assert sum(found.results.values()) == sum(found.dot_matches.values()) == 1
        cases += whole
    record_property("figure", f"odds: 400 random decks, {cases} cases, as counted a second time")


def _end(dice: Random) -> str:
    blazes = ["", "", "", "+", "*", "#", "o", "#o", "++", "##"]
    return " ".join(dice.choice("RGB") + dice.choice(blazes) for _ in range(3))


# -- luck -----------------------------------------------------------------------------


def test_a_card_that_is_locked_is_not_drawn_by_chance() -> None:
    lock, again = "attacked 1 One a 2 Shield a", "attacked 1 Two a 2 Shield a"
    locked, fresh = (played(*lines).head.state for lines in ([lock], ["moved 1"]))
    drawn = played(lock, "target-drawn 1 2 Shield").head.state

    def hoped(state: State) -> Fraction:
        act = RULESET.read(again)
        chance = RULESET.chance_of(state, act, RULESET.decide(state, act))
        assert chance is not None
        return chance.expected

    assert hoped(locked) == Fraction(3, 2)
    assert hoped(fresh) == hoped(drawn) != Fraction(3, 2)


@pytest.mark.parametrize(
    ("attack", "retest", "expected", "came"),
    [
        ("", "target b", Fraction(-1, 2), -1),
        ("", "target b bolsters=[3]", Fraction(-3, 2), -2),
        ("bolsters=[1]", "target b", Fraction(-1, 2), 0),
        ("augments=[1] bolsters=[1]", "target b", Fraction(-1, 2), -1),
        ("", "target b augments=[3] bolsters=[3]", Fraction(-1, 2), -1),
    ],
)
def test_a_retest_is_as_lucky_as_what_it_changes(
    attack: str, retest: str, expected: Fraction, came: int
) -> None:
    """Two strikes `R G B` twice and `G B R` once.

    A bolster takes one strike from either end; an augment, placed last, gives it back.
    """
    tested = played(f"attacked 1 Two a 2 Shield a {attack}").head.state
    act = RULESET.read(f"retested 2 {retest}")
    chance = RULESET.chance_of(tested, act, RULESET.decide(tested, act))

    assert chance is not None
    assert (chance.seat, chance.expected, chance.came) == (1, expected, came)
