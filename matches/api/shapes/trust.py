"""Heads kept outside the database."""

from msgspec import Struct


class HeadsResponse(Struct):
    """The key that signs (hex), and the newest file: its number, time and SHA-256."""

    key: str
    files: int
    newest: int | None
    written_at: str | None
    digest: str
