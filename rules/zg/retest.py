"""Retest: one card of the last test spun again.

ZG ATK-6  It is claimed before the next action. Of the test that ended the match, which is over
          then, the table lets it stand.
ZG ATK-12 One chosen card, target or attack, is spun again and the new result applies; once a
          player and test.
ZG 11 Retest  A card may grant one: which do is unknown, the claim is held to ATK-12.
ZG TAC-5  The attacker has one more against a foe on its back.
ZG CON-6  The other card keeps its end. Option `retest_full`: the attack's end is chosen anew and
          the target card spun.
"""

from typing import Any

from rules.fields import Choice, Field
from rules.ruleset import Draw, Offer, Seat, Verdict, impossible, irregular
from rules.zg import checks
from rules.zg.acts import Retested
from rules.zg.attack import (
    BLAZES,
    YES_OR_NO,
    may_not_modify,
    reaches_down,
    spin_draw,
    spins,
    tested,
)
from rules.zg.cards import Which
from rules.zg.damage import CardTest
from rules.zg.slag import deal, undo
from rules.zg.state import (
    ENDS,
    Board,
    Check,
    Offers,
    Rule,
    Rules,
    State,
    Story,
    dots_of,
    known_ends,
    replace,
    side_of,
)
from rules.zg.victory import return_seats


def offers(state: State, seat: Seat) -> Offers:
    check = state.board.check
    if check is None or not check.end or _may_not_claim(state, check, seat):
        return ()
    blazes: dict[str, Field] = {}
    if not may_not_modify(state, check.follow_up, (1,), ()):
        blazes = {"augments": BLAZES, "bolsters": BLAZES}
    attack = known_ends(state, check.seat, check.card)
    target = known_ends(state, check.foe, check.target)
    spun: dict[str, Field] = {"spin": Choice(spins(state, target)), "half_turn": YES_OR_NO}
    if state.options.retest_full:
        ends: dict[str, Field] = {"end": Choice(attack), "target_end": Choice(target)}
        return (Offer("retested", seat, {"which": Choice(("both",)), **ends, **spun, **blazes}),)
    of_target: dict[str, Field] = {"which": Choice(("target",)), "end": Choice(target), **spun}
    of_attack: dict[str, Field] = {
        "which": Choice(("attack",)),
        "end": Choice(attack),
        "spin": Choice(spins(state, attack)),
    }
    return tuple(Offer("retested", seat, {**each, **blazes}) for each in (of_target, of_attack))


def decided(state: State) -> bool:
    """Tell whether the last test, which may still be repeated, ended the match."""
    check, outcome = state.board.check, state.board.outcome
    if check is None or not check.end or outcome is None:
        return False
    match outcome.why:
        case "by-ulster" | "by-gear":
            return check.slagged
        case "by-edge":
            return check.thrown
        case "by-flameout" | "by-nobody":
            return any(side.burnt == check.turn for side in state.board.sides)
    return False


def ends_after(check: Check, act: Retested) -> tuple[Any, Any]:
    """Return the ends that face each other now, the attack's first."""
    if act.which == "both":
        return act.end, act.target_end
    return (check.end, act.end) if act.which == "target" else (act.end, check.target_end)


def cannot(state: State, act: Retested) -> Verdict | None:
    if verdict := checks.no_such_seat(state, act.seat):
        return verdict
    check = state.board.check
    if check is None:
        return impossible("no-test-to-repeat", "ZG ATK-6")
    if not check.end:
        return impossible("test-was-called", "ZG ATK-12")
    if bool(act.target_end) != (act.which == "both"):
        return impossible("retest-unclear", "ZG ATK-12", which=act.which)
    return (
        _unknown_end(state, check, act)
        or checks.no_server_draws(state, act.spin)
        or checks.out_of_order(act.augments, act.bolsters)
    )


def _unknown_end(state: State, check: Check, act: Retested) -> Verdict | None:
    """Refuse unknown ends: those that face each other, and all that the server may spin."""
    attack, target = ends_after(check, act)
    spun: tuple[Which, ...] = ENDS if act.spin == "server" else ()
    attacks = (attack, *spun) if act.which == "attack" else (attack,)
    targets = (target,) if act.which == "attack" else (target, *spun)
    return checks.unknown_end(state, check.seat, check.card, attacks) or checks.unknown_end(
        state, check.foe, check.target, targets
    )


def may_not(state: State, act: Retested) -> Verdict | None:
    check = state.board.check
    assert check is not None
    if verdict := _may_not_claim(state, check, act.seat):
        return verdict
    if state.options.retest_full != (act.which == "both"):
        return irregular("retest-other-scope", "ZG CON-6", which=act.which)
    if act.half_turn and act.which == "attack":
        return irregular("no-half-turn", "ZG ATK-4")
    return may_not_modify(state, check.follow_up, act.augments, act.bolsters)


def _may_not_claim(state: State, check: Check, seat: Seat) -> Verdict | None:
    if seat not in (check.seat, check.foe):
        return irregular("not-in-this-test", "ZG ATK-12", seat=seat)
    if check.retested.count(seat) > (seat == check.seat and _has_one_more(state, check)):
        return irregular("retest-used", "ZG ATK-12", seat=seat)
    return None


def _has_one_more(state: State, check: Check) -> bool:
    """Tell whether the attacker has one more: the foe lies on its back, or nobody knows.

    Rule: ZG TAC-5.
    """
    unknown = state.board.depth != "full" or side_of(state, check.foe).down is None
    return check.granted or (unknown and reaches_down(state, check.seat, check.card))


def decide(story: Story, before: State, act: Retested) -> None:
    """Undo the effects of the test, then apply those of the new one."""
    check = story.state.board.check
    assert check is not None
    undo(story, check)
    return_seats(story, check)
    deal(story, resolve_retest(story.state, check))


def resolve_retest(state: State, check: Check) -> CardTest:
    """Return the test of the last test's ends as they lie now."""
    attack, target = check.end or "a", check.target_end or "a"
    return tested(
        dots_of(state, check.seat, check.card, attack),
        dots_of(state, check.foe, check.target, target),
        state.options,
        check.augments,
        check.bolsters,
    )


def fold(board: Board, act: Retested) -> Board:
    check = board.check
    if check is None:
        return board
    end, target_end = ends_after(check, act)
    check = replace(
        check,
        end=end,
        target_end=target_end,
        augments=act.augments or check.augments,
        bolsters=act.bolsters or check.bolsters,
        retested=(*check.retested, act.seat),
    )
    return replace(board, check=check, follow_up=None)


def draws(state: State, act: Retested) -> tuple[Draw, ...]:
    """The server spins the named card; in a full retest, the target."""
    field = "target_end" if act.which == "both" else "end"
    return (spin_draw(field, act.half_turn and act.which != "attack"),)


RULES: Rules = {
    Retested: Rule(cannot=cannot, may_not=may_not, decide=decide, fold=fold, draws=draws)
}
