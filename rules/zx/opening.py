"""The opening: start cards, the toss, hands, life, first resources.

ZX-S3  A start card may begin on the own player square; it comes out of the 50.
ZX-S4  The winner of rock-paper-scissors takes the first turn.
ZX-S5  Opening hand: 4 cards.
ZX-S6  One redraw a player: all 4 cards go back.
ZX-S7  Then 4 cards go face down to life.
ZX-S8  Then 2 cards go face up to resources.
"""

from collections.abc import Iterator

from rules.fields import Choice, Field, Subset
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zx.acts import (
    FirstDecided,
    HandKept,
    HandRedrawn,
    StartCardPlaced,
    StartResourcesPlaced,
)
from rules.zx.cards import START_CARD
from rules.zx.consequences import GameStarted, LifePlaced, OpeningHandDrawn
from rules.zx.field import HOMES, other
from rules.zx.state import (
    Board,
    Folds,
    Resource,
    Rule,
    Rules,
    State,
    Story,
    in_dark,
    may_choose,
    named,
    place,
    replace,
    side_of,
    unseen_of,
    with_side,
)
from rules.zx.terms import LIFE, OPEN_HAND, START_RESOURCES
from rules.zx.waiting import awaited, no_such_card, out_of_order

METHODS = ("rps", "random", "agreed")


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    match awaited(state):
        case "toss", _:
            yield from _offers_of_toss(state, seat)
        case "hand", who if who in (0, seat) and not side_of(state, seat).ready:
            yield Offer("hand-kept", seat, {})
            yield Offer("hand-redrawn", seat, {"n": Choice((OPEN_HAND,))})
        case "resources", _ if not side_of(state, seat).ready:
            dark = named(state, seat, in_dark(state, seat), START_RESOURCES)
            cards = Subset(dark, most=START_RESOURCES, least=START_RESOURCES)
            yield Offer("start-resources-placed", seat, {"cards": cards})


def _offers_of_toss(state: State, seat: Seat) -> Iterator[Offer]:
    firsts = (1, 2) if state.options.rps == "chooses" else (seat,)
    fields: dict[str, Field] = {"first": Choice(firsts), "method": Choice(METHODS)}
    yield Offer("first-decided", seat, fields)
    starters = tuple(name for name in state.cards[seat - 1] if _may_start(state, seat, name))
    if starters and not side_of(state, seat).started:
        yield Offer("start-card-placed", seat, {"card": Choice(starters)})


def _may_start(state: State, seat: Seat, name: str) -> bool:
    """Tell whether a card may begin in play: a Z/X of the 50 that has the text, or may have it."""
    card = state.cards[seat - 1][name]
    able = card.type == "zx" and card.has(START_CARD) is not False
    return able and unseen_of(state, seat, name) > 0


# -- start cards and the toss ---------------------------------------------------------


def _begun(state: State) -> Verdict | None:
    return None if state.board.stage == "first" else impossible("has-started", "ZX-S4")


def cannot_start(state: State, act: StartCardPlaced) -> Verdict | None:
    if verdict := _begun(state) or no_such_card(state, act.seat, act.card):
        return verdict
    if side_of(state, act.seat).started:
        return impossible("start-card-there", "ZX-S3", seat=act.seat)
    if state.cards[act.seat - 1][act.card].type != "zx":
        return impossible("not-a-zx", "ZX-S3", card=act.card)
    return None


def may_not_start(state: State, act: StartCardPlaced) -> Verdict | None:
    if _may_start(state, act.seat, act.card):
        return None
    return irregular("not-a-start-card", "ZX-S3", card=act.card)


def fold_start(state: State, act: StartCardPlaced) -> Board:
    deck = side_of(state, act.seat).deck - 1
    board = with_side(state.board, act.seat, deck=deck, started=True)
    return place(board, act.seat, act.card, HOMES[act.seat])


def cannot_toss(state: State, act: FirstDecided) -> Verdict | None:
    if act.first not in (1, 2):
        return impossible("no-such-seat", seat=act.first, seats=2)
    return _begun(state)


def may_not_toss(state: State, act: FirstDecided) -> Verdict | None:
    if state.options.rps == "chooses" or act.first == act.seat:
        return None
    return irregular("winner-starts", "ZX-S4", seat=act.seat)


def fold_toss(state: State, act: FirstDecided) -> Board:
    return replace(state.board, first=act.first, stage="hands")


def decide_toss(story: Story, before: State, act: FirstDecided) -> None:
    for seat in (act.first, other(act.first)):
        story.add(OpeningHandDrawn(seat=seat, n=OPEN_HAND))


def fold_hand(state: State, event: OpeningHandDrawn) -> Board:
    side = side_of(state, event.seat)
    return with_side(state.board, event.seat, deck=side.deck - event.n, hand=side.hand + event.n)


# -- redraws --------------------------------------------------------------------------


def cannot_settle(state: State, act: HandKept | HandRedrawn) -> Verdict | None:
    if state.board.stage == "first":
        return impossible("not-started", "ZX-S5")
    if state.board.stage == "running":
        return impossible("has-started", "ZX-S6")
    return None


def may_not_settle(state: State, act: HandKept | HandRedrawn) -> Verdict | None:
    side = side_of(state, act.seat)
    if isinstance(act, HandRedrawn):
        if side.redrawn:
            return irregular("redraw-used", "ZX-S6", seat=act.seat)
        if act.n != OPEN_HAND:
            return irregular("redraw-partial", "ZX-S6", n=act.n, hand=OPEN_HAND)
    if side.ready or state.board.stage != "hands":
        return irregular("hand-settled", "ZX-S6", seat=act.seat)
    if awaited(state) in (("hand", 0), ("hand", act.seat)):
        return None
    return irregular("first-player-first", "ZX-AM17", seat=act.seat)


def fold_kept(state: State, act: HandKept) -> Board:
    if state.board.stage != "hands":
        return state.board
    return with_side(state.board, act.seat, ready=True)


def fold_redrawn(state: State, act: HandRedrawn) -> Board:
    ready = state.board.stage == "hands" or side_of(state, act.seat).ready
    return with_side(state.board, act.seat, redrawn=True, known=(), ready=ready)


# -- life and first resources ---------------------------------------------------------


def fold_life(state: State, event: LifePlaced) -> Board:
    """Place a seat's life; once both have, resources are next."""
    side = side_of(state, event.seat)
    life = tuple(range(1, event.n + 1))
    board = with_side(state.board, event.seat, deck=side.deck - event.n, life=life, ready=False)
    return replace(board, stage="resources") if all(s.life for s in board.sides) else board


def cannot_place(state: State, act: StartResourcesPlaced) -> Verdict | None:
    if state.board.stage in ("first", "hands"):
        return impossible("not-started", "ZX-S8")
    if state.board.stage == "running" or side_of(state, act.seat).ready:
        return impossible("has-started", "ZX-S8")
    if len(act.cards) > side_of(state, act.seat).deck:
        return impossible("deck-empty", "ZX-S8", seat=act.seat)
    return no_such_card(state, act.seat, *act.cards)


def may_not_place(state: State, act: StartResourcesPlaced) -> Verdict | None:
    if len(act.cards) != START_RESOURCES:
        return irregular("two-resources", "ZX-S8", n=len(act.cards))
    if may_choose(state, act.seat, "dark", *act.cards):
        return out_of_order(act, act.cards)
    left = in_dark(state, act.seat)
    gone = next(card for card in act.cards if act.cards.count(card) > left[card])
    return irregular("conservation", "ZX-D2", seat=act.seat, card=gone)


def fold_resources(state: State, act: StartResourcesPlaced) -> Board:
    side = side_of(state, act.seat)
    return with_side(
        state.board,
        act.seat,
        deck=side.deck - len(act.cards),
        resources=(*side.resources, *(Resource(card) for card in act.cards)),
        ready=True,
    )


def fold_game(state: State, event: GameStarted) -> Board:
    return replace(state.board, stage="running")


def next_event(state: State) -> LifePlaced | GameStarted | None:
    """Return what happens automatically before the game runs."""
    board = state.board
    if board.stage == "hands" and (unplaced := _without_life(board)):
        return LifePlaced(seat=unplaced, n=LIFE)
    if board.stage == "resources" and all(side.ready for side in board.sides):
        return GameStarted(seat=board.first)
    return None


def _without_life(board: Board) -> Seat | None:
    """Return the seat that places life next, None while a hand is not settled."""
    for seat in (board.first, other(board.first)):
        side = board.sides[seat - 1]
        if not side.ready and not side.life:
            return None
    return next((s for s in (board.first, other(board.first)) if not board.sides[s - 1].life), None)


RULES: Rules = {
    StartCardPlaced: Rule(
        cannot=cannot_start, may_not=may_not_start, fold=fold_start, running=False
    ),
    FirstDecided: Rule(
        cannot=cannot_toss, may_not=may_not_toss, decide=decide_toss, fold=fold_toss, running=False
    ),
    HandKept: Rule(cannot=cannot_settle, may_not=may_not_settle, fold=fold_kept, running=False),
    HandRedrawn: Rule(
        cannot=cannot_settle, may_not=may_not_settle, fold=fold_redrawn, running=False
    ),
    StartResourcesPlaced: Rule(
        cannot=cannot_place, may_not=may_not_place, fold=fold_resources, running=False
    ),
}
FOLDS: Folds = {
    OpeningHandDrawn: fold_hand,
    LifePlaced: fold_life,
    GameStarted: fold_game,
}
