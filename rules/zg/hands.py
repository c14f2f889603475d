"""Hands and impulse at depth `full`, flameouts at `tests` too: what is chosen, what is called.

ZG SET-2  At the start of every turn each player secretly takes any three cards as the hand, an
          Ulster among them if they like (U9).
ZG IMP-1  The hand's impulse numbers are sorted high to low and called without showing cards.
ZG IMP-2  Tied players each draw a card and compare its impulse, again on a further tie: for
          whichever place, as it decides who places a figure first as well (IMP-3).
ZG IMP-5  Numbers are compared one by one, high to low, so that two digits break nothing.
ZG TAC-7  A flameout is announced before cards are chosen: each is played twice, six pulses. If no
          foe is defeated by the end of the turn, the match is forfeited.

None of it has to be recorded. A known hand binds its seat, and called numbers bind the order of
play.
"""

from collections.abc import Iterator

from rules.fields import Choice, Field, Free, Range, Subset
from rules.ruleset import Draw, Offer, Seat, Verdict, impossible, irregular
from rules.zg import checks
from rules.zg.acts import FlameoutCalled, HandTaken, ImpulseCalled, TieDrawn
from rules.zg.cards import MAX_IMPULSE
from rules.zg.consequences import TieCompared
from rules.zg.earning import earn
from rules.zg.impulse import pass_on
from rules.zg.order import draws_for_tie, under_way, yet_to_play
from rules.zg.state import (
    HAND,
    Board,
    Folds,
    Offers,
    Rule,
    Rules,
    State,
    Story,
    drawable,
    foes,
    keeps_hand,
    remaining,
    side_of,
    with_side,
)


def offers(state: State, seat: Seat) -> Offers:
    return [
        *offers_of_flameout(state, seat),
        *_offers_of_hand(state, seat),
        *_offers_of_call(state, seat),
        *_offers_of_tie(state, seat),
    ]


def not_in_time(state: State, seat: Seat) -> Verdict | None:
    """Object once the cards of the turn are being played, or the seat's numbers are called."""
    board = state.board
    if side_of(state, seat).called:
        return irregular("impulse-is-called", "ZG IMP-1", seat=seat)
    settled = board.current and len(yet_to_play(board)) > 1  # not because the clock took the others
    if settled or under_way(board):
        return irregular("turn-under-way", "ZG SET-2", turn=board.turn)
    return checks.undecided(state) or checks.drawn(state)


# -- flameout -------------------------------------------------------------------------


def offers_of_flameout(state: State, seat: Seat) -> Offers:
    objection = may_not_flame(state, FlameoutCalled(seat=seat))
    return () if objection else (Offer("flameout-called", seat, {}),)


def may_not_flame(state: State, act: FlameoutCalled) -> Verdict | None:
    side = side_of(state, act.seat)
    if side.must_fell:
        return irregular("flameout-is-called", "ZG TAC-7", seat=act.seat)
    if side.hand:
        return irregular("hand-is-taken", "ZG TAC-7", seat=act.seat)
    if side.late:
        return irregular("no-pulse-left", "ZG GEN-8", seat=act.seat)
    return not_in_time(state, act.seat)


def fold_flameout(board: Board, act: FlameoutCalled) -> Board:
    return with_side(board, act.seat, must_fell=tuple(foes(board, act.seat)))


def decide_flameout(story: Story, before: State, act: FlameoutCalled) -> None:
    earn(story, act.seat, "flameout")


# -- the hand -------------------------------------------------------------------------


def _offers_of_hand(state: State, seat: Seat) -> Iterator[Offer]:
    if not not_in_time(state, seat) and not side_of(state, seat).hand:
        left = remaining(state, seat)
        size = min(HAND, len(left))
        yield Offer("hand-taken", seat, {"cards": Subset(left, most=size, least=size)})


def cannot_take(state: State, act: HandTaken) -> Verdict | None:
    if verdict := checks.not_in_play(state, act.seat):
        return verdict
    for card in act.cards:
        if verdict := checks.no_such_card(state, act.seat, card):
            return verdict
    in_order = [card for card in state.gear[act.seat - 1] if card in act.cards]
    if list(act.cards) != in_order:
        return impossible("cards-out-of-order", "ZG SET-2")
    return None


def may_not_take(state: State, act: HandTaken) -> Verdict | None:
    if side_of(state, act.seat).hand:
        return irregular("hand-is-taken", "ZG SET-2", seat=act.seat)
    for card in act.cards:
        if verdict := checks.slagged(state, act.seat, card):
            return verdict
    size = min(HAND, len(remaining(state, act.seat)))
    if len(act.cards) != size:
        return irregular("hand-of-other-size", "ZG SET-2", cards=len(act.cards), most=size)
    return not_in_time(state, act.seat)


def fold_hand(board: Board, act: HandTaken) -> Board:
    return with_side(board, act.seat, hand=act.cards)


# -- impulse --------------------------------------------------------------------------


def _offers_of_call(state: State, seat: Seat) -> Iterator[Offer]:
    if not not_in_time(state, seat):
        known = numbers_of_hand(state, seat)
        field: Field = Choice((known,)) if known else Free("impulse")
        yield Offer("impulse-called", seat, {"numbers": field})


def numbers_of_hand(state: State, seat: Seat) -> str:
    """Return what a seat has to call: "9-7-4", or "" if hand or numbers are not known."""
    gear = state.gear[seat - 1]
    numbers = [gear[card].impulse for card in side_of(state, seat).hand]
    known = sorted((number for number in numbers if number is not None), reverse=True)
    return "-".join(map(str, known)) if known and len(known) == len(numbers) else ""


def may_not_call(state: State, act: ImpulseCalled) -> Verdict | None:
    known = numbers_of_hand(state, act.seat)
    if known and act.numbers != known:
        return irregular("impulse-miscalled", "ZG IMP-1", seat=act.seat, numbers=known)
    return not_in_time(state, act.seat)


def fold_call(board: Board, act: ImpulseCalled) -> Board:
    called = tuple(sorted(map(int, act.numbers.split("-")), reverse=True))
    return pass_on(with_side(board, act.seat, called=called))


# -- ties -----------------------------------------------------------------------------


def _offers_of_tie(state: State, seat: Seat) -> Iterator[Offer]:
    if _no_draw_due(state, seat):
        return
    gear, deck = state.gear[seat - 1], drawable(state, seat)
    known = tuple(card for card in deck if gear[card].impulse is not None)
    serves = state.setup.commitment and known == deck and not keeps_hand(state, seat)
    spins = ("table", "server") if serves else ("table",)
    if known:
        yield Offer("tie-drawn", seat, {"card": Choice(known), "spin": Choice(spins)})
    if blank := tuple(card for card in deck if card not in known):
        fields: dict[str, Field] = {"card": Choice(blank), "impulse": Range(0, MAX_IMPULSE)}
        yield Offer("tie-drawn", seat, fields)


def cannot_tie(state: State, act: TieDrawn) -> Verdict | None:
    verdict = (
        checks.not_in_play(state, act.seat)
        or checks.no_such_card(state, act.seat, act.card)
        or checks.no_server_draws(state, act.spin)
        or checks.secret_draw(state, act.seat, act.spin)
    )
    if verdict:
        return verdict
    server = act.spin == "server"
    for card in drawable(state, act.seat) if server else (act.card,):
        printed = state.gear[act.seat - 1][card].impulse
        if printed is None and act.impulse is None:
            return impossible("impulse-unknown", "ZG IMP-2", seat=act.seat, card=card)
        if act.impulse is not None and (server or printed is not None):
            return impossible("impulse-known", "ZG IMP-2", seat=act.seat, card=card)
    return None


def _no_draw_due(state: State, seat: Seat) -> Verdict | None:
    """Object unless a seat is next to draw for a tie."""
    if not draws_for_tie(state.board, seat):
        return irregular("no-tie", "ZG IMP-2", seat=seat)
    return checks.undecided(state) or checks.drawn(state)


def may_not_tie(state: State, act: TieDrawn) -> Verdict | None:
    if verdict := _no_draw_due(state, act.seat) or checks.slagged(state, act.seat, act.card):
        return verdict
    if act.card not in drawable(state, act.seat):
        return irregular("is-in-hand", "ZG IMP-2", seat=act.seat, card=act.card)
    return None


def decide_tie(story: Story, before: State, act: TieDrawn) -> None:
    printed = before.gear[act.seat - 1][act.card].impulse
    impulse = act.impulse if printed is None else printed
    story.add(TieCompared(seat=act.seat, impulse=impulse or 0))


def fold_tie(board: Board, event: TieCompared) -> Board:
    ties = (*board.sides[event.seat - 1].ties, event.impulse)
    return pass_on(with_side(board, event.seat, ties=ties))


def draws_of_tie(state: State, act: TieDrawn) -> tuple[Draw, ...]:
    """The server draws from the deck of the tied seat."""
    if checks.no_such_seat(state, act.seat):
        return ()
    return (Draw("card", "tie", drawable(state, act.seat)),)


RULES: Rules = {
    FlameoutCalled: Rule(
        cannot=checks.actor_not_in_play,
        may_not=may_not_flame,
        decide=decide_flameout,
        fold=fold_flameout,
    ),
    HandTaken: Rule(cannot=cannot_take, may_not=may_not_take, fold=fold_hand, depths=("full",)),
    ImpulseCalled: Rule(
        cannot=checks.actor_not_in_play, may_not=may_not_call, fold=fold_call, depths=("full",)
    ),
    TieDrawn: Rule(
        cannot=cannot_tie,
        may_not=may_not_tie,
        decide=decide_tie,
        draws=draws_of_tie,
        depths=("full",),
    ),
}
FOLDS: Folds = {TieCompared: fold_tie}
