"""Followers for tests, which record how far they have seen a log."""

from collections.abc import Iterable
from uuid import uuid5

from django.db import OperationalError

import rules
from matches import log as logs
from matches.followers import Follower, Reconciler
from matches.models import Job, Log
from rules.replay import Timeline

KIND = "seen"


class Seeing(Follower):
    """Keeps one row per log: its head, and the score as a line."""

    def project(self, log: Log) -> None:
        state = logs.load(log).at(log.head_version).state
        said = rules.get(log.ruleset).headline(state)
        Job.objects.filter(kind=KIND, log=log).delete()
        Job.objects.create(kind=KIND, log=log, result=[log.head_version, said])

    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        if len(before) != len(after):
            yield f"{len(before)} entries would be {len(after)}."


class Failing(Seeing):
    """Fails for a log with three entries, after half its work is done."""

    def project(self, log: Log) -> None:
        super().project(log)
        if log.head_version >= 3:
            raise ZeroDivisionError("three is too many")


class Answering(Seeing, Reconciler):
    """Notes each reconciled head once, outside the projection's transaction."""

    def reconcile(self, log: Log) -> None:
        pk = uuid5(log.pk, str(log.head_version))
        Job.objects.get_or_create(pk=pk, defaults={"kind": "reconciled", "log": log})


class Blind(Follower):
    def project(self, log: Log) -> None:
        """Write no rows."""

    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        raise ZeroDivisionError


class CutOff(Blind):
    def preview(self, log: Log, before: Timeline, after: Timeline) -> Iterable[str]:
        raise OperationalError


def seen(log: Log) -> list[object] | None:
    """Return what was recorded about a log."""
    row = Job.objects.filter(kind=KIND, log=log).first()
    return row and row.result


class Steady(Seeing):
    """Declares its rows still valid as long as only points were added."""

    def stands(self, log: Log, timeline: Timeline, since: int) -> bool:
        return True
