"""Sixteen writers append after the same entry, again and again: one wins each time."""

from collections import Counter
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from matches import log, memory, services, storing
from matches.log import Receipt
from matches.memory import Tip
from matches.models import Event, FeedHead, Log, Match
from matches.verify import verify
from tests import factories
from tests.prove import crowd
from tests.prove.crowd import WRITERS
from tests.prove.experiment import Found, batches, experiment, must_break, require

PER_MATCH = 15
WON_BY_ONE = {201: 1, 409: WRITERS - 1}


@experiment(
    section="Races",
    promise="Of sixteen clients that record after the same entry at once, one wins; the others get "
    "a conflict.",
    full={"rounds": 1000},
    short={"rounds": 200},
)
def one_version(*, rounds: int) -> Found:
    """Keep three of four matches cached, as one process does; reload the fourth each time."""
    matches = []
    for number, count in enumerate(batches(rounds, PER_MATCH)):
        matches.append(factories.match())
        if number % 4 == 3:
            with patch.object(memory, "keep", lambda fresh: fresh):
                race(matches[-1], count)
        else:
            race(matches[-1], count)
    for match in matches:
        report = verify(Log.objects.get(pk=match.log.pk))
        require(report.ok, f"the log does not verify: {report.problem} {report.detail}")
    written = Event.objects.filter(ordinal=0).count()
    require(written == rounds + len(matches), f"{written} entries after {rounds} rounds")
    require(FeedHead.objects.get().position == written, "the feed has gaps")
    broke = must_break(lambda: checked_too_early(min(rounds, 20)))
    return Found(
        asked=f"{rounds:,} rounds of {WRITERS} writers on one version",
        found=f"one 201 and fifteen 409 in each of {rounds:,} rounds, no gap, every log verified",
        counts={"rounds": rounds, "entries": written},
        bite=f"With the version checked before the lock: {broke}.",
    )


def race(match: Match, rounds: int) -> None:
    first, by = match.log.head_version, factories.opener_of(match)
    own = crowd.copies(match, by)

    def write(number: int, writer: int) -> Receipt:
        act, after = factories.points(1 + writer % 2), first + number
        return services.record(match=own[writer], by=by, act_id=uuid4(), act=act, after=after)

    for number, answers in enumerate(crowd.rounds(write, rounds), 1):
        found = dict(Counter(map(crowd.status, answers)))
        require(found == WON_BY_ONE, f"round {number} was answered with {told(found)}")


def told(found: dict[int, int]) -> str:
    return " and ".join(f"{count} × {status}" for status, count in sorted(found.items()))


def checked_too_early(rounds: int) -> None:
    """Race with a writer that compares the version before locking only: the broken variant."""
    insert = log.insert_entries

    def early(into: Log, tip: Tip, *rest: Any, **more: Any) -> int | None:
        now = Log.objects.values_list("head_version", "head_hash").get(pk=into.pk)
        return insert(into, tip, *rest, **more) if now == tip else None

    def trusting(into: Log, tip: Tip, head: dict[str, Any]) -> bool:
        return Log.objects.filter(pk=into.pk).update(**head) == 1

    with (
        patch.object(log, "insert_entries", early),
        patch.object(storing, "move_head", trusting),
        patch.object(storing, "has_one_statement", lambda: False),  # which compares by itself
    ):
        race(factories.match(), rounds)
