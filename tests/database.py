"""Two roles on PostgreSQL: tests run as the web role, and as the owner only where they say so.

SQLite has no roles; there all of this does nothing.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import psycopg
from django.db import connection
from psycopg import sql

from matches import triggers
from tests.services import WEB_ROLE


def make_web_role(database: dict[str, Any]) -> None:
    """Create the role that tests run as, on the server named by a database's settings."""
    there = (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation)
    with _server(database) as server, contextlib.suppress(*there):
        server.execute(
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                sql.Identifier(WEB_ROLE), sql.Literal(WEB_ROLE)
            )
        )


def end_other_sessions() -> None:
    """Terminate sessions left open by killed processes, which would block dropping the database."""
    _close()
    with _server(connection.settings_dict) as server:
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            [connection.settings_dict["NAME"]],
        )


def waiting_sessions() -> int:
    """Return how many sessions of this PostgreSQL database wait for a lock at this moment."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # or a transaction sees no new sessions
        cursor.execute(
            "SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid) "
            "WHERE NOT granted AND datname = current_database()"
        )
        return int(cursor.fetchone()[0])


def _server(database: dict[str, Any]) -> psycopg.Connection[Any]:
    """Connect as the owner to the server named by a database's settings."""
    place = {"host": database["HOST"] or database["OPTIONS"].get("host"), "port": database["PORT"]}
    who = {"user": database["USER"], "password": database["PASSWORD"]}
    said = {name: value for name, value in (place | who).items() if value}
    return psycopg.connect(dbname="postgres", **said)


def serve_as_web_role() -> None:
    """Connect as the web role from now on."""
    _close()
    connection.settings_dict["OPTIONS"]["options"] = f"-c role={WEB_ROLE}"


def serve_as_owner() -> None:
    _close()
    del connection.settings_dict["OPTIONS"]["options"]


def _close() -> None:
    connection.close()
    connection.close_pool()


def become_owner() -> None:
    """Switch to the role that owns the tables, until the current transaction is rolled back."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET ROLE NONE")


@contextlib.contextmanager
def as_owner() -> Iterator[None]:
    """Run the block as the role that owns the tables."""
    become_owner()
    yield
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET ROLE {WEB_ROLE}")


def unprotect() -> None:
    """Make tampering possible: switch to the owner and drop the triggers."""
    become_owner()
    triggers.drop()
