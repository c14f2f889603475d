"""The dates of rounds: when the next is paired automatically, and deadlines for playing."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from league import clocks, desks, policy
from league.models import RoundDate, Tournament
from matches.actors import Actor
from matches.errors import BadInput, Conflict
from rules.desk.pairing import is_over, planned_rounds
from rules.desk.state import Desk, open_round, rounds_of

FARTHEST = timedelta(days=366)


@dataclass(frozen=True)
class Timetable:
    """The dates of a tournament's open round and of those to come.

    Rounds beyond the next have dates only after the pairing of rounds was taken back.
    """

    under_way: RoundDate | None = None
    to_come: tuple[RoundDate, ...] = ()
    # the round after which others follow every week, 0 for none; there is at most one
    weekly: int = 0

    @property
    def dates(self) -> list[RoundDate]:
        return [*([self.under_way] if self.under_way else []), *self.to_come]

    @property
    def late(self) -> RoundDate | None:
        """Return the date that is due although its round is not paired yet, or None."""
        return next((each for each in self.to_come if each.is_late), None)


def timetable(tournament: Tournament, desk: Desk) -> Timetable:
    """Return the dates in force at a desk, none once it is closed."""
    if desk.closed:
        return Timetable()
    rows = [each for each in tournament.dates.all() if each.pairs_at or each.deadline]
    now, paired = open_round(desk), len(desk.rounds)
    under_way = next((each for each in rows if each.round == now and each.deadline), None)
    to_come = tuple(each for each in rows if each.round > paired)
    series = (each.round for each in to_come if each.weekly and _is_followed(desk, each.round))
    return Timetable(under_way, to_come, next(series, 0))


def begins_at(tournament: Tournament, published_at: datetime) -> datetime:
    """Return when a round begins: when it is published, but not before its tournament begins."""
    starts = tournament.starts_at
    return max(published_at, starts) if starts else published_at


def deadline_of(tournament: Tournament, number: int) -> datetime | None:
    """Return by when a round is to be played, None if that is open."""
    return tournament.dates.filter(round=number).values_list("deadline", flat=True).first()


def set_date(
    *,
    by: Actor,
    tournament: Tournament,
    number: int,
    pairs_at: datetime | None = None,
    weekly: bool = False,
    deadline: datetime | None = None,
) -> None:
    """Set the dates of the next round, or the deadline of the open one; None removes a date.

    A round is paired in the name of whoever sets when. Raises: NotAllowed, BadInput, Conflict if
    the tournament is closed.
    """
    policy.require_organise(by, tournament)
    setter = policy.require_make(by)
    _require_round(tournament, number, pairs_at, deadline)
    kept = tournament.dates.filter(round=number).first()
    _require_times(kept, pairs_at, deadline)
    if weekly and pairs_at is None:
        text = gettext("Say when it is paired: the rounds after it follow a week apart.")
        raise BadInput("missing-field", text, "$.pairs_at")
    fields: dict[str, Any] = {"pairs_at": pairs_at, "weekly": weekly, "deadline": deadline}
    with transaction.atomic():
        Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
        if pairs_at or deadline:
            clock = kept.clock if kept and kept.pairs_at == pairs_at else None
            fields |= {"set_by": setter, "refused_at": 0, "clock": clock}
            tournament.dates.update_or_create(round=number, defaults=fields)
        else:
            tournament.dates.filter(round=number).delete()
        if pairs_at:  # only one at a time
            tournament.dates.filter(round__gt=number).delete()
            tournament.dates.filter(round__lt=number).update(pairs_at=None, weekly=False)


def settle_paired(tournament: Tournament) -> None:
    """Settle the dates of all rounds that have been paired, by whomever.

    The dates are read before the desk, so that a date set meanwhile is not settled by mistake: its
    round was not paired when it was read.
    """
    if found := list(tournament.dates.filter(pairs_at__isnull=False)):
        tournament.log.refresh_from_db()
        desk = desks.desk_of(tournament)
        for date in found:
            if date.round <= len(desk.rounds):
                settle(date, desk)


def settle(date: RoundDate, desk: Desk) -> bool:
    """Remove a date, and set the next if they are weekly; False if it was changed meanwhile.

    The deadline of a weekly round that is paired only after it moves on by weeks as well.
    """
    zone = date.tournament.timezone
    with transaction.atomic():
        rows = RoundDate.objects.select_for_update().filter(pk=date.pk, pairs_at=date.pairs_at)
        kept = rows.first()
        if kept is None:
            return False
        if kept.weekly and _is_followed(desk, paired := len(desk.rounds)):
            _set_next(kept, paired + 1, zone)
        deadline = kept.deadline
        if deadline and kept.weekly:
            deadline = clocks.later(deadline, zone, _to_come(deadline, zone))
        rows.update(pairs_at=None, weekly=False, deadline=deadline)
    return True


def _is_followed(desk: Desk, number: int) -> bool:
    """Return whether another round of its stage may follow; for a bracket results will decide."""
    return not desk.stages or _place(desk, number) != planned_rounds(desk.stages[-1])


def _place(desk: Desk, number: int) -> int:
    """Return a round's number within the last stage; beyond its rounds it is a later stage's."""
    return number - len(desk.rounds) + len(rounds_of(desk, len(desk.stages) - 1))


def _may_come(tournament: Tournament, desk: Desk, number: int) -> bool:
    """Return whether a round can still come, in the open stage or a planned one."""
    if tournament.plans.count() > len(desk.stages):
        return True
    if not desk.stages or (not open_round(desk) and is_over(desk)):
        return False
    planned = planned_rounds(desk.stages[-1])
    return not planned or _place(desk, number) <= planned


def _to_come(at: datetime, zone: str, weeks: int = 0) -> timedelta:
    """Return how many weeks after a time, or more if it is not still to come then."""
    while clocks.later(at, zone, timedelta(weeks=weeks)) <= timezone.now():
        weeks += 1
    return timedelta(weeks=weeks)


def _set_next(date: RoundDate, number: int, zone: str) -> None:
    """Set a round to the same local time as an earlier one, in the first week still to come.

    The series returns to its `clock` after a day on which the clocks skipped it.
    """
    assert date.pairs_at is not None
    on = _to_come(date.pairs_at, zone, weeks=1)
    clock = date.clock or clocks.clock_at(date.pairs_at, zone)
    pairs_at = clocks.later(date.pairs_at, zone, on, clock)
    RoundDate.objects.get_or_create(
        tournament_id=date.tournament_id,
        round=number,
        defaults={
            "pairs_at": pairs_at,
            "clock": None if clocks.clock_at(pairs_at, zone) == clock else clock,
            "deadline": date.deadline and clocks.later(date.deadline, zone, on),
            "weekly": True,
            "set_by_id": date.set_by_id,
        },
    )


def settable(tournament: Tournament, desk: Desk) -> list[int]:
    """Return the rounds whose dates can be set: the open one, the next, later ones with dates."""
    found = {each.round for each in timetable(tournament, desk).to_come}
    return sorted((found | {open_round(desk), len(desk.rounds) + 1}) - {0})


def _require_round(
    tournament: Tournament, number: int, pairs_at: datetime | None, deadline: datetime | None
) -> None:
    """Raises: BadInput for a round that cannot have such dates now, Conflict after the close."""
    desk = desks.desk_of(tournament)
    if desk.closed:
        raise Conflict("closed", gettext("The tournament is closed."))
    coming = len(desk.rounds) + 1
    if number not in settable(tournament, desk):
        text = gettext("Dates can be set for the round under way and for the next, {number}.")
        raise BadInput("no-such-round", text.format(number=coming), "$.round")
    if pairs_at and number < coming:
        text = gettext("Round {number} is paired already.").format(number=number)
        raise BadInput("paired-already", text, "$.pairs_at")
    if (pairs_at or deadline) and number >= coming and not _may_come(tournament, desk, number):
        text = gettext("There will be no round {number}: no further stage is planned.")
        raise BadInput("never-comes", text.format(number=number), "$.round")


def _require_times(
    kept: RoundDate | None, pairs_at: datetime | None, deadline: datetime | None
) -> None:
    """Raises: BadInput for a time that is past, too far away, or before the pairing.

    An unchanged time may have passed meanwhile.
    """
    now = timezone.now()
    for name, at in (("pairs_at", pairs_at), ("deadline", deadline)):
        if at and at <= now and at != getattr(kept, name, None):
            raise BadInput("in-the-past", gettext("This time has passed."), f"$.{name}")
        if at and at > now + FARTHEST:
            text = gettext("This is more than a year away.")
            raise BadInput("too-far", text, f"$.{name}")
    if pairs_at and deadline and deadline <= pairs_at:
        text = gettext("The deadline must be after the pairing.")
        raise BadInput("before-pairing", text, "$.deadline")
