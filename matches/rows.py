"""Rows of the log: how entries are stored.

Only `matches.storing` writes them: by `insert`, or by a statement of its own that uses `of_record`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db import connection

from matches.models import Event as StoredEvent
from matches.models import Log
from rules.chain import EventRow, Record

COLUMNS = (
    "version",
    "ordinal",
    "position",
    "type",
    "seat",
    "body",
    "act_id",
    "request_digest",
    "verdict",
    "on",
    "repeats",
    "state_digest",
    "salt",
    "hash",
    "recorded_at",
    "recorded_by",
    "said_at",
)
OF_ACTS = COLUMNS[6:]
"""Columns that only an act's row has values for."""
_NOT_OF_ACTS = (None, "", "", None, None, "", "", "", None, None, None)


Recorded = tuple[UUID | None, datetime | None]
"""Who recorded an entry, and when."""


def time_text(moment: datetime) -> str:
    """Return a time as text in UTC, with six digits after the second."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def rows_of(log: Log, after: int = 0, upto: int | None = None) -> list[tuple[Any, ...]]:
    """Return a log's rows in order, as tuples of `COLUMNS`."""
    events = StoredEvent.objects.filter(log_id=log.pk, version__gt=after)
    if upto is not None:
        events = events.filter(version__lte=upto)
    return list(events.order_by("version", "ordinal").values_list(*COLUMNS))


def rows_to_fold(log: UUID, after: int) -> list[tuple[Any, ...]]:
    """Return the rows from which the entries after a version are folded, in order.

    As `version, body, on, repeats, state_digest, verdict, act_id, request_digest, hash, position`,
    without model instances, as whole logs are read this way.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            'SELECT version, body, "on", repeats, state_digest, verdict, act_id, request_digest, '
            "hash, position FROM matches_event WHERE log_id = %s AND version > %s "
            "ORDER BY version, ordinal",
            [adapted(log), after],
        )
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def rows_to_fold_each(logs: Sequence[UUID]) -> Iterator[tuple[UUID, list[tuple[Any, ...]]]]:
    """Yield several logs, each with the rows from which its entries are folded, in one query."""
    marks = ", ".join(["%s"] * len(logs))
    with connection.cursor() as cursor:
        cursor.execute(
            'SELECT log_id, version, body, "on", repeats, state_digest, verdict, act_id, '
            f"request_digest, hash, position FROM matches_event WHERE log_id IN ({marks}) "
            "ORDER BY log_id, version, ordinal",
            [adapted(log) for log in logs],
        )
        found = cursor.fetchall()
    for log, group in groupby(found, itemgetter(0)):
        yield uuid(log), [row[1:] for row in group]


def hash_at(log: UUID, version: int) -> str:
    """Return the hash of an entry."""
    hashes = StoredEvent.objects.filter(log_id=log, ordinal=0, version=version)
    return hashes.values_list("hash", flat=True).get()


def recorded(log: UUID, after: int, upto: int) -> list[Recorded]:
    """Return who recorded these entries of a log and when, in order."""
    acts = StoredEvent.objects.filter(log_id=log, ordinal=0, version__gt=after, version__lte=upto)
    return list(acts.order_by("version").values_list("recorded_by", "recorded_at"))


def uuid(value: UUID | str) -> UUID:
    """Return an id that the driver returned as a UUID."""
    return value if isinstance(value, UUID) else UUID(value)


def records_of(log: Log, after: int = 0, upto: int | None = None) -> Iterator[tuple[Record, int]]:
    """Yield a log's entries as stored, each with its position in the feed."""
    for _, group in groupby(rows_of(log, after, upto), key=itemgetter(0)):
        events = [dict(zip(COLUMNS, row, strict=True)) for row in group]
        yield record_of(events), events[0]["position"]


def record_of(events: Sequence[Mapping[str, Any]]) -> Record:
    """Return the rows of one entry, as mappings of `COLUMNS`, as a record."""
    act = events[0]
    return Record(
        version=act["version"],
        act_id=str(act["act_id"]),
        request_digest=act["request_digest"],
        verdict=act["verdict"],
        on=act["on"],
        repeats=act["repeats"],
        state_digest=act["state_digest"],
        recorded_at=time_text(act["recorded_at"]),
        recorded_by=str(act["recorded_by"]) if act["recorded_by"] else None,
        said_at=time_text(act["said_at"]) if act["said_at"] else None,
        salt=act["salt"],
        hash=act["hash"],
        rows=tuple(EventRow(event["type"], event["seat"], event["body"]) for event in events),
    )


def insert(log: Log, records: Iterable[tuple[Record, int]]) -> None:
    """Insert entries at their positions, in as few statements as the engine allows."""
    rows = [row for record, position in records for row in of_record(log, record, position)]
    most = (connection.features.max_query_params or 30_000) // (len(COLUMNS) + 1)
    with connection.cursor() as cursor:
        for start in range(0, len(rows), most):
            batch = rows[start : start + most]
            cursor.execute(_insert_sql(len(batch)), [value for row in batch for value in row])


def of_record(log: Log, record: Record, position: int) -> Iterator[tuple[Any, ...]]:
    """Yield an entry's rows as the driver takes them: the log, then `COLUMNS`."""
    act = (
        adapted(UUID(record.act_id)),
        record.request_digest,
        record.verdict,
        record.on,
        record.repeats,
        record.state_digest,
        record.salt,
        record.hash,
        adapted(datetime.fromisoformat(record.recorded_at)),
        adapted(UUID(record.recorded_by)) if record.recorded_by else None,
        adapted(datetime.fromisoformat(record.said_at)) if record.said_at else None,
    )
    pk, version = adapted(log.pk), record.version
    for ordinal, row in enumerate(record.rows):
        rest = _NOT_OF_ACTS if ordinal else act
        yield (pk, version, ordinal, position, row.type, row.seat, row.body, *rest)


def adapted(value: UUID | datetime) -> Any:
    """Return a value as the driver of this engine takes it."""
    if _takes_objects():
        return value
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value.hex


@cache
def _takes_objects() -> bool:
    """Tell whether the driver takes times and UUIDs as they are; a process has one engine."""
    return connection.vendor == "postgresql"


@cache
def _insert_sql(rows: int) -> str:
    columns = ", ".join(f'"{name}"' for name in ("log_id", *COLUMNS))
    row = f"({', '.join(['%s'] * (len(COLUMNS) + 1))})"
    return f"INSERT INTO matches_event ({columns}) VALUES {', '.join([row] * rows)}"


def next_positions(count: int) -> int:
    """Take the next positions of the feed and return the first.

    The row stays locked until the transaction ends, so positions have no gap and are in the order
    of the commits: a reader that has seen one has seen all before it.
    """
    with connection.cursor() as cursor:
        cursor.execute(positions_sql(), [count, count])
        first: int = cursor.fetchone()[0]
    return first


def positions_sql(source: str = "") -> str:
    """Return the statement of `next_positions`, which takes the count twice.

    `source`: a FROM clause, if it is part of a larger statement.
    """
    return (
        f"UPDATE matches_feedhead SET position = position + %s {source} WHERE id = 1 "
        "RETURNING position - %s + 1 AS first"
    )
