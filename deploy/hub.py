"""The readers of live streams: many readers, one watcher, a few threads for the database.

A reader waits for its log to be woken, gets what is new after its cursor and sends it. A batch for
the public is built once for all readers at the same cursor, and kept only as long as one of them
stays there. A reader whose connection is lost reconnects with the last id it got.

Rights are checked each time something is told, and now and then while nothing is: who may read no
more is told why, and the stream ends.
"""

import asyncio
import contextlib
import functools
import logging
import random
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from django.conf import settings
from django.db import connection, connections
from prometheus_client import Gauge

from deploy.gzipped import Piece
from matches import notify
from matches.errors import Busy
from matches.streams import Following

HEARTBEAT = 15.0  # seconds between heartbeats
STALE = 30.0  # seconds after which a batch is built anew: its readers' rights, or names, may differ
LONGEST = 600.0  # seconds after which a reader must reconnect and authenticate again
LOOK = {"postgresql": 3.0, "sqlite": 1.0}  # seconds between polls of the feed's head
AGAIN = 5.0  # seconds until a lost database is retried
THREADS = 4
RETRY = 2000  # ms until a browser reconnects

_BEGUN = Piece(f"retry: {RETRY}\n\n".encode())
_ALIVE = Piece(b":\n\n")

OPEN = Gauge("zgxl_streams_open", "Live streams open now.", multiprocess_mode="livesum")
logger = logging.getLogger(__name__)
Found = TypeVar("Found")


@dataclass(frozen=True)
class Batch:
    """What is sent to readers at one cursor, built once for all who share it."""

    sent: Piece | None
    cursor: str
    more: bool


@dataclass(eq=False)
class Group:
    """Readers with one key at one cursor, and their batch; dropped with the last of them.

    `stale`: the log changed while the batch was being built. `made_at`: when that began, by the
    loop's clock.
    """

    following: Following
    cursor: str
    readers: "set[Reader]" = field(default_factory=set)
    made: asyncio.Task[Batch] | None = None
    made_at: float = 0.0
    stale: bool = False

    def build(self) -> Batch:
        """Build the batch of what is new. Raises: Refused."""
        news = self.following.news(self.cursor)
        sent = b"".join(frame.encoded() for frame in news.frames)
        return Batch(Piece(sent) if sent else None, news.cursor, news.more)


@dataclass(eq=False)
class Reader:
    """An open stream, and the group of the cursor it has reached."""

    following: Following
    group: Group = field(init=False)
    woken: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """The readers of this process in their groups, by log."""

    def __init__(self) -> None:
        self.groups: dict[UUID, dict[Any, Group]] = defaultdict(dict)
        self.from_address: Counter[str] = Counter()
        self.pool = ThreadPoolExecutor(THREADS, "stream")
        self.watcher: asyncio.Task[None] | None = None

    async def run(self, work: Callable[[], Found]) -> Found:
        """Run a query in a thread, which keeps no connection."""
        return await asyncio.get_running_loop().run_in_executor(
            self.pool, functools.partial(_and_close, work)
        )

    @contextlib.contextmanager
    def reading(self, following: Following, client: str, cursor: str) -> Iterator[Reader]:
        """Add a reader. Raises: Busy if there are too many."""
        if self.from_address.total() >= settings.STREAM_LIMIT:
            raise Busy("too-many-streams", "Too many follow live; ask for what is new instead.")
        if self.from_address[client] >= settings.STREAM_LIMIT_ADDRESS:
            raise Busy("too-many-streams", "Too many follow live from there; ask instead.")
        reader = Reader(following)
        self._enter(reader, following.begin(cursor))
        self.from_address[client] += 1
        OPEN.inc()
        try:
            yield reader
        finally:
            OPEN.dec()
            self.from_address[client] -= 1
            if not self.from_address[client]:
                del self.from_address[client]
            self._leave(reader, reader.group)

    # -- what is told -----------------------------------------------------------------------

    def _enter(self, reader: Reader, cursor: str) -> None:
        key, fresh = reader.following.key, Group(reader.following, cursor)
        reader.group = self.groups[reader.following.log].setdefault((key, cursor), fresh)
        reader.group.readers.add(reader)

    def _leave(self, reader: Reader, group: Group) -> None:
        """Remove a reader from a group.

        When the last reader leaves, drop the group and cancel its pending build.
        """
        group.readers.discard(reader)
        if group.readers:
            return
        if group.made:
            group.made.cancel()
        log = group.following.log
        del self.groups[log][group.following.key, group.cursor]
        if not self.groups[log]:
            del self.groups[log]

    def wake(self, logs: Iterable[UUID]) -> None:
        """Build batches for the readers of logs, and wake the readers if there is something new.

        Build the batch before waking readers, so that thousands of tasks do not run ahead of the
        thread that builds it. If a build is running, mark it stale and rebuild once.
        """
        for log in logs:
            for group in self.groups[log].values() if log in self.groups else ():
                if group.made and not group.made.done():
                    group.stale = True
                else:
                    self._make(group)

    def _make(self, group: Group) -> asyncio.Task[Batch]:
        group.made, group.stale = asyncio.ensure_future(self.run(group.build)), False
        group.made_at = asyncio.get_running_loop().time()
        group.made.add_done_callback(functools.partial(self._made, group))
        return group.made

    def _made(self, group: Group, made: asyncio.Task[Batch]) -> None:
        """Wake readers for a batch, unless it is empty. An error is not kept: they ask again."""
        failed = made.cancelled() or made.exception()
        if made is not group.made:
            return
        if failed:
            group.made = None
        elif not made.result().sent:
            if group.stale:
                self._make(group)
            return
        for reader in group.readers:
            reader.woken.set()

    async def _next(self, reader: Reader) -> tuple[Piece, bool]:
        """Return the next piece for a reader, and whether there is more at once."""
        group = reader.group
        made = group.made
        if made is None or (made.done() and _is_stale(group)):
            made = self._make(group)
        found = made.result() if made.done() else await asyncio.shield(made)
        reader.woken.clear()
        if found.sent is None:
            return _ALIVE, False
        self._enter(reader, found.cursor)
        self._leave(reader, group)
        return found.sent, found.more or group.stale

    async def pieces(self, reader: Reader) -> AsyncIterator[Piece]:
        """Yield pieces to a reader, from their cursor on, until they must reconnect."""
        yield _BEGUN
        loop = asyncio.get_running_loop()
        end = loop.time() + LONGEST * random.uniform(0.8, 1.2)  # spread reconnects
        while loop.time() < end:
            piece, more = await self._next(reader)
            yield piece
            del piece  # do not keep it in memory while waiting
            if not more:
                beat = loop.call_later(HEARTBEAT, reader.woken.set)
                await reader.woken.wait()
                beat.cancel()

    # -- the watcher ----------------------------------------------------------------------

    def watch(self) -> None:
        """Start the watcher if it is not running."""
        if self.watcher is None or self.watcher.done():
            self.watcher = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """Listen for notifications where possible, and poll the feed's head for lost ones."""
        can_listen = connection.vendor == "postgresql"
        listening = asyncio.create_task(self._listen()) if can_listen else None
        try:
            at = await self._position()
            self.wake(list(self.groups))  # they may have missed entries before it
            while self.groups:
                await asyncio.sleep(LOOK[connection.vendor])
                head = await self._position()
                if head > at:
                    self.wake(await self._tried(functools.partial(notify.changed, at, head)))
                elif head < at:  # the database was replaced
                    self.wake(list(self.groups))
                at = head
        finally:
            if listening:
                listening.cancel()

    async def _position(self) -> int:
        return await self._tried(notify.position)

    async def _tried(self, work: Callable[[], Found]) -> Found:
        """Run a query, retrying until the database answers."""
        while True:
            try:
                return await self.run(work)
            except Exception as error:
                logger.warning("the feed cannot be read: %s; trying again", error)
                await asyncio.sleep(AGAIN)

    async def _listen(self) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**_direct()) as connection:
                    await connection.execute(f"LISTEN {notify.CHANNEL}")
                    self.wake(list(self.groups))  # earlier notifications were missed
                    async for notification in connection.notifies():
                        self.wake([UUID(notification.payload)])
            except (psycopg.Error, OSError, ValueError) as error:
                logger.warning("no notifications: %s; looking only", error)
            await asyncio.sleep(AGAIN)


def _is_stale(group: Group) -> bool:
    return asyncio.get_running_loop().time() - group.made_at >= STALE


def _and_close(work: Callable[[], Found]) -> Found:
    try:
        return work()
    finally:
        connections.close_all()  # returns it to the pool


def _direct() -> dict[str, Any]:
    """Return how to connect to the database itself: LISTEN does not work through a pooler."""
    if settings.LISTEN_DATABASE_URL:
        url = settings.LISTEN_DATABASE_URL
        return {"conninfo": url, "autocommit": True, **settings.DATABASE_KEEPALIVE}
    given: dict[str, Any] = connection.get_connection_params()
    for name in ("cursor_factory", "context", "prepare_threshold", "pool"):
        given.pop(name, None)
    return given | {"autocommit": True}
