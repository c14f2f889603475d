"""Describe what happened: a sentence per event, the score in a line."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from rules import texts
from rules.fields import Choice, Field, Value
from rules.ruleset import Event, Offer, Seat, event_type
from rules.zerpang import victory
from rules.zerpang.acts import (
    CLOUD,
    AssistPlayed,
    BaseTaken,
    CardDiscarded,
    CardsDrawn,
    CardSeen,
    ClassTaken,
    ClockRead,
    CombatOrderChosen,
    CombatPlayed,
    ForeignPieceMoved,
    LinkedMoved,
    OptionsChanged,
    PhaseReplaced,
    PieceMoved,
    PointsPaid,
    Ruled,
    SpecialNegated,
    SpecialPlayed,
    WonCalled,
)
from rules.zerpang.consequences import (
    CardsAdded,
    CardsDealt,
    CardSpent,
    CardsTaken,
    CombatEnded,
    CombatOrderAsked,
    DeckReshuffled,
    DiscardOwed,
    DrawEnded,
    PieceConnected,
    PiecesReleased,
    PointsSpent,
    RatingRaised,
    UploadPointsGained,
    ValuesDoubled,
)
from rules.zerpang.state import State, class_of, owner, seats_of
from rules.zerpang.words import TEXTS

ARROWS = {
    "right": "→",
    "lower-right": "↘",
    "down": "↓",
    "lower-left": "↙",
    "left": "←",
    "upper-left": "↖",
    "up": "↑",
    "upper-right": "↗",
}

Names = Mapping[Seat, str]
Params = dict[str, Any]

counted = partial(texts.counted, TEXTS)


def tell(event: Event, state: State, names: Names) -> str:
    """Describe an event in a sentence; `state` is the one before it."""
    params = msgspec.structs.asdict(event)
    for name in ("colour", "phase"):
        if name in params:
            params[name] = texts.called(TEXTS, name, params[name])
    special = SPECIAL.get(type(event))
    code = special(event, state, params, names) if special else event_type(event)
    return texts.sentence(TEXTS, code, params, names)


def headline(state: State, names: Names) -> str:
    """Return who plays which class, and the turn or who won."""
    table = state.table
    seats = [_called(state, seat, names) for seat in seats_of(state)]
    who = " – ".join(seats)
    if table.outcome:
        return f"{who} · {texts.of_winners(TEXTS, table.outcome, names)}"
    if table.turn:
        return f"{who} · {TEXTS['headline.turn'].format(turn=table.turn.no)}"
    return f"{who} · {TEXTS['headline.setup']}" if table.depth == "full" else who


def ending(state: State, names: Names) -> str:
    """Describe who won and how, with the spaces that had to be held."""
    outcome = state.table.outcome
    assert outcome is not None
    params = {"winners": outcome.winners}
    on = f"{outcome.why}.on"
    if on in TEXTS and (row := victory.row_of(state, outcome.winners[0])):
        return texts.sentence(TEXTS, on, {**params, "spaces": texts.listed(list(row))}, names)
    return texts.of_outcome(TEXTS, outcome, names)


def _called(state: State, seat: Seat, names: Names) -> str:
    cls = class_of(state, seat)
    return f"{names[seat]} ({TEXTS[f'class.{cls}']})" if cls else names[seat]


def card_name(state: State, card: str, side: str = "") -> str:
    """Return the name of a card: its points, or the title of its side."""
    known = state.deck.cards.get(card)
    if known is None:
        return card
    if known.value:
        return counted("point", known.value)
    face = known.face(side)
    return face.title if face else known.title


def called(state: State, offer: Offer, field: str, value: Value) -> str | None:
    """Return what people call a value of an offer's field, None if it needs no other name."""
    side = _sole(offer.fields.get("side"))
    match field:
        case "dirs" if isinstance(value, tuple):
            way = state.board.ways[int(value[0] or 0) - 1]
            return f"{ARROWS.get(way, way)} {counted('space', len(value))}"
        case "order" if isinstance(value, tuple):
            return " → ".join(map(str, value))
        case "card" if value == CLOUD:
            return TEXTS["points-paid.uploaded"]
        case "card" if value:
            return card_name(state, str(value), side)
        case "card" if offer.type in ("combat-played", "assist-played"):
            return TEXTS["combat-played.what"]
        case "licence" if value:
            return card_name(state, str(value), "N" if side == "P" else "P")
        case "side" if side and _sole(offer.fields.get("card")):
            return ""  # the title says it
        case "cls":
            return TEXTS[f"class.{value}"]
        case "role" if fight := state.table.fight:
            return TEXTS[f"role.{value}"].format(piece=fight.force(str(value)).piece)
        case "more" if value:
            return TEXTS["special-played.more"]
    return None


def _sole(field: Field | None) -> str:
    """Return the only text that a field allows, "" if there is not exactly one."""
    return str(field.values[0]) if isinstance(field, Choice) and len(field.values) == 1 else ""


# -- events that need more than their fields ------------------------------------------


def _class(act: ClassTaken, state: State, params: Params, names: Names) -> str:
    params["cls"] = TEXTS[f"class.{act.cls}"]
    return "class-taken"


def _base(act: BaseTaken, state: State, params: Params, names: Names) -> str:
    return "base-taken.act"


def _paid(act: PointsPaid, state: State, params: Params, names: Names) -> str:
    if act.card == CLOUD:
        return "points-paid.cloud"
    params["card"] = _valued(state, act.card, act.side)
    return "points-paid"


def _valued(state: State, card: str, side: str) -> str:
    """Return a card's name with its value."""
    known = state.deck.cards.get(card)
    name = card_name(state, card, side)
    return f"{name} ({known.worth(side)})" if known and side else name


def _special(act: SpecialPlayed, state: State, params: Params, names: Names) -> str:
    parts = {"piece": act.piece, "to": act.to, "foe": names.get(act.foe, ""), "licence": ""}
    if act.licence:
        parts["licence"] = card_name(state, act.licence, "N" if act.side == "P" else "P")
    params["title"] = card_name(state, act.card, act.side)
    params["about"] = "".join(
        TEXTS[f"about.{name}"].format(**{name: part}) for name, part in parts.items() if part
    )
    return "special-played"


def _negated(act: SpecialNegated, state: State, params: Params, names: Names) -> str:
    params["title"] = card_name(state, act.card, act.side)
    return "special-negated"


def _seen(act: CardSeen, state: State, params: Params, names: Names) -> str:
    if not act.card:
        return "card-seen"
    params["card"] = card_name(state, act.card)
    return "card-seen.known"


def _walked(act: PieceMoved | ForeignPieceMoved, state: State, params: Params, names: Names) -> str:
    *way, params["to"] = act.path
    params["by"] = TEXTS["by"].format(path=", ".join(way)) if way else ""
    params["owner"] = names.get(owner(act.piece), "")
    return event_type(act)


def _linked(act: LinkedMoved, state: State, params: Params, names: Names) -> str:
    params["pieces"] = texts.listed(list(act.pieces))
    params["steps"] = counted("space", len(act.dirs))
    params["way"] = texts.called(TEXTS, "way", state.board.ways[act.dirs[0] - 1])
    return "linked-moved"


def _replaced(act: PhaseReplaced, state: State, params: Params, names: Names) -> str:
    return f"phase-replaced.{act.ability}"


def _order(act: CombatOrderChosen, state: State, params: Params, names: Names) -> str:
    params["order"] = ", ".join(act.order)
    return "combat-order-chosen"


def _played(act: CombatPlayed, state: State, params: Params, names: Names) -> str:
    if not act.card:
        return "combat-played.laid"
    params["card"] = _valued(state, act.card, act.side)
    return "combat-played"


def _assisted(act: AssistPlayed, state: State, params: Params, names: Names) -> str:
    fight = state.table.fight
    params["helped"] = names.get(fight.force(act.role).seat, "") if fight else ""
    if act.special:
        params["title"] = card_name(state, act.card, act.side)
        return "assist-played.special"
    if not act.card:
        return "assist-played.laid"
    params["card"] = _valued(state, act.card, act.side)
    return "assist-played"


Counted = CardsDealt | CardsTaken | CardsAdded | DrawEnded | DiscardOwed | DeckReshuffled


def _counted(event: CardsDrawn | Counted, state: State, params: Params, names: Names) -> str:
    params["cards"] = counted("card", event.n)
    return event_type(event)


def _discarded(act: CardDiscarded, state: State, params: Params, names: Names) -> str:
    params["card"] = card_name(state, act.card)
    return "card-discarded"


def _clock(act: ClockRead, state: State, params: Params, names: Names) -> str:
    hours, minutes = divmod(act.seconds // 60, 60)
    params["time"] = f"{hours}:{minutes:02}:{act.seconds % 60:02}"
    return "clock-read"


def _called_win(act: WonCalled, state: State, params: Params, names: Names) -> str:
    params["how"] = TEXTS[act.why].format(winners=names.get(act.seat, ""))
    return "won-called"


def _changed(act: OptionsChanged, state: State, params: Params, names: Names) -> str:
    params["depth"] = TEXTS[f"option-depth-{act.depth}"]
    return "options-changed"


def _ruled(act: Ruled, state: State, params: Params, names: Names) -> str:
    return f"ruled.{act.what}"


def _gained(event: UploadPointsGained, state: State, params: Params, names: Names) -> str:
    params["points"] = counted("point", event.n)
    return "upload-points-gained"


def _spent(event: CardSpent, state: State, params: Params, names: Names) -> str:
    params["card"] = card_name(state, event.card, event.side)
    return "card-spent"


def _points(event: PointsSpent, state: State, params: Params, names: Names) -> str:
    return "points-spent.lost" if event.lost else "points-spent"


def _asked(event: CombatOrderAsked, state: State, params: Params, names: Names) -> str:
    params["pieces"] = texts.listed(list(event.pieces))
    return "combat-order-asked"


def _whose(
    event: RatingRaised | PieceConnected | ValuesDoubled, state: State, params: Params, names: Names
) -> str:
    params["whose"] = TEXTS[f"whose.{event.role}"]
    if isinstance(event, RatingRaised):
        params["whose"] = params["whose"][0].upper() + params["whose"][1:]
    return event_type(event)


def _ended(event: CombatEnded, state: State, params: Params, names: Names) -> str:
    return {"agg": "combat-ended", "def": "combat-ended.def"}.get(event.winner, "combat-ended.none")


def _released(event: PiecesReleased, state: State, params: Params, names: Names) -> str:
    params["pieces"] = texts.listed(list(event.pieces))
    return "pieces-released"


SPECIAL: dict[type[Event], Callable[[Any, State, Params, Names], str]] = {
    ClassTaken: _class,
    BaseTaken: _base,
    PointsPaid: _paid,
    SpecialPlayed: _special,
    SpecialNegated: _negated,
    CardSeen: _seen,
    PieceMoved: _walked,
    ForeignPieceMoved: _walked,
    LinkedMoved: _linked,
    PhaseReplaced: _replaced,
    CombatOrderChosen: _order,
    CombatPlayed: _played,
    AssistPlayed: _assisted,
    CardsDrawn: _counted,
    CardDiscarded: _discarded,
    ClockRead: _clock,
    WonCalled: _called_win,
    Ruled: _ruled,
    OptionsChanged: _changed,
    CardsDealt: _counted,
    UploadPointsGained: _gained,
    CardSpent: _spent,
    PointsSpent: _points,
    CombatOrderAsked: _asked,
    RatingRaised: _whose,
    PieceConnected: _whose,
    ValuesDoubled: _whose,
    CombatEnded: _ended,
    PiecesReleased: _released,
    CardsTaken: _counted,
    CardsAdded: _counted,
    DrawEnded: _counted,
    DiscardOwed: _counted,
    DeckReshuffled: _counted,
}
