"""The backend: a connection that leaves the pool is checked without a query.

Django's own check (`CONN_HEALTH_CHECKS`) has each one answer an empty query first, one more round
trip in every request (ADR 0078). Nor is one that was lost kept until the request or task ends.
"""

from select import POLLIN, poll
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, Error
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes connections from the pool until one is alive; the pool replaces those that are not."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        while self.pool and has_ended(connection):
            connection.close()
            self.pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection

    def ensure_connection(self) -> None:
        """Connect, also instead of a connection that was lost: whoever noticed may go on.

        Not within a transaction, of which only the end would be stored.
        """
        if self.connection and self.connection.closed and not self.in_atomic_block:
            self.close()
        super().ensure_connection()


def has_ended(connection: "Connection[Any]") -> bool:
    """Return whether the server, or the kernel on its behalf, has ended an idle connection.

    Only then, and when there is a notice, does such a connection have something to read.
    """
    waiting = poll()
    waiting.register(connection.fileno(), POLLIN)
    if not waiting.poll(0):
        return False
    try:
        ConnectionPool.check_connection(connection)
    except Error:
        return True
    return False
