"""Open a copy of a tournament for new staff to practise with."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from league import importing
from league.models import Tournament
from matches.actors import actor_for
from matches.errors import Refused


class Command(BaseCommand):
    help = "Open a tournament again as it stood before a round, seen by LOGIN alone, to practise."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("login", help="who practises")
        parser.add_argument("--tournament", metavar="CODE", help="the last that was closed if none")
        parser.add_argument("--round", type=int, default=1, help="the round it stands before")

    def handle(self, *args: Any, **options: Any) -> None:
        """Open the copy and print its code."""
        user = User.objects.filter(username=options["login"]).first()
        if user is None:
            raise CommandError(f"there is no account {options['login']}")
        found = Tournament.objects.exclude(closed_at=None).order_by("-closed_at")
        if options["tournament"]:
            found = Tournament.objects.filter(code=options["tournament"].upper())
        tournament = found.select_related("log").first()
        if tournament is None:
            raise CommandError("there is no such tournament")
        try:
            made = importing.practise(
                by=actor_for(user), tournament=tournament, number=options["round"]
            )
        except Refused as refused:
            raise CommandError(refused.detail) from None
        self.stdout.write(f"{made.title}: tournament {made.code}, beside {tournament.code}")
