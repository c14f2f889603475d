"""Checks used by several chapters. Each returns a verdict, or None if there is no objection."""

from collections.abc import Sequence
from typing import Any

from rules.ruleset import Seat, Verdict, impossible, irregular
from rules.zg.cards import Which
from rules.zg.order import leaders
from rules.zg.state import (
    PULSES,
    State,
    dots_of,
    keeps_hand,
    mates,
    moving_card,
    side_of,
    undecided_loss,
)


def no_such_seat(state: State, *seats: Seat) -> Verdict | None:
    count = len(state.board.sides)
    for seat in seats:
        if not 1 <= seat <= count:
            return impossible("no-such-seat", seat=seat, seats=count)
    return None


def not_in_play(state: State, *seats: Seat) -> Verdict | None:
    """Refuse seats that do not exist or are defeated."""
    sides = state.board.sides
    for seat in seats:
        if not 1 <= seat <= len(sides) or sides[seat - 1].out:
            return no_such_seat(state, *seats) or impossible("seat-out", "ZG DMG-6", seat=seat)
    return None


def actor_not_in_play(state: State, act: Any) -> Verdict | None:
    """Refuse an act of a seat that does not exist or is defeated."""
    return not_in_play(state, act.seat)


def not_two_seats(state: State, seat: Seat, foe: Seat) -> Verdict | None:
    """Refuse anything but two different seats in play."""
    verdict = not_in_play(state, seat, foe)
    if verdict or seat != foe:
        return verdict
    return impossible("own-seat", "ZG ATK-1", seat=seat)


def own_krewe(state: State, seat: Seat, foe: Seat) -> Verdict | None:
    if seat == foe or not mates(state.board, seat, foe):
        return None
    return irregular("own-krewe", "ZG LEA-7", seat=seat, foe=foe)


def no_such_card(state: State, seat: Seat, card: str) -> Verdict | None:
    if card in state.gear[seat - 1]:
        return None
    return impossible("no-such-card", "ZG SET-1", seat=seat, card=card)


def unknown_end(state: State, seat: Seat, card: str, ends: Sequence[Which]) -> Verdict | None:
    printed = state.gear[seat - 1][card]
    if printed.a and printed.b:
        return None
    for end in ends:
        if not dots_of(state, seat, card, end):
            return impossible("end-unknown", "ZG ATK-5", seat=seat, card=card, end=end)
    return None


def no_server_draws(state: State, spin: str) -> Verdict | None:
    if spin == "table" or state.setup.commitment:
        return None
    return impossible("no-server-draws")


def secret_draw(state: State, seat: Seat, spin: str) -> Verdict | None:
    """Refuse a server draw that would reveal which cards are in a hand."""
    if spin == "table" or not keeps_hand(state, seat):
        return None
    return impossible("hand-is-secret", "ZG SET-2", seat=seat)


def out_of_order(*places: Sequence[int]) -> Verdict | None:
    for each in places:
        if len(each) > 1 and list(each) != sorted(each):
            return impossible("dots-out-of-order", "ZG ATK-11")
    return None


def slagged(state: State, seat: Seat, card: str) -> Verdict | None:
    if card not in state.board.sides[seat - 1].slagged:
        return None
    return irregular("is-slagged", "ZG 6.1", seat=seat, card=card)


def played(state: State, seat: Seat, card: str) -> Verdict | None:
    """Object to a card that is used up, or not in a hand that is known."""
    board = state.board
    side = board.sides[seat - 1]
    if card and card == moving_card(board, seat):
        return None
    if card in side.used:
        return irregular("card-already-played", "ZG GEN-8", seat=seat, card=card)
    if card and (hand := side.held) and card not in hand:
        return irregular("not-in-hand", "ZG SET-2", seat=seat, card=card)
    return None


def no_character(state: State, seat: Seat) -> Verdict | None:
    """Object to a seat without a character card, or with a Mode deck in its place."""
    deck = state.setup.seats[seat - 1].deck
    if deck is not None and deck.modes:
        return irregular("mode-deck-instead", "ZG MOD-2", seat=seat)
    if deck is None or not deck.character:
        return irregular("no-character-card", "ZG CHR-1", seat=seat)
    return None


def undecided(state: State) -> Verdict | None:
    """Object while a seat may still save the card that would defeat it."""
    loss = undecided_loss(state) if state.board.loss else None
    if loss is None:
        return None
    return irregular("save-to-decide", "ZG CHR-1", seat=loss.seat, card=loss.card)


def drawn(state: State) -> Verdict | None:
    """Object while a target card is drawn and not yet attacked."""
    card = state.board.drawn
    if card is None:
        return None
    return irregular("card-is-drawn", "ZG ATK-3", seat=card.foe, card=card.target)


def no_pulse(state: State, seat: Seat, card: str = "") -> Verdict | None:
    """Object if a seat has no pulse to play now; that of a `card` may already be under way."""
    board = state.board
    side, current = board.sides[seat - 1], board.current
    if card and current == seat and card == moving_card(board, seat):
        return None
    if side.done or (side.pulses >= PULSES and side.pulses >= side.most):
        return irregular("no-pulse-left", "ZG GEN-8", seat=seat)
    if current not in (0, seat):
        return irregular("not-your-pulse", "ZG IMP-1", seat=seat, foe=current)
    return None if current else not_first(state, seat)


def not_first(state: State, seat: Seat) -> Verdict | None:
    """Object while a seat with a higher impulse has yet to play, or a tie is not drawn for.

    Draws for a tie are recorded at depth `full` only.
    """
    first = leaders(state.board)
    if seat not in first:
        return irregular("impulse-is-lower", "ZG IMP-1", seat=seat, foe=first[0])
    tied = len(first) > 1 and all(side_of(state, each).called for each in first)
    if not tied or state.board.depth != "full":
        return None
    return irregular("impulse-is-tied", "ZG IMP-2", seat=seat, foe=min({*first} - {seat}))


def untimely(state: State, seat: Seat, card: str = "") -> Verdict | None:
    """Object if a seat can neither begin a pulse now nor continue that of a `card`."""
    return undecided(state) or drawn(state) or no_pulse(state, seat, card)
