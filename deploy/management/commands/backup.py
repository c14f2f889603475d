"""`manage.py backup FOLDER`: copy the database while the site runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy import backup


class Command(BaseCommand):
    help = "Copy the database into a folder, with a manifest that a drill compares with."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            path = backup.backup(options["folder"])
        except (backup.Failed, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(path))
