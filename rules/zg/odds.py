"""Odds: the exact chances of an end against whatever card a foe may draw.

ZG ATK-3  The target card is drawn from what the foe has left: each card as likely as any other.
ZG ATK-4  It is spun: either end with chance 1/2. A half turn asked for unseen changes nothing.
ZG ATK-11 Bolsters are placed first, where they leave the fewest strikes; then augments, where they
          give the most.
ZG ATK-12 A planned retest spins the target card once more whenever its other end is better for the
          seat that holds it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Literal

import msgspec

from rules.zg.acts import BASIC, Options
from rules.zg.damage import CardTest, Result, compare
from rules.zg.ends import End

Retest = Literal["none", "attacker", "foe"]
"""Who holds a retest of the target card, to be used when it helps."""

Target = Sequence[End | None]
"""The ends of a card that may be drawn, as they face the attack; None for an unknown one."""

QUARTERS = 4
"""The units of a card's chance: two spins of two sides."""


class Odds(msgspec.Struct, frozen=True):
    """Chances that add up to 1 together with `unknown`, the chance of an unknown end."""

    dot_matches: Mapping[int, Fraction]
    strikes: Mapping[int, Fraction]
    results: Mapping[Result, Fraction]
    unknown: Fraction

    @property
    def expected(self) -> Fraction:
        """The expected strikes; an unknown end counts as none."""
        return sum((count * chance for count, chance in self.strikes.items()), Fraction())

    @property
    def slag(self) -> Fraction:
        """The chance that the target card is slagged. Rule: ZG 6.1."""
        return sum((chance for count, chance in self.strikes.items() if count >= 2), Fraction())


def odds(
    attack: End,
    targets: Sequence[Target],
    options: Options = BASIC,
    *,
    augments: int = 0,
    bolsters: int = 0,
    retest: Retest = "none",
) -> Odds:
    """Return the odds of an end against a card drawn from `targets`, counting every case.

    `augments` and `bolsters` are numbers of blazes. Raises: ValueError without a target.
    """
    if not targets:
        raise ValueError("no card is left to draw")
    dot_matches: Counter[int] = Counter()
    strikes: Counter[int] = Counter()
    results: Counter[Result] = Counter()
    unknown = 0
    for target in targets:
        sides = [
            None if end is None else placed(attack, end, options, augments, bolsters)
            for end in target
        ]
        for test, quarters in _spun(sides, retest):
            if test is None:
                unknown += quarters
                continue
            dot_matches[test.dot_matches] += quarters
            strikes[test.strikes] += quarters
            results[test.result] += quarters
    whole = QUARTERS * len(targets)
    return Odds(
        _chances(dot_matches, whole),
        _chances(strikes, whole),
        {result: Fraction(count, whole) for result, count in results.items()},
        Fraction(unknown, whole),
    )


def best_end(found: Mapping[str, Odds]) -> str:
    """Return the end to attack with: most expected strikes, then the likelier slag, then A."""
    return max(sorted(found), key=lambda end: (found[end].expected, found[end].slag))


@lru_cache(maxsize=65536)
def placed(attack: End, target: End, options: Options, augments: int, bolsters: int) -> CardTest:
    """Return a test with blazes placed optimally for each side: bolsters first, then augments."""

    def answered(placing: tuple[int, ...]) -> CardTest:
        answers = _placings(augments)
        return max((compare(attack, target, options, a, placing) for a in answers), key=_worth)

    return min(map(answered, _placings(bolsters)), key=_worth)


def _placings(blazes: int) -> Iterator[tuple[int, ...]]:
    return combinations_with_replacement((1, 2, 3), blazes)


def _worth(test: CardTest) -> int:
    return test.strikes


def _spun(
    sides: Sequence[CardTest | None], retest: Retest
) -> Iterable[tuple[CardTest | None, int]]:
    """Return the tests of a card's ends, each with its share of `QUARTERS`."""
    if len(sides) == 1:
        return [(sides[0], QUARTERS)]
    one, two = sides
    if retest == "none" or one is None or two is None or one.strikes == two.strikes:
        return [(one, 2), (two, 2)]
    better, worse = sorted((one, two), key=_worth, reverse=retest == "attacker")
    return [(better, 3), (worse, 1)]


def _chances(counted: Counter[int], whole: int) -> dict[int, Fraction]:
    return {each: Fraction(counted[each], whole) for each in sorted(counted)}
