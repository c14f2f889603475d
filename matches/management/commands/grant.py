"""Put triggers and rights back without migrating; migrate does the same at its end."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from matches import append_only, guard, triggers


class Command(BaseCommand):
    help = "As the owner: put the triggers back, and give the web role its rights and no others."

    def handle(self, *args: Any, **options: Any) -> None:
        """Put back what is missing, then report who may serve."""
        owner = append_only.owner_alias()
        try:
            guard.put_back(owner)
        except append_only.NotAppendOnly as refused:
            raise CommandError(str(refused)) from refused
        if problems := triggers.check(owner):
            raise CommandError(f"{'; '.join(problems)}; run `manage.py migrate` first")
        self.stdout.write("The triggers are in place.")
        if settings.WEB_ROLE:
            self.stdout.write(f"{settings.WEB_ROLE} has the rights to serve, and no others.")
