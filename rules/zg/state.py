"""The state of a match: frozen structs, and the queries that all chapters share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from rules import chaptered
from rules.ruleset import Act, Consequence, Draw, Offer, Outcome, Seat
from rules.zg.acts import Depth, Options, Places, ZgOpened
from rules.zg.cards import Gear, Which, mode_times
from rules.zg.consequences import Fall, Tactic
from rules.zg.damage import Result

PULSES = 3
"""How many pulses a turn has, without a flameout (`Side.most`)."""

FLAMEOUT_PULSES = 6
HAND = 3
FEWEST = 3
"""With fewer zGear cards than this, a seat is defeated (ZG DMG-6)."""

ENDS: tuple[Which, Which] = ("a", "b")
replace = msgspec.structs.replace


class Lock(msgspec.Struct, frozen=True, gc=False):
    """A card that a seat may attack again this turn."""

    foe: Seat
    target: str


class Shown(msgspec.Struct, frozen=True, gc=False):
    """The dots of an end that the deck does not have."""

    card: str
    end: Which
    dots: str


class Way(msgspec.Struct, frozen=True, gc=False):
    """A way a seat has used an Arena card."""

    arena: str
    how: str


class Struck(msgspec.Struct, frozen=True, gc=False):
    """The strikes a piece of terrain has taken."""

    piece: str
    strikes: int


Stance = Literal["", "kneel", "attack", "defense", "prone", "unknown"]
"""A figure's stance; "" is upright. Rule: ZG 10."""


class Side(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One seat.

    `played`, `pulses`, `done`, `clock` and `locks` are those of this turn, `last` are the cards
    played in the previous one.

    At depth `full` also: the `hand` if it was recorded, the impulse numbers `called`, and those of
    the `ties` drawn for since; `must_fell`: the foes in play when it called a flameout, one of whom
    has to fall by the end of the turn; `had_to_fell`: those of the previous turn; `burnt`: the turn
    in which none did; `reprieved`: a late follow-up may still fell one of those; `again`: cards
    played a second time in a turn. `down`: the figure lies on its back, None if unknown. `panel`:
    the active Mode cards, of as many as were `earned`; `tactics` and `ways` have earned theirs;
    `unseen`: there may be more of all this, from before it was recorded. `late`: the clock cost it
    all pulses of this turn.
    """

    slagged: tuple[str, ...] = ()
    played: tuple[str, ...] = ()
    pulses: int = 0
    done: bool = False
    clock: bool = False
    locks: tuple[Lock, ...] = ()
    shown: tuple[Shown, ...] = ()
    stunned: bool = False
    character_spent: bool = False
    out: Fall | Literal[""] = ""
    hand: tuple[str, ...] = ()
    called: tuple[int, ...] = ()
    ties: tuple[int, ...] = ()
    must_fell: tuple[Seat, ...] = ()
    had_to_fell: tuple[Seat, ...] = ()
    burnt: int = 0
    reprieved: bool = False
    again: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    placed: bool = False
    stance: Stance = ""
    down: bool | None = False
    krewe: str = ""
    panel: tuple[str, ...] = ()
    earned: int = 0
    tactics: tuple[Tactic, ...] = ()
    ways: tuple[Way, ...] = ()
    unseen: bool = False
    character_used: bool = False
    late: bool = False

    @property
    def most(self) -> int:
        """The number of its pulses this turn. Rule: ZG GEN-8, TAC-7."""
        return FLAMEOUT_PULSES if self.must_fell else PULSES

    @property
    def used(self) -> tuple[str, ...]:
        """The cards it can no longer play this turn."""
        return self.again if self.must_fell else self.played

    @property
    def pose(self) -> Stance:
        """Its stance now: a figure on its back has none. Rule: ZG STA-2."""
        return "" if self.down else self.stance

    @property
    def held(self) -> tuple[str, ...]:
        """Its hand as far as it is known: three cards played in a flameout are all of it.

        Rule: ZG TAC-7.
        """
        complete = self.must_fell and not self.hand and len(self.played) >= HAND
        return self.played if complete else self.hand


class Check(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The last test, open to a retest until the next act of play.

    `end` and `target_end` are "" if it was only called. `slagged`, `locked`, `stunned`, `downed`
    and `thrown`, off the table, are its effects, as far as they still stand; `retested`: who had a
    card spun again; `granted`: the attacker may do so once more; `called`: its result was stated by
    the table or an official, not computed.
    """

    seat: Seat
    card: str
    foe: Seat
    target: str
    turn: int
    end: Literal["", "a", "b"] = ""
    target_end: Literal["", "a", "b"] = ""
    augments: Places = ()
    bolsters: Places = ()
    follow_up: bool = False
    retested: tuple[Seat, ...] = ()
    slagged: bool = False
    locked: bool = False
    stunned: bool = False
    downed: bool = False
    thrown: bool = False
    granted: bool = False
    dot_matches: int | None = None
    strikes: int = 0
    result: Result | Literal[""] = ""
    called: bool = False


class FollowUp(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An attack a seat may make with the same card, until the next act of play.

    `late`: it belongs to the previous turn, whose last test was made anew.
    """

    seat: Seat
    card: str
    foe: Seat
    end: Literal["", "a", "b"] = ""
    late: bool = False


class PulseMove(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The move of the current pulse: `spent` Move, and `risen` free vertical cards.

    `left`: how far a Z-G card may still move after it has `attacked`, None if unknown. `crept`: the
    cards travelled in a stance that limits them.
    """

    seat: Seat
    card: str
    spent: int = 0
    attacked: bool = False
    left: int | None = 0
    risen: int = 0
    crept: int = 0

    @property
    def waits(self) -> bool:
        """Whether the table waits for it; it does not for a move that is only possible."""
        return self.left is not None


class Blow(msgspec.Struct, frozen=True, gc=False):
    """A figure that was just knocked back this many cards, until the next act of play.

    None: any distance, by a card that may have the powerup.
    """

    seat: Seat
    cards: int | None


class Drawn(msgspec.Struct, frozen=True, gc=False):
    """A target card drawn and not yet attacked."""

    seat: Seat
    foe: Seat
    target: str


class Loss(msgspec.Struct, frozen=True, gc=False):
    """The card just slagged, which a character card may still save."""

    seat: Seat
    card: str


class Board(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """All that changes during a match.

    `current`: whose pulses these are, 0 if that is not settled; `fallen`: the defeated seats, first
    to last.
    """

    sides: tuple[Side, ...]
    turn: int = 1
    current: Seat = 0
    depth: Depth = "tests"
    follow_up: FollowUp | None = None
    drawn: Drawn | None = None
    loss: Loss | None = None
    check: Check | None = None
    walk: PulseMove | None = None
    blow: Blow | None = None
    struck: tuple[Struck, ...] = ()
    fallen: tuple[Seat, ...] = ()
    outcome: Outcome | None = None


class State(msgspec.Struct, frozen=True, gc=False):
    """`gear` and `ulsters` are derived from the setup: each seat's cards by name, its Ulsters."""

    setup: ZgOpened
    gear: tuple[Gear, ...]
    board: Board
    ulsters: tuple[tuple[str, ...], ...]

    @property
    def turn(self) -> int:
        return self.board.turn

    @property
    def pulse(self) -> tuple[Seat, int]:
        """Whose pulses these are and how many are played, which identifies the pulse."""
        current = self.board.current
        return current, self.board.sides[current - 1].pulses if current else 0

    @property
    def options(self) -> Options:
        return self.setup.options


# -- what a chapter is made of --------------------------------------------------------


class Story(chaptered.Story[State]):
    """The consequences of an act of this game."""

    __slots__ = ()


def keep(board: Board, event: Any) -> Board:
    """Change nothing: the event is informative only."""
    return board


def draw_none(state: State, act: Any) -> tuple[Draw, ...]:
    """Return no draws: the table makes all spins."""
    return ()


class Rule(chaptered.Rule[State, Story], frozen=True, kw_only=True):
    """A rule of this game: `fold` changes the board, `draws` are those left to the server."""

    fold: Callable[[Board, Any], Board] = keep
    draws: Callable[[State, Any], tuple[Draw, ...]] = draw_none
    depths: tuple[str, ...] = ("tests", "full")


Rules = Mapping[type[Act], Rule]
Folds = Mapping[type[Consequence], Callable[[Board, Any], Board]]
Offers = Iterable[Offer]


# -- seats ----------------------------------------------------------------------------


def side_of(state: State, seat: Seat) -> Side:
    return state.board.sides[seat - 1]


def with_side(board: Board, seat: Seat, **changes: Any) -> Board:
    """Return the board with one side changed."""
    side = replace(board.sides[seat - 1], **changes)
    return replace(board, sides=chaptered.put_side(board.sides, seat, side))


def fresh(side: Side, last: tuple[str, ...]) -> Side:
    """Return a side at the start of a turn; `last`: the cards it played in the previous one."""
    return replace(
        side,
        played=(),
        pulses=0,
        done=False,
        clock=False,
        locks=(),
        hand=(),
        called=(),
        ties=(),
        must_fell=(),
        had_to_fell=side.must_fell,
        reprieved=False,
        again=(),
        last=last,
        character_used=False,
        late=False,
    )


def with_nothing_open(
    board: Board,
    *,
    sides: tuple[Side, ...],
    current: Seat,
    check: Check | None = None,
    walk: PulseMove | None = None,
    drawn: Drawn | None = None,
    follow_up: FollowUp | None = None,
) -> Board:
    """Return the board after an act of play: all is closed but what the act itself opens."""
    return replace(
        board,
        sides=sides,
        current=current,
        check=check,
        walk=walk,
        drawn=drawn,
        follow_up=follow_up,
        loss=None,
        blow=None,
    )


def seats_of(state: State) -> range:
    return range(1, len(state.board.sides) + 1)


def standing(board: Board) -> list[Seat]:
    """Return the seats that are not defeated."""
    return [seat for seat, side in enumerate(board.sides, 1) if not side.out]


def mates(board: Board, seat: Seat, other: Seat) -> bool:
    """Tell whether two seats are on one side: the same seat, or one krewe. Rule: ZG LEA-7."""
    krewe = board.sides[seat - 1].krewe
    return seat == other or bool(krewe and krewe == board.sides[other - 1].krewe)


def foes(board: Board, seat: Seat) -> list[Seat]:
    """Return the seats still in play that are not on a seat's own side."""
    return [other for other in standing(board) if not mates(board, seat, other)]


# -- cards ----------------------------------------------------------------------------


def remaining(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the names of a seat's zGear that is not slagged, in the order of its deck."""
    slagged, gear = state.board.sides[seat - 1].slagged, state.gear[seat - 1]
    return tuple([name for name in gear if name not in slagged]) if slagged else tuple(gear)


def playable(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards a seat may still play this turn: those of its hand, if that is known.

    A card that has moved may still attack.
    """
    side, moving = side_of(state, seat), moving_card(state.board, seat)
    hand, used = side.held, side.used
    return tuple(
        [
            name
            for name in remaining(state, seat)
            if name == moving or (name not in used and (not hand or name in hand))
        ]
    )


def moving_card(board: Board, seat: Seat) -> str:
    """Return the card of a seat that has moved and not yet attacked, or ""."""
    walk = board.walk
    return walk.card if walk and walk.seat == seat and not walk.attacked else ""


def follow_up_on(board: Board, seat: Seat, foe: Seat) -> FollowUp | None:
    """Return the follow-up that a seat has earned on a foe, None if it has not."""
    earned = board.follow_up
    return earned if earned and (earned.seat, earned.foe) == (seat, foe) else None


def keeps_hand(state: State, seat: Seat) -> bool:
    """Tell whether a seat has a recorded hand, which others cannot know.

    Even a hand of all remaining cards counts: a card slagged since may have been in it.
    """
    return bool(side_of(state, seat).hand)


def drawable(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the cards of a seat that may be drawn, those of its hand only if no other is left.

    A played card has gone back to the deck, one that has moved and not yet attacked has not.
    Rule: ZG ATK-3, DMG-1, DMG-7.
    """
    side, left = side_of(state, seat), remaining(state, seat)
    back = {*side.used} - {moving_card(state.board, seat)}
    return tuple(name for name in left if name not in side.held or name in back) or left


def dots_of(state: State, seat: Seat, card: str, end: Which) -> str:
    """Return the known dots of an end, "" if unknown."""
    for shown in state.board.sides[seat - 1].shown:
        if shown.card == card and shown.end == end:
            return shown.dots
    known = state.gear[seat - 1][card]
    return known.a if end == "a" else known.b


def known_ends(state: State, seat: Seat, card: str) -> tuple[Which, ...]:
    printed = state.gear[seat - 1][card]
    if printed.a and printed.b:
        return ENDS
    return tuple(end for end in ENDS if dots_of(state, seat, card, end))


def by_known_ends(
    state: State, seat: Seat, cards: Sequence[str]
) -> list[tuple[tuple[str, ...], tuple[Which, ...]]]:
    """Group cards by which of their ends are known; those with none are left out."""
    gear = state.gear[seat - 1]
    if all(gear[card].a and gear[card].b for card in cards):
        return [(tuple(cards), ENDS)] if cards else []
    groups: dict[tuple[Which, ...], list[str]] = {}
    for card in cards:
        groups.setdefault(known_ends(state, seat, card), []).append(card)
    choices: tuple[tuple[Which, ...], ...] = (ENDS, ("a",), ("b",))
    return [(tuple(groups[ends]), ends) for ends in choices if ends in groups]


# -- modes ----------------------------------------------------------------------------


def modes_of(state: State, seat: Seat) -> dict[str, int | None]:
    """Return the Mode cards of a seat by name, each with its step of the turn if known."""
    deck = state.setup.seats[seat - 1].deck
    return mode_times(deck) if deck else {}


# -- defeat and saving ----------------------------------------------------------------


def fall_of(state: State, seat: Seat) -> Literal["", "ulster", "gear"]:
    """Return whether and how a seat is defeated by its slag heap. Rule: ZG DMG-6."""
    slagged = state.board.sides[seat - 1].slagged
    for ulster in state.ulsters[seat - 1]:
        if ulster in slagged:
            return "ulster"
    return "gear" if len(state.gear[seat - 1]) - len(slagged) < FEWEST else ""


def can_save(state: State, seat: Seat) -> bool:
    """Tell whether a seat has a character card to give up. Rule: ZG CHR-1."""
    deck = state.setup.seats[seat - 1].deck
    has_one = deck is not None and bool(deck.character) and not deck.modes
    return has_one and not side_of(state, seat).character_spent


def undecided_loss(state: State) -> Loss | None:
    """Return a slag that would defeat its owner if the owner can still save the card."""
    loss = state.board.loss
    if loss is None or side_of(state, loss.seat).out:
        return None
    return loss if fall_of(state, loss.seat) and can_save(state, loss.seat) else None
