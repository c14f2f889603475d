"""Events partitioned by log, for a table that has outgrown one index; PostgreSQL alone.

A partition holds whole logs. Every key of the events includes the log, except the position in the
feed: that is kept unique in a table of its own, filled by a trigger (`matches.triggers`).
"""

from collections.abc import Iterator

from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper

from matches import append_only, guard
from matches.models import Event

TABLE = Event._meta.db_table
WHOLE = f"{TABLE}_whole"  # while it is being copied
PLACE_KEY = "event_position"
LIMIT = 256


class CannotPartition(Exception):
    """Nothing was changed; the message says why."""


def partition(using: str, count: int) -> int:
    """Partition the events, in one transaction, and return how many rows there are.

    The table is locked meanwhile. Every row is compared before the old table is dropped. Raises:
    CannotPartition.
    """
    database = connections[using]
    if database.vendor != "postgresql":
        raise CannotPartition("Only PostgreSQL keeps a table in parts.")
    if not 2 <= count <= LIMIT:
        raise CannotPartition(f"There are from 2 to {LIMIT} parts, not {count}.")
    if there := append_only.parts(database, TABLE):
        raise CannotPartition(f"The events are in {len(there)} parts already.")
    with transaction.atomic(using=using), database.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {TABLE} IN ACCESS EXCLUSIVE MODE")
        keys = list(_keys(cursor))
        cursor.execute(f"ALTER TABLE {TABLE} RENAME TO {WHOLE}")
        _make(cursor, count)
        rows = _copy(cursor)
        _keep_places(cursor)
        cursor.execute(f"DROP TABLE {WHOLE}")
        for statement in keys:
            cursor.execute(statement)
        guard.put_back(using)
    with database.cursor() as cursor:
        cursor.execute(f"ANALYZE {TABLE}")
    return rows


def _keys(cursor: CursorWrapper) -> Iterator[str]:
    """Yield the statements that recreate keys and indexes.

    Raises: CannotPartition for a key without the log.
    """
    cursor.execute(
        """
        SELECT conname, contype::text, pg_get_constraintdef(oid), EXISTS (
            SELECT 1 FROM pg_attribute
            WHERE attrelid = conrelid AND attnum = ANY(conkey) AND attname = 'log_id')
        FROM pg_constraint WHERE conrelid = to_regclass(%s) AND contype IN ('f', 'p', 'u')
        """,
        [TABLE],
    )
    for name, kind, definition, holds_log in cursor.fetchall():
        if kind == "p":
            definition = "PRIMARY KEY (id, log_id)"
        elif name == PLACE_KEY:
            yield f"CREATE INDEX {name} ON {TABLE} (position) WHERE ordinal = 0"
            continue
        elif not holds_log:
            raise CannotPartition(f"The key {name} of {TABLE} does not hold the log.")
        yield f"ALTER TABLE {TABLE} ADD CONSTRAINT {name} {definition}"
    cursor.execute(
        """
        SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = to_regclass(%s)
            AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
        """,
        [TABLE],
    )
    for (definition,) in cursor.fetchall():
        yield definition


def _make(cursor: CursorWrapper, count: int) -> None:
    cursor.execute(
        f"CREATE TABLE {TABLE} (LIKE {WHOLE} INCLUDING DEFAULTS INCLUDING CONSTRAINTS "
        "INCLUDING IDENTITY INCLUDING STORAGE) PARTITION BY HASH (log_id)"
    )
    for part in range(count):
        cursor.execute(
            f"CREATE TABLE {TABLE}_{part:03} PARTITION OF {TABLE} "
            f"FOR VALUES WITH (MODULUS {count}, REMAINDER {part})"
        )


def _copy(cursor: CursorWrapper) -> int:
    """Copy the rows and return how many there are. Raises: CannotPartition for any difference."""
    cursor.execute(f"INSERT INTO {TABLE} OVERRIDING SYSTEM VALUE SELECT * FROM {WHOLE}")
    before, after = _sum(cursor, WHOLE), _sum(cursor, TABLE)
    if before != after:
        raise CannotPartition(f"The parts hold {after}, not {before}: rows, and their digest.")
    cursor.execute(
        f"SELECT setval(pg_get_serial_sequence('{TABLE}', 'id'), (SELECT max(id) FROM {WHOLE}))"
    )
    return before[0]


def _sum(cursor: CursorWrapper, table: str) -> tuple[int, int]:
    """Return the number of rows of a table, and a digest of them that does not depend on order."""
    cursor.execute(f"SELECT count(*), sum(hashtextextended(e::text, 0)) FROM {table} e")
    count, digest = cursor.fetchone()
    return count, int(digest or 0)


def _keep_places(cursor: CursorWrapper) -> None:
    places = append_only.PLACES
    cursor.execute(f"CREATE TABLE {places} (position bigint NOT NULL)")
    cursor.execute(f"INSERT INTO {places} SELECT position FROM {WHOLE} WHERE ordinal = 0")
    cursor.execute(f"ALTER TABLE {places} ADD PRIMARY KEY (position)")
