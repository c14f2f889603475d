"""Entrance: a piece comes onto one of its own gates.

ZP-T2  A new piece costs 1 point for each own piece on the board, none when there is none. With both
       gates occupied no piece can enter.
ZP-R3  Uploaded pieces still count for the cost.
ZP-Z6  Each ring in play lowers it by 1 for Zombies.
ZP-E1  No piece of the Elf ever enters.
AM2    One piece for points in each turn, besides those that enter free by a card.
AM7    Entering next to an enemy counts as coming to rest.
"""

from collections.abc import Iterator

from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks
from rules.zerpang.acts import PieceEntered
from rules.zerpang.consequences import EntranceGained, FreeEntranceUsed
from rules.zerpang.paying import laid_down, short, spend
from rules.zerpang.rings import discount, take_along
from rules.zerpang.state import (
    HOME,
    NUMBERS,
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Table,
    at,
    class_of,
    gates_of,
    name_of,
    open_gates,
    pieces_on_board,
    put,
    side_of,
    uploads,
    with_turn,
)


def cost(state: State, seat: Seat) -> int:
    """Return the points that a seat's next piece costs."""
    table = state.table
    present = len(pieces_on_board(table, seat)) + uploads(table, seat)
    return max(0, present - discount(state, seat))


def price(state: State, seat: Seat) -> int | None:
    """Return what a seat's next piece costs now, None if no other may enter this turn."""
    turn = state.table.turn
    if turn and turn.seat == seat and turn.free:
        return 0
    return None if _has_entered(state, seat) else cost(state, seat)


def for_points(state: State, seat: Seat) -> Verdict | None:
    """Object if no piece can enter for points now."""
    if _has_entered(state, seat):
        return irregular("one-entrance", "ZP-AM2", seat=seat)
    return short(state, seat, cost(state, seat))


def _has_entered(state: State, seat: Seat) -> bool:
    """Tell whether the one piece for points of a turn has entered. Rule: AM2."""
    turn = state.table.turn
    once = state.options.entrance == "one"
    return turn is not None and turn.seat == seat and once and turn.entered > 0


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    if class_of(state, seat) == "elf" or may_not_now(state, seat):
        return
    gates, places = open_gates(state, seat), side_of(state, seat).at
    pieces = tuple(name_of(seat, n) for n in NUMBERS if places[n - 1] == HOME)
    if gates and pieces:
        yield Offer("piece-entered", seat, {"piece": Choice(pieces), "gate": Choice(gates)})


def may_not_now(state: State, seat: Seat) -> Verdict | None:
    turn = state.table.turn
    return (
        checks.untimely(state, seat, "entrance")
        or checks.replaced(state, "entrance")
        or (None if turn and turn.free else for_points(state, seat))
    )


def cannot(state: State, act: PieceEntered) -> Verdict | None:
    verdict = checks.not_own_piece(state, act.seat, act.piece) or checks.no_such_space(
        state, act.gate
    )
    if verdict:
        return verdict
    if class_of(state, act.seat) == "elf":
        return impossible("class-has-no-entry", "ZP-E1", seat=act.seat)
    if at(state.table, act.piece) != HOME:
        return impossible("not-at-home", "ZP-T2", piece=act.piece)
    if not open_gates(state, act.seat):
        return impossible("no-open-gate", "ZP-T2", seat=act.seat)
    return checks.occupied(state, act.gate)


def may_not(state: State, act: PieceEntered) -> Verdict | None:
    if act.gate not in gates_of(state, act.seat):
        return irregular("gate-not-own", "ZP-T2", space=act.gate, seat=act.seat)
    return may_not_now(state, act.seat)


def decide(story: Story, before: State, act: PieceEntered) -> None:
    """Pay for the entrance, or use a free one. A sufficient payment is used first."""
    turn = before.table.turn
    if turn and turn.free and (for_points(before, act.seat) or _saves(before, act.seat)):
        story.add(FreeEntranceUsed(seat=act.seat))
    else:
        spend(story, act.seat, cost(before, act.seat))
    take_along(story, act.piece, (act.gate,))


def _saves(state: State, seat: Seat) -> bool:
    """Tell whether a free entrance saves points for which nothing was laid down."""
    return bool(cost(state, seat)) and not laid_down(state, seat)


def fold(table: Table, act: PieceEntered) -> Table:
    turn = table.turn
    table = put(table, act.piece, act.gate)
    if turn is None:
        return table
    arrived = (*turn.arrived, act.piece)
    return with_turn(table, entered=turn.entered + 1, acted=True, arrived=arrived)


def fold_free(table: Table, event: FreeEntranceUsed) -> Table:
    turn = table.turn
    assert turn is not None
    return with_turn(table, free=turn.free - 1, entered=turn.entered - 1)


def fold_gained(table: Table, event: EntranceGained) -> Table:
    turn = table.turn
    return with_turn(table, free=turn.free + 1) if turn else table


RULES: Rules = {
    PieceEntered: Rule(
        when="own-turn", offers=offers, cannot=cannot, may_not=may_not, decide=decide, fold=fold
    )
}
FOLDS: Folds = {FreeEntranceUsed: fold_free, EntranceGained: fold_gained}
