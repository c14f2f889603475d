"""Rebuild followers' rows from their logs."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet

from matches import followers
from matches.followers import Follower, Tally
from matches.models import Checkpoint, Log


class Command(BaseCommand):
    help = "Project logs anew for followers, parked ones too; ends with status 1 if any is parked."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--follower", metavar="NAME", help="this one alone; all without it")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--log", metavar="ID", help="this log alone")
        which.add_argument("--match", metavar="CODE", help="this match alone")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do what a worker does, for all or some followers and logs."""
        which = self._followers(options["follower"])
        logs = self._logs(options["log"], options["match"])
        total = Tally()
        for pk in logs.values_list("pk", flat=True):
            found = followers.follow(pk, which, anew=True)
            total += found
            if found.parked:
                self._tell_parked(pk, which)
        summary = f"{total.projected} projections of {logs.count()} logs, {total.parked} parked"
        self.stdout.write(summary)
        if total.parked:
            raise CommandError(f"{total.parked} parked")

    def _followers(self, name: str | None) -> Sequence[Follower]:
        if name is None:
            return followers.followers()
        if found := followers.named(name):
            return found
        known = ", ".join(each.name for each in followers.followers()) or "none"
        raise CommandError(f"there is no follower {name}; there is {known}")

    def _logs(self, pk: str | None, code: str | None) -> QuerySet[Log]:
        logs = Log.objects.filter(head_version__gt=0).order_by("pk")
        if pk is not None:
            try:
                logs = logs.filter(pk=UUID(pk))
            except ValueError:
                raise CommandError(f"{pk} is no log's id") from None
        if code is not None:
            logs = logs.filter(match__code=code.upper())
        if (pk or code) and not logs.exists():
            raise CommandError(f"there is no {'log' if pk else 'match'} {pk or code}")
        return logs

    def _tell_parked(self, pk: UUID, which: Sequence[Follower]) -> None:
        names = [follower.name for follower in which]
        for mark in Checkpoint.objects.filter(log_id=pk, follower__in=names).exclude(error=""):
            self.stdout.write(self.style.ERROR(f"{pk}: {mark.follower}: {mark.error}"))
