"""The state of a game: frozen structs, and the queries that all chapters share."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

import msgspec

from rules import chaptered
from rules.ruleset import Act, Consequence, Outcome, Seat
from rules.zx.acts import Depth, Options, Until, ZxOpened
from rules.zx.cards import BLANK_DECK, Card, Library
from rules.zx.consequences import Phase, Ready
from rules.zx.field import HOMES, INDEX, SQUARES, Square, other
from rules.zx.terms import Terms

SEATS: tuple[Seat, Seat] = (1, 2)
replace = msgspec.structs.replace
T = TypeVar("T")

Stage = Literal["first", "hands", "resources", "running"]


class Resource(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    card: str
    asleep: bool = False


class Mod(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A change of power, until the turn or the battle ends, or permanently."""

    delta: int
    until: Until = "turn"


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A Z/X on a square; `id` is unique, `since` the turn it came, `under` the cards below it."""

    id: int
    card: str
    seat: Seat
    since: int = 0
    asleep: bool = False
    damage: int = 0
    mods: tuple[Mod, ...] = ()
    under: tuple[str, ...] = ()


class Side(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One seat. `deck` and `hand` are counts, `known` the cards of the hand its seat has noted.

    `life`: the slots of its face-down cards. `ready`: it has settled its opening hand, later placed
    its resources. `draws`: cards still to be drawn; `hits`: damage not yet dealt with; `owes`: a
    life card for a reload.
    """

    deck: int
    hand: int = 0
    known: tuple[str, ...] = ()
    life: tuple[int, ...] = ()
    resources: tuple[Resource, ...] = ()
    charge: tuple[str, ...] = ()
    trash: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    started: bool = False
    redrawn: bool = False
    ready: bool = False
    reloads: int = 0
    draws: int = 0
    hits: int = 0
    owes: bool = False


class Battle(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A battle under way.

    `seat` and its Z/X `attacker` attack the Z/X `target` (0: the player) on `square`; `to_act` is
    the seat to act or pass, `passes` how many have passed in a row, `reach` how far the attack
    reaches, and `struck` whether its damage was dealt.
    """

    seat: Seat
    attacker: int
    target: int
    square: Square
    to_act: Seat
    passes: int = 0
    reach: int = 1
    struck: bool = False


class Keyword(msgspec.Struct, frozen=True, gc=False):
    seat: Seat
    kind: Ready


class Shown(msgspec.Struct, frozen=True, gc=False):
    """A card between two zones."""

    seat: Seat
    card: str


Squares = tuple[Unit | None, ...]
EMPTY: Squares = (None,) * len(SQUARES)


class Board(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """All that changes during a game.

    `current`: whose turn it is; `driven`: the card that an ignition let in may yet do what its text
    says; `events`: events taking effect, not yet in the trash; `cleared` and
    `lapsed`: which steps of a turn's end are done; `closing`: once time was called, the turns until
    life is compared, including this one.
    """

    sides: tuple[Side, Side]
    squares: Squares
    stage: Stage = "first"
    first: Seat = 0
    turn: int = 0
    current: Seat = 0
    phase: Phase | Literal[""] = ""
    placed: bool = False
    igniting: bool = False
    driven: bool = False
    shown: Shown | None = None
    events: tuple[Shown, ...] = ()
    battle: Battle | None = None
    keyword: Keyword | None = None
    units: int = 0
    cleared: bool = False
    lapsed: bool = False
    closing: int = 0
    depth: Depth = "full"
    outcome: Outcome | None = None


class State(msgspec.Struct, frozen=True, gc=False):
    """A game of Z/X. All but the board follows from the setup.

    `cards`: each seat's cards, including its extra deck; `terms`: the numbers in force.
    """

    setup: ZxOpened
    cards: tuple[Library, Library]
    terms: Terms
    board: Board

    @property
    def turn(self) -> int | None:
        """The number of the turn; None while only life totals are recorded, and none began."""
        return self.board.turn or (0 if self.board.depth == "full" else None)

    @property
    def pulse(self) -> tuple[Seat, str]:
        """Whose phase it is, which identifies the phase."""
        return self.board.current, self.board.phase

    @property
    def options(self) -> Options:
        return self.setup.options


# -- what a chapter is made of --------------------------------------------------------


class Story(chaptered.Story[State]):
    """The consequences of an act of this game."""

    __slots__ = ()


def keep(state: State, event: Any) -> Board:
    """Change nothing: the event is informative only."""
    return state.board


class Rule(chaptered.Rule[State, Story], frozen=True, kw_only=True):
    """A rule of this game: `fold` returns the board after the act."""

    fold: Callable[[State, Any], Board] = keep


Rules = Mapping[type[Act], Rule]
Folds = Mapping[type[Consequence], Callable[[State, Any], Board]]


# -- sides and squares ----------------------------------------------------------------


def side_of(state: State, seat: Seat) -> Side:
    return state.board.sides[seat - 1]


def with_side(board: Board, seat: Seat, **changes: Any) -> Board:
    """Return the board with one side changed."""
    one, two = board.sides
    sides = (replace(one, **changes), two) if seat == 1 else (one, replace(two, **changes))
    return replace(board, sides=sides)


def unit_at(board: Board, square: str) -> Unit | None:
    return board.squares[INDEX[square]]


def with_unit(board: Board, square: str, unit: Unit | None) -> Board:
    """Return the board with a square's Z/X replaced or removed."""
    n = INDEX[square]
    return replace(board, squares=(*board.squares[:n], unit, *board.squares[n + 1 :]))


def units_of(board: Board) -> list[tuple[Square, Unit]]:
    return [(SQUARES[n], unit) for n, unit in enumerate(board.squares) if unit]


def square_of(board: Board, unit_id: int) -> Square | None:
    """Return the square of a Z/X, None if it has left the field."""
    for square, unit in units_of(board):
        if unit.id == unit_id:
            return square
    return None


def card_of(state: State, seat: Seat, name: str) -> Card:
    return state.cards[seat - 1][name]


@chaptered.kept
def voices_of(setup: ZxOpened, seat: Seat) -> tuple[str, ...]:
    """Return the cards of a seat whose texts may have an effect, including its player card."""
    deck = setup.seats[seat - 1].deck or BLANK_DECK
    named = (*(card.name for card in (*deck.cards, *deck.extra)), deck.player)
    return tuple(dict.fromkeys(filter(None, named)))


def without_mods(squares: Squares, *over: Until) -> Squares:
    """Return the squares without changes of power that lasted until what is over now."""
    return tuple(
        replace(unit, mods=tuple(mod for mod in unit.mods if mod.until not in over))
        if unit and unit.mods
        else unit
        for unit in squares
    )


def power_of(state: State, unit: Unit) -> int | None:
    """Return the current power of a Z/X; None if nobody entered it."""
    printed = state.cards[unit.seat - 1][unit.card].power
    if printed is None or not unit.mods:
        return printed
    return printed + sum(mod.delta for mod in unit.mods)


def places_for(board: Board, seat: Seat) -> tuple[Square, ...]:
    """Return the squares on which a seat may play a Z/X. Rule: ZX-A4, ZX-A5."""
    barred = HOMES[other(seat)]
    return tuple(
        square
        for square, unit in zip(SQUARES, board.squares, strict=True)
        if square != barred and (unit is None or (unit.seat == seat and not unit.asleep))
    )


# -- cards out of sight ---------------------------------------------------------------

MANY = 99
"""The assumed copies of a card that was not counted."""


def unseen(state: State, seat: Seat) -> Counter[str]:
    """Count a seat's cards that are hidden: in deck, hand and life.

    A card that was not counted is assumed to be there in any number.
    """
    seen = Counter(_seen(state.board, seat))
    left: Counter[str] = Counter()
    for name, card in state.cards[seat - 1].items():
        copies = MANY if card.copies is None else card.copies - seen[name]
        if copies > 0:
            left[name] = copies
    return left


def _seen(board: Board, seat: Seat) -> list[str]:
    """Return a seat's cards that are open."""
    side = board.sides[seat - 1]
    seen = [each.card for each in side.resources]
    seen += (*side.charge, *side.trash, *side.removed, *side.extra)
    for unit in board.squares:
        if unit and unit.seat == seat:
            seen += (unit.card, *unit.under)
    if board.shown and board.shown.seat == seat:
        seen.append(board.shown.card)
    return [*seen, *events_of(board, seat)] if board.events else seen


def events_of(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return a seat's events that are taking effect."""
    return tuple(each.card for each in board.events if each.seat == seat)


def unseen_of(state: State, seat: Seat, name: str) -> int:
    """Count the hidden copies of one card, as `unseen` does."""
    copies = state.cards[seat - 1][name].copies
    return MANY if copies is None else max(0, copies - _seen(state.board, seat).count(name))


def knows_hand(side: Side) -> bool:
    """Tell whether all of a hand was noted."""
    return len(side.known) >= side.hand


def in_hand(state: State, seat: Seat) -> Counter[str]:
    """Count what may be in a seat's hand, by what the seat itself has recorded."""
    side = side_of(state, seat)
    return Counter(side.known) if knows_hand(side) else unseen(state, seat)


def in_hand_of(state: State, seat: Seat, name: str) -> int:
    """Count the copies of one card that may be in a seat's hand, as `in_hand` does."""
    side = side_of(state, seat)
    return side.known.count(name) if knows_hand(side) else unseen_of(state, seat, name)


def in_dark(state: State, seat: Seat) -> Counter[str]:
    """Count what may be in a seat's deck or life, by what the seat itself has recorded."""
    left = unseen(state, seat)
    left.subtract(side_of(state, seat).known)
    return +left


def in_dark_of(state: State, seat: Seat, name: str) -> int:
    """Count the copies of one card that may be in a seat's deck or life, as `in_dark` does."""
    return max(0, unseen_of(state, seat, name) - side_of(state, seat).known.count(name))


def multiples(cards: Mapping[str, int], most: int) -> tuple[str, ...]:
    """Return names in alphabetical order, each as often as it occurs, up to `most` times."""
    return tuple(name for name in sorted(cards) for _ in range(min(cards[name], most)))


def named(state: State, seat: Seat, cards: Mapping[str, int], n: int = 1) -> tuple[str, ...]:
    """Return names to choose `n` of: any card of the deck, if a table let more stand than exist."""
    there = multiples(cards, n)
    return there if len(there) >= n else multiples(dict.fromkeys(state.cards[seat - 1], n), n)


def may_choose(state: State, seat: Seat, pile: Literal["hand", "dark"], *cards: str) -> bool:
    """Tell whether cards can be chosen as offered by `named`, from hand or from deck and life."""
    of, all_of = (in_hand_of, in_hand) if pile == "hand" else (in_dark_of, in_dark)
    if all(cards.count(card) <= of(state, seat, card) for card in cards):
        return True
    return len(multiples(all_of(state, seat), len(cards))) < len(cards)


def without(cards: tuple[T, ...], *gone: T) -> tuple[T, ...]:
    """Return cards without one copy of each that is gone, as far as they are there."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def out_of_hand(side: Side, *cards: str) -> dict[str, Any]:
    """Return the changes to a side when cards leave its hand; "" is a card nobody sees.

    After that, or after a card that was not in a hand as noted, nobody knows which are left.
    """
    hand, known = max(0, side.hand - len(cards)), without(side.known, *cards)
    return {"hand": hand, "known": () if "" in cards or len(known) > hand else known}


def left_with(life: tuple[int, ...], hits: int, owes: bool) -> dict[str, Any]:
    """Return the changes to a side that has only this life left.

    Without any it owes none for a reload, while damage meets what it may yet recover (AM4).
    """
    return {"life": life, "hits": max(0, hits), "owes": owes and bool(life)}


def to_charge(state: State, board: Board, seat: Seat, *cards: str) -> Board:
    """Put cards into charge; those it cannot hold go to the trash. Rule: ZX 0.1."""
    side = board.sides[seat - 1]
    limit = state.terms.charge_limit
    if limit is None or not state.terms.bounces:
        return with_side(board, seat, charge=(*side.charge, *cards))
    room = max(0, limit - len(side.charge))
    return with_side(
        board, seat, charge=(*side.charge, *cards[:room]), trash=(*side.trash, *cards[room:])
    )


def bounces(state: State, seat: Seat) -> bool:
    """Tell whether the next card to a seat's charge goes to its trash instead (AM2)."""
    limit, charge = state.terms.charge_limit, side_of(state, seat).charge
    return state.terms.bounces and limit is not None and len(charge) >= limit


def place(board: Board, seat: Seat, card: str, square: str) -> Board:
    """Put a Z/X on a square; the one that was there goes to its owner's trash. Rule: ZX-A4."""
    before = unit_at(board, square)
    if before:
        owner = board.sides[before.seat - 1]
        trash = (*owner.trash, before.card, *before.under)
        board = with_side(board, before.seat, trash=trash)
    unit = Unit(id=board.units + 1, card=card, seat=seat, since=board.turn)
    return replace(with_unit(board, square, unit), units=unit.id)
