"""Separately compressed pieces form a valid gzip stream however they are joined."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deploy.gzipped import Coding, Gzip, Piece, Plain, coding_for


def sent(coding: Coding, pieces: list[Piece]) -> bytes:
    return b"".join([*map(coding.sent, pieces), coding.end()])


@given(st.lists(st.binary(min_size=1, max_size=300), min_size=1, max_size=8), st.data())
def test_each_reader_of_the_same_pieces_gets_a_whole_stream(
    texts: list[bytes], data: st.DataObject
) -> None:
    pieces = [Piece(text) for text in texts]
    for _ in range(3):
        since = data.draw(st.integers(0, len(pieces) - 1))
        plain = b"".join(texts[since:])
        assert gzip.decompress(sent(Gzip(), pieces[since:])) == plain
        assert sent(Plain(), pieces[since:]) == plain


def test_what_was_sent_so_far_can_be_read_at_once() -> None:
    unpacking, coding = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16), Gzip()
    for text in (b"id: 1\n\n", b":\n\n", b"id: 2\ndata: " + b"same " * 999 + b"\n\n"):
        assert unpacking.decompress(coding.sent(Piece(text))) == text


@pytest.mark.parametrize(
    ("accepted", "kind"),
    [
        (b"gzip, deflate, br, zstd", Gzip),
        (b"br;q=1, GZIP;q=0.5", Gzip),
        (b"", Plain),
        (b"identity", Plain),
        (b"xgzipped", Plain),
        (b"gzip;q=0", Plain),
        (b"br, gzip ; q=0.00, identity", Plain),
        (b"gzip;q=0.01", Gzip),
    ],
)
def test_who_accepts_it_is_sent_gzip(accepted: bytes, kind: type) -> None:
    assert type(coding_for(accepted)) is kind
