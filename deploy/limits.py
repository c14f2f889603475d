"""How long PostgreSQL works or waits for a server: who serves many must not be held by one."""

from django.conf import settings
from django.db import connections


def limit() -> None:
    """Set `DATABASE_LIMITS` for the sessions of this process; call it before the first begins.

    They are said as a session begins, at no cost. Commands and workers take long, and do without.
    """
    limits = settings.DATABASE_LIMITS.items()
    said = [f"-c {name}={seconds}s" for name, seconds in limits if seconds]
    for database in connections.settings.values():
        if said and database["ENGINE"] == "django.db.backends.postgresql":
            options = database["OPTIONS"]
            options["options"] = " ".join([*said, options.get("options", "")]).strip()
