"""From SQLite to PostgreSQL: copies every row, as it is, into a database of the other engine.

A club starts with a file and may outgrow it. Rows keep their ids, and logs their hashes, so that
addresses, links and the heads kept outside stay valid; `manage.py drill` verifies it.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connections, transaction
from django.db.models import Model
from django.db.models.sql import InsertQuery
from django.db.utils import load_backend

COPY = "copy"
BATCH = 500  # rows per statement


def bring(copy: Path, using: str) -> None:
    """Copy all rows of an SQLite file into an empty, migrated database; atomic.

    The file is migrated first, so it should be a temporary copy.
    """
    _open(copy)
    try:
        call_command("migrate", database=COPY, interactive=False, verbosity=0)
        with transaction.atomic(using=using):
            _bring_all(using)
    finally:
        connections[COPY].close()
        del connections[COPY], connections.settings[COPY]


def _open(copy: Path) -> None:
    """Register a file as the database `COPY`."""
    engine = "django.db.backends.sqlite3"
    settings = {**connections["default"].settings_dict, "ENGINE": engine, "NAME": str(copy)}
    settings |= {"OPTIONS": {}, "CONN_MAX_AGE": 0, "USER": "", "HOST": ""}
    connections.settings[COPY] = settings
    connections[COPY] = load_backend(engine).DatabaseWrapper(settings, COPY)


def _bring_all(using: str) -> None:
    models = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]
    for model in models:  # rows made by migrations are in the copy too, under other ids
        model._base_manager.using(using).all()._raw_delete(using)
    for model in models:
        for rows in _batches(model):
            query = InsertQuery(model)
            query.insert_values(model._meta.local_concrete_fields, rows, raw=True)
            query.get_compiler(using=using).execute_sql()
    database = connections[using]
    with database.cursor() as cursor:
        for statement in database.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


def _batches(model: type[Model]) -> Iterator[list[Model]]:
    rows = model._base_manager.using(COPY).order_by("pk").iterator(BATCH)
    while batch := list(islice(rows, BATCH)):
        yield batch
