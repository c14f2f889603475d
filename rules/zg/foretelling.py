"""The results of tests, computed ahead, so that a phone without a network can show verdicts.

The tables come from `compare`, so that tests are computed nowhere else. A test that is not in them
(an unknown end, blazes on more than one dot) is judged when the act arrives.
"""

from functools import lru_cache
from typing import Any

from rules.zg.acts import Options, Places
from rules.zg.damage import CardTest, compare, facing, facing_places, result_of
from rules.zg.ends import End
from rules.zg.state import ENDS, State, dots_of
from rules.zg.words import TEXTS

BLAZES: dict[str, tuple[Places, Places]] = {
    "": ((), ()),
    **{f"+{place}": ((place,), ()) for place in (1, 2, 3)},
    **{f"#{place}": ((), (place,)) for place in (1, 2, 3)},
}
"""The powerups covered by the tables: none, one augment or one bolster. Rule: ZG ATK-11."""

MAX_TOLD = 4
"""From this many strikes on, the result is the same. Rule: ZG 6.1."""

MAX_SEATS = 4
"""At larger tables, powerups are left to the server's verdict."""

Ends = tuple[str, ...]


def foretell(state: State) -> dict[str, Any]:
    """Return the result of each known end against each other, as plain data.

    `ends`: per seat a card's ends as numbers, None if not known. `tests`: per blazes a grid, attack
    × target by those numbers, of indexes into `results`; each result has `dot_matches`, `strikes`,
    `result`, `text` and `dots`, three indexes into `pairs`; with blazes there are no `dots`, which
    would make the download ten times as large. `called`: the results of tests called by their
    strikes; the last one is for that many or more.
    """
    ends: list[dict[str, list[int | None]]] = []
    known: dict[str, int] = {}
    for seat, gear in enumerate(state.gear, 1):
        rows = {name: [dots_of(state, seat, name, end) for end in ENDS] for name in gear}
        ends.append(
            {
                name: [known.setdefault(dots, len(known)) if dots else None for dots in row]
                for name, row in rows.items()
            }
        )
    blazes = tuple(BLAZES) if len(ends) <= MAX_SEATS else ("",)
    called = [{"result": result_of(strikes, None)} for strikes in range(MAX_TOLD + 1)]
    return {"ends": ends, "called": called, **_tables(tuple(known), state.options, blazes)}


@lru_cache(maxsize=64)
def _tables(dots: Ends, options: Options, blazes: tuple[str, ...]) -> dict[str, Any]:
    """Return the tests of some ends under each of these blazes, as `foretell` describes them."""
    pairs: dict[tuple[Any, ...], int] = {}
    results: dict[tuple[Any, ...], int] = {}
    read = [End.parse(text) for text in dots]
    targets = [facing(end, options) for end in read]
    tests: dict[str, list[list[int]]] = {}
    for blaze in blazes:
        augments, bolsters = BLAZES[blaze]
        on_dots = facing_places(bolsters, options)
        grid = tests[blaze] = []
        for attack in read:
            row = []
            for target in targets:
                test = compare(attack, target, options, augments, on_dots)
                result = _row(test, None if blaze else pairs)
                row.append(results.setdefault(result, len(results)))
            grid.append(row)
    names = ("dot_matches", "strikes", "result", "text", "dots")
    return {
        "tests": tests,
        "results": [dict(zip(names, row, strict=True)) for row in results],
        "pairs": [dict(zip(PAIR, pair, strict=True)) for pair in pairs],
    }


PAIR = ("attack", "target", "strikes", "why", "text")


def _row(test: CardTest, pairs: dict[tuple[Any, ...], int] | None) -> tuple[Any, ...]:
    """Return a result; its dots are numbered in `pairs`, or left out without them."""
    dots = tuple(
        pairs.setdefault((d.attack, d.target, d.strikes, d.why, TEXTS[d.why]), len(pairs))
        for d in test.dots
        if pairs is not None
    )
    text = TEXTS[f"result.{test.result}"]
    return (test.dot_matches, test.strikes, test.result, text, dots)
