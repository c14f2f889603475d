"""Refuses to serve events that could be changed; every server and worker checks at its start."""

import logging
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections

from matches import rights, triggers
from matches.append_only import NotAppendOnly

MEND = "`manage.py migrate` puts triggers and rights back, run with OWNER_DATABASE_URL set."
ONE_ROLE = (
    "The role that serves owns the tables: the triggers alone keep the events. Two roles keep "
    "them better: see docs/security.md, OWNER_DATABASE_URL."
)

logger = logging.getLogger(__name__)


def put_back(using: str = DEFAULT_DB_ALIAS, **kwargs: Any) -> None:
    """Put back the triggers, the feed's head and, where a web role is set, its rights.

    Called after every migrate and flush.
    """
    triggers.put_back(using)
    if settings.WEB_ROLE and connections[using].vendor == "postgresql":
        rights.grant(using, settings.WEB_ROLE)


def check(using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Return what is wrong with triggers and rights; empty if nothing is."""
    return triggers.check(using) + rights.check(using)


def require() -> None:
    """Refuse to serve unprotected events. Raises: NotAppendOnly."""
    try:
        problems = check()
        if not problems and connection.vendor == "postgresql" and rights.is_single():
            logger.warning(ONE_ROLE)
    finally:
        connection.close()  # a server may fork: share no connection with its children
        if close_pool := getattr(connection, "close_pool", None):
            close_pool()
    if problems:
        raise NotAppendOnly(f"The events are not append-only: {'; '.join(problems)}. {MEND}")
