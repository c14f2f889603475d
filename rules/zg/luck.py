"""Luck: the expected and the actual strikes of an attack or a retest.

ZG ATK-3  The foe draws any card that is left: the chance is over all of them, unless the attack is
          on a card that is locked, which nobody draws (ZG 6.1).
ZG ATK-4  Either end of it, with chance 1/2.
ZG ATK-12 A retest spins one card once more; what counts is what that changes.
"""

from collections.abc import Sequence

from rules.capabilities import Chance
from rules.ruleset import Act, Consequence
from rules.zg.acts import Attacked, Retested
from rules.zg.choosing import expected_strikes, may_be_drawn
from rules.zg.consequences import CardTested
from rules.zg.state import ENDS, State, known_ends


def chance_of(state: State, act: Act, consequences: Sequence[Consequence]) -> Chance | None:
    """Return the expected and the actual strikes of an act that tested two ends.

    None for any other act, and if an end that might have come up is not known.
    """
    came = next((each.strikes for each in consequences if isinstance(each, CardTested)), None)
    if came is None:
        return None
    if isinstance(act, Attacked):
        cards = may_be_drawn(state, act)
        if not all(len(known_ends(state, act.foe, card)) == len(ENDS) for card in cards):
            return None
        expected = expected_strikes(
            state,
            (act.seat, act.card, act.end),
            act.foe,
            cards,
            augments=len(act.augments),
            bolsters=len(act.bolsters),
        )
        return Chance(act.seat, expected, came)
    return _of_retest(state, act, came) if isinstance(act, Retested) else None


def _of_retest(state: State, act: Retested, came: int) -> Chance | None:
    """Return the expected change for the attacker from spinning the target again."""
    check = state.board.check
    if check is None or act.which != "target" or not check.end:
        return None
    if len(known_ends(state, check.foe, check.target)) < len(ENDS):
        return None
    hoped = expected_strikes(
        state,
        (check.seat, check.card, check.end),
        check.foe,
        (check.target,),
        augments=len(act.augments or check.augments),
        bolsters=len(act.bolsters or check.bolsters),
    )
    return Chance(check.seat, hoped - check.strikes, came - check.strikes)
