"""What the rules make of acts."""

from rules.ruleset import Consequence, Seat
from rules.zerpang.acts import Phase, Role, Why


class CardsDealt(Consequence, frozen=True, tag="cards-dealt"):
    seat: Seat
    n: int


class TurnStarted(Consequence, frozen=True, tag="turn-started"):
    """`no` counts the turns of all seats."""

    seat: Seat
    no: int


class UploadPointsGained(Consequence, frozen=True, tag="upload-points-gained"):
    """A Robot has this many points of uploaded pieces for the round."""

    seat: Seat
    n: int


class TurnSkipped(Consequence, frozen=True, tag="turn-skipped"):
    seat: Seat


class TurnEnded(Consequence, frozen=True, tag="turn-ended"):
    seat: Seat


class CardSpent(Consequence, frozen=True, tag="card-spent"):
    """A card went from a hand to the discards; `value` is laid down, as points to be used."""

    seat: Seat
    card: str
    side: str = ""
    value: int = 0


class UploadPointSpent(Consequence, frozen=True, tag="upload-point-spent"):
    """The point of an uploaded piece is laid down."""

    seat: Seat


class PointsSpent(Consequence, frozen=True, tag="points-spent"):
    """What was laid down is used: `need` of the `total`; the rest is `lost`."""

    seat: Seat
    need: int
    total: int
    lost: int


class FreeEntranceUsed(Consequence, frozen=True, tag="free-entrance-used"):
    seat: Seat


class RingTaken(Consequence, frozen=True, tag="ring-taken"):
    seat: Seat
    piece: str
    space: str


class RingLeft(Consequence, frozen=True, tag="ring-left"):
    space: str


class RingLost(Consequence, frozen=True, tag="ring-lost"):
    seat: Seat
    piece: str


class PhaseBegan(Consequence, frozen=True, tag="phase-began"):
    seat: Seat
    phase: Phase


class CombatOrderAsked(Consequence, frozen=True, tag="combat-order-asked"):
    """Several pieces of a defender touch the aggressor: the defender chooses which fights first."""

    seat: Seat
    agg: str
    pieces: tuple[str, ...]


class CombatStarted(Consequence, frozen=True, tag="combat-started"):
    """Chains name the pieces that count besides the fighters."""

    agg: str
    defender: str
    rating_a: int
    rating_d: int
    chain_a: tuple[str, ...] = ()
    chain_d: tuple[str, ...] = ()


class RatingRaised(Consequence, frozen=True, tag="rating-raised"):
    """A side adds points; `ninjutsu`: from Ninjutsu cards, which may yet count double."""

    role: Role
    points: int
    rating: int
    ninjutsu: bool = False


class SpecialOpened(Consequence, frozen=True, tag="special-opened"):
    """The effect of a specialty begins; it may be negated, or, if it is help, refused.

    `helped`: the seat that may refuse it, 0 for none.
    """

    seat: Seat
    key: str
    helped: Seat = 0


class NegationOpened(Consequence, frozen=True, tag="negation-opened"):
    """A negation, which may be negated in turn."""

    seat: Seat


class SpecialUndone(Consequence, frozen=True, tag="special-undone"):
    """The effects of a seat's last specialty are undone; `final`: irrevocably."""

    seat: Seat
    final: bool = False


class StepsGained(Consequence, frozen=True, tag="steps-gained"):
    seat: Seat
    n: int


class SecondStepGained(Consequence, frozen=True, tag="second-step-gained"):
    seat: Seat


class EntranceGained(Consequence, frozen=True, tag="entrance-gained"):
    seat: Seat


class ZonesDoubled(Consequence, frozen=True, tag="zones-doubled"):
    seat: Seat


class PieceConnected(Consequence, frozen=True, tag="piece-connected"):
    """A piece counts as connected to the fighter of a side."""

    role: Role
    piece: str
    rating: int


class DuelDeclared(Consequence, frozen=True, tag="duel-declared"):
    rating_a: int
    rating_d: int


class ValuesDoubled(Consequence, frozen=True, tag="values-doubled"):
    role: Role
    rating: int


class PieceSteppedOut(Consequence, frozen=True, tag="piece-stepped-out"):
    seat: Seat
    piece: str
    to: str


class PiecePut(Consequence, frozen=True, tag="piece-put"):
    """A piece is put on a space without walking; `second`: by a card, besides the move."""

    seat: Seat
    piece: str
    to: str
    second: bool = False


class FighterChanged(Consequence, frozen=True, tag="fighter-changed"):
    """A connected piece takes the fighter's place."""

    role: Role
    piece: str
    rating: int


class CombatEnded(Consequence, frozen=True, tag="combat-ended"):
    """`winner`: "agg", "def", or "" if nobody is defeated."""

    rating_a: int
    rating_d: int
    winner: str = ""


class PieceDefeated(Consequence, frozen=True, tag="piece-defeated"):
    """`foe`: the seat that defeated it, 0 for none."""

    seat: Seat
    piece: str
    space: str
    foe: Seat = 0


class PieceSentHome(Consequence, frozen=True, tag="piece-sent-home"):
    seat: Seat
    piece: str


class PieceToGate(Consequence, frozen=True, tag="piece-to-gate"):
    """A defeated piece goes to a gate; `meets`: it may meet an enemy there."""

    seat: Seat
    piece: str
    gate: str
    meets: bool = True


class PieceAbducted(Consequence, frozen=True, tag="piece-abducted"):
    """`seat` owns the piece, `foe` holds it now."""

    seat: Seat
    piece: str
    foe: Seat


class BaseFull(Consequence, frozen=True, tag="base-full"):
    """An Alien's base has no room for another piece."""

    seat: Seat


class PiecesReleased(Consequence, frozen=True, tag="pieces-released"):
    """`seat` gets its pieces back from `foe`."""

    seat: Seat
    foe: Seat
    pieces: tuple[str, ...]


class CardsTaken(Consequence, frozen=True, tag="cards-taken"):
    """`seat` takes cards from `foe`, at random or as just drawn."""

    seat: Seat
    foe: Seat
    n: int


class CardsAdded(Consequence, frozen=True, tag="cards-added"):
    """Cards drawn through the effect of a card or a class, not through an act of drawing."""

    seat: Seat
    n: int
    why: str


class DrawEnded(Consequence, frozen=True, tag="draw-ended"):
    """The draw of a turn yielded this many cards."""

    seat: Seat
    n: int
    salvage: bool = False


class DiscardOwed(Consequence, frozen=True, tag="discard-owed"):
    seat: Seat
    n: int


class DeckReshuffled(Consequence, frozen=True, tag="deck-reshuffled"):
    n: int


class TurnToSkip(Consequence, frozen=True, tag="turn-to-skip"):
    """A seat has to skip its next turn."""

    seat: Seat


class SeatLeft(Consequence, frozen=True, tag="seat-left"):
    """A seat leaves the match; its pieces leave the board and its hand is discarded."""

    seat: Seat


class GameEnded(Consequence, frozen=True, tag="game-ended"):
    winners: tuple[Seat, ...]
    places: tuple[int, ...]
    why: Why


CONSEQUENCES: tuple[type[Consequence], ...] = (
    CardsDealt,
    TurnStarted,
    UploadPointsGained,
    TurnSkipped,
    TurnEnded,
    CardSpent,
    UploadPointSpent,
    PointsSpent,
    FreeEntranceUsed,
    RingTaken,
    RingLeft,
    RingLost,
    PhaseBegan,
    CombatOrderAsked,
    CombatStarted,
    RatingRaised,
    SpecialOpened,
    NegationOpened,
    SpecialUndone,
    StepsGained,
    SecondStepGained,
    EntranceGained,
    ZonesDoubled,
    PieceConnected,
    DuelDeclared,
    ValuesDoubled,
    PieceSteppedOut,
    PiecePut,
    FighterChanged,
    CombatEnded,
    PieceDefeated,
    PieceSentHome,
    PieceToGate,
    PieceAbducted,
    BaseFull,
    PiecesReleased,
    CardsTaken,
    CardsAdded,
    DrawEnded,
    DiscardOwed,
    DeckReshuffled,
    TurnToSkip,
    SeatLeft,
    GameEnded,
)
