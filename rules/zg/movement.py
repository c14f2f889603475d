"""Movement at depth `full`: placing, the move of a pulse, stances, falls and landings.

ZG IMP-3  Figures are placed once, in the first turn, highest impulse first; all but the first at
          most 7 cards from the nearest foe.
ZG MOV-1  A pulse moves up to its card's Move, then attacks.
ZG MOV-3  Climbing costs ordinary Move, card by card.
ZG MOV-4  Ending a move more than 1 card up makes the figure fall: the table records the fall.
ZG MOV-6  What Z-G leaves of a move has to be taken before the next pulse.
ZG MOV-7  Entering a stance, or standing up, costs 3 of the card's Move.
ZG 10 Stand  Standing up leaves any stance.
ZG 11 Z-G  It gives free vertical cards, up to the base Move.
ZG STA    Kneeling figures do not travel; in Attack, Defense and Prone stance 1 card a pulse.
ZG STA-2  Knocked down is not a stance, and leaves none: getting up costs 3, and the figure stands.
ZG TAC-3  A jump needs Z-G on the card.
ZG TAC-4  A fall of more than 1 card knocks down, unless a Z-G card in hand breaks it (CON-10).
          Coming down on a foe is a test that only knocks it back, unless Z-G lands softly (CON-7).
ZG SET-5  Off a table whose edges are a fall, a figure is out.

Where the figure stands, what it climbs and how far it falls the table says; the core adds it up.
"""

from collections.abc import Iterator
from itertools import product

import msgspec

from rules.fields import Choice, Field, Range
from rules.ruleset import Offer, Seat, Verdict, impossible, irregular
from rules.zg import checks
from rules.zg.acts import DEPTHS, MAX_CARDS, Fell, Landed, Placed, Travelled
from rules.zg.attack import YES_OR_NO, cannot_test, draws_of_spin, resolve_attack, spins
from rules.zg.consequences import FigureDowned, LandingTested, SeatDefeated
from rules.zg.earning import earn
from rules.zg.knockback import knock
from rules.zg.moves import dashes, full_move, walk_of
from rules.zg.order import first_of, tied_with, under_way
from rules.zg.pulse import play
from rules.zg.state import (
    Board,
    Offers,
    PulseMove,
    Rule,
    Rules,
    Stance,
    State,
    Story,
    by_known_ends,
    foes,
    moving_card,
    playable,
    remaining,
    replace,
    side_of,
    standing,
    with_side,
)

FARTHEST = 7
STANCE_COST = RISE_COST = 3
SAFE_HEIGHT = 1
STANCES: tuple[Stance, ...] = ("kneel", "attack", "defense", "prone")
CARDS_IN: dict[Stance, int] = {"kneel": 0, "attack": 1, "defense": 1, "prone": 1}
"""How many cards a figure may travel in a stance.

Rule: ZG 10 Kneel, Attack, Defense, Prone.
"""


def offers(state: State, seat: Seat) -> Offers:
    return [
        *_offers_to_place(state, seat),
        *_offers_to_travel(state, seat),
        *_offers_to_fall(state, seat),
        *offers_of_edge(state, seat),
        *_offers_to_land(state, seat),
    ]


# -- placing --------------------------------------------------------------------------


def _offers_to_place(state: State, seat: Seat) -> Iterator[Offer]:
    if not may_not_place(state, Placed(seat=seat)):
        most = FARTHEST if _any_foe_placed(state, seat) else MAX_CARDS
        yield Offer("placed", seat, {"gap": Choice((None, *range(most + 1)))})


def _any_foe_placed(state: State, seat: Seat) -> bool:
    return any(side_of(state, foe).placed for foe in foes(state.board, seat))


def may_not_place(state: State, act: Placed) -> Verdict | None:
    board = state.board
    if side_of(state, act.seat).placed:
        return irregular("is-placed", "ZG IMP-4", seat=act.seat)
    if board.turn > 1 or under_way(board):
        return irregular("placing-is-over", "ZG IMP-4")
    first = _first_to_place(board)
    if act.seat not in first and not side_of(state, first[0]).unseen:
        return irregular("placed-out-of-order", "ZG IMP-3", seat=act.seat, foe=first[0])
    if tied := tied_with(board, act.seat):
        return irregular("impulse-is-tied", "ZG IMP-2", seat=act.seat, foe=tied[0])
    if act.gap is not None and act.gap > FARTHEST and _any_foe_placed(state, act.seat):
        return irregular("placed-too-far", "ZG IMP-3", cards=act.gap, most=FARTHEST)
    return None


def _first_to_place(board: Board) -> list[Seat]:
    """Return the seats of which one places next; of tied ones, the one said to play next."""
    waiting = [seat for seat in standing(board) if not board.sides[seat - 1].placed]
    first = first_of(board, waiting)
    decided = board.current in first and all(board.sides[seat - 1].called for seat in waiting)
    return [board.current] if decided else first


def fold_placed(board: Board, act: Placed) -> Board:
    return with_side(board, act.seat, placed=True)


# -- the move of a pulse --------------------------------------------------------------


class Reach(msgspec.Struct, frozen=True, gc=False):
    """How far a card may still move: `most` cards and `free` vertical ones, None if unknown.

    `stance`: the one that limits it, "" for none; `crept`: what it has travelled in one already.
    """

    most: int | None
    free: int | None
    flies: bool | None
    stance: Stance
    crept: int

    @property
    def creeps(self) -> int | None:
        """How many cards its stance still lets it travel, None for any number."""
        most = CARDS_IN.get(self.stance)
        return None if most is None else max(0, most - self.crept)


def reach_of(state: State, seat: Seat, card: str) -> Reach:
    """Return how far a card of a seat may move now."""
    printed = state.gear[seat - 1][card]
    flies, walk = printed.flies, walk_of(state.board, seat, card)
    free = None if flies is None else 0
    if flies and printed.move is not None:
        free = max(0, printed.move - walk.risen)
    elif flies:
        free = None
    stance = "" if "stance-limits" in printed.exceptions else side_of(state, seat).pose
    if walk.attacked:
        return Reach(walk.left, free, flies, stance, walk.crept)
    most = None if "too-far" in printed.exceptions else full_move(state, seat, card)
    return Reach(most, free, flies, stance, 0)


def movable(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards a seat may move with now: to begin a pulse, or by what Z-G leaves."""
    if checks.undecided(state) or checks.drawn(state):
        return ()
    rest = _left_to_move(state, seat)
    if checks.no_pulse(state, seat):
        return rest
    moving = moving_card(state.board, seat)
    return (*rest, *[card for card in playable(state, seat) if card != moving])


def is_movable(state: State, seat: Seat, card: str) -> bool:
    """Tell whether a seat may move with one card now."""
    board = state.board
    if board.drawn or (board.loss and checks.undecided(state)):
        return False
    if card in _left_to_move(state, seat):
        return True
    return (
        card != moving_card(board, seat)
        and card not in side_of(state, seat).slagged
        and not checks.no_pulse(state, seat)
        and not checks.played(state, seat, card)
    )


def _left_to_move(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the card for which Z-G leaves, or may leave, some Move."""
    walk = state.board.walk
    return (walk.card,) if walk and walk.seat == seat and walk.left != 0 else ()


def _offers_to_travel(state: State, seat: Seat) -> Iterator[Offer]:
    groups: dict[Reach, list[str]] = {}
    for card in movable(state, seat):
        groups.setdefault(reach_of(state, seat, card), []).append(card)
    side = side_of(state, seat)
    stances = tuple(each for each in ("stand", *STANCES) if each != (side.pose or "stand"))
    rises = (False, True) if side.down is None else (side.down,)
    for reach, cards in groups.items():
        for entered, rise in product(((), stances), rises):
            cost = STANCE_COST * bool(entered) + RISE_COST * rise
            left = MAX_CARDS if reach.most is None else reach.most - cost
            if left >= 0:
                fields = _fields_to_travel(reach, left)
                fields["card"] = Choice(tuple(cards))
                if entered:
                    fields["stance"] = Choice(entered)
                if rise:
                    fields["rise"] = Choice((True,))
                yield Offer("travelled", seat, fields)


def _fields_to_travel(reach: Reach, left: int) -> dict[str, Field]:
    most = left if reach.creeps is None else min(left, reach.creeps)
    fields: dict[str, Field] = {"cards": Range(0, most)}
    if reach.creeps is None and reach.free != 0:
        fields["free"] = Range(0, MAX_CARDS if reach.free is None else reach.free)
    if reach.flies is not False and reach.creeps != 0:
        fields["jump"] = YES_OR_NO
    return fields


def cannot_travel(state: State, act: Travelled) -> Verdict | None:
    return checks.not_in_play(state, act.seat) or checks.no_such_card(state, act.seat, act.card)


def may_not_travel(state: State, act: Travelled) -> Verdict | None:
    if not is_movable(state, act.seat, act.card):
        return _may_not_begin(state, act)
    side, reach = side_of(state, act.seat), reach_of(state, act.seat, act.card)
    return (
        _may_not_enter(side.pose, act)
        or _may_not_rise(side.down, act)
        or _may_not_fly(reach, act)
        or _may_not_go_on(reach, act)
        or _too_far(reach, act)
    )


def _may_not_begin(state: State, act: Travelled) -> Verdict:
    """Return why a card cannot be moved with now."""
    return (
        checks.untimely(state, act.seat)
        or checks.slagged(state, act.seat, act.card)
        or checks.played(state, act.seat, act.card)
        or irregular("move-is-taken", "ZG MOV-2", seat=act.seat, card=act.card)
    )


def _may_not_enter(stance: Stance, act: Travelled) -> Verdict | None:
    if act.stance and act.stance == (stance or "stand"):
        return irregular("stance-unchanged", "ZG MOV-7", seat=act.seat)
    return None


def _may_not_rise(down: bool | None, act: Travelled) -> Verdict | None:
    if down is None or down == act.rise:
        return None
    return irregular("lies-down" if down else "stands-already", "ZG TAC-5", seat=act.seat)


def _may_not_fly(reach: Reach, act: Travelled) -> Verdict | None:
    if reach.flies is False and (act.free or act.jump):
        return irregular("no-zg", "ZG 11 Z-G" if act.free else "ZG TAC-3", card=act.card)
    if reach.free is not None and act.free > reach.free:
        return irregular("too-high", "ZG 11 Z-G", cards=act.free, most=reach.free)
    return None


def _may_not_go_on(reach: Reach, act: Travelled) -> Verdict | None:
    """Object to travel that a stance forbids, also where Z-G2 splits a move. Rule: ZG 10, STA."""
    left = reach.creeps
    if left is None or (act.cards <= left and not act.free and (left or not act.jump)):
        return None
    most = CARDS_IN[reach.stance]
    return irregular("stance-limits", "ZG 10", seat=act.seat, stance=reach.stance, most=most)


def cost_of(act: Travelled) -> int:
    """Return how much of its card's Move a move takes. Rule: ZG MOV-1, MOV-7, TAC-5."""
    return act.cards + STANCE_COST * bool(act.stance) + RISE_COST * act.rise


def _too_far(reach: Reach, act: Travelled) -> Verdict | None:
    cost = cost_of(act)
    if reach.most is None or cost <= reach.most:
        return None
    return irregular("too-far", "ZG MOV-1", card=act.card, cards=cost, most=reach.most)


def decide_travel(story: Story, before: State, act: Travelled) -> None:
    if dashes(before, act.seat, act.card):
        earn(story, act.seat, "dash")
    if act.jump:
        earn(story, act.seat, "jump")


def fold_travel(board: Board, act: Travelled) -> Board:
    """Take the move. What Z-G left after an attack does not count as another pulse."""
    walk = board.walk
    rest = walk is not None and (walk.seat, walk.card) == (act.seat, act.card) and walk.attacked
    if rest:
        board = replace(board, walk=None, blow=None, check=None, loss=None, follow_up=None)
    else:
        crept = act.cards if board.sides[act.seat - 1].pose in CARDS_IN else 0
        walk = PulseMove(act.seat, act.card, cost_of(act), risen=act.free, crept=crept)
        board = play(board, act.seat, act.card, walk=walk)
    kept = "" if act.rise else board.sides[act.seat - 1].stance
    stance = "" if act.stance == "stand" else act.stance or kept
    down = bool(board.sides[act.seat - 1].down) and not act.rise
    return with_side(board, act.seat, stance=stance, down=down)


# -- falling --------------------------------------------------------------------------


def _offers_to_fall(state: State, seat: Seat) -> Iterator[Offer]:
    broken: Field = Choice((False,)) if _may_not_break(state, seat) else YES_OR_NO
    yield Offer("fell", seat, {"height": Range(1, MAX_CARDS), "zg": broken})


def offers_of_edge(state: State, seat: Seat) -> Offers:
    falls = state.options.edges == "fall"
    return (Offer("fell", seat, {"edge": Choice((True,))}),) if falls else ()


def cannot_fall(state: State, act: Fell) -> Verdict | None:
    if verdict := checks.not_in_play(state, act.seat):
        return verdict
    if act.edge == bool(act.height) or (act.edge and act.zg):
        return impossible("fall-unclear", "ZG TAC-4")
    return None


def may_not_fall(state: State, act: Fell) -> Verdict | None:
    if act.edge and state.options.edges == "wall":
        return irregular("edge-is-wall", "ZG SET-5")
    if not act.edge and state.board.depth != "full":
        return irregular("other-depth", "", depth=state.board.depth)
    return _may_not_break(state, act.seat) if act.zg else None


def _may_not_break(state: State, seat: Seat) -> Verdict | None:
    """Object to a fall broken by Z-G if no card that counts has it.

    A played card is no longer in the hand, except for the one under way. Rule: ZG CON-10.
    """
    side, walk = side_of(state, seat), state.board.walk
    counted = [walk.card] if walk and walk.seat == seat else []
    known = bool(counted)
    if not state.options.safe_fall_played_card_only:
        known = bool(side.hand)
        counted += [card for card in side.hand if card not in (*side.used, *side.slagged)]
    gear = state.gear[seat - 1]
    if not known or any(gear[card].flies is not False for card in counted):
        return None
    return irregular("no-zg-in-hand", "ZG TAC-4", seat=seat)


def decide_fall(story: Story, before: State, act: Fell) -> None:
    if act.edge:
        story.add(SeatDefeated(seat=act.seat, why="edge"))
    else:
        _knock_down(story, act.seat, act.height, act.zg)


def _knock_down(story: Story, seat: Seat, height: int, zg: bool) -> None:
    if height > SAFE_HEIGHT and not zg and not side_of(story.state, seat).down:
        story.add(FigureDowned(seat=seat))


# -- landing on a foe -----------------------------------------------------------------


def movers(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards whose Move may have made a figure land on a foe.

    That is the one under way, or those played this turn.
    """
    walk = state.board.walk
    moved = (walk.card,) if walk and walk.seat == seat else side_of(state, seat).played
    return tuple(card for card in remaining(state, seat) if card in moved)


def _offers_to_land(state: State, seat: Seat) -> Iterator[Offer]:
    if checks.undecided(state) or checks.drawn(state) or state.board.current != seat:
        return
    broken: Field = Choice((False,)) if _may_not_break(state, seat) else YES_OR_NO
    for foe in foes(state.board, seat):
        for cards, ends in by_known_ends(state, seat, movers(state, seat)):
            for targets, target_ends in by_known_ends(state, foe, remaining(state, foe)):
                fields: dict[str, Field] = {
                    "foe": Choice((foe,)),
                    "height": Range(1, MAX_CARDS),
                    "card": Choice(cards),
                    "end": Choice(ends),
                    "target": Choice(targets),
                    "target_end": Choice(target_ends),
                    "spin": Choice(spins(state, target_ends)),
                    "half_turn": YES_OR_NO,
                    "zg": broken,
                }
                yield Offer("landed", seat, fields)


def cannot_land(state: State, act: Landed) -> Verdict | None:
    if verdict := cannot_test(state, act):
        return verdict
    return None if act.height else impossible("fall-unclear", "ZG TAC-4")


def may_not_land(state: State, act: Landed) -> Verdict | None:
    if state.board.current != act.seat:
        return irregular("not-your-move", "ZG TAC-4", seat=act.seat)
    return (
        checks.undecided(state)
        or checks.drawn(state)
        or checks.own_krewe(state, act.seat, act.foe)
        or checks.slagged(state, act.seat, act.card)
        or checks.slagged(state, act.foe, act.target)
        or _did_not_move(state, act)
        or (_may_not_break(state, act.seat) if act.zg else None)
    )


def _did_not_move(state: State, act: Landed) -> Verdict | None:
    if act.card in movers(state, act.seat):
        return None
    return irregular("card-did-not-move", "ZG CON-7", seat=act.seat, card=act.card)


def decide_landing(story: Story, before: State, act: Landed) -> None:
    test = resolve_attack(before, act)
    earn(story, act.seat, "landing")
    story.add(LandingTested(dot_matches=test.dot_matches, strikes=test.strikes))
    if not act.zg:
        knock(story, act.foe, test.strikes, test.dot_matches)
    _knock_down(story, act.seat, act.height, act.zg)


RULES: Rules = {
    Placed: Rule(
        cannot=checks.actor_not_in_play, may_not=may_not_place, fold=fold_placed, depths=("full",)
    ),
    Travelled: Rule(
        cannot=cannot_travel,
        may_not=may_not_travel,
        decide=decide_travel,
        fold=fold_travel,
        depths=("full",),
    ),
    Fell: Rule(cannot=cannot_fall, may_not=may_not_fall, decide=decide_fall, depths=DEPTHS),
    Landed: Rule(
        cannot=cannot_land,
        may_not=may_not_land,
        decide=decide_landing,
        draws=draws_of_spin,
        depths=("full",),
    ),
}
