"""What officials and players record at the desk, and what follows from it."""

from typing import Literal, get_args

import msgspec

from rules.ruleset import Act, Consequence, Label, NoteHash, Opened, SeatSetup

Entrant = int
"""Who takes part, numbered from 1 in the order they came. 0 is the desk itself."""

Format = Literal[
    "swiss",
    "round-robin",
    "single-elimination",
    "double-elimination",
    "pods",
    "pod-elimination",
    "multi-round-robin",
    "ladder",
]
Seeding = Literal["entered", "rating", "standing", "drawn"]
Worth = Literal["full", "half", "zero", "loss"]
WORTHS: tuple[Worth, ...] = get_args(Worth)
Infraction = Literal["play", "slow-play", "late", "deck", "conduct", "cheating"]
INFRACTIONS: tuple[Infraction, ...] = get_args(Infraction)
PenaltyKind = Literal["caution", "warning", "game-loss", "match-loss", "disqualification"]
PENALTIES: tuple[PenaltyKind, ...] = get_args(PenaltyKind)


class Options(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How the whole tournament is run.

    `cap`: so many may enter, 0 for any number. `check_in`: only who checked in is paired.
    `confirmed_only`: a result that a player reported counts once it is confirmed.
    `appeal_minutes`: so long after it was recorded a ruling may be appealed, 0 for never.
    """

    cap: int = 0
    check_in: bool = False
    confirmed_only: bool = False
    appeal_minutes: int = 0


class DeskOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    """A tournament has no seats: who takes part enters."""

    options: Options
    seats: tuple[SeatSetup, ...]


# -- who takes part -------------------------------------------------------------------


class Entered(Act, frozen=True, tag="entered"):
    """The next number goes to a new entrant. `label` is never a person's name.

    `seats`: how often they had seat 1, 2 … at tables of more in this season before; `lean`: how
    far to the back that was, the sum of `formats.pods.lean_of`.
    """

    label: Label = ""
    ref: Label = ""
    rating: int = 0
    seats: tuple[int, ...] = ()
    lean: int = 0


class Waitlisted(Act, frozen=True, tag="waitlisted"):
    label: Label = ""
    ref: Label = ""
    rating: int = 0
    seats: tuple[int, ...] = ()
    lean: int = 0


class CheckedIn(Act, frozen=True, tag="checked-in"):
    entrant: Entrant


class Dropped(Act, frozen=True, tag="dropped"):
    entrant: Entrant


class Returned(Act, frozen=True, tag="returned"):
    """Who dropped is back, or who missed the start of the stage under way joins it."""

    entrant: Entrant


class Disqualified(Act, frozen=True, tag="disqualified"):
    entrant: Entrant
    note: NoteHash = ""


class PairForbidden(Act, frozen=True, tag="pair-forbidden"):
    """These two are not to meet."""

    entrants: tuple[Entrant, ...]


class PairAllowed(Act, frozen=True, tag="pair-allowed"):
    entrants: tuple[Entrant, ...]


class TableFixed(Act, frozen=True, tag="table-fixed"):
    """An entrant always sits at this table; 0 lets them go."""

    entrant: Entrant
    table: int


class ByeGranted(Act, frozen=True, tag="bye-granted"):
    """A bye that was asked for, in a round to come or one of this stage that somebody missed.

    A `loss` is one for being late.
    """

    entrant: Entrant
    round: int
    worth: Worth = "half"


class PenaltyGiven(Act, frozen=True, tag="penalty-given"):
    """What an official put on record. What it does to a match is recorded as a ruling."""

    entrant: Entrant
    infraction: Infraction
    penalty: PenaltyKind
    demerits: int = 0
    note: NoteHash = ""


# -- stages and rounds ----------------------------------------------------------------


class StageStarted(Act, frozen=True, tag="stage-started"):
    """A stage begins; all that decides it is said here and holds to its end.

    `rounds`: 0 for as many as the format needs. `best_of` games make a match. `win`, `draw`,
    `loss` and `bye` are points; `halves` counts them in halves. `table_points` are those for
    the first, second … place at a table of more than two, `short_points` those at one with fewer
    seats than the largest of `sizes`. `sizes` of such tables, preferred first. `groups` play
    round robins of their own. `seed` draws lots, and the seeds when they are drawn. `players`
    best seed first; none for everybody there is. `time_up`: what becomes of two who are level
    once time is up in their single game and what they have left is compared; "" where nothing
    is compared. Rule: ZX-X3, ZX-X8.
    """

    format: Format
    rounds: int = 0
    best_of: int = 1
    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3
    halves: bool = False
    table_points: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    tiebreaks: tuple[str, ...] = ()
    legs: int = 1
    groups: int = 1
    third_place: bool = False
    no_reset: bool = False
    no_rematches: bool = False
    seeding: Seeding = "entered"
    seed: int = 0
    players: tuple[Entrant, ...] = ()
    accelerated: int = 0
    time_up: Literal["", "lost", "draw"] = ""
    short_points: tuple[int, ...] = ()


class RoundPaired(Act, frozen=True, tag="round-paired"):
    """The next round is paired as the stage's format and a seed have it.

    `pairings` and `byes` are given only when a hand made them, seats in order; `note` says why.
    """

    method: Format
    seed: int
    pairings: tuple[tuple[Entrant, ...], ...] = ()
    byes: tuple[Entrant, ...] = ()
    note: NoteHash = ""


class PairingChanged(Act, frozen=True, tag="pairing-changed"):
    """By hand: an entrant takes a seat, and who sat there takes theirs, or their bye."""

    table: int
    seat_number: int
    entrant: Entrant
    note: NoteHash


class RoundPublished(Act, frozen=True, tag="round-published"):
    round: int


class TimeCalled(Act, frozen=True, tag="time-called"):
    round: int


class ClockPaused(Act, frozen=True, tag="clock-paused"):
    """The time of a round stands still until it goes on."""

    round: int


class ClockResumed(Act, frozen=True, tag="clock-resumed"):
    round: int


class TimeExtended(Act, frozen=True, tag="time-extended"):
    """A round has so many minutes more; `table` alone unless it is 0."""

    round: int
    minutes: int
    table: int = 0


class RoundClosed(Act, frozen=True, tag="round-closed"):
    """Every result is in; the standings are written down."""

    round: int


class StageEnded(Act, frozen=True, tag="stage-ended"):
    """No further round of this stage is played."""

    note: NoteHash


class CutMade(Act, frozen=True, tag="cut-made"):
    """The best of this stage play the next."""

    size: int


class ResultsHeld(Act, frozen=True, tag="results-held"):
    """From this round on the public sees no results."""

    round: int


class ResultsShown(Act, frozen=True, tag="results-shown"):
    pass


class Announced(Act, frozen=True, tag="announced"):
    note: NoteHash


class Unannounced(Act, frozen=True, tag="unannounced"):
    """An announcement is taken down: by its number, counted from 1."""

    announcement: int


class TournamentClosed(Act, frozen=True, tag="tournament-closed"):
    pass


# -- results --------------------------------------------------------------------------


class ResultReported(Act, frozen=True, tag="result-reported"):
    """What happened at a table, told by one who sat there or by the desk (`by` 0).

    `scores` in the order of the seats: games won by two, points scored by more (more is
    better). `drawn` games are counted apart. Who is `absent` did not show up: two then have
    no scores, of more the others play on. `left` in the place of scores is what each has left
    once time is called, to be compared. `lost` by everybody only the desk tells. The same told
    by another settles it, anything else is a dispute; the desk settles at once.

    Rule: ZX-X3, ZX-X5.
    """

    round: int
    table: int
    scores: tuple[int, ...] = ()
    drawn: int = 0
    absent: tuple[Entrant, ...] = ()
    by: Entrant = 0
    left: tuple[int, ...] = ()
    lost: bool = False


class ResultConfirmed(Act, frozen=True, tag="result-confirmed"):
    round: int
    table: int
    by: Entrant = 0


class ResultDisputed(Act, frozen=True, tag="result-disputed"):
    round: int
    table: int
    by: Entrant = 0
    note: NoteHash = ""


class ResultCorrected(Act, frozen=True, tag="result-corrected"):
    """A settled result was wrong. Pairings that were published stay until they are changed."""

    round: int
    table: int
    note: NoteHash
    scores: tuple[int, ...] = ()
    drawn: int = 0
    absent: tuple[Entrant, ...] = ()
    lost: bool = False
    left: tuple[int, ...] = ()


class Ruled(Act, frozen=True, tag="ruled"):
    """An official decides a table that is not settled; `lost` by everybody at it."""

    round: int
    table: int
    note: NoteHash
    scores: tuple[int, ...] = ()
    drawn: int = 0
    absent: tuple[Entrant, ...] = ()
    lost: bool = False
    left: tuple[int, ...] = ()


class RulingAppealed(Act, frozen=True, tag="ruling-appealed"):
    """Who sits there does not accept what an official ruled, or corrected, at a table."""

    round: int
    table: int
    by: Entrant
    note: NoteHash


class AppealRejected(Act, frozen=True, tag="appeal-rejected"):
    """What was ruled stands, and is final. An appeal is granted by ruling or correcting anew."""

    round: int
    table: int
    note: NoteHash


# -- consequences ---------------------------------------------------------------------


class EntrantNumbered(Consequence, frozen=True, tag="entrant-numbered"):
    entrant: Entrant


class MovedUp(Consequence, frozen=True, tag="moved-up"):
    """The first of the waiting list has a place now."""

    entrant: Entrant


class RoundDrawn(Consequence, frozen=True, tag="round-drawn"):
    """Who meets whom, table by table.

    `slots` names the matches of a bracket. `cost` and `least` are the parts of the pairing's
    cost and of the least possible one, in the order of the format's `Cost`. `breaches` are the
    pairs that were not to meet, where no legal round was left.
    """

    round: int
    pairings: tuple[tuple[Entrant, ...], ...]
    tables: tuple[int, ...]
    byes: tuple[Entrant, ...] = ()
    slots: tuple[str, ...] = ()
    cost: tuple[int, ...] = ()
    least: tuple[int, ...] = ()
    breaches: tuple[tuple[Entrant, ...], ...] = ()


class RematchForced(Consequence, frozen=True, tag="rematch-forced"):
    """Why at least so many pairs had to meet again, or to break what was forbidden.

    Between two of the `groups` no pairing was allowed; each is odd and needs one of the `few`
    for its last. 0 stands for the bye.
    """

    few: tuple[Entrant, ...]
    groups: tuple[tuple[Entrant, ...], ...]
    pairs: int


class PairingWeighed(Consequence, frozen=True, tag="pairing-weighed"):
    """What a pairing by hand costs beside the least possible, and how the machine has it.

    `left_out`: how many more have no table than the machine leaves without; weighs most.
    """

    cost: tuple[int, ...]
    least: tuple[int, ...]
    proposed: tuple[tuple[Entrant, ...], ...]
    proposed_byes: tuple[Entrant, ...] = ()
    left_out: int = 0


class ResultSettled(Consequence, frozen=True, tag="result-settled"):
    round: int
    table: int


class DisputeOpened(Consequence, frozen=True, tag="dispute-opened"):
    round: int
    table: int


class AppealGranted(Consequence, frozen=True, tag="appeal-granted"):
    """What was appealed is ruled anew; that is final."""

    round: int
    table: int


class CutDrawn(Consequence, frozen=True, tag="cut-drawn"):
    """Who plays on, best first."""

    entrants: tuple[Entrant, ...]


class StandingsWritten(Consequence, frozen=True, tag="standings-written"):
    """The order after a round, or of the whole tournament at its close, best first."""

    entrants: tuple[Entrant, ...]


ACTS: tuple[type[Act], ...] = (
    Entered,
    Waitlisted,
    CheckedIn,
    Dropped,
    Returned,
    Disqualified,
    PairForbidden,
    PairAllowed,
    TableFixed,
    ByeGranted,
    PenaltyGiven,
    StageStarted,
    RoundPaired,
    PairingChanged,
    RoundPublished,
    ResultReported,
    ResultConfirmed,
    ResultDisputed,
    Ruled,
    ResultCorrected,
    RulingAppealed,
    AppealRejected,
    ClockPaused,
    ClockResumed,
    TimeExtended,
    TimeCalled,
    RoundClosed,
    StageEnded,
    CutMade,
    ResultsHeld,
    ResultsShown,
    Announced,
    Unannounced,
    TournamentClosed,
)
CONSEQUENCES: tuple[type[Consequence], ...] = (
    EntrantNumbered,
    MovedUp,
    RoundDrawn,
    RematchForced,
    PairingWeighed,
    ResultSettled,
    DisputeOpened,
    AppealGranted,
    CutDrawn,
    StandingsWritten,
)
BY_PLAYERS: tuple[type[Act], ...] = (
    Entered,
    Waitlisted,
    CheckedIn,
    Dropped,
    ResultReported,
    ResultConfirmed,
    ResultDisputed,
    RulingAppealed,
)
"""What a player may record for themselves; all else is for officials."""
