"""`flush` for tests: the events are append-only, and yet a test must leave empty tables."""

from typing import Any

from django.core.management.commands import flush

from matches import triggers
from tests import database


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        """As the owner, take the triggers away and empty all tables.

        Flush's post_migrate puts triggers and rights back.
        """
        with database.as_owner():
            triggers.drop(options["database"])
            super().handle(**options)
