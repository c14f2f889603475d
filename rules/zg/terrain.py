"""Terrain at depth `full`: pieces that attacks can destroy.

ZG TER-1  Nobody moves terrain after the start; it can only be destroyed.
ZG TER-2  Mass: the two longest sides in cards are the strikes that remove a piece (CON-11).
ZG TER-3  Against terrain the attacker draws the target card from its own deck; it is not slagged.
ZG TER-4  Strikes add up over the match; no lock, stun or follow-up.
"""

from collections.abc import Iterator

from rules.fields import Choice, Field
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zg import checks
from rules.zg.acts import TerrainAttacked, TerrainPiece
from rules.zg.attack import YES_OR_NO, attacking_cards, draws_of_spin, resolve_attack, spins
from rules.zg.consequences import TerrainRemoved, TerrainStruck
from rules.zg.moves import tell_what_is_left
from rules.zg.pulse import play
from rules.zg.state import (
    ENDS,
    Board,
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Struck,
    by_known_ends,
    drawable,
    keep,
    known_ends,
    replace,
)


def mass(piece: TerrainPiece, *, product: bool = False) -> int:
    """Return how many strikes remove a piece. Rule: ZG TER-2, CON-11."""
    _, second, longest = sorted((piece.length, piece.height, piece.width))
    return second * longest if product else second + longest


def left_of(state: State, piece: TerrainPiece) -> int:
    """Return how many more strikes remove a piece."""
    taken = sum(each.strikes for each in state.board.struck if each.piece == piece.name)
    return max(0, mass(piece, product=state.options.mass_product) - taken)


def piece_of(state: State, name: str) -> TerrainPiece | None:
    return next((piece for piece in state.options.terrain if piece.name == name), None)


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    standing = tuple(piece.name for piece in state.options.terrain if left_of(state, piece))
    if not standing or checks.undecided(state) or checks.drawn(state):
        return
    for card in attacking_cards(state, seat):
        ends = known_ends(state, seat, card)
        others = [name for name in drawable(state, seat) if name != card]
        for targets, target_ends in by_known_ends(state, seat, others):
            if ends:
                fields: dict[str, Field] = {
                    "card": Choice((card,)),
                    "end": Choice(ends),
                    "piece": Choice(standing),
                    "target": Choice(targets),
                    "target_end": Choice(target_ends),
                    "spin": Choice(spins(state, target_ends)),
                    "half_turn": YES_OR_NO,
                }
                yield Offer("terrain-attacked", seat, fields)


def cannot(state: State, act: TerrainAttacked) -> Verdict | None:
    ends = (act.target_end,) if act.spin == "table" else ENDS
    verdict = (
        checks.not_in_play(state, act.seat)
        or checks.no_such_card(state, act.seat, act.card)
        or checks.no_such_card(state, act.seat, act.target)
        or checks.unknown_end(state, act.seat, act.card, (act.end,))
        or checks.unknown_end(state, act.seat, act.target, ends)
        or checks.no_server_draws(state, act.spin)
    )
    if verdict:
        return verdict
    if act.card == act.target:
        return impossible("same-card", "ZG TER-3", card=act.card)
    if piece_of(state, act.piece) is None:
        return impossible("no-such-terrain", "ZG TER-1", piece=act.piece)
    return None


def may_not(state: State, act: TerrainAttacked) -> Verdict | None:
    verdict = (
        checks.untimely(state, act.seat, act.card)
        or checks.slagged(state, act.seat, act.card)
        or checks.slagged(state, act.seat, act.target)
        or checks.played(state, act.seat, act.card)
    )
    if verdict:
        return verdict
    piece = piece_of(state, act.piece)
    if piece is None or not left_of(state, piece):
        return irregular("terrain-is-gone", "ZG TER-2", piece=act.piece)
    if act.target not in drawable(state, act.seat):
        return irregular("is-in-hand", "ZG TER-3", seat=act.seat, card=act.target)
    return None


def decide(story: Story, before: State, act: TerrainAttacked) -> None:
    piece, strikes = piece_of(before, act.piece), resolve_attack(before, act).strikes
    if piece is not None:
        left = left_of(before, piece)
        story.add(TerrainStruck(piece=piece.name, strikes=strikes, left=max(0, left - strikes)))
        if 0 < left <= strikes:
            story.add(TerrainRemoved(piece=piece.name))
    tell_what_is_left(story, before, act)


def fold_attack(board: Board, act: TerrainAttacked) -> Board:
    return play(board, act.seat, act.card)


def fold_struck(board: Board, event: TerrainStruck) -> Board:
    before = sum(each.strikes for each in board.struck if each.piece == event.piece)
    others = tuple(each for each in board.struck if each.piece != event.piece)
    return replace(board, struck=(*others, Struck(event.piece, before + event.strikes)))


RULES: Rules = {
    TerrainAttacked: Rule(
        cannot=cannot,
        may_not=may_not,
        decide=decide,
        fold=fold_attack,
        draws=draws_of_spin,
        depths=("full",),
    )
}
FOLDS: Folds = {TerrainStruck: fold_struck, TerrainRemoved: keep}
