"""Attack: a card's end against an end of a foe's target card.

ZG ATK-1  After moving you may attack one foe.
ZG ATK-2  The attack is announced and its end chosen; the act says both once they are seen.
ZG ATK-3  The foe draws a target card; with no deck left, from the hand.
ZG ATK-4  The target card is spun; the attacker may ask for a half turn.
ZG ATK-13 Decks may hold ends as read, not as they face (U18).
ZG ATK-5  Ends are aligned and compared: a test.
ZG ATK-7  A ranged attack reaches as many cards as its Range; range 0 is by touch (ATK-8).
ZG ATK-9  Line of sight is the table's to see: without it nobody records an attack.
ZG SET-6  So is what has cover, agreed before a test: `cover-called`.
ZG STA-1  So is whether a hand may be attacked, which a stance may forbid (U10, ZG 10 Defense).
ZG TAC-1  From high ground an attack is augmented; so it is on a foe lying prone (CON-5).
ZG TAC-2  No sneak attack with a card used last turn, but by the Attack stance; that of a foe
          in Defense stance is cancelled (ZG 10 Attack, ZG 10 Defense).
ZG TAC-5  A foe on its back may be tested once more, hand-to-hand or by zone.
ZG ATK-10 Gear that cannot be seen cannot be targeted: the attack fails.
ZG ATK-11 Bolsters and augments, without limit but that of an act (U12).
ZG 11 Augment  So may a card, which the core does not ask for.
ZG DMG-2  Nothing modifies a follow-up (CON-9: option `powerups_on_followup`).
ZG U7     A follow-up is made with the same end.

A foe's hand is not the attacker's to know, so any card a foe has left may be drawn; a locked
card may be attacked again without a draw.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import msgspec

from rules.fields import Choice, Field, Subset
from rules.ruleset import Draw, Offer, Seat, Verdict, irregular
from rules.zg import checks
from rules.zg.acts import (
    MAX_BLAZES,
    MAX_RANGE,
    Attacked,
    CoverCalled,
    Landed,
    Options,
    Places,
    PrimeCalled,
    Spin,
    StrikesCalled,
    TargetDrawn,
    TerrainAttacked,
)
from rules.zg.cards import Which
from rules.zg.consequences import AttackAugmented, AttackFailed, RetestGranted, Vantage
from rules.zg.damage import CardTest, compare, facing, facing_places
from rules.zg.earning import earn
from rules.zg.ends import End
from rules.zg.moves import Meeting, is_follow_up, tell_what_is_left
from rules.zg.order import taking_over
from rules.zg.pulse import play
from rules.zg.slag import deal
from rules.zg.state import (
    ENDS,
    Board,
    Check,
    Drawn,
    Folds,
    Offers,
    Rule,
    Rules,
    State,
    Story,
    by_known_ends,
    dots_of,
    drawable,
    foes,
    follow_up_on,
    keep,
    keeps_hand,
    moving_card,
    playable,
    remaining,
    replace,
    side_of,
    with_nothing_open,
)

BLAZES = Subset((1, 2, 3), most=MAX_BLAZES, repeats=True)
YES_OR_NO = Choice((False, True))


# -- what may be attacked -------------------------------------------------------------


class Opening(msgspec.Struct, frozen=True, gc=False):
    """An attack a seat may make now: with which cards and ends, on which targets of a foe."""

    seat: Seat
    foe: Seat
    cards: tuple[str, ...]
    ends: tuple[Which, ...]
    targets: tuple[str, ...]
    follow_up: bool = False


def openings(state: State, seat: Seat) -> Iterator[Opening]:
    """Yield a seat's attacks by foe: the follow-up it has earned, then one with a new card."""
    if checks.undecided(state):
        return
    drawn, cards = state.board.drawn, attacking_cards(state, seat)
    for foe in foes(state.board, seat):
        if drawn and (drawn.seat, drawn.foe) != (seat, foe):
            continue
        targets = (drawn.target,) if drawn else remaining(state, foe)
        others = cards
        if earned := follow_up_on(state.board, seat, foe):
            ends = (earned.end,) if earned.end else ENDS
            yield Opening(seat, foe, (earned.card,), ends, targets, follow_up=True)
            others = tuple(card for card in cards if card != earned.card)
        if others:
            yield Opening(seat, foe, others, ENDS, targets)


def attacking_cards(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards a seat may attack with, in a new pulse or in the one that has moved."""
    cards, moving = playable(state, seat), moving_card(state.board, seat)
    if not checks.no_pulse(state, seat):
        return cards
    return (moving,) if moving in cards and not checks.no_pulse(state, seat, moving) else ()


def cannot_meet(state: State, act: Meeting | Landed | PrimeCalled) -> Verdict | None:
    return (
        checks.not_two_seats(state, act.seat, act.foe)
        or checks.no_such_card(state, act.seat, act.card)
        or checks.no_such_card(state, act.foe, act.target)
    )


def may_not_meet(state: State, act: Meeting) -> Verdict | None:
    drawn = state.board.drawn
    if drawn and (drawn.seat, drawn.foe, drawn.target) != (act.seat, act.foe, act.target):
        return checks.drawn(state)
    return (
        checks.undecided(state)
        or checks.own_krewe(state, act.seat, act.foe)
        or checks.slagged(state, act.seat, act.card)
        or (None if drawn else checks.slagged(state, act.foe, act.target))  # unless it was drawn
        or _may_not_play(state, act)
    )


def _may_not_play(state: State, act: Meeting) -> Verdict | None:
    """Object to the card or its end: a follow-up repeats both, any other attack neither."""
    if not is_follow_up(state.board, act):
        return checks.no_pulse(state, act.seat, act.card) or checks.played(
            state, act.seat, act.card
        )
    earned = state.board.follow_up
    end = "" if isinstance(act, StrikesCalled) else act.end
    if earned and earned.end and end and end != earned.end:
        return irregular("follow-up-same-end", "ZG U7", card=act.card, end=earned.end)
    return None


# -- attacked -------------------------------------------------------------------------


def cannot_test(state: State, act: Attacked | Landed) -> Verdict | None:
    """Refuse ends that nobody knows; if the server spins, either end may face the attack."""
    ends = (act.target_end,) if act.spin == "table" else ENDS
    return (
        cannot_meet(state, act)
        or checks.unknown_end(state, act.seat, act.card, (act.end,))
        or checks.unknown_end(state, act.foe, act.target, ends)
        or checks.no_server_draws(state, act.spin)
    )


def cannot_attack(state: State, act: Attacked) -> Verdict | None:
    verdict = cannot_test(state, act)
    if verdict or not (act.augments or act.bolsters):
        return verdict
    return checks.out_of_order(act.augments, act.bolsters)


def may_not_attack(state: State, act: Attacked) -> Verdict | None:
    if verdict := may_not_meet(state, act):
        return verdict
    if act.augments or act.bolsters:
        follow_up = is_follow_up(state.board, act)
        if verdict := may_not_modify(state, follow_up, act.augments, act.bolsters):
            return verdict
    return may_not_reach(state, act)


def may_not_reach(state: State, act: Attacked) -> Verdict | None:
    """Object to a foe out of reach, and to a sneak attack with a card used last turn.

    Rule: ZG ATK-7, ATK-8, TAC-2.
    """
    if act.distance is not None and (verdict := _out_of_reach(state, act, act.distance)):
        return verdict
    if act.sneak and not may_sneak(state, act.seat, act.card, act.foe):
        return irregular("sneak-card-used", "ZG TAC-2", seat=act.seat, card=act.card)
    return None


def _out_of_reach(state: State, act: Attacked, distance: int) -> Verdict | None:
    if state.board.depth != "full":
        return irregular("other-depth", "", depth=state.board.depth)
    most = range_of(state, act.seat, act.card)
    if most is None or distance <= most:
        return None
    if most == 0:
        return irregular("not-in-touch", "ZG ATK-8", card=act.card)
    return irregular("out-of-range", "ZG ATK-7", cards=distance, most=most)


def range_of(state: State, seat: Seat, card: str) -> int | None:
    """Return a card's Range, None if that is unknown or its text lifts the limit."""
    printed = state.gear[seat - 1][card]
    return None if "out-of-range" in printed.exceptions else printed.range


def may_sneak(state: State, seat: Seat, card: str, foe: Seat) -> bool:
    """Tell whether an attack by a card may be a sneak attack, if the figure is in position for it.

    In Attack stance every hand-to-hand attack is one, except on a foe in Defense stance; stances
    are recorded at depth `full` only. Rule: ZG TAC-2, ZG 10 Attack, Defense.
    """
    side, printed = side_of(state, seat), state.gear[seat - 1][card]
    if card not in side.last or "sneak-card-used" in printed.exceptions:
        return True
    grants = side.pose in ("attack", "unknown") and side_of(state, foe).pose != "defense"
    return not printed.range and (grants or state.board.depth != "full")


def may_not_modify(
    state: State, follow_up: bool, augments: Places, bolsters: Places
) -> Verdict | None:
    """Object to blazes added to a follow-up. Rule: ZG DMG-2, CON-9."""
    if follow_up and (augments or bolsters) and not state.options.powerups_on_followup:
        return irregular("powerup-on-follow-up", "ZG DMG-2")
    return None


def resolve_attack(
    state: State, act: Attacked | Landed | PrimeCalled | TerrainAttacked
) -> CardTest:
    """Return the test of an attack's ends; against terrain the target is from the own deck."""
    attack, options = dots_of(state, act.seat, act.card, act.end), state.setup.options
    if isinstance(act, Attacked):
        target = dots_of(state, act.foe, act.target, act.target_end)
        return tested(attack, target, options, act.augments, act.bolsters)
    owner = act.seat if isinstance(act, TerrainAttacked) else act.foe
    return tested(attack, dots_of(state, owner, act.target, act.target_end), options)


@lru_cache(maxsize=65536)
def tested(
    attack: str, target: str, options: Options, augments: Places = (), bolsters: Places = ()
) -> CardTest:
    """Return the test of an end against another, both as their decks hold them.

    Blazes are placed by the dots of their own card: the first bolstered dot of a mirrored end is
    the third that faces the attack.
    """
    faced, on_dots = facing(End.parse(target), options), facing_places(bolsters, options)
    return compare(End.parse(attack), faced, options, augments, on_dots)


def decide_attack(story: Story, before: State, act: Attacked) -> None:
    if before.board.depth == "full":
        tell_places(story, before, act)
    if act.sneak:
        earn(story, act.seat, "sneak")
    if act.high_ground:
        earn(story, act.seat, "high-ground")
    deal(story, resolve_attack(before, act))
    tell_what_is_left(story, before, act)


def tell_places(story: Story, before: State, act: Attacked) -> None:
    """Add what an attack gains from where and how the figures stand.

    Rule: ZG TAC-1, TAC-5, CON-5, ZG 10 Prone, ZG 11 Zone.
    """
    seat, sides = act.seat, before.board.sides
    side, foe = sides[seat - 1], sides[act.foe - 1]
    if foe.down and reaches_down(before, seat, act.card):
        story.add(RetestGranted(seat=seat))
    if not act.high_ground and "prone" not in (side.stance, foe.stance):
        return
    if is_follow_up(before.board, act) and not before.options.powerups_on_followup:
        return
    errata, reach = before.options.prone_errata, before.gear[seat - 1][act.card].range
    lies = side.pose == "prone"
    due: list[Vantage] = ["high-ground"] if act.high_ground else []
    if foe.pose == "prone" and (reach == 0 or not errata):
        due.append("prone")
    if lies and errata and reach:
        due.append("lying")
    for nth, why in enumerate(due):
        placed = nth < len(act.augments)
        story.add(AttackAugmented(seat=seat, foe=act.foe, why=why, placed=placed))


def reaches_down(state: State, seat: Seat, card: str) -> bool:
    """Tell whether a card attacks hand-to-hand or by zone, as far as known. Rule: ZG TAC-5."""
    printed = state.gear[seat - 1][card]
    return not printed.range or printed.has("zone")


def fold_granted(board: Board, event: RetestGranted) -> Board:
    check = board.check
    return board if check is None else replace(board, check=replace(check, granted=True))


def fold_attack(board: Board, act: Attacked) -> Board:
    return with_test(
        board,
        act,
        end=act.end,
        target_end=act.target_end,
        augments=act.augments,
        bolsters=act.bolsters,
    )


def with_test(board: Board, act: Attacked | StrikesCalled, **told: Any) -> Board:
    """Return the board with the attacking card played and its card test under way.

    `told`: the fields of the `Check` that say which ends met, if that was told.
    """
    follow_up, earned = is_follow_up(board, act), board.follow_up
    late = bool(follow_up and earned and earned.late)
    check = Check(
        seat=act.seat,
        card=act.card,
        foe=act.foe,
        target=act.target,
        turn=board.turn - late,
        follow_up=follow_up,
        **told,
    )
    return play(board, act.seat, act.card, check=check, follow_up=follow_up)


# -- a target drawn -------------------------------------------------------------------


def cannot_draw(state: State, act: TargetDrawn) -> Verdict | None:
    return (
        checks.not_two_seats(state, act.seat, act.foe)
        or checks.no_such_card(state, act.foe, act.target)
        or checks.no_server_draws(state, act.spin)
        or checks.secret_draw(state, act.foe, act.spin)
    )


def may_not_draw(state: State, act: TargetDrawn) -> Verdict | None:
    return (
        checks.undecided(state)
        or checks.drawn(state)
        or checks.own_krewe(state, act.seat, act.foe)
        or _no_attack(state, act.seat, act.foe)
        or checks.slagged(state, act.foe, act.target)
    )


def _no_attack(state: State, seat: Seat, foe: Seat) -> Verdict | None:
    """Object when a seat has no attack to draw for: no follow-up, and no pulse."""
    if follow_up_on(state.board, seat, foe):
        return None
    return checks.no_pulse(state, seat, moving_card(state.board, seat))


def fold_draw(board: Board, act: TargetDrawn) -> Board:
    """Remember the card. It stays open what it is drawn for: a follow-up, or a pulse that moved."""
    earned = follow_up_on(board, act.seat, act.foe)
    return with_nothing_open(
        board,
        sides=board.sides,
        current=board.current if earned else taking_over(board, act.seat),
        walk=board.walk if board.walk and board.walk.seat == act.seat else None,
        drawn=Drawn(act.seat, act.foe, act.target),
        follow_up=earned,
    )


# -- cover ----------------------------------------------------------------------------


def decide_cover(story: Story, before: State, act: CoverCalled) -> None:
    story.add(AttackFailed(seat=act.seat, foe=act.foe, target=act.target))
    tell_what_is_left(story, before, act)


def fold_cover(board: Board, act: CoverCalled) -> Board:
    return play(board, act.seat, act.card, follow_up=is_follow_up(board, act))


# -- offers and draws -----------------------------------------------------------------


def offers(state: State, seat: Seat) -> Offers:
    """Return what a seat may attack with, and the draws and covers that openings allow."""
    found = list(openings(state, seat))
    attacks = [offer for opening in found for offer in _attack_offers(state, opening)]
    draws = () if state.board.drawn else tuple(_draw_offers(state, found))
    return [*attacks, *draws, *map(_cover_offer, found)]


def _attack_offers(state: State, opening: Opening) -> Iterator[Offer]:
    """Yield the attacks by cards whose ends are known."""
    blazes: dict[str, Field] = {}
    if not opening.follow_up or state.options.powerups_on_followup:
        blazes = {"augments": BLAZES, "bolsters": BLAZES}
    for cards, known, near in _by_range(state, opening):
        ends = tuple(end for end in known if end in opening.ends)
        for targets, target_ends in by_known_ends(state, opening.foe, opening.targets):
            if ends:
                fields: dict[str, Field] = {
                    "card": Choice(cards),
                    "end": Choice(ends),
                    "foe": Choice((opening.foe,)),
                    "target": Choice(targets),
                    "target_end": Choice(target_ends),
                    "spin": Choice(spins(state, target_ends)),
                    "half_turn": YES_OR_NO,
                    **blazes,
                    "sneak": YES_OR_NO,
                    "high_ground": YES_OR_NO,
                    **near,
                }
                yield Offer("attacked", opening.seat, fields)


def _by_range(
    state: State, opening: Opening
) -> Iterator[tuple[tuple[str, ...], tuple[Which, ...], dict[str, Field]]]:
    """Group cards by known ends, by whether they may sneak, and at depth `full` by their Range.

    Each group comes with the fields that limit it accordingly.
    """
    full = state.board.depth == "full"
    for cards, known in by_known_ends(state, opening.seat, opening.cards):
        groups: dict[tuple[int | None, bool], list[str]] = {}
        for card in cards:
            most = range_of(state, opening.seat, card) if full else None
            sneaks = may_sneak(state, opening.seat, card, opening.foe)
            groups.setdefault((most, sneaks), []).append(card)
        for (most, sneaks), alike in groups.items():
            near: dict[str, Field] = {} if sneaks else {"sneak": Choice((False,))}
            if full:
                most = MAX_RANGE if most is None else min(most, MAX_RANGE)
                near["distance"] = Choice((None, *range(most + 1)))
            yield tuple(alike), known, near


def spins(state: State, ends: tuple[Which, ...]) -> tuple[Spin, ...]:
    """Return who may spin a card: the server only with a committed seed and both ends known."""
    return ("table", "server") if state.setup.commitment and len(ends) == 2 else ("table",)


def _draw_offers(state: State, found: list[Opening]) -> Iterator[Offer]:
    for foe, targets in {opening.foe: opening.targets for opening in found}.items():
        fields: dict[str, Field] = {
            "foe": Choice((foe,)),
            "target": Choice(targets),
            "spin": Choice(("table",) if keeps_hand(state, foe) else spins(state, ENDS)),
        }
        yield Offer("target-drawn", found[0].seat, fields)


def _cover_offer(opening: Opening) -> Offer:
    fields: dict[str, Field] = {
        "card": Choice(opening.cards),
        "end": Choice(opening.ends),
        "foe": Choice((opening.foe,)),
        "target": Choice(opening.targets),
    }
    return Offer("cover-called", opening.seat, fields)


def draws_of_spin(state: State, act: Attacked | Landed | TerrainAttacked) -> tuple[Draw, ...]:
    """The server spins the target card; a half turn shows its other end. Rule: ZG ATK-4."""
    return (spin_draw("target_end", act.half_turn),)


@cache
def spin_draw(field: str, half_turn: bool) -> Draw:
    return Draw(field, "spin", ("b", "a") if half_turn else ("a", "b"))


def draws_of_target(state: State, act: TargetDrawn) -> tuple[Draw, ...]:
    """The server draws from the foe's deck."""
    if checks.no_such_seat(state, act.foe):
        return ()
    return (Draw("target", "target", drawable(state, act.foe)),)


FOLDS: Folds = {AttackFailed: keep, AttackAugmented: keep, RetestGranted: fold_granted}
RULES: Rules = {
    Attacked: Rule(
        cannot=cannot_attack,
        may_not=may_not_attack,
        decide=decide_attack,
        fold=fold_attack,
        draws=draws_of_spin,
    ),
    TargetDrawn: Rule(
        cannot=cannot_draw, may_not=may_not_draw, fold=fold_draw, draws=draws_of_target
    ),
    CoverCalled: Rule(
        cannot=cannot_meet, may_not=may_not_meet, decide=decide_cover, fold=fold_cover
    ),
}
