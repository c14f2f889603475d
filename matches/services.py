"""Services on matches: record, propose, take back, correct, and run the table.

Each takes the actor (`by`), asks the policy, and records through `matches.log`. State beside the
log has services of its own: `scribes`, `proposals`, `jobs`, `keys`.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils.translation import gettext

import rules
from matches import (
    actors,
    canonical,
    corrections,
    cuts,
    drafting,
    jobs,
    links,
    lists,
    policy,
    proposals,
    scribes,
    selectors,
    undoing,
    verifications,
)
from matches.actors import Actor
from matches.changes import Preview, preview_of
from matches.claiming import merge as merge_guests
from matches.claiming import offer as offer_claim
from matches.claiming import take as claim
from matches.claiming import undo as undo_claim
from matches.corrections import Correction
from matches.drafting import After, Request
from matches.erasing import erase
from matches.errors import (
    BadInput,
    Impossible,
    Irregular,
    NotAllowed,
    NotFound,
    Refused,
)
from matches.log import Receipt
from matches.models import Job, Log, Match, Player, Proposal, Seat
from matches.opening import SeatRequest, open_match, require_shown
from matches.people import add_guest, rename, sign_up
from matches.transfer import import_log
from rules.ruleset import Act, Opened, SeedRevealed, TakenBack, Verdict, event_type

__all__ = [
    "CorrectionRequest",
    "SeatRequest",
    "accept_proposal",
    "add_guest",
    "change_cut",
    "claim",
    "correct",
    "dismiss_official",
    "erase",
    "import_log",
    "merge_guests",
    "name_official",
    "offer_claim",
    "open_match",
    "preview_correction",
    "propose",
    "record",
    "record_all",
    "rename",
    "replace_seat_link",
    "request_verify",
    "seat_link",
    "sign_up",
    "take_back",
    "take_seat",
    "undo_claim",
    "withdraw",
]

MAX_ACTS = 100


# -- recording ------------------------------------------------------------------------------


def record(
    *,
    match: Match,
    by: Actor,
    act_id: UUID,
    act: Act | Mapping[str, Any],
    after: After = None,
    irregular: bool = False,
    note: str = "",
    said_at: datetime | None = None,
    accepting: bool = False,
) -> Receipt:
    """Record an act and its consequences as the next entry of a match.

    `accepting`: the act is a kept proposal. `after`: the version or the id of the act it must
    follow. `irregular`: it stood, though against the rules. Idempotent by `act_id`. While somebody
    else is the scribe nothing is recorded; an act of a former scribe is kept as a proposal.

    Raises: NotFound, NotAllowed, BadInput, WrongSeat, Impossible, Irregular, MovedOn, IdReused,
    NotTheScribe.
    """
    policy.require_record(by, match)
    what = _act(match, by, act)
    if isinstance(what, TakenBack):
        return take_back(
            match=match,
            by=by,
            act_id=act_id,
            to=what.to,
            after=after,
            note=note,
            accepting=accepting,
        )
    request = _request(match, by, act_id, what, after, irregular, note, said_at)
    with _judged_by_what_is_known(match, by):
        return scribes.write(match, by, request, accepting=accepting)


@contextmanager
def _judged_by_what_is_known(match: Match, by: Actor) -> Iterator[None]:
    """Refuse an irregular act by what the actor may know, as others' hands may be the reason.

    Otherwise whoever records for another seat could find out its hand by what is refused.
    """
    try:
        yield
    except Irregular as refused:
        known = refused.judged and selectors.verdict_for(by, match, *refused.judged)
        if known is None or known == refused.verdict:
            raise
        if known.call == "legal":
            text = gettext("Something that is hidden from you speaks against it.")
            raise Irregular(Verdict("irregular", "hidden"), text) from None
        raise drafting.refusal_of(match.log, selectors.timeline(match), known) from None


def _act(match: Match, by: Actor, act: Act | Mapping[str, Any]) -> Act:
    """Return an act this actor may record by hand. Raises: BadInput, Impossible, NotAllowed."""
    ruleset = rules.get(match.log.ruleset)
    what = act if isinstance(act, Act) else canonical.act_from(ruleset, act)
    if isinstance(what, Opened | SeedRevealed):
        raise Impossible(
            "not-by-hand",
            gettext("`{type}` is recorded by the site itself.").format(type=event_type(what)),
        )
    if isinstance(what, ruleset.rulings):
        policy.require_rule(by, match)
    return what


def _request(
    match: Match,
    by: Actor,
    act_id: UUID,
    act: Act,
    after: After,
    irregular: bool,
    note: str,
    said_at: datetime | None,
) -> Request:
    return Request(
        act_id,
        act,
        actors.recorder(by, match),
        after=after,
        irregular=irregular,
        note=canonical.note_from(act, note),
        said_at=canonical.clock_from(said_at),
    )


def record_all(
    *, match: Match, by: Actor, acts: Sequence[Mapping[str, Any] | Refused]
) -> list[Receipt | Refused]:
    """Record acts one by one, as `lists.record_each` does, and return a result for each.

    Each act is the arguments of `record` other than `match` and `by`.
    """
    policy.require_record(by, match)
    return lists.record_each(acts, MAX_ACTS, partial(record, match=match, by=by))


# -- proposals ------------------------------------------------------------------------------


def propose(
    *,
    match: Match,
    by: Actor,
    act_id: UUID,
    act: Mapping[str, Any],
    after: After = None,
    irregular: bool = False,
    note: str = "",
    said_at: datetime | None = None,
) -> Proposal:
    """Keep an act as a proposal, without trying to record it. Takes what `record` does.

    Raises: NotFound, NotAllowed, BadInput, Impossible, IdReused, Conflict for one recorded.
    """
    policy.require_record(by, match)
    what = _act(match, by, act)
    request = _request(match, by, act_id, what, after, irregular, note, said_at)
    proposals.require_unrecorded(match, act_id)
    return proposals.keep(match, by, request)


def accept_proposal(*, match: Match, by: Actor, act_id: UUID, irregular: bool = False) -> Receipt:
    """Record a proposal under its own id, judged now. Raises: as `record`."""
    policy.require_record(by, match)
    kept = proposals.get(match, act_id)
    match.disputed = None  # read again whether it is
    return record(
        match=match,
        by=by,
        act_id=act_id,
        act=proposals.act_of(match, kept),
        irregular=kept.irregular or irregular,
        note=kept.note,
        said_at=kept.said_at,
        accepting=True,
    )


# -- taking back ----------------------------------------------------------------------------


def take_back(
    *,
    match: Match,
    by: Actor,
    act_id: UUID,
    to: int,
    after: After = None,
    note: str = "",
    accepting: bool = False,
) -> Receipt:
    """Make the state as at version `to` the current one again; `accepting` as in `record`.

    Anyone at the table may take back the last act (or the last taking back); past a server draw or
    a reveal it takes another seat. Rulings, older acts, and any once the match is over, take ruling
    rights.
    """
    policy.require_record(by, match)
    act = TakenBack(to=to)
    request = Request(
        act_id, act, actors.recorder(by, match), after=after, note=canonical.note_from(act, note)
    )
    return scribes.write(
        match,
        by,
        request,
        partial(undoing.permit_taking_back, match, by, to),
        accepting=accepting,
    )


# -- correcting -----------------------------------------------------------------------------


@dataclass(frozen=True)
class CorrectionRequest:
    """What happened instead of the act recorded as `act_id`.

    `act`: None strikes it out. `irregular`: it stood, though against the rules. `after`: the
    version, or the id of the act, that the correction must follow.
    """

    act_id: UUID
    act: Act | Mapping[str, Any] | None
    reason: str = ""
    after: After = None
    irregular: bool = False


def correct(
    *, match: Match, by: Actor, correction_id: UUID, request: CorrectionRequest
) -> list[Receipt]:
    """Replace a recorded act by another, or strike it out.

    The state before it becomes current again, then the new act and every later one are recorded
    again, in one transaction; a receipt for each. Anyone at the table may correct the last act;
    past a server draw or a reveal it takes another seat. A ruling takes ruling rights; older acts,
    and any once the match is over, also a reason. Idempotent by `correction_id`.

    Raises: as `record`; Conflict `counts-no-more`; Impossible `nothing-changes`.
    """
    correction = _correction(match, by, correction_id, request)
    permit = partial(undoing.permit_correction, match, by, correction)
    return scribes.correct(match, by, correction, permit)


def preview_correction(*, match: Match, by: Actor, request: CorrectionRequest) -> Preview:
    """Return what `correct` would do now, without recording it. It needs no reason yet.

    Raises: as `correct`.
    """
    correction = _correction(match, by, uuid4(), request)
    permit = partial(undoing.permit_correction, match, by, correction)
    before, plan, needs_reason = corrections.plan(match.log, correction, permit)
    eyes = policy.audience(by, match)
    return preview_of(match, before, plan, eyes, needs_reason=needs_reason)


def _correction(
    match: Match, by: Actor, correction_id: UUID, request: CorrectionRequest
) -> Correction:
    policy.require_record(by, match)
    new = None if request.act is None else _act(match, by, request.act)
    if isinstance(new, TakenBack):
        raise Impossible(
            "not-an-act", gettext("A correction says what happened instead, or nothing.")
        )
    if new is not None:
        canonical.note_from(new, "")
    return Correction(
        act_id=correction_id,
        target=request.act_id,
        act=new,
        by=actors.recorder(by, match),
        after=request.after,
        irregular=request.irregular,
        note=canonical.text_from(request.reason, "$.reason", canonical.MAX_NOTE, lines=True),
    )


# -- the table ------------------------------------------------------------------------------


def seat_link(seat: Seat) -> str:
    """Return the signed token that lets its holder sit here."""
    return links.seat_token(seat)


def replace_seat_link(*, by: Actor, seat: Seat) -> str:
    """Make a new link to a seat; the old one stops working."""
    policy.require_manage(by, seat.match)
    seat.link = uuid4()
    seat.save(update_fields=["link"])
    return links.seat_token(seat)


@transaction.atomic
def take_seat(*, by: Actor, token: str, name: str = "") -> Seat:
    """Sit down by a seat's link; one signed in becomes its player, unless a user holds it.

    Who is not may give a `name`: a guest of whoever opened the match sits where nobody did.
    Raises: NotFound for a link forged or revoked, BadInput.
    """
    seat = links.seat_of(token, lock=True)  # two may hold one link
    if policy.may_open(by):
        by = replace(by, player=actors.player_of(by))
        if seat.player is None or seat.player.user_id is None:
            scribes.go_on(seat, by)
            seat.player = by.player
    elif name and seat.player is None:
        name = canonical.text_from(name, "$.name", 80)
        seat.player = Player.objects.create(name=name, invited_by=seat.match.opener)
    seat.save(update_fields=["player"])
    return seat


def name_official(*, by: Actor, match: Match, player: Player) -> None:
    """Name an official of a match."""
    policy.require_manage(by, match)
    if match.sanctioned and by.player == player:
        raise NotAllowed(
            "not-allowed", gettext("Nobody may name themselves an official of a sanctioned match.")
        )
    match.officials.add(player)


def dismiss_official(*, by: Actor, match: Match, player: Player) -> None:
    """Remove an official; requires ruling rights.

    Raises: NotFound, NotAllowed.
    """
    policy.require_rule(by, match)
    if not match.officials.filter(pk=player.pk).exists():
        raise NotFound(gettext("That is no official of this match."), "no-such-official")
    match.officials.remove(player)


def withdraw(*, by: Actor, match: Match) -> None:
    """Hide an abandoned match from view. Nothing of it is deleted."""
    policy.require_manage(by, match)
    with transaction.atomic():
        match.log.status = Log.Status.WITHDRAWN
        match.log.save(update_fields=["status"])
        jobs.due(match.log.pk)


def change_cut(
    *,
    by: Actor,
    match: Match,
    held: bool | None = None,
    delay: int | None = None,
    visibility: str | None = None,
    upto: int | None = None,
) -> None:
    """Hold a match's results back from the public, delay them, or release them.

    Arguments not given stay as they are; what was public once stays public. `delay` in seconds.
    Raises: NotFound, NotAllowed, BadInput.
    """
    policy.require_manage(by, match)
    if (held, delay, visibility, upto) == (None,) * 4:
        raise BadInput("missing-field", gettext("Say what is to change."), "$")
    require_shown(visibility, delay)
    cuts.change(match, held=held, delay=delay, visibility=visibility, upto=upto)


def request_verify(*, match: Match, by: Actor) -> Job:
    """Ask a worker to verify a match's log, unless that is asked already."""
    return jobs.ask(verifications.VERIFY, match.log, by=by)
