"""The scribe: the device that records a match. Others may still send acts, as proposals.

Being the scribe is a lease, which is no part of the log: taken by recording on a device that has an
id, or by one tap; renewed by use, and without effect once idle. A former scribe may go on sending
acts recorded offline: they are kept as proposals until it is the scribe again.

A match without a scribe is recorded by anyone at its table. A request that names no device counts
as its player's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from matches import actors, corrections, once, policy, proposals, rows, selectors
from matches import log as logs
from matches.actors import Actor
from matches.corrections import Correction, PermitAt
from matches.drafting import Request
from matches.errors import IdReused, NotFound, NotTheScribe
from matches.log import Permit, Receipt
from matches.memory import loaded
from matches.models import Match, Proposal, ScribeLease, Seat

IDLE = timedelta(minutes=15)
RENEWED = timedelta(seconds=30)  # a renewal is not written again within this time


@dataclass(frozen=True)
class ScribeStatus:
    """An actor's relation to the scribe of a match.

    `live`: the lease that has not ended, idle or not; `lease`: the one in effect; `mine`: it is the
    actor's, on this device; `was`: a lease of the actor's was taken over; `own`: it is the actor's
    on another device.
    """

    live: ScribeLease | None
    lease: ScribeLease | None
    mine: bool
    was: bool
    own: bool = False

    @property
    def free(self) -> bool:
        """Whether the scribe is no obstacle to recording."""
        return self.mine or (self.lease is None and not self.was)


NO_SCRIBE = ScribeStatus(None, None, mine=False, was=False)


def status_of(by: Actor, match: Match) -> ScribeStatus:
    """Return an actor's relation to the scribe of a match."""
    live, leases = _leases(by, match)
    mine = live is not None and _holds(live, by, match)
    good = live is not None and (mine or timezone.now() - live.used_at <= IDLE)
    was = not mine and bool(leases) and leases[0].taken_away
    own = not mine and live is not None and _is_own(by, live)
    return ScribeStatus(live, live if good else None, mine, was, own)


def as_data(lease: ScribeLease | None) -> dict[str, Any] | None:
    """Return another's lease as plain data."""
    if lease is None:
        return None
    return {
        "id": str(lease.pk),
        "name": str(lease),
        "seat": lease.seat,
        "since": lease.taken_at,
        "you": False,
    }


def _before(by: Actor, match: Match, act_id: UUID) -> tuple[ScribeStatus, Proposal | None]:
    """Return an actor's relation to the scribe, and the proposal with an act's id.

    A match seldom has either: one short query tells, or reading the match told already. The latter
    counts for one act: the next act of a batch queries again.
    """
    disputed, match.disputed = match.disputed, None
    if disputed is False:
        return NO_SCRIBE, None
    pk = rows.adapted(match.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT 1 FROM matches_scribelease WHERE match_id = %s), "
            "EXISTS (SELECT 1 FROM matches_proposal WHERE match_id = %s AND act_id = %s)",
            [pk, pk, rows.adapted(act_id)],
        )
        had_scribe, is_proposed = cursor.fetchone()
    return (
        status_of(by, match) if had_scribe else NO_SCRIBE,
        proposals.find(match, act_id) if is_proposed else None,
    )


# -- recording ------------------------------------------------------------------------------


def write(
    match: Match,
    by: Actor,
    request: Request,
    permit: Permit | None = None,
    *,
    accepting: bool = False,
) -> Receipt:
    """Record an act of the scribe; keep one of a former scribe as a proposal.

    An act already in the log is answered with its first receipt, whoever sends it again, if they
    may see it. `accepting`: the act is a kept proposal.

    Raises: NotTheScribe, and what `proposals.resent` and `log.append` raise.
    """
    status, kept = _before(by, match, request.act_id)
    recorded = logs.version_of(match.log, request.act_id) is not None
    if not accepting:
        require_known(match, by, request, kept)
    if kept is not None:
        request = proposals.resent(kept, request, recorded=recorded)
    if not recorded:
        if not (accepting and _is_free_for(by, match, status)):
            proposals.require_undecided(kept)  # whoever may accept may also decide again
        _require_free(match, by, status, request)
    if kept is None:
        receipt = logs.append(match.log, request, permit)
    else:
        with transaction.atomic():
            kept = proposals.locked(kept)
            if not recorded and not accepting:
                proposals.require_undecided(kept)
            receipt = logs.append(match.log, request, permit)
            state = Proposal.State.ACCEPTED
            proposals.mark(kept, state, by, receipt.version, request.irregular)
    _use(match, by, status)
    return receipt


def require_known(match: Match, by: Actor, request: Request, kept: Proposal | None = None) -> None:
    """Require that an id is not that of another's act that is hidden from the actor.

    Otherwise the answer would confirm a guess. Raises: IdReused.
    """
    known = loaded(match.log)
    version = known.version_of(request.act_id)
    if version is not None:
        said_by, _ = known.recorded()[version - 1]
        own = request.is_by(said_by) and version > match.log.imported_version
        act = known.timeline.entries[version - 1].act
    elif kept is not None:
        own, act = request.is_by(kept.player_id), proposals.act_of(match, kept)
    else:
        return
    if not own and not selectors.sees(by, match, act):
        raise IdReused(request.act_id)


def correct(match: Match, by: Actor, correction: Correction, permit: PermitAt) -> list[Receipt]:
    """Record a correction by the scribe, or by an actor who always may; others' are not kept.

    Raises: NotTheScribe, and what `corrections.correct` raises.
    """
    status = status_of(by, match)
    if logs.version_of(match.log, correction.act_id) is None:
        _require_free(match, by, status)
    receipts = corrections.correct(match.log, correction, permit)
    _use(match, by, status)
    return receipts


def require(by: Actor, match: Match) -> None:
    """Require that the scribe is no obstacle: nothing is kept instead. Raises: NotTheScribe."""
    _require_free(match, by, status_of(by, match))


def _require_free(
    match: Match, by: Actor, status: ScribeStatus, request: Request | None = None
) -> None:
    """Require that the scribe is no obstacle; keep the request of a former scribe, if given."""
    if _is_free_for(by, match, status):
        return
    kept = proposals.keep(match, by, request) if request and status.was else None
    raise NotTheScribe(
        _why_not(by, status.lease, kept), as_data(status.lease), str(kept.act_id) if kept else None
    )


def _is_free_for(by: Actor, match: Match, status: ScribeStatus) -> bool:
    return status.free or policy.may_always_record(by, match)


def may_record(by: Actor, match: Match) -> bool:
    """Tell whether the scribe is no obstacle: the actor is it, or an official, or there is none."""
    return policy.may_always_record(by, match) or status_of(by, match).free


def _why_not(by: Actor, lease: ScribeLease | None, kept: Proposal | None) -> str:
    who = (
        gettext("{lease} is the scribe now.").format(lease=_called(by, lease))
        if lease
        else gettext("You are no longer the scribe.")
    )
    if kept is not None:
        return gettext("{who} What you sent is kept as a proposal.").format(who=who)
    return gettext("{who} Take over to record from here.").format(who=who)


def _called(by: Actor, lease: ScribeLease) -> str:
    """Return a scribe's name for an actor, whose own other device it may be."""
    return gettext("Your other device") if _is_own(by, lease) else str(lease)


def _is_own(by: Actor, lease: ScribeLease) -> bool:
    return by.player is not None and lease.player_id == by.player.pk


def _use(match: Match, by: Actor, status: ScribeStatus) -> None:
    """Renew the actor's lease; take a free one if the device has an id."""
    if status.live is not None and status.mine:
        _renew(status.live)
    elif status.free and by.device is not None and not policy.may_always_record(by, match):
        _hand_over(match, by, by.device, status.live)


# -- the lease ------------------------------------------------------------------------------


def take(*, match: Match, by: Actor, over: UUID | None) -> ScribeLease:
    """Become the scribe, in place of the lease the actor saw (`over`), None if there was none.

    A device without an id gets one: `device` of the lease. Raises: NotAllowed; NotTheScribe if
    somebody else was first.
    """
    policy.require_record(by, match)
    status = status_of(by, match)
    live, seen = status.live, {lease.pk if lease else None for lease in (status.live, status.lease)}
    if live is not None and status.mine:
        _renew(live)
        return live
    lease = _hand_over(match, by, by.device or uuid4(), live) if over in seen else None
    if lease is None:
        now = status_of(by, match).lease
        raise NotTheScribe(
            gettext("{now} was first. Look again.").format(now=now or gettext("Somebody")),
            as_data(now),
        )
    return lease


def renew(*, match: Match, by: Actor, pk: UUID) -> ScribeLease:
    """Keep a lease from going idle. Raises: NotAllowed, NotTheScribe if it is not the actor's."""
    policy.require_record(by, match)
    status = status_of(by, match)
    if status.lease is None or status.lease.pk != pk or not status.mine:
        raise NotTheScribe(_why_not(by, status.lease, None), as_data(status.lease))
    _renew(status.lease)
    return status.lease


def end(*, match: Match, by: Actor, pk: UUID) -> None:
    """End one's own lease, or revoke another's, as the opener and the officials may.

    Raises: NotFound, NotAllowed.
    """
    policy.require_record(by, match)
    lease = ScribeLease.objects.filter(match=match, pk=pk).first()
    if lease is None:
        raise NotFound(gettext("There is no such scribe."), "no-such-scribe")
    own = _holds(lease, by, match)
    if not own:
        policy.require_manage(by, match)
    _end(lease, by, taken_away=not own)


def go_on(seat: Seat, by: Actor) -> None:
    """When an account takes over a guest's seat, let the device it does so from stay the scribe."""
    if by.device is None:
        return
    live = ScribeLease.objects.filter(match=seat.match, ended_at=None, device=by.device)
    live.filter(seat=seat.number, player=seat.player).update(player=by.player)


def _leases(by: Actor, match: Match) -> tuple[ScribeLease | None, Sequence[ScribeLease]]:
    """Return the lease that has not ended, and those of the actor's device, newest first."""
    wanted = Q(ended_at=None)
    if by.device is not None:
        wanted |= Q(device=by.device)
    found = list(ScribeLease.objects.filter(wanted, match=match).select_related("player"))
    live = next((lease for lease in found if lease.ended_at is None), None)
    return live, [lease for lease in found if by.device and lease.device == by.device]


def _holds(lease: ScribeLease, by: Actor, match: Match) -> bool:
    player = actors.recorder(by, match)
    if by.device is None:
        return player is not None and lease.player_id == player
    return lease.device == by.device and lease.player_id == player


def _renew(lease: ScribeLease) -> None:
    now = timezone.now()
    if now - lease.used_at > RENEWED:
        ScribeLease.objects.filter(pk=lease.pk, ended_at=None).update(used_at=now)


def _hand_over(
    match: Match, by: Actor, device: UUID, live: ScribeLease | None
) -> ScribeLease | None:
    """Make a device the scribe in place of `live`; return None if somebody else was first."""
    seats = sorted(actors.seats_of(by, match))
    try:
        with transaction.atomic():
            if live is not None and not _end(live, by, taken_away=True):
                return None
            lease = ScribeLease.objects.create(
                match=match,
                device=device,
                player_id=actors.recorder(by, match),
                seat=seats[0] if seats else None,
                used_at=timezone.now(),
            )
            return once.mark(lease)
    except IntegrityError:  # a constraint allows one scribe
        return None


def _end(lease: ScribeLease, by: Actor, *, taken_away: bool) -> bool:
    """End a lease; return False if it had ended."""
    live = ScribeLease.objects.filter(pk=lease.pk, ended_at=None)
    return bool(live.update(ended_at=timezone.now(), ended_by=by.player, taken_away=taken_away))
