"""Take a character's sheet from a file of text."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from characters import services
from characters.api.responses import paste_response
from matches.actors import actor_for
from matches.errors import Refused


class Command(BaseCommand):
    help = "Show what a pasted sheet is read as (JSON); with --owner keep it as their character."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--owner", metavar="LOGIN", help="whose character it becomes")

    def handle(self, *args: Any, **options: Any) -> None:
        """Parse the file and print what it holds, or store it."""
        try:
            text = options["file"].read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"the file cannot be read: {error}") from None
        try:
            self.stdout.write(self._taken(text, options["owner"]))
        except Refused as refused:
            raise CommandError(refused.detail) from None

    def _taken(self, text: str, login: str | None) -> str:
        if login is None:
            answer = paste_response(services.preview(text))
            return msgspec.json.format(msgspec.json.encode(answer), indent=1).decode()
        owner = User.objects.filter(username=login).first()
        if owner is None:
            raise CommandError(f"there is no account {login}")
        character = services.paste(by=actor_for(owner), text=text)
        return f"{character.name}: {character.get_absolute_url()}"
