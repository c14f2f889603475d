"""The board as plain data for pages, the API and bots. Hands are for their seats and officials."""

from typing import Any

import msgspec

from rules.chaptered import outcome_data
from rules.ruleset import Audience, Seat
from rules.zx import telling
from rules.zx.battle import attackable
from rules.zx.field import HOMES, SQUARES, Square
from rules.zx.state import SEATS, State, Unit, events_of, places_for, power_of, side_of, square_of
from rules.zx.waiting import awaited
from rules.zx.words import TEXTS


def view(state: State, audience: Audience = "officials") -> dict[str, Any]:
    """Return everything that an audience may see.

    `next`: what is awaited, and from which `seat` if from one; `squares`: the field from a1 to c3.
    """
    board = state.board
    what, seat = awaited(state)
    return {
        "depth": board.depth,
        "turn": board.turn,
        "current": board.current or None,
        "phase": board.phase,
        "next": {"what": what, "seat": seat or None, "text": telling.awaits(state, what)},
        "seats": [_seat(state, each, audience) for each in SEATS],
        "squares": [_square(state, n) for n in range(len(SQUARES))],
        "battle": _battle(state),
        "keyword": msgspec.to_builtins(board.keyword),
        "closing": board.closing,
        "outcome": outcome_data(state.board.outcome, TEXTS),
    }


def _seat(state: State, seat: Seat, audience: Audience) -> dict[str, Any]:
    side, setup = side_of(state, seat), state.setup.seats[seat - 1]
    return {
        "seat": seat,
        "label": setup.label,
        "player": setup.deck.player if setup.deck else "",
        "start": setup.deck.start if setup.deck else "",
        "deck": side.deck,
        "hand": side.hand,
        "known": list(side.known) if audience in (seat, "officials") else None,
        "life": len(side.life),
        "slots": [{"slot": slot} for slot in side.life],
        "hits": side.hits,
        "resources": [
            {"card": each.card, "asleep": each.asleep, **_face(state, seat, each.card)}
            for each in side.resources
        ],
        "upright": sum(not each.asleep for each in side.resources),
        "charge": list(side.charge),
        "trash": list(side.trash),
        "resolving": list(events_of(state.board, seat)),
        "removed": list(side.removed),
        "extra": list(side.extra),
        "reloads": side.reloads,
        "redrawn": side.redrawn,
        "home": HOMES[seat],
        "places": list(places_for(state.board, seat)),
        "cards": [
            {
                "name": card.name,
                "type": card.type,
                "colours": list(card.colours),
                "cost": card.cost,
                "power": card.power,
                "icon": card.icon == "ignition",
                "text": card.text,
            }
            for card in state.cards[seat - 1].values()
        ],
    }


def _face(state: State, seat: Seat, name: str) -> dict[str, Any]:
    card = state.cards[seat - 1][name]
    return {"colours": list(card.colours), "cost": card.cost}


def _square(state: State, n: int) -> dict[str, Any]:
    """Return a square: who plays from it, and the Z/X on it.

    `column` and `row` count from the top left, with seat 1 at the bottom.
    """
    square, unit = SQUARES[n], state.board.squares[n]
    owner = next((seat for seat, home in HOMES.items() if home == square), None)
    return {
        "square": square,
        "column": n % 3,
        "row": 2 - n // 3,
        "home": owner,
        "zx": _unit(state, square, unit) if unit else None,
    }


def _unit(state: State, square: Square, unit: Unit) -> dict[str, Any]:
    """Return a Z/X; `attacks`: what it may attack now, possibly `player`."""
    attacks = awaited(state) == ("main", unit.seat)
    card = state.cards[unit.seat - 1][unit.card]
    return {
        "card": unit.card,
        "seat": unit.seat,
        "colours": list(card.colours),
        "cost": card.cost,
        "power": power_of(state, unit),
        "printed": card.power,
        "damage": unit.damage,
        "asleep": unit.asleep,
        "icon": card.icon == "ignition",
        "text": card.text,
        "under": list(unit.under),
        "attacks": list(attackable(state, square, unit)) if attacks else [],
    }


def _battle(state: State) -> dict[str, Any] | None:
    battle, board = state.board.battle, state.board
    if battle is None:
        return None
    target = square_of(board, battle.target) if battle.target else None
    return {
        "seat": battle.seat,
        "attacker": square_of(board, battle.attacker),
        "target": target or battle.square,
        "player": not battle.target,
        "to_act": battle.to_act,
        "passes": battle.passes,
    }
