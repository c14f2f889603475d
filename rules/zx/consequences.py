"""The consequences that the rules derive from the acts of a game of Z/X."""

from typing import Literal

from rules.ruleset import Consequence, Seat
from rules.zx.field import Square

Phase = Literal["reboot", "draw", "resource", "ignition", "main", "end"]
Why = Literal[
    "by-life",
    "by-draw",
    "by-nobody",
    "by-deck",
    "by-card",
    "by-time",
    "by-concession",
    "by-ruling",
]
Ready = Literal["life-recovery", "void-bringer", "unknown"]


class OpeningHandDrawn(Consequence, frozen=True, tag="opening-hand-drawn"):
    seat: Seat
    n: int


class LifePlaced(Consequence, frozen=True, tag="life-placed"):
    seat: Seat
    n: int


class GameStarted(Consequence, frozen=True, tag="game-started"):
    seat: Seat


class TurnStarted(Consequence, frozen=True, tag="turn-started"):
    seat: Seat
    no: int


class PhaseEntered(Consequence, frozen=True, tag="phase-entered"):
    """A phase of the seat's turn begins; in `draw` the seat has this many cards to draw."""

    seat: Seat
    phase: Phase
    draws: int = 0


class CardsRebooted(Consequence, frozen=True, tag="cards-rebooted"):
    seat: Seat


class CardsDrawn(Consequence, frozen=True, tag="cards-drawn"):
    """Cards drawn, and how many are still to be drawn after a reload."""

    seat: Seat
    n: int
    left: int = 0


class DrawsLapsed(Consequence, frozen=True, tag="draws-lapsed"):
    """There is nothing to draw from."""

    seat: Seat
    n: int


class CostPaid(Consequence, frozen=True, tag="cost-paid"):
    """Resources put to sleep to pay for a card."""

    seat: Seat
    card: str
    resources: tuple[str, ...]


class EventResolved(Consequence, frozen=True, tag="event-resolved"):
    """An event has taken effect and goes to the trash."""

    seat: Seat
    card: str


class ZxReplaced(Consequence, frozen=True, tag="zx-replaced"):
    """The Z/X that had to leave a square for another goes to its owner's trash."""

    seat: Seat
    card: str
    square: Square


class OverdrivePlayed(Consequence, frozen=True, tag="overdrive-played"):
    """A card revealed by an ignition is played free; `square` is "" if an event was resolved."""

    seat: Seat
    card: str
    square: Square | Literal[""] = ""


class IgnitionMissed(Consequence, frozen=True, tag="ignition-missed"):
    seat: Seat
    card: str
    why: Literal["no-icon", "declined", "no-square"]


class PlayerDamaged(Consequence, frozen=True, tag="player-damaged"):
    """A player takes damage: as many life cards are revealed."""

    seat: Seat
    n: int
    source: Literal["battle", "effect"]


class LifeCardPlayed(Consequence, frozen=True, tag="life-card-played"):
    seat: Seat
    card: str
    square: Square | Literal[""] = ""


class LifeCardCharged(Consequence, frozen=True, tag="life-card-charged"):
    seat: Seat
    card: str


class KeywordReady(Consequence, frozen=True, tag="keyword-ready"):
    """A card played from life may use its keyword; either one if nobody entered the card."""

    seat: Seat
    keyword: Ready


class BattleDamaged(Consequence, frozen=True, tag="battle-damaged"):
    seat: Seat
    square: Square
    amount: int


class BattleEnded(Consequence, frozen=True, tag="battle-ended"):
    """A battle with damage is over; effects that lasted until then end with it."""


class BattleFizzled(Consequence, frozen=True, tag="battle-fizzled"):
    why: Literal["attacker-gone", "target-gone", "not-adjacent", "guarded"]


class ZxDestroyed(Consequence, frozen=True, tag="zx-destroyed"):
    """A Z/X goes to its owner's charge."""

    seat: Seat
    card: str
    square: Square
    cause: Literal["battle", "effect", "power"]


class DeckReloaded(Consequence, frozen=True, tag="deck-reloaded"):
    """The trash becomes the deck, at the cost of a life card."""

    seat: Seat
    n: int


class DamageCleared(Consequence, frozen=True, tag="damage-cleared"):
    squares: tuple[Square, ...]


class EffectsEnded(Consequence, frozen=True, tag="effects-ended"):
    squares: tuple[Square, ...]


class LifeCompared(Consequence, frozen=True, tag="life-compared"):
    one: int
    two: int


class GameEnded(Consequence, frozen=True, tag="game-ended"):
    why: Why
    winner: Seat | None = None


CONSEQUENCES: tuple[type[Consequence], ...] = (
    OpeningHandDrawn,
    LifePlaced,
    GameStarted,
    TurnStarted,
    PhaseEntered,
    CardsRebooted,
    CardsDrawn,
    DrawsLapsed,
    CostPaid,
    EventResolved,
    ZxReplaced,
    OverdrivePlayed,
    IgnitionMissed,
    PlayerDamaged,
    LifeCardPlayed,
    LifeCardCharged,
    KeywordReady,
    BattleDamaged,
    BattleEnded,
    BattleFizzled,
    ZxDestroyed,
    DeckReloaded,
    DamageCleared,
    EffectsEnded,
    LifeCompared,
    GameEnded,
)
