"""Which models are append-only, and what else the database enforces.

`settings.APPEND_ONLY` lists them as `app.Model`; higher floors add their own ledgers there.
"""

from collections.abc import Iterator

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

OWNER_DB_ALIAS = "owner"
PLACES = "matches_eventplace"
"""The table that keeps feed positions unique while events are partitioned; internal."""


class NotAppendOnly(ImproperlyConfigured):
    """The events are not protected as they should be; the message says how to fix it."""


def models() -> list[type[Model]]:
    """Return the append-only models. Raises: LookupError for one that does not exist."""
    return [apps.get_model(label) for label in settings.APPEND_ONLY]


def tables() -> list[str]:
    return [model._meta.db_table for model in models()]


def parts(database: BaseDatabaseWrapper, table: str) -> list[str]:
    """Return the partitions of a table, none if it is not partitioned."""
    if database.vendor == "sqlite":
        return []
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass(%s)"
            " ORDER BY 1",
            [table],
        )
        return [part for (part,) in cursor.fetchall()]


def keys(model: type[Model]) -> Iterator[tuple[str, ...]]:
    """Yield the columns of each unique key of a model."""
    meta = model._meta
    columns = {field.name: str(field.column) for field in meta.local_fields}
    yield from ((columns[field.name],) for field in meta.local_fields if field.unique)
    for names in (*meta.unique_together, *(each.fields for each in meta.total_unique_constraints)):
        yield tuple(columns[name] for name in names)


def owner_alias() -> str:
    """Return the alias of the connection of the tables' owner, the default if there is one only."""
    return OWNER_DB_ALIAS if OWNER_DB_ALIAS in settings.DATABASES else DEFAULT_DB_ALIAS
