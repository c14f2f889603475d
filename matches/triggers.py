"""Append-only tables, enforced by triggers of the database.

The triggers are put back after every migrate: SQLite drops them whenever it rebuilds a table.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models import Max, Model

from matches import append_only
from matches.models import Event, FeedHead

SAYS = "is append-only"
FUNCTION = "refuse_change"
BODY = f"BEGIN RAISE EXCEPTION '% {SAYS}', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END"
KEEP = "keep_place"
KEEPS = (
    f"BEGIN IF NEW.ordinal = 0 THEN INSERT INTO {append_only.PLACES} (position) "
    "VALUES (NEW.position); END IF; RETURN NULL; END"
)
FUNCTIONS = {
    FUNCTION: f"AS $body${BODY}$body$",
    KEEP: f"SECURITY DEFINER SET search_path FROM CURRENT AS $body${KEEPS}$body$",
}


class When(NamedTuple):
    """When a trigger fires, and how PostgreSQL encodes that.

    Each row is 1, BEFORE 2, INSERT 4, DELETE 8, UPDATE 16, TRUNCATE 32.
    """

    timing: str
    noted: int
    function: str = FUNCTION
    body: str = BODY


OF_ROWS = {
    "no_change": When("BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW", 1 + 2 + 8 + 16),
}
OF_STATEMENTS = {
    "no_truncate": When("BEFORE TRUNCATE ON {table} FOR EACH STATEMENT", 2 + 32),
}
IN_PARTS = {
    "place_once": When("AFTER INSERT ON {table} FOR EACH ROW", 1 + 4, KEEP, KEEPS),
}
"""Replaces a unique key over all partitions of the events."""


def put_back(using: str = DEFAULT_DB_ALIAS) -> None:
    """Create the triggers and the head of the feed; only the owner of the tables can."""
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
    """Drop the triggers; for tests, which empty the tables."""
    for model in append_only.models():
        _drop(connections[using], model)


def check(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return what is wrong with the triggers; empty if nothing is."""
    database = connections[using]
    there = database.introspection.table_names()
    problems = []
    for model in append_only.models():
        table = model._meta.db_table
        problems += _problems(database, model) if table in there else [f"there is no table {table}"]
    return problems


# -- one table ------------------------------------------------------------------------------


def expected(vendor: str, model: type[Model], *, in_parts: bool = False) -> dict[str, Any]:
    """Return the triggers of a model by name: on SQLite the statements that create them.

    They are the same on a table and on each of its partitions.
    """
    name, table = model._meta.model_name, model._meta.db_table
    if vendor != "sqlite":
        return {
            f"{name}_{what}": (when.noted, "A", when.function, when.body, True)
            for what, when in (_of_rows(model, in_parts=in_parts) | OF_STATEMENTS).items()
        }
    refuse = f"BEGIN SELECT RAISE(ABORT, '{table} {SAYS}'); END"
    # REPLACE would delete a conflicting row without firing the DELETE trigger.
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


def _of_rows(model: type[Model], *, in_parts: bool) -> dict[str, When]:
    return OF_ROWS | (IN_PARTS if in_parts and model is Event else {})


def _make(database: BaseDatabaseWrapper, model: type[Model]) -> None:
    with database.cursor() as cursor:
        if database.vendor == "sqlite":
            for statement in expected("sqlite", model).values():
                cursor.execute(statement)
            return
        table = model._meta.db_table
        parts = append_only.parts(database, table)
        of_rows = _of_rows(model, in_parts=bool(parts))
        for function in {when.function for when in of_rows.values()}:
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql "
                + FUNCTIONS[function]
            )
        _create(cursor, model, table, of_rows | OF_STATEMENTS)
        for part in parts:  # which inherit row triggers from their table
            _create(cursor, model, part, OF_STATEMENTS)


def _create(
    cursor: CursorWrapper, model: type[Model], table: str, triggers: Mapping[str, When]
) -> None:
    for what, when in triggers.items():
        name = f"{model._meta.model_name}_{what}"
        cursor.execute(
            f"CREATE TRIGGER {name} {when.timing.format(table=table)} "
            f"EXECUTE FUNCTION {when.function}()"
        )
        # ALWAYS: also fires if session_replication_role is replica.
        cursor.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}")


def _drop(database: BaseDatabaseWrapper, model: type[Model]) -> None:
    table = model._meta.db_table
    with database.cursor() as cursor:
        if database.vendor == "sqlite":
            for name in expected("sqlite", model):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
            return
        for name in expected("postgresql", model, in_parts=True):
            cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        for part in append_only.parts(database, table):
            for what in OF_STATEMENTS:
                cursor.execute(f"DROP TRIGGER IF EXISTS {model._meta.model_name}_{what} ON {part}")


def _problems(database: BaseDatabaseWrapper, model: type[Model]) -> list[str]:
    table = model._meta.db_table
    if database.vendor == "sqlite":
        return _compare(expected("sqlite", model), _found_on_sqlite(database, table))
    parts = append_only.parts(database, table)
    wanted = expected("postgresql", model, in_parts=bool(parts))
    problems = _compare(wanted, _found_on_postgresql(database, table))
    for part in parts:
        found = _compare(wanted, _found_on_postgresql(database, part))
        problems += [f"{problem} on {part}" for problem in found]
    return problems + _missing(database, table, len(parts))


def _missing(database: BaseDatabaseWrapper, table: str, parts: int) -> list[str]:
    """Return a message if a table has fewer partitions than it should."""
    with database.cursor() as cursor:
        cursor.execute(
            r"""
            SELECT substring(pg_get_expr(relpartbound, oid) from 'modulus (\d+)')::int
            FROM pg_class JOIN pg_inherits ON inhrelid = oid
            WHERE inhparent = to_regclass(%s) LIMIT 1
            """,
            [table],
        )
        (count,) = cursor.fetchone() or (0,)
    return [f"{table} has {parts} of its {count} parts"] if parts != count else []


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
    """Return a message for each trigger that is missing, changed, disabled or unexpected."""
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
    """Create the row that positions are taken from; with restored events it starts after them."""
    last = Event.objects.using(using).filter(ordinal=0).aggregate(last=Max("position"))["last"] or 0
    FeedHead.objects.using(using).get_or_create(pk=1, defaults={"position": last})
