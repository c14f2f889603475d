"""What officials and players record at the desk, and its consequences."""

from typing import Literal, get_args

import msgspec

from rules.ruleset import Act, Consequence, Label, NoteHash, Opened, SeatSetup

Entrant = int
"""A participant, numbered from 1 in order of entry. 0 is the desk itself."""

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

    `cap`: the maximum number of entrants, 0 for no limit. `check_in`: only those who have checked
    in are paired. `confirmed_only`: a result reported by a player counts only once it is confirmed.
    `appeal_minutes`: how long a ruling may be appealed, 0 for not at all.
    """

    cap: int = 0
    check_in: bool = False
    confirmed_only: bool = False
    appeal_minutes: int = 0


class DeskOpened(Opened, frozen=True, kw_only=True, tag="opened"):
    """The opening of a tournament. It has no seats: participants enter later."""

    options: Options
    seats: tuple[SeatSetup, ...]


# -- participants --------------------------------------------------------------------


class Entered(Act, frozen=True, tag="entered"):
    """A new entrant gets the next number. `label` is never a person's name.

    `seats`: how often they had seat 1, 2 … at tables of more than two earlier in this season;
    `lean`: how far to the back that was. The site fills in both for whoever enters there.
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
    """An entrant who dropped or was disqualified is back, or one who missed the start of the
    current stage joins it.

    Before the first stage of a full tournament they are back on the waiting list.
    """

    entrant: Entrant


class Disqualified(Act, frozen=True, tag="disqualified"):
    entrant: Entrant
    note: NoteHash = ""


class ResultsAnnulled(Act, frozen=True, tag="results-annulled"):
    """What an entrant who left has played in the current round robin counts for nobody there.

    Whoever is to meet them rests in that round.
    """

    entrant: Entrant
    note: NoteHash


class PairForbidden(Act, frozen=True, tag="pair-forbidden"):
    """These two entrants must not be paired."""

    entrants: tuple[Entrant, ...]


class PairAllowed(Act, frozen=True, tag="pair-allowed"):
    entrants: tuple[Entrant, ...]


class TableFixed(Act, frozen=True, tag="table-fixed"):
    """An entrant always sits at this table; 0 removes the fixed table."""

    entrant: Entrant
    table: int


class ByeGranted(Act, frozen=True, tag="bye-granted"):
    """A bye by request, in a round to come or in one of this stage that an entrant missed.

    A `loss` is one for being late.
    """

    entrant: Entrant
    round: int
    worth: Worth = "half"


class PenaltyGiven(Act, frozen=True, tag="penalty-given"):
    """A penalty that an official put on record. Its effect on a match is recorded as a ruling."""

    entrant: Entrant
    infraction: Infraction
    penalty: PenaltyKind
    demerits: int = 0
    note: NoteHash = ""


class PenaltyWithdrawn(Act, frozen=True, tag="penalty-withdrawn"):
    """An official took a penalty off the record, by its number from 1, with a reason.

    Its effects are changed by acts of their own: `returned`, `result-corrected`.
    """

    number: int
    note: NoteHash


# -- stages and rounds ----------------------------------------------------------------


class StageStarted(Act, frozen=True, tag="stage-started"):
    """A stage begins, with all its settings, which stay fixed until it ends.

    `rounds`: 0 for as many as the format needs. `best_of` games make a match. `win`, `draw`, `loss`
    and `bye` are points; `halves` means that they are counted in halves. `table_points` are those
    for the first, second … place at a table of more than two, `short_points` those at one with
    fewer seats than the largest of `sizes`. `sizes` of such tables, preferred first. `groups` is
    how many separate round robins are played. `tiebreaks` are codes, the first counts most: an
    offer of this act lists them. `seed` draws lots, and the seeding if that is drawn.
    `players` best seed first; empty for all who are available. `time_up`: what happens if time is
    up in a match of a single game and what both players have left is compared and equal; "" where
    nothing is compared. Rule: ZX-X3, ZX-X8.
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
    """The next round is paired by the stage's format and a seed.

    `pairings` and `byes` are given only for a round paired by hand, seats in order; `note` says
    why.
    """

    method: Format
    seed: int
    pairings: tuple[tuple[Entrant, ...], ...] = ()
    byes: tuple[Entrant, ...] = ()
    note: NoteHash = ""


class PairingChanged(Act, frozen=True, tag="pairing-changed"):
    """A change by hand: an entrant takes a seat, and whoever sat there gets theirs or their bye."""

    table: int
    seat_number: int
    entrant: Entrant
    note: NoteHash


class RoundPublished(Act, frozen=True, tag="round-published"):
    round: int


class TimeCalled(Act, frozen=True, tag="time-called"):
    round: int


class ClockPaused(Act, frozen=True, tag="clock-paused"):
    """The clock of a round is stopped until it is resumed."""

    round: int


class ClockResumed(Act, frozen=True, tag="clock-resumed"):
    round: int


class TimeExtended(Act, frozen=True, tag="time-extended"):
    """A round gets this many more minutes; only one table does unless `table` is 0."""

    round: int
    minutes: int
    table: int = 0


class TimeProposed(Act, frozen=True, tag="time-proposed"):
    """When a table is to be played, in seconds since 1970 (UTC).

    It is agreed once everybody there has proposed the same time, and at once if the desk sets it
    (`by` 0). Until another is agreed, it stands.
    """

    round: int
    table: int
    at: int
    by: Entrant = 0


class RoundClosed(Act, frozen=True, tag="round-closed"):
    """Every result is in; the standings are recorded."""

    round: int


class StageEnded(Act, frozen=True, tag="stage-ended"):
    """No further round of this stage is played."""

    note: NoteHash


class CutMade(Act, frozen=True, tag="cut-made"):
    """The best of this stage advance to the next."""

    size: int


class ResultsHeld(Act, frozen=True, tag="results-held"):
    """The public sees no results from this round on."""

    round: int


class ResultsShown(Act, frozen=True, tag="results-shown"):
    pass


class Announced(Act, frozen=True, tag="announced"):
    note: NoteHash


class Unannounced(Act, frozen=True, tag="unannounced"):
    """An announcement is taken down, named by its number, counted from 1."""

    announcement: int


class TournamentClosed(Act, frozen=True, tag="tournament-closed"):
    """The final order is recorded, by the results that count when it is."""


# -- results --------------------------------------------------------------------------


class ResultReported(Act, frozen=True, tag="result-reported"):
    """What happened at a table, reported by one of its players or by the desk (`by` 0).

    `scores` in the order of the seats: games won at a table of two, points scored at a larger one
    (more is better). `drawn` games are counted separately. `absent` players did not show up: a
    table of two then has no scores, at a larger one the others play on. `left`, instead of scores,
    is what each player has left when time is called, to be compared. `lost` (by everybody) may be
    reported only by the desk. A matching report by another player settles the result, a different
    one opens a dispute; a report by the desk settles it at once.

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
    """A settled result was wrong. Published pairings stay until they are changed."""

    round: int
    table: int
    note: NoteHash
    scores: tuple[int, ...] = ()
    drawn: int = 0
    absent: tuple[Entrant, ...] = ()
    lost: bool = False
    left: tuple[int, ...] = ()


class Ruled(Act, frozen=True, tag="ruled"):
    """An official decides a table that is not settled; `lost` means by everybody at it."""

    round: int
    table: int
    note: NoteHash
    scores: tuple[int, ...] = ()
    drawn: int = 0
    absent: tuple[Entrant, ...] = ()
    lost: bool = False
    left: tuple[int, ...] = ()


class OfficialCalled(Act, frozen=True, tag="official-called"):
    """A player asks for an official at a table; the call lapses when the round is closed."""

    round: int
    table: int
    by: Entrant


class CallAnswered(Act, frozen=True, tag="call-answered"):
    """An official came, or a player there needs none any more."""

    round: int
    table: int
    by: Entrant = 0


class RulingAppealed(Act, frozen=True, tag="ruling-appealed"):
    """A player at a table appeals an official's ruling or correction there."""

    round: int
    table: int
    by: Entrant
    note: NoteHash


class AppealRejected(Act, frozen=True, tag="appeal-rejected"):
    """An appeal is rejected and the ruling is final.

    To grant it, an official rules or corrects again.
    """

    round: int
    table: int
    note: NoteHash


# -- consequences ---------------------------------------------------------------------


class EntrantNumbered(Consequence, frozen=True, tag="entrant-numbered"):
    entrant: Entrant


class MovedUp(Consequence, frozen=True, tag="moved-up"):
    """The first of the waiting list gets a place."""

    entrant: Entrant


class RoundDrawn(Consequence, frozen=True, tag="round-drawn"):
    """Who meets whom, table by table.

    `slots` names the matches of a bracket. `cost` and `least` are the components of the pairing's
    cost and of the least possible one, in the order of the format's `Cost`. `breaches` are pairs
    that must not meet, but had to because no legal round was left.
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
    """A proof that at least `pairs` pairs had to be rematches, or forbidden ones.

    No pairing between two of the `groups` was allowed; each is odd, so its last member needs a
    partner among the `few`. 0 stands for the bye.
    """

    few: tuple[Entrant, ...]
    groups: tuple[tuple[Entrant, ...], ...]
    pairs: int


class PairingWeighed(Consequence, frozen=True, tag="pairing-weighed"):
    """The cost of a pairing by hand beside the least possible, and what the machine proposed.

    `left_out`: how many more have no table than in the machine's pairing; this weighs most.
    """

    cost: tuple[int, ...]
    least: tuple[int, ...]
    proposed: tuple[tuple[Entrant, ...], ...]
    proposed_byes: tuple[Entrant, ...] = ()
    left_out: int = 0


class TimeAgreed(Consequence, frozen=True, tag="time-agreed"):
    round: int
    table: int
    at: int


class ResultSettled(Consequence, frozen=True, tag="result-settled"):
    round: int
    table: int


class DisputeOpened(Consequence, frozen=True, tag="dispute-opened"):
    round: int
    table: int


class AppealGranted(Consequence, frozen=True, tag="appeal-granted"):
    """An official ruled again after an appeal; this is final."""

    round: int
    table: int


class CutDrawn(Consequence, frozen=True, tag="cut-drawn"):
    """Those who advance, best first."""

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
    ResultsAnnulled,
    PairForbidden,
    PairAllowed,
    TableFixed,
    ByeGranted,
    PenaltyGiven,
    PenaltyWithdrawn,
    StageStarted,
    RoundPaired,
    PairingChanged,
    RoundPublished,
    TimeProposed,
    ResultReported,
    ResultConfirmed,
    ResultDisputed,
    Ruled,
    ResultCorrected,
    OfficialCalled,
    CallAnswered,
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
    TimeAgreed,
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
    TimeProposed,
    ResultReported,
    ResultConfirmed,
    ResultDisputed,
    OfficialCalled,
    CallAnswered,
    RulingAppealed,
)
"""What players may record for themselves; everything else is for officials."""
