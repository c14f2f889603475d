"""kill -9 of the writing process, while clients resend what was not answered."""

import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from matches.models import Event, FeedHead, Log
from matches.verify import verify
from tests import factories
from tests.prove.experiment import Found, experiment, must_break, require
from tests.prove.writer import Phone, writers

CLIENTS = 4
PLACES = ("anywhere", "anywhere", "inside", "after", "after")
"""Where the process dies: at any moment, in the transaction, between commit and answer."""


@experiment(
    section="Crashes",
    promise="Acknowledged acts survive, and retried acts are recorded once, when the writing "
    "process is killed.",
    full={"kills": 300},
    short={"kills": 60},
)
def kill_writer(*, kills: int) -> Found:
    phones = killed(kills)
    check(phones)
    deaths = sum(phone.deaths for phone in phones)
    said = sum(len(phone.said) for phone in phones)
    left = sum(phone.unacknowledged for phone in phones)
    require(deaths >= kills, f"only {deaths} of {kills} processes died")
    require(left >= kills // 3, f"only {left} of {kills} kills left an unacknowledged commit")
    broke = must_break(lambda: check(killed(max(kills // 5, CLIENTS), trusting=True)))
    return Found(
        asked=f"kill -9 of the writing process {deaths} times under {CLIENTS} clients "
        "that retry under the same ids",
        found=f"{said:,} acts: 0 acknowledged acts lost, 0 duplicated, no gap, order kept; "
        f"{left} kills left an unacknowledged commit",
        counts={"kills": deaths, "acts": said, "unacknowledged commits": left},
        bite=f"Without the id check: {broke}.",
    )


def killed(kills: int, *, trusting: bool = False) -> list[Phone]:
    """Let clients record, each in its own match, and kill the processes that serve them."""
    tables = [factories.match() for _ in range(CLIENTS)]
    each = -(-kills // CLIENTS)
    with (
        tempfile.TemporaryDirectory() as folder,
        writers(Path(folder)) as hire,
        ThreadPoolExecutor(CLIENTS) as pool,
    ):
        phones = [
            Phone(hire, match.code, factories.opener_of(match).user.pk, seed, trusting=trusting)
            for seed, match in enumerate(tables)
        ]
        return list(pool.map(partial(_record, kills=each), phones))


def _record(phone: Phone, kills: int) -> Phone:
    for number in range(kills):
        for _ in range(phone.pick.randint(0, 2)):
            phone.say()
        phone.say(PLACES[number % len(PLACES)])
    phone.writer.close()
    return phone


def check(phones: Sequence[Phone]) -> None:
    """Compare the logs with what was sent and acknowledged."""
    said = sum(len(phone.said) for phone in phones)
    doubled = (
        Event.objects.filter(
            ordinal=0, version__gt=1, log__match__code__in=[phone.match for phone in phones]
        ).count()
        - said
    )
    require(doubled <= 0, f"{doubled} of {said} acts are stored twice")
    for phone in phones:
        log = Log.objects.get(match__code=phone.match)
        acts = list(
            Event.objects.filter(log=log, ordinal=0, version__gt=1)
            .order_by("version")
            .values("act_id", "version", "position", "hash")
        )
        require([str(act["act_id"]) for act in acts] == phone.said, "acts are lost or out of order")
        stored = [{name: act[name] for name in ("version", "position", "hash")} for act in acts]
        require(stored == list(phone.receipts.values()), "a receipt is not what was stored")
        require(
            [act["version"] for act in acts] == [*range(2, len(acts) + 2)], "versions have gaps"
        )
        report = verify(log)
        require(report.ok, f"a log does not verify: {report.problem} {report.detail}")
    positions = Event.objects.filter(ordinal=0).order_by("position")
    expected = list(range(1, FeedHead.objects.get().position + 1))
    require(list(positions.values_list("position", flat=True)) == expected, "the feed has gaps")
