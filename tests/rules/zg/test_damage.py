"""The worked examples of the rulebook, and a second implementation that agrees on everything."""

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import pytest

from rules.bots import Stream
from rules.zg.acts import Options
from rules.zg.damage import compare, most_strikes
from rules.zg.ends import End
from rules.zg.samples import sample_end
from tests.rules.zg.naive import naive_compare

AGAIN, STUN = "slag-again", "slag-stun-again"

# Section 18 of the rulebook: number, attack, target, matches, strikes and result in the Basic
# Rules, and by the Card Tests post where that differs.
WORKED: list[tuple[str, str, str, int, int, str, int, str]] = [
    ("1", "R G B", "B R G", 0, 0, "miss", 0, "miss"),
    ("2", "R G B", "R R R", 1, 1, "targetlock", 1, "targetlock"),
    ("3", "R G B", "R G R", 2, 2, "slag", 2, "slag"),
    ("4", "R G B", "R G B", 3, 3, AGAIN, 3, AGAIN),
    ("5", "G* R+ B", "G# R B", 3, 2, "slag", 2, "slag"),
    ("6", "R G B", "R# G# B#", 3, 0, "blocked", 0, "blocked"),
    ("7", "R+ G B", "R# R R", 1, 1, "targetlock", 1, "targetlock"),
    ("9", "R++ G B", "R## R R", 1, 1, "targetlock", 1, "targetlock"),
    ("10", "R++ G B", "R# R R", 1, 1, "targetlock", 1, "targetlock"),
    ("11", "R+ G B", "R B G", 1, 1, "targetlock", 1, "targetlock"),
    ("12", "R* G B", "R# B G", 1, 0, "blocked", 0, "blocked"),
    ("13", "R G B", "Ro B G", 1, 1, "targetlock", 1, "targetlock"),
    ("14", "R+ G B", "Ro B G", 1, 2, "slag", 3, AGAIN),
    ("15", "R+ G B", "Bo R R", 0, 0, "miss", 0, "miss"),
    ("16", "R* G B", "Bo R R", 0, 1, "targetlock", 1, "targetlock"),
    ("19", "R* G B", "Ro R R", 1, 1, "targetlock", 2, "slag"),
    ("23", "R+ G B", "Ro G B", 3, 4, STUN, 5, STUN),
]


def result_of(attack: str, target: str, *places: Any, **options: Any) -> tuple[int, int, str]:
    test = compare(End.parse(attack), End.parse(target), Options(**options), *places)
    return test.dot_matches, test.strikes, test.result


@pytest.mark.parametrize(
    ("attack", "target", "matches", "strikes", "result", "adding", "result_adding"),
    [pytest.param(*row[1:], id=f"row {row[0]}") for row in WORKED],
)
def test_a_worked_example_has_its_printed_result(
    attack: str,
    target: str,
    matches: int,
    strikes: int,
    result: str,
    adding: int,
    result_adding: str,
) -> None:
    assert result_of(attack, target) == (matches, strikes, result)
    assert result_of(attack, target, strikes="card_tests") == (matches, adding, result_adding)


@pytest.mark.parametrize("strikes", ["basic", "card_tests"])
def test_row_16_without_a_match_there_is_no_damage_in_strict_time_order(strikes: str) -> None:
    found = result_of("R* G B", "Bo R R", strikes=strikes, strict_time_order=True)

    assert found == (0, 0, "miss")


@pytest.mark.parametrize("strikes", ["basic", "card_tests"])
@pytest.mark.parametrize(
    ("attack", "target", "augments", "bolsters", "matches", "hits", "result"),
    [
        pytest.param("R G R", "R G B", (), (), 2, 2, "slag", id="before row 25"),
        pytest.param("R G R", "R G B", (), (1,), 2, 1, "targetlock", id="row 25"),
        pytest.param("R G R", "R G B", (1,), (1,), 2, 2, "slag", id="row 26"),
        pytest.param("R+ G B", "R## R R", (1,), (), 1, 1, "targetlock", id="row 27"),
    ],
)
def test_bolsters_and_augments_add_their_blaze(
    attack: str,
    target: str,
    augments: tuple[int, ...],
    bolsters: tuple[int, ...],
    matches: int,
    hits: int,
    result: str,
    strikes: str,
) -> None:
    assert result_of(attack, target, augments, bolsters, strikes=strikes) == (matches, hits, result)


# Section 6.5: one dot under each reading, and with `ap_not_consumed` (CON-4).
ONE_DOT = [
    ("R+", "Ro", 2, 3, 2, 3),
    ("R*", "Ro", 1, 2, 1, 2),
    ("R*", "R#o", 1, 2, 1, 2),
    ("R*", "R##o", 1, 2, 1, 2),
    ("G*", "Ro", 1, 1, 1, 1),
    ("G*", "R##o", 1, 1, 1, 1),
    ("G+", "Ro", 0, 0, 0, 0),
    ("R+", "R#o", 1, 1, 2, 3),
    ("R++", "R#o", 2, 3, 2, 3),
    ("R++", "R##o", 1, 1, 2, 3),
    ("R+", "R##o", 0, 0, 0, 0),
    ("R", "R#", 0, 0, 0, 0),
    ("R+", "R##", 0, 0, 0, 0),
    ("R++", "R##", 1, 1, 1, 1),
    ("R+*", "Ro", 2, 3, 2, 3),
    ("R+*", "R#o", 1, 2, 2, 3),
    ("R", "Ro", 1, 1, 1, 1),
]


@pytest.mark.parametrize(
    ("attack", "target", "basic", "adding", "kept", "kept_adding"),
    ONE_DOT,
    ids=[f"{row[0]} on {row[1]}" for row in ONE_DOT],
)
def test_one_dot_strikes_as_each_reading_has_it(
    attack: str, target: str, basic: int, adding: int, kept: int, kept_adding: int
) -> None:
    def strikes(**options: Any) -> int:
        ends = End.parse(f"{attack} G G"), End.parse(f"{target} B B")
        return compare(*ends, Options(**options)).dots[0].strikes

    assert strikes() == basic
    assert strikes(strikes="card_tests") == adding
    assert strikes(ap_not_consumed=True) == kept
    assert strikes(strikes="card_tests", ap_not_consumed=True) == kept_adding


WHY = [
    ("R", "G", "no-match", "ZG ATK-5", {}),
    ("R+", "Go", "piercing-needs-match", "ZG 6.3.3", {}),
    ("R", "R", "plain-match", "ZG 6.3.1", {}),
    ("R", "R#", "armour-blocks", "ZG 6.3.2", {}),
    ("R*", "R#", "armour-stops-explosive", "ZG 6.3.5", {}),
    ("R+", "R#", "armour-pierced", "ZG 6.3.2", {}),
    ("R+", "R#o", "piercing-used-up", "ZG 6.3.6", {}),
    ("R+", "R#o", "weak-point-pierced-too", "ZG CON-4", {"ap_not_consumed": True}),
    ("R+", "R", "piercing-idle", "ZG 6.3.5", {}),
    ("R*", "R", "explosive-idle", "ZG 6.3.5", {}),
    ("R", "Ro", "weak-point-unharmed", "ZG 6.3.5", {}),
    ("R+", "Ro", "weak-point-pierced", "ZG 6.3.3", {}),
    ("R+", "Ro", "weak-point-pierced", "ZG CON-1", {"strikes": "card_tests"}),
    ("R*", "Ro", "weak-point-exploded", "ZG 6.3.4", {}),
    ("R*", "Ro", "weak-point-exploded", "ZG CON-2", {"strikes": "card_tests"}),
    ("G*", "Ro", "weak-point-exploded", "ZG 6.3.4", {"strikes": "card_tests"}),
    ("G*", "Ro", "no-match-no-damage", "ZG CON-3", {"strict_time_order": True}),
]


@pytest.mark.parametrize(
    ("attack", "target", "why", "clause", "options"),
    WHY,
    ids=[f"{row[0]} on {row[1]}: {row[2]} {row[3]}" for row in WHY],
)
def test_each_dot_says_why_and_by_which_clause(
    attack: str, target: str, why: str, clause: str, options: dict[str, Any]
) -> None:
    dot = compare(End.parse(f"{attack} G G"), End.parse(f"{target} B B"), Options(**options)).dots[
        0
    ]

    assert (dot.attack, dot.target) == (attack, target)
    assert (dot.why, dot.clause) == (why, clause)


def test_the_printed_example_is_explained_dot_by_dot() -> None:
    test = compare(End.parse("G* R+ B"), End.parse("G# R B"))

    assert [(dot.matched, dot.strikes) for dot in test.dots] == [(True, 0), (True, 1), (True, 1)]
    assert [dot.why for dot in test.dots] == [
        "armour-stops-explosive",
        "piercing-idle",
        "plain-match",
    ]


def test_a_dot_shows_the_blazes_it_was_given() -> None:
    test = compare(End.parse("R++ G B"), End.parse("R## G B"), augments=(1, 2), bolsters=(1, 1))

    assert [(dot.attack, dot.target) for dot in test.dots] == [
        ("R+++", "R####"),
        ("G+", "G"),
        ("B", "B"),
    ]


# -- a second compare -----------------------------------------------------------------

SWITCHES = [
    {"strikes": strikes, "strict_time_order": strict, "ap_not_consumed": kept}
    for strikes, strict, kept in product(("basic", "card_tests"), (False, True), (False, True))
]
PAIRS = 100_000


def _places(pick: Stream) -> tuple[int, ...]:
    return tuple(sorted(1 + pick(3) for _ in range((0, 0, 0, 1, 1, 2)[pick(6)])))


@cache
def random_pairs() -> list[tuple[End, str, End, str, tuple[int, ...], tuple[int, ...]]]:
    """Return pairs of ends, each end also as text, with augments and bolsters."""
    pick = Stream("pairs")
    ends = [(end, str(end)) for end in (sample_end(pick) for _ in range(1000))]
    places = [(_places(pick), _places(pick)) for _ in range(200)]
    return [(*pick.choice(ends), *pick.choice(ends), *pick.choice(places)) for _ in range(PAIRS)]


def by_naive(
    attack: str, target: str, switch: dict[str, Any], augments: Any = (), bolsters: Any = ()
) -> tuple[int, int, str]:
    return naive_compare(
        attack,
        target,
        card_tests=switch["strikes"] == "card_tests",
        strict_time_order=switch["strict_time_order"],
        ap_not_consumed=switch["ap_not_consumed"],
        augments=augments,
        bolsters=bolsters,
    )


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: " ".join(map(str, switch.values())))
def test_a_second_compare_agrees_on_random_pairs(
    switch: dict[str, Any], record_property: Any
) -> None:
    options = Options(**switch)
    results: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for n, (attack, a, target, t, augments, bolsters) in enumerate(random_pairs()):
        test = compare(attack, target, options, augments, bolsters)
        found = test.dot_matches, test.strikes, test.result
        assert found == by_naive(a, t, switch, augments, bolsters), (a, t, augments, bolsters)
        results[test.result] += 1
        if n % 50 == 0:
            reasons.update(dot.why for dot in test.dots)
    figure = f"{PAIRS} random tests: {dict(results)}; every 50th's dots: {dict(reasons)}"
    record_property("figure", figure)
    print(figure)
    assert len(results) == 6


ALL_DOTS = [
    c + "+" * ap + "*" * e + "#" * armour + "o" * weak
    for c, ap, e, armour, weak in product("RG", range(3), range(2), range(3), range(2))
]


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: " ".join(map(str, switch.values())))
def test_a_second_compare_agrees_on_every_pair_of_dots(switch: dict[str, Any]) -> None:
    options = Options(**switch)
    for a, t in product(ALL_DOTS, ALL_DOTS):
        attack, target = f"{a} R G", f"{t} B B"
        test = compare(End.parse(attack), End.parse(target), options)
        expected = by_naive(attack, target, switch)
        assert (test.dot_matches, test.strikes, test.result) == expected, (attack, target)
        assert test.strikes <= most_strikes(options)
