"""Two roles on PostgreSQL: tests serve as the web role and own the tables only where they say so.

On SQLite there are no roles, and all of this does nothing.
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
    """Make the role that tests serve as, in the server that a database's settings name."""
    there = (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation)
    with _server(database) as server, contextlib.suppress(*there):
        server.execute(
            sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                sql.Identifier(WEB_ROLE), sql.Literal(WEB_ROLE)
            )
        )


def end_other_sessions() -> None:
    """End what killed processes left in the test database, which could not be dropped then."""
    _close()
    with _server(connection.settings_dict) as server:
        server.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            [connection.settings_dict["NAME"]],
        )


def _server(database: dict[str, Any]) -> psycopg.Connection[Any]:
    """Connect to the server that a database's settings name, as its owner."""
    place = {"host": database["HOST"] or database["OPTIONS"].get("host"), "port": database["PORT"]}
    who = {"user": database["USER"], "password": database["PASSWORD"]}
    said = {name: value for name, value in (place | who).items() if value}
    return psycopg.connect(dbname="postgres", **said)


def serve_as_web_role() -> None:
    """From here on, connect as the web role."""
    _close()
    connection.settings_dict["OPTIONS"]["options"] = f"-c role={WEB_ROLE}"


def serve_as_owner() -> None:
    _close()
    del connection.settings_dict["OPTIONS"]["options"]


def _close() -> None:
    connection.close()
    connection.close_pool()


def become_owner() -> None:
    """Own the tables from here on; rolled back with the transaction it is said in."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET ROLE NONE")


@contextlib.contextmanager
def as_owner() -> Iterator[None]:
    """Own the tables for a while."""
    become_owner()
    yield
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET ROLE {WEB_ROLE}")


def unprotect() -> None:
    """Become who could tamper: the owner, the triggers taken away."""
    become_owner()
    triggers.drop()
