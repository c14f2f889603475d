"""`manage.py backup FOLDER [--keep N]`: copy the database while the site runs."""

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy import backup


class Command(BaseCommand):
    help = "Copy the database into a folder, with a manifest that a drill compares with."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--keep", type=_count, help="remove all but so many of the newest")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            path = backup.backup(options["folder"])
        except backup.Failed as error:
            raise CommandError(str(error)) from error
        self.stdout.write(str(path))
        if options["keep"]:
            for old in backup.keep(options["folder"], options["keep"]):
                self.stdout.write(f"removed {old}")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no number of copies, 1 or more")
    return int(text)
