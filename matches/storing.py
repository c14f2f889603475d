"""The two ways to store entries; `matches.log.insert_entries` chooses one.

Both move the log's head, create the followers' job, notify live readers, take the next positions of
the feed and insert the rows: `in_a_transaction` with six statements, `in_one_statement` with one
that is a transaction of its own, on PostgreSQL (ADR 0056). Both are atomic.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from matches import jobs, notify, rows
from matches.memory import Tip
from matches.models import Event, Log, Match, Note
from rules.chain import Record


def in_a_transaction(
    log: Log,
    tip: Tip,
    head: Mapping[str, Any],
    records: Sequence[Record],
    notes: Sequence[Note],
    ended: Mapping[str, datetime | None],
) -> int | None:
    """Store entries on top of `tip` with all that goes with them; return the first position.

    None if the head has moved on; then nothing is stored.
    """
    with transaction.atomic():
        if not move_head(log, tip, head):
            return None
        jobs.due(log.pk)
        first = rows.next_positions(len(records))
        rows.insert(log, [(record, first + n) for n, record in enumerate(records)])
        if notes:
            Note.objects.bulk_create(notes)
        if ended:
            Match.objects.filter(log_id=log.pk).update(**ended)
    return first


def move_head(log: Log, tip: Tip, head: Mapping[str, Any]) -> bool:
    """Move a log's head if it is where computing started: the compare-and-set of all writers."""
    with connection.cursor() as cursor:
        cursor.execute(_move_sql(tuple(head)), _move_params(log, tip, head))
        moved: bool = cursor.rowcount == 1
    return moved


def _move_sql(head: Sequence[str]) -> str:
    return (
        f"UPDATE matches_log SET {', '.join(f'{name} = %s' for name in head)} "
        "WHERE id = %s AND head_version = %s AND head_hash = %s AND status <> %s"
    )


def _move_params(log: Log, tip: Tip, head: Mapping[str, Any]) -> list[Any]:
    return [*head.values(), rows.adapted(log.pk), *tip, Log.Status.WITHDRAWN]


def has_one_statement() -> bool:
    """Tell whether entries can be stored here by one statement."""
    return (
        connection.vendor == "postgresql"
        and not connection.in_atomic_block
        and bool(settings.LOG_FOLLOWERS)
    )


def in_one_statement(
    log: Log, tip: Tip, head: Mapping[str, Any], records: Sequence[Record]
) -> int | None:
    """Store entries as `in_a_transaction` does, if nothing else is to be stored with them."""
    # Each row's position is given as its offset from the first.
    events = [
        dict(zip(_NAMES, row, strict=True))
        for n, record in enumerate(records)
        for row in rows.of_record(log, record, n)
    ]
    channel = [notify.CHANNEL] if settings.STREAMS else []
    with connection.cursor() as cursor:
        cursor.execute(
            _sql(tuple(head), bool(channel)),
            [
                *_move_params(log, tip, head),
                *(timezone.now(), len(records), len(records)),
                msgspec.json.encode(events).decode(),
                *channel,
            ],
        )
        found = cursor.fetchone()
    if found is None:
        return None
    first: int = found[0]
    jobs.wake_if_first(log.pk, found[1])
    return first


_NAMES = ("log_id", *rows.COLUMNS)


@cache
def _sql(head: tuple[str, ...], wakes: bool) -> str:
    named = ", ".join(f'"{name}"' for name in _NAMES)
    typed = ", ".join(f'"{name}" {_type_of(name)}' for name in _NAMES)
    placed = named.replace('"position"', "fed.first + position")
    due = jobs.queue_sql("SELECT id, 1, 0, %s FROM moved")
    return f"""
WITH moved AS ({_move_sql(head)} RETURNING id),
due AS ({due}),
fed AS ({rows.positions_sql("FROM due")}),
stored AS (
    INSERT INTO matches_event ({named})
    SELECT {placed} FROM fed, json_to_recordset(%s::json) AS event ({typed})
)
SELECT fed.first, due.asked{", pg_notify(%s, moved.id::text)" if wakes else ""} FROM fed, due, moved
"""


def _type_of(name: str) -> str:
    field = next(field for field in Event._meta.concrete_fields if field.column == name)
    return field.db_type(connection) or ""
