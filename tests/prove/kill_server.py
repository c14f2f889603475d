"""kill -9 of the PostgreSQL server and all its processes, while four writers record."""

import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from django.core.management import call_command
from django.db import connection

from tests import factories, services, site
from tests.prove.experiment import Found, experiment, must_break, require
from tests.prove.kill_writer import check
from tests.prove.writer import Phone, Writer, writers

WRITERS = 4
FORGETFUL = ("synchronous_commit=off", "wal_writer_delay=10s")
PATIENCE = 120  # seconds


@experiment(
    section="Crashes",
    promise="Acknowledged acts survive when the database server and all its processes are killed.",
    full={"kills": 25, "fsync": "on"},
    short={"kills": 5, "fsync": "off"},
    engines=("postgresql",),
)
def kill_server(*, kills: int, fsync: str) -> Found:
    """Run on a separate server, because it will be killed.

    `fsync` matters only for a power failure: the data of a killed process stays with the system.
    """
    with (
        services.cluster(durable=True, options=[f"fsync={fsync}"]) as server,
        site.on_database(server.url),
        writers(server.home, DATABASE_URL=server.url) as hire,
    ):
        call_command("migrate", verbosity=0)
        processes, phones = killed(server, hire, kills)
        server.stop()
        server.options += FORGETFUL
        server.start()
        connection.close()
        broke = must_break(lambda: killed(server, hire, 2))
    said = sum(len(phone.said) for phone in phones)
    left = sum(phone.unacknowledged for phone in phones)
    return Found(
        asked=f"kill -9 of the server and all its processes, {processes} in all, {kills} times "
        f"under {WRITERS} writers",
        found=f"{said:,} acts: 0 acknowledged acts lost, 0 duplicated, no gap, order kept; "
        f"{left} commits had been left unacknowledged",
        counts={"kills": kills, "acts": said, "unacknowledged commits": left},
        bite=f"With synchronous_commit off: {broke}.",
    )


def killed(
    server: services.Cluster, hire: Callable[[], Writer], kills: int
) -> tuple[int, list[Phone]]:
    """Kill the server while each writer records in a match; return how many processes died."""
    pick = random.Random(kills)
    up, done = Event(), Event()
    up.set()

    def hire_when_up() -> Writer:
        up.wait(PATIENCE)
        return hire()

    tables = [factories.match() for _ in range(WRITERS)]
    phones = [
        Phone(hire_when_up, match.code, factories.opener_of(match).user.pk, seed)
        for seed, match in enumerate(tables)
    ]
    processes = 0
    with ThreadPoolExecutor(WRITERS) as pool:
        saying = [pool.submit(_keep_saying, phone, done) for phone in phones]
        try:
            for _ in range(kills):
                _wait_for_all(phones, done)
                time.sleep(pick.uniform(0, 0.2))
                up.clear()
                processes += server.kill()
                server.start()
                up.set()
            _wait_for_all(phones, done)
        finally:
            done.set()
            up.set()
        for each in saying:
            each.result(PATIENCE)
    connection.close()  # its backend was killed too
    check(phones)
    return processes, phones


def _keep_saying(phone: Phone, done: Event) -> None:
    """Record act after act until `done`; a phone that gets a wrong answer stops all."""
    try:
        while not done.is_set():
            phone.say()
    finally:
        done.set()
        phone.writer.close()


def _wait_for_all(phones: Sequence[Phone], done: Event) -> None:
    """Wait until every phone has recorded another act."""
    before = [len(phone.receipts) for phone in phones]
    deadline = time.monotonic() + PATIENCE
    while any(len(phone.receipts) <= count for phone, count in zip(phones, before, strict=True)):
        if done.is_set():
            return
        require(time.monotonic() < deadline, "nobody can record any more")
        time.sleep(0.005)
