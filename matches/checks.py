"""What `manage.py check --deploy` says about the database."""

from contextlib import suppress
from typing import Any

from django.core import checks
from django.core.checks import CheckMessage, Tags, register
from django.db import DatabaseError, connection

from matches import guard, rights

ASCII_ONLY = (
    "This database takes Ä and ä for different letters, so a search finds only one of them: make "
    "it with the locale C.UTF-8 (docs/security.md)."
)


@register(Tags.compatibility, deploy=True)
def letters(**kwargs: Any) -> list[CheckMessage]:
    """Check that the database ignores the case of letters beyond ASCII."""
    with suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT lower('Ä') = 'ä'")
        if not cursor.fetchone()[0]:
            return [checks.Warning(ASCII_ONLY, id="matches.W003")]
    return []


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
