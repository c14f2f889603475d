"""The dates of rounds: when the next is paired by itself, and by when one is to be played."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from league import desks, policy
from league.models import RoundDate, Tournament
from matches.errors import BadInput, Conflict
from matches.policy import Actor
from rules.desk.state import Desk, open_round

FARTHEST = timedelta(days=366)


@dataclass(frozen=True)
class Timetable:
    """What is said of a tournament's rounds: of the one to come, and of the one under way."""

    coming: RoundDate | None = None
    under_way: RoundDate | None = None

    @property
    def dates(self) -> list[RoundDate]:
        return [each for each in (self.under_way, self.coming) if each is not None]


def timetable(tournament: Tournament, desk: Desk) -> Timetable:
    """Return the dates that stand at a desk: none once it is closed."""
    if desk.closed:
        return Timetable()
    by_round = {each.round: each for each in tournament.dates.all()}
    under_way = by_round.get(open_round(desk))
    coming = by_round.get(len(desk.rounds) + 1)
    return Timetable(
        coming if coming and coming.pairs_at else None,
        under_way if under_way and under_way.deadline else None,
    )


def set_date(
    *,
    by: Actor,
    tournament: Tournament,
    number: int,
    pairs_at: datetime | None = None,
    weekly: bool = False,
    deadline: datetime | None = None,
) -> None:
    """Set the dates of the round to come, or the deadline of the one under way; None ends one.

    Who sets when a round is paired has it paired in their name. Raises: NotAllowed, BadInput,
    Conflict for a tournament that is closed.
    """
    policy.require_organise(by, tournament)
    setter = policy.require_make(by)
    _require_round(desks.desk_of(tournament), number, pairs_at)
    _require_times(pairs_at, deadline)
    if weekly and pairs_at is None:
        text = gettext("Say when it is paired: the rounds after it are a week later each.")
        raise BadInput("missing-field", text, "$.pairs_at")
    said: dict[str, Any] = {"pairs_at": pairs_at, "weekly": weekly, "deadline": deadline}
    with transaction.atomic():
        Tournament.objects.select_for_update().get(pk=tournament.pk)
        if pairs_at or deadline:
            said |= {"set_by": setter, "refused_at": 0}
            tournament.dates.update_or_create(round=number, defaults=said)
        else:
            tournament.dates.filter(round=number).delete()
        if pairs_at:  # one stands at a time
            tournament.dates.exclude(round=number).update(pairs_at=None, weekly=False)


def _require_round(desk: Desk, number: int, pairs_at: datetime | None) -> None:
    """Raises: BadInput for a round that can not have such dates now, Conflict after the close."""
    if desk.closed:
        raise Conflict("closed", gettext("The tournament is closed."))
    coming = len(desk.rounds) + 1
    if number not in (coming, open_round(desk)):
        text = gettext("The dates of the round under way can be set, and of the next: {number}.")
        raise BadInput("no-such-round", text.format(number=coming), "$.round")
    if pairs_at and number != coming:
        text = gettext("Round {number} is paired already.").format(number=number)
        raise BadInput("paired-already", text, "$.pairs_at")


def _require_times(pairs_at: datetime | None, deadline: datetime | None) -> None:
    """Raises: BadInput for a time that is over, too far away, or before the pairing."""
    now = timezone.now()
    for name, at in (("pairs_at", pairs_at), ("deadline", deadline)):
        if at and at <= now:
            raise BadInput("in-the-past", gettext("This time is over."), f"$.{name}")
        if at and at > now + FARTHEST:
            text = gettext("This is more than a year away.")
            raise BadInput("too-far", text, f"$.{name}")
    if pairs_at and deadline and deadline <= pairs_at:
        text = gettext("It is to be played after it is paired.")
        raise BadInput("before-pairing", text, "$.deadline")
