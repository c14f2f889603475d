"""What players have won, drawn and lost: a row for each seat of a match that has ended.

A correction of a log changes the rows of its seats, so a record follows both ways.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import Case, Count, F, Q, QuerySet, When

import rules
from matches import cuts, policy
from matches import log as logs
from matches.followers import Follower
from matches.models import Log, Player, Seat, SeatResult
from matches.policy import Actor
from rules.replay import Timeline
from rules.ruleset import LOST_BY_ALL, Outcome

Result = SeatResult.Result


class PlayerRecords(Follower):
    """Keeps how each match came out for each of its seats."""

    def project(self, log: Log) -> None:
        timeline = logs.load(log)
        now = results_at(timeline, log.head_version)
        told = results_at(timeline, cuts.public_version(log))
        seats = Seat.objects.filter(match_id=log.pk)
        SeatResult.objects.filter(seat__in=seats).delete()
        SeatResult.objects.bulk_create(
            SeatResult(
                seat=seat,
                result=now.get(seat.number, ""),
                public_result=told.get(seat.number, ""),
            )
            for seat in seats
            if now or told
        )

    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        was, would = results_at(before, len(before)), results_at(after, len(after))
        for seat in Seat.objects.filter(match_id=log.pk).select_related("player"):
            old, new = was.get(seat.number), would.get(seat.number)
            if old != new:
                name = seat.player.name if seat.player else seat.label
                yield f"{name}: {old or 'no result'} becomes {new or 'no result'}."


def results_at(timeline: Timeline, version: int) -> dict[int, Result]:
    """Return how a match came out for each seat as at a version; empty while it goes on."""
    if not version:
        return {}
    outcome = timeline.ruleset.outcome(timeline.at(version).state)
    if outcome is None:
        return {}
    return {seat: _result(outcome, seat) for seat in range(1, len(outcome.places) + 1)}


def _result(outcome: Outcome, seat: int) -> Result:
    if outcome.why == LOST_BY_ALL:
        return Result.LOST
    if len(outcome.winners) in (0, len(outcome.places)):
        return Result.DRAWN
    return Result.WON if seat in outcome.winners else Result.LOST


class Record(NamedTuple):
    """A player's matches of one ruleset that have ended, and how."""

    ruleset: str
    game: str
    played: int
    won: int
    drawn: int
    lost: int


def results_for(actor: Actor, player: Player) -> QuerySet[Any]:
    """Return a player's results, `known` as far as an actor may, of the matches they may see."""
    known = Case(
        When(Q(seat__match__in=policy.whole_matches(actor)), then="result"),
        default="public_result",
    )
    return (
        SeatResult.objects.filter(seat__player=player)
        .filter(seat__match__in=policy.visible_matches(actor))
        .exclude(seat__match__log__status=Log.Status.WITHDRAWN)
        .annotate(known=known)
        .exclude(known="")
    )


def records_of(actor: Actor, player: Player) -> list[Record]:
    """Return a player's records, of the matches an actor may see and as far as they may know."""
    rows: Any = results_for(actor, player).annotate(ruleset=F("seat__match__log__ruleset"))
    counted = (
        rows.order_by("ruleset")
        .values("ruleset")
        .annotate(
            played=Count("pk"),
            **{result: Count("pk", filter=Q(known=result)) for result in Result.values},
        )
    )
    return [Record(game=rules.get(row["ruleset"]).name, **row) for row in counted]
