"""Archive a finished season to files."""

import hashlib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from league import archiving
from league.models import Season


class Command(BaseCommand):
    help = "Write the matches of a closed season, each proved, into FOLDER; nothing is deleted."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("season", metavar="ID", type=UUID, help="as in its page's address")
        parser.add_argument("folder", type=Path, help="one that is not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the files, and print the manifest's digest for those who keep a copy."""
        season = Season.objects.select_related("league").filter(pk=options["season"]).first()
        if season is None:
            raise CommandError(f"there is no season {options['season']}")
        folder: Path = options["folder"]
        try:
            manifest = archiving.archive(season, folder)
        except (archiving.CannotArchive, OSError) as error:
            raise CommandError(f"the season is not archived: {error}") from error
        path = folder / archiving.MANIFEST
        self.stdout.write(f"{path}: {len(manifest.matches)} matches of {season}")
        self.stdout.write(f"SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}")
