"""Streams in gzip, of pieces that are compressed once for all who are sent them.

A gzip stream is a header, deflate blocks and a check of the whole (RFC 1952). A compressor that
begins anew for each piece and flushes it whole makes blocks that rest on nothing before them, so
one piece fits into every stream, and none keeps a compressor in memory.
"""

import re
import struct
import zlib
from typing import Protocol

_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
_LAST = b"\x03\0"  # an empty block that says it is the last
_ACCEPTS = re.compile(rb"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)


class Piece:
    """A piece of streams, as it is and compressed."""

    def __init__(self, plain: bytes) -> None:
        compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        self.plain = plain
        self.packed = compressor.compress(plain) + compressor.flush(zlib.Z_FULL_FLUSH)


class Coding(Protocol):
    """How one answer is sent, from its first piece to its end."""

    headers: list[tuple[bytes, bytes]]

    def sent(self, piece: Piece) -> bytes: ...

    def end(self) -> bytes: ...


class Plain:
    """As it is."""

    headers: list[tuple[bytes, bytes]] = []

    def sent(self, piece: Piece) -> bytes:
        return piece.plain

    def end(self) -> bytes:
        return b""


class Gzip:
    """Compressed; knows the check and the length of what was sent."""

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
    """Return how to send to who accepts these codings, as `Accept-Encoding` names them."""
    return Gzip() if _ACCEPTS.search(accepted) else Plain()
