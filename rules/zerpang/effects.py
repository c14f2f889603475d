"""The effects of specialties, by key, and how they change the table.

ZP 8   Cards named by the booklet.
ZP-C3  A fighter on its own gate adds 5, also in a duel.
AM22   A fighter that steps out ends the combat once the two no longer touch.
"""

from collections.abc import Callable, Mapping

from rules.ruleset import Seat
from rules.zerpang import combat
from rules.zerpang.acts import SpecialPlayed
from rules.zerpang.cards import Face
from rules.zerpang.combat import go_on_or_end
from rules.zerpang.consequences import (
    DuelDeclared,
    EntranceGained,
    PieceConnected,
    PiecePut,
    PieceSteppedOut,
    PieceToGate,
    SecondStepGained,
    StepsGained,
    TurnToSkip,
    ValuesDoubled,
    ZonesDoubled,
)
from rules.zerpang.defeat import defeat, ended
from rules.zerpang.paying import draw, take
from rules.zerpang.ratings import base_rating
from rules.zerpang.rings import infectious, leave_one, take_along
from rules.zerpang.state import (
    OTHER,
    Folds,
    Story,
    Table,
    at,
    fight_of,
    occupants,
    put,
    replace,
    with_side,
    with_turn,
)


def _rating(story: Story, act: SpecialPlayed, face: Face) -> None:
    add_rating(story, act.seat, face.n)


def add_rating(story: Story, seat: Seat, n: int) -> None:
    if mine := fight_of(story.table, seat):
        combat.raise_rating(story, mine[1], n)


def _double_values(story: Story, act: SpecialPlayed, face: Face) -> None:
    double(story, act.seat)


def double(story: Story, seat: Seat) -> None:
    if mine := fight_of(story.table, seat):
        fight, role = mine
        force = fight.force(role)
        more = 0 if force.doubled else force.ninjutsu
        story.add(ValuesDoubled(role=role, rating=force.rating + more))


def _connect(story: Story, act: SpecialPlayed, face: Face) -> None:
    state, mine = story.state, fight_of(story.table, act.seat)
    if mine is None:
        return
    fight, role = mine
    force, foe = fight.force(role), fight.force(OTHER[role]).piece
    base = base_rating(state, force.piece, foe, (*force.linked, act.piece), duel=fight.duel)
    story.add(PieceConnected(role=role, piece=act.piece, rating=force.rating_from(base)))


def _duel(story: Story, act: SpecialPlayed, face: Face) -> None:
    state, fight = story.state, story.table.fight
    assert fight is not None
    a, d = fight.agg, fight.foe
    story.add(
        DuelDeclared(
            rating_a=a.rating_from(base_rating(state, a.piece, d.piece, duel=True)),
            rating_d=d.rating_from(base_rating(state, d.piece, a.piece, duel=True)),
        )
    )


def _step_out(story: Story, act: SpecialPlayed, face: Face) -> None:
    mine = fight_of(story.table, act.seat)
    if mine is None:
        return
    fight, role = mine
    piece = fight.force(role).piece
    story.add(PieceSteppedOut(seat=act.seat, piece=piece, to=act.to))
    take_along(story, piece, (act.to,))
    go_on_or_end(story, role, ends=face.key == "step_out_end")


def _mutual(story: Story, act: SpecialPlayed, face: Face) -> None:
    """Defeat the aggressor and every piece that touches it, regardless of owner."""
    state, fight = story.state, story.table.fight
    assert fight is not None
    piece, foe = fight.agg.piece, fight.foe.piece
    there = occupants(state.table)
    here, fell = at(state.table, piece), at(state.table, foe)
    around = [there[space] for space in state.board.near[here] if space in there]
    infected = infectious(state, piece, foe)
    ended(story)
    for each in (piece, *around):
        defeat(story, each)
    if infected:
        leave_one(story, fell)


def _to_gate(story: Story, act: SpecialPlayed, face: Face) -> None:
    meets = story.state.options.entry_combat == "on"
    story.add(PieceToGate(seat=act.seat, piece=act.piece, gate=act.to, meets=meets))
    take_along(story, act.piece, (act.to,))


def _redraw(story: Story, act: SpecialPlayed, face: Face) -> None:
    draw(story, act.seat, 2, "card")


def _entrance(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(EntranceGained(seat=act.seat))


def _steps(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(StepsGained(seat=act.seat, n=face.more if act.more else face.n))


def _second(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(SecondStepGained(seat=act.seat))


def _beside(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(PiecePut(seat=act.seat, piece=act.piece, to=act.to, second=True))
    take_along(story, act.piece, (act.to,))


def _intercept(story: Story, act: SpecialPlayed, face: Face) -> None:
    drew = story.table.drew
    if drew:
        take(story, act.seat, act.foe, drew.n)


def _skip(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(TurnToSkip(seat=act.foe))


def _zones(story: Story, act: SpecialPlayed, face: Face) -> None:
    story.add(ZonesDoubled(seat=act.seat))


EFFECTS: Mapping[str, Callable[[Story, SpecialPlayed, Face], None]] = {
    "rating": _rating,
    "double_values": _double_values,
    "connect_any": _connect,
    "duel_only": _duel,
    "step_out": _step_out,
    "step_out_end": _step_out,
    "mutual_defeat": _mutual,
    "defeat_to_gate": _to_gate,
    "redraw_two": _redraw,
    "free_entrance": _entrance,
    "extra_steps": _steps,
    "second_step": _second,
    "second_adjacent": _beside,
    "intercept_draw": _intercept,
    "skip_turn": _skip,
    "double_zone_draw": _zones,
}


# -- folds ----------------------------------------------------------------------------


def fold_connected(table: Table, event: PieceConnected) -> Table:
    fight = table.fight
    if fight is None:
        return table
    linked = (*fight.force(event.role).linked, event.piece)
    return replace(table, fight=combat.rebased(fight, event.role, event.rating, linked=linked))


def fold_duel(table: Table, event: DuelDeclared) -> Table:
    fight = table.fight
    if fight is None:
        return table
    fight = combat.rebased(fight, "agg", event.rating_a, linked=())
    fight = combat.rebased(fight, "def", event.rating_d, linked=())
    return replace(table, fight=replace(fight, duel=True))


def fold_doubled(table: Table, event: ValuesDoubled) -> Table:
    fight = table.fight
    if fight is None:
        return table
    return replace(table, fight=combat.with_force(fight, event.role, doubled=True))


def fold_stepped(table: Table, event: PieceSteppedOut) -> Table:
    return put(table, event.piece, event.to)


def fold_put(table: Table, event: PiecePut) -> Table:
    table = put(table, event.piece, event.to)
    turn = table.turn
    if turn is None or not event.second:
        return table
    seconds, arrived = (*turn.seconds, event.piece), (*turn.arrived, event.piece)
    return with_turn(table, seconds=seconds, arrived=arrived)


def fold_gate(table: Table, event: PieceToGate) -> Table:
    """Put a piece on a gate, where it comes to rest, maybe next to an enemy. Rule: ZP-C6, AM7.

    A combat that followed begins anew once the last one is resolved: the piece may count in it.
    """
    table = put(table, event.piece, event.gate)
    if table.fight and table.fight.untouched:
        table = replace(table, fight=None)
    table = replace(table, fallen=tuple(p for p in table.fallen if p != event.piece))
    if table.turn is None or not event.meets:
        return table
    return with_turn(table, arrived=(*table.turn.arrived, event.piece))


def fold_to_skip(table: Table, event: TurnToSkip) -> Table:
    return with_side(table, event.seat, skips=table.sides[event.seat - 1].skips + 1)


def fold_zones(table: Table, event: ZonesDoubled) -> Table:
    return with_turn(table, doubled=True)


FOLDS: Folds = {
    PieceConnected: fold_connected,
    DuelDeclared: fold_duel,
    ValuesDoubled: fold_doubled,
    PieceSteppedOut: fold_stepped,
    PiecePut: fold_put,
    PieceToGate: fold_gate,
    TurnToSkip: fold_to_skip,
    ZonesDoubled: fold_zones,
}
