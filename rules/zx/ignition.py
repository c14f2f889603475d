"""The ignition phase.

ZX-T5  Any number of times while there is charge: a charge card goes to the trash, the top card
       of the deck is revealed; with an icon it may be played free (overdrive), else it goes to
       the trash.
"""

from collections.abc import Iterator

from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, impossible
from rules.zx import free
from rules.zx.acts import IgnitionEnded, IgnitionStarted, TopCardRevealed
from rules.zx.consequences import IgnitionMissed, OverdrivePlayed, PhaseEntered
from rules.zx.playing import replaced
from rules.zx.state import (
    Board,
    Folds,
    Rule,
    Rules,
    Shown,
    State,
    Story,
    card_of,
    replace,
    side_of,
    with_side,
    without,
)
from rules.zx.waiting import awaited, not_now


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    match awaited(state):
        case "ignition", who if who == seat:
            if charge := tuple(sorted(set(side_of(state, seat).charge))):
                yield Offer("ignition-started", seat, {"card": Choice(charge)})
            yield Offer("ignition-ended", seat, {})
        case "reveal", who if who == seat:
            yield from free.offers_of(state, seat, "top-card-revealed", {})


def cannot_ignite(state: State, act: IgnitionStarted) -> Verdict | None:
    charge = side_of(state, act.seat).charge
    if not charge:
        return impossible("charge-empty", "ZX-T5", seat=act.seat)
    if act.card not in charge:
        return impossible("not-in-charge", "ZX-Z5", seat=act.seat, card=act.card)
    return None


def may_not_ignite(state: State, act: IgnitionStarted | IgnitionEnded) -> Verdict | None:
    return not_now(state, "ignition", act.seat)


def fold_ignite(state: State, act: IgnitionStarted) -> Board:
    side = side_of(state, act.seat)
    charge, trash = without(side.charge, act.card), (*side.trash, act.card)
    board = with_side(state.board, act.seat, charge=charge, trash=trash)
    return replace(board, igniting=True, driven=False) if act.seat == board.current else board


def cannot_reveal(state: State, act: TopCardRevealed) -> Verdict | None:
    if not side_of(state, act.seat).deck:
        return impossible("deck-empty", "ZX-T5", seat=act.seat)
    return free.cannot_show(state, act)


def may_not_reveal(state: State, act: TopCardRevealed) -> Verdict | None:
    return not_now(state, "reveal", act.seat) or free.may_not_show(state, act)


def fold_reveal(state: State, act: TopCardRevealed) -> Board:
    board = with_side(state.board, act.seat, deck=side_of(state, act.seat).deck - 1)
    return replace(board, igniting=False, shown=Shown(act.seat, act.card))


def decide_reveal(story: Story, before: State, act: TopCardRevealed) -> None:
    if act.played:
        square = "" if act.played == "event" else act.played
        story.add(OverdrivePlayed(seat=act.seat, card=act.card, square=square))
        replaced(story, before, square)
        return
    why = free.why_not(before, act.seat, before.cards[act.seat - 1][act.card])
    story.add(IgnitionMissed(seat=act.seat, card=act.card, why=why))


def fold_overdrive(state: State, event: OverdrivePlayed) -> Board:
    """Play a card free; while its text may bring new charge, the phase goes on. Rule: ZX-T5."""
    board = free.fold_free(state, event)
    card = card_of(state, event.seat, event.card)
    silent = card.entered and card.type == "zx" and not card.text
    here = board.phase == "ignition" and board.current == event.seat
    return replace(board, driven=here and not silent)


def fold_missed(state: State, event: IgnitionMissed) -> Board:
    trash = (*side_of(state, event.seat).trash, event.card)
    return replace(with_side(state.board, event.seat, trash=trash), shown=None)


def decide_end(story: Story, before: State, act: IgnitionEnded) -> None:
    if before.board.phase == "ignition" and before.board.current == act.seat:
        story.add(PhaseEntered(seat=act.seat, phase="main"))


RULES: Rules = {
    IgnitionStarted: Rule(cannot=cannot_ignite, may_not=may_not_ignite, fold=fold_ignite),
    TopCardRevealed: Rule(
        cannot=cannot_reveal, may_not=may_not_reveal, decide=decide_reveal, fold=fold_reveal
    ),
    IgnitionEnded: Rule(may_not=may_not_ignite, decide=decide_end),
}
FOLDS: Folds = {OverdrivePlayed: fold_overdrive, IgnitionMissed: fold_missed}
