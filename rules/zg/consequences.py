"""The consequences that the rules derive from acts."""

from typing import Literal

from rules.ruleset import Consequence, Seat
from rules.zg.acts import DotMatches, Strikes
from rules.zg.damage import DotTest, Result

Fall = Literal["ulster", "gear", "edge", "flameout", "conceded", "ruling"]
"""How a seat was defeated: its Ulster slagged, fewer than 3 zGear, off the table, a flameout
without a fallen foe, by conceding, by a ruling."""


Why = Literal[
    "by-ulster",
    "by-gear",
    "by-edge",
    "by-flameout",
    "by-concession",
    "by-ruling",
    "by-award",
    "by-call",
    "by-nobody",
]
"""How a match was won, or lost by everybody."""


Tactic = Literal[
    "arena", "dash", "jump", "sneak", "high-ground", "landing", "knockdown", "flameout"
]
"""What may earn a Mode card."""


class CardTested(Consequence, frozen=True, tag="card-tested"):
    """A test counted. If it was only called, `dots` is empty and `dot_matches` may be None."""

    dot_matches: DotMatches | None
    strikes: Strikes
    result: Result
    clause: str
    dots: tuple[DotTest, ...] = ()


class TargetLocked(Consequence, frozen=True, tag="target-locked"):
    """`seat` may attack this card again this turn."""

    seat: Seat
    foe: Seat
    target: str


class LockLapsed(Consequence, frozen=True, tag="lock-lapsed"):
    """`seat` may no longer attack this card again."""

    seat: Seat
    foe: Seat
    target: str


class CardSlagged(Consequence, frozen=True, tag="card-slagged"):
    """`seat` loses a card for the rest of the match."""

    seat: Seat
    card: str


class CardRestored(Consequence, frozen=True, tag="card-restored"):
    """`seat` gets a slagged card back."""

    seat: Seat
    card: str


class FigureStunned(Consequence, frozen=True, tag="figure-stunned"):
    """A test of four strikes or more stuns a figure; the players carry out the effect."""

    seat: Seat


class StunLifted(Consequence, frozen=True, tag="stun-lifted"):
    """The test that stunned the figure no longer stands, or an official lifts the stun."""

    seat: Seat


class MoveLeft(Consequence, frozen=True, tag="move-left"):
    """How much of a Z-G card's Move may still be taken before the next pulse.

    `cards` is None if it is unknown whether the card has Z-G, or what its Move is. `risen`: the
    free vertical cards already taken, `crept`: the cards travelled in a stance that limits them.
    """

    seat: Seat
    card: str
    cards: int | None
    risen: int = 0
    crept: int = 0


class LandingTested(Consequence, frozen=True, tag="landing-tested"):
    """The result of a landing; it does no damage."""

    dot_matches: DotMatches
    strikes: Strikes


class KnockedBack(Consequence, frozen=True, tag="knocked-back"):
    """A figure is moved straight away from the attacker."""

    seat: Seat
    cards: int


class StoodFirm(Consequence, frozen=True, tag="stood-firm"):
    """A kneeling figure is not knocked back."""

    seat: Seat


class KnockbackLifted(Consequence, frozen=True, tag="knockback-lifted"):
    """The test that knocked a figure back no longer stands."""

    seat: Seat


class FigureDowned(Consequence, frozen=True, tag="figure-downed"):
    """A figure lies on its back."""

    seat: Seat


class FigureRaised(Consequence, frozen=True, tag="figure-raised"):
    """What knocked a figure down no longer stands."""

    seat: Seat


class RetestGranted(Consequence, frozen=True, tag="retest-granted"):
    """The foe lies on its back: `seat` has one more retest."""

    seat: Seat


Vantage = Literal["high-ground", "prone", "lying"]
"""A circumstance of the figures' positions that augments an attack."""


class AttackAugmented(Consequence, frozen=True, tag="attack-augmented"):
    """The figures' positions give an attack one more armour-piercing blaze, on a dot of choice.

    `why`: it comes from high ground, its foe lies prone, or it is a shot by a prone figure.
    `placed`: the attack was recorded with that blaze.
    """

    seat: Seat
    foe: Seat
    why: Vantage
    placed: bool = True


class FollowUpEarned(Consequence, frozen=True, tag="follow-up-earned"):
    """`seat` attacks another card of the foe with the same card, and the same end if known."""

    seat: Seat
    card: str
    foe: Seat
    end: Literal["", "a", "b"] = ""


class AttackFailed(Consequence, frozen=True, tag="attack-failed"):
    """The target card's gear has cover: no test."""

    seat: Seat
    foe: Seat
    target: str


class TerrainStruck(Consequence, frozen=True, tag="terrain-struck"):
    """A piece of terrain takes strikes; `left` are needed to remove it."""

    piece: str
    strikes: Strikes
    left: int


class TerrainRemoved(Consequence, frozen=True, tag="terrain-removed"):
    """A piece of terrain has taken its mass in strikes."""

    piece: str


class ModeEarned(Consequence, frozen=True, tag="mode-earned"):
    """`seat` may draw a Mode card for doing something for the first time."""

    seat: Seat
    why: Tactic


class PulsesLost(Consequence, frozen=True, tag="pulses-lost"):
    """The countdown costs a seat the pulses it has not played."""

    seat: Seat
    pulses: int


class PulsesEnded(Consequence, frozen=True, tag="pulses-ended"):
    """A seat has finished its pulses of this turn."""

    seat: Seat


class TieCompared(Consequence, frozen=True, tag="tie-compared"):
    """The impulse of the card that a tied seat drew."""

    seat: Seat
    impulse: int


class TurnBegan(Consequence, frozen=True, tag="turn-began"):
    """Every seat has played: the next turn begins."""

    turn: int


class PrimeDecided(Consequence, frozen=True, tag="prime-decided"):
    """`seat` decides the dispute."""

    seat: Seat
    dot_matches: DotMatches


class SeatDefeated(Consequence, frozen=True, tag="seat-defeated"):
    """A seat is out, and why."""

    seat: Seat
    why: Fall


class SeatReturned(Consequence, frozen=True, tag="seat-returned"):
    """What defeated a seat no longer stands; if that had decided the match, it goes on."""

    seat: Seat


class MatchWon(Consequence, frozen=True, tag="match-won"):
    """`places`: the place of every seat, in seat order. `winners`: the winner's krewe, if any."""

    winner: Seat
    places: tuple[int, ...]
    why: Why
    winners: tuple[Seat, ...] = ()


class MatchLost(Consequence, frozen=True, tag="match-lost"):
    """Nobody is left: the last seats burnt out together. `places` as for a match won."""

    places: tuple[int, ...]


CONSEQUENCES: tuple[type[Consequence], ...] = (
    CardTested,
    TargetLocked,
    LockLapsed,
    CardSlagged,
    CardRestored,
    FigureStunned,
    StunLifted,
    MoveLeft,
    LandingTested,
    KnockedBack,
    StoodFirm,
    KnockbackLifted,
    FigureDowned,
    FigureRaised,
    RetestGranted,
    AttackAugmented,
    FollowUpEarned,
    AttackFailed,
    TerrainStruck,
    TerrainRemoved,
    ModeEarned,
    PulsesLost,
    PulsesEnded,
    TieCompared,
    TurnBegan,
    PrimeDecided,
    SeatDefeated,
    SeatReturned,
    MatchWon,
    MatchLost,
)
