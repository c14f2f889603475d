"""Record at a desk: acts, taking back, corrections and their previews.

Forms, buttons and endpoints all end here, except those for entering, pairing and penalties, which
involve more than an entry and have modules of their own. `matches.log` is the only writer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid5

import msgspec
from django.utils.translation import gettext

import rules
from league import appeals, dates, desks, entering, policy, rulings, tables
from league.models import Tournament
from matches import canonical, followers, lists
from matches import log as logs
from matches.actors import Actor
from matches.drafting import refusal_of
from matches.errors import BadInput, Conflict, Impossible, NotAllowed, Refused, answered
from matches.log import Receipt, Request
from rules import replay, texts
from rules.desk import previews, results
from rules.desk.acts import (
    ACTS,
    AppealRejected,
    CheckedIn,
    Entered,
    PenaltyWithdrawn,
    ResultConfirmed,
    ResultCorrected,
    ResultReported,
    ResultsHeld,
    ResultsShown,
    Returned,
    RoundPaired,
    Ruled,
    TimeCalled,
    Waitlisted,
)
from rules.desk.history import paired_from
from rules.desk.previews import Blast
from rules.desk.state import Desk, is_in, table_of
from rules.replay import Timeline
from rules.ruleset import Act, Opened, SeedRevealed, TakenBack, Verdict, event_type

MAX_ACTS = 500
RESULT_FIELDS = ("scores", "drawn", "absent", "lost", "left")
_NOTED = frozenset(event_type(kind) for kind in ACTS if "note" in kind.__struct_fields__)
OF_A_RESULT = ("result-reported", "result-confirmed", "ruled", "result-corrected")


@dataclass(frozen=True)
class Preview:
    """The effect of an act that is not recorded: here, in higher floors, and the entries undone."""

    act: Act
    blast: Blast
    followers: list[followers.Change]
    undone: tuple[int, ...]


# -- recording ----------------------------------------------------------------------------


def record(
    *,
    tournament: Tournament,
    by: Actor,
    act_id: UUID,
    act: Act | Mapping[str, Any],
    after: logs.After = None,
    irregular: bool = False,
    note: str = "",
    said_at: datetime | None = None,
) -> Receipt:
    """Record an act and its consequences as the next entry of a tournament.

    Idempotent: a repeated request gets its first receipt, and so does a report of a result that is
    reported and stands. `after` may be left out, since many report concurrently. Raises: NotFound,
    NotAllowed, BadInput, Impossible, Irregular, MovedOn, IdReused, Conflict.
    """
    policy.require_see(by, tournament)
    what = _act(act)
    if isinstance(what, TakenBack):
        return take_back(
            tournament=tournament, by=by, act_id=act_id, to=what.to, after=after, note=note
        )
    if isinstance(what, Entered | Waitlisted):
        return entering.record(tournament, by, act_id, what, after=after, irregular=irregular)
    require_may(by, tournament, what)
    request = Request(
        act_id,
        what,
        policy.require_make(by).pk,
        after=after,
        irregular=irregular,
        note=canonical.note_from(what, note),
        said_at=canonical.clock_from(said_at),
    )
    try:
        receipt = logs.append(
            tournament.log, request, lambda timeline: permit(timeline, by, tournament, what)
        )
    except Impossible as refused:
        raise _naming(tournament, refused) from None
    _follow_up(tournament, what)
    return receipt


def _follow_up(tournament: Tournament, act: Act) -> None:
    """Carry an act over at once to what surrounds the desk: matches at its tables, and dates."""
    match act:
        case ResultsHeld() | ResultsShown():
            tables.hold(tournament)
        case TimeCalled():
            tables.call_time(tournament)
        case RoundPaired():
            dates.settle_paired(tournament)


def _naming(tournament: Tournament, refused: Impossible) -> Impossible:
    """Return a refusal whose text names the entrant, while its data keep the number."""
    params = refused.extra.get("params", {})
    names = desks.names_of(tournament, desks.desk_of(tournament)) if "entrant" in params else {}
    name = names.get(params.get("entrant"))
    if name is None:
        return refused
    named = Verdict("impossible", refused.code, refused.clause, params | {"entrant": name})
    text = texts.of_finding(rules.get("desk").texts, named, {})
    return Impossible(refused.code, text, clause=refused.clause, params=params)


def record_all(
    *, tournament: Tournament, by: Actor, acts: Sequence[Mapping[str, Any] | Refused]
) -> list[Receipt | Refused]:
    """Record acts one by one and return a receipt or refusal for each, as `lists.record_each`."""
    policy.require_see(by, tournament)
    return lists.record_each(acts, MAX_ACTS, partial(record, tournament=tournament, by=by))


def check_in_all(
    *, tournament: Tournament, by: Actor, act_id: UUID
) -> list[tuple[int, Receipt | Refused]]:
    """Check in all entrants who are not here yet; return a receipt or refusal by number.

    Raises: NotFound, NotAllowed.
    """
    policy.require_official(by, tournament)
    absent = [
        number
        for number, person in enumerate(desks.desk_of(tournament).people, 1)
        if person.status == "in" and not person.here
    ]
    requests = {
        number: {"act_id": uuid5(act_id, f"here {number}"), "act": CheckedIn(entrant=number)}
        for number in absent
    }
    do = partial(record, tournament=tournament, by=by)
    return [(number, answered(partial(do, **each))) for number, each in requests.items()]


def _act(act: Act | Mapping[str, Any]) -> Act:
    if not isinstance(act, Act):
        act = canonical.act_from(rules.get("desk"), _with_room_for_a_note(act))
    if isinstance(act, Opened | SeedRevealed):
        raise Impossible(
            "not-by-hand",
            gettext("`{type}` is recorded by the site itself.").format(type=event_type(act)),
        )
    return act


def _with_room_for_a_note(act: Any) -> Any:
    """Return an act as sent, adding the empty note that some need; its text is sent separately."""
    kind = act.get("type") if isinstance(act, dict) else None
    if not isinstance(kind, str) or kind not in _NOTED:
        return act
    return {"note": "", **act}


def require_may(by: Actor, tournament: Tournament, act: Act) -> None:
    """Require that an actor may record such an act, as an official or for themself.

    Raises: NotAllowed; BadInput for a player's report that does not say who reports.
    """
    if policy.may_act(by, tournament, act):
        return
    entry = policy.entry_of(by, tournament)
    number = desks.number_of(desks.desk_of(tournament), entry)
    reports = isinstance(act, policy.SCORES)
    if tournament.self_report or not reports:
        if policy.may_act_for(number, act):
            return
        nobody = getattr(act, "by", None) == 0
        if nobody and policy.may_act_for(number, msgspec.structs.replace(act, by=number)):
            detail = gettext("Say who reports: your number as `by`, {number}.").format(
                number=number
            )
            raise BadInput("missing-field", detail, "$.act.by")
    raise NotAllowed("not-allowed", gettext("That is not for you to record at this tournament."))


def permit(timeline: Timeline, by: Actor, tournament: Tournament, act: Act) -> None:
    """Refuse officials who settle their own table, and check-ins and returns not allowed.

    Raises: NotAllowed, Conflict; AlreadyRecorded for a report of a result that stands.
    """
    desk: Desk = timeline.head.state.desk
    if isinstance(act, ResultReported | ResultConfirmed) and act.by == 0:
        mine = desks.number_for(by, tournament, desk)
        table = table_of(desk, act.round, act.table)
        if mine and table is not None and mine in table.players:
            raise NotAllowed(
                "own-table",
                gettext("This is your own table: report as a player, or let another official."),
            )
    if isinstance(act, (*rulings.RULINGS, AppealRejected)):
        rulings.require_anothers(by, tournament, desk, act.round, act.table)
    if isinstance(act, rulings.OF_ENTRANTS):
        rulings.require_no_foe(by, tournament, desk, act)
    if isinstance(act, PenaltyWithdrawn | Returned):
        rulings.require_not_own(by, tournament, desk, act)
    if isinstance(act, Returned):
        entering.require_may_return(tournament, desk, act.entrant)
        rulings.require_no_penalty(desk, act)
    appeals.permit(timeline, by, tournament, act)
    if isinstance(act, ResultReported) and (version := _says(timeline, act)):
        raise logs.AlreadyRecorded(version)
    if isinstance(act, CheckedIn):
        entering.require_may_check_in(tournament, desk, act.entrant)


def _says(timeline: Timeline, act: ResultReported) -> int | None:
    """Return the version of the same report by the same player, if it stands or is disputed."""
    desk: Desk = timeline.head.state.desk
    table = table_of(desk, act.round, act.table)
    if table is None or results.result_of(desk, act) not in (table.result, table.claim):
        return None
    return next((each.version for each in timeline.backwards() if each.act == act), None)


# -- taking back --------------------------------------------------------------------------


def take_back(
    *,
    tournament: Tournament,
    by: Actor,
    act_id: UUID,
    to: int,
    after: logs.After = None,
    note: str = "",
) -> Receipt:
    """Make the state as of version `to` current again, which can be taken back like any act.

    Judges undo only what judges record, and nothing that was decided about themselves. Raises:
    NotFound, NotAllowed, BadInput, Impossible, MovedOn, IdReused, Conflict for an entrant who would
    take part twice.
    """
    policy.require_rule(by, tournament)
    act = TakenBack(to=to)
    request = Request(
        act_id, act, policy.require_make(by).pk, after=after, note=canonical.note_from(act, note)
    )
    receipt = logs.append(
        tournament.log, request, lambda timeline: _permit_undo(timeline, by, tournament, to)
    )
    tables.hold(tournament)
    dates.settle_paired(tournament)  # this may undo an undo and so restore a paired round
    return receipt


def may_undo(timeline: Timeline, by: Actor, tournament: Tournament, to: int) -> bool:
    """Return whether an actor with ruling rights may go back to a version."""
    try:
        _permit_undo(timeline, by, tournament, to)
    except (NotAllowed, Conflict):
        return False
    return True


def _permit_undo(timeline: Timeline, by: Actor, tournament: Tournament, to: int) -> None:
    """Raises: NotAllowed for going back to a version that this actor may not go back to.

    Conflict if somebody who is back then takes part by another entry.
    """
    rulings.require_may_undo(timeline, by, tournament, to)
    appeals.permit_undo(timeline, by, tournament, to)
    if not 1 <= to <= len(timeline.entries):
        return  # a version that does not exist is refused elsewhere
    now, then = timeline.head.state.desk, timeline.at(to).state.desk
    for number in range(1, len(then.people) + 1):
        if is_in(then, number) and not is_in(now, number):
            entering.require_may_return(tournament, then, number)


def before_round(found: Timeline, number: int) -> int | None:
    """Return the version before a round of the head was paired, None if there is no such round."""
    versions = paired_from(found)
    return versions[number - 1] if 1 <= number <= len(versions) else None


def preview_take_back(*, tournament: Tournament, by: Actor, to: int) -> Preview:
    """Return what the same `take_back` would do now. Raises: as `take_back`."""
    policy.require_rule(by, tournament)
    before = desks.timeline(tournament).copy()
    _permit_undo(before, by, tournament, to)
    return _preview(tournament, before, TakenBack(to=to))


# -- correcting ---------------------------------------------------------------------------


def correct(
    *,
    tournament: Tournament,
    by: Actor,
    correction_id: UUID,
    act_id: UUID,
    act: Mapping[str, Any],
    reason: str,
    after: logs.After = None,
) -> Receipt:
    """Replace the result recorded as `act_id` by another.

    Published pairings stay until somebody changes them. Raises: NotFound, NotAllowed, BadInput,
    Impossible.
    """
    what = correcting(tournament, by, act_id, act)
    if not reason.strip():
        detail = gettext("Say why: the reason stays in the log.")
        raise Impossible("missing-reason", detail, where="$.reason")
    return record(
        tournament=tournament, by=by, act_id=correction_id, act=what, after=after, note=reason
    )


def preview_correction(
    *, tournament: Tournament, by: Actor, act_id: UUID, act: Mapping[str, Any]
) -> Preview:
    """Return what the same `correct` would do now, without recording anything."""
    return preview_of(tournament, correcting(tournament, by, act_id, act))


def preview_of(tournament: Tournament, act: Act) -> Preview:
    """Return how an act would change what was computed before. Raises: Impossible."""
    if "note" in act.__struct_fields__:
        act = msgspec.structs.replace(act, note="0" * 64)
    return _preview(tournament, desks.timeline(tournament).copy(), act)


def correcting(
    tournament: Tournament, by: Actor, act_id: UUID, act: Mapping[str, Any]
) -> ResultCorrected | Ruled:
    """Return the act that corrects a result, or rules it while it is not settled yet.

    Raises: NotFound, NotAllowed, BadInput; Impossible for an act that is unknown or no result.
    """
    policy.require_rule(by, tournament)
    found = desks.recorded_as(tournament, act_id)
    if found is None:
        detail = gettext("There is no act {act_id} in this log to correct.").format(act_id=act_id)
        raise Impossible("act-unknown", detail, where="$.act_id")
    was = found.act
    if event_type(was) not in OF_A_RESULT:
        raise Impossible(
            "not-correctable",
            f"`{event_type(was)}` is not corrected: take it back, or record what undoes it.",
            where="$.act_id",
        )
    result = {name: act[name] for name in RESULT_FIELDS if name in act}
    number, table = was.round, was.table  # type: ignore[attr-defined]  # all of a result have both
    rulings.require_anothers(by, tournament, desks.desk_of(tournament), number, table)
    return correction_of(tournament, number, table, result)


def correction_of(
    tournament: Tournament, number: int, table: int, result: Mapping[str, Any]
) -> ResultCorrected | Ruled:
    """Return the act that sets a table's result: a correction if it is settled, else a ruling."""
    found = table_of(desks.desk_of(tournament), number, table)
    settled = found is None or found.status == "settled"
    kind: type[ResultCorrected] | type[Ruled] = ResultCorrected if settled else Ruled
    plain = {"round": number, "table": table, "note": "", **result}
    made: ResultCorrected | Ruled = canonical.convert(plain, kind, "$.act")
    return made


def _preview(tournament: Tournament, before: Timeline, act: Act) -> Preview:
    """Return the effect of one more act on a timeline. Raises: Irregular, Impossible."""
    after = before.copy()
    try:
        after.add(*replay.entry_after(after.ruleset, after, act))
    except replay.ActRefusedError as refused:
        raise refusal_of(tournament.log, before, refused.verdict) from None
    undone = sorted(set(before.effective()) - set(after.effective()))
    changes = followers.preview(tournament.log, before, after)
    return Preview(act, previews.difference(before, after), changes, tuple(undone))
