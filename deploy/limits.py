"""Timeouts of PostgreSQL sessions, so that one client cannot hold up a server."""

from django.conf import settings
from django.db import connections


def limit() -> None:
    """Set `DATABASE_LIMITS` for the sessions of this process; call it before the first begins.

    They are startup options of a session and cost nothing. Commands and workers take long and have
    none.
    """
    limits = settings.DATABASE_LIMITS.items()
    flags = [f"-c {name}={seconds}s" for name, seconds in limits if seconds]
    for database in connections.settings.values():
        if flags and database["ENGINE"].endswith(".postgresql"):
            options = database["OPTIONS"]
            options["options"] = " ".join([*flags, options.get("options", "")]).strip()
