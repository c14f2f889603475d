"""A cheap HTTP client, because the load shares its CPUs with the site under load.

A connection has one request in flight at a time. Spectators connect from different addresses of
127/8, so that the site's limits per address need not be changed.
"""

import asyncio
import re
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import httptools

PATIENCE = 60.0  # seconds for an answer
_ID = re.compile(rb"^id: (\d+)$", re.MULTILINE)
_HEAD = 10  # bytes of a gzip stream before its first block
_FLUSHED = b"\0\0\xff\xff"


class Lost(ConnectionError):
    """A connection ended in the middle of an answer."""


class Answer(NamedTuple):
    """An answer and how long it took, in seconds."""

    status: int
    headers: dict[str, str]
    body: bytes
    took: float


@dataclass(frozen=True)
class Place:
    """The address of a site: a local port or, bypassing all proxies, the path of a socket."""

    port: int = 0
    path: Path | None = None

    async def connect(self, protocol: Callable[[], asyncio.Protocol], address: str) -> Any:
        loop = asyncio.get_running_loop()
        if self.path:
            return await loop.create_unix_connection(protocol, str(self.path))
        return await loop.create_connection(
            protocol, "127.0.0.1", self.port, local_addr=(address, 0) if address else None
        )


def address_of(number: int, most: int = 250) -> str:
    """Return a spectator's address, shared by up to `most` of them, as in a venue."""
    return f"127.0.1.{1 + number // most}"


class _Reading(asyncio.Protocol):
    """Parses answers; the parser calls the `on_` methods."""

    def __init__(self) -> None:
        self.parser = httptools.HttpResponseParser(self)
        self.headers: dict[str, str] = {}
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.parser.feed_data(data)

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode().lower()] = value.decode()


class _Exchange(_Reading):
    """A keep-alive connection with one exchange at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.answer: asyncio.Future[tuple[int, dict[str, str], bytes]] | None = None
        self.parts: list[bytes] = []

    def on_message_begin(self) -> None:
        self.headers, self.parts = {}, []

    def on_body(self, part: bytes) -> None:
        self.parts.append(part)

    def on_message_complete(self) -> None:
        found = self.parser.get_status_code(), self.headers, b"".join(self.parts)
        if self.answer and not self.answer.done():
            self.answer.set_result(found)
        if not self.parser.should_keep_alive():
            self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        if self.answer and not self.answer.done():
            self.answer.set_exception(Lost("the connection ended"))


class Line:
    """A persistent connection to the site, reopened if it was closed between requests."""

    def __init__(self, place: Place, address: str = "", headers: dict[str, str] | None = None):
        self.place, self.address, self.headers = place, address, headers or {}
        self.exchange: _Exchange | None = None

    async def ask(
        self, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Answer:
        """GET a path, or POST a body of JSON to it. Raises: OSError, TimeoutError."""
        began = time.perf_counter()
        kept = bool(self.exchange and self.exchange.transport)
        sent = _request(path, {**self.headers, **(headers or {})}, body)
        try:
            found = await self._exchanged(sent)
        except Lost:
            if not kept:  # else closed just as we sent: safe to retry, since acts have ids
                raise
            found = await self._exchanged(sent)
        return Answer(*found, time.perf_counter() - began)

    async def _exchanged(self, sent: bytes) -> tuple[int, dict[str, str], bytes]:
        async with asyncio.timeout(PATIENCE):
            if self.exchange is None or self.exchange.transport is None:
                _, self.exchange = await self.place.connect(_Exchange, self.address)
            self.exchange.answer = asyncio.get_running_loop().create_future()
            self.exchange.transport.write(sent)
            try:
                return await self.exchange.answer
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        if self.exchange and self.exchange.transport:
            self.exchange.transport.close()
        self.exchange = None


def _request(path: str, headers: dict[str, str], body: bytes | None) -> bytes:
    given = {"Host": "127.0.0.1", **headers}
    if body is not None:
        given |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    method = "GET" if body is None else "POST"
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + (body or b"")


@lru_cache(64)
def _ids(pieces: bytes) -> tuple[int, ...]:
    """Return the ids in pieces of a stream, each compressed separately.

    Cached: thousands of readers get the same pieces, and each would decompress on its own device.
    """
    frames = zlib.decompressobj(wbits=-zlib.MAX_WBITS).decompress(pieces)
    return tuple(int(each) for each in _ID.findall(frames))


class Stream(_Reading):
    """A stream of server-sent events that calls `heard` with every id and its time of arrival."""

    def __init__(self, heard: Callable[[int, float], None]) -> None:
        super().__init__()
        self.heard = heard
        self.rest = b""
        self.begun = False
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[int] = loop.create_future()
        self.ended: asyncio.Future[None] = loop.create_future()

    @classmethod
    async def open(
        cls,
        place: Place,
        path: str,
        heard: Callable[[int, float], None],
        address: str = "",
        headers: dict[str, str] | None = None,
    ) -> "Stream":
        """Return an open stream. Raises: OSError, TimeoutError if it cannot be opened."""
        async with asyncio.timeout(PATIENCE):
            _, stream = await place.connect(lambda: cls(heard), address)
            try:
                accepting = {"Accept-Encoding": "gzip", **(headers or {})}
                stream.transport.write(_request(path, accepting, None))
                if (status := await stream.opened) != 200:
                    raise Lost(f"{path} answers {status}")
            except BaseException:
                stream.close()
                raise
        found: Stream = stream
        return found

    def on_headers_complete(self) -> None:
        if not self.opened.done():
            self.opened.set_result(self.parser.get_status_code())

    def on_body(self, part: bytes) -> None:
        now = time.perf_counter()
        self.rest += part
        if self.rest.endswith(_FLUSHED):
            pieces, self.rest = self.rest if self.begun else self.rest[_HEAD:], b""
            self.begun = True
            for each in _ids(pieces):
                self.heard(each, now)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(Lost("the connection ended"))
        if not self.ended.done():
            self.ended.set_result(None)

    def close(self) -> None:
        self.transport.close()
