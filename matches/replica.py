"""Serves pages to anonymous readers from a streaming replica, where that is safe.

A page is made from one of the two databases, never from both: while the replica is read,
`connections["default"]` is the replica. What it cannot do, does not have yet or cannot know goes to
the primary instead: a page that has to write, an entry that is not there, a lag.

A client that was answered by the primary carries the primary's log sequence number (LSN) in a
cookie for a while, and is served by the replica again once that has replayed as far.
"""

import logging
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from threading import Lock
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DEFAULT_DB_ALIAS, Error, InterfaceError, OperationalError, connections
from django.http import HttpRequest, HttpResponse
from prometheus_client import Counter

from matches import actors
from matches.context import TEXT_COOKIE

REPLICA_DB_ALIAS = "replica"
COOKIE = "place"
LOOK = 1.0  # seconds between two checks of the replica
AGAIN = 5.0  # seconds until a failed replica is checked again
SAFE = ("GET", "HEAD")
WHO = ("Authorization", "X-Seat", "X-Device")  # headers that identify the client

READS = Counter("zgxl_strangers_pages", "Pages for strangers, by what they were read from.", ["of"])
logger = logging.getLogger(__name__)
_from_copy: ContextVar[bool] = ContextVar("from_copy", default=False)


class AskDatabase(BaseException):
    """The replica cannot serve this request.

    A BaseException, so that no `except Exception` swallows it.
    """


def require_known(version: int, last: int) -> None:
    """Leave the replica if the client continues from a version that it does not have yet."""
    if version > last and _from_copy.get():
        raise AskDatabase


# -- how far the copy has come --------------------------------------------------------------


class Copy:
    """What this process knows of the replica. LSNs are in bytes."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.next_look = 0.0
        self.has = -1
        """The LSN the replica was last seen at; -1 while it must not be read."""
        self.was: tuple[tuple[float, int], ...] = ()
        """Times and LSNs at which the primary was seen, within the allowed lag."""

    def knows(self, lsn: float) -> bool:
        """Tell whether the replica may serve a client that has seen this LSN."""
        now = time.monotonic()
        if now >= self.next_look and self.lock.acquire(blocking=False):
            try:
                self._look(now)
            finally:
                self.lock.release()
        too_old = now - settings.REPLICA_LAG
        return self.has >= lsn and any(
            at > too_old and self.has >= database for at, database in self.was
        )

    def lost(self) -> None:
        """Stop reading the replica until the next check."""
        self.has, self.next_look = -1, time.monotonic() + AGAIN
        connections[REPLICA_DB_ALIAS].close()

    def _look(self, now: float) -> None:
        try:
            here, is_copy, cluster = _lsn_of(DEFAULT_DB_ALIAS)
            there, *said_of_copy = _lsn_of(REPLICA_DB_ALIAS)
        except Error as error:
            logger.warning("the replica cannot be read: %s", error)
            self.lost()
            return
        if is_copy or said_of_copy != [True, cluster]:
            logger.error("REPLICA_URL names no replica of DATABASE_URL")
            self.lost()
            return
        kept = (seen for seen in self.was if seen[0] > now - settings.REPLICA_LAG)
        self.was = (*kept, (now, here))
        self.has, self.next_look = there, now + LOOK


def _lsn_of(alias: str) -> tuple[int, bool, int]:
    """Return a server's LSN, whether it is a replica, and the id of its cluster."""
    with connections[alias].cursor() as cursor:
        cursor.execute(
            """
            SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()
                ELSE pg_current_wal_insert_lsn() END - '0/0', pg_is_in_recovery(), system_identifier
            FROM pg_control_system()
            """
        )
        lsn, is_copy, cluster = cursor.fetchone()
    return int(lsn), is_copy, cluster


_copy = Copy()

# -- who reads where ------------------------------------------------------------------------


class StrangersReadTheCopy:
    """Serves anonymous reads from the replica, if there is one; all other requests bypass it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if REPLICA_DB_ALIAS not in settings.DATABASES:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith("/api/"):  # programs keep no cookies
            return self.get_response(request)
        stranger = is_stranger(request)
        if stranger and _copy.knows(lsn_in(request)):
            again = _as_it_came(request)
            answer = self._of_copy(request)
            if answer is not None:
                READS.labels("replica").inc()
                return answer
            request.__dict__ = again.__dict__
        answer = self.get_response(request)
        if stranger:
            READS.labels("database").inc()
        sent = request.method not in SAFE or settings.SESSION_COOKIE_NAME in answer.cookies
        if (stranger or sent) and answer.status_code < 500:
            _set_cookie(answer)
        return answer

    def _of_copy(self, request: HttpRequest) -> HttpResponse | None:
        """Return the replica's response, None where it may only lack what the primary has."""
        try:
            with _reading_copy():
                answer = self.get_response(request)
        except AskDatabase as left:
            if isinstance(left.__cause__, OperationalError | InterfaceError):
                _copy.lost()
            return None
        if answer.status_code >= 500:
            _copy.lost()
        return answer if answer.status_code in (200, 304) else None


def is_stranger(request: HttpRequest) -> bool:
    """Tell whether a request only reads and carries nothing that identifies the client."""
    looks = {
        "theme",
        TEXT_COOKIE,
        settings.LANGUAGE_COOKIE_NAME,
        actors.RESULTS_COOKIE,
        actors.SHOWN_COOKIE,
        settings.CSRF_COOKIE_NAME,
        COOKIE,
    }
    return (
        request.method in SAFE
        and looks.issuperset(request.COOKIES)
        and not any(name in request.headers for name in WHO)
    )


def lsn_in(request: HttpRequest) -> float:
    """Return the LSN in the client's cookie: 0 without one, infinity for an invalid one."""
    cookie = request.COOKIES.get(COOKIE)
    if cookie is None:
        return 0
    return int(cookie, 16) if re.fullmatch("[0-9a-f]{1,16}", cookie) else float("inf")


def _as_it_came(request: HttpRequest) -> HttpRequest:
    kept = copy(request)
    kept.META, kept.COOKIES = {**request.META}, {**request.COOKIES}
    return kept


def _set_cookie(answer: HttpResponse) -> None:
    """Have the client carry the primary's LSN for as long as the replica may lag behind it."""
    lsn, *_ = _lsn_of(DEFAULT_DB_ALIAS)
    answer.set_cookie(
        COOKIE,
        f"{lsn:x}",
        max_age=2 * settings.REPLICA_LAG,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )


@contextmanager
def _reading_copy() -> Iterator[None]:
    database, replica = connections[DEFAULT_DB_ALIAS], connections[REPLICA_DB_ALIAS]
    try:
        replica.ensure_connection()
    except Error as error:
        raise AskDatabase from error
    reading = _from_copy.set(True)
    connections[DEFAULT_DB_ALIAS] = replica
    try:
        with replica.execute_wrapper(_or_leave):
            yield
    finally:
        connections[DEFAULT_DB_ALIAS] = database
        _from_copy.reset(reading)


def _or_leave(execute: Callable[..., Any], *statement: Any) -> Any:
    """Leave the replica at any database error, such as an attempt to write."""
    try:
        return execute(*statement)
    except Error as error:
        raise AskDatabase from error
