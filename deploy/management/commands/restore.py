"""`manage.py restore FILE`: restore a backup into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy import backup
from matches.append_only import NotAppendOnly


class Command(BaseCommand):
    help = "Put a copy made by `backup` into the empty database that the settings name."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backup.restore(options["file"])
        except (backup.Failed, NotAppendOnly, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write("Restored. `manage.py drill` with the same file proves it.")
