"""The id of an act reused for another act: refused, and nothing is written."""

from unittest.mock import patch
from uuid import UUID, uuid4

from matches import log, services
from matches.log import Receipt
from matches.models import Event
from tests import factories
from tests.prove import crowd
from tests.prove.crowd import WRITERS
from tests.prove.experiment import Found, batches, experiment, must_break, require

PER_MATCH = 20


@experiment(
    section="Races",
    promise="An id that names one act is never accepted for another.",
    full={"rounds": 1000},
    short={"rounds": 30},
)
def other_body(*, rounds: int) -> Found:
    """Half of the ids are taken already; for the other half sixteen different acts race."""
    for count in batches(rounds, PER_MATCH):
        send(count)
    broke = must_break(lambda: without_comparing(min(rounds, 5)))
    refused = rounds // 2 * WRITERS + (rounds - rounds // 2) * (WRITERS - 1)
    return Found(
        asked=f"{rounds:,} ids, each sent by {WRITERS} at once for {WRITERS} different acts, "
        "half of them used before",
        found=f"{refused:,} × 409, {rounds:,} rows: one per id",
        counts={"ids": rounds, "refused": refused},
        bite=f"Without comparing what was sent: {broke}.",
    )


def send(rounds: int) -> None:
    match = factories.match()
    by = factories.opener_of(match)
    own = crowd.copies(match, by)
    ids: list[UUID] = [uuid4() for _ in range(rounds)]
    taken = ids[1::2]
    for act_id in taken:
        services.record(match=own[0], by=by, act_id=act_id, act=factories.points(1, 99))

    def write(number: int, writer: int) -> Receipt:
        act = factories.points(1 + writer % 2, 1 + writer)
        return services.record(match=own[writer], by=by, act_id=ids[number], act=act)

    for number, answers in enumerate(crowd.rounds(write, rounds)):
        statuses = sorted(map(crowd.status, answers))
        first = [409] if number % 2 else [201]
        expected = sorted(first + [409] * (WRITERS - 1))
        told = f"{statuses.count(409)} of {expected.count(409)} were refused"
        require(statuses == expected, f"{told} for id {number + 1}")
    rows = Event.objects.filter(log=match.log, ordinal=0, version__gt=1)
    require(rows.count() == rounds, f"{rows.count()} rows for {rounds} ids")
    unchanged = rows.filter(act_id__in=taken, body__contains="99").count()
    require(unchanged == len(taken), "an act is not the one that was first recorded")


def without_comparing(rounds: int) -> None:
    """Send to a log that treats all requests as equal: the broken variant."""
    with patch.object(log.Request, "digest", "0" * 64):
        send(rounds)
