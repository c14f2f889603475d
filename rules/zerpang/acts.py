"""What people record of a Zerpang! match, and the setup it starts from."""

from typing import Annotated, Literal, get_args

import msgspec

from rules.ruleset import Act, NoteHash, Opened, Seat, SeatSetup
from rules.zerpang.cards import Which

Class = Literal["ninja", "pirate", "zombie", "robot", "gunslinger", "alien", "elf"]
CLASSES: tuple[Class, ...] = get_args(Class)
Colour = Literal["red", "green", "blue", "yellow", "white", "black"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
Depth = Literal["score", "full"]
DEPTHS: tuple[Depth, ...] = get_args(Depth)
Phase = Literal["entrance", "movement", "combat", "draw"]
PHASES: tuple[Phase, ...] = get_args(Phase)
Role = Literal["agg", "def"]
Why = Literal[
    "dojo-domination",
    "x-marks-the-spot",
    "zombocalypse",
    "artificial-intelligence",
    "into-the-sunset",
    "all-your-base",
    "price-of-immortality",
    "by-call",
    "by-concession",
    "by-award",
    "by-ruled-draw",
    "by-tie",
]

PIECES = 6
# fmt: off
Piece = Literal[
    "1-1", "1-2", "1-3", "1-4", "1-5", "1-6",
    "2-1", "2-2", "2-3", "2-4", "2-5", "2-6",
    "3-1", "3-2", "3-3", "3-4", "3-5", "3-6",
    "4-1", "4-2", "4-3", "4-4", "4-5", "4-6",
    "5-1", "5-2", "5-3", "5-4", "5-5", "5-6",
    "6-1", "6-2", "6-3", "6-4", "6-5", "6-6",
]
# fmt: on
"""A piece: its seat and its number, "3-1"."""

PieceOrNone = Piece | Literal[""]
Space = Annotated[str, msgspec.Meta(max_length=16)]
CardId = Annotated[str, msgspec.Meta(max_length=40)]
Path = Annotated[tuple[Space, ...], msgspec.Meta(max_length=60)]
Pieces = Annotated[tuple[Piece, ...], msgspec.Meta(max_length=PIECES)]
Direction = Literal[1, 2, 3, 4, 5, 6]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]

CLOUD = "cloud"
"""Stands for a card when an uploaded piece provides its point. Rule: ZP-R3."""


class Options(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """How the match is recorded, on which board and with which deck, and under which readings.

    `depth`: who won and how, or the whole game; may change in mid-match.
    `board`, `deck`: files by their name; `board_print`: the expected fingerprint of the board, if
    given.
    `edition`: the edition of the box; it changes nothing.
    The others are the named readings AM1 to AM30 of what the rules leave open; the first value of
    each is the usual one.
    """

    depth: Depth = "full"
    board: Annotated[str, msgspec.Meta(max_length=40)] = ""
    board_print: Annotated[str, msgspec.Meta(max_length=64)] = ""
    deck: Annotated[str, msgspec.Meta(max_length=40)] = ""
    edition: Annotated[str, msgspec.Meta(max_length=40)] = ""
    gunslinger_hand: Annotated[int, msgspec.Meta(ge=4, le=5)] = 4
    entrance: Literal["one", "any"] = "one"
    passing: Literal["none", "own", "any"] = "none"
    pay: Literal["at_once", "per_step"] = "at_once"
    combat: Literal["in_turns", "trailing_side_acts"] = "in_turns"
    entry_combat: Literal["on", "off"] = "on"
    elf_gates: Literal["open", "closed"] = "open"
    elf_win: Literal["time", "deck_empty"] = "time"
    alien_elf: Literal["exempt", "blocked"] = "exempt"
    rings_from: Literal["any", "zombie_only"] = "any"
    rings_held: Literal["three", "unlimited"] = "three"
    rings_in_chain: Literal["through", "adjacent_only"] = "through"
    outbreak: Literal["zombies", "all"] = "zombies"
    upload: Literal["after_combat", "movement"] = "after_combat"
    upload_points: Literal["per_turn", "per_game_round"] = "per_turn"
    salvage: Literal["with_base_card", "pieces_only"] = "with_base_card"
    retreat: Literal["ends", "continues_with_chain"] = "ends"
    keelhaul: Literal["one", "stacking"] = "one"
    sets: Literal["three", "four"] = "three"
    release: Literal["one", "any"] = "one"
    probe: Literal["per_owner", "per_piece"] = "per_owner"
    tie: Literal["active_first", "draw"] = "active_first"
    elf_cards: Literal["points", "either_side"] = "points"


class ZerpangSeat(SeatSetup, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat, numbered clockwise. All play from one deck, which is named in the options."""

    deck: None = None


class ZerpangOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    options: Options
    seats: tuple[ZerpangSeat, ...]


# -- setting up -----------------------------------------------------------------------


class ClassTaken(Act, frozen=True, tag="class-taken"):
    seat: Seat
    cls: Class


class BaseTaken(Act, frozen=True, tag="base-taken"):
    """A seat takes a home base of the board and the pawns of a colour."""

    seat: Seat
    base: Annotated[str, msgspec.Meta(max_length=16)]
    colour: Colour


class FirstSeatPicked(Act, frozen=True, tag="first-seat-picked"):
    """The seat that begins, picked in any way; four cards are dealt to each."""

    seat: Seat


# -- cards ----------------------------------------------------------------------------


class PointsPaid(Act, frozen=True, tag="points-paid"):
    """A card laid down for its points: for a specialty, those of the given side.

    `cloud` is the point of an uploaded piece. The points go to the next thing that has a cost.
    """

    seat: Seat
    card: CardId
    side: Which = ""


class SpecialPlayed(Act, frozen=True, tag="special-played"):
    """A specialty played for its effect.

    `licence`: the card that lets a seat play the side of others. `piece` and `to`: the piece it
    concerns, and where that goes; `foe`: the seat it is aimed at; `more`: its larger effect, for
    one point.
    """

    seat: Seat
    card: CardId
    side: Which
    licence: CardId = ""
    piece: PieceOrNone = ""
    to: Space = ""
    foe: Seat = 0
    more: bool = False


class SpecialNegated(Act, frozen=True, tag="special-negated"):
    """A specialty just played is cancelled by another, which can be cancelled in turn."""

    seat: Seat
    card: CardId
    side: Which
    licence: CardId = ""


class CardSeen(Act, frozen=True, tag="card-seen"):
    """A card that a seat holds, recorded by itself. Nobody else may know it."""

    seat: Seat
    card: CardId


# -- moving ---------------------------------------------------------------------------


class PieceEntered(Act, frozen=True, tag="piece-entered"):
    seat: Seat
    piece: Piece
    gate: Space


class PieceMoved(Act, frozen=True, tag="piece-moved"):
    """A piece moves along a path: the spaces it steps on, in order."""

    seat: Seat
    piece: Piece
    path: Path


class LinkedMoved(Act, frozen=True, tag="linked-moved"):
    """Pieces of a Robot move together; `dirs`: the direction of each step, all the same."""

    seat: Seat
    pieces: Pieces
    dirs: Annotated[tuple[Direction, ...], msgspec.Meta(max_length=12)]


class PieceLeapt(Act, frozen=True, tag="piece-leapt"):
    """A Ninja leaps across the heavens."""

    seat: Seat
    piece: Piece
    to: Space


class PieceBallooned(Act, frozen=True, tag="piece-ballooned"):
    """An Alien's piece comes down on a space where it enters combat."""

    seat: Seat
    piece: Piece
    to: Space


class ForeignPieceMoved(Act, frozen=True, tag="foreign-piece-moved"):
    """A Pirate moves a piece of another player."""

    seat: Seat
    piece: Piece
    path: Path


class PhaseEntered(Act, frozen=True, tag="phase-entered"):
    """The active seat proceeds to a phase of its turn."""

    seat: Seat
    phase: Phase


class PhaseReplaced(Act, frozen=True, tag="phase-replaced"):
    """A class ability instead of phases: a Pirate's salvage, or a Ninja who was not here."""

    seat: Seat
    ability: Literal["salvage", "not-here"]


# -- combat ---------------------------------------------------------------------------


class CombatOrderChosen(Act, frozen=True, tag="combat-order-chosen"):
    """A defender chooses which of its pieces fights first."""

    seat: Seat
    order: Pieces


class CombatPlayed(Act, frozen=True, tag="combat-played"):
    """A side of a combat adds points: one card, or without a `card` what its seat has laid down."""

    seat: Seat
    card: CardId = ""
    side: Which = ""


class AssistPlayed(Act, frozen=True, tag="assist-played"):
    """A seat helps a side of a combat, with points or with the effect of a specialty.

    `special`: it is played for its effect; without a `card` the points laid down count.
    """

    seat: Seat
    role: Role
    card: CardId = ""
    side: Which = ""
    special: bool = False
    licence: CardId = ""


class AssistRefused(Act, frozen=True, tag="assist-refused"):
    """The helped seat refuses a specialty just played for it. The card stays spent."""

    seat: Seat


class CombatPassed(Act, frozen=True, tag="combat-passed"):
    seat: Seat


class CombatConceded(Act, frozen=True, tag="combat-conceded"):
    seat: Seat


# -- the end of a turn ----------------------------------------------------------------


class PieceUploaded(Act, frozen=True, tag="piece-uploaded"):
    seat: Seat
    piece: Piece


class PieceReleased(Act, frozen=True, tag="piece-released"):
    """An Alien releases a piece and takes two cards from its owner."""

    seat: Seat
    piece: Piece


class CardsDrawn(Act, frozen=True, tag="cards-drawn"):
    """The active seat draws this many cards, and its turn ends."""

    seat: Seat
    n: Annotated[int, msgspec.Meta(ge=0, le=99)]


class CardDiscarded(Act, frozen=True, tag="card-discarded"):
    """A Gunslinger over its hand limit discards a card."""

    seat: Seat
    card: CardId


class ClockRead(Act, frozen=True, tag="clock-read"):
    """How many seconds the game has lasted, by a clock at the table."""

    seconds: Seconds


# -- the match ------------------------------------------------------------------------


class WonCalled(Act, frozen=True, tag="won-called"):
    """At depth `score`: a seat has won, and how."""

    seat: Seat
    why: Why


class Conceded(Act, frozen=True, tag="conceded"):
    seat: Seat


class Ruled(Act, frozen=True, tag="ruled"):
    """An official rules: a win, a draw, where a piece stands, or that a turn is over."""

    what: Literal["award", "draw", "place", "home", "end-turn"]
    foe: Seat | None = None
    piece: PieceOrNone = ""
    to: Space = ""
    note: NoteHash = ""


class OptionsChanged(Act, frozen=True, tag="options-changed"):
    depth: Depth


ACTS: tuple[type[Act], ...] = (
    ClassTaken,
    BaseTaken,
    FirstSeatPicked,
    PointsPaid,
    SpecialPlayed,
    SpecialNegated,
    CardSeen,
    PieceEntered,
    PieceMoved,
    LinkedMoved,
    PieceLeapt,
    PieceBallooned,
    ForeignPieceMoved,
    PhaseEntered,
    PhaseReplaced,
    CombatOrderChosen,
    CombatPlayed,
    AssistPlayed,
    AssistRefused,
    CombatPassed,
    CombatConceded,
    PieceUploaded,
    PieceReleased,
    CardsDrawn,
    CardDiscarded,
    ClockRead,
    WonCalled,
    Conceded,
    Ruled,
    OptionsChanged,
)
