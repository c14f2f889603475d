"""The library `eventsourcing` on the current database: an aggregate that takes events."""

import tempfile
from pathlib import Path
from typing import Any

from django.db import connection
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from tests.bench.figure import REPEATS, Work


class Score(Aggregate):
    """The points of two seats, less state than any of our games has."""

    @event("Opened")
    def __init__(self) -> None:
        self.points = [0, 0]

    @event("PointsScored")
    def score(self, seat: int, points: int) -> None:
        self.points[seat - 1] += points


class Peer:
    """An application of the library with its own store, as durable as ours."""

    def __init__(self) -> None:
        self.application: Application[Any] = Application(env=_environment())

    def appends(self, count: int) -> Work:
        """Append `count` events to one stored aggregate kept in memory, with a commit each."""

        ready = [Score() for _ in range(REPEATS)]
        self.application.save(*ready)

        def append() -> int:
            score = ready.pop()
            for number in range(count):
                score.score(1 + number % 2, number % 7)
                self.application.save(score)
            return count

        return append

    def rebuilds(self, count: int, times: int) -> Work:
        """Load an aggregate of `count` events from the store, `times` times."""
        score = Score()
        for number in range(count - 1):
            score.score(1 + number % 2, number % 7)
        self.application.save(score)

        def rebuild() -> int:
            for _ in range(times):
                self.application.repository.get(score.id)
            return times * count

        return rebuild


def _environment() -> dict[str, str]:
    if connection.vendor == "sqlite":
        path = Path(tempfile.mkdtemp(dir=Path(connection.settings_dict["NAME"]).parent)) / "peer"
        return {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)}
    database = connection.settings_dict
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": database["NAME"],
        "POSTGRES_HOST": database["OPTIONS"].get("host", database["HOST"]),
        "POSTGRES_PORT": str(database["PORT"] or 5432),
        "POSTGRES_USER": database["USER"],
        "POSTGRES_PASSWORD": database["PASSWORD"] or "none",
        "POSTGRES_PRE_PING": "no",
    }
