"""What may be recorded now, and why anything else may not: a row for each act."""

from typing import NamedTuple

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
from rules.desk.limits import Maker, Offers, Reason
from rules.desk.state import State
from rules.ruleset import Act, Verdict, event_type, fields_of, first_unfit, impossible

AFTERWARDS = (ResultsShown,)
"""Acts still allowed in a closed tournament, which is not over while results are held back."""


class Rule(NamedTuple):
    """What is offered of one type of act, and why one that no offer covers is refused.

    Without a `why` such an act can only have a field out of range.
    """

    offers: Maker
    why: Reason | None = None


def offers(state: State) -> Offers:
    """Yield everything that is legal now, in a fixed order."""
    for kind in AFTERWARDS if state.desk.closed else RULES:
        yield from RULES[kind].offers(state, None)


def offers_like(state: State, act: Act) -> Offers:
    """Yield the offers that might cover an act."""
    if not state.desk.closed or isinstance(act, AFTERWARDS):
        yield from RULES[type(act)].offers(state, act)


# -- refusals -------------------------------------------------------------------------


def refusal(state: State, act: Act) -> Verdict:
    """Return why an act that no offer covers is not legal."""
    desk = state.desk
    if desk.closed:
        return impossible("desk-closed")
    for number in _named(act):
        if not 1 <= number <= len(desk.people):
            return impossible("no-such-entrant", entrant=number, entrants=len(desk.people))
    if _lacks_reason(act):
        return impossible("missing-reason")
    why = RULES[type(act)].why
    return (why and why(state, act)) or _out_of_range(state, act)


def _named(act: Act) -> tuple[int, ...]:
    """Return the entrants that an act names directly."""
    one = getattr(act, "entrant", None)
    found = () if one is None else (one,)
    return (*found, *getattr(act, "entrants", ()))


def _lacks_reason(act: Act) -> bool:
    """Tell whether an act is without the reason its type requires: a note that has no default."""
    notes = (field for field in fields_of(type(act)) if field.name == "note" and field.required)
    return any(not getattr(act, field.name) for field in notes)


def _out_of_range(state: State, act: Act) -> Verdict:
    """Name the first field that does not fit the nearest offer: the one that fits longest."""
    names = [field.name for field in fields_of(type(act))]
    unfit = [field for offer in offers_like(state, act) if (field := first_unfit(offer, act))]
    if unfit:
        return impossible("out-of-range", field=max(unfit, key=names.index))
    return impossible("not-now", act=event_type(act))


RULES: dict[type[Act], Rule] = {
    Entered: Rule(people.entered, people.not_entered),
    Waitlisted: Rule(people.waitlisted, people.not_waitlisted),
    CheckedIn: Rule(people.checked_in, people.not_checked_in),
    Dropped: Rule(people.dropped, people.has_other_status),
    Returned: Rule(people.returned, people.not_returned),
    Disqualified: Rule(people.disqualified, people.has_other_status),
    ResultsAnnulled: Rule(people.results_annulled, people.not_annulled),
    PairForbidden: Rule(people.pair_forbidden, people.no_such_pair),
    PairAllowed: Rule(people.pair_allowed, people.no_such_pair),
    TableFixed: Rule(people.table_fixed),
    ByeGranted: Rule(people.bye_granted),
    PenaltyGiven: Rule(people.penalty_given),
    PenaltyWithdrawn: Rule(people.penalty_withdrawn, people.no_such_penalty),
    StageStarted: Rule(stages.started, stages.not_started),
    RoundPaired: Rule(rounds.paired, rounds.not_paired),
    PairingChanged: Rule(rounds.pairing_changed, rounds.not_changed),
    RoundPublished: Rule(rounds.published, rounds.not_of_round),
    TimeProposed: Rule(reporting.time_proposed, reporting.not_proposed),
    ResultReported: Rule(reporting.reported, reporting.not_reported),
    ResultConfirmed: Rule(reporting.confirmed, reporting.not_confirmed),
    ResultDisputed: Rule(reporting.disputed, reporting.not_disputed),
    Ruled: Rule(reporting.ruled, reporting.not_ruled),
    ResultCorrected: Rule(reporting.corrected, reporting.not_corrected),
    OfficialCalled: Rule(reporting.official_called, reporting.not_called),
    CallAnswered: Rule(reporting.call_answered, reporting.not_answered),
    RulingAppealed: Rule(reporting.appealed, reporting.not_appealed),
    AppealRejected: Rule(reporting.appeal_rejected, reporting.not_rejected),
    ClockPaused: Rule(rounds.paused, rounds.not_of_round),
    ClockResumed: Rule(rounds.resumed, rounds.not_of_round),
    TimeExtended: Rule(rounds.extended, rounds.not_extended),
    TimeCalled: Rule(rounds.timed, rounds.not_of_round),
    RoundClosed: Rule(rounds.closed, rounds.not_of_round),
    StageEnded: Rule(stages.ended, stages.not_ended),
    CutMade: Rule(stages.cut_made, stages.not_cut),
    ResultsHeld: Rule(rounds.held, rounds.not_held),
    ResultsShown: Rule(rounds.shown, rounds.not_shown),
    Announced: Rule(rounds.announced),
    Unannounced: Rule(rounds.unannounced, rounds.nothing_announced),
    TournamentClosed: Rule(stages.tournament_closed, stages.not_played_out),
}
"""The rule of every act, in the order in which they are offered."""
