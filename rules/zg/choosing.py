"""How much an act is worth to its seat, by what that seat may know: how a keen bot chooses.

ZG ATK-3  Which card a foe draws is chance: an attack is worth the strikes to expect of it.
ZG ATK-12 A retest is worth what a new spin may change.
ZG CHR-1  The character card is kept for the card that would defeat its owner.
"""

from fractions import Fraction
from functools import lru_cache

from rules.ruleset import Act, Seat
from rules.zg.acts import (
    ArenaUsed,
    Attacked,
    CharacterSpent,
    Conceded,
    CountdownExpired,
    CountdownStarted,
    CoverCalled,
    EndShown,
    Fell,
    FlameoutCalled,
    HandTaken,
    Landed,
    ModeDrawn,
    ModeUsed,
    Options,
    OptionsChanged,
    PowerupUsed,
    PrimeCalled,
    Retested,
    Ruled,
    SlagAccepted,
    StrikesCalled,
    TerrainAttacked,
    Travelled,
    TurnPassed,
    WonCalled,
)
from rules.zg.cards import Which
from rules.zg.damage import facing
from rules.zg.ends import End
from rules.zg.odds import odds
from rules.zg.state import (
    ENDS,
    Lock,
    State,
    Way,
    can_save,
    dots_of,
    foes,
    known_ends,
    remaining,
    side_of,
    undecided_loss,
)

UNLIKELY = (
    Conceded,
    CountdownExpired,
    CountdownStarted,
    CoverCalled,
    EndShown,
    Fell,
    FlameoutCalled,
    Landed,
    OptionsChanged,
    ModeUsed,
    PowerupUsed,
    PrimeCalled,
    Ruled,
    TerrainAttacked,
    TurnPassed,
    WonCalled,
)
"""Acts that never help to win, or that merely happen to a seat."""

STRIKE = 1000
CLAIM = 20
"""The discount per claim: of two acts of equal worth the plainer one is chosen."""


def worth(state: State, act: Act) -> int | None:
    """Return what an act is worth, a thousand per strike; None for one better avoided."""
    match act:
        case Attacked():
            return int(_expected(state, act) * STRIKE) - CLAIM * _claims(act)
        case HandTaken():
            return int(sum(_best(state, act.seat, card) for card in act.cards) * STRIKE)
        case Retested():
            return _worth_of_retest(state, act)
        case CharacterSpent():
            return 0 if undecided_loss(state) else None
        case SlagAccepted():
            return None if can_save(state, act.seat) else 0
        case StrikesCalled():
            known = known_ends(state, act.seat, act.card), known_ends(state, act.foe, act.target)
            return None if all(known) else 0
        case Travelled():
            return None if act.stance else act.cards - CLAIM * act.jump
        case ArenaUsed(arena=arena, how=how):
            return None if Way(arena, how) in side_of(state, act.seat).ways else 0
        case ModeDrawn():
            return None if act.why == "other" else 0
    return None if isinstance(act, UNLIKELY) else 0


def _claims(act: Attacked) -> int:
    claimed = (act.sneak, act.high_ground, act.half_turn)
    return sum(claimed) + len(act.augments) + len(act.bolsters)


def _expected(state: State, act: Attacked) -> Fraction:
    """Return the expected strikes: of the card drawn already, or of any the foe may draw."""
    drawn = state.board.drawn
    cards = (act.target,) if drawn else may_be_drawn(state, act)
    return expected_strikes(state, (act.seat, act.card, act.end), act.foe, cards)


def may_be_drawn(state: State, act: Attacked) -> tuple[str, ...]:
    """Return the cards that chance may have made the target: all, or only a locked one.

    Rule: ZG ATK-3, 6.1.
    """
    locked = Lock(act.foe, act.target) in side_of(state, act.seat).locks
    return (act.target,) if locked and not state.board.drawn else remaining(state, act.foe)


def _best(state: State, seat: Seat, card: str) -> Fraction:
    """Return the expected strikes of a card's better end against any foe's cards."""
    return max(
        (
            expected_strikes(state, (seat, card, end), foe, remaining(state, foe))
            for foe in foes(state.board, seat)
            for end in known_ends(state, seat, card)
        ),
        default=Fraction(),
    )


def expected_strikes(
    state: State,
    attack: tuple[Seat, str, Which],
    foe: Seat,
    cards: tuple[str, ...],
    *,
    augments: int = 0,
    bolsters: int = 0,
) -> Fraction:
    """Return the expected strikes of a seat's card and end against any of a foe's cards."""
    dots = dots_of(state, *attack)
    if not dots or not cards:
        return Fraction()
    targets = tuple(tuple(dots_of(state, foe, each, end) for end in ENDS) for each in cards)
    return _expected_of(dots, targets, state.options, augments, bolsters)


@lru_cache(maxsize=4096)
def _expected_of(
    dots: str,
    targets: tuple[tuple[str, ...], ...],
    options: Options,
    augments: int,
    bolsters: int,
) -> Fraction:
    sides = [
        [facing(End.parse(end), options) if end else None for end in target] for target in targets
    ]
    return odds(End.parse(dots), sides, options, augments=augments, bolsters=bolsters).expected


def _worth_of_retest(state: State, act: Retested) -> int | None:
    """Return what the attacker, or the foe, can expect to gain by spinning the target again."""
    check = state.board.check
    if check is None or act.which != "target" or not check.end:
        return None
    attack = check.seat, check.card, check.end
    hoped = expected_strikes(state, attack, check.foe, (check.target,))
    gain = hoped - check.strikes if act.seat == check.seat else check.strikes - hoped
    return int(gain * STRIKE) if gain > 0 else None
