"""The same act sent sixteen times at once: one row, sixteen equal receipts."""

from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

from matches import log, services
from matches.log import Receipt
from matches.models import Event
from tests import factories
from tests.prove import crowd
from tests.prove.crowd import WRITERS
from tests.prove.experiment import Found, batches, experiment, must_break, require

PER_MATCH = 25


@experiment(
    section="Races",
    promise="An act sent sixteen times at once is recorded once, and each sender gets the "
    "same receipt.",
    full={"rounds": 500},
    short={"rounds": 100},
)
def same_id(*, rounds: int) -> Found:
    for count in batches(rounds, PER_MATCH):
        send(count)
    broke = must_break(lambda: with_ids_of_its_own(min(rounds, 5)))
    return Found(
        asked=f"{rounds:,} acts, each sent by {WRITERS} at once under one id",
        found=f"{rounds:,} rows, {rounds * WRITERS:,} receipts, all {WRITERS} of an act equal",
        counts={"acts": rounds, "receipts": rounds * WRITERS},
        bite=f"Without the id check: {broke}.",
    )


def send(rounds: int) -> None:
    """Send acts to a new match; in every other round clients also name the entry to follow."""
    match = factories.match()
    by = factories.opener_of(match)
    own = crowd.copies(match, by)
    ids: list[UUID] = [uuid4() for _ in range(rounds)]

    def write(number: int, writer: int) -> Receipt:
        after = ids[number - 1] if number % 2 else None
        act = factories.points(1 + number % 2, number % 7)
        return services.record(match=own[writer], by=by, act_id=ids[number], act=act, after=after)

    for number, answers in enumerate(crowd.rounds(write, rounds), 1):
        statuses = sorted(map(crowd.status, answers))
        others = sum(answer != answers[0] for answer in answers)
        require(not others, f"{others} of {WRITERS} got a different receipt for act {number}")
        require(statuses == [200] * (WRITERS - 1) + [201], f"act {number}: {statuses}")
    stored = list(
        Event.objects.filter(log=match.log, ordinal=0, version__gt=1)
        .order_by("version")
        .values_list("act_id", flat=True)
    )
    require(stored == ids, f"{len(stored)} rows for {rounds} acts")


def with_ids_of_its_own(rounds: int) -> None:
    """Send to a log that assigns each request an id of its own: the broken variant."""
    append = log.append

    def careless(into: Any, request: log.Request, *rest: Any) -> Receipt:
        own = {"act": request.act, "by": request.by}
        return append(into, log.Request(uuid4(), **own), *rest)

    with patch.object(log, "append", careless):
        send(rounds)
