"""A connection that waits in the pool may be ended by the server: it serves nobody then."""

import select
from typing import Any

import psycopg
import pytest
from django.db import connection

from deploy.postgresql.base import has_ended
from tests import site

pytestmark = [pytest.mark.postgresql]


@pytest.fixture
def server(transactional_db: None) -> Any:
    """A connection that is not from the pool, of the role that may end others."""
    with psycopg.connect(site.owner_url(), autocommit=True) as opened:
        yield opened


def pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def taken() -> set[int]:
    """Take each connection of the pool in turn."""
    found = set()
    for _ in range(connection.pool.max_size):
        found.add(pid())
        connection.close()
    return found


def test_connections_are_used_again(server: Any) -> None:
    first = taken()

    assert taken() <= first


def test_connections_that_the_server_ended_are_replaced(server: Any) -> None:
    pool = connection.pool
    ended = {pid()}
    others = [pool.getconn() for _ in range(3)]
    ended |= {each.info.backend_pid for each in others}
    for each in others:
        pool.putconn(each)
    connection.close()
    for each in ended:
        server.execute("SELECT pg_terminate_backend(%s, 5000)", [each])

    assert not taken() & ended


def test_one_with_a_message_to_read_has_not_ended(server: Any) -> None:
    connection.ensure_connection()
    kept = connection.connection
    kept.execute("LISTEN zgxl_test")
    server.execute("NOTIFY zgxl_test")
    assert select.select([kept], [], [], 60)[0]

    assert not has_ended(kept)
    assert not select.select([kept], [], [], 0)[0]
    kept.execute("UNLISTEN zgxl_test")
