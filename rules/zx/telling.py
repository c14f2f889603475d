"""Describe what happened: a sentence per event, the score in a line."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from rules import texts
from rules.fields import Value
from rules.ruleset import Event, Offer, Seat, event_type
from rules.zx import ending, life
from rules.zx.acts import (
    BattleDeclared,
    BattleTold,
    DrawCalled,
    EffectApplied,
    FirstDecided,
    LifeRecoveryDeclined,
    ReloadPaid,
    Ruled,
    StartupUsed,
    TimeCalled,
    VoidBringerDeclined,
    VoidBringerUsed,
    WonCalled,
)
from rules.zx.consequences import (
    BattleDamaged,
    BattleFizzled,
    CostPaid,
    DamageCleared,
    DeckReloaded,
    EffectsEnded,
    GameEnded,
    IgnitionMissed,
    KeywordReady,
    LifeCardCharged,
    LifeCardPlayed,
    OverdrivePlayed,
    ZxDestroyed,
)
from rules.zx.field import SQUARES, Square, other
from rules.zx.state import Board, State, bounces, replace, square_of, unit_at
from rules.zx.waiting import What
from rules.zx.words import TEXTS

Names = Mapping[Seat, str]
Params = dict[str, Any]


def tell(event: Event, state: State, names: Names) -> str:
    """Describe an event in a sentence; `state` is the one before it."""
    params = msgspec.structs.asdict(event)
    for name in ("cards", "resources", "squares"):
        if isinstance(params.get(name), tuple):
            params[name] = texts.listed([str(each) for each in params[name]])
    for name in ("phase", "pile", "zone"):
        if name in params:
            params[name] = texts.called(TEXTS, name, params[name])
    special = SPECIAL.get(type(event))
    code = special(event, state, params) if special else event_type(event)
    return texts.sentence(TEXTS, code, params, names)


def headline(state: State, names: Names) -> str:
    """Return how much life each seat has left once it is placed, and the turn or who won."""
    board = state.board
    score = _score(board, names)
    if board.outcome:
        return f"{score} · {texts.of_winners(TEXTS, board.outcome, names)}"
    if board.depth == "score":
        return score
    when = TEXTS["headline.turn"].format(turn=board.turn) if board.turn else TEXTS["headline.setup"]
    return f"{score} · {when}"


def _score(board: Board, names: Names) -> str:
    if board.depth == "full" and board.stage in ("first", "hands"):
        return f"{names[1]} – {names[2]}"
    one, two = (len(side.life) for side in board.sides)
    return TEXTS["headline"].format(one=names[1], life_one=one, life_two=two, two=names[2])


def called(state: State, offer: Offer, field: str, value: Value) -> str | None:
    """Return what people call a value of an offer's field, None if it needs no other name."""
    match field, value:
        case "square" | "target" | "to", str() if value in SQUARES:
            return there(state, value) or None
        case "sleep", True:
            return TEXTS["startup-used.turning"]
        case "card", "":
            return TEXTS["effect.face-down"]
    return None


def there(state: State, square: Square) -> str:
    """Return the card on a square with the square's name, "" if there is none."""
    unit = unit_at(state.board, square)
    return TEXTS["effect.there"].format(card=unit.card, square=square) if unit else ""


def awaits(state: State, what: What) -> str:
    """Return what the table waits for, in words."""
    if what == "keyword" and state.board.keyword:
        return TEXTS[f"next.keyword.{state.board.keyword.kind}"]
    return TEXTS[f"next.{what or 'nothing'}"]


# -- events that need more than their fields ------------------------------------------


def _first(act: FirstDecided, state: State, params: Params) -> str:
    params["foe"], params["method"] = act.first, TEXTS[f"method.{act.method}"]
    return "first-decided" if act.first == act.seat else "first-decided.chosen"


def _started(act: StartupUsed, state: State, params: Params) -> str:
    unit = unit_at(state.board, act.square)
    params["card"] = unit.card if unit else ""
    return "startup-used.sleep" if act.sleep else "startup-used"


def _declared(act: BattleDeclared, state: State, params: Params) -> str:
    unit = unit_at(state.board, act.square)
    params["card"] = unit.card if unit else ""
    params["foe"] = other(act.seat)
    if act.target == "player":
        return "battle-declared.player"
    target = unit_at(state.board, act.target)
    params["other"] = target.card if target else ""
    return "battle-declared"


def _battle(act: BattleTold, state: State, params: Params) -> str:
    battle = state.board.battle
    at = square_of(state.board, battle.target) if battle else None
    params["there"] = there(state, at) if at else ""
    return "battle-told" if act.destroyed else "battle-told.stands"


def _paid(event: CostPaid, state: State, params: Params) -> str:
    params["n"] = len(event.resources)
    return "cost-paid.one" if len(event.resources) == 1 else "cost-paid"


def _reloaded(event: DeckReloaded, state: State, params: Params) -> str:
    return "deck-reloaded.one" if event.n == 1 else "deck-reloaded"


def _why(event: IgnitionMissed | BattleFizzled, state: State, params: Params) -> str:
    params["why"] = TEXTS[f"why.{event.why}"]
    return event_type(event)


def _ready(event: KeywordReady, state: State, params: Params) -> str:
    if event.keyword == "unknown":
        return "keyword-ready.unknown"
    params["keyword"] = TEXTS[f"keyword.{event.keyword}"]
    if ending.has_lost(replace(state, board=life.fold_ready(state, event)), event.seat):
        return "keyword-ready.late"
    return "keyword-ready.mandatory" if state.terms.mandatory else "keyword-ready"


def _declined(act: LifeRecoveryDeclined | VoidBringerDeclined, state: State, params: Params) -> str:
    keyword, kind = state.board.keyword, event_type(act)
    return f"{kind}.unknown" if keyword and keyword.kind == "unknown" else kind


def _free(event: OverdrivePlayed | LifeCardPlayed, state: State, params: Params) -> str:
    kind = event_type(event)
    return kind if event.square else f"{kind}.event"


def _charged(
    event: LifeCardCharged | ReloadPaid | ZxDestroyed, state: State, params: Params
) -> str:
    """Return the text code for a card on its way to charge, by where it ends up."""
    kind = event_type(event)
    return f"{kind}.trash" if bounces(state, event.seat) else kind


def _there(event: BattleDamaged | VoidBringerUsed, state: State, params: Params) -> str:
    params["there"] = there(state, event.square) or event.square
    return event_type(event)


def _squares(event: DamageCleared | EffectsEnded, state: State, params: Params) -> str:
    kind = event_type(event)
    return kind if event.squares else f"{kind}.none"


def _effect(act: EffectApplied, state: State, params: Params) -> str:
    """Describe an effect and its target; a card that nobody sees is “a card”."""
    params["there"] = there(state, act.square) if act.square else ""
    params["by"] = TEXTS["effect.by"].format(card=act.source) if act.source else ""
    params["card"] = act.card or TEXTS["effect.unseen"]
    params["sign"] = f"{act.amount:+d}"
    if act.op == "power":
        params["until"] = TEXTS[f"until.{act.until}"]
    if act.zone == "charge" and bounces(state, _owner(act, state)):
        params["zone"] = texts.called(TEXTS, "zone", "trash")
    if act.op == "to-zone" and act.square:
        return "effect-applied.to-zone.square"
    if act.op in ("sleep", "reboot") and not act.square:
        return f"effect-applied.{act.op}.resource"
    return f"effect-applied.{act.op}"


def _owner(act: EffectApplied, state: State) -> Seat:
    """Return whose card an effect moves."""
    unit = unit_at(state.board, act.square) if act.square else None
    return unit.seat if unit else act.seat


def _ended(event: GameEnded, state: State, params: Params) -> str:
    return "game-ended" if event.winner else f"game-ended.{event.why}"


def _time(act: TimeCalled, state: State, params: Params) -> str:
    """Return the text code by how many turns there are still to come."""
    params["n"] = state.options.extra_turns
    return {0: "time-called", 1: "time-called.one"}.get(params["n"], "time-called.many")


def _ruled(act: Ruled, state: State, params: Params) -> str:
    return f"ruled.{act.result}"


def _won(act: WonCalled, state: State, params: Params) -> str:
    return f"won-called.{act.how}"


def _drawn(act: DrawCalled, state: State, params: Params) -> str:
    return "draw-called.lost" if act.lost else "draw-called"


SPECIAL: dict[type[Event], Callable[[Any, State, Params], str]] = {
    FirstDecided: _first,
    StartupUsed: _started,
    BattleDeclared: _declared,
    BattleTold: _battle,
    CostPaid: _paid,
    DeckReloaded: _reloaded,
    BattleDamaged: _there,
    VoidBringerUsed: _there,
    LifeCardCharged: _charged,
    ReloadPaid: _charged,
    ZxDestroyed: _charged,
    IgnitionMissed: _why,
    BattleFizzled: _why,
    KeywordReady: _ready,
    LifeRecoveryDeclined: _declined,
    VoidBringerDeclined: _declined,
    OverdrivePlayed: _free,
    LifeCardPlayed: _free,
    DamageCleared: _squares,
    EffectsEnded: _squares,
    EffectApplied: _effect,
    GameEnded: _ended,
    TimeCalled: _time,
    Ruled: _ruled,
    WonCalled: _won,
    DrawCalled: _drawn,
}
