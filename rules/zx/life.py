"""Life: damage to a player, what a revealed card may do, and the cost of a reload.

ZX-B8   The attacking side points at a face-down life card; its owner reveals it.
ZX-B9   With an icon it may be played free; otherwise, or if declined, it goes to charge.
ZX-B10  Life Recovery on it: with no more life than the other, the top card may go to life.
ZX-B11  Void Bringer on it: under the same condition any Z/X may go to its owner's trash.
ZX-W2   A reload costs a life card, which goes to charge.
ZX-W3   That card is not damage: it is not played.
"""

from collections.abc import Iterator

from rules.fields import Choice, Field
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zx import free
from rules.zx.acts import (
    LifeRecovered,
    LifeRecoveryDeclined,
    LifeRevealed,
    ReloadPaid,
    VoidBringerDeclined,
    VoidBringerUsed,
)
from rules.zx.cards import KEYWORDS, LIFE_RECOVERY, VOID_BRINGER
from rules.zx.consequences import (
    DeckReloaded,
    KeywordReady,
    LifeCardCharged,
    LifeCardPlayed,
    Ready,
)
from rules.zx.field import other
from rules.zx.playing import replaced
from rules.zx.state import (
    Board,
    Folds,
    Keyword,
    Rule,
    Rules,
    Shown,
    Side,
    State,
    Story,
    in_dark,
    left_with,
    may_choose,
    named,
    replace,
    side_of,
    to_charge,
    unit_at,
    units_of,
    with_side,
    with_unit,
)
from rules.zx.waiting import awaited, no_such_card, not_now


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    waits, who = awaited(state)
    if who != seat:
        return
    side = side_of(state, seat)
    match waits:
        case "life":
            fields: dict[str, Field] = {"slot": Choice(side.life)}
            playable = not _is_last(state, side)
            yield from free.offers_of(state, seat, "life-revealed", fields, playable=playable)
        case "reload":
            cards = named(state, seat, in_dark(state, seat))
            paid: dict[str, Field] = {"slot": Choice(side.life), "card": Choice(cards)}
            yield Offer("reload-paid", seat, {**paid, "by": Choice((0, picker_of(state, seat)))})
        case "keyword":
            yield from _offers_of_keyword(state, seat)


def _offers_of_keyword(state: State, seat: Seat) -> Iterator[Offer]:
    for kind in (LIFE_RECOVERY, VOID_BRINGER):
        if not _may_be(state, kind):
            continue
        able = _is_able(state, seat, kind)
        if able and kind == LIFE_RECOVERY:
            yield Offer("life-recovered", seat, {})
        elif able:
            yield Offer("void-bringer-used", seat, {"square": Choice(void_targets(state, seat))})
        if not (able and _is_forced(state)):
            yield Offer(f"{kind}-declined", seat, {})


def _may_be(state: State, kind: str) -> bool:
    """Tell whether the pending keyword may be this one."""
    return state.board.keyword is not None and state.board.keyword.kind in (kind, "unknown")


def _is_forced(state: State) -> bool:
    """Tell whether the pending keyword must be used, which requires that it is known (AM5)."""
    keyword = state.board.keyword
    return state.terms.mandatory and keyword is not None and keyword.kind != "unknown"


def _is_able(state: State, seat: Seat, keyword: str) -> bool:
    """Tell whether a seat is able to use a pending keyword."""
    if keyword == LIFE_RECOVERY:
        return side_of(state, seat).deck > 0
    return bool(void_targets(state, seat))


def void_targets(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the squares that Void Bringer may empty (AM7)."""
    any_ = state.options.void == "any"
    return tuple(sq for sq, unit in units_of(state.board) if any_ or unit.seat != seat)


def _is_last(state: State, side: Side) -> bool:
    """Tell whether the next damage loses at once, so that nothing is played (AM4)."""
    return state.options.life_zero == "immediate" and len(side.life) == 1


# -- revealing ------------------------------------------------------------------------


def _no_such_life(state: State, act: LifeRevealed | ReloadPaid) -> Verdict | None:
    life = side_of(state, act.seat).life
    if not life:
        return impossible("no-life", "ZX-W1", seat=act.seat)
    return None if act.slot in life else impossible("no-such-life", "ZX-B8", slot=act.slot)


def cannot_reveal(state: State, act: LifeRevealed) -> Verdict | None:
    return _no_such_life(state, act) or free.cannot_show(state, act)


def may_not_reveal(state: State, act: LifeRevealed) -> Verdict | None:
    if not side_of(state, act.seat).hits:
        return irregular("condition-false", "ZX-B8", seat=act.seat, takes="life")
    if verdict := not_now(state, "life", act.seat):
        return verdict
    if verdict := free.may_not_show(state, act):
        return verdict
    if act.played and _is_last(state, side_of(state, act.seat)):
        return irregular("last-life", "ZX-AM4", seat=act.seat)
    return None


def fold_reveal(state: State, act: LifeRevealed) -> Board:
    side = side_of(state, act.seat)
    life = tuple(slot for slot in side.life if slot != act.slot)
    board = with_side(state.board, act.seat, **left_with(life, side.hits - 1, side.owes))
    return replace(board, shown=Shown(act.seat, act.card))


def decide_reveal(story: Story, before: State, act: LifeRevealed) -> None:
    if not act.played:
        story.add(LifeCardCharged(seat=act.seat, card=act.card))
        return
    square = "" if act.played == "event" else act.played
    story.add(LifeCardPlayed(seat=act.seat, card=act.card, square=square))
    replaced(story, before, square)
    keyword = _ready(story.state, act)
    if square and keyword:
        story.add(KeywordReady(seat=act.seat, keyword=keyword))


def _ready(state: State, act: LifeRevealed) -> Ready | None:
    """Return the keyword that a card played from life may use now, or None."""
    card, side = state.cards[act.seat - 1][act.card], side_of(state, act.seat)
    counted = len(side.life) + (state.options.compare == "before")
    if counted > len(side_of(state, other(act.seat)).life):
        return None
    has = {each: card.has(each) for each in KEYWORDS if _is_able(state, act.seat, each)}
    sure = next((each for each in has if has[each]), None)
    return sure or ("unknown" if None in has.values() else None)


def fold_charged(state: State, event: LifeCardCharged) -> Board:
    return to_charge(state, replace(state.board, shown=None), event.seat, event.card)


def fold_ready(state: State, event: KeywordReady) -> Board:
    return replace(state.board, keyword=Keyword(event.seat, event.keyword))


# -- keywords -------------------------------------------------------------------------

CLAUSES = {LIFE_RECOVERY: "ZX-B10", VOID_BRINGER: "ZX-B11"}


def _not_ready(state: State, seat: Seat, kind: str) -> Verdict | None:
    keyword = state.board.keyword
    if keyword is None or keyword.seat != seat or not _may_be(state, kind):
        return irregular("condition-false", CLAUSES[kind], seat=seat, takes=kind)
    return not_now(state, "keyword", seat)


def cannot_recover(state: State, act: LifeRecovered) -> Verdict | None:
    if not side_of(state, act.seat).deck:
        return impossible("deck-empty", "ZX-B10", seat=act.seat)
    return None


def may_not_recover(state: State, act: LifeRecovered) -> Verdict | None:
    return _not_ready(state, act.seat, LIFE_RECOVERY)


def recovered(board: Board, seat: Seat) -> Board:
    """Put the top card of a deck face down into life."""
    side = board.sides[seat - 1]
    slot = max(side.life, default=0) + 1
    return with_side(board, seat, deck=side.deck - 1, life=(*side.life, slot))


def fold_recover(state: State, act: LifeRecovered) -> Board:
    return replace(recovered(state.board, act.seat), keyword=None)


def may_not_decline(
    state: State, act: LifeRecoveryDeclined | VoidBringerDeclined
) -> Verdict | None:
    kind = LIFE_RECOVERY if isinstance(act, LifeRecoveryDeclined) else VOID_BRINGER
    if verdict := _not_ready(state, act.seat, kind):
        return verdict
    if _is_forced(state) and _is_able(state, act.seat, kind):
        return irregular("is-mandatory", "ZX-AM5", seat=act.seat)
    return None


def fold_decline(state: State, act: LifeRecoveryDeclined | VoidBringerDeclined) -> Board:
    return replace(state.board, keyword=None)


def cannot_void(state: State, act: VoidBringerUsed) -> Verdict | None:
    if unit_at(state.board, act.square) is None:
        return impossible("nothing-there", "ZX-B11", square=act.square)
    return None


def may_not_void(state: State, act: VoidBringerUsed) -> Verdict | None:
    if verdict := _not_ready(state, act.seat, VOID_BRINGER):
        return verdict
    if act.square not in void_targets(state, act.seat):
        return irregular("void-own", "ZX-AM7", square=act.square)
    return None


def fold_void(state: State, act: VoidBringerUsed) -> Board:
    unit = unit_at(state.board, act.square)
    assert unit is not None
    trash = (*side_of(state, unit.seat).trash, unit.card, *unit.under)
    board = with_side(with_unit(state.board, act.square, None), unit.seat, trash=trash)
    return replace(board, keyword=None)


# -- reload ---------------------------------------------------------------------------


def next_reload(state: State) -> DeckReloaded | None:
    """Return the reload that is due: a deck that ran out while there is a trash."""
    for seat, side in enumerate(state.board.sides, 1):
        if not side.deck and side.trash:
            return DeckReloaded(seat=seat, n=len(side.trash))
    return None


def fold_reloaded(state: State, event: DeckReloaded) -> Board:
    side = side_of(state, event.seat)
    return with_side(
        state.board,
        event.seat,
        deck=event.n,
        trash=(),
        reloads=side.reloads + 1,
        owes=bool(side.life),
    )


def cannot_pay(state: State, act: ReloadPaid) -> Verdict | None:
    return _no_such_life(state, act) or no_such_card(state, act.seat, act.card)


def picker_of(state: State, seat: Seat) -> Seat:
    """Return who points at the life card of a reload (AM3)."""
    return other(seat) if state.options.reload_pick == "opponent" else seat


def may_not_pay(state: State, act: ReloadPaid) -> Verdict | None:
    if not side_of(state, act.seat).owes:
        return irregular("condition-false", "ZX-W2", seat=act.seat, takes="reload")
    if verdict := not_now(state, "reload", act.seat):
        return verdict
    if act.by not in (0, picker_of(state, act.seat)):
        return irregular("other-picker", "ZX-AM3", seat=picker_of(state, act.seat))
    if may_choose(state, act.seat, "dark", act.card):
        return None
    return irregular("conservation", "ZX-D2", seat=act.seat, card=act.card)


def fold_pay(state: State, act: ReloadPaid) -> Board:
    side = side_of(state, act.seat)
    life = tuple(slot for slot in side.life if slot != act.slot)
    board = with_side(state.board, act.seat, **left_with(life, side.hits, owes=False))
    return to_charge(state, board, act.seat, act.card)


RULES: Rules = {
    LifeRevealed: Rule(
        cannot=cannot_reveal, may_not=may_not_reveal, decide=decide_reveal, fold=fold_reveal
    ),
    LifeRecovered: Rule(cannot=cannot_recover, may_not=may_not_recover, fold=fold_recover),
    LifeRecoveryDeclined: Rule(may_not=may_not_decline, fold=fold_decline),
    VoidBringerUsed: Rule(cannot=cannot_void, may_not=may_not_void, fold=fold_void),
    VoidBringerDeclined: Rule(may_not=may_not_decline, fold=fold_decline),
    ReloadPaid: Rule(cannot=cannot_pay, may_not=may_not_pay, fold=fold_pay),
}
FOLDS: Folds = {
    LifeCardPlayed: free.fold_free,
    LifeCardCharged: fold_charged,
    KeywordReady: fold_ready,
    DeckReloaded: fold_reloaded,
}
