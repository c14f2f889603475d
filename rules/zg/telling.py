"""Describe what happened: a sentence per event, a test with its reasons, the score in a line."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import msgspec

from rules import texts
from rules.ruleset import Event, Seat, event_type
from rules.zg import retest
from rules.zg.acts import (
    Attacked,
    Fell,
    KnockdownCalled,
    Landed,
    ModeDrawn,
    Moved,
    OptionsChanged,
    Placed,
    PowerupUsed,
    Retested,
    Ruled,
    StrikesCalled,
    TerrainAttacked,
    Travelled,
    TurnPassed,
)
from rules.zg.attack import resolve_attack
from rules.zg.consequences import (
    AttackAugmented,
    CardTested,
    KnockedBack,
    LandingTested,
    MatchWon,
    ModeEarned,
    MoveLeft,
    PrimeDecided,
    PulsesLost,
    SeatDefeated,
    TerrainStruck,
)
from rules.zg.damage import CardTest, DotTest, Result, result_of
from rules.zg.state import State, remaining, seats_of, side_of
from rules.zg.words import TEXTS

Names = Mapping[Seat, str]
Params = dict[str, Any]

counted = partial(texts.counted, TEXTS)


def tell(event: Event, state: State, names: Names) -> str:
    """Describe an event in a sentence; `state` is the one before it."""
    params = msgspec.structs.asdict(event)
    for name in ("end", "target_end"):
        if name in params:
            params[name] = params[name].upper()
    special = SPECIAL.get(type(event))
    code = special(event, state, params) if special else event_type(event)
    return texts.sentence(TEXTS, code, params, names)


def headline(state: State, names: Names) -> str:
    """Return how many cards each seat has left, and the turn or who won."""
    board = state.board
    gear = {seat: len(remaining(state, seat)) for seat in seats_of(state)}
    if len(gear) == 2:
        score = TEXTS["headline.two"].format(
            one=names[1], gear_one=gear[1], gear_two=gear[2], two=names[2]
        )
    else:
        each = TEXTS["headline.each"]
        score = ", ".join(each.format(seat=names[seat], gear=left) for seat, left in gear.items())
    if board.outcome:
        return f"{score} · {texts.of_winners(TEXTS, board.outcome, names)}"
    if board.depth == "score":
        return score
    return f"{score} · {TEXTS['headline.turn'].format(turn=board.turn)}"


def score_of(dot_matches: int | None, strikes: int, result: Result) -> str:
    """Return `3 matches, 2 strikes, slagged`."""
    if result == "no-strike":
        return TEXTS["result.no-strike"]
    matches = [] if dot_matches is None else [counted("match", dot_matches)]
    return ", ".join([*matches, counted("strike", strikes), TEXTS[f"result.{result}"]])


def _without_result(test: CardTest | LandingTested) -> str:
    """Return `3 matches, 2 strikes`, for a test that slags no card."""
    return f"{counted('match', test.dot_matches)}, {counted('strike', test.strikes)}"


def reasons(dots: Iterable[DotTest]) -> str:
    """Explain the result of each dot, with its clause."""
    each = TEXTS["card-tested.dot"]
    return " ".join(
        each.format(n=n, text=f"{TEXTS[dot.why]} ({dot.clause})") for n, dot in enumerate(dots, 1)
    )


# -- events that need more than their fields ------------------------------------------


def _attacked(act: Attacked, state: State, params: Params) -> str:
    test = resolve_attack(state, act)
    extras = [
        TEXTS["extra.server"] if act.spin == "server" else "",
        TEXTS["extra.half_turn"] if act.half_turn else "",
        _blazes("augments", act.augments),
        _blazes("bolsters", act.bolsters),
        TEXTS["extra.sneak"] if act.sneak else "",
        TEXTS["extra.high_ground"] if act.high_ground else "",
        _far(act.distance),
    ]
    text = ", ".join(filter(None, extras))
    params["score"] = score_of(test.dot_matches, test.strikes, test.result)
    params["extras"] = f" {text[0].upper()}{text[1:]}." if text else ""
    return "attacked"


def _far(distance: int | None) -> str:
    if distance is None:
        return ""
    return TEXTS["extra.distance"].format(cards=counted("card", distance))


def _blazes(what: str, places: tuple[int, ...]) -> str:
    if not places:
        return ""
    return TEXTS[f"extra.{what}"].format(places=texts.listed(list(map(str, places))))


def _called(act: StrikesCalled, state: State, params: Params) -> str:
    result = result_of(act.strikes, act.dot_matches)
    params["score"] = score_of(act.dot_matches, act.strikes, result)
    return "test-called"


def _tested(event: CardTested, state: State, params: Params) -> str:
    text = score_of(event.dot_matches, event.strikes, event.result)
    params["score"] = text[0].upper() + text[1:]
    params["dots"] = reasons(event.dots)
    return "card-tested" if event.dots else "card-tested.called"


def _moved(act: Moved, state: State, params: Params) -> str:
    return "moved" if act.card else "moved.unseen"


def _placed(act: Placed, state: State, params: Params) -> str:
    if act.gap is None:
        return "placed"
    params["cards"] = counted("card", act.gap)
    return "placed.gap"


def _travelled(act: Travelled, state: State, params: Params) -> str:
    done = [
        TEXTS["how.rise"] if act.rise else "",
        TEXTS["how.cards"].format(cards=counted("card", act.cards)) if act.cards else "",
        TEXTS["how.free"].format(cards=counted("card", act.free)) if act.free else "",
        TEXTS["how.jump"] if act.jump else "",
        TEXTS[f"how.{act.stance}"] if act.stance else "",
    ]
    params["how"] = ", ".join(filter(None, done)) or TEXTS["how.none"]
    return "travelled"


def _fell(act: Fell, state: State, params: Params) -> str:
    params["cards"] = counted("card", act.height)
    return "fell.edge" if act.edge else "fell.zg" if act.zg else "fell"


def _landed(act: Landed, state: State, params: Params) -> str:
    params["cards"] = counted("card", act.height)
    return "landed.zg" if act.zg else "landed"


def _landing_tested(event: LandingTested, state: State, params: Params) -> str:
    params["score"] = _without_result(event)
    return "landing-tested"


def _knocked(event: KnockdownCalled, state: State, params: Params) -> str:
    params["cards"] = counted("card", event.cards)
    return f"knockdown-called.{event.into}"


def _carried(event: KnockedBack | MoveLeft, state: State, params: Params) -> str:
    if event.cards is None:
        return f"{event_type(event)}.unknown"
    params["cards"] = counted("card", event.cards)
    return event_type(event)


def _at_terrain(act: TerrainAttacked, state: State, params: Params) -> str:
    params["score"] = _without_result(resolve_attack(state, act))
    return "terrain-attacked"


def _struck(event: TerrainStruck, state: State, params: Params) -> str:
    params["score"] = counted("strike", event.strikes)
    return "terrain-struck"


def _mode_drawn(act: ModeDrawn, state: State, params: Params) -> str:
    return "mode-drawn.start" if act.why == "start" else "mode-drawn"


def _powered(act: PowerupUsed, state: State, params: Params) -> str:
    return "powerup-used.instead" if act.instead else "powerup-used"


def _augmented(event: AttackAugmented, state: State, params: Params) -> str:
    return f"attack-augmented.{event.why}{'' if event.placed else '.unplaced'}"


def _earned(event: ModeEarned, state: State, params: Params) -> str:
    return f"mode-earned.{event.why}"


def _won(event: MatchWon, state: State, params: Params) -> str:
    return "match-won.krewe" if event.winners else "match-won"


def _retested(act: Retested, state: State, params: Params) -> str:
    check = retest.fold(state.board, act).check
    assert check is not None
    test = retest.resolve_retest(state, check)
    params["score"] = score_of(test.dot_matches, test.strikes, test.result)
    return f"retested.{act.which}"


def _changed(act: OptionsChanged, state: State, params: Params) -> str:
    params["depth"] = TEXTS[f"option-depth-{act.depth}"]
    return "options-changed"


def _ruled(act: Ruled, state: State, params: Params) -> str:
    if act.strikes is not None:
        params["strikes"] = counted("strike", act.strikes)
    return f"ruled.{act.what}"


def _prime_decided(event: PrimeDecided, state: State, params: Params) -> str:
    params["score"] = counted("match", event.dot_matches)
    return "prime-decided"


def _pulses_lost(event: PulsesLost, state: State, params: Params) -> str:
    params["pulses"] = counted("pulse", event.pulses)
    return "pulses-lost"


def _defeated(event: SeatDefeated, state: State, params: Params) -> str:
    return f"seat-defeated.{event.why}"


def _passed(event: TurnPassed, state: State, params: Params) -> str:
    """Mention pulses given up if there are any; otherwise only what was still open ends."""
    side = side_of(state, event.seat)
    return "turn-passed" if side.pulses < side.most else "turn-passed.done"


SPECIAL: dict[type[Event], Callable[[Any, State, Params], str]] = {
    Attacked: _attacked,
    StrikesCalled: _called,
    CardTested: _tested,
    Moved: _moved,
    Placed: _placed,
    Travelled: _travelled,
    Fell: _fell,
    Landed: _landed,
    LandingTested: _landing_tested,
    KnockdownCalled: _knocked,
    KnockedBack: _carried,
    MoveLeft: _carried,
    TerrainAttacked: _at_terrain,
    TerrainStruck: _struck,
    ModeDrawn: _mode_drawn,
    PowerupUsed: _powered,
    AttackAugmented: _augmented,
    ModeEarned: _earned,
    MatchWon: _won,
    Retested: _retested,
    Ruled: _ruled,
    OptionsChanged: _changed,
    PrimeDecided: _prime_decided,
    PulsesLost: _pulses_lost,
    TurnPassed: _passed,
    SeatDefeated: _defeated,
}
