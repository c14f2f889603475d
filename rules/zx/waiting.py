"""What the table waits for, and objections to acts that come at another time.

ZX-T1  The phases of a turn.
ZX-W7  Of what is due at once, reload comes first, then excess charge, then damage to a player.
ZX-A9  Pending effects are handled before the next action.
"""

from typing import Literal, get_args

from rules.ruleset import Act, Seat, Verdict, event_type, impossible, irregular
from rules.zx.acts import AutoTriggered, SpecialWon
from rules.zx.field import HOMES, other
from rules.zx.state import State, power_of, square_of, unit_at, voices_of
from rules.zx.terms import HAND_LIMIT

What = Literal[
    "over",
    "score",
    "toss",
    "hand",
    "resources",
    "reload",
    "charge",
    "keyword",
    "life",
    "reveal",
    "told",
    "battle",
    "trim",
    "resource",
    "ignition",
    "main",
    "",
]
Choosing = Literal["reload", "charge", "keyword", "life", "reveal", "told", "trim"]
CHOICES: tuple[Choosing, ...] = get_args(Choosing)
"""What has to be settled before anything else."""


def awaited(state: State) -> tuple[What, Seat]:
    """Return what is awaited, and from which seat; 0 for either."""
    board = state.board
    if board.outcome:
        return "over", 0
    if board.depth == "score":
        return "score", 0
    if board.stage != "running":
        return _before_the_game(state)
    return due(state) or _in_the_turn(state)


def _before_the_game(state: State) -> tuple[What, Seat]:
    """Return what is awaited during the opening: hands one after the other, or at once (AM17)."""
    board, first = state.board, state.board.first
    if board.stage == "first":
        return "toss", 0
    if board.stage == "resources":
        return "resources", 0
    if state.options.redraw == "simultaneous":
        return "hand", 0
    return "hand", other(first) if board.sides[first - 1].ready else first


def due(state: State) -> tuple[What, Seat] | None:
    """Return what is due before the turn continues, the turn player's first."""
    board, limit = state.board, state.terms.charge_limit
    one, two = board.sides
    mine, first, then = (one, 1, 2) if board.current == 1 else (two, 2, 1)
    if one.owes or two.owes:
        return "reload", first if mine.owes else then
    if limit is not None and (len(one.charge) > limit or len(two.charge) > limit):
        return "charge", first if len(mine.charge) > limit else then
    if board.keyword:
        return "keyword", board.keyword.seat
    if one.hits or two.hits:
        return "life", first if mine.hits else then
    reveals = board.igniting and board.sides[board.current - 1].deck
    return ("reveal", board.current) if reveals else None


def _in_the_turn(state: State) -> tuple[What, Seat]:
    board = state.board
    if board.battle:
        return ("told", 0) if board.battle.passes > 1 else ("battle", board.battle.to_act)
    match board.phase:
        case "end":
            over = board.sides[board.current - 1].hand > HAND_LIMIT
            return ("trim" if over else ""), board.current
        case "resource" | "ignition" | "main":
            return board.phase, board.current
    return "", board.current


def not_now(state: State, what: What, seat: Seat) -> Verdict | None:
    """Object to an act of a seat at a time that waits for something else."""
    waits, who = awaited(state)
    if waits == what and who in (0, seat):
        return None
    if waits in CHOICES:
        return irregular("pending-choice", "ZX-A9", what=waits)
    if waits == "battle":
        return irregular("battle-first", "ZX-B4", foe=who)
    if seat != state.board.current:
        return irregular("not-your-turn", "ZX-T1", seat=seat)
    return irregular("wrong-phase", "ZX-T1", phase=state.board.phase, what=what)


def not_started(state: State) -> Verdict | None:
    return None if state.board.stage == "running" else impossible("not-started", "ZX-S4")


def out_of_order(act: Act, cards: tuple[str, ...]) -> Verdict | None:
    """Refuse cards that are not in alphabetical order, so that each act has only one form."""
    if list(cards) == sorted(cards):
        return None
    return impossible("not-on-offer", act=event_type(act))


def no_such_card(state: State, seat: Seat, *cards: str) -> Verdict | None:
    for card in cards:
        if card not in state.cards[seat - 1]:
            return impossible("no-such-card", "ZX-D1", seat=seat, card=card)
    return None


def no_such_voice(state: State, act: SpecialWon | AutoTriggered) -> Verdict | None:
    """Refuse a text that is on no card of a seat, nor on its player card."""
    if act.card in voices_of(state.setup, act.seat):
        return None
    return impossible("no-such-card", "ZX-A8", seat=act.seat, card=act.card)


def barred(state: State, seat: Seat, square: str) -> Verdict | None:
    """Refuse a square on which a seat can have no Z/X. Rule: ZX-A5."""
    unit = unit_at(state.board, square)
    if unit and unit.seat != seat:
        return impossible("square-enemy", "ZX-A5", square=square)
    if square == HOMES[other(seat)]:
        return impossible("square-enemy-player", "ZX-A5", square=square)
    return None


def asleep_there(state: State, square: str) -> Verdict | None:
    """Object to playing over one's own sleeping Z/X. Rule: ZX-A5."""
    unit = unit_at(state.board, square)
    return irregular("square-own-asleep", "ZX-A5", square=square) if unit and unit.asleep else None


def powers_unknown(state: State) -> bool:
    """Tell whether the battle is between cards whose power nobody entered."""
    battle = state.board.battle
    if battle is None or not battle.target:
        return False
    squares = (square_of(state.board, each) for each in (battle.attacker, battle.target))
    units = [unit_at(state.board, square) for square in squares if square]
    return any(unit is not None and power_of(state, unit) is None for unit in units)
