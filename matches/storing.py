"""Entries stored by one statement, where PostgreSQL keeps the log (ADR 0056).

It does what `matches.log.store` else does by six in a transaction: moves the log's head, has its
followers due and its readers told, takes the next places of the feed and inserts the rows. A
statement is a transaction of its own, so all of it is there or nothing.
"""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from matches import jobs, rows, waking
from matches.models import Event, Log
from rules.chain import Record


def can_store() -> bool:
    """Tell whether entries can be stored here by one statement."""
    return (
        connection.vendor == "postgresql"
        and not connection.in_atomic_block
        and bool(settings.LOG_FOLLOWERS)
    )


def store(
    log: Log, tip: tuple[int, str], head: Mapping[str, Any], records: Sequence[Record]
) -> int | None:
    """Store entries on top of `tip` and return the position of the first.

    None when the head is no longer there; then nothing is stored.
    """
    # Of its position each row says how far it is from the first.
    events = [
        dict(zip(_NAMES, row, strict=True))
        for n, record in enumerate(records)
        for row in rows.of_record(log, record, n)
    ]
    told = [waking.CHANNEL] if settings.STREAMS else []
    with connection.cursor() as cursor:
        cursor.execute(
            _sql(tuple(head), bool(told)),
            [
                *(*head.values(), log.pk, *tip, Log.Status.WITHDRAWN),
                *(timezone.now(), len(records), len(records)),
                msgspec.json.encode(events).decode(),
                *told,
            ],
        )
        found = cursor.fetchone()
    if found is None:
        return None
    first: int = found[0]
    if found[1] == 1:  # else a worker was woken already, and finds this too
        transaction.on_commit(partial(jobs.wake_followers, log.pk))
    return first


_NAMES = ("log_id", *rows.COLUMNS)


@cache
def _sql(head: tuple[str, ...], told: bool) -> str:
    named = ", ".join(f'"{name}"' for name in _NAMES)
    typed = ", ".join(f'"{name}" {_type_of(name)}' for name in _NAMES)
    placed = named.replace('"position"', "fed.first + position")
    return f"""
WITH moved AS (
    UPDATE matches_log SET {", ".join(f"{name} = %s" for name in head)}
    WHERE id = %s AND head_version = %s AND head_hash = %s AND status <> %s RETURNING id
), due AS (
    INSERT INTO matches_followjob (log_id, asked, attempts, created_at)
    SELECT id, 1, 0, %s FROM moved
    ON CONFLICT (log_id) DO UPDATE SET asked = matches_followjob.asked + 1 RETURNING asked
), fed AS (
    UPDATE matches_feedhead SET position = position + %s FROM due WHERE id = 1
    RETURNING position + 1 - %s AS first
), stored AS (
    INSERT INTO matches_event ({named})
    SELECT {placed} FROM fed, json_to_recordset(%s::json) AS event ({typed})
)
SELECT fed.first, due.asked{", pg_notify(%s, moved.id::text)" if told else ""} FROM fed, due, moved
"""


def _type_of(name: str) -> str:
    field = next(field for field in Event._meta.concrete_fields if field.column == name)
    return field.db_type(connection) or ""
