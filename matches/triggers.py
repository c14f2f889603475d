"""Events are append-only, and the database itself sees to it.

The triggers are put back after every migrate: SQLite drops them whenever it rebuilds a table.
A server or worker that finds them other than they should be does not start.
"""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Max

from matches.models import Event, FeedHead

TABLE = "matches_event"
SAYS = "events are append-only"

SQLITE = {
    "event_no_update": f"""CREATE TRIGGER event_no_update BEFORE UPDATE ON {TABLE}
BEGIN SELECT RAISE(ABORT, '{SAYS}'); END""",
    "event_no_delete": f"""CREATE TRIGGER event_no_delete BEFORE DELETE ON {TABLE}
BEGIN SELECT RAISE(ABORT, '{SAYS}'); END""",
    # REPLACE would delete the row in the way without asking the trigger above.
    "event_no_replace": f"""CREATE TRIGGER event_no_replace BEFORE INSERT ON {TABLE}
WHEN EXISTS (SELECT 1 FROM {TABLE} WHERE id = NEW.id)
OR EXISTS (SELECT 1 FROM {TABLE}
    WHERE log_id = NEW.log_id AND version = NEW.version AND ordinal = NEW.ordinal)
OR EXISTS (SELECT 1 FROM {TABLE} WHERE log_id = NEW.log_id AND act_id = NEW.act_id)
OR EXISTS (SELECT 1 FROM {TABLE} WHERE position = NEW.position AND ordinal = NEW.ordinal)
BEGIN SELECT RAISE(ABORT, '{SAYS}'); END""",
}

FUNCTION = "event_append_only"
BODY = f"BEGIN RAISE EXCEPTION '{SAYS}' USING ERRCODE = 'restrict_violation'; END"
# Name → when, and how PostgreSQL notes that: BEFORE is 2, each row 1, DELETE 8, UPDATE 16,
# TRUNCATE 32.
POSTGRESQL = {
    "event_no_change": ("BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW", 2 + 1 + 8 + 16),
    "event_no_truncate": ("BEFORE TRUNCATE ON {table} FOR EACH STATEMENT", 2 + 32),
}


class NotAppendOnly(ImproperlyConfigured):
    """The events are not protected as they should be; the message says how to mend it."""


def after_migrate(using: str, **kwargs: Any) -> None:
    """Put everything back; called after every migrate and flush."""
    put_back(using)


def put_back(using: str = DEFAULT_DB_ALIAS) -> None:
    """Make the triggers and the head of the feed."""
    database = connections[using]
    if TABLE not in database.introspection.table_names():
        return  # migrated back to before there were events
    if check(using):
        with transaction.atomic(using=using):
            drop(using)
            _make(database)
    _make_feed_head(using)


def _make(database: BaseDatabaseWrapper) -> None:
    with database.cursor() as cursor:
        if database.vendor == "sqlite":
            for statement in SQLITE.values():
                cursor.execute(statement)
            return
        cursor.execute(
            f"CREATE OR REPLACE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql "
            f"AS $body${BODY}$body$"
        )
        for name, (when, _) in POSTGRESQL.items():
            cursor.execute(
                f"CREATE TRIGGER {name} {when.format(table=TABLE)} EXECUTE FUNCTION {FUNCTION}()"
            )
            # Always: also where a session says it is a replica.
            cursor.execute(f"ALTER TABLE {TABLE} ENABLE ALWAYS TRIGGER {name}")


def drop(using: str = DEFAULT_DB_ALIAS) -> None:
    """Take the triggers away; for tests, whose tables are emptied in between."""
    database = connections[using]
    with database.cursor() as cursor:
        if database.vendor == "sqlite":
            for name in SQLITE:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        else:
            for name in POSTGRESQL:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {TABLE}")


def require() -> None:
    """Refuse to serve unprotected events. Raises: NotAppendOnly."""
    try:
        problems = check()
    finally:
        connection.close()  # whoever serves may fork: nothing is shared with the children
        if close_pool := getattr(connection, "close_pool", None):
            close_pool()
    if problems:
        raise NotAppendOnly(
            "The events are not append-only: "
            + "; ".join(problems)
            + ". `manage.py migrate` puts the triggers back."
        )


def check(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return what is wrong with the triggers and rights, nothing when all is as it should be."""
    database = connections[using]
    if TABLE not in database.introspection.table_names():
        return [f"there is no table {TABLE}"]
    if database.vendor == "sqlite":
        return _check_sqlite(database)
    return _check_postgresql(database)


def _check_sqlite(database: BaseDatabaseWrapper) -> list[str]:
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [TABLE]
        )
        return _compare(SQLITE, dict(cursor.fetchall()))


def _check_postgresql(database: BaseDatabaseWrapper) -> list[str]:
    expected = {name: (kind, "A", FUNCTION, BODY, True) for name, (_, kind) in POSTGRESQL.items()}
    with database.cursor() as cursor:
        cursor.execute(
            """
            SELECT tgname, tgtype, tgenabled::text, proname, prosrc,
                tgqual IS NULL AND tgattr::text = ''
            FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
            WHERE tgrelid = to_regclass(%s) AND NOT tgisinternal
            """,
            [TABLE],
        )
        found = {name: tuple(rest) for name, *rest in cursor.fetchall()}
        cursor.execute(
            """
            SELECT relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user),
                has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')
            FROM pg_class WHERE oid = to_regclass(%s)
            """,
            [TABLE],
        )
        owns, may_change = cursor.fetchone()
    problems = _compare(expected, found)
    if may_change and not owns:
        problems.append("this role may change or remove events, though it does not own them")
    return problems


def _compare(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Name each trigger that is missing, changed or disabled, or that should not be there."""
    problems = []
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            problems.append(f"the trigger {name} is missing")
        elif name not in expected:
            problems.append(f"there is a trigger {name} that is not ours")
        elif found[name] != expected[name]:
            problems.append(f"the trigger {name} was changed or disabled")
    return problems


def _make_feed_head(using: str) -> None:
    """Make the one row positions are drawn from; over events restored it starts after them."""
    last = Event.objects.using(using).aggregate(last=Max("position"))["last"] or 0
    FeedHead.objects.using(using).get_or_create(pk=1, defaults={"position": last})
