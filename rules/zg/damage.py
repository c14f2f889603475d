"""Damage: what facing dots do to each other, and what the strikes come to.

ZG 6.1    0 strikes: nothing; 1: targetlock; 2: slag; 3: slag and attack again; 4 or more: the
          foe is stunned as well.
ZG 6.3.1  Same colour, nothing blocking: 1 strike.
ZG 6.3.2  Armour blocks unless the facing dot has as many armour-piercing blazes.
ZG 6.3.3  A matched weak point facing armour-piercing: 2 strikes in all.
ZG 6.3.4  A weak point facing an explosive: 1 strike, match or not, armour or not.
ZG 6.3.5  An explosive does nothing to armour alone, nor armour-piercing to a bare dot.
ZG 6.3.6  Armour-piercing is spent on armour first; what is left reaches the weak point.
ZG 6.3.7  Both on one weak point: the better counts.
ZG 6.4    Option `strikes=card_tests` (CON-1, CON-2): a weak point adds to the match's strike, 2 by
          armour-piercing, 1 by an explosive, which then ignores armour.
ZG CON-3  Option `strict_time_order`: no match, no damage.
ZG CON-4  Option `ap_not_consumed`: breaking armour spends no armour-piercing.
ZG ATK-11 Bolsters are placed first, then augments, also on dots that have that blaze.
ZG ATK-13 Option `mirror_alignment`: a deck holds ends as read, so dot 1 faces dot 3.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, get_args

import msgspec

from rules.zg.acts import BASIC, Options, Places
from rules.zg.ends import Dot, End, across

Compared = Literal["miss", "blocked", "targetlock", "slag", "slag-again", "slag-stun-again"]
RESULTS: tuple[Compared, ...] = get_args(Compared)

Result = Literal[Compared, "no-strike"]
"""The result of a test; one called without matches or strikes may be a miss or blocked."""

CLAUSES: dict[Result, str] = {
    "no-strike": "ZG 6.1",
    "miss": "ZG ATK-6",
    "blocked": "ZG 6.1",
    "targetlock": "ZG DMG-3",
    "slag": "ZG 6.1",
    "slag-again": "ZG DMG-4",
    "slag-stun-again": "ZG DMG-4",
}


DOTS = 3


class DotTest(msgspec.Struct, frozen=True, gc=False):
    """The result of one pair of facing dots: `attack` and `target` with all their blazes.

    `why` is the code of a text, `clause` the rule behind it.
    """

    attack: str
    target: str
    matched: bool
    strikes: int
    why: str
    clause: str


class CardTest(msgspec.Struct, frozen=True, gc=False):
    """A test: matches, strikes, the three dots, and the result."""

    dot_matches: int
    strikes: int
    dots: tuple[DotTest, ...]
    result: Result

    @property
    def clause(self) -> str:
        return CLAUSES[self.result]


def compare(
    attack: End,
    target: End,
    options: Options = BASIC,
    augments: Sequence[int] = (),
    bolsters: Sequence[int] = (),
) -> CardTest:
    """Test two ends, dots given as they face each other.

    `augments` and `bolsters` are dot numbers, 1 to 3; a repeated number means two blazes.

    Rule: ZG ATK-5, ATK-11, 6.1 to 6.4.
    """
    attacking: Sequence[Dot] = attack.dots
    defending: Sequence[Dot] = target.dots
    if bolsters:
        defending = [_bolstered(dot, bolsters.count(n)) for n, dot in enumerate(defending, 1)]
    if augments:
        attacking = [_augmented(dot, augments.count(n)) for n, dot in enumerate(attacking, 1)]
    adding = options.strikes == "card_tests"
    dots = tuple(
        _compare_dots(a, t, adding, options.ap_not_consumed)
        for a, t in zip(attacking, defending, strict=True)
    )
    dot_matches = sum(dot.matched for dot in dots)
    if options.strict_time_order and not dot_matches:
        dots = tuple(map(_spared, dots))
    strikes = sum(dot.strikes for dot in dots)
    return CardTest(dot_matches, strikes, dots, result_of(strikes, dot_matches))


def facing(target: End, options: Options) -> End:
    """Return a target's end, given as its deck holds it, as it faces the attack.

    Rule: ZG ATK-13.
    """
    return target.mirrored() if options.mirror_alignment else target


def facing_places(places: Places, options: Options) -> Places:
    """Return the numbers that dots of a target's end have as it faces the attack.

    Rule: ZG ATK-13.
    """
    return across(places) if options.mirror_alignment else places


def result_of(strikes: int, dot_matches: int | None) -> Result:
    """Return the result of a test. Rule: ZG 6.1."""
    if strikes == 0:
        return "no-strike" if dot_matches is None else "blocked" if dot_matches else "miss"
    return ("targetlock", "slag", "slag-again", "slag-stun-again")[min(strikes, 4) - 1]


def most_strikes(options: Options, dot_matches: int | None = None) -> int:
    """Return the most strikes a test can give, by its matches if they are known.

    A weak point makes 2 or 3 of a match; an explosive on one gives 1 without a match, unless no dot
    of the test matches and the order is strict. Rule: ZG 6.5, CON-3.
    """
    if dot_matches == 0 and options.strict_time_order:
        return 0
    matched = 3 if options.strikes == "card_tests" else 2
    return DOTS + (DOTS if dot_matches is None else dot_matches) * (matched - 1)


def _augmented(dot: Dot, blazes: int) -> Dot:
    return msgspec.structs.replace(dot, ap=dot.ap + blazes)


def _bolstered(dot: Dot, blazes: int) -> Dot:
    return msgspec.structs.replace(dot, armour=dot.armour + blazes)


@lru_cache(maxsize=65536)
def _compare_dots(attack: Dot, target: Dot, adding: bool, ap_not_consumed: bool) -> DotTest:
    """Test a pair of dots; `adding`: a weak point adds to the match's own strike."""
    matched = attack.colour == target.colour
    through = attack.ap >= target.armour
    left = attack.ap if ap_not_consumed else attack.ap - target.armour
    pierced = matched and through and target.weak and left > 0
    exploded = target.weak and attack.explosive
    if adding:
        hit = matched and (through or exploded)
        strikes = hit + (2 if pierced else 1 if exploded else 0)
    else:
        strikes = 2 if pierced else 1 if exploded or (matched and through) else 0
    if pierced:
        why, clause = _of_pierced(attack, target, adding)
    elif exploded:
        why, clause = "weak-point-exploded", "ZG CON-2" if adding and matched else "ZG 6.3.4"
    else:
        why, clause = _of_colours(attack, target, matched, through)
    return DotTest(str(attack), str(target), matched, strikes, why, clause)


def _of_pierced(attack: Dot, target: Dot, adding: bool) -> tuple[str, str]:
    if attack.ap == target.armour:
        return "weak-point-pierced-too", "ZG CON-4"
    return "weak-point-pierced", "ZG CON-1" if adding else "ZG 6.3.3"


def _of_colours(attack: Dot, target: Dot, matched: bool, through: bool) -> tuple[str, str]:
    """Return the reason for a pair's result if no weak point was hit."""
    if not matched:
        return ("piercing-needs-match", "ZG 6.3.3") if _tempting(attack, target) else _NO_MATCH
    if not through:
        return ("armour-stops-explosive", "ZG 6.3.5") if attack.explosive else _BLOCKED
    if target.armour:
        return ("piercing-used-up", "ZG 6.3.6") if target.weak else ("armour-pierced", "ZG 6.3.2")
    if target.weak:
        return "weak-point-unharmed", "ZG 6.3.5"
    if attack.ap:
        return "piercing-idle", "ZG 6.3.5"
    return ("explosive-idle", "ZG 6.3.5") if attack.explosive else ("plain-match", "ZG 6.3.1")


_NO_MATCH = "no-match", "ZG ATK-5"
_BLOCKED = "armour-blocks", "ZG 6.3.2"


def _tempting(attack: Dot, target: Dot) -> bool:
    """Tell whether a match would have let armour-piercing reach a weak point."""
    return target.weak and attack.ap > target.armour


def _spared(dot: DotTest) -> DotTest:
    """Return a dot of a test without a match, under `strict_time_order`."""
    if not dot.strikes:
        return dot
    return msgspec.structs.replace(dot, strikes=0, why="no-match-no-damage", clause="ZG CON-3")
