"""`manage.py drill FILE`: verify that a restored database is the backup, and can go on."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy import backup


class Command(BaseCommand):
    help = "Compare the database with the copy it was restored from. It changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            for line in backup.drill(options["file"]):
                self.stdout.write(line)
        except (backup.Failed, OSError) as error:
            raise CommandError(f"the drill failed: {error}") from error
        self.stdout.write("The drill is passed.")
