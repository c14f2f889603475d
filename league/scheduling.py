"""Pair rounds at their set time: a worker does what the console's buttons would.

The drafted entries are stored in the transaction that settles the date, so that a round is paired
once, however many workers try and whenever one is killed. A failure leaves no trace in the log and
is retried once the log went on, or once whoever set the date runs the tournament again.
"""

import logging

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from league import dates, desks, pairing, policy
from league.models import RoundDate
from matches import log as logs
from matches.actors import Actor
from matches.errors import Busy, Conflict, NotAllowed, Refused
from matches.log import Drafting, Request
from matches.models import Log, Player, uuid7
from rules.desk.acts import RoundClosed, RoundPublished
from rules.desk.state import Desk, open_round
from rules.desk.worth import uncounted
from rules.ruleset import Act

logger = logging.getLogger(__name__)


def due() -> QuerySet[RoundDate]:
    """Return the dates that are due, without those refused at the log's current version."""
    open_ = RoundDate.objects.filter(tournament__log__status=Log.Status.OPEN)
    return open_.filter(
        tournament__closed_at=None,
        pairs_at__lte=timezone.now(),
        refused_at__lt=F("tournament__log__head_version"),
    )


def pair(pk: int) -> bool:
    """Pair and publish a round that is due; return whether that was done now."""
    date = due().select_related("tournament__log", "set_by__user").filter(pk=pk).first()
    if date is None:
        return False
    desk = desks.desk_of(date.tournament)
    if date.round <= len(desk.rounds):  # it was paired by hand
        dates.settle(date, desk)
        return False
    version = date.tournament.log.head_version
    try:
        return _record(date)
    # the right to run it changes without a new log entry, so retry at the same version
    except NotAllowed as refused:
        return _refused(date, refused, max(version - 1, 1))
    except Refused as refused:
        return _refused(date, refused, version)


def _refused(date: RoundDate, why: Refused, version: int) -> bool:
    """Note at which version a round could not be paired; return False."""
    if date.refused_at != version:
        logger.info("round %s of %s: %s", date.round, date.tournament_id, why.detail)
        same = RoundDate.objects.filter(pk=date.pk, pairs_at=date.pairs_at)
        same.update(refused_at=version)
    return False


def obstacle(date: RoundDate) -> str:
    """Describe what keeps a round from being paired now; "" if nothing does."""
    try:
        _drafted(date)
    except Refused as refused:
        return refused.detail
    return ""


def _record(date: RoundDate) -> bool:
    """Record a round and settle its date; False if somebody else did. Raises: Refused."""
    for _ in range(logs.MAX_TRIES):
        drafting = _drafted(date)
        with transaction.atomic():
            if not dates.settle(date, drafting.timeline.head.state.desk):
                return False
            if drafting.store():
                return True
            transaction.set_rollback(True)
        date.tournament.log.refresh_from_db()
    raise Busy("busy", gettext("Too many are recording in this log at once; try again."))


# -- what is recorded -----------------------------------------------------------------------


def _drafted(date: RoundDate) -> Drafting:
    """Draft a round: close the one before, pair this one and publish it.

    Raises: Refused, with the obstacle.
    """
    by = _setter(date)
    drafting = logs.drafting(date.tournament.log)

    def add(act: Act, *, irregular: bool = False) -> Desk:
        drafting.add(Request(uuid7(), act, by.pk, irregular=irregular))
        desk: Desk = drafting.timeline.head.state.desk
        return desk

    desk: Desk = drafting.timeline.head.state.desk
    _require_turn(date, desk)
    if number := open_round(desk):
        _require_results(date, desk)
        desk = add(RoundClosed(round=number))
    found = pairing.proposed(desk)
    add(found.act, irregular=found.is_relaxed)
    add(RoundPublished(round=date.round))
    return drafting


def _setter(date: RoundDate) -> Player:
    """Return the player who set a date. Raises: NotAllowed unless they still run the tournament."""
    player = date.set_by
    user = player and player.user
    runs = user and user.is_active and policy.is_organiser(Actor(user, player), date.tournament)
    if player is None or not runs:
        text = gettext("The person who set this date no longer runs the tournament.")
        raise NotAllowed("not-allowed", text)
    return player


def _require_turn(date: RoundDate, desk: Desk) -> None:
    """Raises: Conflict if something else comes before the round."""
    if not desk.stages:
        raise Conflict("no-stage", gettext("No stage has started."))
    if date.round != len(desk.rounds) + 1:
        text = gettext("Round {number} comes first.").format(number=len(desk.rounds) + 1)
        raise Conflict("other-round", text)


def _require_results(date: RoundDate, desk: Desk) -> None:
    """Raises: Conflict unless every result of the open round counts."""
    current = desk.rounds[-1]
    if not current.published:
        text = gettext("Round {number} is not published.").format(number=len(desk.rounds))
        raise Conflict("not-published", text)
    only = desks.setup_of(date.tournament).options.confirmed_only
    missing = uncounted(current, confirmed_only=only)
    if missing:
        names = (gettext("table {number}").format(number=table.number) for table in missing)
        text = gettext("Results are missing: {names}.").format(names=", ".join(names))
        raise Conflict("results-missing", text)
