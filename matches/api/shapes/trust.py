"""Heads kept outside the database."""

from msgspec import Struct


class HeadsResponse(Struct):
    """The key that signs (hex), and the newest file: its number, time and SHA-256.

    `files`: how many there are. `newest`: the number of the newest. `written_at`: when that was
    written. `digest`: its SHA-256, in hex. `key`: the public key, in hex.
    """

    key: str
    files: int
    newest: int | None
    written_at: str | None
    digest: str
