"""gzip streams made of pieces that are compressed once for all clients they are sent to.

A gzip stream is a header, deflate blocks and a checksum (RFC 1952). A compressor that starts anew
for each piece and flushes fully makes blocks that do not depend on earlier ones, so one piece fits
into every stream, and no stream keeps a compressor in memory.
"""

import re
import struct
import zlib
from typing import Protocol

_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_LAST = b"\x03\0"  # an empty final block
_ACCEPTS = re.compile(rb"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)


class Piece:
    """A piece of streams, plain and compressed."""

    def __init__(self, plain: bytes) -> None:
        compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        self.plain = plain
        self.packed = compressor.compress(plain) + compressor.flush(zlib.Z_FULL_FLUSH)


class Coding(Protocol):
    """The content coding of one response, from its first piece to its end."""

    headers: list[tuple[bytes, bytes]]

    def sent(self, piece: Piece) -> bytes: ...

    def end(self) -> bytes: ...


class Plain:
    """Identity: no compression."""

    headers: list[tuple[bytes, bytes]] = []

    def sent(self, piece: Piece) -> bytes:
        return piece.plain

    def end(self) -> bytes:
        return b""


class Gzip:
    """gzip; keeps the checksum and the length of what was sent."""

    headers = [(b"content-encoding", b"gzip")]

    def __init__(self) -> None:
        self.check = self.length = 0

    def sent(self, piece: Piece) -> bytes:
        head = b"" if self.length else _HEAD
        self.check = zlib.crc32(piece.plain, self.check)
        self.length += len(piece.plain)
        return head + piece.packed

    def end(self) -> bytes:
        return _LAST + struct.pack("<LL", self.check, self.length % 2**32)


def coding_for(accepted: bytes) -> Coding:
    """Return the coding to use for a client's `Accept-Encoding`."""
    return Gzip() if _ACCEPTS.search(accepted) else Plain()
