"""What a client is told when the database is down, the disk full, or a row gone since it was read:
a refusal like any other.
"""

from errno import EDQUOT, ENOSPC, EROFS
from sqlite3 import (
    SQLITE_CONSTRAINT_FOREIGNKEY,
    SQLITE_FULL,
    SQLITE_IOERR_FSYNC,
    SQLITE_IOERR_SHMSIZE,
    SQLITE_IOERR_WRITE,
    SQLITE_READONLY,
)

from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils.translation import gettext
from psycopg.errors import (
    DiskFull,
    ForeignKeyViolation,
    IdleInTransactionSessionTimeout,
    ReadOnlySqlTransaction,
)

from matches.errors import Busy, Conflict, NoRoom, Refused

CAN_NOT_WRITE = (SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC)
"""SQLite's error codes for a full disk while it makes room to write."""

NOT_NOW = (IdleInTransactionSessionTimeout, ReadOnlySqlTransaction)
"""Errors of PostgreSQL that Django does not count as operational."""


def refusal_of(fault: BaseException | None) -> Refused | None:
    """Return a fault as a refusal, to be retried or not; None for a bug of ours."""
    if _is_without_room(fault):
        return NoRoom(gettext("The site's disk is full or cannot be written to."))
    if _is_of_database(fault):
        return Busy("busy", gettext("The database could not be reached in time; try again."))
    if _is_of_a_row_gone(fault):
        text = gettext("Something that this belongs to was removed meanwhile.")
        return Conflict("gone-meanwhile", text)
    return None


def _is_of_database(fault: BaseException | None) -> bool:
    """Tell whether a fault means that the database is overloaded or down, or ended our session.

    It may also be a copy that takes no writes yet: a failover is under way.
    """
    return isinstance(fault, (OperationalError, InterfaceError)) or isinstance(
        getattr(fault, "__cause__", None), NOT_NOW
    )


def _is_without_room(fault: BaseException | None) -> bool:
    """Tell whether a fault means that nothing can be written, so that retrying does not help."""
    cause = getattr(fault, "__cause__", None)
    code = getattr(cause, "sqlite_errorcode", 0)
    no_room = isinstance(fault, OSError) and fault.errno in (ENOSPC, EDQUOT, EROFS)
    is_full = code & 0xFF in (SQLITE_FULL, SQLITE_READONLY) or code in CAN_NOT_WRITE
    return no_room or isinstance(cause, DiskFull) or is_full


def _is_of_a_row_gone(fault: BaseException | None) -> bool:
    """Tell whether a row that was to be saved, or named by another, was deleted since it was read.

    Django raises a bare `DatabaseError` for a row that it cannot find to update.
    """
    cause = getattr(fault, "__cause__", None)
    unnamed = getattr(cause, "sqlite_errorcode", 0) == SQLITE_CONSTRAINT_FOREIGNKEY
    unsaved = type(fault) is DatabaseError and cause is None
    return isinstance(cause, ForeignKeyViolation) or unnamed or unsaved
