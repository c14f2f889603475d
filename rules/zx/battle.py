"""Battle: declaration, window, damage.

ZX-B1  The turn player turns an own upright Z/X to attack a legal target.
ZX-B2  An opposing Z/X on a touching square, or the player whose square touches and is empty.
ZX-B3  A range reaches farther.
ZX-B4  Players alternate from the turn player on; two passes in a row close the window.
ZX-B5  If the target is still in reach it takes the attacker's power as damage, and nothing back.
ZX-B6  Damage that reaches power, or no power, destroys; the card goes to its owner's charge.
ZX-B7  Damage adds up within a turn and does not lower power.
ZX-B8  A player attacked takes 1 damage.
"""

from collections.abc import Iterator, Sequence

from rules.fields import Choice
from rules.ruleset import Consequence, Offer, Seat, Verdict, impossible, irregular
from rules.zx.acts import BattleDeclared, BattlePassed, BattleTold, BothPassed
from rules.zx.consequences import (
    BattleDamaged,
    BattleEnded,
    BattleFizzled,
    PlayerDamaged,
    ZxDestroyed,
)
from rules.zx.field import HOMES, Square, distance, near, other
from rules.zx.state import (
    Battle,
    Board,
    Folds,
    Rule,
    Rules,
    State,
    Story,
    Unit,
    card_of,
    power_of,
    replace,
    side_of,
    square_of,
    to_charge,
    unit_at,
    units_of,
    with_side,
    with_unit,
    without_mods,
)
from rules.zx.waiting import awaited, not_now, powers_unknown

PLAYER = "player"


def offers(state: State, seat: Seat) -> Iterator[Offer]:
    match awaited(state):
        case "main", who if who == seat:
            for square, unit in units_of(state.board):
                targets = attackable(state, square, unit)
                if unit.seat == seat and targets:
                    at, on = Choice((square,)), Choice(targets)
                    yield Offer("battle-declared", seat, {"square": at, "target": on})
        case "battle", who if who == seat:
            yield Offer("battle-passed", seat, {})


def offers_of_table(state: State) -> Iterator[Offer]:
    match awaited(state):
        case "battle", _:
            yield Offer("both-passed", None, {})
        case "told", _:
            yield Offer("battle-told", None, {"destroyed": Choice((True, False))})


def attackable(state: State, square: Square, unit: Unit) -> tuple[str, ...]:
    """Return what a Z/X may attack now: nothing while it sleeps or has just arrived (AM9)."""
    return () if unit.asleep or _just_came(state, unit) else targets_of(state, square, unit)


def _just_came(state: State, unit: Unit) -> bool:
    return state.options.haste == "off" and unit.since == state.board.turn


def targets_of(state: State, square: Square, unit: Unit) -> tuple[str, ...]:
    """Return what a Z/X may attack from its square. Rule: ZX-B2, ZX-B3."""
    home = HOMES[other(unit.seat)]
    targets: list[str] = []
    for each in near(square, card_of(state, unit.seat, unit.card).may_reach):
        there = unit_at(state.board, each)
        if there and there.seat != unit.seat:
            targets.append(each)
        elif each == home and there is None:
            targets.append(PLAYER)
    return tuple(targets)


def cannot_declare(state: State, act: BattleDeclared) -> Verdict | None:
    unit = unit_at(state.board, act.square)
    if unit is None or unit.seat != act.seat:
        return impossible("not-your-zx", "ZX-B1", square=act.square)
    if act.target == PLAYER:
        return None
    there = unit_at(state.board, act.target)
    if there is None or there.seat == act.seat:
        return impossible("no-target", "ZX-B2", square=act.target)
    return None


def may_not_declare(state: State, act: BattleDeclared) -> Verdict | None:
    if verdict := not_now(state, "main", act.seat):
        return verdict
    unit = unit_at(state.board, act.square)
    assert unit is not None
    if unit.asleep:
        return irregular("attacker-asleep", "ZX-B1", square=act.square)
    if _just_came(state, unit):
        return irregular("just-arrived", "ZX-AM9", square=act.square)
    home = HOMES[other(act.seat)]
    if act.target == PLAYER and unit_at(state.board, home):
        return irregular("target-guarded", "ZX-B2", square=home)
    if act.target not in targets_of(state, act.square, unit):
        return irregular("not-adjacent", "ZX-B2", square=act.square, target=act.target)
    return None


def fold_declare(state: State, act: BattleDeclared) -> Board:
    board = state.board
    unit = unit_at(board, act.square)
    assert unit is not None
    square: Square = HOMES[other(act.seat)] if act.target == "player" else act.target
    target = None if act.target == PLAYER else unit_at(board, square)
    battle = Battle(
        seat=act.seat,
        attacker=unit.id,
        target=target.id if target else 0,
        square=square,
        to_act=board.current,
        reach=max(card_of(state, unit.seat, unit.card).reach, distance(act.square, square)),
    )
    return replace(with_unit(board, act.square, replace(unit, asleep=True)), battle=battle)


# -- the window -----------------------------------------------------------------------


def cannot_pass(state: State, act: BattlePassed | BothPassed) -> Verdict | None:
    return None if state.board.battle else impossible("no-battle", "ZX-B4")


def may_not_pass(state: State, act: BattlePassed) -> Verdict | None:
    waits, who = awaited(state)
    if waits != "battle":
        return irregular("pending-choice", "ZX-A9", what=waits)
    return None if who == act.seat else irregular("out-of-order-pass", "ZX-B4", seat=act.seat)


def may_not_both(state: State, act: BothPassed) -> Verdict | None:
    waits, _ = awaited(state)
    return None if waits == "battle" else irregular("pending-choice", "ZX-A9", what=waits)


def fold_pass(state: State, act: BattlePassed) -> Board:
    battle = state.board.battle
    assert battle is not None
    passed = replace(battle, to_act=other(act.seat), passes=min(2, battle.passes + 1))
    return replace(state.board, battle=passed)


def fold_both(state: State, act: BothPassed) -> Board:
    battle = state.board.battle
    assert battle is not None
    return replace(state.board, battle=replace(battle, passes=2))


# -- the result -----------------------------------------------------------------------


def next_of_battle(
    state: State,
) -> BattleDamaged | BattleEnded | BattleFizzled | PlayerDamaged | None:
    """Return how a battle continues once its window is closed, None while it is open.

    It ends only after the Z/X its damage destroys are gone: ZX-B6 counts changes that last until
    then.
    """
    battle, board = state.board.battle, state.board
    if battle is None:
        return None
    if battle.struck:
        return BattleEnded()
    if battle.passes < 2:
        return None
    at = square_of(board, battle.attacker)
    if at is None:
        return BattleFizzled(why="attacker-gone")
    if not battle.target:
        if state.options.guard == "interrupts" and unit_at(board, battle.square):
            return BattleFizzled(why="guarded")
        if distance(at, battle.square) > battle.reach:
            return BattleFizzled(why="not-adjacent")
        return PlayerDamaged(seat=other(battle.seat), n=1, source="battle")
    where = square_of(board, battle.target)
    if where is None or (state.options.track == "square" and where != battle.square):
        return BattleFizzled(why="target-gone")
    if distance(at, where) > battle.reach:
        return BattleFizzled(why="not-adjacent")
    if powers_unknown(state):
        return None
    attacker, target = unit_at(board, at), unit_at(board, where)
    assert attacker is not None and target is not None
    amount = max(0, power_of(state, attacker) or 0)
    return BattleDamaged(seat=target.seat, square=where, amount=amount)


def _over(board: Board) -> Board:
    """End a battle, and the changes of power that lasted until then."""
    return replace(board, battle=None, squares=without_mods(board.squares, "battle"))


def fold_damage(state: State, event: BattleDamaged) -> Board:
    unit = unit_at(state.board, event.square)
    assert unit is not None
    hurt = replace(unit, damage=unit.damage + event.amount)
    board, battle = with_unit(state.board, event.square, hurt), state.board.battle
    return replace(board, battle=replace(battle, struck=True)) if battle else board


def fold_over(state: State, event: BattleEnded | BattleFizzled | BattleTold) -> Board:
    return _over(state.board)


def fold_player(state: State, event: PlayerDamaged) -> Board:
    """Owe as many life cards as there is damage: life may yet be recovered (AM4)."""
    hits = side_of(state, event.seat).hits + event.n
    board = with_side(state.board, event.seat, hits=hits)
    return _over(board) if event.source == "battle" else board


def cannot_tell(state: State, act: BattleTold) -> Verdict | None:
    return None if awaited(state)[0] == "told" else impossible("no-battle", "ZX-B5")


def decide_told(story: Story, before: State, act: BattleTold) -> None:
    battle = before.board.battle
    assert battle is not None
    square = square_of(before.board, battle.target)
    unit = unit_at(before.board, square) if square else None
    if act.destroyed and square and unit:
        story.add(ZxDestroyed(seat=unit.seat, card=unit.card, square=square, cause="battle"))


# -- destruction ----------------------------------------------------------------------


def next_destroyed(state: State, events: Sequence[Consequence]) -> ZxDestroyed | None:
    """Return the next Z/X destroyed by damage or power after these events. Rule: ZX-B6."""
    for unit in filter(None, state.board.squares):
        if not (unit.damage or unit.mods) and state.cards[unit.seat - 1][unit.card].power != 0:
            continue
        power = power_of(state, unit)
        if power is None or (power > 0 and unit.damage < power):
            continue
        square = square_of(state.board, unit.id)
        assert square is not None
        in_battle = bool(events) and isinstance(events[-1], BattleDamaged)
        return ZxDestroyed(
            seat=unit.seat,
            card=unit.card,
            square=square,
            cause="power" if power <= 0 else "battle" if in_battle else "effect",
        )
    return None


def fold_destroyed(state: State, event: ZxDestroyed) -> Board:
    """Put a Z/X into charge; what lies under it goes to the trash. Rule: ZX-B6, ZX-C7."""
    unit = unit_at(state.board, event.square)
    assert unit is not None
    board = to_charge(state, with_unit(state.board, event.square, None), unit.seat, unit.card)
    trash = (*board.sides[unit.seat - 1].trash, *unit.under)
    return with_side(board, unit.seat, trash=trash)


RULES: Rules = {
    BattleDeclared: Rule(cannot=cannot_declare, may_not=may_not_declare, fold=fold_declare),
    BattlePassed: Rule(cannot=cannot_pass, may_not=may_not_pass, fold=fold_pass),
    BothPassed: Rule(cannot=cannot_pass, may_not=may_not_both, fold=fold_both),
    BattleTold: Rule(cannot=cannot_tell, decide=decide_told, fold=fold_over),
}
FOLDS: Folds = {
    BattleDamaged: fold_damage,
    BattleEnded: fold_over,
    BattleFizzled: fold_over,
    PlayerDamaged: fold_player,
    ZxDestroyed: fold_destroyed,
}
