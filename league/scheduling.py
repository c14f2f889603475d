"""Rounds paired by the clock: a worker does what the console's button would have done.

What is drafted of the log is stored in the transaction that settles the date: both are there or
neither. So a round comes once, however many workers look and whenever one is killed. What could not
be paired leaves no trace in the log, and is tried again once the log went on, or who set its date
runs the tournament again.
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
from rules.ruleset import Act

logger = logging.getLogger(__name__)


def due() -> QuerySet[RoundDate]:
    """Return the dates that have come; not those refused since the log last went on."""
    open_ = RoundDate.objects.filter(tournament__log__status=Log.Status.OPEN)
    return open_.filter(
        tournament__closed_at=None,
        pairs_at__lte=timezone.now(),
        refused_at__lt=F("tournament__log__head_version"),
    )


def pair(pk: int) -> bool:
    """Pair and publish a round whose date has come; tell whether that was done now."""
    date = due().select_related("tournament__log", "set_by__user").filter(pk=pk).first()
    if date is None:
        return False
    desk = desks.desk_of(date.tournament)
    if date.round <= len(desk.rounds):  # a hand was there before
        dates.settle(date, desk)
        return False
    version = date.tournament.log.head_version
    try:
        return _record(date)
    except NotAllowed as refused:  # who runs it changes without the log: that is asked anew
        return _refused(date, refused, max(version - 1, 1))
    except Refused as refused:
        return _refused(date, refused, version)


def _refused(date: RoundDate, why: Refused, version: int) -> bool:
    """Note at which version a round could not be paired; return that it was not."""
    if date.refused_at != version:
        logger.info("round %s of %s: %s", date.round, date.tournament_id, why.detail)
        same = RoundDate.objects.filter(pk=date.pk, pairs_at=date.pairs_at)
        same.update(refused_at=version)
    return False


def obstacle(date: RoundDate) -> str:
    """Say what keeps a round from being paired now; "" when nothing does."""
    try:
        _drafted(date)
    except Refused as refused:
        return refused.detail
    return ""


def _record(date: RoundDate) -> bool:
    """Record a round and settle its date; False where another did. Raises: Refused."""
    for _ in range(logs.MOST_TRIES):
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
    """Draft a round: the one before is closed, this one paired and published.

    Raises: Refused, with what stands in the way.
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
    if not found.proposal.pairings:
        raise Conflict("too-few", gettext("Fewer than two are there to play."))
    add(found.act, irregular=found.is_relaxed)
    add(RoundPublished(round=date.round))
    return drafting


def _setter(date: RoundDate) -> Player:
    """Return who set a date. Raises: NotAllowed unless they run the tournament still."""
    player = date.set_by
    user = player and player.user
    runs = user and user.is_active and policy.is_organiser(Actor(user, player), date.tournament)
    if player is None or not runs:
        text = gettext("Who set this date does not run the tournament any more.")
        raise NotAllowed("not-allowed", text)
    return player


def _require_turn(date: RoundDate, desk: Desk) -> None:
    """Raises: Conflict when something else comes before a round."""
    if not desk.stages:
        raise Conflict("no-stage", gettext("No stage has started."))
    if date.round != len(desk.rounds) + 1:
        text = gettext("Round {number} comes first.").format(number=len(desk.rounds) + 1)
        raise Conflict("other-round", text)


def _require_results(date: RoundDate, desk: Desk) -> None:
    """Raises: Conflict unless every result of the round under way counts."""
    current = desk.rounds[-1]
    if not current.published:
        text = gettext("Round {number} is not published.").format(number=len(desk.rounds))
        raise Conflict("not-published", text)
    missing = desks.uncounted(desks.setup_of(date.tournament).options, current)
    if missing:
        names = (gettext("table {number}").format(number=table.number) for table in missing)
        text = gettext("Results are missing: {names}.").format(names=", ".join(names))
        raise Conflict("results-missing", text)
