"""What people record of a Z-G match, and the setup it starts from."""

from typing import Annotated, Literal, get_args

import msgspec

from rules.ruleset import Act, Label, NoteHash, Opened, Seat, SeatSetup
from rules.zg.cards import Deck, Impulse, Name, Which
from rules.zg.ends import END_PATTERN

Depth = Literal["score", "tests", "full"]
DEPTHS: tuple[Depth, ...] = get_args(Depth)
Spin = Literal["table", "server"]
MAX_BLAZES = 3
"""The most augments, or bolsters, in one test."""

MAX_CARDS = 99
MAX_RANGE = 24

Place = Annotated[int, msgspec.Meta(ge=1, le=3)]
Places = Annotated[tuple[Place, ...], msgspec.Meta(max_length=MAX_BLAZES)]
"""Dots that get a blaze, in ascending order; a dot that gets two is named twice."""

EndText = Annotated[
    str,
    msgspec.Meta(pattern=END_PATTERN, max_length=80, description="three dots, as R+ G B#"),
]
ImpulseText = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^([0-9]{3}|[0-9]{1,2}(-[0-9]{1,2}){0,2})\Z",
        max_length=8,
        description="up to three impulse numbers, as 9-7-4",
    ),
]
"""Up to three impulse numbers, "9-7-4", or three digits in a row, "974"."""

Strikes = Annotated[int, msgspec.Meta(ge=0, le=9)]
DotMatches = Annotated[int, msgspec.Meta(ge=0, le=3)]


Cards = Annotated[int, msgspec.Meta(ge=0, le=MAX_CARDS)]
"""A distance in card lengths. Rule: ZG GEN-2."""

Distance = Annotated[int, msgspec.Meta(ge=0, le=MAX_RANGE)]


class TerrainPiece(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A piece of terrain that can be destroyed, its sides measured in cards."""

    name: Name
    length: Cards
    height: Cards
    width: Cards


class Arena(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An Arena card and the ways to interact with it."""

    name: Name
    ways: Annotated[tuple[Name, ...], msgspec.Meta(max_length=20)]


class Options(
    msgspec.Struct,
    frozen=True,
    gc=False,
    cache_hash=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """How the match is recorded, and which reading of the rules it is played under.

    `depth`: record only slags and the winner, every test, or the whole rulebook. It may change in
    mid-match; what is not recorded is unknown, never illegal.
    `strikes`: the Basic Rules, or the Card Tests post read literally (CON-1, CON-2).
    `strict_time_order`: without a match there is no damage, explosive or not (CON-3).
    `ap_not_consumed`: piercing armour leaves the armour-piercing for a weak point (CON-4).
    `retest_full`: a retest spins the target and lets the attack's end be chosen anew (CON-6).
    `powerups_on_followup`: augments and bolsters count on a follow-up (CON-9).
    `mirror_alignment`: the decks hold each end as read with that end on top, left to right, so dot
    1 faces dot 3 (ATK-13). Without it decks hold ends as they face: dot 1 faces dot 1.
    `knockback`: how far a foe is knocked back, its strikes or its matches in cards (U11).
    `prone_errata`: lying prone augments your own ranged attacks and foes' hand-to-hand ones;
    without it all attacks on you (CON-5).
    `edges`: whether a figure can fall off the table (SET-5).
    `safe_fall_played_card_only`: only the card being played makes a fall safe (CON-10).
    `mass_product`: a piece's mass is the product of its two longest sides, not the sum (CON-11).
    `tactics_earn`: a tactic carried out for the first time earns a Mode card (MOD-6).
    `krewes`: seats 1, 3, … are one krewe and seats 2, 4, … another, but for a seat that names its
    own (LEA-7).
    `terrain`, `arenas`: what is in the arena and may be named by acts.
    `deck_class`: the class that `check_deck` checks a deck against, 300 credits or 600 (CRE-3).
    """

    depth: Depth = "tests"
    strikes: Literal["basic", "card_tests"] = "basic"
    strict_time_order: bool = False
    ap_not_consumed: bool = False
    retest_full: bool = False
    powerups_on_followup: bool = False
    mirror_alignment: bool = False
    knockback: Literal["strikes", "matches"] = "strikes"
    prone_errata: bool = False
    edges: Literal["wall", "fall"] = "wall"
    safe_fall_played_card_only: bool = False
    mass_product: bool = False
    tactics_earn: bool = False
    krewes: bool = False
    terrain: Annotated[tuple[TerrainPiece, ...], msgspec.Meta(max_length=40)] = ()
    arenas: Annotated[tuple[Arena, ...], msgspec.Meta(max_length=20)] = ()
    deck_class: Literal["open", "starter", "standard"] = "open"


BASIC = Options()


class ZgSeat(SeatSetup, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat. Without a deck it plays nine blank cards. Seats of one `krewe` win together."""

    deck: Deck | None = None
    krewe: Label = ""


class ZgOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    options: Options
    seats: tuple[ZgSeat, ...]


# -- hands and impulse ----------------------------------------------------------------


class FlameoutCalled(Act, frozen=True, tag="flameout-called"):
    """Before the cards of a turn are chosen: a seat plays each of its cards twice."""

    seat: Seat


class HandTaken(Act, frozen=True, tag="hand-taken"):
    """The cards a seat takes as its hand, in the order of its deck. Nobody else may know them."""

    seat: Seat
    cards: Annotated[tuple[Name, ...], msgspec.Meta(max_length=3)]


class ImpulseCalled(Act, frozen=True, tag="impulse-called"):
    """A seat calls the impulse numbers of its hand: "9-7-4".

    "974", the 3-digit number that is called out, is read as the same. Rule: ZG IMP-1.
    """

    seat: Seat
    numbers: ImpulseText

    def __post_init__(self) -> None:
        if len(self.numbers) == 3 and self.numbers.isdecimal():
            msgspec.structs.force_setattr(self, "numbers", "-".join(self.numbers))


class TieDrawn(Act, frozen=True, tag="tie-drawn"):
    """A tied seat draws a card from its deck and shows its impulse, typed in if unknown.

    When the server draws, its card replaces whatever was given.
    """

    seat: Seat
    card: str
    impulse: Impulse | None = None
    spin: Spin = "table"


# -- impulse and pulses ---------------------------------------------------------------


class ImpulseWon(Act, frozen=True, tag="impulse-won"):
    """A seat plays its pulses next: the highest impulse among those yet to play this turn."""

    seat: Seat


class Moved(Act, frozen=True, tag="moved"):
    """A pulse without an attack; `card` is "" if nobody saw it."""

    seat: Seat
    card: str = ""


class Placed(Act, frozen=True, tag="placed"):
    """A seat places its figure. `gap`: cards to the nearest foe, None if not measured."""

    seat: Seat
    gap: Cards | None = None


class Travelled(Act, frozen=True, tag="travelled"):
    """The move of a pulse: `cards` laid, across or up, and `free` vertical ones of Z-G.

    `stance` is the one entered ("stand" leaves any), `rise` gets up from the back, `jump` crosses a
    gap. The attack of the same card belongs to the same pulse.
    """

    seat: Seat
    card: str
    cards: Cards = 0
    free: Cards = 0
    stance: Literal["", "stand", "kneel", "attack", "defense", "prone"] = ""
    rise: bool = False
    jump: bool = False


class Fell(Act, frozen=True, tag="fell"):
    """A figure falls a number of cards, or over the edge of the table.

    `zg`: a Z-G card in hand breaks the fall.
    """

    seat: Seat
    height: Cards = 0
    zg: bool = False
    edge: bool = False


class Landed(Act, frozen=True, tag="landed"):
    """A figure lands on a foe: the card that moved it is tested against theirs, without damage."""

    seat: Seat
    foe: Seat
    height: Cards
    card: str
    end: Which
    target: str
    target_end: Which
    spin: Spin = "table"
    half_turn: bool = False
    zg: bool = False


class KnockdownCalled(Act, frozen=True, tag="knockdown-called"):
    """What a figure that was just knocked back hits.

    `cards`: how far away the figure or barrier is, or how high the ledge.
    """

    seat: Seat
    into: Literal["figure", "barrier", "ledge"]
    cards: Cards


class TurnPassed(Act, frozen=True, tag="turn-passed"):
    """A seat gives up its remaining pulses of this turn."""

    seat: Seat


class CountdownStarted(Act, frozen=True, tag="countdown-started"):
    """A seat is put on the one-minute clock."""

    seat: Seat


class CountdownExpired(Act, frozen=True, tag="countdown-expired"):
    """A seat's minute is over."""

    seat: Seat


# -- attack and test ------------------------------------------------------------------


class Attacked(Act, frozen=True, tag="attacked"):
    """A card's end against an end of a foe's card.

    `target_end` is the end that finally faced the attack, after the spin and a half turn; when the
    server spins, its spin replaces whatever was given. `augments` and `bolsters` name the dots they
    were placed on. `distance`: cards laid to the foe, 0 for touch, None if not measured; recorded
    at depth `full`.
    """

    seat: Seat
    card: str
    end: Which
    foe: Seat
    target: str
    target_end: Which
    spin: Spin = "table"
    half_turn: bool = False
    augments: Places = ()
    bolsters: Places = ()
    sneak: bool = False
    high_ground: bool = False
    distance: Distance | None = None


class TargetDrawn(Act, frozen=True, tag="target-drawn"):
    """The foe's target card is drawn; the next act is the attack on it.

    When the server draws, its card replaces whatever was given.
    """

    seat: Seat
    foe: Seat
    target: str
    spin: Spin = "table"


class TerrainAttacked(Act, frozen=True, tag="terrain-attacked"):
    """A card's end against a piece of terrain: the target card comes from the attacker's deck."""

    seat: Seat
    card: str
    end: Which
    piece: str
    target: str
    target_end: Which
    spin: Spin = "table"
    half_turn: bool = False


class CoverCalled(Act, frozen=True, tag="cover-called"):
    """The gear of the drawn target card cannot be seen, so the attack fails."""

    seat: Seat
    card: str
    end: Which
    foe: Seat
    target: str


class StrikesCalled(Act, frozen=True, tag="test-called"):
    """A test called by its strikes, for cards whose ends nobody has entered."""

    seat: Seat
    card: str
    foe: Seat
    target: str
    strikes: Strikes
    dot_matches: DotMatches | None = None


class EndShown(Act, frozen=True, tag="end-shown"):
    """The dots of an end that nobody had entered, typed in when the card is flipped."""

    seat: Seat
    card: str
    end: Which
    dots: EndText


class Retested(Act, frozen=True, tag="retested"):
    """A seat has one card of the last test spun again; `end` is what it shows now.

    `which` is "both" in a full retest: `end` is then the attack's, chosen anew, and `target_end`
    the target's. Blazes not named anew stay where they were.
    """

    seat: Seat
    which: Literal["target", "attack", "both"]
    end: Which
    target_end: Literal["", "a", "b"] = ""
    spin: Spin = "table"
    half_turn: bool = False
    augments: Places = ()
    bolsters: Places = ()


# -- modes, the arena, powerups ---------------------------------------------------------


class ModeDrawn(Act, frozen=True, tag="mode-drawn"):
    """A Mode card comes into the control panel: the first, an earned one, or for another reason.

    `note` is that reason, in the table's words.
    """

    seat: Seat
    card: str
    why: Literal["start", "earned", "other"]
    spin: Spin = "table"
    note: NoteHash = ""


class ModeUsed(Act, frozen=True, tag="mode-used"):
    """A Mode card in the panel takes effect, which the players carry out themselves."""

    seat: Seat
    card: str


class ArenaUsed(Act, frozen=True, tag="arena-used"):
    """A figure interacts with an Arena card in one of its ways."""

    seat: Seat
    arena: str
    how: str


class PowerupUsed(Act, frozen=True, tag="powerup-used"):
    """A powerup of a card takes effect, `instead` of the card's attack or in addition to it."""

    seat: Seat
    card: str
    powerup: str
    instead: bool = False


class CharacterUsed(Act, frozen=True, tag="character-used"):
    """The character card takes effect, once per turn."""

    seat: Seat


# -- a card saved ---------------------------------------------------------------------


class CharacterSpent(Act, frozen=True, tag="character-spent"):
    """A seat gives up its character card to keep the card that was just slagged."""

    seat: Seat


class SlagAccepted(Act, frozen=True, tag="slag-accepted"):
    """A seat keeps its character card and loses the card whose slag defeats it."""

    seat: Seat


# -- results only --------------------------------------------------------------------


class SlagCalled(Act, frozen=True, tag="slag-called"):
    """A seat slagged a foe's card; how is not recorded."""

    seat: Seat
    foe: Seat
    target: str


class WonCalled(Act, frozen=True, tag="won-called"):
    """A seat has won; how is not recorded."""

    seat: Seat


# -- about the table ------------------------------------------------------------------


class PrimeCalled(Act, frozen=True, tag="prime-called"):
    """A test that settles a dispute: on any match the caller decides, otherwise the foe."""

    seat: Seat
    card: str
    end: Which
    foe: Seat
    target: str
    target_end: Which


class Ruled(Act, frozen=True, tag="ruled"):
    """A ruling by a zMarshal.

    `slag`, `restore`: the card `target` of the seat `foe`; `strikes`: the last test counts as this
    many; `unstun`: the figure of `foe` is no longer stunned; `end-turn`; `defeat`: the seat `foe`
    is out; `award`: it wins the match.
    """

    what: Literal["slag", "restore", "strikes", "unstun", "end-turn", "defeat", "award"]
    foe: Seat | None = None
    target: str = ""
    strikes: Strikes | None = None
    note: NoteHash = ""


class Conceded(Act, frozen=True, tag="conceded"):
    """A seat concedes the match."""

    seat: Seat


class OptionsChanged(Act, frozen=True, tag="options-changed"):
    """From here on the match is recorded at another depth."""

    depth: Depth


ACTS: tuple[type[Act], ...] = (
    FlameoutCalled,
    HandTaken,
    ImpulseCalled,
    TieDrawn,
    ImpulseWon,
    Attacked,
    StrikesCalled,
    TargetDrawn,
    TerrainAttacked,
    CoverCalled,
    Placed,
    Travelled,
    Moved,
    Fell,
    Landed,
    KnockdownCalled,
    EndShown,
    Retested,
    ModeDrawn,
    ModeUsed,
    ArenaUsed,
    PowerupUsed,
    CharacterUsed,
    CharacterSpent,
    SlagAccepted,
    TurnPassed,
    CountdownStarted,
    CountdownExpired,
    SlagCalled,
    WonCalled,
    PrimeCalled,
    Conceded,
    Ruled,
    OptionsChanged,
)
