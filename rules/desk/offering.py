"""What may be recorded now: the offers of every act, in order. `refusals` explains the rest."""

from rules.desk import people, reporting, rounds, stages
from rules.desk.acts import (
    Announced,
    AppealRejected,
    ByeGranted,
    CallAnswered,
    CheckedIn,
    ClockPaused,
    ClockResumed,
    CutMade,
    Disqualified,
    Dropped,
    Entered,
    OfficialCalled,
    PairAllowed,
    PairForbidden,
    PairingChanged,
    PenaltyGiven,
    PenaltyWithdrawn,
    ResultConfirmed,
    ResultCorrected,
    ResultDisputed,
    ResultReported,
    ResultsAnnulled,
    ResultsHeld,
    ResultsShown,
    Returned,
    RoundClosed,
    RoundPaired,
    RoundPublished,
    Ruled,
    RulingAppealed,
    StageEnded,
    StageStarted,
    TableFixed,
    TimeCalled,
    TimeExtended,
    TimeProposed,
    TournamentClosed,
    Unannounced,
    Waitlisted,
)
from rules.desk.limits import Maker, Offers
from rules.desk.state import State
from rules.ruleset import Act

AFTERWARDS = (ResultsShown,)
"""Acts still allowed in a closed tournament, which is not over while results are held back."""


def offers(state: State) -> Offers:
    """Yield everything that is legal now, in a fixed order."""
    for kind in AFTERWARDS if state.desk.closed else OFFERS:
        yield from OFFERS[kind](state, None)


def offers_like(state: State, act: Act) -> Offers:
    """Yield the offers that might cover an act."""
    if not state.desk.closed or isinstance(act, AFTERWARDS):
        yield from OFFERS[type(act)](state, act)


OFFERS: dict[type[Act], Maker] = {
    Entered: people.entered,
    Waitlisted: people.waitlisted,
    CheckedIn: people.checked_in,
    Dropped: people.dropped,
    Returned: people.returned,
    Disqualified: people.disqualified,
    ResultsAnnulled: people.results_annulled,
    PairForbidden: people.pair_forbidden,
    PairAllowed: people.pair_allowed,
    TableFixed: people.table_fixed,
    ByeGranted: people.bye_granted,
    PenaltyGiven: people.penalty_given,
    PenaltyWithdrawn: people.penalty_withdrawn,
    StageStarted: stages.started,
    RoundPaired: rounds.paired,
    PairingChanged: rounds.pairing_changed,
    RoundPublished: rounds.published,
    TimeProposed: reporting.time_proposed,
    ResultReported: reporting.reported,
    ResultConfirmed: reporting.confirmed,
    ResultDisputed: reporting.disputed,
    Ruled: reporting.ruled,
    ResultCorrected: reporting.corrected,
    OfficialCalled: reporting.official_called,
    CallAnswered: reporting.call_answered,
    RulingAppealed: reporting.appealed,
    AppealRejected: reporting.appeal_rejected,
    ClockPaused: rounds.paused,
    ClockResumed: rounds.resumed,
    TimeExtended: rounds.extended,
    TimeCalled: rounds.timed,
    RoundClosed: rounds.closed,
    StageEnded: stages.ended,
    CutMade: stages.cut_made,
    ResultsHeld: rounds.held,
    ResultsShown: rounds.shown,
    Announced: rounds.announced,
    Unannounced: rounds.unannounced,
    TournamentClosed: stages.tournament_closed,
}
