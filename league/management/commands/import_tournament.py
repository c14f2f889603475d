"""Record a tournament that was played elsewhere, from a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from league import files, importing
from league.importing import Imported
from league.models import League
from matches.actors import actor_for
from matches.errors import Refused


class Command(BaseCommand):
    help = (
        "Record a tournament from FILE: results as published (.json), a whole tournament of a "
        "site like this (.json), a report file (.trf, .txt) or a table of results (.csv). Says "
        "where standings differ from the published ones, and what each round cost."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--organiser", metavar="LOGIN", help="who runs it; the first superuser")
        parser.add_argument("--league", metavar="SLUG", help="the league it is of")
        parser.add_argument("--title", default="", help="what it is called")

    def handle(self, *args: Any, **options: Any) -> None:
        """Import the file; exit with status 1 if anything differs."""
        path: Path = options["file"]
        try:
            data = path.read_bytes()
        except OSError as error:
            raise CommandError(f"the file cannot be read: {error}") from None
        try:
            found = importing.import_tournament(
                by=actor_for(self._organiser(options["organiser"])),
                data=data,
                kind=files.kind_of(path.name, data),
                title=options["title"],
                league=self._league(options["league"]),
            )
        except Refused as refused:
            raise CommandError(f"{path}: {refused.detail}") from None
        self._tell(found)

    def _organiser(self, login: str | None) -> User:
        users = User.objects.filter(is_active=True).order_by("pk")
        mine = users.filter(username=login) if login else users.filter(is_superuser=True)
        found = mine.first()
        if found is None:
            raise CommandError(f"there is no account {login}" if login else "name an --organiser")
        return found

    def _league(self, slug: str | None) -> League | None:
        if slug is None:
            return None
        found = League.objects.filter(slug=slug).first()
        if found is None:
            raise CommandError(f"there is no league {slug}")
        return found

    def _tell(self, found: Imported) -> None:
        tournament = found.tournament
        self.stdout.write(f"{tournament.title}: tournament {tournament.code}")
        dearer = 0
        for each in found.weighed:
            ours, published = each.ours, each.published
            dearer += ours > published
            self.stdout.write(
                f"round {each.round}: published {published.rematches} rematches, squares "
                f"{published.squares}; ours {ours.rematches}, {ours.squares}"
            )
        for text in found.differences:
            self.stdout.write(text)
        if found.compared:
            self.stdout.write(
                f"{len(found.differences)} differences to {found.compared} published rows"
            )
        if found.differences or dearer:
            raise CommandError(f"{len(found.differences)} differences, {dearer} rounds cost more")
