"""Partition the events by log, once their table has outgrown one index."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from matches import append_only, partitions


class Command(BaseCommand):
    help = "As the owner, on PostgreSQL, while the site stands still: put the events into parts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--parts", type=int, default=16, metavar="N", help="16 by default")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do all of it, or nothing."""
        try:
            rows = partitions.partition(append_only.owner_alias(), options["parts"])
        except partitions.CannotPartition as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{rows} events lie in {options['parts']} parts; triggers and rights too")
