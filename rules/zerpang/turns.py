"""The course of a turn: phases, abilities in their place, from turn to turn.

ZP-T1  Order of phases: entrance, movement, combat, draw.
ZP-T6  All combat is settled before the draw phase.
ZP-P3  Salvage: with no action in the turn, one card for each piece in a zone instead.
ZP-R3  Each uploaded piece gives one extra point a round.
ZP-N3  "I was not here to fight": concede with no card played, take a random card.
ZP-S6  Turns go clockwise.
"""

from collections.abc import Iterator

from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, irregular
from rules.zerpang import checks, combat, contact
from rules.zerpang.acts import PHASES, PhaseEntered, PhaseReplaced
from rules.zerpang.consequences import TurnEnded, TurnSkipped, TurnStarted, UploadPointsGained
from rules.zerpang.defeat import end
from rules.zerpang.paying import NOTHING_LAID, take
from rules.zerpang.state import (
    OTHER,
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Table,
    Turn,
    clockwise,
    fight_of,
    replace,
    seat_with,
    side_of,
    uploads,
    with_side,
    with_turn,
)

# -- phases ---------------------------------------------------------------------------


def offers_of_phase(state: State, seat: Seat) -> Iterator[Offer]:
    phases = tuple(phase for phase in PHASES if not _may_not_enter(state, seat, phase))
    if phases:
        yield Offer("phase-entered", seat, {"phase": Choice(phases)})


def _may_not_enter(state: State, seat: Seat, phase: str) -> Verdict | None:
    turn = state.table.turn
    if verdict := checks.not_ready(state, seat):
        return verdict
    if turn is None or PHASES.index(phase) <= PHASES.index(turn.phase):
        now = turn.phase if turn else ""
        return irregular("wrong-phase", "ZP-T1", phase=phase, now=now)
    return contact.combat_due(state, "ZP-T6") if phase == "draw" else None


def may_not_enter(state: State, act: PhaseEntered) -> Verdict | None:
    return _may_not_enter(state, act.seat, act.phase)


def fold_phase(table: Table, act: PhaseEntered) -> Table:
    return with_turn(table, phase=act.phase)


# -- abilities instead of phases ------------------------------------------------------


def offers_of_replacement(state: State, seat: Seat) -> Iterator[Offer]:
    found = []
    if not _may_not_salvage(state, seat):
        found.append("salvage")
    if fight_of(state.table, seat) and not _may_not_vanish(state, seat):
        found.append("not-here")
    if found:
        yield Offer("phase-replaced", seat, {"ability": Choice(tuple(found))})


def _may_not_salvage(state: State, seat: Seat) -> Verdict | None:
    verdict = checks.other_class(state, seat, "pirate", "ZP-P3") or checks.not_ready(state, seat)
    if verdict:
        return verdict
    turn = state.table.turn
    if turn and (turn.acted or turn.arrived):
        return irregular("phase-replaced", "ZP-P3", phase="movement")
    return None


def _may_not_vanish(state: State, seat: Seat) -> Verdict | None:
    if verdict := checks.other_class(state, seat, "ninja", "ZP-N3"):
        return verdict
    mine = fight_of(state.table, seat)
    if mine and (mine[0].force(mine[1]).cards or side_of(state, seat).purse):
        return irregular("cards-already-played", "ZP-N3", seat=seat)
    return None


def cannot_replace(state: State, act: PhaseReplaced) -> Verdict | None:
    return combat.not_in_combat(state, act.seat) if act.ability == "not-here" else None


def may_not_replace(state: State, act: PhaseReplaced) -> Verdict | None:
    if act.ability == "not-here":
        return _may_not_vanish(state, act.seat)
    return _may_not_salvage(state, act.seat)


def decide_replacement(story: Story, before: State, act: PhaseReplaced) -> None:
    """Concede without a fight: the piece goes home, even from an Alien. Rule: ZP-N3."""
    mine = fight_of(before.table, act.seat)
    if act.ability == "salvage" or mine is None:
        return
    fight, role = mine
    end(story, OTHER[role], abducts=False)
    take(story, act.seat, fight.force(OTHER[role]).seat, 1)


def fold_replacement(table: Table, act: PhaseReplaced) -> Table:
    turn = table.turn
    if act.ability == "not-here" or turn is None:
        return table
    phase = "draw" if turn.phase == "draw" else "combat"
    return with_turn(table, replaced="salvage", acted=True, phase=phase)


# -- from turn to turn ----------------------------------------------------------------


def end_turn(story: Story) -> None:
    """End the current turn and begin the next one."""
    turn = story.table.turn
    assert turn is not None
    story.add(TurnEnded(seat=turn.seat))
    begin_next(story, turn.seat, turn.no)


def begin_next(story: Story, last: Seat, no: int) -> None:
    """Begin the turn of the next seat in play. Rule: ZP-S6, AM24."""
    state = story.state
    for seat in (*clockwise(state, last)[1:], last):
        if side_of(state, seat).out:
            continue
        story.add(TurnStarted(seat=seat, no=no + 1))
        refill(story, seat)
        return


def refill(story: Story, seat: Seat) -> None:
    """Give a Robot the points of its uploaded pieces for the round. Rule: ZP-R3, AM19."""
    state = story.state
    robot = seat_with(state, "robot")
    if not robot:
        return
    begins = robot
    if state.options.upload_points == "per_game_round":
        begins = next(s for s in clockwise(state, state.table.first) if not side_of(state, s).out)
    n = uploads(state.table, robot)
    if seat == begins and n != side_of(state, robot).clouds:
        story.add(UploadPointsGained(seat=robot, n=n))


def fold_started(table: Table, event: TurnStarted) -> Table:
    """Begin a turn: a Ninja that leapt has its rating back."""
    sides = []
    for seat, side in enumerate(table.sides, 1):
        changes: dict[str, object] = {}
        if side.fresh:
            changes["fresh"] = 0
        if seat == event.seat:
            if side.dazed:
                changes["dazed"] = 0
            if side.tricked or side.tricked_last:
                changes |= {"tricked_last": side.tricked, "tricked": ""}
        sides.append(replace(side, **changes) if changes else side)
    return replace(table, sides=tuple(sides), turn=Turn(no=event.no, seat=event.seat))


def fold_points(table: Table, event: UploadPointsGained) -> Table:
    return with_side(table, event.seat, clouds=event.n)


def fold_skipped(table: Table, event: TurnSkipped) -> Table:
    return with_side(table, event.seat, skips=table.sides[event.seat - 1].skips - 1)


def fold_ended(table: Table, event: TurnEnded) -> Table:
    """Close a turn: what was laid down and not used is lost."""
    if not table.sides[event.seat - 1].purse:
        return table
    return with_side(table, event.seat, **NOTHING_LAID)


RULES: Rules = {
    PhaseEntered: Rule(
        when="own-turn",
        offers=offers_of_phase,
        may_not=may_not_enter,
        fold=fold_phase,
    ),
    PhaseReplaced: Rule(
        offers=offers_of_replacement,
        cannot=cannot_replace,
        may_not=may_not_replace,
        decide=decide_replacement,
        fold=fold_replacement,
    ),
}
FOLDS: Folds = {
    TurnStarted: fold_started,
    UploadPointsGained: fold_points,
    TurnSkipped: fold_skipped,
    TurnEnded: fold_ended,
}
