"""What people record of a game of Z/X, and the setup it starts from."""

from typing import Annotated, Literal, get_args

import msgspec

from rules.ruleset import Act, NoteHash, Opened, Seat, SeatSetup
from rules.zx.cards import Deck, Name, Text
from rules.zx.field import Square

Depth = Literal["score", "full"]
DEPTHS: tuple[Depth, ...] = get_args(Depth)
Cards = Annotated[tuple[Name, ...], msgspec.Meta(max_length=60)]
Cost = Annotated[tuple[Name, ...], msgspec.Meta(max_length=60)]
"""Resources put to sleep, by name, in alphabetical order."""

DayText = Annotated[str, msgspec.Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?\Z", max_length=10)]
Slot = Annotated[int, msgspec.Meta(ge=1, le=999)]
Played = Literal["", "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "event"]
"""What happened to a card that may be played free: its square, "event" if it was resolved as one,
"" if it was not played."""

Pile = Literal["hand", "deck", "life", "charge", "trash", "resources", "removed", "extra"]
Op = Literal[
    "damage",
    "destroy",
    "power",
    "move",
    "sleep",
    "reboot",
    "to-zone",
    "enter",
    "draw",
    "discard",
    "recover",
    "player-damage",
    "reveal",
    "shuffle",
    "tuck",
    "note",
]
Until = Literal["", "turn", "battle", "static"]
MAX_AMOUNT = 99_999
"""The most damage, or change of power, of one effect."""


class Options(
    msgspec.Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True
):
    """Which numbers and readings of the rules the game is played under.

    `profile` sets what the sources disagree on; each of its parts can be overridden.
    `depth`: every act, or only life totals and who won.
    `draw`, `first_draw`: cards drawn per turn, and by the first player in the first one (AM1).
    `charge_limit`, `overflow`: the limit of charge, and what happens to any excess (AM2).
    `reload_pick`: who points at the life card that a reload costs (AM3).
    `life_zero`: lost once the damage is handled, or at once (AM4).
    `keywords`: whether Life Recovery and Void Bringer have to be used (AM5).
    `compare`: life is compared after or before the revealed card has left it (AM6).
    `void`: Void Bringer takes any Z/X, or only the other player's (AM7).
    `multi`: a card of two colours needs one of them paid, or all (AM8).
    `haste`: a Z/X may attack in the turn it arrives (AM9).
    `od`: an event may be resolved free too, or only a Z/X be played (AM10).
    `guard`: a Z/X that comes between saves its player, or does not (AM12).
    `track`: damage follows the attacked card, or stays with its square (AM13).
    `end`: effects end before the hand is trimmed, or after (AM14).
    `empty`: with no deck and no trash a player waits, or has lost (AM15).
    `rps`: the winner starts, or chooses (AM16). `redraw`: one after the other, or at once (AM17).
    `copies`: four of a name, or of a number (AM20). `equal`: the result at time with equal life
    (AM22).
    `extra_turns`: turns after the one in which time was called.
    `format`: the format a deck is checked against; `bans`: the day whose list of restricted cards
    applies.
    """

    profile: Literal["zx-seed", "zx-official", "zx-2012"] = "zx-seed"
    depth: Depth = "full"
    draw: Literal["profile", "1", "2"] = "profile"
    first_draw: Literal["profile", "0", "1"] = "profile"
    charge_limit: Literal["profile", "none", "4"] = "profile"
    overflow: Literal["trim", "bounce"] = "trim"
    reload_pick: Literal["opponent", "self"] = "opponent"
    life_zero: Literal["after", "immediate"] = "after"
    keywords: Literal["profile", "optional", "mandatory"] = "profile"
    compare: Literal["after", "before"] = "after"
    void: Literal["any", "enemy_only"] = "any"
    multi: Literal["any", "all"] = "any"
    haste: Literal["on", "off"] = "on"
    od: Literal["any", "zx_only"] = "any"
    guard: Literal["through", "interrupts"] = "through"
    track: Literal["card", "square"] = "card"
    end: Literal["official", "seed"] = "official"
    empty: Literal["wait", "loss"] = "wait"
    rps: Literal["starts", "chooses"] = "starts"
    redraw: Literal["in_turn", "simultaneous"] = "in_turn"
    copies: Literal["name", "number"] = "name"
    equal: Literal["lose", "draw"] = "lose"
    extra_turns: Annotated[int, msgspec.Meta(ge=0, le=9)] = 1
    format: Literal["constructed", "limited"] = "constructed"
    bans: DayText = ""


class ZxSeat(SeatSetup, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A seat. Without a deck its cards are blanks."""

    deck: Deck | None = None


class ZxOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    options: Options
    seats: tuple[ZxSeat, ...]


# -- setup ----------------------------------------------------------------------------


class StartCardPlaced(Act, frozen=True, tag="start-card-placed"):
    """A seat begins with a card on its player square."""

    seat: Seat
    card: Name


class FirstDecided(Act, frozen=True, tag="first-decided"):
    """`seat` won the toss, `first` begins."""

    seat: Seat
    first: Seat
    method: Literal["rps", "random", "agreed"] = "rps"


class HandRedrawn(Act, frozen=True, tag="hand-redrawn"):
    """A seat puts `n` cards of its opening hand back, shuffles and draws as many."""

    seat: Seat
    n: Annotated[int, msgspec.Meta(ge=0, le=60)] = 4


class HandKept(Act, frozen=True, tag="hand-kept"):
    seat: Seat


class StartResourcesPlaced(Act, frozen=True, tag="start-resources-placed"):
    """The top two cards of the deck that became resources, in alphabetical order."""

    seat: Seat
    cards: Cards


class HandNoted(Act, frozen=True, tag="hand-noted"):
    """The cards in a seat's hand, in alphabetical order. Nobody else may know them."""

    seat: Seat
    cards: Cards


# -- the turn -------------------------------------------------------------------------


class ResourcePlaced(Act, frozen=True, tag="resource-placed"):
    seat: Seat
    card: Name


class ResourcePassed(Act, frozen=True, tag="resource-passed"):
    seat: Seat


class IgnitionStarted(Act, frozen=True, tag="ignition-started"):
    """A seat puts a card of its charge into the trash, to reveal its top card."""

    seat: Seat
    card: Name


class TopCardRevealed(Act, frozen=True, tag="top-card-revealed"):
    """The card an ignition revealed, and whether it was played."""

    seat: Seat
    card: Name
    played: Played = ""


class IgnitionEnded(Act, frozen=True, tag="ignition-ended"):
    seat: Seat


class ZxPlayed(Act, frozen=True, tag="zx-played"):
    """A Z/X played from hand. `colour`: the resources that provide its colour, `pays`: the others.

    Both are empty if the default ones are put to sleep.
    """

    seat: Seat
    card: Name
    square: Square
    colour: Cost = ()
    pays: Cost = ()


class EventPlayed(Act, frozen=True, tag="event-played"):
    """An event played from hand; its effects are acts of their own."""

    seat: Seat
    card: Name
    colour: Cost = ()
    pays: Cost = ()


class StartupUsed(Act, frozen=True, tag="startup-used"):
    """A startup ability used: its card's square and its cost; effects are acts of their own."""

    seat: Seat
    square: Square
    pays: Cost = ()
    sleep: bool = False


class AutoTriggered(Act, frozen=True, tag="auto-triggered"):
    """An automatic ability of a card triggers; its effects are acts of their own."""

    seat: Seat
    card: Name


class TurnEnded(Act, frozen=True, tag="turn-ended"):
    seat: Seat


class HandTrimmed(Act, frozen=True, tag="hand-trimmed"):
    """The cards a seat discards at the end of its turn, in alphabetical order."""

    seat: Seat
    cards: Cards


class ChargeTrimmed(Act, frozen=True, tag="charge-trimmed"):
    """The excess charge that a seat gives up, in alphabetical order."""

    seat: Seat
    cards: Cards


# -- battle and life ------------------------------------------------------------------


class BattleDeclared(Act, frozen=True, tag="battle-declared"):
    """A Z/X attacks the Z/X on a square, or the other player."""

    seat: Seat
    square: Square
    target: Literal["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "player"]


class BattlePassed(Act, frozen=True, tag="battle-passed"):
    seat: Seat


class BothPassed(Act, frozen=True, tag="both-passed"):
    """Nobody plays anything more in this battle."""


class BattleTold(Act, frozen=True, tag="battle-told"):
    """The result of a battle between cards whose power nobody entered."""

    destroyed: bool


class LifeRevealed(Act, frozen=True, tag="life-revealed"):
    """The life card that the other side pointed at, and whether it was played."""

    seat: Seat
    slot: Slot
    card: Name
    played: Played = ""


class LifeRecovered(Act, frozen=True, tag="life-recovered"):
    seat: Seat


class LifeRecoveryDeclined(Act, frozen=True, tag="life-recovery-declined"):
    seat: Seat


class VoidBringerUsed(Act, frozen=True, tag="void-bringer-used"):
    seat: Seat
    square: Square


class VoidBringerDeclined(Act, frozen=True, tag="void-bringer-declined"):
    seat: Seat


class ReloadPaid(Act, frozen=True, tag="reload-paid"):
    """The life card of `seat` that a reload costs: it goes to charge and is not played.

    `by` is the seat that pointed at it, 0 if not noted.
    """

    seat: Seat
    slot: Slot
    card: Name
    by: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0


# -- declared effects -----------------------------------------------------------------


class EffectApplied(Act, frozen=True, tag="effect-applied"):
    """One thing that a card's text did, applied by a seat.

    `seat` is the one whose hand, deck or other pile changes; `source` the card with the text, of
    either side. Which other fields apply depends on `op`: see `FIELDS_OF`. `card` is "" if a card
    moves unseen from one hidden pile to another.
    """

    seat: Seat
    op: Op
    square: Square | Literal[""] = ""
    to: Square | Literal[""] = ""
    card: Text = ""
    pile: Pile | Literal[""] = ""
    zone: Pile | Literal[""] = ""
    foe: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    amount: Annotated[int, msgspec.Meta(ge=-MAX_AMOUNT, le=MAX_AMOUNT)] = 0
    until: Until = ""
    source: Text = ""
    note: NoteHash = ""


FIELDS_OF: dict[Op, tuple[str, ...]] = {
    "damage": ("square", "amount"),
    "destroy": ("square",),
    "power": ("square", "amount", "until"),
    "move": ("square", "to"),
    "sleep": ("square", "card"),
    "reboot": ("square", "card"),
    "to-zone": ("square", "card", "pile", "zone"),
    "enter": ("card", "pile", "to"),
    "draw": ("amount",),
    "discard": ("card",),
    "recover": (),
    "player-damage": ("foe", "amount"),
    "reveal": ("card", "pile"),
    "shuffle": (),
    "tuck": ("card", "square"),
    "note": ("note",),
}
"""The fields of each kind of effect besides `seat`, `op` and `source`."""


# -- the match ------------------------------------------------------------------------


class SpecialWon(Act, frozen=True, tag="special-won"):
    """A seat wins by the text of a card."""

    seat: Seat
    card: Name


class Conceded(Act, frozen=True, tag="conceded"):
    seat: Seat


class TimeCalled(Act, frozen=True, tag="time-called"):
    """Time is up: this turn and the extra ones are played, then life is compared."""


class LifeCalled(Act, frozen=True, tag="life-called"):
    """At depth `score`: how many life cards a seat has left."""

    seat: Seat
    life: Annotated[int, msgspec.Meta(ge=0, le=60)]


class WonCalled(Act, frozen=True, tag="won-called"):
    """At depth `score`: a seat has won."""

    seat: Seat
    how: Literal["life", "time", "card"] = "life"


class DrawCalled(Act, frozen=True, tag="draw-called"):
    """At depth `score`: nobody has won; `lost` if both have lost."""

    lost: bool = False


class Ruled(Act, frozen=True, tag="ruled"):
    """An official decides the match."""

    result: Literal["win", "draw", "all-lost"]
    winner: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    note: NoteHash = ""


class OptionsChanged(Act, frozen=True, tag="options-changed"):
    """From here on only life totals and the winner are recorded."""

    depth: Literal["score"]


ACTS: tuple[type[Act], ...] = (
    StartCardPlaced,
    FirstDecided,
    HandRedrawn,
    HandKept,
    StartResourcesPlaced,
    HandNoted,
    ResourcePlaced,
    ResourcePassed,
    IgnitionStarted,
    TopCardRevealed,
    IgnitionEnded,
    ZxPlayed,
    EventPlayed,
    StartupUsed,
    AutoTriggered,
    TurnEnded,
    HandTrimmed,
    ChargeTrimmed,
    BattleDeclared,
    BattlePassed,
    BothPassed,
    BattleTold,
    LifeRevealed,
    LifeRecovered,
    LifeRecoveryDeclined,
    VoidBringerUsed,
    VoidBringerDeclined,
    ReloadPaid,
    EffectApplied,
    SpecialWon,
    Conceded,
    TimeCalled,
    LifeCalled,
    WonCalled,
    DrawCalled,
    Ruled,
    OptionsChanged,
)

TURN_UP: tuple[type[Act], ...] = (StartResourcesPlaced, TopCardRevealed, LifeRevealed, ReloadPaid)
"""Acts that turn up a card of the deck or of life, which nobody could see before."""
