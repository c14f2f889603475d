"""How much an act is worth to its seat: how a keen bot plays towards the win of its class.

Cards in hand are unknown unless recorded: a seat plans by the number it holds.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules.chaptered import kept
from rules.ruleset import Act, Seat
from rules.zerpang import combat, contact, specials
from rules.zerpang.abilities import ABILITY
from rules.zerpang.acts import (
    CLOUD,
    AssistPlayed,
    AssistRefused,
    CardsDrawn,
    CardSeen,
    ClockRead,
    CombatConceded,
    CombatPassed,
    CombatPlayed,
    Conceded,
    ForeignPieceMoved,
    LinkedMoved,
    OptionsChanged,
    PhaseEntered,
    PhaseReplaced,
    PieceBallooned,
    PieceEntered,
    PieceLeapt,
    PieceMoved,
    PieceReleased,
    PieceUploaded,
    PointsPaid,
    Ruled,
    SpecialNegated,
    SpecialPlayed,
)
from rules.zerpang.aims import NEAR, WON, aim, aim_now, cover, goals_of, more_wanted, steps_of
from rules.zerpang.cards import Face, worth_of_sets
from rules.zerpang.drawing import zones_held
from rules.zerpang.entrance import cost, for_points
from rules.zerpang.linked import along
from rules.zerpang.movement import walk_for
from rules.zerpang.paying import laid_down
from rules.zerpang.ratings import base_rating
from rules.zerpang.state import (
    HOME,
    OTHER,
    State,
    Table,
    at,
    class_of,
    fight_of,
    gates_of,
    is_active,
    occupants,
    on_board,
    open_gates,
    owner,
    pieces_on_board,
    put,
    replace,
    side_of,
    touching_at,
    with_rings,
)

RISK = 12  # the cost of losing a piece, or the value of an enemy losing one
KEEP = 2  # cards a seat keeps for combats
FURTHEST = 5  # the most steps a seat pays for at once
ONE_CARD = 4  # the most that one card adds
A_TURN = 60  # seconds
A_READING = 300  # the most seconds to pass before the clock is read
BRINGS = 3  # the number of cards drawn that makes a stop worthwhile

UNLIKELY = (
    AssistPlayed,
    AssistRefused,
    CardSeen,
    CombatConceded,
    Conceded,
    OptionsChanged,
    PieceReleased,
    Ruled,
)
"""Acts that never help to win."""


def worth(state: State, act: Act) -> int | None:
    """Return what an act is worth, more for better; None for one better avoided."""
    judged = WORTHS.get(type(act))
    if judged:
        return judged(state, act)
    return None if isinstance(act, UNLIKELY) else 0


# -- moving ---------------------------------------------------------------------------


def _gain(state: State, seat: Seat, table: Table, piece: str = "") -> int | None:
    """Return a seat's gain from a table, ignoring later events, or None if there is none.

    `piece`: the one that may be drawn into a combat there.
    """
    after = replace(state, table=table)
    gain = aim(after, seat) - aim_now(state, seat)
    if gain < WON // 2 and piece:
        gain += _contact(after, piece)
    return gain if gain > 0 else None


def _contact(state: State, piece: str) -> int:
    """Return the value of a piece's space in view of a fight that it may have there."""
    seat = owner(piece)
    foes = touching_at(state, seat, at(state.table, piece))
    if not foes:
        return 0
    mine = side_of(state, seat).hand
    odds = [
        base_rating(state, piece, foe)
        + mine
        - base_rating(state, foe, piece)
        - side_of(state, owner(foe)).hand // 2
        for foe in foes
    ]
    if min(odds) <= 0:
        return -RISK
    return RISK if class_of(state, seat) in ("zombie", "alien") else RISK // 3


def _of_entrance(state: State, act: PieceEntered) -> int | None:
    if more_wanted(state, act.seat) <= 0:
        return None
    table = put(state.table, act.piece, act.gate)
    return max(1, aim(replace(state, table=table), act.seat) - aim(state, act.seat))


def _of_move(state: State, act: PieceMoved) -> int | None:
    return None if _is_to_pay(state, act.seat) else _by_walk(state, act.piece, act.path)


def _by_walk(state: State, piece: str, path: Sequence[str]) -> int | None:
    gain = _gain(state, owner(piece), _walked(state, piece, path), piece)
    return None if gain is None else NEAR * gain - len(path)


def _walked(state: State, piece: str, path: Sequence[str]) -> Table:
    """Return the table after a walk; a Zombie takes up the rings it crosses."""
    table = put(state.table, piece, path[-1])
    if not table.ground or class_of(state, owner(piece)) != "zombie":
        return table
    taken = [space for space in path if space in table.ground]
    ground = tuple(space for space in table.ground if space not in taken)
    return with_rings(replace(table, ground=ground), piece, len(taken))


def _of_link(state: State, act: LinkedMoved) -> int | None:
    if _is_to_pay(state, act.seat):
        return None
    table = state.table
    for piece, path in zip(
        act.pieces, along(state, act.pieces, act.dirs[0], len(act.dirs)) or (), strict=True
    ):
        table = put(table, piece, path[-1])
    gain = _gain(state, act.seat, table, act.pieces[0])
    return None if gain is None else NEAR * gain


def _of_jump(state: State, act: PieceLeapt | PieceBallooned) -> int | None:
    return _gain(state, act.seat, put(state.table, act.piece, act.to), act.piece)


def _of_trick(state: State, act: ForeignPieceMoved) -> int | None:
    """Return what a seat that is ahead loses if a piece of it is moved."""
    foe = owner(act.piece)
    after = replace(state, table=put(state.table, act.piece, act.path[-1]))
    if aim_now(state, foe) <= aim_now(state, act.seat):
        return None
    lost = aim_now(state, foe) - aim(after, foe)
    return lost if lost > 0 and aim(after, act.seat) < WON else None


def _may_gain(state: State, seat: Seat) -> bool:
    """Tell whether a seat gains by a step that one of its pieces may still take."""
    turn = state.table.turn
    if turn is None or turn.moved or turn.replaced or turn.phase not in ("entrance", "movement"):
        return False
    for piece in pieces_on_board(state.table, seat):
        walk = walk_for(state, piece, 1)
        for end in walk.ends if walk else ():
            if _by_walk(state, piece, (end,)) is not None:
                return True
    return False


def _to_go(state: State, seat: Seat) -> int:
    """Return the distance of the nearest piece to a goal that its seat does not hold, 0 if none."""
    far = steps_of(state)
    mine = [where for where in side_of(state, seat).at if on_board(where)]
    groups = goals_of(state, seat)
    if groups:
        group = max(groups, key=lambda goals: cover(state, seat, goals))
        goals = [goal for goal in group if goal not in mine]
        mine = [where for where in mine if where not in group]
    else:
        goals = [where for where in occupants(state.table) if where not in mine]
        goals += state.table.ground
    return min((far[goal][where] for goal in goals for where in mine), default=0)


# -- paying ---------------------------------------------------------------------------


def _of_payment(state: State, act: PointsPaid) -> int | None:
    """Return how well a card fits what a seat has to pay, None if nothing is to be paid."""
    seat = act.seat
    target = _behind(state, seat) if state.table.fight else _price(state, seat)
    purse, cls = side_of(state, seat).purse, class_of(state, seat)
    if not target or laid_down(state, seat) >= target:
        return None
    value = 1 if act.card == CLOUD else state.deck.cards[act.card].worth(act.side)
    if cls == "gunslinger":
        total = worth_of_sets(tuple(sorted((*purse, value))))
        if purse and not total:
            return None
        return -abs(target - (total or 2 * value))
    return None if state.table.fight else -abs(target - sum(purse) - value)


def _is_to_pay(state: State, seat: Seat) -> bool:
    """Tell whether a seat wants to lay down more before it continues."""
    return laid_down(state, seat) < _price(state, seat)


@kept
def _price(state: State, seat: Seat) -> int:
    """Return the points a seat wants to lay down in its turn, before it has moved."""
    turn, side = state.table.turn, side_of(state, seat)
    if turn is None or turn.moved or turn.replaced or not is_active(state, seat):
        return 0
    sets = class_of(state, seat) == "gunslinger"
    if side.hand + side.clouds <= (1 if side.purse else KEEP):
        return 0
    if turn.phase == "entrance" and _may_enter(state, seat) and more_wanted(state, seat) > 0:
        return cost(state, seat)
    if turn.phase in ("combat", "draw"):
        return 0
    further = min(_to_go(state, seat) - 1 - turn.steps, FURTHEST)
    if _may_jump(state, seat) and further > ABILITY:
        return ABILITY
    return max(0, 2 * further if sets and further else further)


def _may_enter(state: State, seat: Seat) -> bool:
    verdict = for_points(state, seat)
    return (
        (verdict is None or verdict.code != "one-entrance")
        and HOME in side_of(state, seat).at
        and bool(open_gates(state, seat))
    )


def _may_jump(state: State, seat: Seat) -> bool:
    """Tell whether a seat has a piece that may leap or fly, once it is paid for."""
    cls = class_of(state, seat)
    if cls == "alien":
        return bool(pieces_on_board(state.table, seat))
    gates = gates_of(state, seat)
    return cls == "ninja" and any(where in gates for where in side_of(state, seat).at)


# -- fighting -------------------------------------------------------------------------


def _behind(state: State, seat: Seat) -> int:
    """Return by how much a seat has to raise to lead a combat; 0 if it leads or is not in it."""
    fighting = fight_of(state.table, seat)
    if fighting is None:
        return 0
    fight, role = fighting
    if combat.leader(state, fight) == role:
        return 0
    mine, other = fight.force(role), fight.force(OTHER[role])
    ties = class_of(state, seat) == "zombie" or (
        role == "def" and class_of(state, other.seat) != "zombie"
    )
    return other.rating - mine.rating + (not ties)


def _holds_out(state: State, seat: Seat) -> bool:
    """Tell whether a seat that is behind in a combat has the cards to lead."""
    side = side_of(state, seat)
    if class_of(state, seat) == "gunslinger":
        return bool(side.purse and side.hand) or side.hand >= 2
    return side.hand > 0 and _behind(state, seat) <= ONE_CARD


def _of_raise(state: State, act: CombatPlayed) -> int | None:
    """Return how close a card is to what is needed; None without a card, or if it is not enough."""
    behind = _behind(state, act.seat)
    if not act.card:
        return 0 if behind else None
    value = state.deck.cards[act.card].worth(act.side)
    return behind - value if 0 < behind <= value else None


def _of_pass(state: State, act: CombatPassed) -> int | None:
    return None if _behind(state, act.seat) and _holds_out(state, act.seat) else 0


# -- specialties ----------------------------------------------------------------------


def _of_special(state: State, act: SpecialPlayed) -> int | None:
    face = state.deck.cards[act.card].face(act.side)
    if face is None or act.licence:
        return None
    if state.table.fight and face.key in specials.IN_COMBAT:
        return _in_combat(state, act.seat, face)
    seat, turn, drew = act.seat, state.table.turn, state.table.drew
    match face.key:
        case "free_entrance":
            wanted = _may_enter(state, seat) and more_wanted(state, seat) > 0
            return 1 if wanted and turn and not turn.free else None
        case "extra_steps":
            return face.n if turn and _to_go(state, seat) > 1 + turn.steps else None
        case "second_adjacent":
            return _gain(state, seat, put(state.table, act.piece, act.to))
        case "second_step":
            return (
                1
                if turn and not turn.second and len(pieces_on_board(state.table, seat)) > 1
                else None
            )
        case "double_zone_draw":
            return zones_held(state, seat) or None
        case "intercept_draw":
            return drew.n if drew and drew.n >= BRINGS else None
        case "skip_turn":
            return aim(state, act.foe)
    return 1


def _in_combat(state: State, seat: Seat, face: Face) -> int | None:
    """Return the value of a specialty for a side that is behind in a combat."""
    fighting, behind = fight_of(state.table, seat), _behind(state, seat)
    if fighting is None or not behind:
        return None
    fight, role = fighting
    match face.key:
        case "rating":
            return 1 if face.n >= behind else None
        case "connect_any":
            return 1 if behind == 1 else None
        case "double_values":
            return 1 if fight.force(role).ninjutsu >= behind else None
    return None if _holds_out(state, seat) else 1


def _of_negation(state: State, act: SpecialNegated) -> int | None:
    """Return the value of negating, None if the seat is not harmed."""
    fight, played = state.table.fight, state.table.open
    harmed = (fight and fight.role_of(act.seat)) or (played and played.key == "skip_turn")
    return 1 if harmed and _behind(state, act.seat) else None


# -- the turn -------------------------------------------------------------------------


def _of_phase(state: State, act: PhaseEntered) -> int | None:
    """Proceed only to a combat for which a piece is in contact."""
    if act.phase != "combat" or not contact.in_contact(state):
        return None
    return None if _may_gain(state, act.seat) else 0


def _of_replacement(state: State, act: PhaseReplaced) -> int | None:
    if act.ability == "not-here":
        return 1 if _behind(state, act.seat) and not _holds_out(state, act.seat) else None
    inside = sum(where in state.board.zone_of for where in side_of(state, act.seat).at)
    return inside if inside >= zones_held(state, act.seat) + BRINGS - 1 else None


def _of_close(state: State, act: CardsDrawn | PieceUploaded) -> int | None:
    """End a turn only once nothing better is left to do."""
    return None if _is_to_pay(state, act.seat) or _may_gain(state, act.seat) else 0


def _of_clock(state: State, act: ClockRead) -> int | None:
    """Return the time since the last reading, for a reading no later than the turns allow."""
    turn, passed = state.table.turn, act.seconds - state.table.seconds
    if turn is None or not 0 < passed <= A_READING or act.seconds > turn.no * A_TURN:
        return None
    return passed


WORTHS: Mapping[type[Act], Callable[[State, Any], int | None]] = {
    PieceEntered: _of_entrance,
    PieceMoved: _of_move,
    LinkedMoved: _of_link,
    PieceLeapt: _of_jump,
    PieceBallooned: _of_jump,
    ForeignPieceMoved: _of_trick,
    PointsPaid: _of_payment,
    CombatPlayed: _of_raise,
    CombatPassed: _of_pass,
    SpecialPlayed: _of_special,
    SpecialNegated: _of_negation,
    PhaseEntered: _of_phase,
    PhaseReplaced: _of_replacement,
    CardsDrawn: _of_close,
    PieceUploaded: _of_close,
    ClockRead: _of_clock,
}
