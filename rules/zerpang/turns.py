"""The course of a turn: phases, what ends it, the draw, uploads, releases.

ZP-T1  Order of phases: entrance, movement, combat, draw.
ZP-T6  All combat is settled before the draw phase.
ZP-T7  Draw 1 card, plus 1 for each different resource zone holding at least one own piece.
ZP-P3  Salvage: with no action in the turn, one card for each piece in a zone instead.
ZP-G2  Gunslinger: hand limit 4 plus own pieces on the board; draw, then fill up or discard.
ZP-R3  Upload: a piece on the treasure leaves to the cloud after combat, one a round.
ZP-L5  In the draw phase the Alien may release a piece and take two cards from its owner.
ZP-L6  When the owner of an abducted piece draws in the draw phase, the Alien draws 1.
ZP-N3  "I was not here to fight": concede with no card played, take a random card.
"""

from collections.abc import Iterator

from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks, combat, contact
from rules.zerpang.acts import (
    PHASES,
    CardDiscarded,
    CardsDrawn,
    PhaseEntered,
    PhaseReplaced,
    PieceReleased,
    PieceUploaded,
)
from rules.zerpang.consequences import (
    CardSpent,
    DiscardOwed,
    DrawEnded,
    PhaseBegan,
    PiecesReleased,
    TurnEnded,
    TurnSkipped,
    TurnStarted,
    UploadPointsGained,
)
from rules.zerpang.defeat import end, gone
from rules.zerpang.paying import (
    NOTHING_LAID,
    draw,
    give_up_fresh,
    holdable,
    impossible_only,
    not_holding,
    take,
)
from rules.zerpang.state import (
    CLOUD_AT,
    OTHER,
    Drew,
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Table,
    Turn,
    at,
    class_of,
    clockwise,
    fight_of,
    held_by,
    is_active,
    owner,
    pieces_on_board,
    put,
    replace,
    seat_with,
    side_of,
    uploads,
    with_side,
    with_turn,
)

RELEASE_CARDS = 2


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


def cannot_enter(state: State, act: PhaseEntered) -> Verdict | None:
    return checks.no_turn(state, act.seat)


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
    if act.ability == "not-here":
        return combat.not_in_combat(state, act.seat)
    return checks.no_turn(state, act.seat)


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


# -- uploads --------------------------------------------------------------------------


def offers_of_upload(state: State, seat: Seat) -> Iterator[Offer]:
    if class_of(state, seat) != "robot" or _may_not_upload(state, seat):
        return
    pieces = tuple(
        piece
        for piece in pieces_on_board(state.table, seat)
        if at(state.table, piece) in state.board.treasure
    )
    if pieces:
        yield Offer("piece-uploaded", seat, {"piece": Choice(pieces)})


def _may_not_upload(state: State, seat: Seat) -> Verdict | None:
    """Object if it is not the time to upload. Rule: AM18."""
    turn = state.table.turn
    if verdict := checks.not_ready(state, seat):
        return verdict
    if turn and turn.uploaded:
        return irregular("already-uploaded", "ZP-R3", seat=seat)
    if state.options.upload == "movement":
        return checks.past(state, "movement")
    return contact.combat_due(state, "ZP-R3")


def cannot_upload(state: State, act: PieceUploaded) -> Verdict | None:
    return (
        checks.no_turn(state, act.seat)
        or checks.not_own_piece(state, act.seat, act.piece)
        or checks.not_on_board(state, act.piece)
    )


def may_not_upload(state: State, act: PieceUploaded) -> Verdict | None:
    verdict = checks.other_class(state, act.seat, "robot", "ZP-R3") or _may_not_upload(
        state, act.seat
    )
    if verdict:
        return verdict
    here = at(state.table, act.piece)
    if here not in state.board.treasure:
        return irregular("not-on-treasure", "ZP-R3", piece=act.piece, space=here)
    return None


def decide_upload(story: Story, before: State, act: PieceUploaded) -> None:
    """End entrance and movement, unless the table uploads in the middle of them."""
    amid = before.options.upload == "movement" or checks.untimely(before, act.seat, "movement")
    if not amid:
        story.add(PhaseBegan(seat=act.seat, phase="combat"))


def fold_upload(table: Table, act: PieceUploaded) -> Table:
    table = gone(put(table, act.piece, CLOUD_AT), act.piece)
    return with_turn(table, uploaded=True, acted=True)


# -- releases -------------------------------------------------------------------------


def offers_of_release(state: State, seat: Seat) -> Iterator[Offer]:
    held = tuple(held_by(state.table, seat))
    if held and class_of(state, seat) == "alien" and not _may_not_release(state, seat):
        yield Offer("piece-released", seat, {"piece": Choice(held)})


def _may_not_release(state: State, seat: Seat) -> Verdict | None:
    verdict = (
        checks.not_your_turn(state, seat)
        or checks.combat_pending(state)
        or contact.combat_due(state, "ZP-L5")
    )
    if verdict:
        return verdict
    turn = state.table.turn
    if turn and turn.released and state.options.release == "one":
        return irregular("one-release", "ZP-L5", seat=seat)
    return None


def cannot_release(state: State, act: PieceReleased) -> Verdict | None:
    if verdict := checks.no_turn(state, act.seat) or checks.no_such_piece(state, act.piece):
        return verdict
    if act.piece not in held_by(state.table, act.seat):
        return impossible("not-held", "ZP-L5", seat=act.seat, piece=act.piece)
    return None


def may_not_release(state: State, act: PieceReleased) -> Verdict | None:
    return _may_not_release(state, act.seat)


def decide_release(story: Story, before: State, act: PieceReleased) -> None:
    foe = owner(act.piece)
    story.add(PiecesReleased(seat=foe, foe=act.seat, pieces=(act.piece,)))
    take(story, act.seat, foe, RELEASE_CARDS)


def fold_release(table: Table, act: PieceReleased) -> Table:
    turn = table.turn
    return with_turn(table, released=turn.released + 1, phase="draw", acted=True) if turn else table


# -- the draw -------------------------------------------------------------------------


def zones_held(state: State, seat: Seat) -> int:
    """Return how many different zones hold a piece of a seat. Rule: ZP-T7."""
    zone_of, places = state.board.zone_of, side_of(state, seat).at
    return len({zone for where in places if where in zone_of for zone in zone_of[where]})


def to_draw(state: State, seat: Seat) -> int:
    """Return how many cards the active seat draws. Rule: ZP-T7, ZP-P3, AM20."""
    turn = state.table.turn
    if turn and turn.replaced == "salvage":
        inside = sum(
            at(state.table, piece) in state.board.zone_of
            for piece in pieces_on_board(state.table, seat)
        )
        return inside + (state.options.salvage == "with_base_card")
    return 1 + zones_held(state, seat) * (2 if turn and turn.doubled else 1)


def hand_limit(state: State, seat: Seat) -> int:
    """Return the most cards a Gunslinger may hold. Rule: ZP-G2, AM1."""
    return state.options.gunslinger_hand + len(pieces_on_board(state.table, seat))


def offers_of_draw(state: State, seat: Seat) -> Iterator[Offer]:
    if not _may_not_draw(state, seat):
        yield Offer("cards-drawn", seat, {"n": Choice((to_draw(state, seat),))})


def _may_not_draw(state: State, seat: Seat) -> Verdict | None:
    return checks.not_ready(state, seat) or contact.combat_due(state, "ZP-T6")


def cannot_draw(state: State, act: CardsDrawn) -> Verdict | None:
    if verdict := checks.no_turn(state, act.seat):
        return verdict
    there = state.table.deck + state.table.discard
    if act.n > there and act.n > to_draw(state, act.seat):
        return impossible("draw-count", "ZP-T7", n=act.n, most=there)
    return None


def may_not_draw(state: State, act: CardsDrawn) -> Verdict | None:
    if verdict := _may_not_draw(state, act.seat):
        return verdict
    n = to_draw(state, act.seat)
    if act.n != n:
        turn = state.table.turn
        clause = "ZP-P3" if turn and turn.replaced == "salvage" else "ZP-T7"
        return irregular("draw-count", clause, n=act.n, most=n)
    return None


def decide_draw(story: Story, before: State, act: CardsDrawn) -> None:
    """Draw, let the Alien draw along, bring a Gunslinger's hand to its limit, end the turn.

    A draw out of turn ends nothing.
    """
    seat, turn = act.seat, before.table.turn
    drawn = draw(story, seat, act.n, "turn")
    if drawn:
        _probe(story, seat)
    if class_of(before, seat) == "gunslinger" and is_active(before, seat):
        limit, hand = hand_limit(before, seat), side_of(story.state, seat).hand
        if hand < limit:
            drawn += draw(story, seat, limit - hand, "limit")
        elif hand > limit:
            story.add(DiscardOwed(seat=seat, n=hand - limit))
    salvage = turn is not None and turn.replaced == "salvage"
    story.add(DrawEnded(seat=seat, n=drawn, salvage=salvage))


def _probe(story: Story, seat: Seat) -> None:
    """Let the Alien draw when an owner of a piece it holds draws. Rule: ZP-L6, AM27."""
    alien = seat_with(story.state, "alien")
    held = sum(owner(piece) == seat for piece in held_by(story.table, alien)) if alien else 0
    if held:
        draw(story, alien, held if story.state.options.probe == "per_piece" else 1, "probe")


def fold_draw_ended(table: Table, event: DrawEnded) -> Table:
    turn, fresh = table.turn, table.sides[event.seat - 1].fresh
    table = replace(table, drew=Drew(event.seat, event.n, event.salvage, fresh))
    if turn is None or turn.seat != event.seat:
        return table
    return with_turn(table, phase="draw", drawn=True)


def fold_owed(table: Table, event: DiscardOwed) -> Table:
    return with_turn(table, owes=event.n)


# -- discarding -----------------------------------------------------------------------


def offers_of_discard(state: State, seat: Seat) -> Iterator[Offer]:
    turn = state.table.turn
    if turn and turn.owes and turn.seat == seat and (cards := holdable(state, seat)):
        yield Offer("card-discarded", seat, {"card": Choice(cards)})


def cannot_discard(state: State, act: CardDiscarded) -> Verdict | None:
    if verdict := checks.no_turn(state, act.seat):
        return verdict
    return impossible_only(not_holding(state, act.seat, act.card))


def may_not_discard(state: State, act: CardDiscarded) -> Verdict | None:
    turn = state.table.turn
    if turn is None or turn.seat != act.seat or not turn.owes:
        return irregular("no-discard-due", "ZP-G2", seat=act.seat)
    return not_holding(state, act.seat, act.card)


def decide_discard(story: Story, before: State, act: CardDiscarded) -> None:
    story.add(CardSpent(seat=act.seat, card=act.card))


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
        cannot=cannot_enter,
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
    PieceUploaded: Rule(
        when="own-turn",
        offers=offers_of_upload,
        cannot=cannot_upload,
        may_not=may_not_upload,
        decide=decide_upload,
        fold=fold_upload,
    ),
    PieceReleased: Rule(
        when="own-turn",
        offers=offers_of_release,
        cannot=cannot_release,
        may_not=may_not_release,
        decide=decide_release,
        fold=fold_release,
    ),
    CardsDrawn: Rule(
        when="own-turn",
        offers=offers_of_draw,
        cannot=cannot_draw,
        may_not=may_not_draw,
        decide=decide_draw,
    ),
    CardDiscarded: Rule(
        when="own-turn",
        offers=offers_of_discard,
        cannot=cannot_discard,
        may_not=may_not_discard,
        decide=decide_discard,
        fold=give_up_fresh,
    ),
}
FOLDS: Folds = {
    TurnStarted: fold_started,
    UploadPointsGained: fold_points,
    TurnSkipped: fold_skipped,
    TurnEnded: fold_ended,
    DrawEnded: fold_draw_ended,
    DiscardOwed: fold_owed,
}
