"""Checks that the database answers before a command needs it; if not, one line says so."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connections

URLS = {"default": "DATABASE_URL", "owner": "OWNER_DATABASE_URL"}
PATIENCE = 5  # seconds


def require_database() -> None:
    """Require that the database answers.

    Raises: CommandError, which says what was not reached, where, and what to do.
    """
    for alias, url in URLS.items():
        if alias in settings.DATABASES and connections[alias].vendor == "postgresql":
            _require(alias, url)


def _require(alias: str, url: str) -> None:
    """Connect once without the pool, which would retry for half a minute without a reason."""
    connection: Any = connections[alias]
    parameters = {**connection.get_connection_params(), "connect_timeout": PATIENCE}
    try:
        connection.Database.connect(**parameters).close()
    except connection.Database.OperationalError as error:
        where = f"{parameters.get('host') or 'this machine'}:{parameters.get('port') or 5432}"
        why = " ".join(str(error).split())
        raise CommandError(
            f"PostgreSQL at {where} gives no connection: start it, or have {url} say where it "
            f"runs and who may use it ({why})"
        ) from None
