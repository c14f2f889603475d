"""`flush` for tests: the events are append-only, and yet a test must leave empty tables."""

from typing import Any

from django.core.management.commands import flush
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from matches import guard, triggers
from tests import database

KEPT = {"django_content_type", "auth_permission", "django_migrations"}
"""What every migrate makes alike: no test changes it, and to make it anew takes longest."""


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        """As the owner, empty whatever a test filled; triggers and rights are put back after."""
        using = options["database"]
        with database.as_owner():
            triggers.drop(using)
            empty(connections[using])
            guard.put_back(using)


def empty(connection: BaseDatabaseWrapper) -> None:
    """Delete all rows. Few tables have any, and to truncate one takes longer than to look."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = [connection.ops.quote_name(name) for name in names if name not in KEPT]
    held = ", ".join(f"EXISTS(SELECT 1 FROM {table})" for table in tables)
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        cursor.execute(f"SELECT {held}")
        for table, has_rows in zip(tables, cursor.fetchone(), strict=True):
            if has_rows:
                cursor.execute(f"DELETE FROM {table}")
