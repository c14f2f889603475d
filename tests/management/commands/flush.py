"""A `flush` for tests that also empties the append-only tables of events."""

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
        """Empty all tables as the owner, then put triggers and privileges back."""
        using = options["database"]
        with database.as_owner():
            triggers.drop(using)
            empty(connections[using])
            guard.put_back(using)


def empty(connection: BaseDatabaseWrapper) -> None:
    """Delete the rows of tables that have any: to truncate a table takes longer than to check."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    tables = [connection.ops.quote_name(name) for name in names if name not in KEPT]
    held = ", ".join(f"EXISTS(SELECT 1 FROM {table})" for table in tables)
    with transaction.atomic(connection.alias), connection.cursor() as cursor:
        cursor.execute(f"SELECT {held}")
        for table, has_rows in zip(tables, cursor.fetchone(), strict=True):
            if has_rows:
                cursor.execute(f"DELETE FROM {table}")
