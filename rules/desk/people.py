"""Participants: refusals, and the offers of acts that name entrants, each named after its act."""

from collections.abc import Iterator, Sequence

from rules.desk.acts import (
    INFRACTIONS,
    PENALTIES,
    WORTHS,
    CheckedIn,
    Disqualified,
    Dropped,
    Entered,
    Entrant,
    PenaltyWithdrawn,
    ResultsAnnulled,
    Returned,
)
from rules.desk.limits import (
    AHEAD,
    MAX_LEAN,
    MAX_PEOPLE,
    MAX_POINTS,
    MAX_RATING,
    MAX_SCORE,
    NOTE,
    REASON,
    Offers,
)
from rules.desk.standings import stale_tables
from rules.desk.state import (
    KNOCKOUTS,
    Desk,
    State,
    entrants,
    is_in,
    left_outside,
    rounds_of,
    with_person,
)
from rules.fields import Choice, Field, Free, Range, RangeList, Subset
from rules.ruleset import Act, Offer, Verdict, impossible, irregular

GONE = ("dropped", "disqualified")


def is_full(state: State) -> bool:
    cap = state.setup.options.cap
    return 0 < cap <= len(entrants(state.desk, "in"))


def _newcomer(kind: str) -> Offer:
    fields: dict[str, Field] = {
        "label": Free("label"),
        "ref": Free("ref"),
        "rating": Range(0, MAX_RATING),
        "seats": RangeList(0, MAX_SCORE, most=6),
        "lean": Range(-MAX_LEAN, MAX_LEAN),
    }
    return Offer(kind, None, fields)


def entered(state: State, act: Act | None) -> Offers:
    if not is_full(state) and len(state.desk.people) < MAX_PEOPLE:
        yield _newcomer("entered")


def waitlisted(state: State, act: Act | None) -> Offers:
    if is_full(state) and len(state.desk.people) < MAX_PEOPLE:
        yield _newcomer("waitlisted")


def _of_entrants(kind: str, chosen: tuple[int, ...], **fields: Field) -> Offers:
    if chosen:
        yield Offer(kind, None, {"entrant": Choice(chosen), **fields})


def checked_in(state: State, act: Act | None) -> Offers:
    desk = state.desk
    waiting = tuple(n for n in entrants(desk, "in") if not desk.people[n - 1].here)
    yield from _of_entrants("checked-in", waiting)


def dropped(state: State, act: Act | None) -> Offers:
    yield from _of_entrants("dropped", entrants(state.desk, "in", "waiting"))


def returned(state: State, act: Act | None) -> Offers:
    desk = state.desk
    gone = tuple(n for n in entrants(desk, *GONE) if not _is_out_of_stage(desk, n))
    if act is not None:
        gone = tuple(each for each in gone if each == getattr(act, "entrant", 0))
    fitting = _fitting(desk, gone)
    yield from _of_entrants("returned", tuple(sorted((*fitting, *left_outside(desk)))))


def _is_out_of_stage(desk: Desk, entrant: Entrant) -> bool:
    """Tell whether the current stage goes on without an entrant, whose results it annulled."""
    return bool(desk.stages) and entrant in desk.stages[-1].annulled


def _fitting(desk: Desk, gone: Sequence[Entrant]) -> Iterator[Entrant]:
    """Yield those with whom back in it every table of a bracket still fits."""
    index = len(desk.stages) - 1
    stale = {*stale_tables(desk, index)} if desk.stages and gone else set()
    for entrant in gone:
        back = with_person(desk, entrant, status="in")
        if not desk.stages or {*stale_tables(back, index)} <= stale:
            yield entrant


def disqualified(state: State, act: Act | None) -> Offers:
    chosen = entrants(state.desk, "in", "waiting", "dropped")
    yield from _of_entrants("disqualified", chosen, note=NOTE)


def results_annulled(state: State, act: Act | None) -> Offers:
    yield from _of_entrants("results-annulled", annullable(state.desk), note=REASON)


def annullable(desk: Desk) -> tuple[Entrant, ...]:
    """Return those who left the current round robin and whose results in it still count."""
    if not _is_in_round_robin(desk):
        return ()
    stage = desk.stages[-1]
    return tuple(n for n in entrants(desk, *GONE) if n in stage.players and n not in stage.annulled)


def _is_in_round_robin(desk: Desk) -> bool:
    """Tell whether the current stage is a round robin from which nobody has advanced yet."""
    if not desk.stages or desk.stages[-1].cut:
        return False
    return desk.stages[-1].setup.format == "round-robin"


def pair_forbidden(state: State, act: Act | None) -> Offers:
    chosen = entrants(state.desk, "in")
    if len(chosen) > 1:
        yield Offer("pair-forbidden", None, {"entrants": Subset(chosen, most=2, least=2)})


def pair_allowed(state: State, act: Act | None) -> Offers:
    if state.desk.forbidden:
        yield Offer("pair-allowed", None, {"entrants": Choice(state.desk.forbidden)})


def table_fixed(state: State, act: Act | None) -> Offers:
    chosen = entrants(state.desk, "in")
    yield from _of_entrants("table-fixed", chosen, table=Range(0, MAX_SCORE))


def bye_granted(state: State, act: Act | None) -> Offers:
    """Yield byes in rounds to come for everybody, and in missed rounds of the stage for some."""
    next_round, worth = len(state.desk.rounds) + 1, Choice(WORTHS)
    to_come = Range(next_round, next_round + AHEAD)
    everybody = entrants(state.desk, "in")
    yield from _of_entrants("bye-granted", everybody, round=to_come, worth=worth)
    for rounds, some in missed(state.desk).items():
        yield from _of_entrants("bye-granted", some, round=Choice(rounds), worth=worth)


def missed(desk: Desk) -> dict[tuple[int, ...], tuple[Entrant, ...]]:
    """Return, by missed rounds, the entrants of the current stage who had no seat in them."""
    if not desk.stages or desk.stages[-1].setup.format in KNOCKOUTS:
        return {}
    rounds = rounds_of(desk, len(desk.stages) - 1)
    seated = {
        number: {*each.byes, *(player for table in each.tables for player in table.players)}
        for number, each in rounds
    }
    always = set.intersection(*seated.values()) if seated else {*desk.stages[-1].players}
    here = {*desk.stages[-1].players} & {*entrants(desk, "in")}
    found: dict[tuple[int, ...], list[Entrant]] = {}
    for player in sorted(here - always):
        found.setdefault(tuple(n for n in seated if player not in seated[n]), []).append(player)
    return {numbers: tuple(some) for numbers, some in found.items()}


def penalty_given(state: State, act: Act | None) -> Offers:
    yield from _of_entrants(
        "penalty-given",
        entrants(state.desk, "in", "waiting", "dropped", "disqualified"),
        infraction=Choice(INFRACTIONS),
        penalty=Choice(PENALTIES),
        demerits=Range(0, MAX_POINTS),
        note=NOTE,
    )


def penalty_withdrawn(state: State, act: Act | None) -> Offers:
    given = enumerate(state.desk.penalties, 1)
    if standing := tuple(number for number, each in given if not each.withdrawn):
        yield Offer("penalty-withdrawn", None, {"number": Choice(standing), "note": REASON})


# -- refusals -----------------------------------------------------------------------


def not_entered(state: State, act: Entered) -> Verdict | None:
    if len(state.desk.people) >= MAX_PEOPLE:
        return impossible("too-many", most=MAX_PEOPLE)
    if is_full(state) and 0 <= act.rating <= MAX_RATING:
        return irregular("full", "", entrants=len(entrants(state.desk, "in")))
    return None


def not_waitlisted(state: State, act: Act) -> Verdict | None:
    if len(state.desk.people) >= MAX_PEOPLE:
        return impossible("too-many", most=MAX_PEOPLE)
    return None if is_full(state) else impossible("not-full")


def not_checked_in(state: State, act: CheckedIn) -> Verdict:
    if is_in(state.desk, act.entrant):
        return impossible("checked-in-already", entrant=act.entrant)
    return has_other_status(state, act)


def not_returned(state: State, act: Returned) -> Verdict:
    if _is_out_of_stage(state.desk, act.entrant):
        return impossible("is-annulled", entrant=act.entrant)
    if state.desk.people[act.entrant - 1].status in GONE:
        return irregular("played-on-without", "", entrant=act.entrant)
    return has_other_status(state, act)


def has_other_status(state: State, act: CheckedIn | Dropped | Returned | Disqualified) -> Verdict:
    status = state.desk.people[act.entrant - 1].status
    return impossible("other-status", entrant=act.entrant, status=status)


def not_annulled(state: State, act: ResultsAnnulled) -> Verdict:
    desk = state.desk
    if not _is_in_round_robin(desk):
        return impossible("no-round-robin")
    if act.entrant not in desk.stages[-1].players:
        return impossible("not-in-stage", entrant=act.entrant)
    if act.entrant in desk.stages[-1].annulled:
        return impossible("is-annulled", entrant=act.entrant)
    return impossible("has-not-left", entrant=act.entrant)


def no_such_penalty(state: State, act: PenaltyWithdrawn) -> Verdict:
    return impossible("no-such-penalty", number=act.number)


def no_such_pair(state: State, act: Act) -> Verdict:
    return impossible("not-such-a-pair")
