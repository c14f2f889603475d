"""Wait for other threads and processes; the deadline is generous, as speed is not under test."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 120.0  # seconds


def eventually(look: Callable[[], T], otherwise: Callable[[], str] | str) -> T:
    """Poll `look` and return its first true value; fail with `otherwise` after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        if time.monotonic() > deadline:
            raise AssertionError(otherwise if isinstance(otherwise, str) else otherwise())
        time.sleep(0.05)
    return found
