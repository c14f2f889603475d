"""Cards and points: what is laid down, what it is worth, what is lost.

ZP-A1  A specialty card can always be spent for its printed value.
ZP-A2  Ninjas count the Ninjutsu value, Pirates the Pillage value, all others choose.
ZP-A3  Surplus points of a payment are lost; they cannot serve another action.
ZP-A4  Points are spent on entrance, steps, combat rating and class abilities.
ZP-G1  A Gunslinger never plays a single card, but sets.
ZP-R3  Each uploaded piece gives one extra point a round.

Cards are laid down one by one before the action that they pay for. The cards in a hand are unknown
unless its seat records them, but a registered deck limits how many copies there are.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.chaptered import kept, put_side
from rules.fields import Choice
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zerpang import checks
from rules.zerpang.acts import CLOUD, CardDiscarded, CardSeen, PointsPaid
from rules.zerpang.cards import Deck, Which, worth_of_sets
from rules.zerpang.consequences import (
    CardsAdded,
    CardSpent,
    CardsTaken,
    DeckReshuffled,
    PointsSpent,
    UploadPointSpent,
)
from rules.zerpang.state import (
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Table,
    Turn,
    class_of,
    owner,
    replace,
    seat_with,
    side_of,
    with_side,
    with_turn,
)

# -- what a hand may hold -------------------------------------------------------------


@kept
def holdable(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards that a seat may hold, as far as the seat itself can know."""
    side = side_of(state, seat)
    if not side.hand:
        return ()
    cards = state.deck.cards
    if len(side.known) == side.hand:
        return tuple(card for card in cards if card in side.known)
    if not side.known:
        return _left(state)
    held = {*_left(state), *side.known}
    return tuple(card for card in cards if card in held)


@kept
def _left(state: State) -> tuple[str, ...]:
    """Return the cards of which not all copies are among the discards."""
    spent = state.table.spent
    return tuple(
        [
            name
            for name, card in state.deck.cards.items()
            if not card.copies or spent.get(name, 0) < card.copies
        ]
    )


def not_holding(state: State, seat: Seat, card: str, copies: int = 1) -> Verdict | None:
    """Object to a card that cannot be in a seat's hand; refuse if the hand is empty."""
    if card not in state.deck.cards:
        return impossible("no-such-card", "ZP-A1", card=card)
    side = side_of(state, seat)
    if side.hand < copies:
        return impossible("hand-empty", "ZP-A1", seat=seat, n=side.hand)
    if side.known.count(card) >= copies:
        return None
    if len(side.known) == side.hand:
        return irregular("not-in-hand", "ZP 13", seat=seat, card=card)
    printed = state.deck.cards[card].copies
    if printed and state.table.spent.get(card, 0) + copies > printed:
        return irregular("no-such-card-left", "ZP 13", card=card, n=printed)
    return None


def impossible_only(verdict: Verdict | None) -> Verdict | None:
    return verdict if verdict and verdict.call == "impossible" else None


# -- points ---------------------------------------------------------------------------


def sides_for_points(cls: str) -> tuple[Which, ...]:
    """Return the sides of a specialty whose value a class counts. Rule: ZP-A2."""
    both: tuple[Which, ...] = ("N", "P")
    return {"ninja": both[:1], "pirate": both[1:]}.get(cls, both)


def by_side(state: State, seat: Seat) -> list[tuple[tuple[str, ...], Which]]:
    """Return the cards a seat may hold, grouped by each side it may count."""
    sides = sides_for_points(class_of(state, seat))
    return _by_side(holdable(state, seat), ("", *sides), state.deck)


@kept
def _by_side(
    held: tuple[str, ...], sides: tuple[Which, ...], deck: Deck
) -> list[tuple[tuple[str, ...], Which]]:
    cards = deck.cards
    found = [(tuple([card for card in held if cards[card].counts(side)]), side) for side in sides]
    return [(some, side) for some, side in found if some]


def no_such_side(state: State, card: str, side: str) -> Verdict | None:
    if card in state.deck.cards and not state.deck.cards[card].worth(side):
        return impossible("no-such-side", "ZP-A2", card=card, side=side or "-")
    return None


def other_side(state: State, seat: Seat, side: str) -> Verdict | None:
    """Object to the value of a side that the class does not count. Rule: ZP-A2."""
    if not side or side in sides_for_points(class_of(state, seat)):
        return None
    return irregular("card-side", "ZP-A2", seat=seat, side=side)


def laid_down(state: State, seat: Seat) -> int:
    """Return the worth of what a seat has laid down. Rule: ZP-G1."""
    purse = side_of(state, seat).purse
    if class_of(state, seat) != "gunslinger":
        return sum(purse)
    return worth_of_sets(tuple(sorted(purse)), state.options.sets == "four")


def short(state: State, seat: Seat, need: int) -> Verdict | None:
    """Object if what is laid down does not cover a need."""
    total = laid_down(state, seat)
    if total >= need:
        return None
    purse = side_of(state, seat).purse
    if class_of(state, seat) == "gunslinger" and purse and not total:
        code = "single-card" if len(purse) == 1 else "set-invalid"
        return irregular(code, "ZP-G1", seat=seat)
    return irregular("underpaid", "ZP-A4", seat=seat, need=need, total=total)


def paid_together(state: State, seat: Seat, need: int) -> Verdict:
    """Object to points that would be enough, but not with each space paid apart. Rule: AM5."""
    return irregular("paid-together", "ZP-AM5", seat=seat, need=need, total=laid_down(state, seat))


def payable(state: State, seat: Seat, each: int = 1) -> int:
    """Return how many things that cost `each` are covered by what is laid down. Rule: AM5."""
    if state.options.pay == "at_once" or class_of(state, seat) == "gunslinger":
        return laid_down(state, seat) // each
    return _paid_apart(sorted(side_of(state, seat).purse), each)


def _paid_apart(values: list[int], each: int) -> int:
    """Return how many times cards can pay `each` separately, pairing high values with low."""
    times = 0
    while sum(values) >= each:
        total = values.pop()
        while total < each:
            total += values.pop(0)
        times += 1
    return times


NOTHING_LAID: Mapping[str, Any] = {"purse": (), "ninjutsu": 0}
"""The changes to a side when what it laid down is used, or lost."""


def spend(story: Story, seat: Seat, need: int) -> None:
    """Use what a seat has laid down to pay for something."""
    if need <= 0 or not side_of(story.state, seat).purse:
        return
    total = laid_down(story.state, seat)
    lost = max(0, total - need)
    story.add(PointsSpent(seat=seat, need=need, total=total, lost=lost))


# -- laying cards down ----------------------------------------------------------------


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    if may_not_lay(state, seat):
        return
    for cards, side in by_side(state, seat):
        yield Offer("points-paid", seat, {"card": Choice(cards), "side": Choice((side,))})
    if side_of(state, seat).clouds:
        yield Offer("points-paid", seat, {"card": Choice((CLOUD,))})


def cannot_pay(state: State, act: PointsPaid) -> Verdict | None:
    if act.card == CLOUD:
        if act.side or not side_of(state, act.seat).clouds:
            return impossible("no-upload-point", "ZP-R3", seat=act.seat)
        return None
    return impossible_only(not_holding(state, act.seat, act.card)) or no_such_side(
        state, act.card, act.side
    )


def may_not_pay(state: State, act: PointsPaid) -> Verdict | None:
    if verdict := may_not_lay(state, act.seat):
        return verdict
    if act.card == CLOUD:
        return None
    return other_side(state, act.seat, act.side) or not_holding(state, act.seat, act.card)


def may_not_lay(state: State, seat: Seat) -> Verdict | None:
    """Object if a seat has nothing to pay for: not its turn, no combat, nothing to answer."""
    table = state.table
    if table.turn is None:
        return impossible("not-begun", "ZP-S6")
    if side_of(state, seat).out:
        return impossible("seat-out", seat=seat)
    if table.fight or answers(state, seat):
        return None
    return checks.not_your_turn(state, seat) or checks.discard_due(state)


def answers(state: State, seat: Seat) -> bool:
    """Tell whether a seat may answer what just happened with a specialty."""
    table = state.table
    fallen = any(owner(piece) == seat for piece in table.fallen)
    return fallen or table.drew is not None or table.open is not None


def decide_pay(story: Story, before: State, act: PointsPaid) -> None:
    if act.card == CLOUD:
        story.add(UploadPointSpent(seat=act.seat))
        return
    value = before.deck.cards[act.card].worth(act.side)
    story.add(CardSpent(seat=act.seat, card=act.card, side=act.side, value=value))


# -- recorded cards -------------------------------------------------------------------


def offers_of_seen(state: State, seat: Seat) -> Iterator[Offer]:
    side = side_of(state, seat)
    if state.table.turn is None or side.out or len(side.known) >= side.hand:
        return
    if cards := unseen(state, seat):
        yield Offer("card-seen", seat, {"card": Choice(cards)})


def unseen(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards of which a seat may hold one more than it has recorded."""
    known, spent, cards = side_of(state, seat).known, state.table.spent, state.deck.cards
    if not known:
        return _left(state)
    return tuple(
        name
        for name in _left(state)
        if not cards[name].copies or spent.get(name, 0) + known.count(name) < cards[name].copies
    )


def cannot_see(state: State, act: CardSeen) -> Verdict | None:
    if act.card not in state.deck.cards:
        return impossible("no-such-card", "ZP-A1", card=act.card)
    side = side_of(state, act.seat)
    if len(side.known) >= side.hand:
        return impossible("hand-told", "ZP 13", seat=act.seat, n=side.hand)
    return None


def may_not_see(state: State, act: CardSeen) -> Verdict | None:
    if act.card in unseen(state, act.seat):
        return None
    printed = state.deck.cards[act.card].copies
    return irregular("no-such-card-left", "ZP 13", card=act.card, n=printed)


def fold_seen(table: Table, act: CardSeen) -> Table:
    known = table.sides[act.seat - 1].known
    return with_side(table, act.seat, known=tuple(sorted((*known, act.card))))


# -- drawing --------------------------------------------------------------------------


def draw(story: Story, seat: Seat, n: int, why: str) -> int:
    """Let a seat draw cards as far as there are any; return how many. Rule: AM11."""
    left = n
    while left > 0:
        table = story.table
        if not table.deck:
            if not table.discard or _runs_out(story.state):
                break
            story.add(DeckReshuffled(n=table.discard))
            continue
        some = min(left, table.deck)
        story.add(CardsAdded(seat=seat, n=some, why=why))
        left -= some
    return n - left


def _runs_out(state: State) -> bool:
    """Tell whether an empty deck stays empty, because an Elf then wins."""
    return state.options.elf_win == "deck_empty" and bool(seat_with(state, "elf"))


def take(story: Story, seat: Seat, foe: Seat, n: int) -> None:
    """Let a seat take cards from another, as many as there are."""
    if some := min(n, side_of(story.state, foe).hand):
        story.add(CardsTaken(seat=seat, foe=foe, n=some))


# -- folds ----------------------------------------------------------------------------


def also_before(fold: Callable[[Table, Any], Table]) -> Callable[[Table, Any], Table]:
    """Apply a fold also to the state kept for undoing the specialty just played.

    If the seat would not have had the cards without it, it can no longer be undone.
    """

    def both(table: Table, event: Any) -> Table:
        open_ = table.open
        table = fold(table, event)
        if open_ is None:
            return table
        before = fold(open_.before, event)
        side = before.sides[event.seat - 1]
        fits = side.hand >= len(side.known)
        return replace(table, open=replace(open_, before=before) if fits else None)

    return both


def fold_spent(table: Table, event: CardSpent) -> Table:
    side = table.sides[event.seat - 1]
    changes: dict[str, Any] = {"hand": side.hand - 1}
    if side.fresh:
        changes["fresh"] = side.fresh - 1
    if event.card in side.known:
        known = list(side.known)
        known.remove(event.card)
        changes["known"] = tuple(known)
    elif len(side.known) == side.hand:
        changes["known"] = ()
    if event.value:
        changes["purse"] = (*side.purse, event.value)
        if event.side == "N":
            changes["ninjutsu"] = side.ninjutsu + event.value
    spent = dict(table.spent)
    if event.card in spent:
        spent[event.card] += 1
    else:
        spent[event.card] = 1
        spent = {name: spent[name] for name in sorted(spent)}
    sides = put_side(table.sides, event.seat, replace(side, **changes))
    turn = owing_less(table.turn, event.seat, 1)
    return replace(table, sides=sides, turn=turn, spent=spent, discard=table.discard + 1)


def owing_less(turn: Turn | None, seat: Seat, n: int) -> Turn | None:
    """Return the turn after a seat lost cards, with fewer cards to discard. Rule: ZP-G2."""
    if turn is None or not turn.owes or turn.seat != seat:
        return turn
    return replace(turn, owes=max(0, turn.owes - n))


def fold_cloud(table: Table, event: UploadPointSpent) -> Table:
    side = table.sides[event.seat - 1]
    return with_side(table, event.seat, clouds=side.clouds - 1, purse=(*side.purse, 1))


def fold_points(table: Table, event: PointsSpent) -> Table:
    return with_side(table, event.seat, **NOTHING_LAID)


def fold_added(table: Table, event: CardsAdded) -> Table:
    seat, n = event.seat, event.n
    side = table.sides[seat - 1]
    side = replace(side, hand=side.hand + n, fresh=side.fresh + n)
    return replace(table, sides=put_side(table.sides, seat, side), deck=table.deck - n)


def fold_taken(table: Table, event: CardsTaken) -> Table:
    """Move cards from hand to hand; the loser no longer knows which are left."""
    foe, side = table.sides[event.foe - 1], table.sides[event.seat - 1]
    table = with_side(table, event.foe, hand=foe.hand - event.n, known=())
    turn = owing_less(table.turn, event.foe, event.n)
    return with_side(replace(table, drew=None, turn=turn), event.seat, hand=side.hand + event.n)


def fold_reshuffled(table: Table, event: DeckReshuffled) -> Table:
    return replace(table, deck=table.deck + event.n, discard=0, spent={})


def give_up_fresh(table: Table, act: CardDiscarded | PointsPaid) -> Table:
    """Let a seat give up a new card first: an old one may yet be played after its draw.

    Rule: ZP-A6.
    """
    drew = table.drew
    if drew is None or drew.seat != act.seat or act.card == CLOUD:
        return table
    return replace(table, drew=replace(drew, fresh=max(0, drew.fresh - 1)))


def fold_pay(table: Table, act: PointsPaid) -> Table:
    return fold_acted(give_up_fresh(table, act), act)


def fold_acted(table: Table, act: Any) -> Table:
    """Note that the active seat has acted in its turn."""
    turn = table.turn
    if turn is None or turn.acted or act.seat != turn.seat:
        return table
    return with_turn(table, acted=True)


RULES: Rules = {
    PointsPaid: Rule(
        offers=offers, cannot=cannot_pay, may_not=may_not_pay, decide=decide_pay, fold=fold_pay
    ),
    CardSeen: Rule(
        offers=offers_of_seen, cannot=cannot_see, may_not=may_not_see, fold=also_before(fold_seen)
    ),
}
FOLDS: Folds = {
    CardSpent: also_before(fold_spent),
    UploadPointSpent: also_before(fold_cloud),
    PointsSpent: also_before(fold_points),
    CardsAdded: fold_added,
    CardsTaken: fold_taken,
    DeckReshuffled: fold_reshuffled,
}
