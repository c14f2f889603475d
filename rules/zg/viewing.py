"""The board as plain data for pages, the API and bots. Hands are for their seats and officials."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from rules.chaptered import outcome_data
from rules.fields import Choice
from rules.ruleset import Audience, Offer, Seat, narrowed
from rules.zg.damage import DotTest
from rules.zg.modes import mode_deck
from rules.zg.order import yet_to_play
from rules.zg.retest import decided, resolve_retest
from rules.zg.state import (
    PULSES,
    Board,
    Check,
    State,
    can_save,
    dots_of,
    keeps_hand,
    remaining,
    replace,
    seats_of,
    side_of,
    undecided_loss,
    with_side,
)
from rules.zg.terrain import left_of
from rules.zg.words import TEXTS

Next = Literal["over", "save", "target", "follow-up", "pulse", "impulse", "slag"]
"""What the table waits for: nothing, a decision on a slagged card, an attack on the drawn card, a
follow-up, the current seat's pulse, who plays next, or at depth `score` the next slag."""


def view(state: State, audience: Audience = "officials") -> dict[str, Any]:
    """Return everything that an audience may see.

    `next`: what is awaited, and from which `seat` if from one; `pulse`: which of the current seat's
    `pulses` it is; `test`: the last test while it may be repeated, with its dots, and whether it
    `decided` the match.
    """
    board = state.board
    what, seat = awaited(state)
    return {
        "depth": board.depth,
        "turn": board.turn,
        "current": board.current or None,
        "pulse": _pulse(state),
        "pulses": _most_pulses(state),
        "next": {"what": what, "seat": seat},
        "seats": [_seat(state, each, audience) for each in seats_of(state)],
        "drawn": msgspec.to_builtins(board.drawn),
        "follow_up": msgspec.to_builtins(board.follow_up),
        "walk": msgspec.to_builtins(board.walk),
        "blow": msgspec.to_builtins(board.blow),
        "terrain": [
            {"piece": piece.name, "left": left_of(state, piece)} for piece in state.options.terrain
        ],
        "loss": _loss(state),
        "test": _test(state, board.check) if board.check else None,
        "fallen": list(board.fallen),
        "outcome": outcome_data(board.outcome, TEXTS),
    }


def offers_to(
    options: Callable[[State], tuple[Offer, ...]], state: State, audience: Audience
) -> tuple[Offer, ...]:
    """Return the offers of a state in which the hands of others were never recorded.

    Offers that everybody knows to be wrong are left out: a hand already taken is not taken again,
    and the server does not draw from a deck without its hand. Rule: ZG SET-2.
    """
    hidden = _hidden(state, audience)
    found = options(veil(state, audience))
    return tuple(_drawn_by_hand(offer, hidden) for offer in found if _may(offer, hidden))


def veil(state: State, audience: Audience) -> State:
    """Return a state in which the hands of others were never recorded."""
    board = state.board
    for seat in _hidden(state, audience):
        board = with_side(board, seat, hand=())
    return replace(state, board=board)


def _hidden(state: State, audience: Audience) -> list[Seat]:
    """Return the seats whose hands are hidden from an audience."""
    if audience == "officials":
        return []
    return [seat for seat in seats_of(state) if keeps_hand(state, seat) and seat != audience]


def _may(offer: Offer, hidden: Sequence[Seat]) -> bool:
    return offer.seat not in hidden or offer.type not in ("hand-taken", "flameout-called")


def _drawn_by_hand(offer: Offer, hidden: Sequence[Seat]) -> Offer:
    """Allow only the table to draw from the deck of a seat with a hand."""
    foe = offer.fields.get("foe")
    of_foe = foe.values[0] if isinstance(foe, Choice) else None
    drawn_from = {"tie-drawn": offer.seat, "target-drawn": of_foe}.get(offer.type)
    if drawn_from not in hidden or "spin" not in offer.fields:
        return offer
    return narrowed(offer, "spin", ["table"])


def _pulse(state: State) -> int | None:
    """Return which pulse is under way, also while it still attacks again or moves, or is next."""
    current = state.board.current
    if not current:
        return None
    ahead = 0 if _goes_on(state.board, current) else 1
    return min(side_of(state, current).pulses + ahead, _most_pulses(state))


def _goes_on(board: Board, seat: Seat) -> bool:
    """Tell whether the pulse a seat played last has more to come."""
    walk, follow_up = board.walk, board.follow_up
    moves = walk is not None and walk.seat == seat and walk.waits
    return moves or (follow_up is not None and follow_up.seat == seat)


def _most_pulses(state: State) -> int:
    current = state.board.current
    return side_of(state, current).most if current else PULSES


def awaited(state: State) -> tuple[Next, Seat | None]:
    """Return what the table waits for, and from which seat if from one."""
    board = state.board
    if board.outcome:
        return "over", None
    if loss := undecided_loss(state):
        return "save", loss.seat
    if board.depth == "score":
        return "slag", None
    if board.drawn:
        return "target", board.drawn.seat
    if board.follow_up:
        return "follow-up", board.follow_up.seat
    return ("pulse", board.current) if board.current else ("impulse", None)


def _seat(state: State, seat: Seat, audience: Audience) -> dict[str, Any]:
    side = side_of(state, seat)
    setup = state.setup.seats[seat - 1]
    character = setup.deck.character if setup.deck else None
    return {
        "seat": seat,
        "label": setup.label,
        "gear": len(remaining(state, seat)),
        "in_play": not side.out,
        "out": side.out,
        "to_play": seat in yet_to_play(state.board),
        "pulses": side.pulses,
        "played": list(side.played),
        "locks": [msgspec.to_builtins(lock) for lock in side.locks],
        "hand": list(side.hand) if audience in (seat, "officials") else None,
        "hand_taken": bool(side.hand),
        "called": "-".join(map(str, side.called)),
        "ties": list(side.ties),
        "flameout": bool(side.must_fell),
        "krewe": side.krewe,
        "panel": list(side.panel),
        "mode_deck": len(mode_deck(state, seat)),
        "modes_earned": side.earned,
        "placed": side.placed,
        "stance": None if side.pose == "unknown" else side.pose,
        "down": side.down,
        "stunned": side.stunned,
        "clock": side.clock,
        "character": character if isinstance(character, str | None) else character.name,
        "character_spent": side.character_spent,
        "cards": [_card(state, seat, name) for name in state.gear[seat - 1]],
    }


def _card(state: State, seat: Seat, name: str) -> dict[str, Any]:
    """Return a card: what is printed on it, its ends as known now, and where it is."""
    card, side = state.gear[seat - 1][name], side_of(state, seat)
    return {
        "name": name,
        "slot": card.slot,
        "colour": card.colour,
        "quality": card.quality,
        "cost": card.cost,
        "impulse": card.impulse,
        "move": card.move,
        "range": card.range,
        "powerups": list(card.powerups),
        "a": dots_of(state, seat, name, "a"),
        "b": dots_of(state, seat, name, "b"),
        "ulster": card.is_ulster,
        "slagged": name in side.slagged,
        "played": name in side.played,
        "locked_by": [
            other
            for other, their in enumerate(state.board.sides, 1)
            if any((lock.foe, lock.target) == (seat, name) for lock in their.locks)
        ],
    }


def _loss(state: State) -> dict[str, Any] | None:
    loss = state.board.loss
    if loss is None:
        return None
    return {"seat": loss.seat, "card": loss.card, "can_save": can_save(state, loss.seat)}


def _test(state: State, check: Check) -> dict[str, Any]:
    dots = () if check.called or not check.end else resolve_retest(state, check).dots
    return {
        "seat": check.seat,
        "card": check.card,
        "end": check.end,
        "foe": check.foe,
        "target": check.target,
        "target_end": check.target_end,
        "follow_up": check.follow_up,
        "dot_matches": check.dot_matches,
        "strikes": check.strikes,
        "result": check.result,
        "text": TEXTS.get(f"result.{check.result}", ""),
        "retested": list(check.retested),
        "decided": decided(state),
        "dots": [_dot(dot) for dot in dots],
    }


def _dot(dot: DotTest) -> dict[str, Any]:
    return {**msgspec.to_builtins(dot), "text": TEXTS[dot.why]}
