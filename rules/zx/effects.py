"""Effects of card texts, declared by the table one at a time.

ZX-A8  Abilities are used, trigger, or are always on; the log records what they did.
ZX-Z8  A card that changes zone is a new object: damage and effects are forgotten.
ZX-C7  Force material is tucked under a Z/X as it appears.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.chaptered import accept, kept
from rules.fields import Choice, Field, Free, Range
from rules.ruleset import Offer, Seat, Verdict, fields_of, impossible, irregular
from rules.zx.acts import FIELDS_OF, MAX_AMOUNT, EffectApplied, Op, Pile, ZxOpened
from rules.zx.consequences import PlayerDamaged, ZxDestroyed
from rules.zx.field import HOMES, NORMAL, Square, other
from rules.zx.life import recovered
from rules.zx.piles import (
    HIDDEN_PILES,
    OPEN_PILES,
    count_in,
    names_in,
    piles_of,
    put,
    take,
    zones_from,
)
from rules.zx.playing import replaced
from rules.zx.state import (
    Board,
    Mod,
    Resource,
    Rule,
    Rules,
    State,
    Story,
    Unit,
    place,
    places_for,
    replace,
    side_of,
    unit_at,
    units_of,
    voices_of,
    with_side,
    with_unit,
)
from rules.zx.turn import not_in_hand
from rules.zx.waiting import asleep_there, barred, no_such_card

MAX_DRAWN, MAX_HITS = 10, 9
UNTIL = ("turn", "battle", "static")
DEFAULTS: Mapping[str, Any] = {
    field.name: field.default
    for field in fields_of(EffectApplied)
    if not field.required and field.name != "source"
}
"""The fields that only some effects have."""


# -- offers ---------------------------------------------------------------------------


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    if state.board.stage != "running":
        return
    source = Choice(("", *sources(state.setup, seat)))
    for op, fields in _domains(state, seat):
        yield Offer("effect-applied", seat, {"op": Choice((op,)), **fields, "source": source})


@kept
def sources(setup: ZxOpened, seat: Seat) -> tuple[str, ...]:
    """Return the cards whose texts may have an effect, a seat's own first."""
    voices = (*voices_of(setup, seat), *voices_of(setup, other(seat)))
    return tuple(dict.fromkeys(voices))


def _domains(state: State, seat: Seat) -> Iterator[tuple[Op, dict[str, Field]]]:
    board, piles = state.board, piles_of(state.setup)
    units = units_of(board)
    if units:
        there = Choice(tuple(square for square, _ in units))
        yield "damage", {"square": there, "amount": Range(1, MAX_AMOUNT)}
        yield "destroy", {"square": there}
        yield (
            "power",
            {"square": there, "amount": Range(-MAX_AMOUNT, MAX_AMOUNT), "until": Choice(UNTIL)},
        )
        yield "to-zone", {"square": there, "zone": Choice(piles)}
    yield from _domains_of_squares(board, units)
    names = {pile: names_in(state, seat, pile) for pile in piles}
    yield from _domains_of_piles(state, seat, names)
    side = side_of(state, seat)
    yield "draw", {"amount": Range(1, MAX_DRAWN)}
    if names["hand"]:
        yield "discard", {"card": Choice(names["hand"])}
    if side.deck:
        yield "recover", {}
    hurt = tuple(each for each in (1, 2) if side_of(state, each).life)
    if hurt:
        yield "player-damage", {"foe": Choice(hurt), "amount": Range(1, MAX_HITS)}
    yield "shuffle", {}
    own = tuple(square for square, unit in units if unit.seat == seat)
    if own and names["trash"]:
        yield "tuck", {"card": Choice(names["trash"]), "square": Choice(own)}
    yield "note", {"note": Free("note", filled=True)}


def _domains_of_squares(
    board: Board, units: list[tuple[Square, Unit]]
) -> Iterator[tuple[Op, dict[str, Field]]]:
    for owner in (1, 2):
        own = tuple(square for square, unit in units if unit.seat == owner)
        free = tuple(sq for sq in (*NORMAL, HOMES[owner]) if unit_at(board, sq) is None)
        if own and free:
            yield "move", {"square": Choice(own), "to": Choice(free)}
    for op, asleep in _TURNS:
        turnable = tuple(square for square, unit in units if unit.asleep is not asleep)
        if turnable:
            yield op, {"square": Choice(turnable)}


_TURNS: tuple[tuple[Op, bool], ...] = (("sleep", True), ("reboot", False))


def _domains_of_piles(
    state: State, seat: Seat, names_of: Mapping[Pile, tuple[str, ...]]
) -> Iterator[tuple[Op, dict[str, Field]]]:
    side = side_of(state, seat)
    for op, asleep in _TURNS:
        turnable = tuple(sorted({r.card for r in side.resources if r.asleep is not asleep}))
        if turnable:
            yield op, {"card": Choice(turnable)}
    piles, places = tuple(names_of), places_for(state.board, seat)
    library = state.cards[seat - 1]
    for pile, names in names_of.items():
        if not names:
            continue
        from_: dict[str, Field] = {"card": Choice(names), "pile": Choice((pile,))}
        yield "to-zone", {**from_, "zone": Choice(zones_from(pile, piles))}
        if pile in HIDDEN_PILES:
            unseen = tuple(each for each in HIDDEN_PILES if each != pile)
            yield (
                "to-zone",
                {"card": Choice(("",)), "pile": Choice((pile,)), "zone": Choice(unseen)},
            )
            yield "reveal", from_
        figures = tuple(name for name in names if library[name].type == "zx")
        if figures and places:
            fields: dict[str, Field] = {"card": Choice(figures), "pile": Choice((pile,))}
            yield "enter", {**fields, "to": Choice(places)}


# -- judging --------------------------------------------------------------------------


def cannot(state: State, act: EffectApplied) -> Verdict | None:
    used = FIELDS_OF[act.op]
    for field, default in DEFAULTS.items():
        if getattr(act, field) != default and field not in used:
            return impossible("field-not-of-effect", "ZX-A8", op=act.op, field=field)
    if act.card and (verdict := no_such_card(state, act.seat, act.card)):
        return verdict
    if act.source and act.source not in sources(state.setup, act.seat):
        return impossible("no-such-card", "ZX-A8", seat=act.seat, card=act.source)
    return CHECKS[act.op](state, act)


def _incomplete(act: EffectApplied) -> Verdict:
    return impossible("effect-incomplete", "ZX-A8", op=act.op)


def _on_a_square(state: State, act: EffectApplied) -> Verdict | None:
    if not act.square:
        return _incomplete(act)
    if unit_at(state.board, act.square) is None:
        return impossible("nothing-there", "ZX-A8", square=act.square)
    return None


def _with_number(state: State, act: EffectApplied) -> Verdict | None:
    if verdict := _on_a_square(state, act):
        return verdict
    if act.op == "damage" and act.amount < 1:
        return impossible("effect-number", "ZX-A8", amount=act.amount)
    return _incomplete(act) if act.op == "power" and not act.until else None


def _moving(state: State, act: EffectApplied) -> Verdict | None:
    if verdict := _on_a_square(state, act):
        return verdict
    unit = unit_at(state.board, act.square)
    if not act.to or unit is None:
        return _incomplete(act)
    if verdict := barred(state, unit.seat, act.to):
        return verdict
    if unit_at(state.board, act.to):
        return impossible("square-taken", "ZX-Z7", square=act.to)
    return None


def _turning(state: State, act: EffectApplied) -> Verdict | None:
    asleep = act.op == "sleep"
    if bool(act.square) == bool(act.card):
        return _incomplete(act)
    if act.square:
        if verdict := _on_a_square(state, act):
            return verdict
        unit = unit_at(state.board, act.square)
        return impossible("is-so", "ZX-Z6") if unit and unit.asleep is asleep else None
    resources = side_of(state, act.seat).resources
    if not any(each.card == act.card for each in resources):
        return impossible("no-such-resource", "ZX-A1", seat=act.seat, card=act.card)
    if any(each.card == act.card and each.asleep is not asleep for each in resources):
        return None
    return impossible("is-so", "ZX-Z6")


def _from_pile(state: State, act: EffectApplied) -> Verdict | None:
    """Refuse a card that its pile cannot provide."""
    if not act.pile:
        return _incomplete(act)
    if not count_in(state, act.seat, act.pile):
        return impossible("pile-empty", "ZX-Z5", seat=act.seat, pile=act.pile)
    if act.card and act.pile in OPEN_PILES and act.card not in names_in(state, act.seat, act.pile):
        return impossible("not-in-pile", "ZX-Z5", seat=act.seat, card=act.card, pile=act.pile)
    return None


def _to_zone(state: State, act: EffectApplied) -> Verdict | None:
    if not act.zone:
        return _incomplete(act)
    piles = piles_of(state.setup)
    if act.zone not in piles:
        return impossible("no-extra-deck", "ZX-D5")
    if act.square:
        return _incomplete(act) if act.card or act.pile else _on_a_square(state, act)
    if verdict := _from_pile(state, act):
        return verdict
    unseen = act.pile in HIDDEN_PILES and act.zone in HIDDEN_PILES and act.pile != act.zone
    if not act.card and unseen:
        return None
    return None if act.card and act.zone in zones_from(act.pile, piles) else _incomplete(act)


def _entering(state: State, act: EffectApplied) -> Verdict | None:
    if not act.to or not act.card:
        return _incomplete(act)
    if verdict := _from_pile(state, act):
        return verdict
    if state.cards[act.seat - 1][act.card].type != "zx":
        return impossible("not-a-zx", "ZX-D1", card=act.card)
    return barred(state, act.seat, act.to)


def _drawing(state: State, act: EffectApplied) -> Verdict | None:
    most = MAX_DRAWN if act.op == "draw" else MAX_HITS
    if not 1 <= act.amount <= most:
        return impossible("effect-number", "ZX-A8", amount=act.amount)
    if act.op == "draw":
        return None
    if act.foe not in (1, 2):
        return _incomplete(act)
    if not side_of(state, act.foe).life:
        return impossible("no-life", "ZX-W1", seat=act.foe)
    return None


def _discarding(state: State, act: EffectApplied) -> Verdict | None:
    if not act.card:
        return _incomplete(act)
    if not side_of(state, act.seat).hand:
        return impossible("hand-empty", "ZX-Z5", seat=act.seat)
    return None


def _recovering(state: State, act: EffectApplied) -> Verdict | None:
    if side_of(state, act.seat).deck:
        return None
    return impossible("deck-empty", "ZX-B10", seat=act.seat)


def _revealing(state: State, act: EffectApplied) -> Verdict | None:
    if not act.card or act.pile in OPEN_PILES:
        return _incomplete(act)
    return _from_pile(state, act)


def _tucking(state: State, act: EffectApplied) -> Verdict | None:
    if not act.card:
        return _incomplete(act)
    if verdict := _on_a_square(state, act):
        return verdict
    unit = unit_at(state.board, act.square)
    if unit and unit.seat != act.seat:
        return impossible("not-your-zx", "ZX-C7", square=act.square)
    if act.card not in names_in(state, act.seat, "trash"):
        return impossible("not-in-pile", "ZX-Z5", seat=act.seat, card=act.card, pile="trash")
    return None


def _noting(state: State, act: EffectApplied) -> Verdict | None:
    return None if act.note else _incomplete(act)


CHECKS: dict[Op, Callable[[State, EffectApplied], Verdict | None]] = {
    "damage": _with_number,
    "destroy": _on_a_square,
    "power": _with_number,
    "move": _moving,
    "sleep": _turning,
    "reboot": _turning,
    "to-zone": _to_zone,
    "enter": _entering,
    "draw": _drawing,
    "discard": _discarding,
    "recover": _recovering,
    "player-damage": _drawing,
    "reveal": _revealing,
    "shuffle": accept,
    "tuck": _tucking,
    "note": _noting,
}


def may_not(state: State, act: EffectApplied) -> Verdict | None:
    """Object to a card that is not where it is taken from, or to where it is put."""
    pile = "hand" if act.op == "discard" else act.pile
    if act.card and pile in HIDDEN_PILES and act.card not in names_in(state, act.seat, pile):
        if pile == "hand":
            return not_in_hand(state, act.seat, act.card)
        return irregular("conservation", "ZX-D2", seat=act.seat, card=act.card)
    return asleep_there(state, act.to) if act.op == "enter" else None


# -- folding --------------------------------------------------------------------------


def fold(state: State, act: EffectApplied) -> Board:
    effect = EFFECTS.get(act.op)
    return effect(state, act) if effect else state.board


def _hurt(state: State, act: EffectApplied) -> Board:
    unit = unit_at(state.board, act.square)
    assert unit is not None
    return with_unit(state.board, act.square, replace(unit, damage=unit.damage + act.amount))


def _empower(state: State, act: EffectApplied) -> Board:
    unit = unit_at(state.board, act.square)
    assert unit is not None
    mods = (*unit.mods, Mod(act.amount, act.until))
    return with_unit(state.board, act.square, replace(unit, mods=mods))


def _move(state: State, act: EffectApplied) -> Board:
    unit = unit_at(state.board, act.square)
    return with_unit(with_unit(state.board, act.square, None), act.to, unit)


def _turn(state: State, act: EffectApplied) -> Board:
    asleep, board = act.op == "sleep", state.board
    if act.square:
        unit = unit_at(board, act.square)
        assert unit is not None
        return with_unit(board, act.square, replace(unit, asleep=asleep))
    resources = list(side_of(state, act.seat).resources)
    at = next(n for n, r in enumerate(resources) if r.card == act.card and r.asleep is not asleep)
    resources[at] = Resource(act.card, asleep)
    return with_side(board, act.seat, resources=tuple(resources))


def _send(state: State, act: EffectApplied) -> Board:
    board = state.board
    if not act.square:
        return put(state, take(board, act.seat, act.pile, act.card), act.seat, act.zone, act.card)
    unit = unit_at(board, act.square)
    assert unit is not None
    board = with_unit(board, act.square, None)
    board = put(state, board, unit.seat, act.zone, unit.card)
    return put(state, board, unit.seat, "trash", *unit.under) if unit.under else board


def _enter(state: State, act: EffectApplied) -> Board:
    return place(take(state.board, act.seat, act.pile, act.card), act.seat, act.card, act.to)


def _owe(state: State, act: EffectApplied) -> Board:
    draws = side_of(state, act.seat).draws + act.amount
    return with_side(state.board, act.seat, draws=draws)


def _discard(state: State, act: EffectApplied) -> Board:
    return put(state, take(state.board, act.seat, "hand", act.card), act.seat, "trash", act.card)


def _recover(state: State, act: EffectApplied) -> Board:
    return recovered(state.board, act.seat)


def _tuck(state: State, act: EffectApplied) -> Board:
    unit = unit_at(state.board, act.square)
    assert unit is not None
    board = take(state.board, act.seat, "trash", act.card)
    return with_unit(board, act.square, replace(unit, under=(*unit.under, act.card)))


EFFECTS: dict[Op, Callable[[State, EffectApplied], Board]] = {
    "damage": _hurt,
    "power": _empower,
    "move": _move,
    "sleep": _turn,
    "reboot": _turn,
    "to-zone": _send,
    "enter": _enter,
    "draw": _owe,
    "discard": _discard,
    "recover": _recover,
    "tuck": _tuck,
}
"""Effects that change the board; the others are informative, or have a consequence."""


def decide(story: Story, before: State, act: EffectApplied) -> None:
    match act.op:
        case "destroy":
            unit = unit_at(before.board, act.square)
            assert unit is not None and act.square
            story.add(
                ZxDestroyed(seat=unit.seat, card=unit.card, square=act.square, cause="effect")
            )
        case "player-damage":
            story.add(PlayerDamaged(seat=act.foe, n=act.amount, source="effect"))
        case "enter":
            replaced(story, before, act.to)


RULES: Rules = {EffectApplied: Rule(cannot=cannot, may_not=may_not, decide=decide, fold=fold)}
