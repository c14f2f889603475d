"""The state of a match: frozen structs, and the queries that all chapters share."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec

from rules import chaptered
from rules.ruleset import Act, Consequence, Offer, Outcome, Seat
from rules.zerpang import cards, maps
from rules.zerpang.acts import PIECES, Depth, Options, Phase, Role, ZerpangOpened
from rules.zerpang.maps import Space

replace = msgspec.structs.replace

HOME, CLOUD_AT = "", "*"
"""Where a piece on no space is: in its base, uploaded, or `@3` held by seat 3."""

HELD = "@"
RINGS = 12
HAND = 4
LOYAL = ("ninja", "pirate")
"""The classes that play one side of a specialty freely."""

FOR_POINTS: Mapping[str, str] = {"zombie": "ZP-Z1", "alien": "ZP-L1", "elf": "ZP-AM30"}
"""The classes for which specialties count only as points, each with its clause."""


class Side(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One seat.

    `at`: where its six pieces are; `rings`: the number on each, () for none; `dazed`: the number of
    the piece whose rating is 0 for now. `hand`: the number of its cards, of which `known` were
    recorded (sorted). `purse`: the values laid down and not used yet, `ninjutsu` the sum of those
    from Ninjutsu sides; `clouds`: points of uploaded pieces left. `fresh`: the number of cards
    drawn this turn; `skips`: turns to skip; `tricked`: the foreign piece moved this turn,
    `tricked_last` in the previous one. `out`: it no longer takes part.
    """

    cls: str = ""
    base: str = ""
    colour: str = ""
    at: tuple[str, ...] = ()
    rings: tuple[int, ...] = ()
    dazed: int = 0
    hand: int = 0
    known: tuple[str, ...] = ()
    purse: tuple[int, ...] = ()
    ninjutsu: int = 0
    clouds: int = 0
    fresh: int = 0
    skips: int = 0
    tricked: str = ""
    tricked_last: str = ""
    out: bool = False


class Turn(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The turn under way.

    `entered`: pieces that entered for points or at no cost, besides those by `free` entrances of
    cards; `steps`: extra free spaces; `second`: spaces a second piece may move. `moved`: the first
    piece (or linked pieces) that moved, `seconds` the others, `second_moved` the one of them that
    moves by steps, not by being put somewhere. `replaced`: what was done instead of phases;
    `special`: the phases in which specialties were played; `arrived`: pieces that came to rest, in
    order; `order`: the order in which a defender wants to fight the aggressor `ordered_by`;
    `asked`: the seat to choose it, `asked_by` the aggressor. `early`: that choice, or a combat,
    came up as a piece moved, while cards of movement may still be played.
    """

    no: int = 1
    seat: Seat = 1
    phase: Phase = "entrance"
    entered: int = 0
    free: int = 0
    steps: int = 0
    second: int = 0
    moved: tuple[str, ...] = ()
    seconds: tuple[str, ...] = ()
    second_moved: str = ""
    replaced: Literal["", "movement", "salvage"] = ""
    special: tuple[Phase, ...] = ()
    acted: bool = False
    arrived: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    ordered_by: str = ""
    asked: Seat = 0
    asked_by: str = ""
    early: bool = False
    doubled: bool = False
    uploaded: bool = False
    released: int = 0
    drawn: bool = False
    owes: int = 0


class Force(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One side of a combat.

    `piece`: its fighter; `base`: its initial rating with the gate; `added`: points and bonuses;
    `ninjutsu`: the part of them that may count double; `linked`: pieces that count as connected;
    `cards`: how many its own seat has played.
    """

    piece: str
    base: int = 0
    added: int = 0
    ninjutsu: int = 0
    doubled: bool = False
    linked: tuple[str, ...] = ()
    cards: int = 0

    @property
    def rating(self) -> int:
        return self.rating_from(self.base)

    def rating_from(self, base: int) -> int:
        """Return its rating with another base."""
        return base + self.added + (self.ninjutsu if self.doubled else 0)

    @property
    def seat(self) -> Seat:
        return int(self.piece[0])


class Fight(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A combat under way. `to_act`: the side to act; `passes`: how many in a row."""

    agg: Force
    foe: Force
    to_act: Role = "agg"
    passes: int = 0
    duel: bool = False

    @property
    def untouched(self) -> bool:
        """Whether nobody has acted in it yet."""
        bare = all(each == Force(piece=each.piece, base=each.base) for each in (self.agg, self.foe))
        return bare and not self.passes and not self.duel

    def force(self, role: str) -> Force:
        return self.agg if role == "agg" else self.foe

    def role_of(self, seat: Seat) -> Role | None:
        return "agg" if seat == self.agg.seat else "def" if seat == self.foe.seat else None


OTHER: dict[Role, Role] = {"agg": "def", "def": "agg"}
"""The other side of a combat."""


class Drew(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A draw just made, of cards that may yet be taken.

    `fresh`: how many cards of the hand were drawn in that turn.
    """

    seat: Seat
    n: int
    salvage: bool = False
    fresh: int = 0


class Open(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A specialty just played, with the table before it took effect.

    `helped`: the seat that may refuse it.
    """

    seat: Seat
    key: str
    before: "Table"
    helped: Seat = 0


class Table(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """All that changes during a match.

    `board`: name and fingerprint of the board's file. `deck`: cards left to draw; `spent`: how many
    copies of each card are among the discards, in order of their names. `ground`: the spaces with
    rings on them, sorted. `first`: the seat that began; `turn` is None until it is picked. Of the
    last act only: `fallen`, the defeated pieces, `drew`, what was drawn, `open`, a specialty that
    may be negated. `seconds`: how long the game has lasted, as last recorded.
    """

    sides: tuple[Side, ...]
    board: str
    depth: Depth = "full"
    deck: int = 0
    discard: int = 0
    spent: dict[str, int] = msgspec.field(default_factory=dict)
    ground: tuple[Space, ...] = ()
    first: Seat = 0
    turn: Turn | None = None
    fight: Fight | None = None
    fallen: tuple[str, ...] = ()
    drew: Drew | None = None
    open: Open | None = None
    seconds: int = 0
    outcome: Outcome | None = None


class State(msgspec.Struct, frozen=True, gc=False):
    """`board` and `deck` are those the setup names."""

    setup: ZerpangOpened
    board: maps.Board
    deck: cards.Deck
    table: Table

    @property
    def turn(self) -> int | None:
        """The number of the current turn, None before the first."""
        return self.table.turn.no if self.table.turn else None

    @property
    def pulse(self) -> tuple[int, str]:
        """Whose turn it is and its phase, which identifies the step of the match."""
        turn = self.table.turn
        return (turn.seat, turn.phase) if turn else (0, "")

    @property
    def options(self) -> Options:
        return self.setup.options


# -- what a chapter is made of --------------------------------------------------------


class Story(chaptered.Story[State]):
    """The consequences of an act of this game."""

    __slots__ = ()

    @property
    def table(self) -> Table:
        return self.state.table


def keep(table: Table, event: Any) -> Table:
    """Change nothing: the event is informative only."""
    return table


def _offer_nothing(state: State, seat: Seat) -> Iterator[Offer]:
    return iter(())


class Rule(chaptered.Rule[State, Story], frozen=True, kw_only=True):
    """A rule of this game: `offers` yields what a seat may do now, `fold` changes the table.

    `when`: only before the first turn, in a turn of one's own, in a combat, or while a specialty is
    open; "" at any time.
    """

    when: Literal["", "setup", "own-turn", "fight", "open"] = ""
    offers: Callable[[State, Seat], Iterator[Offer]] = _offer_nothing
    fold: Callable[[Table, Any], Table] = keep


Rules = Mapping[type[Act], Rule]
Folds = Mapping[type[Consequence], Callable[[Table, Any], Table]]


# -- seats ----------------------------------------------------------------------------


def side_of(state: State, seat: Seat) -> Side:
    return state.table.sides[seat - 1]


def with_side(table: Table, seat: Seat, **changes: Any) -> Table:
    """Return the table with one side changed."""
    side = replace(table.sides[seat - 1], **changes)
    return replace(table, sides=chaptered.put_side(table.sides, seat, side))


def with_turn(table: Table, **changes: Any) -> Table:
    """Return the table with its turn changed; unchanged before the first turn."""
    return replace(table, turn=replace(table.turn, **changes)) if table.turn else table


def fight_of(table: Table, seat: Seat) -> tuple[Fight, Role] | None:
    """Return the combat a seat has a fighter in, and its side there."""
    fight = table.fight
    role = fight.role_of(seat) if fight else None
    return (fight, role) if fight and role else None


def seats_of(state: State) -> range:
    return range(1, len(state.table.sides) + 1)


def playing(state: State) -> list[Seat]:
    """Return the seats that take part."""
    return [seat for seat, side in enumerate(state.table.sides, 1) if not side.out]


def clockwise(state: State, first: Seat) -> list[Seat]:
    """Return all seats, beginning with one. Rule: ZP-S6."""
    seats = list(seats_of(state))
    return seats[first - 1 :] + seats[: first - 1]


def class_of(state: State, seat: Seat) -> str:
    return state.table.sides[seat - 1].cls


def seat_with(state: State, cls: str) -> Seat:
    """Return the seat that plays a unique class, 0 if nobody does."""
    for seat, side in enumerate(state.table.sides, 1):
        if side.cls == cls and not side.out:
            return seat
    return 0


# -- pieces ---------------------------------------------------------------------------

NUMBERS = range(1, PIECES + 1)
OFF_BOARD = frozenset((HOME, CLOUD_AT, *(f"{HELD}{seat}" for seat in range(1, 10))))
"""Where a piece is on no space."""


def owner(piece: str) -> Seat:
    return int(piece[0])


def number(piece: str) -> int:
    return int(piece[2])


def name_of(seat: Seat, n: int) -> str:
    return f"{seat}-{n}"


def at(table: Table, piece: str) -> str:
    """Return where a piece is: a space, `HOME`, `CLOUD_AT`, or `@` with the seat that holds it."""
    return table.sides[int(piece[0]) - 1].at[int(piece[2]) - 1]


def on_board(where: str) -> bool:
    return where not in OFF_BOARD


def put(table: Table, piece: str, where: str) -> Table:
    """Return the table with a piece moved elsewhere."""
    seat, n = int(piece[0]), int(piece[2])
    places = table.sides[seat - 1].at
    return with_side(table, seat, at=(*places[: n - 1], where, *places[n:]))


def pieces_on_board(table: Table, seat: Seat) -> tuple[str, ...]:
    return _on_board(seat, table.sides[seat - 1].at)


@lru_cache(maxsize=256)
def _on_board(seat: Seat, places: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{seat}-{n}" for n, where in enumerate(places, 1) if where not in OFF_BOARD)


def piece_on(table: Table, space: Space) -> str | None:
    """Return the piece on a space, None when it is free."""
    for seat, side in enumerate(table.sides, 1):
        if space in side.at:
            return name_of(seat, side.at.index(space) + 1)
    return None


def occupants(table: Table) -> Mapping[Space, str]:
    """Return the piece on each occupied space."""
    return _occupants(tuple([side.at for side in table.sides]))


@lru_cache(maxsize=256)
def _occupants(places: tuple[tuple[str, ...], ...]) -> Mapping[Space, str]:
    return {
        where: f"{seat}-{n}"
        for seat, row in enumerate(places, 1)
        for n, where in enumerate(row, 1)
        if where not in OFF_BOARD
    }


def rings_on(table: Table, piece: str) -> int:
    rings = table.sides[int(piece[0]) - 1].rings
    return rings[int(piece[2]) - 1] if rings else 0


def with_rings(table: Table, piece: str, change: int) -> Table:
    seat, n = int(piece[0]), int(piece[2])
    rings = list(table.sides[seat - 1].rings or (0,) * PIECES)
    rings[n - 1] += change
    return with_side(table, seat, rings=tuple(rings) if any(rings) else ())


def ring_supply(table: Table) -> int:
    """Return how many rings are not in play."""
    return RINGS - len(table.ground) - sum(sum(side.rings) for side in table.sides)


def held_by(table: Table, seat: Seat) -> list[str]:
    """Return the pieces an Alien has abducted."""
    mark = f"{HELD}{seat}"
    return [
        f"{other}-{n}"
        for other, side in enumerate(table.sides, 1)
        for n, where in enumerate(side.at, 1)
        if where == mark
    ]


def uploads(table: Table, seat: Seat) -> int:
    return table.sides[seat - 1].at.count(CLOUD_AT)


# -- gates ----------------------------------------------------------------------------


def gates_of(state: State, seat: Seat) -> tuple[Space, ...]:
    return state.board.gates.get(side_of(state, seat).base, ())


def open_gates(state: State, seat: Seat) -> tuple[Space, ...]:
    """Return the gates of a seat that no piece stands on."""
    there = occupants(state.table)
    return tuple(gate for gate in gates_of(state, seat) if gate not in there)


def gate_owner(state: State, space: Space) -> Seat:
    """Return the active seat whose gate a space is, 0 for none. Rule: ZP-T4."""
    base = state.board.gate_of.get(space)
    if base is None:
        return 0
    for seat, side in enumerate(state.table.sides, 1):
        if side.base == base and not side.out:
            return seat
    return 0


def is_elf_gate(state: State, space: Space) -> bool:
    seat = gate_owner(state, space)
    return bool(seat) and class_of(state, seat) == "elf"


@chaptered.kept
def closed_to(state: State, seat: Seat) -> set[Space]:
    """Return the gates closed to a seat's pieces. Rule: ZP-T4, AM9."""
    return {
        gate
        for other, side in enumerate(state.table.sides, 1)
        if other != seat and not side.out and side.base
        if side.cls != "elf" or state.options.elf_gates == "closed"
        for gate in state.board.gates[side.base]
    }


# -- contact --------------------------------------------------------------------------

NOWHERE: frozenset[Space] = frozenset()


def touching(state: State, piece: str) -> list[str]:
    """Return the enemy pieces a piece touches, if that makes a combat. Rule: ZP-T6, ZP-E1."""
    return touching_at(state, owner(piece), at(state.table, piece))


def touching_at(state: State, seat: Seat, space: str) -> list[str]:
    """Return the enemy pieces that a seat's piece would touch on a space."""
    beside = maps.beside(state.board).get(space, NOWHERE)
    others = [side.at for other, side in enumerate(state.table.sides, 1) if other != seat]
    if all(map(beside.isdisjoint, others)) or is_elf_gate(state, space):
        return []
    there = occupants(state.table)
    met = [other for other in state.board.near[space] if other in there]
    foes = [other for other in met if owner(there[other]) != seat]
    return [there[other] for other in foes if not is_elf_gate(state, other)]


# -- the turn -------------------------------------------------------------------------


def is_active(state: State, seat: Seat) -> bool:
    turn = state.table.turn
    return turn is not None and turn.seat == seat
