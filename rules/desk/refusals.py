"""Why an act that no offer covers may not be recorded."""

from rules.desk import people, reporting, rounds, stages
from rules.desk.acts import (
    Announced,
    AppealRejected,
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
    TimeCalled,
    TimeExtended,
    TimeProposed,
    TournamentClosed,
    Unannounced,
    Waitlisted,
)
from rules.desk.limits import Reason
from rules.desk.offering import offers_like
from rules.desk.state import State
from rules.ruleset import Act, Verdict, event_type, first_unfit, impossible

REASONED = (
    ResultsAnnulled,
    PenaltyWithdrawn,
    PairingChanged,
    ResultCorrected,
    Ruled,
    RulingAppealed,
    AppealRejected,
    StageEnded,
    Announced,
)
"""Acts that require a reason."""


def reason(state: State, act: Act) -> Verdict:
    """Return why an act that no offer covers is not legal."""
    desk = state.desk
    if desk.closed:
        return impossible("desk-closed")
    for number in _named(act):
        if not 1 <= number <= len(desk.people):
            return impossible("no-such-entrant", entrant=number, entrants=len(desk.people))
    if isinstance(act, REASONED) and not act.note:
        return impossible("missing-reason")
    why = REASONS.get(type(act))
    return (why and why(state, act)) or _out_of_range(state, act)


def _named(act: Act) -> tuple[int, ...]:
    """Return the entrants that an act names directly."""
    one = getattr(act, "entrant", None)
    found = () if one is None else (one,)
    return (*found, *getattr(act, "entrants", ()))


def _out_of_range(state: State, act: Act) -> Verdict:
    """Name the first field that does not fit the nearest offer."""
    for offer in offers_like(state, act):
        if field := first_unfit(offer, act):
            return impossible("out-of-range", field=field)
    return impossible("not-now", act=event_type(act))


REASONS: dict[type[Act], Reason] = {
    Entered: people.not_entered,
    Waitlisted: people.not_waitlisted,
    CheckedIn: people.not_checked_in,
    Dropped: people.has_other_status,
    Returned: people.not_returned,
    Disqualified: people.has_other_status,
    ResultsAnnulled: people.not_annulled,
    PairForbidden: people.no_such_pair,
    PairAllowed: people.no_such_pair,
    PenaltyWithdrawn: people.no_such_penalty,
    StageStarted: stages.not_started,
    RoundPaired: rounds.not_paired,
    PairingChanged: rounds.not_changed,
    RoundPublished: rounds.not_of_round,
    TimeProposed: reporting.not_proposed,
    ResultReported: reporting.not_reported,
    ResultConfirmed: reporting.not_confirmed,
    ResultDisputed: reporting.not_disputed,
    Ruled: reporting.not_ruled,
    ResultCorrected: reporting.not_corrected,
    OfficialCalled: reporting.not_called,
    CallAnswered: reporting.not_answered,
    RulingAppealed: reporting.not_appealed,
    AppealRejected: reporting.not_rejected,
    ClockPaused: rounds.not_of_round,
    ClockResumed: rounds.not_of_round,
    TimeExtended: rounds.not_extended,
    TimeCalled: rounds.not_of_round,
    RoundClosed: rounds.not_of_round,
    StageEnded: stages.not_ended,
    CutMade: stages.not_cut,
    ResultsHeld: rounds.not_held,
    ResultsShown: rounds.not_shown,
    Unannounced: rounds.nothing_announced,
    TournamentClosed: stages.not_played_out,
}
"""The refusals by type of act; acts of other types can only have a field out of range."""
