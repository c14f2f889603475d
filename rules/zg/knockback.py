"""Knockback and knockdown at depth `full`.

ZG TAC-5  A foe knocked back into a figure at least 1 card away, into a barrier over 1 card away,
          or off a ledge at least 1 card high is knocked down: it lies on its back.
ZG TER-5  Barriers, ledges and other figures are what a figure is knocked into.
ZG 10 Kneel  A kneeling figure is knocked back by 3 strikes or more only.
ZG 11 Knockback  It is a powerup of a card. One nobody has read may have it: then what a figure
          was knocked into may be called after any strike.
ZG U11    How far is not known: option `knockback`, the strikes or the matches in cards.
ZG DMG-2  Powerups do not count on a follow-up (option `powerups_on_followup`).
"""

from collections.abc import Iterator

from rules.fields import Choice, Field, Range
from rules.ruleset import Offer, Seat, Verdict, irregular
from rules.zg import checks, powerups
from rules.zg.acts import MAX_CARDS, KnockdownCalled
from rules.zg.cards import Card, name_of
from rules.zg.consequences import (
    FigureDowned,
    FigureRaised,
    KnockbackLifted,
    KnockedBack,
    LandingTested,
    StoodFirm,
)
from rules.zg.earning import earn
from rules.zg.state import (
    Blow,
    Board,
    Check,
    Folds,
    Rule,
    Rules,
    State,
    Story,
    keep,
    replace,
    side_of,
    with_side,
)

FIRM = 3
"""The strikes needed to knock back a kneeling figure."""

NEAREST = {"figure": 1, "barrier": 2, "ledge": 1}
"""The least distance, or height, of what a figure is knocked into."""


def knock_by_card(story: Story, check: Check, strikes: int, dot_matches: int | None) -> None:
    """Knock a foe back if the attack's card has the powerup."""
    if _knocks(_card_of(story.state, check)) and _powers_count(story.state, check):
        knock(story, check.foe, strikes, dot_matches)


def knock(story: Story, foe: Seat, strikes: int, dot_matches: int | None) -> None:
    """Knock a figure back by the result of a test, as far as that is known."""
    cards = _cards_of(story.state, strikes, dot_matches)
    if not cards or side_of(story.state, foe).out:
        return
    if _stands_firm(story.state, foe, strikes):
        story.add(StoodFirm(seat=foe))
    else:
        story.add(KnockedBack(seat=foe, cards=cards))


def _powers_count(state: State, check: Check) -> bool:
    """Tell whether a card's powerup applies to its test. Rule: ZG DMG-2."""
    powers = not check.follow_up or state.options.powerups_on_followup
    return powers and state.board.depth == "full"


def _card_of(state: State, check: Check) -> Card:
    return state.gear[check.seat - 1][check.card]


def _knocks(card: Card) -> bool:
    """Tell whether a card's attack knocks back: not by what comes in its place. Rule: ZG POW-0."""
    return card.has("knockback") and any(
        name_of(each) == "knockback" and powerups.is_by_the_core(each) for each in card.powerups
    )


def _cards_of(state: State, strikes: int, dot_matches: int | None) -> int | None:
    """Return how far a test knocks back, None if its matches are unknown. Rule: ZG U11."""
    return strikes if state.options.knockback == "strikes" else dot_matches


def _stands_firm(state: State, seat: Seat, strikes: int) -> bool:
    return side_of(state, seat).pose == "kneel" and strikes < FIRM


def blow_on(state: State, seat: Seat) -> Blow | None:
    """Return the knockback that a figure just suffered, or may have suffered.

    A card nobody has read may have the powerup; a test called without its matches leaves the
    distance open.
    """
    blow, check = state.board.blow, state.board.check
    if blow or check is None or not check.result:
        return blow if blow and blow.seat == seat else None
    card, cards = _card_of(state, check), _cards_of(state, check.strikes, check.dot_matches)
    unknown = card.is_unread or (cards is None and _knocks(card))
    if check.foe != seat or not unknown or cards == 0 or not _powers_count(state, check):
        return None
    return None if _stands_firm(state, seat, check.strikes) else Blow(seat, cards)


# -- knockdown ------------------------------------------------------------------------


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    blow = blow_on(state, seat)
    if blow is None or side_of(state, seat).down:
        return
    for into, nearest in NEAREST.items():
        farthest = MAX_CARDS if into == "ledge" or blow.cards is None else blow.cards
        if nearest <= farthest:
            fields: dict[str, Field] = {
                "into": Choice((into,)),
                "cards": Range(nearest, farthest),
            }
            yield Offer("knockdown-called", seat, fields)


def may_not_call(state: State, act: KnockdownCalled) -> Verdict | None:
    blow = blow_on(state, act.seat)
    if blow is None:
        return irregular("not-knocked-back", "ZG TAC-5", seat=act.seat)
    if side_of(state, act.seat).down:
        return irregular("lies-down", "ZG TAC-5", seat=act.seat)
    if act.cards < NEAREST[act.into]:
        return irregular("too-close", "ZG TAC-5", cards=act.cards, least=NEAREST[act.into])
    if act.into != "ledge" and blow.cards is not None and act.cards > blow.cards:
        return irregular("not-reached", "ZG TAC-5", cards=act.cards, most=blow.cards)
    return None


def decide_call(story: Story, before: State, act: KnockdownCalled) -> None:
    if not side_of(before, act.seat).down:
        story.add(FigureDowned(seat=act.seat))
    if (by := _by_whom(before, act.seat)) not in (0, act.seat):
        earn(story, by, "knockdown")


def _by_whom(state: State, seat: Seat) -> Seat:
    """Return who knocked a figure back, by the last test or by landing on it; 0 for nobody."""
    check = state.board.check
    if blow_on(state, seat) is None:
        return 0
    return check.seat if check and check.foe == seat else state.board.current


def fold_call(board: Board, act: KnockdownCalled) -> Board:
    """Remember that the last test knocked a figure back: of an unread card only this tells."""
    check = board.check
    if board.blow or check is None or check.foe != act.seat:
        return board
    return replace(board, blow=Blow(act.seat, None))


# -- folds ----------------------------------------------------------------------------


def fold_back(board: Board, event: KnockedBack) -> Board:
    return replace(board, blow=Blow(event.seat, event.cards))


def fold_lifted(board: Board, event: KnockbackLifted) -> Board:
    return replace(board, blow=None)


def fold_downed(board: Board, event: FigureDowned) -> Board:
    return _marked(with_side(board, event.seat, down=True), event.seat, downed=True)


def fold_raised(board: Board, event: FigureRaised) -> Board:
    return _marked(with_side(board, event.seat, down=False), event.seat, downed=False)


def _marked(board: Board, seat: Seat, *, downed: bool) -> Board:
    """Mark on the last test whether it knocked its target down, by knocking it back."""
    check, blow = board.check, board.blow
    if check is None or check.foe != seat or (downed and (blow is None or blow.seat != seat)):
        return board
    return replace(board, check=replace(check, downed=downed))


RULES: Rules = {
    KnockdownCalled: Rule(
        cannot=checks.actor_not_in_play,
        may_not=may_not_call,
        decide=decide_call,
        fold=fold_call,
        depths=("full",),
    )
}
FOLDS: Folds = {
    KnockedBack: fold_back,
    StoodFirm: keep,
    LandingTested: keep,
    KnockbackLifted: fold_lifted,
    FigureDowned: fold_downed,
    FigureRaised: fold_raised,
}
