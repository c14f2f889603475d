"""`manage.py demo`: load the demo and print who may sign in."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from deploy import demo
from matches.models import Match


class Command(BaseCommand):
    help = (
        "Load the demo: people, and matches played by bots. A second run adds nothing; "
        "what changed rules decide otherwise is played anew."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        part = parser.add_mutually_exclusive_group()
        part.add_argument("--first", action="store_true", help="only what is waited for")
        part.add_argument("--rest", action="store_true", help="only what can come later")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["rest"]:
            demo.load_rest()
            return
        if not Match.objects.exists():
            self.stdout.write("Bots play the demo league's matches; a first start takes a minute.")
            self.stdout.flush()
        logins = demo.load()
        if not options["first"]:
            demo.load_rest()
        self.stdout.write("Sign in as:")
        for login, password in logins.items():
            self.stdout.write(f"{login}: {password}")
