"""What is wrong with a database that a command cannot work with, and what to do."""

from typing import Any

from django.conf import settings
from django.db import (
    DataError,
    Error,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    connection,
    connections,
)
from django.db.migrations.executor import MigrationExecutor

URLS = {"default": "DATABASE_URL", "owner": "OWNER_DATABASE_URL"}
PATIENCE = 5  # seconds
NO_RIGHT = "42501"  # PostgreSQL's code
OURS = (DataError, IntegrityError, NotSupportedError, ProgrammingError)  # it works, but we err


def fail_fast() -> None:
    """Have this process connect to PostgreSQL at once or not at all; call it before it does.

    A pool would try again for some seconds, and keep the reason to itself.
    """
    for database in connections.settings.values():
        if database["ENGINE"].endswith(".postgresql"):
            database["OPTIONS"].pop("pool", None)
            database["OPTIONS"].setdefault("connect_timeout", PATIENCE)


def explained(error: Exception) -> str:
    """Return why a database cannot be worked with, in one line; "" if the error is ours."""
    return _not_reached() or _not_migrated(error) or _refused(error)


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _not_reached() -> str:
    for alias, url in URLS.items():
        if alias not in settings.DATABASES or connections[alias].vendor != "postgresql":
            continue
        database: Any = connections[alias]
        parameters = database.get_connection_params()
        try:
            database.Database.connect(**parameters).close()
        except database.Database.Error as error:
            where = f"{parameters.get('host') or 'this machine'}:{parameters.get('port') or 5432}"
            return (
                f"PostgreSQL at {where} gives no connection: start it, or have {url} say where it "
                f"runs and who may use it ({one_line(error)})"
            )
    return ""


def _not_migrated(error: Exception) -> str:
    try:
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return ""
    except Error:
        return ""
    return (
        f"{_named()} has no tables of a site, or not those of this release: run `manage.py "
        f"migrate`, or have DATA and DATABASE_URL name another ({one_line(error)})"
    )


def _refused(error: Exception) -> str:
    if getattr(error.__cause__, "sqlstate", "") == NO_RIGHT:
        return f"{one_line(error)}; tables are changed by the role in OWNER_DATABASE_URL"
    if isinstance(error, OURS):
        return ""
    return (
        f"{_named()} does not work: {one_line(error)}; is it a database, has its disk room, and "
        "may we write there?"
    )


def _named() -> str:
    """Return what the database is called: a file, or a name on a server."""
    return f"the database {connection.settings_dict['NAME']}"
