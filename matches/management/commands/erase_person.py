"""Erase a person for good."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from matches import erasing
from matches.canonical import uuid_from
from matches.errors import Refused
from matches.models import Player


class Command(BaseCommand):
    help = "Erase a person: name, account, notes. What they played stays. There is no way back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("who", metavar="PLAYER", help="a player's id, or a username")
        parser.add_argument("--yes", action="store_true", help="do it; else only say what goes")

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what would be erased, and with --yes erase it."""
        player = _player(options["who"])
        extent = erasing.extent_of(player)
        notes, matches = extent["notes"], extent["matches"]
        what = f"{player.name} ({player.pk}), {notes} notes, {matches} matches stay"
        for line in extent["told"]:
            self.stdout.write(line)
        if extent["alone"]:
            self.stdout.write(f"Nobody else runs: {', '.join(extent['alone'])}.")
        if not options["yes"]:
            self.stdout.write(f"Would erase {what}. There is no way back; say --yes to do it.")
            return
        try:
            with transaction.atomic():
                erasing.erase_everything(player)
        except Refused as refused:
            raise CommandError(refused.detail) from refused
        self.stdout.write(f"Erased {player.pk}. Backups keep what they hold: see docs/security.md.")


def _player(who: str) -> Player:
    found = Player.objects.filter(user__username=who).first()
    if found is None and (pk := uuid_from(who)):
        found = Player.objects.filter(pk=pk).first()
    if found is None:
        raise CommandError(f"there is no player {who}")
    return found
