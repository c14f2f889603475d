"""The character card: given up once to keep a card from being slagged.

ZG CHR-1  Once per turn its powerup, or give the card up to save a zGear card. Basic play only.
ZG MOD-2  A Mode deck takes its place.

A slag that defeats its owner waits for the owner's decision while the card can be saved; any other
slag may be answered until the next act of play.
"""

from rules.ruleset import Offer, Seat, Verdict, irregular
from rules.zg import checks
from rules.zg.acts import DEPTHS, CharacterSpent, SlagAccepted
from rules.zg.consequences import CardRestored
from rules.zg.state import (
    Board,
    Offers,
    Rule,
    Rules,
    State,
    Story,
    replace,
    side_of,
    undecided_loss,
    with_side,
)


def offers(state: State, seat: Seat) -> Offers:
    found = []
    if not may_not_spend(state, CharacterSpent(seat=seat)):
        found.append(Offer("character-spent", seat, {}))
    if not may_not_accept(state, SlagAccepted(seat=seat)):
        found.append(Offer("slag-accepted", seat, {}))
    return found


def cannot(state: State, act: CharacterSpent | SlagAccepted) -> Verdict | None:
    return checks.no_such_seat(state, act.seat)


def may_not_spend(state: State, act: CharacterSpent) -> Verdict | None:
    seat, loss = act.seat, state.board.loss
    if loss is None or loss.seat != seat or side_of(state, seat).out:
        return irregular("nothing-to-save", "ZG CHR-1", seat=seat)
    if side_of(state, seat).character_spent:
        return irregular("character-is-spent", "ZG CHR-1", seat=seat)
    return checks.no_character(state, seat)


def decide_spend(story: Story, before: State, act: CharacterSpent) -> None:
    loss = before.board.loss
    if loss and loss.seat == act.seat:
        story.add(CardRestored(seat=loss.seat, card=loss.card))


def fold_spend(board: Board, act: CharacterSpent) -> Board:
    return with_side(board, act.seat, character_spent=True)


def may_not_accept(state: State, act: SlagAccepted) -> Verdict | None:
    loss = undecided_loss(state)
    if loss is None or loss.seat != act.seat:
        return irregular("nothing-to-accept", "ZG CHR-1", seat=act.seat)
    return None


def fold_accept(board: Board, act: SlagAccepted) -> Board:
    """Let the card go. Another seat's loss stays open."""
    return replace(board, loss=None) if board.loss and board.loss.seat == act.seat else board


RULES: Rules = {
    CharacterSpent: Rule(
        cannot=cannot, may_not=may_not_spend, decide=decide_spend, fold=fold_spend, depths=DEPTHS
    ),
    SlagAccepted: Rule(cannot=cannot, may_not=may_not_accept, fold=fold_accept, depths=DEPTHS),
}
