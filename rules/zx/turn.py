"""The turn: phases, drawing, resources, trimming.

ZX-T1  Reboot, draw, resource, ignition, main, end.
ZX-T2  Every sleeping card of the turn player is set upright.
ZX-T3  Cards are drawn, as many as the profile says.
ZX-T4  One hand card may become a resource.
ZX-T7  At the end damage is cleared, effects stop, a hand of more than 6 is trimmed.
ZX-W2  A deck that runs out is made anew from the trash at once; the draw goes on.
ZX-AM2 How much charge one may hold; the excess is trimmed.
"""

from collections.abc import Iterator

from rules.fields import Choice, Subset
from rules.ruleset import Consequence, Offer, Seat, Verdict, impossible, irregular
from rules.zx.acts import (
    ChargeTrimmed,
    EventPlayed,
    HandNoted,
    HandTrimmed,
    ResourcePassed,
    ResourcePlaced,
    TurnEnded,
    ZxPlayed,
)
from rules.zx.consequences import (
    CardsDrawn,
    CardsRebooted,
    DamageCleared,
    DrawsLapsed,
    EffectsEnded,
    PhaseEntered,
    TurnStarted,
)
from rules.zx.field import other
from rules.zx.state import (
    Board,
    Folds,
    Resource,
    Rule,
    Rules,
    State,
    Story,
    in_hand,
    in_hand_of,
    knows_hand,
    may_choose,
    multiples,
    named,
    out_of_hand,
    replace,
    side_of,
    units_of,
    unseen,
    unseen_of,
    with_side,
    without,
    without_mods,
)
from rules.zx.terms import HAND_LIMIT
from rules.zx.waiting import awaited, no_such_card, not_now, not_started, out_of_order


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    waits, who = awaited(state)
    if who == seat:
        side = side_of(state, seat)
        match waits:
            case "resource":
                if side.hand:
                    hand = Choice(named(state, seat, in_hand(state, seat)))
                    yield Offer("resource-placed", seat, {"card": hand})
                yield Offer("resource-passed", seat, {})
            case "main":
                yield Offer("turn-ended", seat, {})
            case "trim":
                n = side.hand - HAND_LIMIT
                cards = Subset(named(state, seat, in_hand(state, seat), n), most=n, least=n)
                yield Offer("hand-trimmed", seat, {"cards": cards})
            case "charge":
                n = len(side.charge) - (state.terms.charge_limit or 0)
                cards = Subset(tuple(sorted(side.charge)), most=n, least=n)
                yield Offer("charge-trimmed", seat, {"cards": cards})
    yield from _offers_of_note(state, seat)


def _offers_of_note(state: State, seat: Seat) -> Iterator[Offer]:
    side = side_of(state, seat)
    if side.hand and state.board.depth == "full":
        cards = multiples(unseen(state, seat), side.hand)
        if len(cards) >= side.hand:
            field = Subset(cards, most=side.hand, least=side.hand)
            yield Offer("hand-noted", seat, {"cards": field})


# -- the hand as noted -----------------------------------------------------------------


def cannot_note(state: State, act: HandNoted) -> Verdict | None:
    hand = side_of(state, act.seat).hand
    if verdict := no_such_card(state, act.seat, *act.cards):
        return verdict
    if len(act.cards) != hand or not hand:
        return impossible("hand-of-other-size", "ZX-Z5", cards=len(act.cards), hand=hand)
    return None


def may_not_hold(state: State, act: HandNoted) -> Verdict | None:
    for card in act.cards:
        if act.cards.count(card) > unseen_of(state, act.seat, card):
            return irregular("conservation", "ZX-D2", seat=act.seat, card=card)
    return out_of_order(act, act.cards)


def fold_note(state: State, act: HandNoted) -> Board:
    return with_side(state.board, act.seat, known=act.cards)


# -- resources ------------------------------------------------------------------------


def cannot_use_hand(state: State, act: ResourcePlaced | ZxPlayed | EventPlayed) -> Verdict | None:
    """Refuse a card from an empty hand, or one that the deck does not hold."""
    if verdict := no_such_card(state, act.seat, act.card):
        return verdict
    if not side_of(state, act.seat).hand:
        return impossible("hand-empty", "ZX-Z5", seat=act.seat)
    return None


def not_in_hand(state: State, seat: Seat, card: str) -> Verdict | None:
    """Object to a card that is not in a fully noted hand, or of which all copies are in view."""
    if in_hand_of(state, seat, card):
        return None
    if knows_hand(side_of(state, seat)) and unseen_of(state, seat, card):
        return irregular("not-in-hand", "ZX-Z5", seat=seat, card=card)
    return irregular("conservation", "ZX-D2", seat=seat, card=card)


def may_not_place(state: State, act: ResourcePlaced) -> Verdict | None:
    board = state.board
    if verdict := not_now(state, "resource", act.seat):
        if board.current == act.seat and board.placed:
            return irregular("resource-done", "ZX-T4", seat=act.seat)
        return verdict
    if may_choose(state, act.seat, "hand", act.card):
        return None
    return not_in_hand(state, act.seat, act.card)


def fold_resource(state: State, act: ResourcePlaced) -> Board:
    side = side_of(state, act.seat)
    board = with_side(
        state.board,
        act.seat,
        resources=(*side.resources, Resource(act.card)),
        **out_of_hand(side, act.card),
    )
    return replace(board, placed=True)


def may_not_pass(state: State, act: ResourcePassed) -> Verdict | None:
    return not_now(state, "resource", act.seat)


def decide_resource(story: Story, before: State, act: ResourcePlaced | ResourcePassed) -> None:
    board = before.board
    if board.phase == "resource" and board.current == act.seat:
        story.add(PhaseEntered(seat=act.seat, phase="ignition"))


# -- the end --------------------------------------------------------------------------


def may_not_end(state: State, act: TurnEnded) -> Verdict | None:
    if awaited(state) == ("trim", act.seat):
        return irregular("hand-over-limit", "ZX-T7", seat=act.seat, most=HAND_LIMIT)
    return not_now(state, "main", act.seat)


def decide_end(story: Story, before: State, act: TurnEnded) -> None:
    board = before.board
    if board.current == act.seat and board.phase != "end":
        story.add(PhaseEntered(seat=act.seat, phase="end"))


def cannot_trim(state: State, act: HandTrimmed) -> Verdict | None:
    if verdict := no_such_card(state, act.seat, *act.cards):
        return verdict
    if len(act.cards) > side_of(state, act.seat).hand:
        return impossible("hand-empty", "ZX-Z5", seat=act.seat)
    return None


def may_not_trim(state: State, act: HandTrimmed) -> Verdict | None:
    if verdict := not_now(state, "trim", act.seat):
        return verdict
    if len(act.cards) != side_of(state, act.seat).hand - HAND_LIMIT:
        return irregular("hand-over-limit", "ZX-T7", seat=act.seat, most=HAND_LIMIT)
    if may_choose(state, act.seat, "hand", *act.cards):
        return out_of_order(act, act.cards)
    held = in_hand(state, act.seat)
    gone = next(card for card in act.cards if act.cards.count(card) > held[card])
    return not_in_hand(state, act.seat, gone) or irregular(
        "conservation", "ZX-D2", seat=act.seat, card=gone
    )


def fold_trim(state: State, act: HandTrimmed) -> Board:
    side = side_of(state, act.seat)
    trash = (*side.trash, *act.cards)
    return with_side(state.board, act.seat, trash=trash, **out_of_hand(side, *act.cards))


def cannot_trim_charge(state: State, act: ChargeTrimmed) -> Verdict | None:
    """Refuse cards that are not in the charge, which is empty before the game runs."""
    charge = side_of(state, act.seat).charge
    for card in act.cards:
        if act.cards.count(card) > charge.count(card):
            return impossible("not-in-charge", "ZX-Z5", seat=act.seat, card=card)
    return not_started(state)


def may_not_trim_charge(state: State, act: ChargeTrimmed) -> Verdict | None:
    limit, charge = state.terms.charge_limit, side_of(state, act.seat).charge
    if limit is None or len(charge) <= limit:
        return irregular("condition-false", "ZX-AM2", seat=act.seat, takes="charge")
    if len(charge) - len(act.cards) != limit:
        return irregular("charge-over-limit", "ZX-AM2", seat=act.seat, most=limit)
    return not_now(state, "charge", act.seat) or out_of_order(act, act.cards)


def fold_trim_charge(state: State, act: ChargeTrimmed) -> Board:
    side = side_of(state, act.seat)
    charge, trash = without(side.charge, *act.cards), (*side.trash, *act.cards)
    return with_side(state.board, act.seat, charge=charge, trash=trash)


# -- automatic consequences -----------------------------------------------------------


def next_phase(state: State) -> Consequence | None:
    """Return how the turn continues automatically, None while it waits for a seat."""
    board = state.board
    seat = board.current
    match board.phase:
        case "":
            return TurnStarted(seat=board.first, no=1)
        case "reboot":
            return CardsRebooted(seat=seat) if _asleep(board, seat) else _to_draw(state)
        case "draw":
            return PhaseEntered(seat=seat, phase="resource")
        case "ignition" if not board.sides[seat - 1].charge and not board.driven:
            return PhaseEntered(seat=seat, phase="main")
        case "end":
            return _next_of_end(state)
    return None


def _asleep(board: Board, seat: Seat) -> bool:
    if True in [each.asleep for each in board.sides[seat - 1].resources]:
        return True
    return any(unit.seat == seat and unit.asleep for _, unit in units_of(board))


def _to_draw(state: State) -> PhaseEntered:
    board, terms = state.board, state.terms
    draws = terms.first_draw if board.turn == 1 else terms.draw
    return PhaseEntered(seat=board.current, phase="draw", draws=draws)


def _next_of_end(state: State) -> Consequence | None:
    """Return the next step of a turn's end; what was done while a hand was trimmed ends with it."""
    board = state.board
    trims = board.sides[board.current - 1].hand > HAND_LIMIT
    hurt = tuple(square for square, unit in units_of(board) if unit.damage)
    if not board.cleared or (hurt and not trims):
        return DamageCleared(squares=hurt)
    changed = tuple(
        square
        for square, unit in units_of(board)
        if any(mod.until != "static" for mod in unit.mods)
    )
    waits = trims and (board.lapsed or state.options.end == "seed")
    if not waits and (changed or not board.lapsed):
        return EffectsEnded(squares=changed)
    if trims:
        return None
    return TurnStarted(seat=other(board.current), no=board.turn + 1)


def next_draw(state: State) -> CardsDrawn | DrawsLapsed | None:
    """Return the draw that is owed, as far as the deck goes. Rule: ZX-W2."""
    for seat, side in enumerate(state.board.sides, 1):
        if not side.draws:
            continue
        if side.deck:
            n = min(side.draws, side.deck)
            return CardsDrawn(seat=seat, n=n, left=side.draws - n)
        if not side.trash:
            return DrawsLapsed(seat=seat, n=side.draws)
    return None


def fold_turn(state: State, event: TurnStarted) -> Board:
    board = state.board
    return replace(
        board,
        turn=event.no,
        current=event.seat,
        phase="reboot",
        placed=False,
        cleared=False,
        lapsed=False,
        closing=max(0, board.closing - 1),
    )


def fold_phase(state: State, event: PhaseEntered) -> Board:
    board = replace(state.board, phase=event.phase, igniting=False, driven=False)
    if not event.draws:
        return board
    draws = board.sides[event.seat - 1].draws + event.draws
    return with_side(board, event.seat, draws=draws)


def fold_reboot(state: State, event: CardsRebooted) -> Board:
    board = state.board
    squares = tuple(
        replace(unit, asleep=False) if unit and unit.seat == event.seat and unit.asleep else unit
        for unit in board.squares
    )
    resources = tuple(
        Resource(each.card) if each.asleep else each
        for each in board.sides[event.seat - 1].resources
    )
    return with_side(replace(board, squares=squares), event.seat, resources=resources)


def fold_draw(state: State, event: CardsDrawn) -> Board:
    side = side_of(state, event.seat)
    return with_side(
        state.board,
        event.seat,
        deck=side.deck - event.n,
        hand=side.hand + event.n,
        draws=event.left,
    )


def fold_lapse(state: State, event: DrawsLapsed) -> Board:
    return with_side(state.board, event.seat, draws=0)


def fold_clear(state: State, event: DamageCleared) -> Board:
    squares = state.board.squares
    if event.squares:
        squares = tuple(
            replace(unit, damage=0) if unit and unit.damage else unit for unit in squares
        )
    return replace(state.board, squares=squares, cleared=True)


def fold_effects(state: State, event: EffectsEnded) -> Board:
    squares = state.board.squares
    if event.squares:
        squares = without_mods(squares, "turn", "battle")
    return replace(state.board, squares=squares, lapsed=True)


RULES: Rules = {
    HandNoted: Rule(cannot=cannot_note, may_not=may_not_hold, fold=fold_note, running=False),
    ResourcePlaced: Rule(
        cannot=cannot_use_hand, may_not=may_not_place, decide=decide_resource, fold=fold_resource
    ),
    ResourcePassed: Rule(may_not=may_not_pass, decide=decide_resource),
    TurnEnded: Rule(may_not=may_not_end, decide=decide_end),
    HandTrimmed: Rule(cannot=cannot_trim, may_not=may_not_trim, fold=fold_trim),
    ChargeTrimmed: Rule(
        cannot=cannot_trim_charge, may_not=may_not_trim_charge, fold=fold_trim_charge, running=False
    ),
}
FOLDS: Folds = {
    TurnStarted: fold_turn,
    PhaseEntered: fold_phase,
    CardsRebooted: fold_reboot,
    CardsDrawn: fold_draw,
    DrawsLapsed: fold_lapse,
    DamageCleared: fold_clear,
    EffectsEnded: fold_effects,
}
