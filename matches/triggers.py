"""What is append-only stays so, and the database itself sees to it.

The triggers are put back after every migrate: SQLite drops them whenever it rebuilds a table.
"""

from collections.abc import Mapping
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Max, Model

from matches import append_only
from matches.models import Event, FeedHead

SAYS = "is append-only"
FUNCTION = "refuse_change"
BODY = f"BEGIN RAISE EXCEPTION '% {SAYS}', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END"
# When, and how PostgreSQL notes that: BEFORE is 2, each row 1, DELETE 8, UPDATE 16, TRUNCATE 32.
POSTGRESQL = {
    "no_change": ("BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW", 2 + 1 + 8 + 16),
    "no_truncate": ("BEFORE TRUNCATE ON {table} FOR EACH STATEMENT", 2 + 32),
}


def put_back(using: str = DEFAULT_DB_ALIAS) -> None:
    """Make the triggers and the head of the feed; only the owner of the tables can."""
    database = connections[using]
    there = database.introspection.table_names()
    for model in append_only.models():
        if model._meta.db_table in there and _problems(database, model):
            with transaction.atomic(using=using):
                _drop(database, model)
                _make(database, model)
    if Event._meta.db_table in there and FeedHead._meta.db_table in there:
        _make_feed_head(using)


def drop(using: str = DEFAULT_DB_ALIAS) -> None:
    """Take the triggers away; for tests, whose tables are emptied in between."""
    for model in append_only.models():
        _drop(connections[using], model)


def check(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return what is wrong with the triggers, nothing when all is as it should be."""
    database = connections[using]
    there = database.introspection.table_names()
    problems = []
    for model in append_only.models():
        table = model._meta.db_table
        problems += _problems(database, model) if table in there else [f"there is no table {table}"]
    return problems


# -- one table ------------------------------------------------------------------------------


def expected(vendor: str, model: type[Model]) -> dict[str, Any]:
    """Return the triggers of a model by name: on SQLite the statements that make them."""
    name, table = model._meta.model_name, model._meta.db_table
    if vendor != "sqlite":
        return {
            f"{name}_{what}": (kind, "A", FUNCTION, BODY, True)
            for what, (_, kind) in POSTGRESQL.items()
        }
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} {SAYS}'); END"
    # REPLACE would delete the row in the way without asking the other triggers.
    in_the_way = "\nOR ".join(_row_there(table, key) for key in append_only.keys(model))
    when = {
        f"{name}_no_update": "UPDATE ON {table}",
        f"{name}_no_delete": "DELETE ON {table}",
        f"{name}_no_replace": f"INSERT ON {{table}}\nWHEN {in_the_way}",
    }
    return {
        trigger: f"CREATE TRIGGER {trigger} BEFORE {event.format(table=table)}\n{refuse}"
        for trigger, event in when.items()
    }


def _row_there(table: str, key: tuple[str, ...]) -> str:
    same = " AND ".join(f'"{column}" = NEW."{column}"' for column in key)
    return f"EXISTS (SELECT 1 FROM {table} WHERE {same})"


def _make(database: BaseDatabaseWrapper, model: type[Model]) -> None:
    name, table = model._meta.model_name, model._meta.db_table
    with database.cursor() as cursor:
        if database.vendor == "sqlite":
            for statement in expected("sqlite", model).values():
                cursor.execute(statement)
            return
        cursor.execute(
            f"CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql "
            f"AS $body${BODY}$body$"
        )
        for what, (when, _) in POSTGRESQL.items():
            cursor.execute(
                f"CREATE TRIGGER {name}_{what} {when.format(table=table)} "
                f"EXECUTE FUNCTION {FUNCTION}()"
            )
            # Always: also where a session says it is a replica.
            cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}_{what}")


def _drop(database: BaseDatabaseWrapper, model: type[Model]) -> None:
    where = "" if database.vendor == "sqlite" else f" ON {model._meta.db_table}"
    with database.cursor() as cursor:
        for name in expected(database.vendor, model):
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{where}")


def _problems(database: BaseDatabaseWrapper, model: type[Model]) -> list[str]:
    look = _found_on_sqlite if database.vendor == "sqlite" else _found_on_postgresql
    return _compare(expected(database.vendor, model), look(database, model._meta.db_table))


def _found_on_sqlite(database: BaseDatabaseWrapper, table: str) -> dict[str, Any]:
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
        )
        return dict(cursor.fetchall())


def _found_on_postgresql(database: BaseDatabaseWrapper, table: str) -> dict[str, Any]:
    with database.cursor() as cursor:
        cursor.execute(
            """
            SELECT tgname, tgtype, tgenabled::text, proname, prosrc,
                tgqual IS NULL AND tgattr::text = ''
            FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
            WHERE tgrelid = to_regclass(%s) AND NOT tgisinternal
            """,
            [table],
        )
        return {name: tuple(rest) for name, *rest in cursor.fetchall()}


def _compare(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Name each trigger that is missing, changed or disabled, or that should not be there."""
    problems = []
    for name in sorted(wanted.keys() | found.keys()):
        if name not in found:
            problems.append(f"the trigger {name} is missing")
        elif name not in wanted:
            problems.append(f"there is a trigger {name} that is not ours")
        elif found[name] != wanted[name]:
            problems.append(f"the trigger {name} was changed or disabled")
    return problems


def _make_feed_head(using: str) -> None:
    """Make the one row positions are drawn from; over events restored it starts after them."""
    last = Event.objects.using(using).aggregate(last=Max("position"))["last"] or 0
    FeedHead.objects.using(using).get_or_create(pk=1, defaults={"position": last})
