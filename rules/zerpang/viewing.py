"""The table as plain data for pages, the API and bots. Known cards are shown to their seat only."""

from typing import Any

from rules import texts
from rules.chaptered import outcome_data
from rules.ruleset import Audience, Seat
from rules.zerpang import victory
from rules.zerpang.acts import PHASES
from rules.zerpang.combat import leader, to_raise
from rules.zerpang.drawing import to_draw
from rules.zerpang.entrance import price
from rules.zerpang.paying import laid_down
from rules.zerpang.state import (
    CLOUD_AT,
    HELD,
    HOME,
    Fight,
    Force,
    State,
    at,
    held_by,
    name_of,
    occupants,
    on_board,
    ring_supply,
    rings_on,
    seats_of,
    uploads,
)
from rules.zerpang.telling import card_name
from rules.zerpang.words import TEXTS


def view(state: State, audience: Audience = "officials") -> dict[str, Any]:
    """Return everything that an audience may see.

    `next`: what is awaited, and from which `seat` if from one; `at`: the piece on each space;
    `rings`: how many are on a space; `elf_at`: after how many seconds an Elf wins.
    """
    table, turn = state.table, state.table.turn
    what, seat = awaited(state)
    return {
        "depth": table.depth,
        "board": table.board,
        "board_warnings": [texts.of_finding(TEXTS, each, {}) for each in state.board.warnings],
        "deck": state.deck.id,
        "deck_left": table.deck,
        "discard": table.discard,
        "played": dict(table.spent),
        "turn": turn.no if turn else None,
        "current": turn.seat if turn else None,
        "phase": turn.phase if turn else None,
        "phases": list(PHASES),
        "to_draw": to_draw(state, turn.seat) if turn else None,
        "owes": turn.owes if turn else 0,
        "next": {"what": what, "seat": seat},
        "seats": [_seat(state, each, audience) for each in seats_of(state)],
        "at": dict(occupants(table)),
        "rings": {space: table.ground.count(space) for space in table.ground},
        "ring_supply": ring_supply(table),
        "fight": _fight(state, table.fight) if table.fight else None,
        "fallen": list(table.fallen),
        "may_negate": table.open is not None,
        "seconds": table.seconds,
        "elf_at": victory.elf_at(state),
        "outcome": outcome_data(table.outcome, TEXTS),
    }


def awaited(state: State) -> tuple[str, Seat | None]:
    """Return what the table waits for: over score setup order combat discard, or a phase."""
    table, turn = state.table, state.table.turn
    if table.outcome:
        return "over", None
    if table.depth == "score":
        return "score", None
    if turn is None:
        return "setup", None
    if turn.asked:
        return "order", turn.asked
    if table.fight:
        return "combat", table.fight.force(to_raise(state, table.fight)).seat
    return ("discard" if turn.owes else turn.phase), turn.seat


def _seat(state: State, seat: Seat, audience: Audience) -> dict[str, Any]:
    side = state.table.sides[seat - 1]
    sees = audience in (seat, "officials")
    return {
        "seat": seat,
        "label": state.setup.seats[seat - 1].label,
        "cls": side.cls or None,
        "class_name": TEXTS[f"class.{side.cls}"] if side.cls else "",
        "base": side.base or None,
        "colour": side.colour or None,
        "hand": side.hand,
        "known": [_card(state, card) for card in side.known] if sees else None,
        "laid": list(side.purse),
        "points": laid_down(state, seat),
        "upload_points": side.clouds,
        "entrance_cost": price(state, seat) if side.cls else None,
        "skips": side.skips,
        "uploads": uploads(state.table, seat),
        "held": held_by(state.table, seat),
        "out": side.out,
        "pieces": [_piece(state, seat, n) for n in range(1, len(side.at) + 1)],
    }


def _card(state: State, card: str) -> dict[str, str]:
    return {"card": card, "name": card_name(state, card)}


def _piece(state: State, seat: Seat, n: int) -> dict[str, Any]:
    piece = name_of(seat, n)
    where = at(state.table, piece)
    standing = on_board(where)
    return {
        "piece": piece,
        "where": "board" if standing else {HOME: "home", CLOUD_AT: "cloud"}.get(where, "abducted"),
        "space": where if standing else None,
        "held_by": int(where[1:]) if where.startswith(HELD) else None,
        "rings": rings_on(state.table, piece),
        "dazed": state.table.sides[seat - 1].dazed == n,
    }


def _fight(state: State, fight: Fight) -> dict[str, Any]:
    return {
        "to_act": to_raise(state, fight),
        "leads": leader(state, fight),
        "passes": fight.passes,
        "duel": fight.duel,
        "agg": _force(state, fight.agg),
        "def": _force(state, fight.foe),
    }


def _force(state: State, force: Force) -> dict[str, Any]:
    return {
        "seat": force.seat,
        "piece": force.piece,
        "space": at(state.table, force.piece),
        "base": force.base,
        "rating": force.rating,
        "doubled": force.doubled,
        "linked": list(force.linked),
        "cards": force.cards,
    }
