"""The end of a turn: uploads, releases, the draw, discards.

ZP-T6  All combat is settled before the draw phase.
ZP-T7  Draw 1 card, plus 1 for each different resource zone holding at least one own piece.
ZP-P3  A salvage draws one for each piece in a zone instead.
ZP-G2  Gunslinger: hand limit 4 plus own pieces on the board; draw, then fill up or discard.
ZP-R3  Upload: a piece on the treasure leaves to the cloud after combat, one a round.
ZP-L5  In the draw phase the Alien may release a piece and take two cards from its owner.
ZP-L6  When the owner of an abducted piece draws in the draw phase, the Alien draws 1.
"""

from collections.abc import Iterator

from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks, contact
from rules.zerpang.acts import CardDiscarded, CardsDrawn, PieceReleased, PieceUploaded
from rules.zerpang.consequences import CardSpent, DiscardOwed, DrawEnded, PhaseBegan, PiecesReleased
from rules.zerpang.defeat import gone
from rules.zerpang.paying import draw, give_up_fresh, holdable, impossible_only, not_holding, take
from rules.zerpang.state import (
    CLOUD_AT,
    Drew,
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Table,
    at,
    class_of,
    held_by,
    is_active,
    owner,
    pieces_on_board,
    put,
    replace,
    seat_with,
    side_of,
    with_turn,
)

RELEASE_CARDS = 2


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
    return checks.not_own_piece(state, act.seat, act.piece) or checks.not_on_board(state, act.piece)


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
        return irregular("one-release", "ZP-AM26", seat=seat)
    return None


def cannot_release(state: State, act: PieceReleased) -> Verdict | None:
    if verdict := checks.no_such_piece(state, act.piece):
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
    return impossible_only(not_holding(state, act.seat, act.card))


def may_not_discard(state: State, act: CardDiscarded) -> Verdict | None:
    turn = state.table.turn
    if turn is None or turn.seat != act.seat or not turn.owes:
        return irregular("no-discard-due", "ZP-G2", seat=act.seat)
    return not_holding(state, act.seat, act.card)


def decide_discard(story: Story, before: State, act: CardDiscarded) -> None:
    story.add(CardSpent(seat=act.seat, card=act.card))


RULES: Rules = {
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
FOLDS: Folds = {DrawEnded: fold_draw_ended, DiscardOwed: fold_owed}
