"""Playing cards from hand, and their costs.

ZX-A1  A cost is paid by turning as many resources; one of them has to share the card's colour.
ZX-A2  Colourless cost takes any; cost 0 takes none.
ZX-A3  An ability says its own cost.
ZX-A4  A Z/X goes to an empty normal square, the own player square, or over an own upright Z/X.
ZX-A5  Never onto an opposing Z/X, an own sleeping one, or the opponent's player square.
ZX-A6  Z/X in the own main phase; events there or in anybody's battle.
ZX-A7  An event resolves and goes to the trash.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby, product
from typing import Literal

from rules.chaptered import kept
from rules.fields import Choice, Field, Subset
from rules.ruleset import Act, Offer, Seat, Verdict, event_type, impossible, irregular
from rules.zx.acts import (
    AutoTriggered,
    EffectApplied,
    EventPlayed,
    HandNoted,
    StartupUsed,
    TimeCalled,
    ZxPlayed,
)
from rules.zx.cards import COLOURLESS, Card
from rules.zx.consequences import CostPaid, EventResolved, ZxReplaced
from rules.zx.field import Square, other
from rules.zx.state import (
    Board,
    Folds,
    Rule,
    Rules,
    Shown,
    State,
    Story,
    in_hand,
    keep,
    out_of_hand,
    place,
    places_for,
    replace,
    side_of,
    unit_at,
    units_of,
    voices_of,
    with_side,
    with_unit,
    without,
)
from rules.zx.turn import cannot_use_hand, not_in_hand
from rules.zx.waiting import (
    asleep_there,
    awaited,
    barred,
    due,
    no_such_voice,
    not_now,
    out_of_order,
)

# -- cost -----------------------------------------------------------------------------


@kept
def upright(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the resources a seat can put to sleep, in alphabetical order."""
    return tuple(sorted([each.card for each in side_of(state, seat).resources if not each.asleep]))


def asks_colour(card: Card) -> bool:
    """Tell whether the cost of a card has to be paid in part in its colour."""
    return bool(card.cost and card.colours) and COLOURLESS not in card.colours


def bringers(state: State, seat: Seat, card: Card) -> list[tuple[str, ...]]:
    """Return the resources, or sets of them, that provide the colour a card asks for (AM8)."""
    library, names = state.cards[seat - 1], sorted({*upright(state, seat)})

    def of(*colours: str) -> list[str]:
        """Return those of these colours; one of unknown colour matches any."""
        return [n for n in names if not library[n].colours or {*library[n].colours} & {*colours}]

    if state.options.multi == "any":
        return [(name,) for name in of(*card.colours)]
    most = card.cost or 0
    sets = {tuple(sorted(set(each))) for each in product(*(of(c) for c in card.colours))}
    return [each for each in sorted(sets) if len(each) <= most]


def usual_payment(state: State, seat: Seat, card: Card) -> tuple[str, ...] | None:
    """Return the resources put to sleep by default; None if the cost cannot be paid.

    After those that provide the colour, the most frequent colours go first.
    """
    names, cost = upright(state, seat), card.cost or 0
    bring: tuple[str, ...] = ()
    if asks_colour(card):
        sets = bringers(state, seat, card)
        if not sets:
            return None
        bring = sets[0]
    if cost > len(names):
        return None
    library = state.cards[seat - 1]
    often = Counter(library[name].colours for name in names)
    rest = sorted(without(names, *bring), key=lambda name: (-often[library[name].colours], name))
    return tuple(sorted((*bring, *rest[: cost - len(bring)])))


def _payments(state: State, seat: Seat, card: Card) -> Iterator[dict[str, Field]]:
    """Yield the fields of an offer for each way of paying: the default one, then by name."""
    names = upright(state, seat)
    if card.cost is None:
        yield {"pays": Subset(names, most=len(names))}
        return
    if usual_payment(state, seat, card) is None:
        return
    yield {}
    if not card.cost:
        return
    for bring in bringers(state, seat, card) if asks_colour(card) else [()]:
        n = card.cost - len(bring)
        rest = Subset(without(names, *bring), most=n, least=n)
        colour: dict[str, Field] = {"colour": Choice((bring,))} if bring else {}
        yield {**colour, "pays": rest} if n else colour


def may_not_pay(
    state: State, seat: Seat, card: Card, colour: tuple[str, ...], pays: tuple[str, ...]
) -> Verdict | None:
    """Object to what is paid for a card. Rule: ZX-A1."""
    named = (*colour, *pays)
    held = upright(state, seat)
    for name in named:
        if named.count(name) > held.count(name):
            return irregular("cost-asleep", "ZX-A1", seat=seat, card=name)
    cost = card.cost
    if cost is None:
        return None
    if len(named) != cost if named else cost > len(held):
        paid = len(named) if named else len(held)
        return irregular("cost-count", "ZX-A1", card=card.name, cost=cost, n=paid)
    if asks_colour(card):
        sets = bringers(state, seat, card)
        if not sets or (named and not any(map({*named}.issuperset, sets))):
            all_of_many = state.options.multi == "all" and len(card.colours) > 1
            return irregular("cost-colour", "ZX-AM8" if all_of_many else "ZX-A1", card=card.name)
    return None


def cannot_pay(state: State, seat: Seat, named: tuple[str, ...]) -> Verdict | None:
    """Refuse resources that do not exist."""
    held = [each.card for each in side_of(state, seat).resources]
    for name in named:
        if named.count(name) > held.count(name):
            return impossible("no-such-resource", "ZX-A1", seat=seat, card=name)
    return None


def turned(board: Board, seat: Seat, names: tuple[str, ...]) -> Board:
    """Put resources to sleep, as far as there are upright ones."""
    left = list(names)
    resources = []
    for each in board.sides[seat - 1].resources:
        if not each.asleep and each.card in left:
            left.remove(each.card)
            each = replace(each, asleep=True)
        resources.append(each)
    return with_side(board, seat, resources=tuple(resources))


# -- offers ---------------------------------------------------------------------------


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    waits = awaited(state)
    if waits not in (("main", seat), ("battle", seat)):
        return
    if side_of(state, seat).hand:
        yield from _offers_of_cards(state, seat, main=waits[0] == "main")
    pays = upright(state, seat)
    for asleep in (False, True):
        squares = tuple(
            square
            for square, unit in units_of(state.board)
            if unit.seat == seat and not (asleep and unit.asleep)
        )
        if squares:
            fields: dict[str, Field] = {
                "square": Choice(squares),
                "pays": Subset(pays, most=len(pays)),
            }
            if asleep:
                fields["sleep"] = Choice((True,))
            yield Offer("startup-used", seat, fields)


def _offers_of_cards(state: State, seat: Seat, *, main: bool) -> Iterator[Offer]:
    library = state.cards[seat - 1]
    held = [library[name] for name in sorted(in_hand(state, seat))]
    alike = sorted(held, key=_price)
    places = places_for(state.board, seat)
    for _, group in groupby(alike, key=_price):
        cards = tuple(group)
        names: dict[str, Field] = {"card": Choice(tuple(card.name for card in cards))}
        if cards[0].type == "event":
            for payment in _payments(state, seat, cards[0]):
                yield Offer("event-played", seat, names | payment)
        elif main and places:
            for payment in _payments(state, seat, cards[0]):
                yield Offer("zx-played", seat, names | {"square": Choice(places)} | payment)


def _price(card: Card) -> tuple[str, int, tuple[str, ...]]:
    return card.type, -1 if card.cost is None else card.cost, card.colours


# -- Z/X and events -------------------------------------------------------------------


def cannot_play(state: State, act: ZxPlayed) -> Verdict | None:
    if verdict := cannot_use_hand(state, act):
        return verdict
    if state.cards[act.seat - 1][act.card].type != "zx":
        return impossible("not-a-zx", "ZX-D1", card=act.card)
    return barred(state, act.seat, act.square) or cannot_pay(
        state, act.seat, (*act.colour, *act.pays)
    )


def may_not_play(state: State, act: ZxPlayed) -> Verdict | None:
    return (
        not_now(state, "main", act.seat)
        or not_in_hand(state, act.seat, act.card)
        or asleep_there(state, act.square)
        or _may_not_pay(state, act)
    )


def _may_not_pay(state: State, act: ZxPlayed | EventPlayed) -> Verdict | None:
    card = state.cards[act.seat - 1][act.card]
    if verdict := may_not_pay(state, act.seat, card, act.colour, act.pays):
        return verdict
    return _not_so_written(state, act, card) if act.colour or act.pays else None


def _not_so_written(state: State, act: ZxPlayed | EventPlayed, card: Card) -> Verdict | None:
    """Refuse a payment whose colour-providing resources are not those of an offer."""
    bring = bringers(state, act.seat, card) if asks_colour(card) else [()]
    if act.colour not in bring:
        return impossible("not-on-offer", act=event_type(act))
    return out_of_order(act, act.pays)


def fold_play(state: State, act: ZxPlayed) -> Board:
    board = with_side(state.board, act.seat, **out_of_hand(side_of(state, act.seat), act.card))
    return place(board, act.seat, act.card, act.square)


def decide_play(story: Story, before: State, act: ZxPlayed) -> None:
    _pay(story, before, act)
    replaced(story, before, act.square)


def _pay(story: Story, before: State, act: ZxPlayed | EventPlayed) -> None:
    paid: tuple[str, ...] | None = tuple(sorted((*act.colour, *act.pays)))
    if not paid:
        card = before.cards[act.seat - 1][act.card]
        paid = usual_payment(before, act.seat, card)
        if paid is None:
            paid = upright(before, act.seat)[: card.cost]
    if paid:
        story.add(CostPaid(seat=act.seat, card=act.card, resources=paid))


def replaced(story: Story, before: State, square: Square | Literal[""]) -> None:
    """Add which Z/X had to leave a square."""
    if square and (unit := unit_at(before.board, square)):
        story.add(ZxReplaced(seat=unit.seat, card=unit.card, square=square))


def fold_cost(state: State, event: CostPaid) -> Board:
    return turned(state.board, event.seat, event.resources)


def cannot_event(state: State, act: EventPlayed) -> Verdict | None:
    if verdict := cannot_use_hand(state, act):
        return verdict
    if state.cards[act.seat - 1][act.card].type != "event":
        return impossible("not-an-event", "ZX-D1", card=act.card)
    return cannot_pay(state, act.seat, (*act.colour, *act.pays))


def may_not_event(state: State, act: EventPlayed) -> Verdict | None:
    return (
        not_in_window(state, act.seat)
        or not_in_hand(state, act.seat, act.card)
        or _may_not_pay(state, act)
    )


def not_in_window(state: State, seat: Seat) -> Verdict | None:
    """Object unless a seat may act: in its main phase, or when it is to act in a battle."""
    if awaited(state) == ("battle", seat):
        return None
    verdict = not_now(state, "main", seat)
    if verdict and verdict.code in ("not-your-turn", "wrong-phase"):
        return irregular("wrong-window", "ZX-A6", seat=seat)
    return verdict


def acted(board: Board, seat: Seat) -> Board:
    """Pass the turn to act in a battle to the other seat. Rule: ZX-B4."""
    if board.battle is None:
        return board
    return replace(board, battle=replace(board.battle, to_act=other(seat), passes=0))


def fold_event(state: State, act: EventPlayed) -> Board:
    board = with_side(state.board, act.seat, **out_of_hand(side_of(state, act.seat), act.card))
    return acted(resolving(board, act.seat, act.card), act.seat)


def resolving(board: Board, seat: Seat, card: str) -> Board:
    """Keep an event out of the trash while its effects are recorded. Rule: ZX-A7."""
    return replace(board, events=(*board.events, Shown(seat, card)))


def resolve(story: Story, before: State, act: Act) -> None:
    """Put the current events into the trash at an act that is not one of their effects.

    What was due before the act, and acts beside the game, may come between effects.
    """
    events = before.board.events
    if not events or isinstance(act, BESIDE) or due(before):
        return
    if isinstance(act, EffectApplied) and act.source in ("", *(each.card for each in events)):
        return
    for each in story.state.board.events[: len(events)]:
        story.add(EventResolved(seat=each.seat, card=each.card))


BESIDE = (HandNoted, TimeCalled)
"""Acts that are not part of the game's course."""


def fold_resolved(state: State, event: EventResolved) -> Board:
    events = without(state.board.events, Shown(event.seat, event.card))
    trash = (*side_of(state, event.seat).trash, event.card)
    return with_side(replace(state.board, events=events), event.seat, trash=trash)


# -- abilities ------------------------------------------------------------------------


def cannot_use(state: State, act: StartupUsed) -> Verdict | None:
    unit = unit_at(state.board, act.square)
    if unit is None or unit.seat != act.seat:
        return impossible("not-your-zx", "ZX-A8", square=act.square)
    return cannot_pay(state, act.seat, act.pays)


def may_not_use(state: State, act: StartupUsed) -> Verdict | None:
    if verdict := not_in_window(state, act.seat):
        return verdict
    unit = unit_at(state.board, act.square)
    if act.sleep and unit and unit.asleep:
        return irregular("is-asleep", "ZX-A3", square=act.square)
    held = upright(state, act.seat)
    for name in act.pays:
        if act.pays.count(name) > held.count(name):
            return irregular("cost-asleep", "ZX-A3", seat=act.seat, card=name)
    return out_of_order(act, act.pays)


def fold_use(state: State, act: StartupUsed) -> Board:
    board = state.board
    unit = unit_at(board, act.square)
    if act.sleep and unit:
        board = with_unit(board, act.square, replace(unit, asleep=True))
    return acted(board, act.seat)


def decide_use(story: Story, before: State, act: StartupUsed) -> None:
    unit = unit_at(before.board, act.square)
    if act.pays and unit:
        story.add(CostPaid(seat=act.seat, card=unit.card, resources=act.pays))


def offers_of_triggers(state: State, seat: Seat) -> Iterator[Offer]:
    if state.board.stage == "running":
        yield Offer("auto-triggered", seat, {"card": Choice(voices_of(state.setup, seat))})


RULES: Rules = {
    ZxPlayed: Rule(cannot=cannot_play, may_not=may_not_play, decide=decide_play, fold=fold_play),
    EventPlayed: Rule(cannot=cannot_event, may_not=may_not_event, decide=_pay, fold=fold_event),
    StartupUsed: Rule(cannot=cannot_use, may_not=may_not_use, decide=decide_use, fold=fold_use),
    AutoTriggered: Rule(cannot=no_such_voice),
}
FOLDS: Folds = {CostPaid: fold_cost, EventResolved: fold_resolved, ZxReplaced: keep}
