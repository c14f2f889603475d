"""What `manage.py check --deploy` says about the protection of the log."""

from typing import Any

from django.core import checks
from django.core.checks import CheckMessage, Tags, register
from django.db import DatabaseError, connection

from matches import guard, rights


@register(Tags.security, deploy=True)
def protection(**kwargs: Any) -> list[CheckMessage]:
    """Check that triggers and rights are as they should be, and whether two roles are used."""
    try:
        if not connection.introspection.table_names():
            return []  # nothing to protect before the first migrate
        problems = guard.check()
        single = connection.vendor == "postgresql" and rights.is_single()
    except DatabaseError as error:
        return [checks.Warning(f"The database cannot be asked: {error}", id="matches.W002")]
    found: list[CheckMessage] = [
        checks.Error(problem, hint=guard.MEND, id="matches.E001") for problem in problems
    ]
    if single:
        found.append(checks.Warning(guard.ONE_ROLE, id="matches.W001"))
    return found
