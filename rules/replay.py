"""Fold a log: the one mechanism behind replay, undo, redo, "as at" and "as it happened".

An entry is an act with its consequences. It extends the state of the version before it, or
of the version it names in `on`. Taking back is an entry like any other: its state is the
state as at the version it goes back to.
"""

import hashlib
from typing import Any

import msgspec

from rules.ruleset import (
    Act,
    Consequence,
    Opened,
    Ruleset,
)


class Entry(msgspec.Struct, frozen=True):
    """An act with all its consequences, in order. `digest` is that of the state after it."""

    version: int
    act: Act
    consequences: tuple[Consequence, ...] = ()
    on: int | None = None
    digest: str = ""


class Moment(msgspec.Struct, frozen=True):
    """The state after an entry, and how many server draws its effective history holds."""

    version: int
    state: Any
    draws: int = 0


def setup_digest(setup: Opened) -> bytes:
    """Return the SHA-256 of the setup's canonical bytes."""
    return hashlib.sha256(msgspec.json.encode(setup)).digest()


def state_digest(ruleset: Ruleset, state: Any, setup: bytes | None = None) -> str:
    """Return SHA-256(setup digest ‖ dump) as hex. Pass `setup` when it is already known."""
    setup = setup or setup_digest(state.setup)
    return hashlib.sha256(setup + ruleset.dump(state)).hexdigest()
