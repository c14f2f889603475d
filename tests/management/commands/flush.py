"""`flush` for tests: the events are append-only, and yet a test must leave empty tables."""

from typing import Any

from django.core.management.commands import flush

from matches import triggers


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        """Take the triggers away and empty all tables; flush's post_migrate puts them back."""
        triggers.drop(options["database"])
        super().handle(**options)
